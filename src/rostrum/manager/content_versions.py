"""Content versions: a number for each kind of content, which grows with every change of it."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol


class ContentTopic(IntEnum):
    """A kind of content that changes by itself; its value is the row that counts the changes.

    Attributes:
        PEOPLE: Users, groups, and what users are given by name.
        LOGINS: Sign-ins and client sessions that ended before their time.

    """

    PEOPLE = 2
    LOGINS = 3
    APPS = 4
    LAYOUTS = 5
    PREFERENCES = 6
    CONFIGS = 7


@dataclass(frozen=True, slots=True)
class ContentVersions:
    """The number of changes of each topic at one moment."""

    counts: tuple[int, ...]
    _sums: dict[tuple[ContentTopic, ...], int] = field(default_factory=dict, compare=False, repr=False)

    def of(self, topics: tuple[ContentTopic, ...]) -> int:
        """Give one number for several topics: it grows whenever one of them changes."""
        known = self._sums.get(topics)
        if known is None:
            # Polls ask for the same few again and again.
            known = self._sums[topics] = sum(self.counts[topic] for topic in topics)
        return known


class Revisions(Protocol):
    """Knows whether something has changed, in this process or in another one.

    Versions that are requested after a change was acknowledged, anywhere, include it. What is read from the database
    after versions were returned is as new as they are, or newer.
    """

    def now(self) -> ContentVersions | None:
        """Return the versions of this moment, if that needs no waiting."""
        ...

    async def current(self) -> ContentVersions | None:
        """Return the versions of this moment; ``None`` when the database does not answer."""
        ...

    async def close(self) -> None: ...
