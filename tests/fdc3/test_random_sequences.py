"""Random sequences of operations of several apps, compared with a simple model of who must get what."""

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rostrum.fdc3 import Limits
from tests.fdc3.platform import App, Platform
from tests.long_form import LONG

APPS = ["chart", "news", "mail", "grid"]
CHANNELS = ["red", "green", "orders", "trades"]
TYPES = ["fdc3.instrument", "fdc3.contact"]
LIMITS = Limits(
    instances=5, listeners=12, instance_listeners=5, app_channels=2, private_channels=3, contexts=4, context_bytes=300
)


class Sequences(RuleBasedStateMachine):
    """Apps start, end, join, listen, broadcast; each app gets exactly what its listeners are for."""

    @initialize()
    def start_platform(self) -> None:
        self.platform = Platform(limits=LIMITS)
        self.apps: list[App] = []
        self.joined: dict[str, str | None] = {}
        self.listeners: dict[str, dict[str, tuple[str | None, str | None, bool]]] = {}
        self.channels: set[str] = {"red", "green"}
        self.private: dict[str, set[str]] = {}

    def one(self, index: int) -> App:
        return self.apps[index % len(self.apps)]

    @precondition(lambda self: len(self.apps) < LIMITS.instances)
    @rule(app_id=st.sampled_from(APPS))
    def start(self, app_id: str) -> None:
        app = self.platform.start(app_id)
        self.apps.append(app)
        self.joined[app.instance_id] = None
        self.listeners[app.instance_id] = {}

    @precondition(lambda self: self.apps)
    @rule(index=st.integers(0, 10), says_goodbye=st.booleans())
    def end(self, index: int, says_goodbye: bool) -> None:
        app = self.one(index)
        if says_goodbye:
            app.goodbye()
        self.platform.end(app)
        self.apps.remove(app)
        del self.joined[app.instance_id], self.listeners[app.instance_id]
        for members in self.private.values():
            members.discard(app.instance_id)

    @precondition(lambda self: self.apps)
    @rule(index=st.integers(0, 10), channel=st.sampled_from(["red", "green", "orders", None]))
    def join(self, index: int, channel: str | None) -> None:
        app = self.one(index)
        if channel is None:
            app.ask("leaveCurrentChannelRequest")
            self.joined[app.instance_id] = None
        elif app.ask("joinUserChannelRequest", channelId=channel) == {}:
            assert channel != "orders"
            self.joined[app.instance_id] = channel
        app.take("channelChangedEvent")

    @precondition(lambda self: self.apps)
    @rule(index=st.integers(0, 10), channel=st.sampled_from(["orders", "trades", "more"]))
    def create(self, index: int, channel: str) -> None:
        if "channel" in self.one(index).ask("getOrCreateChannelRequest", channelId=channel):
            self.channels.add(channel)

    @precondition(lambda self: self.apps)
    @rule(index=st.integers(0, 10))
    def create_private(self, index: int) -> None:
        app = self.one(index)
        answer = app.ask("createPrivateChannelRequest")
        if "privateChannel" in answer:
            self.private[answer["privateChannel"]["id"]] = {app.instance_id}

    @precondition(lambda self: self.apps)
    @rule(
        index=st.integers(0, 10),
        channel=st.sampled_from([None, *CHANNELS, "private"]),
        type_=st.sampled_from([None, *TYPES]),
    )
    def listen(self, index: int, channel: str | None, type_: str | None) -> None:
        app = self.one(index)
        if channel == "private":
            channel = next(iter(self.private), "nowhere")
        joined = self.joined[app.instance_id]
        answer = app.ask("addContextListenerRequest", channelId=channel, contextType=type_)
        if "listenerUUID" in answer:
            follows = channel is None or channel == joined
            self.listeners[app.instance_id][answer["listenerUUID"]] = (channel, type_, follows)
            if channel in self.private:
                assert app.instance_id in self.private[channel]

    @precondition(lambda self: self.apps)
    @rule(index=st.integers(0, 10))
    def unsubscribe(self, index: int) -> None:
        app = self.one(index)
        for uuid in list(self.listeners[app.instance_id])[:1]:
            assert app.ask("contextListenerUnsubscribeRequest", listenerUUID=uuid) == {}
            del self.listeners[app.instance_id][uuid]

    @precondition(lambda self: self.apps)
    @rule(
        index=st.integers(0, 10),
        channel=st.sampled_from([*CHANNELS, "private"]),
        type_=st.sampled_from(TYPES),
        size=st.integers(0, 200),
    )
    def broadcast(self, index: int, channel: str, type_: str, size: int) -> None:
        app = self.one(index)
        if channel == "private":
            channel = next(iter(self.private), "nowhere")
        context = {"type": type_, "text": "x" * size}
        answer = app.ask("broadcastRequest", channelId=channel, context=context)
        for other in self.apps:
            is_meant = answer == {} and other is not app and self.hears(other, channel, type_)
            got = [event["context"] for event in other.payloads("broadcastEvent")]
            assert got == ([context] if is_meant else []), (other.app_id, self.listeners[other.instance_id])

    def hears(self, app: App, channel: str, type_: str) -> bool:
        joined = self.joined[app.instance_id]
        return any(
            (named == channel or (follows and joined == channel)) and wanted in (None, type_)
            for named, wanted, follows in self.listeners[app.instance_id].values()
        )

    @invariant()
    def nobody_got_anything_else(self) -> None:
        if hasattr(self, "apps"):
            assert [app.take() for app in self.apps if app.got] == []

    @invariant()
    def the_agent_knows_exactly_the_running_apps(self) -> None:
        if hasattr(self, "apps"):
            running = {app.instance_id: self.joined[app.instance_id] for app in self.apps}
            known = {one["instanceId"]: one["channelId"] for one in self.platform.agent.instances}
            assert known == running

    @invariant()
    def what_is_stored_is_bounded_and_belongs_to_running_apps(self) -> None:
        if not hasattr(self, "apps"):
            return
        state = self.platform.agent._state
        kinds = [channel.kind for channel in state.channels.values()]
        assert kinds.count("app") <= LIMITS.app_channels
        assert kinds.count("private") <= LIMITS.private_channels
        stored = [(channel.id, type_) for channel in state.channels.values() for type_ in channel.contexts]
        assert sorted(stored) == sorted(state.stored)
        assert len(stored) <= LIMITS.contexts
        sizes = sum(len(bytes(one)) for channel in state.channels.values() for one in channel.contexts.values())
        assert sizes == state.context_bytes <= LIMITS.context_bytes
        assert state.listener_count == sum(len(one.listeners) for one in state.instances.values()) <= LIMITS.listeners
        running = {app.instance_id for app in self.apps}
        for channel in state.channels.values():
            assert channel.members <= running
            assert channel.kind != "private" or channel.members
        assert not state.pending
        assert not state.results


Sequences.TestCase.settings = settings(max_examples=max(40, LONG), stateful_step_count=40, deadline=None)
TestSequences = pytest.mark.long(Sequences.TestCase)


def everything(platform: Platform) -> str:
    """Write all that an agent stores."""
    state: Any = platform.agent._state
    parts = {name: getattr(state, name) for name in state.__slots__ if name not in ("directory", "new_id", "departed")}
    return json.dumps(parts, default=_described)


def _described(value: Any) -> Any:
    if hasattr(value, "__slots__"):
        return {name: getattr(value, name) for name in value.__slots__ if hasattr(value, name)}
    if hasattr(value, "__struct_fields__"):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    return sorted(value) if isinstance(value, (set, frozenset)) else str(value)


def test_everything_of_an_app_is_gone_after_it_has_ended() -> None:
    platform = Platform()
    chart, news = platform.start("chart"), platform.start("news")
    chart.ask("joinUserChannelRequest", channelId="red")
    chart.ask("getOrCreateChannelRequest", channelId="orders")
    private = chart.ask("createPrivateChannelRequest")["privateChannel"]["id"]
    chart.ask("addContextListenerRequest", channelId=private, contextType=None)
    chart.ask("addContextListenerRequest", channelId=None, contextType=None)
    chart.ask("addEventListenerRequest", type=None)
    chart.ask("addIntentListenerRequest", intent="ViewChart")
    news.ask("addIntentListenerRequest", intent="ViewNews")
    contact = {"type": "fdc3.contact"}
    chart.ask("raiseIntentRequest", intent="ViewNews", context=contact)
    news.ask("raiseIntentRequest", intent="ViewChart", context={"type": "fdc3.instrument"})
    chart.post("raiseIntentRequest", intent="StartChat", context=contact)
    assert chart.instance_id in everything(platform)

    platform.end(chart)

    left = everything(platform)
    assert chart.instance_id not in left
    assert chart.secret not in left
    assert chart.connection not in left
    assert private not in left
