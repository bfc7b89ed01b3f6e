"""Rolls back one document, or all documents of a kind, by creating a new revision."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.policy import require
from rostrum.manager.audit.model import shown_changes
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.errors import Conflict, Expected, NotFound, NotKept, same_revision
from rostrum.manager.history.journal import Change
from rostrum.manager.history.model import Revision
from rostrum.manager.history.repository import History
from rostrum.manager.history.restore import DocumentService
from rostrum.manager.history.service import as_of, revision_of
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.storage import Storage, Work

Service = DocumentService | type[DocumentService]


class RolledBack(Struct, frozen=True, kw_only=True):
    """The result of rolling back a set of documents, or its preview.

    Attributes:
        to: The revision that is restored.
        revision: The revision of the rollback; ``None`` for a dry run.
        newest: The newest revision of the set before; sending it back detects changes by other users.
        changes: All changes, including consequences for other documents.

    """

    to: int
    revision: int | None
    newest: int
    changes: Sequence[Change]

    def as_json(self) -> dict[str, Any]:
        """Return the result as the body of a response."""
        return {
            "to": self.to,
            "revision": self.revision,
            "newest": self.newest,
            "changed": len(self.changes),
            "changes": shown_changes(self.changes),
        }


class RollbackService:
    """Restores documents."""

    def __init__(self, storage: Storage, services: Iterable[Service]) -> None:
        self._storage = storage
        self._services = {service.kind: service for service in services}

    @prepares_audit
    async def one(self, identity: Identity, kind: Kind, key: str, point: str, expected: Expected = None) -> Revision:
        """Restore a document to a revision or a time. Deleted documents are created again."""
        require(identity, DOCUMENT_KINDS[kind].write)
        async with self._storage.write(identity.user) as work:
            newest = await work.of(History).last_change(kind, key)
            if newest is None:
                raise NotFound(DOCUMENT_KINDS[kind].noun, key)
            same_revision(expected, newest.revision, DOCUMENT_KINDS[kind].noun, key)
            revision = await revision_of(work, point)
            past = await as_of(work, kind, key, revision)
            if past is None or past.body is None:
                noun = DOCUMENT_KINDS[kind].noun
                raise Conflict(f"The {noun} {key!r} did not exist at revision {revision}. To remove it, delete it.")
            await self._services[kind].restore(work, identity, key, past.body)
        async with self._storage.read() as reading:
            made = await as_of(reading, kind, key, work.revision)
        if made is None:
            raise NotFound(DOCUMENT_KINDS[kind].noun, key)
        return made

    @prepares_audit
    async def all(
        self, identity: Identity, kind: Kind, point: str, *, dry_run: bool, expected: Expected = None
    ) -> RolledBack:
        """Restore all documents of a kind in one transaction; a dry run does the same and is rolled back."""
        require(identity, DOCUMENT_KINDS[kind].write)
        begin = self._storage.dry_run if dry_run else self._storage.write
        async with begin(identity.user) as work:
            newest = await work.of(History).newest_of(kind)
            same_revision(expected, newest, "set", DOCUMENT_KINDS[kind].noun)
            revision = await revision_of(work, point)
            await _restore_all(work, identity, self._services[kind], revision)
            changes = work.journal.changes()
        made = None if dry_run else work.revision
        return RolledBack(to=revision, revision=made, newest=newest, changes=changes)


async def _restore_all(work: Work, identity: Identity, service: Service, revision: int) -> None:
    coming: dict[str, str] = {}
    going: list[str] = []
    for now in await work.of(History).changed_since(service.kind, revision):
        try:
            past = await as_of(work, service.kind, now.key, revision)
        except NotKept as error:
            raise Conflict(str(error)) from None
        if past is not None and past.body is not None:
            if past.body != now.body:
                coming[now.key] = past.body
        elif now.body is not None:
            going.append(now.key)
    # Deleted and renamed documents must not occupy the names of restored ones.
    for key in going:
        await service.restore(work, identity, key, None)
    for key in coming:
        await service.release_name(work, key)
    for key, body in coming.items():
        await service.restore(work, identity, key, body)
