"""The words of the stream: what a browser makes of them."""

from rostrum.manager.audiences import EventKind
from rostrum.manager.events import text


def test_an_event_has_a_name_an_id_and_its_revision() -> None:
    assert text.changed({EventKind.APPS: 7}) == b'event: apps\nid: 7\ndata: {"revision":7}\n\n'
    assert text.ready(3) == b'event: ready\nid: 3\ndata: {"revision":3}\n\n'
    assert text.reset(0) == b'event: reset\nid: 0\ndata: {"revision":0}\n\n'
    assert text.opening(1500) == b"retry: 1500\n\n"
    assert text.HEARTBEAT.startswith(b":")


def test_nothing_is_said_of_no_change() -> None:
    assert text.changed({}) == b""


def test_older_changes_come_first_so_that_an_id_never_promises_what_was_not_sent() -> None:
    words = text.changed({EventKind.APPS: 9, EventKind.PREFS: 4, EventKind.LAYOUTS: 9, EventKind.COMMANDS: 6})

    events = [dict(line.split(b": ", 1) for line in block.split(b"\n")) for block in words.strip().split(b"\n\n")]
    assert [(event[b"event"], event.get(b"id")) for event in events] == [
        (b"prefs", b"4"),
        (b"commands", b"6"),
        (b"apps", None),
        (b"layouts", b"9"),
    ]
