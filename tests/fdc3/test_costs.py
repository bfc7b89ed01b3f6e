"""What the end of an instance with many listeners costs: its own listeners, not those of all others."""

from collections.abc import Iterator
from typing import Any

from rostrum.fdc3 import Limits, Timeouts
from rostrum.fdc3.host import IntentListenersChanged
from tests.fdc3.platform import START, App, Platform
from tests.fdc3.test_channels import share_private_channel

LISTENERS = 30


class Watched(dict[str, Any]):
    """Listeners that count how often all of them are looked at."""

    looks = 0

    def values(self) -> Any:
        Watched.looks += 1
        return super().values()

    def items(self) -> Any:
        Watched.looks += 1
        return super().items()

    def __iter__(self) -> Iterator[str]:
        Watched.looks += 1
        return super().__iter__()


def watch(platform: Platform) -> None:
    for instance in platform.agent._state.instances.values():
        instance.listeners = Watched(instance.listeners)
    Watched.looks = 0


def crowd() -> tuple[Platform, App, App, str]:
    """An app with many listeners on a private channel that it shares with another, and further apps."""
    platform = Platform()
    chart, news = platform.start("chart"), platform.start("news")
    for _ in range(5):
        platform.start("grid").ask("addContextListenerRequest", channelId=None, contextType=None)
    channel = share_private_channel(chart, news)
    news.ask("privateChannelAddEventListenerRequest", privateChannelId=channel, listenerType=None)
    for number in range(LISTENERS):
        chart.ask("addContextListenerRequest", channelId=channel, contextType=f"type{number}")
    news.take()
    watch(platform)
    return platform, chart, news, channel


def assert_notified(news: App) -> None:
    removed = [one["contextType"] for one in news.payloads("privateChannelOnUnsubscribeEvent")]
    assert removed == [f"type{number}" for number in range(LISTENERS)]
    assert len(news.take("privateChannelOnDisconnectEvent")) == 1


def test_a_goodbye_looks_at_the_listeners_once() -> None:
    platform, chart, news, _ = crowd()

    chart.goodbye()

    assert Watched.looks <= 2
    assert_notified(news)
    assert platform.agent._state.listener_count == 6


def test_leaving_a_private_channel_looks_at_no_other_listeners() -> None:
    _, chart, news, channel = crowd()

    chart.ask("privateChannelDisconnectRequest", channelId=channel)

    assert Watched.looks == 0
    assert_notified(news)


def test_introducing_an_app_again_looks_at_the_listeners_once() -> None:
    _, chart, news, _ = crowd()

    chart.validate(instanceId=chart.instance_id, instanceUuid=chart.secret)

    assert Watched.looks <= 2
    assert len(news.take("privateChannelOnUnsubscribeEvent")) == LISTENERS


def test_reports_of_intents_grow_with_the_number_of_changes() -> None:
    platform = Platform()
    chart = platform.start("chart")
    reported = 0

    def count(outputs: list[Any], do: Any = platform.do) -> None:
        nonlocal reported
        reported += sum(len(one.added) + len(one.removed) for one in outputs if isinstance(one, IntentListenersChanged))
        do(outputs)

    platform.do = count  # type: ignore[method-assign]
    for number in range(LISTENERS):
        chart.ask("addIntentListenerRequest", intent=f"intent{number}")
        chart.ask("addIntentListenerRequest", intent=f"intent{number}")
    chart.goodbye()

    assert reported == 2 * LISTENERS
    assert platform.handled == {chart.instance_id: ()}


def test_interrupted_instances_expire_in_steps() -> None:
    platform = Platform(timeouts=Timeouts(heartbeat=0, reconnection=10))
    for _ in range(20):
        grid = platform.start("grid")
        for _ in range(50):
            grid.ask("addContextListenerRequest", channelId=None, contextType=None)
        platform.agent.suspend(grid.connection, START)

    platform.wait(10)
    left = [len(platform.agent.instances)]
    while platform.agent.deadline is not None and platform.agent.deadline <= platform.now:
        platform.wait(0)
        left.append(len(platform.agent.instances))

    assert left == [14, 8, 2, 0]


def test_the_end_of_an_instance_causes_a_limited_number_of_events() -> None:
    platform = Platform(limits=Limits(private_events=4))
    chart, news = platform.start("chart"), platform.start("news")
    channel = share_private_channel(chart, news)
    news.ask("privateChannelAddEventListenerRequest", privateChannelId=channel, listenerType=None)

    answers = [chart.ask("addContextListenerRequest", channelId=channel, contextType=None) for _ in range(5)]
    assert ["error" in answer for answer in answers] == [False, False, False, False, True]

    # Each further instance that is notified causes further events.
    events = {"privateChannelId": channel, "listenerType": None}
    assert "listenerUUID" in news.ask("addContextListenerRequest", channelId=channel, contextType=None)
    assert "listenerUUID" in chart.ask("privateChannelAddEventListenerRequest", **events)
    assert "error" in news.ask("addContextListenerRequest", channelId=channel, contextType=None)
