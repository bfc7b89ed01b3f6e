"""Running: the version, stream and mode a document is read for."""

import re
from dataclasses import dataclass

from rostrum.settings.errors import BadVersion
from rostrum.settings.scope import Mode, Stream

__all__ = ["Running", "stream_of"]

_VERSION = re.compile(r"\d{1,9}(\.\d{1,9}){0,5}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What the platform that reads a document is."""

    version: str
    stream: Stream
    mode: Mode

    def has(self, since: str) -> bool:
        """Tell whether something available since a version exists in this one."""
        mine = _numbers(self.version)
        firsts = [_numbers(text) for text in since.split(" and ")]
        same = [first for first in firsts if first[0] == mine[0]]
        return any(_at_least(mine, first) for first in same or firsts)


def stream_of(version: str) -> Stream:
    """Tell the stream that a version belongs to."""
    return Stream.V9 if _numbers(version)[0] < 10 else Stream.V10


def _numbers(version: str) -> tuple[int, ...]:
    if not _VERSION.fullmatch(version):
        raise BadVersion(f"{version!r} is not a version; write numbers with points between, such as 10.1")
    return tuple(int(part) for part in version.split("."))


def _at_least(mine: tuple[int, ...], first: tuple[int, ...]) -> bool:
    width = max(len(mine), len(first))
    return _padded(mine, width) >= _padded(first, width)


def _padded(numbers: tuple[int, ...], width: int) -> tuple[int, ...]:
    return numbers + (0,) * (width - len(numbers))
