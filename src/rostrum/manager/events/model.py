"""Announcements: the changes that connected clients are notified of, and the affected users."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

COMMON = "*"
"""The owner of layouts that belong to all."""


ADMINISTRATORS = "*"
"""Stands for those who see all documents of a kind because they administer it; no user can have this id."""


class EventKind(StrEnum):
    """What a change is about, by the names that clients hear; ``access`` is for the server's own ears."""

    APPS = "apps"
    LAYOUTS = "layouts"
    PREFS = "prefs"
    SYSTEM_CONFIG = "systemConfig"
    COMMANDS = "commands"
    ACCESS = "access"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """The newest change of one kind for one audience.

    Attributes:
        user: Whom it concerns; empty for everyone, a star for those who administer the kind.
        session: Which client session of that user; empty for all of them.

    """

    kind: EventKind
    revision: int
    user: str = ""
    session: str = ""


Audience = tuple[EventKind, str, str]
"""Kind, user and session of an announcement."""


class Circle(NamedTuple):
    """The members of groups, and those in whose own list of apps or layouts something stands."""

    groups: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()


class Readers(NamedTuple):
    """An audience that only the database can name: all of one circle who are not in the other.

    Attributes:
        is_private: Administrators of the kind are not notified, because users save it frequently.

    """

    kind: EventKind
    circle: Circle = Circle()
    spared: Circle = Circle()
    is_private: bool = False


BY_GROUPS = (EventKind.APPS, EventKind.LAYOUTS, EventKind.SYSTEM_CONFIG)
"""The kinds of events that depend on the groups of a user."""


def without_repetition(found: Iterable[Audience]) -> list[Audience]:
    """Remove announcements for single users and sessions that are also made for all."""
    each = set(found)
    wider = {(kind, user, session): ((kind, "", ""), (kind, user, "")) for kind, user, session in each}
    return sorted(one for one in each if not any(other != one and other in each for other in wider[one]))
