"""Compares documents and their stored revisions with the audit log."""

import hashlib
from collections.abc import Sequence

from rostrum.base import json_text
from rostrum.manager.audit.chain import AuditClaim, Fault
from rostrum.manager.audit.integrity_repository import Evidence
from rostrum.manager.database.paging import Query
from rostrum.manager.document import Document, body_text
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.storage import Storage, Work

_MANY = 500
_FEW = 20
"""The number of large documents that are loaded at once."""


async def altered_revision(storage: Storage, claims: Sequence[AuditClaim]) -> Fault | None:
    """Find the first revision whose stored body does not match the digest of its entry."""
    if not claims:
        return None
    async with storage.read() as work:
        async for one, body in work.of(Evidence).kept(claims):
            if hashlib.sha256(body.encode()).hexdigest() != one.digest:
                message = f"the stored {one.kind} {one.key!r} of revision {one.revision} was modified"
                return Fault(one.number, message)
    return None


async def altered_document(storage: Storage) -> Fault | None:
    """Find a document that differs from its newest revision, or was added or removed outside the manager."""
    for kind, facts in DOCUMENT_KINDS.items():
        most = _FEW if facts.is_large else _MANY
        offset = 0
        while True:
            async with storage.read() as work:
                page = await work.documents(kind).page(Query(limit=most, offset=offset))
                fault = await _altered(work, kind, page.items)
            if fault is not None:
                return fault
            if len(page.items) < most:
                break
            offset += most
        async with storage.read() as work:
            gone = await work.of(Evidence).vanished(work.documents(kind))
            if gone is not None:
                key, revision = gone
                message = f"the {kind} {key!r} of revision {revision} is missing, and no entry records its deletion"
                return Fault(await work.of(Evidence).entry_of(revision), message)
    return None


async def _altered(work: Work, kind: Kind, documents: Sequence[Document]) -> Fault | None:
    newest = await work.of(Evidence).newest(kind, [document.key for document in documents])
    for document in documents:
        key = document.key
        revision, body = newest.get(key, (0, None))
        if body is None:
            message = f"the {kind} {key!r} exists, and no revision records it"
            return Fault(await work.of(Evidence).entry_of(revision), message)
        now = body_text(document)
        # The same members in another order or spacing are the same document.
        if now != body and json_text.parse(now) != json_text.parse(body):
            message = f"the {kind} {key!r} is not what revision {revision} made of it"
            return Fault(await work.of(Evidence).entry_of(revision), message)
    return None
