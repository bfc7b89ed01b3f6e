"""What is a message and what is not."""

import json

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rostrum.gateway.wire import NotJson, Opened, address, header
from tests.gateway.fuzz_wire import TestOneInput
from tests.long_form import cycles


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"nonsense",
        b"[]",
        b"7",
        b"null",
        b'"text"',
        b"{",
        b'{"type":}',
        b'{"type":"ping"} {}',
        b'{"type":"ping",}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":01}',
        b'{"a":"\x01"}',
        b'{"type":1e400}',
        b"\xef\xbb\xbf{}",
        b'{"a":"\xff\xfe"}',
        b'{"a":"\xed\xa0\x80"}',
        b'{"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    ],
    ids=lambda text: repr(text[:30]),
)
def test_what_is_no_json_object_in_utf_8_is_refused_in_words(text: bytes) -> None:
    with pytest.raises(NotJson) as caught:
        header(text)

    assert str(caught.value)


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (r"\ud800", "\ufffd"),
        (r"\udc00", "\ufffd"),
        (r"\ud83d\ude00", "😀"),
        (r"\ud83d\ud83d\ude00", "\ufffd😀"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
        (r"\\ud800\ud800", "\\ud800\ufffd"),
        (r"\"\uD83D", '"\ufffd'),
    ],
)
def test_half_a_character_becomes_the_unknown_one_and_complete_ones_stay(sent: str, read: str) -> None:
    found, payload = header(f'{{"request_id":"{sent}","x":"{sent}"}}'.encode())

    assert found.request_id == read
    assert json.loads(payload)["x"] == read


def test_deep_but_bounded_nesting_is_passed_on() -> None:
    text = b'{"type":"x","a":' + b"[" * 500 + b"]" * 500 + b"}"

    assert header(text)[0].type == "x"


def test_what_only_one_receiver_has_comes_first() -> None:
    assert address(peer_id="p-1", subscription_id='"') == b'{"peer_id":"p-1","subscription_id":"\\"",'


@settings(max_examples=cycles(80))
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@example(b'{"domain":"agm","type":"call","peer_id":"P","server_id":[]}')
def test_any_bytes_are_read_or_refused(payload: bytes) -> None:
    TestOneInput(payload)


@pytest.mark.parametrize("member", ["domain", "type", "request_id", "peer_id"])
@pytest.mark.parametrize("value", [b"[1e308]", b'{"a":[1e308]}', b"1.5", b"true", b"null", b"12", b'"text"'])
def test_short_values_of_the_header_are_decoded_whatever_their_type(member: str, value: bytes) -> None:
    found, _ = header(b'{"%s":%s,"data":{}}' % (member.encode(), value))

    assert getattr(found, member) == json.loads(value)


@pytest.mark.parametrize("member", ["domain", "type", "request_id", "peer_id"])
def test_long_values_of_a_wrong_type_are_not_decoded(member: str) -> None:
    """A list of such numbers takes a thousand times as long as a text."""
    numbers = b"[%s]" % b",".join([b"1e308"] * 1000)

    found, _ = header(b'{"%s":%s,"data":{}}' % (member.encode(), numbers))

    assert isinstance(getattr(found, member), msgspec.Raw)


@pytest.mark.parametrize("name", ["request_id", "type", "topic", "server_id", "name"])
def test_long_texts_of_a_large_message_are_refused_before_they_are_decoded(name: str) -> None:
    with pytest.raises(NotJson, match=f"{name} is longer"):
        Opened(b'{"type":"publish","%s":"%s"}' % (name.encode(), b"x" * 100_000)).header()


@pytest.mark.parametrize("name", ["data", "delta", "arguments_kv", "unknown"])
def test_payloads_of_a_large_message_may_be_long(name: str) -> None:
    header, _ = Opened(b'{"type":"publish","domain":"bus","%s":"%s"}' % (name.encode(), b"x" * 100_000)).header()

    assert (header.type, header.domain) == ("publish", "bus")
