"""Announcements: which changes are told to the clients that are connected, and whom they concern."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from rostrum.manager.apps.model import App
from rostrum.manager.configs.model import ConfigFile, Scope
from rostrum.manager.groups.model import Group
from rostrum.manager.history.documents import Document
from rostrum.manager.layouts.model import Layout
from rostrum.manager.preferences.model import Preference
from rostrum.manager.users.model import User

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
        is_private: Those who administer the kind are not told: it is one user's own, and saved all day.

    """

    kind: EventKind
    circle: Circle = Circle()
    spared: Circle = Circle()
    is_private: bool = False


_BY_GROUPS = (EventKind.APPS, EventKind.LAYOUTS, EventKind.SYSTEM_CONFIG)
"""What groups decide about."""


def audiences(before: Document | None, after: Document | None) -> Iterator[Audience | Readers]:
    """Tell whom a change of a document concerns, and in which respect: those who see it before or after."""
    if isinstance(before, App | Layout) and isinstance(after, App | Layout) and _is_only_shared_anew(before, after):
        yield from _of_sharing(before, after)
        return
    for document in (before, after):
        if document is not None:
            yield from _who_sees(document)
    if isinstance(before, User):
        yield from _of_user(before, after)
    if isinstance(before, Group) or (isinstance(after, Group) and (after.expands_to or after.priority)):
        # A group that nobody was in and that leads nowhere concerns nobody.
        yield from ((kind, "", "") for kind in _BY_GROUPS)


def _who_sees(document: Document) -> Iterator[Audience | Readers]:
    match document:
        case App() | Layout() if document.disabled:
            yield Readers(_kind_and_key(document)[0])
        case App():
            yield _readers(document)
        case Layout():
            yield _readers(document)
            if document.owner != COMMON:
                yield EventKind.LAYOUTS, document.owner, ""
        case Preference():
            yield EventKind.PREFS, document.user, ""
        case ConfigFile(scope=Scope.GROUP):
            yield Readers(EventKind.SYSTEM_CONFIG, Circle(frozenset({document.target})))
        case ConfigFile():
            yield EventKind.SYSTEM_CONFIG, document.target if document.scope is Scope.USER else "", ""


def _is_only_shared_anew(before: App | Layout, after: App | Layout) -> bool:
    """Say whether nothing of an app or a layout changes but who may see it."""
    return replace(before, public=after.public, access=after.access, stamp=after.stamp) == after


def _of_sharing(before: App | Layout, after: App | Layout) -> Iterator[Audience | Readers]:
    kind, key = _kind_and_key(after)
    old, new = frozenset(before.access), frozenset(after.access)
    if before.public != after.public and not after.disabled:
        yield kind, "", ""
    elif after.public or after.disabled:
        yield Readers(kind)
    else:
        # Whoever was given it by name, or is in a group that has it before and after, sees no difference.
        yield Readers(kind, Circle(old ^ new), Circle(old & new, frozenset({key})))


def _readers(document: App | Layout) -> Audience | Readers:
    kind, key = _kind_and_key(document)
    if document.public:
        return kind, "", ""
    is_private = isinstance(document, Layout) and document.owner != COMMON and not document.access
    return Readers(kind, Circle(frozenset(document.access), frozenset({key})), is_private=is_private)


def _kind_and_key(document: App | Layout) -> tuple[EventKind, str]:
    return (EventKind.APPS, document.name) if isinstance(document, App) else (EventKind.LAYOUTS, document.id)


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
