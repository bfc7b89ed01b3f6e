"""The frames between the platform and the window process, whatever arrives."""

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.desktop.hosts import link as link_module
from rostrum.desktop.hosts.actions import ACTIONS, Navigate, SetState, WindowAction
from rostrum.desktop.hosts.link import MAX_FRAME, CallFailed, Link, LinkBroken, Reply
from rostrum.desktop.hosts.port import Opened, WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import QUESTIONS, REPORTS, Moved
from rostrum.desktop.hosts.wire import decode, encode, operations
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.requests import PageRequests, page_requests


def pair(serve: Any) -> tuple[Link, Link]:
    """Connect two ends directly."""
    ours = Link(lambda _: None, lambda op, args, reply: reply.error("nothing is served here"))
    theirs = Link(ours.feed, serve)
    ours.write = theirs.feed
    return ours, theirs


def collect() -> tuple[list[tuple[bytes | None, Exception | None]], Any]:
    answers: list[tuple[bytes | None, Exception | None]] = []
    return answers, lambda result, error: answers.append((result, error))


def test_a_call_is_answered_with_its_result_or_its_error() -> None:
    def serve(op: str, args: bytes, reply: Reply) -> None:
        reply.result(args) if op == "echo" else reply.error(f"{op} is not known")
        reply.result(b'"a second answer is not sent"')

    ours, theirs = pair(serve)
    answers, answered = collect()
    ours.call("echo", b'{"a":[1,2]}', answered)
    ours.call("other", b"[]", answered)
    ours.post("other", b"[]")
    theirs.call("back", b"[]", answered)
    assert answers[0] == (b'{"a":[1,2]}', None)
    assert [str(error) for _, error in answers[1:]] == ["other is not known", "nothing is served here"]
    assert ours.pending == 0


@given(st.binary(max_size=40), st.integers(min_value=1, max_value=7))
def test_frames_arrive_complete_however_the_bytes_are_cut(payload: bytes, size: int) -> None:
    written = bytearray()
    served: list[bytes] = []
    sender = Link(written.extend, lambda op, args, reply: None)
    sender.post("op", encode(payload.hex()))
    sender.post("op", encode("last"))
    receiver = Link(lambda data: None, lambda op, args, reply: served.append(args))
    for start in range(0, len(written), size):
        receiver.feed(bytes(written[start : start + size]))
    assert served == [encode(payload.hex()), b'"last"']


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (struct.pack(">I", MAX_FRAME + 1), "a frame of 67108865 bytes arrived"),
        (struct.pack(">I", 2) + b"{]", "cannot be read"),
        (struct.pack(">I", 9) + b'{"op": 5}', "cannot be read"),
        (struct.pack(">I", 0), "cannot be read"),
    ],
)
def test_what_is_not_a_frame_breaks_the_connection(data: bytes, message: str) -> None:
    with pytest.raises(LinkBroken, match=message):
        Link(lambda _: None, lambda *_: None).feed(data)


def test_a_message_that_is_too_large_is_refused_before_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "MAX_FRAME", 100)
    ours, _ = pair(lambda op, args, reply: reply.result(b'"' + b"x" * 200 + b'"'))
    answers, answered = collect()
    ours.call("op", b'"' + b"x" * 200 + b'"', answered)
    ours.call("op", b"[]", answered)
    assert ["the message has" in str(error) for _, error in answers] == [True, True]
    assert ours.pending == 0


def test_the_number_of_calls_that_wait_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "MAX_PENDING", 2)
    ours = Link(lambda _: None, lambda *_: None)
    answers, answered = collect()
    for _ in range(3):
        ours.call("op", b"[]", answered)
    assert [type(error) for _, error in answers] == [CallFailed]


def test_the_end_of_the_connection_fails_every_call_once() -> None:
    ours = Link(lambda _: None, lambda *_: None)
    answers, answered = collect()
    ours.call("op", b"[]", answered)
    ours.end("it is gone")
    ours.end("again")
    ours.call("op", b"[]", answered)
    ours.post("op", b"[]")
    assert [str(error) for _, error in answers] == ["it is gone", "it is gone"]


def test_answers_to_unknown_calls_are_ignored() -> None:
    ours = Link(lambda _: None, lambda *_: None)
    body = b'{"n":77,"result":1}'
    ours.feed(struct.pack(">I", len(body)) + body)
    assert ours.pending == 0


def test_arguments_keep_their_types_on_the_way() -> None:
    every = operations(WindowHost)
    request = WindowRequest(
        instance="i", kind="window", title="T", details={"url": "https://x"}, bounds=Bounds(1, 2, 3, 4)
    )
    rules = page_requests("^https://x/", {"X-Frame-Options": {"remove": True}})[0]
    assert every["open_window"].decode(every["open_window"].encode(request)) == [request]
    (received,) = every["set_requests"].decode(every["set_requests"].encode(rules))
    assert isinstance(received, PageRequests)
    assert received.passes("https://x/1")
    assert not received.passes("https://y/1")
    assert received.headers == rules.headers
    for action in (SetState(state="maximized"), Navigate(url="https://x", options={"a": 1})):
        assert every["act"].decode(every["act"].encode("i", action)) == ["i", action]
    assert every["ask"].decode(every["ask"].encode("?", ("a", "b"))) == ["?", ("a", "b"), None]
    opened = Opened(bounds=Bounds(1, 2, 3, 4), state="maximized")
    assert every["open_window"].decode_result(every["open_window"].encode_result(opened)) == opened


@pytest.mark.parametrize("data", [b"[]", b'["i"]', b'["i", ["NoAction", {}]]', b'["i", {"state": "normal"}]', b"5"])
def test_arguments_of_another_form_are_refused(data: bytes) -> None:
    import msgspec

    with pytest.raises(msgspec.MsgspecError):
        operations(WindowHost)["act"].decode(data)


def test_every_report_question_and_action_can_travel() -> None:
    moved = Moved(instance="i", bounds=Bounds(1, 2, 3, 4))
    assert decode(encode(moved), REPORTS["Moved"]) == moved
    for kind in (*REPORTS.values(), *QUESTIONS.values(), *ACTIONS.values()):
        # A type that the wire does not know fails here, and not when a person clicks somewhere.
        with pytest.raises(Exception, match=r"xpected|missing"):
            decode(b"5", kind)
    assert decode(encode(SetState(state="normal"), WindowAction), WindowAction) == SetState(state="normal")
