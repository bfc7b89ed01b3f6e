"""Content versions: a counter of changes for each topic."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol


class ContentTopic(IntEnum):
    """A topic with its own counter; the value is the number of the row that counts its changes.

    Attributes:
        PEOPLE: Users, groups, and items that are assigned to users by name.
        LOGINS: Revoked sign-ins and ended client sessions.
        ROLLOUTS: The users who receive a new version of a document in stages.

    """

    PEOPLE = 2
    LOGINS = 3
    APPS = 4
    LAYOUTS = 5
    PREFERENCES = 6
    CONFIGS = 7
    ROLLOUTS = 8


APPS_TOPICS = (ContentTopic.APPS, ContentTopic.PEOPLE)
LAYOUTS_TOPICS = (ContentTopic.LAYOUTS, ContentTopic.PEOPLE)
"""The content that the apps and the layouts of a user depend on."""


@dataclass(frozen=True, slots=True)
class ContentVersions:
    """The counters of all topics at one moment."""

    counts: tuple[int, ...]
    _sums: dict[tuple[ContentTopic, ...], int] = field(default_factory=dict, compare=False, repr=False)

    def of(self, topics: tuple[ContentTopic, ...]) -> int:
        """Return one number for several topics, which grows when one of them changes."""
        known = self._sums.get(topics)
        if known is None:
            # Polls use the same few combinations repeatedly.
            known = self._sums[topics] = sum(self.counts[topic] for topic in topics)
        return known


class Revisions(Protocol):
    """Detects changes of this and other processes.

    Versions that are requested after a change was acknowledged, anywhere, include it. What is read from the database
    after versions were returned is as new as they are, or newer.
    """

    def now(self) -> ContentVersions | None:
        """Return the current versions, if they are available without waiting."""
        ...

    async def current(self) -> ContentVersions | None:
        """Return the current versions; ``None`` if the database does not respond."""
        ...

    async def close(self) -> None: ...
