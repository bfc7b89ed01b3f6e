"""Rolling back: one document, or all of a kind, become what they were; as a new revision, so nothing is lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.audit.model import shown_changes
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.errors import Conflict, NotFound, NotKept
from rostrum.manager.history.journal import Change
from rostrum.manager.history.model import Revision
from rostrum.manager.history.restore import restore, step_aside
from rostrum.manager.history.service import as_of, names, revision_of
from rostrum.manager.kinds import Kind
from rostrum.manager.preconditions import Expected, same_revision
from rostrum.manager.storage import Storage, Work

_WRITERS = {
    Kind.APP: Permission.APPS_WRITE,
    Kind.LAYOUT: Permission.LAYOUTS_WRITE,
    Kind.PREFERENCE: Permission.PREFERENCES_WRITE,
    Kind.CONFIG: Permission.SYSTEM_CONFIGS_WRITE,
    Kind.USER: Permission.USERS_WRITE,
    Kind.GROUP: Permission.GROUPS_WRITE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """What rolling back a whole set did, or would do.

    Attributes:
        to: The revision it goes back to.
        revision: The revision that this made; ``None`` when it was only tried.
        newest: The newest revision of the set before; whoever sends it back is not surprised by others' changes.
        changes: Every change, consequences for other documents included.

    """

    to: int
    revision: int | None
    newest: int
    changes: Sequence[Change]

    def as_json(self) -> dict[str, Any]:
        """Show what rolling back a whole set did, or would do."""
        return {
            "to": self.to,
            "revision": self.revision,
            "newest": self.newest,
            "changed": len(self.changes),
            "changes": shown_changes(self.changes),
        }


class RollbackService:
    """Brings documents back."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    @prepares_audit
    async def one(self, identity: Identity, kind: Kind, key: str, point: str, expected: Expected = None) -> Revision:
        """Make a document what it was at a revision or a time; a deleted one comes back."""
        require(identity, _WRITERS[kind])
        async with self._storage.write(identity.user) as work:
            newest = await work.history.last_change(kind, key)
            if newest is None:
                raise NotFound(names[kind], key)
            same_revision(expected, newest.revision, names[kind], key)
            revision = await revision_of(work, point)
            past = await as_of(work, kind, key, revision)
            if past is None or past.body is None:
                raise Conflict(f"there was no {names[kind]} {key!r} at revision {revision}: to be rid of it, delete it")
            await restore(work, identity, kind, key, past.body)
        async with self._storage.read() as reading:
            made = await as_of(reading, kind, key, work.revision)
        if made is None:
            raise NotFound(names[kind], key)
        return made

    @prepares_audit
    async def all(
        self, identity: Identity, kind: Kind, point: str, *, dry_run: bool, expected: Expected = None
    ) -> RolledBack:
        """Make all documents of a kind what they were, at once; a dry run does the same and undoes it."""
        require(identity, _WRITERS[kind])
        begin = self._storage.dry_run if dry_run else self._storage.write
        async with begin(identity.user) as work:
            newest = await work.history.newest_of(kind)
            same_revision(expected, newest, "set", names[kind])
            revision = await revision_of(work, point)
            await _restore_all(work, identity, kind, revision)
            changes = work.journal.changes()
        made = None if dry_run else work.revision
        return RolledBack(to=revision, revision=made, newest=newest, changes=changes)


async def _restore_all(work: Work, identity: Identity, kind: Kind, revision: int) -> None:
    coming: dict[str, str] = {}
    going: list[str] = []
    for now in await work.history.changed_since(kind, revision):
        try:
            past = await as_of(work, kind, now.key, revision)
        except NotKept as error:
            raise Conflict(str(error)) from None
        if past is not None and past.body is not None:
            if past.body != now.body:
                coming[now.key] = past.body
        elif now.body is not None:
            going.append(now.key)
    # What goes, and what is called otherwise now, must not be in the way of what comes.
    for key in going:
        await restore(work, identity, kind, key, None)
    for key in coming:
        await step_aside(work, kind, key)
    for key, body in coming.items():
        await restore(work, identity, kind, key, body)
