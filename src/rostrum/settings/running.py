"""Running: the version, stream and mode for which a document is read."""

import re
from functools import lru_cache
from typing import NamedTuple

from rostrum.settings.problems import BadVersion
from rostrum.settings.scope import Mode, Stream

_VERSION = re.compile(r"\d{1,9}(\.\d{1,9}){0,5}", re.ASCII)


class Running(NamedTuple):
    """The version, stream and mode of the platform that reads a document."""

    version: str
    stream: Stream
    mode: Mode

    def has(self, since: str) -> bool:
        """Return whether something available since a version exists in this one."""
        return _has(self.version, since)


def stream_of(version: str) -> Stream:
    """Return the stream that a version belongs to."""
    return Stream.V9 if _numbers(version)[0] < 10 else Stream.V10


@lru_cache(maxsize=256)
def _has(version: str, since: str) -> bool:
    mine = _numbers(version)
    firsts = [_numbers(text) for text in since.split(" and ")]
    same = [first for first in firsts if first[0] == mine[0]]
    return any(_at_least(mine, first) for first in same or firsts)


def _numbers(version: str) -> tuple[int, ...]:
    if not _VERSION.fullmatch(version):
        raise BadVersion(f"{version!r} is not a version; write numbers with points between, such as 10.1")
    return tuple(int(part) for part in version.split("."))


def _at_least(mine: tuple[int, ...], first: tuple[int, ...]) -> bool:
    width = max(len(mine), len(first))
    return _padded(mine, width) >= _padded(first, width)


def _padded(numbers: tuple[int, ...], width: int) -> tuple[int, ...]:
    return numbers + (0,) * (width - len(numbers))
