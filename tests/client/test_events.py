"""Server-sent events, well-formed and not."""

from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

from rostrum.client.events import ServerEvent, read_events


async def lines(text: str) -> AsyncIterator[str]:
    for line in text.split("\n"):
        yield line


async def read(text: str) -> list[ServerEvent]:
    return [event async for event in read_events(lines(text))]


async def test_events_have_names_data_ids_and_waiting_times() -> None:
    text = 'retry: 1500\nevent: apps\nid: 7\ndata: {"a":\ndata: 1}\n\n: still here\n\ndata: x\n\n'
    assert await read(text) == [
        ServerEvent(event="apps", data='{"a":\n1}', id="7", retry=1500),
        ServerEvent(event="", id="7"),
        ServerEvent(event="message", data="x", id="7"),
    ]


async def test_an_event_that_was_cut_off_does_not_count() -> None:
    assert await read("event: apps\ndata: 1") == []


async def test_an_event_that_is_too_long_is_dropped_and_the_next_one_counts() -> None:
    long = "data: " + "x" * 600_000
    assert await read(f"{long}\n{long}\n\nevent: apps\n\n") == [ServerEvent(event="apps")]


@given(st.text(st.sampled_from("abdeinrtvy:\n 0Ⅷ1\0"), max_size=60))
async def test_any_text_can_be_read(text: str) -> None:
    for event in await read(text):
        assert event.retry is None or event.retry >= 0
