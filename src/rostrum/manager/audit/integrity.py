"""Holds documents, and what is kept of their revisions, against what the audit says of them."""

import hashlib
from collections.abc import Sequence
from typing import Any

from rostrum.base import json_text
from rostrum.manager.audit.chain import ChangeFeed, Fault
from rostrum.manager.database.query import Query
from rostrum.manager.history.documents import body_text, key_of
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Storage, Work

_MANY = 500
_FEW = 20
"""These may be large: only so many are held at once."""

_AT_ONCE = {
    Kind.USER: _MANY,
    Kind.GROUP: _MANY,
    Kind.APP: _FEW,
    Kind.LAYOUT: _FEW,
    Kind.PREFERENCE: _FEW,
    Kind.CONFIG: _FEW,
}


async def altered_revision(storage: Storage, told: Sequence[ChangeFeed]) -> Fault | None:
    """Find the first revision whose kept body is not the one that its entry tells the digest of."""
    if not told:
        return None
    async with storage.read() as work:
        async for one, body in work.evidence.kept(told):
            if hashlib.sha256(body.encode()).hexdigest() != one.digest:
                message = f"what is kept of the {one.kind} {one.key!r} at revision {one.revision} was altered"
                return Fault(one.number, message)
    return None


async def altered_document(storage: Storage) -> Fault | None:
    """Find a document that is not what its newest revision says, was put there, or was taken away."""
    for kind, most in _AT_ONCE.items():
        offset = 0
        while True:
            async with storage.read() as work:
                page = await _repository(work, kind).page(Query(limit=most, offset=offset))
                fault = await _altered(work, kind, page.items)
            if fault is not None:
                return fault
            if len(page.items) < most:
                break
            offset += most
        async with storage.read() as work:
            gone = await work.evidence.vanished(kind)
            if gone is not None:
                key, revision = gone
                message = f"the {kind} {key!r} of revision {revision} is gone, and no entry tells of it"
                return Fault(await work.evidence.entry_of(revision), message)
    return None


async def _altered(work: Work, kind: Kind, documents: Sequence[Any]) -> Fault | None:
    newest = await work.evidence.newest(kind, [key_of(document) for document in documents])
    for document in documents:
        key = key_of(document)
        revision, body = newest.get(key, (0, None))
        if body is None:
            message = f"the {kind} {key!r} is there, and no revision tells of it"
            return Fault(await work.evidence.entry_of(revision), message)
        now = body_text(document)
        # The same members in another order or spacing are the same document.
        if now != body and json_text.parse(now) != json_text.parse(body):
            message = f"the {kind} {key!r} is not what revision {revision} made of it"
            return Fault(await work.evidence.entry_of(revision), message)
    return None


def _repository(work: Work, kind: Kind) -> Any:
    return {
        Kind.APP: work.apps,
        Kind.LAYOUT: work.layouts,
        Kind.PREFERENCE: work.preferences,
        Kind.CONFIG: work.configs,
        Kind.USER: work.users,
        Kind.GROUP: work.groups,
    }[kind]
