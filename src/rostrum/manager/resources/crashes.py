"""Crash reports: received from clients, reviewed by administrators."""

from collections.abc import AsyncIterator, Mapping

from rostrum.base import json_text
from rostrum.base.ids import new_id
from rostrum.contracts.reports import Review
from rostrum.manager.permissions.identity import Identity
from rostrum.manager.permissions.permissions import Permission
from rostrum.manager.permissions.policy import require
from rostrum.manager.resources.expected import Expected, found, same_revision
from rostrum.manager.resources.reports import keep_file, read_file, review_values
from rostrum.manager.resources.uploads import Upload
from rostrum.manager.storage import Crash, Page, Query, Storage, StoredFile

__all__ = ["CrashResource"]


class CrashResource:
    """The crash reports."""

    def __init__(self, storage: Storage) -> None:
        """Take storage."""
        self._storage = storage

    async def receive(self, identity: Identity | None, fields: Mapping[str, str], minidump: Upload | None) -> Crash:
        """Keep a report; its sender may be unknown where that is allowed."""
        async with self._storage.write(identity.user if identity else "(anonymous)") as work:
            crash = Crash(
                id=new_id(),
                user=identity.user if identity else None,
                product=_field(fields, "_productName", "prod"),
                version=_field(fields, "_version", "ver"),
                platform=_field(fields, "platform"),
                process_type=_field(fields, "process_type"),
                fields=json_text.dump(dict(fields)).decode(),
                received=work.now,
                minidump=await keep_file(work, minidump, "minidump.dmp"),
                revision=work.revision,
            )
            await work.crashes.add(crash)
        return crash

    async def page(self, identity: Identity, query: Query) -> Page[Crash]:
        """List reports."""
        require(identity, Permission.CRASHES_READ)
        async with self._storage.read() as work:
            return await work.crashes.page(query)

    async def get(self, identity: Identity, crash_id: str) -> Crash:
        """Read one report."""
        require(identity, Permission.CRASHES_READ)
        async with self._storage.read() as work:
            return found(await work.crashes.get(crash_id), "crash", crash_id)

    async def minidump(self, identity: Identity, crash_id: str) -> tuple[StoredFile, AsyncIterator[bytes]]:
        """Open the dump of a report."""
        file = found((await self.get(identity, crash_id)).minidump, "minidump of crash", crash_id)
        return file, read_file(self._storage, file)

    async def review(self, identity: Identity, crash_id: str, body: Review, expected: Expected = None) -> Crash:
        """Keep what an administrator says of a report."""
        require(identity, Permission.CRASHES_WRITE)
        async with self._storage.write(identity.user) as work:
            crash = found(await work.crashes.get(crash_id), "crash", crash_id)
            same_revision(expected, crash.revision, "crash", crash_id)
            values = review_values(
                identity, body.given(), reviewed=crash.reviewed, by=crash.reviewed_by, comment=crash.comment
            )
            await work.crashes.review(crash_id, **values, revision=work.revision)
            return found(await work.crashes.get(crash_id), "crash", crash_id)

    async def remove(self, identity: Identity, crash_id: str, expected: Expected = None) -> None:
        """Delete a report and its dump."""
        require(identity, Permission.CRASHES_WRITE)
        async with self._storage.write(identity.user) as work:
            crash = found(await work.crashes.get(crash_id), "crash", crash_id)
            same_revision(expected, crash.revision, "crash", crash_id)
            await work.crashes.remove(crash_id)


def _field(fields: Mapping[str, str], *names: str) -> str:
    for name in names:
        value = fields.get(name)
        if value:
            return "".join(letter for letter in value if letter.isprintable())[:256]
    return ""
