"""User, app and private channels."""

import pytest

from rostrum.fdc3 import Limits, UserChannel
from tests.fdc3.platform import CONTACT, INSTRUMENT, App, Platform


@pytest.fixture
def platform() -> Platform:
    return Platform()


@pytest.fixture
def chart(platform: Platform) -> App:
    return platform.start("chart")


@pytest.fixture
def news(platform: Platform) -> App:
    return platform.start("news")


def listen(app: App, channel: str | None = None, type_: str | None = None) -> str:
    uuid: str = app.ask("addContextListenerRequest", channelId=channel, contextType=type_)["listenerUUID"]
    return uuid


def test_the_user_channels_are_those_of_the_settings(chart: App) -> None:
    channels = chart.ask("getUserChannelsRequest")["userChannels"]

    assert channels == [
        {"id": "red", "type": "user", "displayMetadata": {"name": "Red", "color": "#ff0000"}},
        {
            "id": "green",
            "type": "user",
            "displayMetadata": {"name": "Green", "color": "#00ff00", "glyph": "https://x.example/g.png"},
        },
    ]


def test_an_instance_joins_and_leaves_user_channels_and_gets_an_event_each_time(chart: App) -> None:
    assert chart.ask("getCurrentChannelRequest") == {"channel": None}
    assert chart.ask("joinUserChannelRequest", channelId="red") == {}
    assert chart.ask("getCurrentChannelRequest")["channel"]["id"] == "red"
    assert chart.ask("leaveCurrentChannelRequest") == {}
    assert chart.ask("leaveCurrentChannelRequest") == {}
    assert chart.ask("getCurrentChannelRequest") == {"channel": None}
    assert chart.payloads("channelChangedEvent") == [{"newChannelId": "red"}, {"newChannelId": None}]


def test_joining_anything_but_a_user_channel_is_refused(chart: App) -> None:
    chart.ask("getOrCreateChannelRequest", channelId="mine")

    assert chart.ask("joinUserChannelRequest", channelId="mine") == {"error": "NoChannelFound"}
    assert chart.ask("joinUserChannelRequest", channelId="nowhere") == {"error": "NoChannelFound"}
    assert chart.take() == []


def test_the_user_selects_a_channel_for_an_instance(platform: Platform, chart: App) -> None:
    for channel in ("green", "green", "nowhere"):
        platform.do(platform.agent.select_channel(chart.instance_id, channel, platform.now))
    platform.do(platform.agent.select_channel("nobody", "red", platform.now))

    assert chart.payloads("channelChangedEvent") == [{"newChannelId": "green"}]
    assert platform.agent.instances == [{**chart.identifier, "channelId": "green"}]

    platform.do(platform.agent.select_channel(chart.instance_id, None, platform.now))
    assert chart.payloads("channelChangedEvent") == [{"newChannelId": None}]


def test_a_broadcast_reaches_the_listeners_of_its_channel_and_type_but_not_its_sender(
    platform: Platform, chart: App, news: App
) -> None:
    mail, grid = platform.start("mail"), platform.start("grid")
    for app in (chart, news, mail):
        app.ask("joinUserChannelRequest", channelId="red")
    listen(chart)
    listen(news, type_="fdc3.instrument")
    listen(mail, type_="fdc3.contact")
    listen(grid)
    for app in (chart, news, mail, grid):
        app.take()

    assert chart.ask("broadcastRequest", channelId="red", context=INSTRUMENT) == {}

    expected = {"channelId": "red", "context": INSTRUMENT, "originatingApp": chart.identifier}
    assert news.payloads("broadcastEvent") == [expected]
    assert chart.take() + mail.take() + grid.take() == []


def test_an_instance_with_several_listeners_gets_one_event(chart: App, news: App) -> None:
    listen(news, "red")
    listen(news, "red", "fdc3.instrument")

    chart.ask("broadcastRequest", channelId="red", context=INSTRUMENT)

    assert len(news.take("broadcastEvent")) == 1


@pytest.mark.parametrize("named", [None, "red"])
def test_a_listener_follows_its_instance_to_another_user_channel(chart: App, news: App, named: str | None) -> None:
    """Clients of version 2.2.0 name the channel that they are in, later ones name none."""
    news.ask("joinUserChannelRequest", channelId="red")
    listen(news, named)
    news.ask("joinUserChannelRequest", channelId="green")

    chart.ask("broadcastRequest", channelId="green", context=INSTRUMENT)

    assert [event["channelId"] for event in news.payloads("broadcastEvent")] == ["green"]


def test_a_listener_of_a_named_channel_stays_there(chart: App, news: App) -> None:
    listen(news, "red")
    news.ask("joinUserChannelRequest", channelId="green")

    chart.ask("broadcastRequest", channelId="green", context=INSTRUMENT)
    chart.ask("broadcastRequest", channelId="red", context=CONTACT)

    assert [event["channelId"] for event in news.payloads("broadcastEvent")] == ["red"]


def test_a_removed_listener_receives_nothing(chart: App, news: App) -> None:
    uuid = listen(news, "red")
    assert news.ask("contextListenerUnsubscribeRequest", listenerUUID=uuid) == {}
    chart.ask("broadcastRequest", channelId="red", context=INSTRUMENT)

    assert news.take("broadcastEvent") == []
    assert news.ask("contextListenerUnsubscribeRequest", listenerUUID=uuid) == {"error": "MalformedMessage"}


def test_listeners_of_others_and_of_another_kind_cannot_be_removed(chart: App, news: App) -> None:
    uuid = listen(news, "red")

    assert chart.ask("contextListenerUnsubscribeRequest", listenerUUID=uuid) == {"error": "MalformedMessage"}
    assert news.ask("intentListenerUnsubscribeRequest", listenerUUID=uuid) == {"error": "MalformedMessage"}
    assert news.ask("eventListenerUnsubscribeRequest", listenerUUID=uuid) == {"error": "MalformedMessage"}
    kind = "privateChannelUnsubscribeEventListenerRequest"
    assert news.ask(kind, listenerUUID=uuid) == {"error": "MalformedMessage"}


def test_the_newest_context_of_a_channel_is_stored_for_each_type(chart: App, news: App) -> None:
    second = {**INSTRUMENT, "id": {"ticker": "MSFT"}, "more": [1, {"ä": None}]}
    for context in (INSTRUMENT, CONTACT, second):
        chart.ask("broadcastRequest", channelId="red", context=context)

    def current(type_: str | None) -> object:
        return news.ask("getCurrentContextRequest", channelId="red", contextType=type_)

    assert current("fdc3.contact") == {"context": CONTACT}
    assert current("fdc3.instrument") == {"context": second}
    assert current(None) == {"context": second}
    assert current("fdc3.order") == {"context": None}
    assert news.ask("getCurrentContextRequest", channelId="green", contextType=None) == {"context": None}


@pytest.mark.parametrize(
    ("type_", "payload"),
    [
        ("broadcastRequest", {"channelId": "nowhere", "context": INSTRUMENT}),
        ("getCurrentContextRequest", {"channelId": "nowhere", "contextType": None}),
        ("addContextListenerRequest", {"channelId": "nowhere", "contextType": None}),
        ("privateChannelAddEventListenerRequest", {"privateChannelId": "red", "listenerType": None}),
        ("privateChannelDisconnectRequest", {"channelId": "red"}),
    ],
)
def test_channels_that_do_not_exist_are_refused(chart: App, type_: str, payload: dict[str, object]) -> None:
    assert chart.ask(type_, **payload) == {"error": "NoChannelFound"}


def test_apps_share_an_app_channel_by_its_name(chart: App, news: App) -> None:
    expected = {"channel": {"id": "orders", "type": "app"}}
    assert chart.ask("getOrCreateChannelRequest", channelId="orders") == expected
    assert news.ask("getOrCreateChannelRequest", channelId="orders") == expected
    listen(news, "orders")

    chart.ask("broadcastRequest", channelId="orders", context=CONTACT)

    assert [event["context"] for event in news.payloads("broadcastEvent")] == [CONTACT]


def test_the_names_of_user_and_private_channels_are_not_for_app_channels(chart: App, news: App) -> None:
    private = chart.ask("createPrivateChannelRequest")["privateChannel"]["id"]

    assert news.ask("getOrCreateChannelRequest", channelId="red") == {"error": "AccessDenied"}
    assert news.ask("getOrCreateChannelRequest", channelId=private) == {"error": "AccessDenied"}
    assert news.ask("getOrCreateChannelRequest", channelId="") == {"error": "CreationFailed"}


def test_a_private_channel_is_for_those_who_got_it(chart: App, news: App) -> None:
    created = chart.ask("createPrivateChannelRequest")["privateChannel"]
    id_ = created["id"]

    assert created == {"id": id_, "type": "private"}
    denied = {"error": "AccessDenied"}
    assert news.ask("broadcastRequest", channelId=id_, context=CONTACT) == denied
    assert news.ask("getCurrentContextRequest", channelId=id_, contextType=None) == denied
    assert news.ask("addContextListenerRequest", channelId=id_, contextType=None) == denied
    assert news.ask("privateChannelAddEventListenerRequest", privateChannelId=id_, listenerType=None) == denied
    assert news.ask("privateChannelDisconnectRequest", channelId=id_) == denied
    assert chart.ask("broadcastRequest", channelId=id_, context=CONTACT) == {}


def share_private_channel(chart: App, news: App) -> str:
    """Let the chart give a private channel to the news as the result of an intent."""
    id_: str = chart.ask("createPrivateChannelRequest")["privateChannel"]["id"]
    chart.ask("addIntentListenerRequest", intent="ViewChart")
    uuid = news.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)
    [event] = chart.take("intentEvent")
    result = {"channel": {"id": id_, "type": "private"}}
    chart.ask(
        "intentResultRequest",
        intentEventUuid=event["meta"]["eventUuid"],
        raiseIntentRequestUuid=uuid,
        intentResult=result,
    )
    assert news.response(uuid, "raiseIntentResultResponse") == {"intentResult": result}
    news.take()
    return id_


def test_the_parties_of_a_private_channel_are_notified_of_each_other(chart: App, news: App) -> None:
    id_ = share_private_channel(chart, news)
    for type_ in (None, "addContextListener", "unsubscribe", "disconnect"):
        answer = chart.ask("privateChannelAddEventListenerRequest", privateChannelId=id_, listenerType=type_)
        assert answer["listenerUUID"]

    listen(news, id_)
    uuid = listen(news, id_, "fdc3.contact")
    chart.ask("broadcastRequest", channelId=id_, context=CONTACT)
    news.ask("contextListenerUnsubscribeRequest", listenerUUID=uuid)
    assert news.ask("privateChannelDisconnectRequest", channelId=id_) == {}

    assert [event["payload"]["context"] for event in news.take("broadcastEvent")] == [CONTACT]
    assert [(one["type"], one["payload"]) for one in chart.take()] == [
        ("privateChannelOnAddContextListenerEvent", {"privateChannelId": id_, "contextType": None}),
        ("privateChannelOnAddContextListenerEvent", {"privateChannelId": id_, "contextType": "fdc3.contact"}),
        ("privateChannelOnUnsubscribeEvent", {"privateChannelId": id_, "contextType": "fdc3.contact"}),
        ("privateChannelOnUnsubscribeEvent", {"privateChannelId": id_, "contextType": None}),
        ("privateChannelOnDisconnectEvent", {"privateChannelId": id_}),
    ]
    assert news.ask("broadcastRequest", channelId=id_, context=CONTACT) == {"error": "AccessDenied"}


def test_private_listeners_for_one_event_get_this_event_only_until_they_are_removed(chart: App, news: App) -> None:
    id_ = share_private_channel(chart, news)
    answer = chart.ask("privateChannelAddEventListenerRequest", privateChannelId=id_, listenerType="unsubscribe")
    uuid = listen(news, id_)
    assert chart.take() == []
    news.ask("contextListenerUnsubscribeRequest", listenerUUID=uuid)
    assert len(chart.take("privateChannelOnUnsubscribeEvent")) == 1

    chart.ask("privateChannelUnsubscribeEventListenerRequest", listenerUUID=answer["listenerUUID"])
    news.ask("contextListenerUnsubscribeRequest", listenerUUID=listen(news, id_))
    assert chart.take() == []


def test_an_instance_that_ends_leaves_its_private_channels(platform: Platform, chart: App, news: App) -> None:
    id_ = share_private_channel(chart, news)
    chart.ask("privateChannelAddEventListenerRequest", privateChannelId=id_, listenerType=None)
    listen(news, id_)
    chart.take()

    platform.end(news)
    events = [one["type"] for one in chart.take()]
    assert events == ["privateChannelOnUnsubscribeEvent", "privateChannelOnDisconnectEvent"]

    chart.ask("privateChannelDisconnectRequest", channelId=id_)
    assert chart.ask("broadcastRequest", channelId=id_, context=CONTACT) == {"error": "NoChannelFound"}


def test_listeners_for_events_of_the_agent_are_added_and_removed(chart: App) -> None:
    for type_ in ("USER_CHANNEL_CHANGED", None):
        uuid = chart.ask("addEventListenerRequest", type=type_)["listenerUUID"]
        assert chart.ask("eventListenerUnsubscribeRequest", listenerUUID=uuid) == {}


def test_instances_leave_user_channels_that_the_settings_remove(platform: Platform, chart: App, news: App) -> None:
    news.ask("getOrCreateChannelRequest", channelId="blue")
    listen(news, "blue")
    chart.ask("joinUserChannelRequest", channelId="red")
    chart.ask("broadcastRequest", channelId="red", context=CONTACT)
    chart.take()

    blue = UserChannel("blue", "Blue", "#0000ff")
    platform.do(platform.agent.replace_user_channels([UserChannel("green", "Lime", "#00ff88"), blue], platform.now))

    assert chart.payloads("channelChangedEvent") == [{"newChannelId": None}]
    channels = chart.ask("getUserChannelsRequest")["userChannels"]
    assert [one["displayMetadata"]["name"] for one in channels] == ["Lime", "Blue"]
    assert chart.ask("getCurrentContextRequest", channelId="red", contextType=None) == {"error": "NoChannelFound"}
    chart.ask("broadcastRequest", channelId="blue", context=CONTACT)
    assert len(news.take("broadcastEvent")) == 1


def test_the_platform_learns_of_the_channels_of_instances_and_of_contexts_on_user_channels(
    platform: Platform, chart: App
) -> None:
    chart.ask("joinUserChannelRequest", channelId="red")
    assert platform.shown == {chart.instance_id: "red"}
    chart.ask("leaveCurrentChannelRequest")
    assert platform.shown == {chart.instance_id: None}
    chart.ask("getOrCreateChannelRequest", channelId="orders")
    for channel in ("red", "orders"):
        chart.ask("broadcastRequest", channelId=channel, context=CONTACT)

    assert platform.mirrored == [("red", chart.instance_id, CONTACT)]


def test_the_platform_publishes_contexts_of_others_on_user_channels(platform: Platform, chart: App, news: App) -> None:
    listen(chart, "red")
    listen(news, "red", "fdc3.contact")
    platform.do(platform.agent.publish("red", b'{"type": "fdc3.instrument"}', platform.now, {"appId": "desktop-app"}))
    platform.do(platform.agent.publish("red", b'{"type": "fdc3.contact"}', platform.now))

    instrument, contact = {"type": "fdc3.instrument"}, {"type": "fdc3.contact"}
    assert chart.payloads("broadcastEvent") == [
        {"channelId": "red", "context": instrument, "originatingApp": {"appId": "desktop-app"}},
        {"channelId": "red", "context": contact},
    ]
    assert [event["context"] for event in news.payloads("broadcastEvent")] == [contact]
    assert news.ask("getCurrentContextRequest", channelId="red", contextType=None) == {"context": contact}
    assert platform.mirrored == []


@pytest.mark.parametrize(
    ("channel", "context"),
    [("nowhere", b'{"type": "x"}'), ("red", b"{}"), ("red", b"[" * 9), ("red", b" " * 1_048_577)],
)
def test_what_the_platform_publishes_is_checked(platform: Platform, chart: App, channel: str, context: bytes) -> None:
    listen(chart, "red")
    platform.do(platform.agent.publish(channel, context, platform.now))

    assert chart.take() == []
    assert len(platform.refusals) == 1


def test_a_malformed_context_is_rejected_and_not_delivered(chart: App, news: App) -> None:
    listen(news, "red")
    for context in ({"type": ""}, {"type": "x" * 501}):
        assert chart.ask("broadcastRequest", channelId="red", context=context) == {"error": "MalformedContext"}

    assert news.take() == []


def test_unused_app_channels_make_room_for_new_ones_and_used_ones_do_not() -> None:
    platform = Platform(limits=Limits(app_channels=2))
    chart, news = platform.start("chart"), platform.start("news")
    chart.ask("getOrCreateChannelRequest", channelId="first")
    news.ask("getOrCreateChannelRequest", channelId="second")
    assert chart.ask("getOrCreateChannelRequest", channelId="third") == {"error": "CreationFailed"}

    platform.end(news)

    assert "channel" in chart.ask("getOrCreateChannelRequest", channelId="third")
    request = {"channelId": "second", "contextType": None}
    assert chart.ask("getCurrentContextRequest", **request) == {"error": "NoChannelFound"}


def test_the_number_of_private_channels_and_of_listeners_is_limited() -> None:
    platform = Platform(limits=Limits(private_channels=1, instance_listeners=2, listeners=3))
    chart, news = platform.start("chart"), platform.start("news")
    id_ = chart.ask("createPrivateChannelRequest")["privateChannel"]["id"]
    assert chart.ask("createPrivateChannelRequest") == {"error": "CreationFailed"}
    listen(chart)
    listen(chart)

    request = {"privateChannelId": id_, "listenerType": None}
    assert chart.ask("addContextListenerRequest", channelId=None, contextType=None) == {"error": "CreationFailed"}
    assert chart.ask("privateChannelAddEventListenerRequest", **request) == {"error": "CreationFailed"}
    assert chart.ask("addEventListenerRequest", type=None) == {"error": "CreationFailed"}
    assert chart.ask("addIntentListenerRequest", intent="A") == {"error": "IntentDeliveryFailed"}
    listen(news)
    assert news.ask("addEventListenerRequest", type=None) == {"error": "CreationFailed"}
    long = "x" * 501
    assert news.ask("addContextListenerRequest", channelId=None, contextType=long) == {"error": "CreationFailed"}


def test_the_oldest_contexts_are_removed_when_too_many_or_too_large_ones_are_stored() -> None:
    platform = Platform(limits=Limits(contexts=2, context_bytes=200))
    chart = platform.start("chart")

    def stored() -> list[bool]:
        answers = [chart.ask("getCurrentContextRequest", channelId="red", contextType=type_) for type_ in "abc"]
        return [answer["context"] is not None for answer in answers]

    for type_ in "abc":
        chart.ask("broadcastRequest", channelId="red", context={"type": type_})
    assert stored() == [False, True, True]

    chart.ask("broadcastRequest", channelId="red", context={"type": "b", "text": "x" * 150})
    assert stored() == [False, True, True]
    chart.ask("broadcastRequest", channelId="red", context={"type": "a", "text": "x" * 150})
    assert stored() == [True, False, False]
