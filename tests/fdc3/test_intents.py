"""Finding and raising intents, and their results."""

import json
from typing import Any

import pytest

from rostrum.fdc3 import Limits
from rostrum.fdc3.host import ChoiceCancelled, ChoiceUnavailable, Choose, Chosen, Opened, OpenFailed
from tests.fdc3.platform import CONTACT, INSTRUMENT, App, Platform


@pytest.fixture
def platform() -> Platform:
    return Platform()


@pytest.fixture
def grid(platform: Platform) -> App:
    """The app that raises intents."""
    return platform.start("grid")


def handler(platform: Platform, app_id: str, intent: str) -> App:
    app = platform.start(app_id)
    assert app.ask("addIntentListenerRequest", intent=intent)["listenerUUID"]
    return app


def ids(app_intent: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(one["appId"], one.get("instanceId")) for one in app_intent["apps"]]


def send_result(app: App, result: dict[str, Any]) -> dict[str, Any]:
    [event] = app.take("intentEvent")
    return app.ask(
        "intentResultRequest",
        intentEventUuid=event["meta"]["eventUuid"],
        raiseIntentRequestUuid=event["payload"]["raiseIntentRequestUuid"],
        intentResult=result,
    )


def test_apps_and_their_running_instances_are_found_for_an_intent(platform: Platform, grid: App) -> None:
    chart = handler(platform, "chart", "ViewChart")
    platform.start("chart")

    found = grid.ask("findIntentRequest", intent="ViewChart")["appIntent"]

    assert found["intent"] == {"name": "ViewChart", "displayName": "View chart"}
    assert ids(found) == [("chart", None), ("chart", chart.instance_id)]
    assert found["apps"][0] == {"appId": "chart", "title": "Chart", "resultType": "channel"}


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({"intent": "ViewNews"}, ["news"]),
        ({"intent": "ViewNews", "context": INSTRUMENT, "resultType": "fdc3.news"}, ["news"]),
        ({"intent": "StartChat"}, ["chat", "phone"]),
        ({"intent": "StartChat", "resultType": "channel"}, ["chat"]),
        ({"intent": "StartChat", "resultType": "channel<fdc3.message>"}, ["chat"]),
        ({"intent": "ViewNews", "context": {"type": "fdc3.order"}}, None),
        ({"intent": "ViewNews", "resultType": "fdc3.order"}, None),
        ({"intent": "StartChat", "resultType": "channel<fdc3.order>"}, None),
        ({"intent": "Nothing"}, None),
    ],
)
def test_intents_are_found_by_context_and_type_of_result(
    grid: App, payload: dict[str, Any], expected: list[str] | None
) -> None:
    answer = grid.ask("findIntentRequest", **payload)

    if expected is None:
        assert answer == {"error": "NoAppsFound"}
    else:
        assert [app_id for app_id, _ in ids(answer["appIntent"])] == expected


def test_intents_are_found_for_a_context(grid: App) -> None:
    found = grid.ask("findIntentsByContextRequest", context=CONTACT)["appIntents"]

    assert {one["intent"]["name"]: [app for app, _ in ids(one)] for one in found} == {
        "ViewNews": ["news"],
        "StartMail": ["mail"],
        "StartChat": ["chat", "phone"],
        "StartCall": ["phone"],
    }
    filtered = grid.ask("findIntentsByContextRequest", context=CONTACT, resultType="channel")["appIntents"]
    assert [one["intent"]["name"] for one in filtered] == ["StartChat"]
    nothing = grid.ask("findIntentsByContextRequest", context={"type": "fdc3.order"})
    assert nothing == {"error": "NoAppsFound"}


def test_malformed_contexts_of_intents_are_refused(grid: App) -> None:
    wrong = {"type": ""}
    error = {"error": "MalformedContext"}
    assert grid.ask("findIntentRequest", intent="ViewNews", context=wrong) == error
    assert grid.ask("findIntentsByContextRequest", context=wrong) == error
    assert grid.ask("raiseIntentRequest", intent="ViewNews", context=wrong) == error
    assert grid.ask("raiseIntentForContextRequest", context=wrong) == error


def test_an_intent_goes_to_the_only_running_instance(platform: Platform, grid: App) -> None:
    chart = handler(platform, "chart", "ViewChart")

    answer = grid.ask("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)

    assert answer == {"intentResolution": {"source": chart.identifier, "intent": "ViewChart"}}
    [event] = chart.payloads("intentEvent")
    assert event.pop("raiseIntentRequestUuid")
    assert event == {"intent": "ViewChart", "context": INSTRUMENT, "originatingApp": grid.identifier}
    assert (platform.opened, platform.choices) == ([], [])


def test_an_app_is_opened_for_an_intent_and_gets_it_when_it_listens(platform: Platform, grid: App) -> None:
    uuid = grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT, app={"appId": "chart"})
    [asked] = platform.opened
    assert (asked.app_id, asked.source) == ("chart", grid.instance_id)
    platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
    chart = platform.start("chart", instance_id=asked.instance_id)
    chart.ask("addIntentListenerRequest", intent="Other")
    assert grid.take() == []

    chart.ask("addIntentListenerRequest", intent="ViewChart")

    assert len(chart.take("intentEvent")) == 1
    resolution = grid.response(uuid, "raiseIntentResponse")["intentResolution"]
    assert resolution == {"source": chart.identifier, "intent": "ViewChart"}
    assert chart.instance_id == asked.instance_id


@pytest.mark.parametrize("how", ["no listener", "not opened", "ends"])
def test_an_intent_that_cannot_be_delivered_fails(platform: Platform, grid: App, how: str) -> None:
    uuid = grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)
    [asked] = platform.opened
    if how == "not opened":
        platform.answer(OpenFailed(request=asked.request))
    else:
        platform.answer(Opened(request=asked.request, instance_id=asked.instance_id))
        chart = platform.start("chart", instance_id=asked.instance_id)
        if how == "ends":
            platform.end(chart)
        else:
            platform.wait(29)
            assert grid.take("raiseIntentResponse") == []
            platform.wait(1)

    assert grid.response(uuid, "raiseIntentResponse") == {"error": "IntentDeliveryFailed"}


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ({"appId": "nowhere"}, "TargetAppUnavailable"),
        ({"appId": "mail"}, "NoAppsFound"),
        ({"appId": "chart", "instanceId": "nobody"}, "TargetInstanceUnavailable"),
        ({"appId": "chart", "desktopAgent": "other"}, "DesktopAgentNotFound"),
    ],
)
def test_targets_that_cannot_handle_an_intent_are_refused(grid: App, target: dict[str, str], error: str) -> None:
    request: dict[str, Any] = {"intent": "ViewChart", "context": INSTRUMENT, "app": target}
    assert grid.ask("raiseIntentRequest", **request) == {"error": error}
    assert grid.ask("raiseIntentForContextRequest", context=INSTRUMENT, app=target) == {"error": error}


def test_intents_without_an_app_are_refused(grid: App) -> None:
    assert grid.ask("raiseIntentRequest", intent="Nothing", context=CONTACT) == {"error": "NoAppsFound"}
    wrong = {"type": "fdc3.order"}
    assert grid.ask("raiseIntentRequest", intent="ViewChart", context=wrong) == {"error": "NoAppsFound"}
    assert grid.ask("raiseIntentForContextRequest", context=wrong) == {"error": "NoAppsFound"}


def test_a_named_instance_gets_the_intent_once_it_listens(platform: Platform, grid: App) -> None:
    handler(platform, "chart", "ViewChart")
    second = platform.start("chart")
    wrong = {"intent": "StartMail", "context": CONTACT, "app": second.identifier}
    assert grid.ask("raiseIntentRequest", **wrong) == {"error": "NoAppsFound"}
    mixed = {"appId": "news", "instanceId": second.instance_id}
    refused = grid.ask("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT, app=mixed)
    assert refused == {"error": "TargetInstanceUnavailable"}

    uuid = grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT, app=second.identifier)
    second.ask("addIntentListenerRequest", intent="ViewChart")

    assert grid.response(uuid, "raiseIntentResponse")["intentResolution"]["source"] == second.identifier
    assert len(second.take("intentEvent")) == 1
    assert platform.opened == []


def test_apps_handle_intents_that_their_record_does_not_declare(platform: Platform, grid: App) -> None:
    mail = handler(platform, "mail", "Special")
    found = grid.ask("findIntentRequest", intent="Special")["appIntent"]
    assert found["intent"] == {"name": "Special", "displayName": "Special"}
    assert ids(found) == [("mail", mail.instance_id)]

    assert "intentResolution" in grid.ask("raiseIntentRequest", intent="Special", context=CONTACT)


def choices(platform: Platform) -> tuple[Choose, dict[str, list[tuple[str, str | None]]]]:
    asked = platform.choices[-1]
    return asked, {one["intent"]["name"]: ids(one) for one in json.loads(bytes(asked.app_intents))}


def test_the_user_chooses_among_several_apps_and_instances(platform: Platform, grid: App) -> None:
    chat = handler(platform, "chat", "StartChat")
    uuid = grid.post("raiseIntentRequest", intent="StartChat", context=CONTACT)
    asked, found = choices(platform)
    assert found == {"StartChat": [("chat", None), ("phone", None), ("chat", chat.instance_id)]}
    assert json.loads(bytes(asked.context)) == CONTACT
    assert asked.source == grid.instance_id

    chosen = Chosen(request=asked.request, intent="StartChat", app_id="chat", instance_id=chat.instance_id)
    platform.answer(chosen)
    platform.answer(chosen)

    assert grid.response(uuid, "raiseIntentResponse")["intentResolution"]["source"] == chat.identifier
    assert len(chat.take("intentEvent")) == 1


def test_the_user_chooses_the_intent_for_a_context(platform: Platform, grid: App) -> None:
    uuid = grid.post("raiseIntentForContextRequest", context=CONTACT, app={"appId": "phone"})
    asked, found = choices(platform)
    assert found == {"StartChat": [("phone", None)], "StartCall": [("phone", None)]}

    platform.answer(Chosen(request=asked.request, intent="StartCall", app_id="phone"))
    [opened] = platform.opened
    platform.answer(Opened(request=opened.request, instance_id=opened.instance_id))
    phone = platform.start("phone", instance_id=opened.instance_id)
    phone.ask("addIntentListenerRequest", intent="StartCall")

    resolution = grid.response(uuid, "raiseIntentForContextResponse")["intentResolution"]
    assert resolution == {"source": phone.identifier, "intent": "StartCall"}


def test_the_only_intent_of_a_context_is_raised_without_a_question(platform: Platform, grid: App) -> None:
    mail = handler(platform, "mail", "StartMail")
    answer = grid.ask("raiseIntentForContextRequest", context=CONTACT, app=mail.identifier)
    assert answer == {"intentResolution": {"source": mail.identifier, "intent": "StartMail"}}


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("cancelled", "UserCancelledResolution"),
        ("unavailable", "ResolverUnavailable"),
        ("late", "ResolverTimeout"),
        ("other app", "TargetAppUnavailable"),
        ("other intent", "TargetAppUnavailable"),
        ("instance ended", "TargetInstanceUnavailable"),
    ],
)
def test_a_choice_that_is_not_made_fails(platform: Platform, grid: App, how: str, error: str) -> None:
    chat = handler(platform, "chat", "StartChat")
    uuid = grid.post("raiseIntentRequest", intent="StartChat", context=CONTACT)
    request = platform.choices[0].request
    if how == "cancelled":
        platform.answer(ChoiceCancelled(request=request))
    elif how == "unavailable":
        platform.answer(ChoiceUnavailable(request=request))
    elif how == "late":
        platform.wait(60)
    elif how == "other app":
        platform.answer(Chosen(request=request, intent="StartChat", app_id="mail"))
    elif how == "other intent":
        platform.answer(Chosen(request=request, intent="StartCall", app_id="phone"))
    else:
        platform.end(chat)
        chosen = Chosen(request=request, intent="StartChat", app_id="chat", instance_id=chat.instance_id)
        platform.answer(chosen)

    assert grid.response(uuid, "raiseIntentResponse") == {"error": error}
    # The platform closes a resolver that nobody waits for any more.
    assert platform.withdrawn == ([request] if how == "late" else [])
    platform.answer(Chosen(request=request, intent="StartChat", app_id="phone"))
    assert platform.opened == []


@pytest.mark.parametrize(
    "result", [{}, {"context": {"type": "fdc3.news", "items": [1.5]}}, {"channel": {"id": "red", "type": "user"}}]
)
def test_the_result_of_an_intent_reaches_the_instance_that_raised_it(
    platform: Platform, grid: App, result: dict[str, Any]
) -> None:
    chart = handler(platform, "chart", "ViewChart")
    uuid = grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)
    grid.response(uuid, "raiseIntentResponse")

    assert send_result(chart, result) == {}

    answer = grid.response(uuid, "raiseIntentResultResponse")["intentResult"]
    if "channel" in result:
        # Described by the agent, not by the app.
        assert answer["channel"].pop("displayMetadata") == {"name": "Red", "color": "#ff0000"}
    assert answer == result


@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({"context": {"type": ""}}, "MalformedContext"),
        ({"channel": {"id": "nowhere", "type": "app"}}, "NoChannelFound"),
        ({"channel": {"id": "red", "type": "private"}}, "NoChannelFound"),
    ],
)
def test_a_missing_result_is_reported_to_both_sides(
    platform: Platform, grid: App, result: dict[str, Any], error: str
) -> None:
    chart = handler(platform, "chart", "ViewChart")
    uuid = grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)

    assert send_result(chart, result) == {"error": error}
    assert grid.response(uuid, "raiseIntentResultResponse") == {"error": "NoResultReturned"}


def test_private_channels_of_others_cannot_be_given_away(platform: Platform, grid: App) -> None:
    news = platform.start("news")
    private = news.ask("createPrivateChannelRequest")["privateChannel"]
    chart = handler(platform, "chart", "ViewChart")
    grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)

    assert send_result(chart, {"channel": private}) == {"error": "AccessDenied"}
    denied = grid.ask("getCurrentContextRequest", channelId=private["id"], contextType=None)
    assert denied == {"error": "AccessDenied"}


def test_only_the_handler_of_an_intent_reports_its_result_and_only_once(platform: Platform, grid: App) -> None:
    chart, news = handler(platform, "chart", "ViewChart"), platform.start("news")
    uuid = grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)
    [event] = chart.take("intentEvent")
    request = {
        "intentEventUuid": event["meta"]["eventUuid"],
        "raiseIntentRequestUuid": uuid,
        "intentResult": {},
    }
    other = {**request, "raiseIntentRequestUuid": "other"}

    assert news.ask("intentResultRequest", **request) == {"error": "MalformedMessage"}
    assert chart.ask("intentResultRequest", **other) == {"error": "MalformedMessage"}
    assert chart.ask("intentResultRequest", **request) == {}
    assert chart.ask("intentResultRequest", **request) == {"error": "MalformedMessage"}
    assert grid.response(uuid, "raiseIntentResultResponse") == {"intentResult": {}}


def test_a_handler_that_ends_returns_no_result(platform: Platform, grid: App) -> None:
    chart = handler(platform, "chart", "ViewChart")
    uuid = grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)
    platform.end(chart)

    assert grid.response(uuid, "raiseIntentResultResponse") == {"error": "NoResultReturned"}


def test_a_result_for_an_instance_that_ended_is_accepted_once_it_is_known(platform: Platform, grid: App) -> None:
    chart = handler(platform, "chart", "ViewChart")
    grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)
    platform.end(grid)

    assert send_result(chart, {}) == {"error": "MalformedMessage"}


def test_a_handler_that_removes_its_listener_gets_no_intents(platform: Platform, grid: App) -> None:
    chart = platform.start("chart")
    uuid = chart.ask("addIntentListenerRequest", intent="ViewChart")["listenerUUID"]
    assert chart.ask("intentListenerUnsubscribeRequest", listenerUUID=uuid) == {}

    grid.post("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)

    assert chart.take() == []
    assert len(platform.opened) == 1
    for name in ("", "x" * 501):
        assert chart.ask("addIntentListenerRequest", intent=name) == {"error": "IntentDeliveryFailed"}


def test_the_number_of_intents_that_wait_is_limited() -> None:
    platform = Platform(limits=Limits(results=1, pending=1, pending_bytes=100))
    grid, chart = platform.start("grid"), handler(platform, "chart", "ViewChart")
    assert "intentResolution" in grid.ask("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT)
    failed = {"error": "IntentDeliveryFailed"}
    assert grid.ask("raiseIntentRequest", intent="ViewChart", context=INSTRUMENT) == failed
    assert len(chart.take("intentEvent")) == 1

    large = {**CONTACT, "text": "x" * 100}
    assert grid.ask("raiseIntentRequest", intent="StartMail", context=large) == failed
    grid.post("raiseIntentRequest", intent="StartMail", context=CONTACT)
    assert grid.ask("raiseIntentRequest", intent="StartMail", context=CONTACT) == failed
    assert len(platform.opened) == 1


def test_the_platform_is_notified_of_the_intents_of_each_instance() -> None:
    platform = Platform()
    chart = platform.start("chart")
    first = chart.ask("addIntentListenerRequest", intent="ViewChart")["listenerUUID"]
    chart.ask("addIntentListenerRequest", intent="ViewNews")
    assert platform.handled == {chart.instance_id: ("ViewChart", "ViewNews")}

    chart.ask("intentListenerUnsubscribeRequest", listenerUUID=first)
    assert platform.handled == {chart.instance_id: ("ViewNews",)}
    chart.goodbye()

    assert platform.handled == {chart.instance_id: ()}
