"""Announcements: the changes that connected clients are notified of, and the affected users."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

COMMON = "*"
"""The owner of common layouts."""


ADMINISTRATORS = "*"
"""Represents the administrators of a kind; no user can have this ID."""


class EventKind(StrEnum):
    """The kind of a change, with the name that clients receive; ``access`` is for servers only."""

    APPS = "apps"
    LAYOUTS = "layouts"
    PREFS = "prefs"
    SYSTEM_CONFIG = "systemConfig"
    COMMANDS = "commands"
    ACCESS = "access"

    # Enumerations compute their hash in Python; audiences of thousands of users need it several times for each.
    __hash__ = str.__hash__


class Announcement(Struct, frozen=True):
    """The newest change of one kind for one audience.

    Attributes:
        user: The affected user; empty for everyone, ``*`` for the administrators of the kind.
        session: The client session of the user; empty for all sessions.

    """

    kind: EventKind
    revision: int
    user: str = ""
    session: str = ""


Audience = tuple[EventKind, str, str]
"""Kind, user and session of an announcement."""


class Circle(NamedTuple):
    """The members of groups, and the users to whom an app or a layout is assigned by name."""

    groups: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()


class Readers(NamedTuple):
    """An audience that the database determines: the users of one circle who are not in the other.

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
    """Return announcements in any order, without those for single users that one for all includes."""
    each = set(found)
    for_all = {kind for kind, user, session in each if not user and not session}
    if not for_all and not any(session for _, _, session in each):
        return list(each)
    return [
        one
        for one in each
        if (one[0] not in for_all or not (one[1] or one[2])) and (not one[2] or (one[0], one[1], "") not in each)
    ]
