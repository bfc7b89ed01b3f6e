"""Announcements: which changes are told to the clients that are connected, and whom they concern."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from rostrum.manager.storage.documents import Document
from rostrum.manager.storage.records import App, ConfigFile, Group, Layout, Preference, Scope, User

__all__ = ["COMMON", "Announcement", "Audience", "EventKind", "audiences", "without_repetition"]

COMMON = "*"
"""The owner of layouts that belong to all."""


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
        user: Whom it concerns; empty for everyone.
        session: Which client session of that user; empty for all of them.

    """

    kind: EventKind
    revision: int
    user: str = ""
    session: str = ""


Audience = tuple[EventKind, str, str]
"""Kind, user and session of an announcement."""

_BY_GROUPS = (EventKind.APPS, EventKind.LAYOUTS, EventKind.SYSTEM_CONFIG)
"""What groups decide about."""


def audiences(before: Document | None, after: Document | None) -> Iterator[Audience]:
    """Tell whom a change of a document concerns, and in which respect."""
    for document in (before, after):
        match document:
            case App():
                yield EventKind.APPS, "", ""
            case Layout():
                is_shared = document.public or document.access or document.owner == COMMON
                yield EventKind.LAYOUTS, "" if is_shared else document.owner, ""
            case Preference():
                yield EventKind.PREFS, document.user, ""
            case ConfigFile():
                yield EventKind.SYSTEM_CONFIG, document.target if document.scope is Scope.USER else "", ""
    if isinstance(before, User):
        yield from _of_user(before, after)
    if isinstance(before, Group) or (isinstance(after, Group) and (after.expands_to or after.priority)):
        # A group that nobody was in and that leads nowhere concerns nobody.
        yield from ((kind, "", "") for kind in _BY_GROUPS)


def _of_user(before: User, after: Document | None) -> Iterator[Audience]:
    if not isinstance(after, User):
        yield EventKind.ACCESS, before.id, ""
        return
    if (before.disabled, before.epoch, before.password_hash) != (after.disabled, after.epoch, after.password_hash):
        yield EventKind.ACCESS, before.id, ""
    if set(before.groups) != set(after.groups):
        yield from ((kind, before.id, "") for kind in _BY_GROUPS)
    if set(before.apps) != set(after.apps):
        yield EventKind.APPS, before.id, ""
    if set(before.layouts) != set(after.layouts):
        yield EventKind.LAYOUTS, before.id, ""


def without_repetition(found: Iterable[Audience]) -> list[Audience]:
    """Leave out for single users and sessions what everyone, or every session of the user, is told."""
    each = set(found)
    wider = {(kind, user, session): ((kind, "", ""), (kind, user, "")) for kind, user, session in each}
    return sorted(one for one in each if not any(other != one and other in each for other in wider[one]))
