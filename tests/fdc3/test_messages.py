"""Hostile and malformed messages: refused with an error of the standard, without effect on anybody else."""

import json
from copy import deepcopy
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

from rostrum.fdc3 import Directory, Limits
from rostrum.fdc3.host import Chosen, HostReply, OpenApp
from rostrum.fdc3.messages import REQUESTS
from tests.fdc3 import schemas
from tests.fdc3.platform import CONTACT, INSTRUMENT, App, Platform, request

APP = {"appId": "chart", "instanceId": "x"}
EXAMPLES: dict[str, dict[str, Any]] = {
    "addContextListener": {"channelId": "red", "contextType": "fdc3.contact"},
    "addEventListener": {"type": "USER_CHANNEL_CHANGED"},
    "addIntentListener": {"intent": "ViewChart"},
    "broadcast": {"channelId": "red", "context": INSTRUMENT},
    "contextListenerUnsubscribe": {"listenerUUID": "x"},
    "createPrivateChannel": {},
    "eventListenerUnsubscribe": {"listenerUUID": "x"},
    "findInstances": {"app": APP},
    "findIntent": {"intent": "ViewChart", "context": INSTRUMENT, "resultType": "channel"},
    "findIntentsByContext": {"context": CONTACT, "resultType": "channel"},
    "getAppMetadata": {"app": APP},
    "getCurrentChannel": {},
    "getCurrentContext": {"channelId": "red", "contextType": None},
    "getInfo": {},
    "getOrCreateChannel": {"channelId": "orders"},
    "getUserChannels": {},
    "heartbeatAcknowledgement": {"heartbeatEventUuid": "x"},
    "intentListenerUnsubscribe": {"listenerUUID": "x"},
    "intentResult": {"intentEventUuid": "x", "raiseIntentRequestUuid": "x", "intentResult": {"context": CONTACT}},
    "joinUserChannel": {"channelId": "red"},
    "leaveCurrentChannel": {},
    "open": {"app": APP, "context": CONTACT},
    "privateChannelAddEventListener": {"privateChannelId": "x", "listenerType": None},
    "privateChannelDisconnect": {"channelId": "x"},
    "privateChannelUnsubscribeEventListener": {"listenerUUID": "x"},
    "raiseIntent": {"intent": "ViewChart", "context": INSTRUMENT, "app": APP},
    "raiseIntentForContext": {"context": CONTACT, "app": APP},
}
NO_RESPONSE = "heartbeatAcknowledgement"
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def platform() -> Platform:
    return Platform()


@pytest.fixture
def chart(platform: Platform) -> App:
    return platform.start("chart")


def test_every_request_of_the_standard_is_served() -> None:
    assert {f"{name}Request" for name in REQUESTS} == schemas.types("Request")
    assert set(EXAMPLES) == set(REQUESTS)


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - {NO_RESPONSE}))
def test_every_request_gets_one_response_that_complies(chart: App, name: str) -> None:
    chart.post(f"{name}Request", **EXAMPLES[name])

    responses = [one for one in chart.take() if "requestUuid" in one["meta"]]
    if name in ("open", "raiseIntent", "raiseIntentForContext"):
        assert len(responses) <= 1  # may wait for an app
    else:
        assert [one["type"] for one in responses] == [f"{name}Response"]


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - {NO_RESPONSE}))
def test_every_member_of_every_request_is_checked(chart: App, name: str) -> None:
    """A payload that lacks a required member, or has one of a wrong type, is refused with an error that complies."""
    payload = EXAMPLES[name]
    wrong: list[Any] = [None, [], "text", 1, True]
    values: list[Any] = [1, [], True]
    for member in payload:
        wrong.extend({**payload, member: value} for value in values)
        wrong.append({other: value for other, value in payload.items() if other != member})
    for count, one in enumerate(wrong):
        message = request(f"{name}Request", f"r{count}", one)
        if schemas.is_valid(message):
            continue  # the member is optional
        came = chart.send_text(json.dumps(message).encode())
        [answer] = [found for found in came if found["meta"].get("requestUuid") == f"r{count}"]
        assert answer["payload"].get("error"), (message, answer)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'"text"',
        b"\xff\xfe",
        b'{"type": "getInfoRequest"}',
        b'{"type": 1, "meta": {}, "payload": {}}',
        b'{"type": "getInfo", "meta": {"requestUuid": "x", "timestamp": "2026-11-16T10:00:00Z"}, "payload": {}}',
        b'{"type": "getInfoResponse", "meta": {"requestUuid": "x", "timestamp": "2026-11-16T10:00:00Z"}}',
        b'{"type": "getInfoRequest", "meta": {"requestUuid": "x"}, "payload": {}}',
        b'{"type": "getInfoRequest", "meta": {"requestUuid": "x", "timestamp": "now"}, "payload": {}}',
        b'{"type": "getInfoRequest", "meta": {"requestUuid": "", "timestamp": "2026-11-16T10:00:00Z"}, "payload": {}}',
        b'{"type": "getInfoRequest", "meta": {"requestUuid": 1, "timestamp": "2026-11-16T10:00:00Z"}, "payload": {}}',
        b'{"type": "WCP4ValidateAppIdentity", "meta": {}, "payload": {}}',
        b'{"type": "WCP5ValidateAppIdentityResponse", "meta": {}, "payload": {}}',
        json.dumps(request("heartbeatAcknowledgementRequest", "x", {})).encode(),
        b'{"a": ' * 5000,
        b"[" * 100_000,
    ],
)
def test_messages_that_cannot_be_answered_are_ignored_with_a_reason(
    platform: Platform, chart: App, text: bytes
) -> None:
    assert chart.send_text(text) == []
    [refusal] = platform.refusals
    assert refusal.error == ""
    assert refusal.text
    assert chart.ask("getInfoRequest")["implementationMetadata"]


def test_messages_of_unknown_connections_have_no_effect(platform: Platform) -> None:
    assert platform.agent.receive("nobody", b"{}", platform.now) == []


def test_a_malformed_introduction_is_answered(platform: Platform) -> None:
    app = platform.connect("chart")
    meta = {"connectionAttemptUuid": "x", "timestamp": "2026-11-16T10:00:00.000Z"}
    message = {"type": "WCP4ValidateAppIdentity", "meta": meta, "payload": {"identityUrl": 1}}
    [answer] = app.send_text(json.dumps(message).encode())

    assert answer["type"] == "WCP5ValidateAppIdentityFailedResponse"


def test_messages_that_are_too_large_are_refused() -> None:
    platform = Platform(limits=Limits(message_bytes=500))
    chart, news = platform.start("chart"), platform.start("news")
    news.ask("addContextListenerRequest", channelId="red", contextType=None)
    large = {**CONTACT, "text": "x" * 500}

    assert chart.ask("broadcastRequest", channelId="red", context=large) == {"error": "MalformedMessage"}
    assert chart.ask("getOrCreateChannelRequest", channelId="x" * 500) == {"error": "CreationFailed"}
    assert news.take() == []
    assert chart.send_text(json.dumps({"type": "other", "text": "x" * 500}).encode()) == []
    long = json.dumps(request("getInfoRequest", "x" * 501, {})).encode()
    assert chart.send_text(long) == []


def test_names_that_are_too_long_are_refused(chart: App) -> None:
    assert chart.ask("getOrCreateChannelRequest", channelId="x" * 501) == {"error": "CreationFailed"}
    assert chart.send_text(json.dumps(request("getInfoRequest", "x" * 501, {})).encode()) == []


def test_contexts_are_passed_on_as_they_came(platform: Platform, chart: App) -> None:
    """Also numbers that no float can hold, and members that occur twice."""
    news = platform.start("news")
    news.ask("addContextListenerRequest", channelId="red", contextType=None)
    text = b'{"type":"fdc3.contact","big":123456789012345678901234567890,"twice":1,"twice":2}'
    head = json.dumps(request("broadcastRequest", "r", {"channelId": "red", "context": None}))
    outputs = platform.agent.receive(chart.connection, head.replace("null", text.decode()).encode(), platform.now)

    assert any(text in output.payload for output in outputs if hasattr(output, "payload"))
    platform.do(outputs)
    assert len(news.take("broadcastEvent")) == 1


def test_half_characters_of_javascript_are_replaced(platform: Platform, chart: App) -> None:
    news = platform.start("news")
    news.ask("addContextListenerRequest", channelId="red", contextType=None)
    chart.ask("broadcastRequest", channelId="red", context={**CONTACT, "text": "a\ud83d \ud83d\ude00"})

    assert [event["context"]["text"] for event in news.payloads("broadcastEvent")] == ["a\ufffd \U0001f600"]


def test_the_source_that_an_app_claims_is_not_trusted(platform: Platform, chart: App) -> None:
    news = platform.start("news")
    news.ask("addContextListenerRequest", channelId="red", contextType=None)
    message = request("broadcastRequest", "r", {"channelId": "red", "context": CONTACT})
    message["meta"]["source"] = news.identifier
    chart.send(message)

    assert [event["originatingApp"] for event in news.payloads("broadcastEvent")] == [chart.identifier]


@pytest.mark.long
@given(data=st.data())
def test_fuzzed_requests_never_stop_the_agent_and_reach_other_apps_only_if_valid(data: st.DataObject) -> None:
    platform = Platform()
    chart, news = platform.start("chart"), platform.start("news")
    name = data.draw(st.sampled_from(sorted(EXAMPLES)))
    message: Any = request(f"{name}Request", "r", deepcopy(EXAMPLES[name]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.sampled_from(["type", "meta", "payload", "in meta", "in payload", "in context"]))
        value = data.draw(anything)
        key = data.draw(st.sampled_from(["type", "name", "id", "channelId", "app", "context", "requestUuid", "intent"]))
        part = message
        if at == "in context":
            part = message["payload"].get("context") if isinstance(message["payload"], dict) else None
        elif at.startswith("in "):
            part = message[at[3:]]
        if isinstance(part, dict):
            part = part if at.startswith("in ") else message
            part[key if at.startswith("in ") else at] = value
    text = json.dumps(message).encode()
    chart.send_text(text)

    if news.take():
        assert schemas.is_valid(message)
    assert news.ask("getInfoRequest")["implementationMetadata"]
    assert len(platform.agent.instances) == 2


@given(st.binary(max_size=60))
def test_fuzzed_bytes_are_ignored(text: bytes) -> None:
    platform = Platform()
    chart = platform.start("chart")
    assert chart.send_text(text) == []


@pytest.mark.long
@given(st.lists(anything, max_size=4), st.dictionaries(st.text(max_size=8), anything, max_size=4))
def test_directory_records_of_any_shape_are_read(values: list[Any], members: dict[str, Any]) -> None:
    records = [{"appId": "x", "details": one, "icons": one, "interop": one, "title": one} for one in values]
    nested = [{"appId": "y", "interop": {"intents": {"listensFor": {"A": members, "B": one}}}} for one in values]
    directory = Directory([*records, *nested, {"appId": 1}, members])

    assert directory.get("nothing") is None


def test_the_messages_to_and_from_the_platform_can_be_sent_as_json() -> None:
    asked = OpenApp(request="r", app_id="chart", instance_id="i", source="s")
    text = msgspec.json.encode(asked)
    assert json.loads(text) == {"kind": "OpenApp", "request": "r", "appId": "chart", "instanceId": "i", "source": "s"}
    answer = b'{"kind": "Chosen", "request": "r", "intent": "ViewChart", "appId": "chart"}'
    assert msgspec.json.decode(answer, type=HostReply) == Chosen(request="r", intent="ViewChart", app_id="chart")
