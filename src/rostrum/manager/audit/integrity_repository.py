"""Reads documents and revisions, for the comparison with the audit log."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, exists, func, select, tuple_

from rostrum.manager.audit.chain import AuditClaim
from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.many_rows import ByKeys
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Kind

_ROW = tables.history.c
_OTHER = tables.history.alias().c
_FEW = 50
"""The number of bodies that are loaded at once, because they can be large."""


def _newest(*columns: Any) -> Select[Any]:
    kind: BindParameter[str] = bindparam("its_kind", type_=_ROW.kind.type)
    last = select(func.max(_OTHER.revision)).where(_OTHER.kind == kind, _OTHER.key == _ROW.key).scalar_subquery()
    return select(*columns).where(_ROW.kind == kind, _ROW.revision == last)


_NEWEST = ByKeys(_newest(_ROW.key, _ROW.revision, _ROW.body).where, _ROW.key)
_VANISHED: dict[Kind, Select[Any]] = {}
"""The statements that find documents of each kind that do not exist any more."""


class Evidence(Repository):
    """Revisions of documents as one transaction sees them."""

    async def kept(self, claims: Sequence[AuditClaim]) -> AsyncIterator[tuple[AuditClaim, str]]:
        """Read the stored revisions that entries record; deleted ones are skipped."""
        for start in range(0, len(claims), _FEW):
            some = {(one.kind, one.key, one.revision): one for one in claims[start : start + _FEW]}
            statement = select(_ROW.kind, _ROW.key, _ROW.revision, _ROW.body).where(
                tuple_(_ROW.kind, _ROW.key, _ROW.revision).in_(list(some))
            )
            for row in await self._connection.execute(statement):
                yield some[row.kind, row.key, row.revision], row.body or ""

    async def newest(self, kind: Kind, keys: Sequence[str]) -> Mapping[str, tuple[int, str | None]]:
        """Read the newest revision of some documents: its number and body."""
        rows = await _NEWEST.execute(self._connection, keys, {"its_kind": kind})
        return {row.key: (row.revision, row.body) for row in rows}

    async def vanished(self, documents: Documents[Any]) -> tuple[str, int] | None:
        """Find a document that does not exist although its newest revision is not a deletion."""
        kind = documents.kind
        if kind not in _VANISHED:
            there = exists().where(documents.key_column == _ROW.key)
            _VANISHED[kind] = _newest(_ROW.key, _ROW.revision).where(_ROW.body.is_not(None), ~there).limit(1)
        row = (await self._connection.execute(_VANISHED[kind], {"its_kind": kind})).one_or_none()
        return None if row is None else (row.key, row.revision)

    async def entry_of(self, revision: int) -> int:
        """Return the number of the entry that records a revision; 0 if it no longer exists."""
        entry = tables.audit.c
        return await self._connection.scalar(select(entry.number).where(entry.revision == revision)) or 0
