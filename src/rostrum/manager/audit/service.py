"""The audit log: read and verified by authorized users, written by the storage."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.audit.chain import Chain, Fault, Link
from rostrum.manager.audit.integrity import altered_document, altered_revision
from rostrum.manager.audit.model import AuditEntry
from rostrum.manager.audit.repository import Audit
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import found
from rostrum.manager.history.model import moment
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.storage import Storage

READ_PERMISSIONS: dict[Kind, Permission | None] = {
    **{kind: document.read for kind, document in DOCUMENT_KINDS.items()},
    Kind.DEFAULT_LAYOUT: Permission.LAYOUTS_READ,
    Kind.LOGIN: Permission.USERS_READ,
    Kind.API_TOKEN: Permission.USERS_READ,
    Kind.PASSWORD_LINK: Permission.USERS_READ,
    Kind.SESSION: Permission.SESSIONS_READ,
    Kind.MACHINE: Permission.MACHINES_READ,
    Kind.COMMAND: Permission.COMMANDS_READ,
    Kind.COMMAND_RUN: Permission.COMMANDS_READ,
    Kind.ROLLOUT: Permission.AUDITS_READ,
    Kind.CRASH: Permission.CRASHES_READ,
    Kind.CRASH_GROUP: Permission.CRASHES_READ,
    Kind.FEEDBACK: Permission.FEEDBACKS_READ,
    Kind.DIRECTORY: Permission.APPS_READ,
    Kind.BATCH: Permission.AUDITS_READ,
    Kind.PROPOSAL: Permission.AUDITS_READ,
    # The search of a view that is not shared is for its owner.
    Kind.SAVED_VIEW: None,
    Kind.HISTORY: Permission.AUDITS_READ,
    Kind.AUDIT: Permission.AUDITS_READ,
    Kind.SERVER: None,
}
"""The permission that shows the contents of each kind; ``None`` for administrators only."""
_BATCH = 500
_LINK = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")


def visible_entry(identity: Identity, entry: AuditEntry) -> AuditEntry:
    """Remove the contents of changes whose kind the reader may not read; the entry itself remains.

    The hash stays as well, although it is the hash of the complete entry: the chain is verified on the server.
    """
    if identity.is_admin:
        return entry
    said = json_text.parse(entry.text)
    changes = [_visible(identity, change) for change in said["changes"]]
    if changes == said["changes"]:
        return entry
    return replace(entry, text=json_text.dump({**said, "changes": changes}).decode())


def _visible(identity: Identity, change: dict[str, Any]) -> dict[str, Any]:
    # An entry that a newer version has written may name a kind that is unknown here.
    known = change["kind"] in READ_PERMISSIONS
    if known and READ_PERMISSIONS[Kind(change["kind"])] in identity.permissions:
        return change
    # The digest is removed too: it would confirm guesses of simple contents.
    return {"kind": change["kind"], "id": change["id"], "action": change["action"], "diff": [], "withheld": True}


class Verification(Struct, frozen=True, kw_only=True):
    """The result of a verification.

    Attributes:
        start: The entry after which the chain begins; none unless retention has deleted entries.
        last: The last valid entry.
        fault: The first problem, of an entry or of a document that an entry records.

    """

    start: Link
    last: Link
    fault: Fault | None

    @property
    def entries(self) -> int:
        return self.last.number - self.start.number

    def as_json(self) -> dict[str, Any]:
        """Return the result as the body of a response."""
        fault = self.fault and {"number": self.fault.number, "message": self.fault.message}
        return {"ok": fault is None, "entries": self.entries, "head": str(self.last), "fault": fault}


class AuditService:
    """Reads and verifies audit entries."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        # A verification uses one processor completely, so only one runs at a time.
        self._verifying = asyncio.Lock()

    async def page(
        self, identity: Identity, query: Query, *, since: str | None = None, until: str | None = None
    ) -> Page[AuditEntry]:
        """List entries, newest first: those from one time on and before another."""
        require(identity, Permission.AUDITS_READ)
        begin, end = _moment("from", since), _moment("to", until)
        async with self._storage.read() as work:
            page = await work.of(Audit).page(query, since=begin, until=end)
        return replace(page, items=tuple(visible_entry(identity, entry) for entry in page.items))

    async def get(self, identity: Identity, number: str) -> AuditEntry:
        require(identity, Permission.AUDITS_READ)
        is_number = number.isascii() and number.isdigit() and len(number) < 19
        async with self._storage.read() as work:
            entry = found(await work.of(Audit).get(int(number)) if is_number else None, "audit entry", number)
        return visible_entry(identity, entry)

    def export(self, identity: Identity) -> AsyncIterator[AuditEntry]:
        """Read all entries in order, without keeping a database connection for a slow reader."""
        require(identity, Permission.AUDITS_READ)
        return self._entries(identity)

    async def verify(
        self, identity: Identity, known: str | None = None, progress: Callable[[int], None] = lambda _: None
    ) -> Verification:
        """Verify the chain to its end, and compare documents and revisions with it.

        ``known`` is the number and hash of an entry, written down earlier.
        """
        require(identity, Permission.AUDITS_READ)
        link = None if known is None else parse_link(known)
        async with self._verifying:
            async with self._storage.read() as work:
                ends = await work.of(Audit).ends()
            chain = Chain(ends.start, link)
            altered: Fault | None = None
            while chain.fault is None and altered is None and chain.last.number < ends.last:
                async with self._storage.read() as work:
                    # Stop here, because other requests may add entries in the meantime.
                    entries = await work.of(Audit).after(chain.last.number, min(_BATCH, ends.last - chain.last.number))
                if not entries:
                    break
                await asyncio.to_thread(chain.follow, entries)
                altered = await altered_revision(self._storage, chain.claims)
                progress(len(entries))
            if altered is None:
                chain.finish(ends)
            fault = altered or chain.fault or await altered_document(self._storage)
        return Verification(start=ends.start, last=chain.last, fault=fault)

    async def _entries(self, identity: Identity) -> AsyncIterator[AuditEntry]:
        last = 0
        while True:
            # A client that disconnects cancels this task; a running query must not be interrupted.
            entries = await asyncio.shield(self._after(last))
            for entry in entries:
                yield visible_entry(identity, entry)
            if len(entries) < _BATCH:
                return
            last = entries[-1].number

    async def _after(self, number: int) -> list[AuditEntry]:
        async with self._storage.read() as work:
            return [entry for entry, _ in await work.of(Audit).after(number, _BATCH)]


def parse_link(text: str) -> Link:
    """Read the number and hash of an entry, as verifying prints them."""
    match = _LINK.fullmatch(text)
    if match is None:
        message = "must be the number of an entry, a colon, and its hash of 64 digits"
        raise Invalid("invalid head", [Problem(path="head", message=message)])
    return Link(int(match[1]), match[2])


def _moment(name: str, text: str | None) -> datetime | None:
    try:
        return None if text is None else moment(text)
    except ValueError as error:
        raise Invalid("invalid time", [Problem(path=name, message=str(error))]) from None
