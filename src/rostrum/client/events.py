"""Parser for server-sent events."""

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass

LONGEST_LINE = 1024 * 1024
"""Longer events are discarded, and longer lines end the stream."""
_LONGEST_ID = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEvent:
    """One event.

    Attributes:
        id: The last id received, to continue after an interruption.
        retry: Delay in milliseconds before reconnecting, if the server sent one.
    """

    event: str
    data: str = ""
    id: str = ""
    retry: int | None = None


async def read_events(lines: AsyncIterable[str]) -> AsyncIterator[ServerEvent]:
    """Yield each event of a stream, and an event without a name for each comment (heartbeat)."""
    event, data, last, retry, size = "", list[str](), "", None, 0
    async for line in lines:
        if not line:
            if event or data:
                yield ServerEvent(event=event or "message", data="\n".join(data), id=last, retry=retry)
            event, data, retry, size = "", [], None, 0
            continue
        size += len(line)
        if size > LONGEST_LINE:
            # A hostile stream must not fill the memory: lines that are too long are discarded.
            event, data = "", []
            continue
        if line.startswith(":"):
            yield ServerEvent(event="", id=last)
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            event = value
        elif name == "data":
            data.append(value)
        elif name == "id" and len(value) <= _LONGEST_ID and value.isascii() and value.isprintable():
            # Others cannot be sent back in a header.
            last = value
        elif name == "retry" and value.isdecimal() and len(value) < 10:
            retry = int(value)
