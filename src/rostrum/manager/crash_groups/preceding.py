"""Finds changes shortly before the first crash of a group that concern its app or its users."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from rostrum.contracts.system_config import Scope
from rostrum.manager.access.identity import Identity
from rostrum.manager.audit.model import AuditSubject
from rostrum.manager.audit.repository import Audit
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.crash_groups.model import CrashGroup
from rostrum.manager.document import Document
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.layouts.model import Layout
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Work
from rostrum.manager.users.repository import Users

WINDOW = timedelta(hours=24)
"""The length of the period before the first crash in which changes are listed."""

_MOST_LOOKED_AT = 500
_MOST_SHOWN = 20
_KINDS = (Kind.APP, Kind.LAYOUT, Kind.CONFIG, Kind.GROUP)


class PrecedingChange(Struct, frozen=True, kw_only=True):
    """A change, and the document that it changed.

    Attributes:
        name: The name of the document; its key if it has no other name or was deleted.

    """

    subject: AuditSubject
    name: str

    def as_json(self) -> dict[str, Any]:
        subject = self.subject
        return {
            "number": subject.number,
            "revision": subject.revision,
            "at": subject.at,
            "actor": subject.actor,
            "operation": subject.operation,
            "kind": subject.kind,
            "id": subject.key,
            "name": self.name,
            "comment": subject.comment,
            "ticket": subject.ticket,
        }


class Preceding(Struct, frozen=True, kw_only=True):
    """The changes before the first crash of a group.

    Attributes:
        since: The beginning of the period.
        version_first_used: When the first session with the version of the group began, if this is within the period.
        more: Whether there may be more changes than those listed.

    """

    since: datetime
    version_first_used: datetime | None
    changes: tuple[PrecedingChange, ...]
    more: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "since": self.since,
            "versionFirstUsed": self.version_first_used,
            "items": [change.as_json() for change in self.changes],
            "more": self.more,
        }


async def preceding_changes(work: Work, identity: Identity, group: CrashGroup, users: Iterable[str]) -> Preceding:
    """Find changes of the app, and of configuration files, layouts and groups that concern one of these users.

    Only kinds that the caller may read are included.
    """
    since = group.first_seen - WINDOW
    kinds = [kind for kind in _KINDS if DOCUMENT_KINDS[kind].read in identity.permissions]
    reach = await _reach(work, group, users)
    subjects = await work.of(Audit).subjects(kinds, since, group.first_seen, _MOST_LOOKED_AT)
    changes: list[PrecedingChange] = []
    for subject in subjects:
        if len(changes) > _MOST_SHOWN:
            break
        document = await work.documents(Kind(subject.kind)).get(subject.key)
        if reach.includes(Kind(subject.kind), subject.key, document):
            changes.append(PrecedingChange(subject=subject, name=_name(document) or subject.key))
    first_used = await work.of(Sessions).first_with_version(group.version) if group.version else None
    return Preceding(
        since=since,
        version_first_used=first_used if first_used and since <= first_used <= group.first_seen else None,
        changes=tuple(changes[:_MOST_SHOWN]),
        more=len(changes) > _MOST_SHOWN or len(subjects) == _MOST_LOOKED_AT,
    )


class _Reach(Struct, frozen=True, kw_only=True):
    """The app, the version and the users of a crash group, with the groups of the users."""

    app: str
    version: str
    users: frozenset[str]
    groups: frozenset[str]

    def includes(self, kind: Kind, key: str, document: Document | None) -> bool:
        if kind is Kind.APP:
            return key == self.app
        if kind is Kind.GROUP:
            return key in self.groups
        if isinstance(document, ConfigFile):
            return self._receives(document)
        if kind is Kind.LAYOUT:
            # Users often save their own layouts, which concern only themselves.
            if not isinstance(document, Layout) or document.owner != "*":
                return False
            return document.public or not self.groups.isdisjoint(document.access)
        # For a deleted configuration file, it is no longer known which users received it.
        return True

    def _receives(self, file: ConfigFile) -> bool:
        match file.scope:
            case Scope.BASE:
                return True
            case Scope.VERSION:
                return f"{self.version}.".startswith(f"{file.target}.")
            case Scope.GROUP:
                return file.target in self.groups
            case Scope.USER:
                return file.target in self.users


async def _reach(work: Work, group: CrashGroup, users: Iterable[str]) -> _Reach:
    names = frozenset(users)
    graph = await work.of(Groups).graph()
    groups = {name for user in names for name in expand(await work.of(Users).groups_of(user), graph)}
    return _Reach(app=group.app, version=group.version, users=names, groups=frozenset(groups))


def _name(document: Document | None) -> str:
    if isinstance(document, ConfigFile):
        return document.file if document.scope is Scope.BASE else f"{document.file} ({document.target})"
    return document.name if isinstance(document, Layout) else ""
