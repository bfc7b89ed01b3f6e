"""A client of the event stream over a real connection."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.plain_http import NO_TLS

PATIENCE = 30


class LiveStream:
    """Reads events one by one; what does not come within bounds is an error."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()
        self.last_id = ""

    def event(self) -> tuple[str, int]:
        """Wait for the next event: its name and its revision."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "event" in fields:
                self.last_id = fields.get("id", self.last_id)
                return fields["event"], json.loads(fields["data"])["revision"]
            else:
                fields = {}
        raise EOFError("the stream has ended")

    def until(self, name: str, revision: int = 0) -> int:
        """Read on until an event of this name with at least this revision comes; its revision."""
        while True:
            found, at = self.event()
            if found == name and at >= revision:
                return at

    def ends(self) -> bool:
        """Read on until the server ends the stream."""
        try:
            while True:
                self.event()
        except EOFError:
            return True


@contextmanager
def live_stream(address: str, **options: Any) -> Iterator[LiveStream]:
    """Listen at an address."""
    with httpx.stream("GET", f"{address}/events", timeout=httpx.Timeout(PATIENCE), **options, verify=NO_TLS) as answer:
        assert answer.status_code == 200, answer.read()
        yield LiveStream(answer)
