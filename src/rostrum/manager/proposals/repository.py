"""Proposals and their documents."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, bindparam, delete, func, insert, or_, select, update

from rostrum.manager.database import tables
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.proposals.model import Proposal, ProposedChange, Status, StoredEffect

_PROPOSAL = tables.proposals.c
_DOCUMENT = tables.proposal_documents.c
_EFFECT = tables.proposal_effects.c
_COLUMNS = tuple(column.name for column in tables.proposals.columns)
_LISTING = Listing(
    fields={
        "id": _PROPOSAL.id,
        "status": _PROPOSAL.status,
        "operation": _PROPOSAL.operation,
        "created": _PROPOSAL.created,
        "createdBy": _PROPOSAL.created_by,
        "decided": _PROPOSAL.decided,
        "decidedBy": _PROPOSAL.decided_by,
        "comment": _PROPOSAL.comment,
        "ticket": _PROPOSAL.ticket,
    },
    searched=("id", "operation", "createdBy", "comment", "ticket"),
    key="id",
)

_ONE = select(tables.proposals).where(_PROPOSAL.id == bindparam("proposal"))


class Proposals(Repository):
    """The proposals of one transaction."""

    async def get(self, proposal_id: str) -> Proposal | None:
        row = (await self._connection.execute(_ONE, {"proposal": proposal_id})).one_or_none()
        return None if row is None else _record(row)

    async def page(
        self,
        query: Query,
        readable: Collection[Kind],
        user: str,
        own_since: datetime,
        writable: Collection[Kind] | None = None,
    ) -> Page[Proposal]:
        """Read the proposals that a user has made since a time, and those of kinds that the user may read.

        With the kinds that the user may write, only proposals that the user can approve.
        """
        own = and_(_PROPOSAL.created_by == user, _PROPOSAL.created >= own_since)
        statement = select(tables.proposals).where(or_(own, _only(readable)))
        if writable is not None:
            statement = statement.where(_can_be_approved(user, writable))
        found = await _LISTING.page(self._connection, statement, replace(query, sort=query.sort or ("-created",)))
        return found.page(map(_record, found.rows))

    async def changes(self, proposal_id: str) -> list[ProposedChange]:
        """Read the proposed changes in their order."""
        statement = select(tables.proposal_documents).where(_DOCUMENT.proposal_id == proposal_id)
        return [
            ProposedChange(
                kind=Kind(row.kind),
                key=row.key,
                action=Action(row.action),
                base=row.base,
                before=row.before,
                after=row.after,
                secret=row.secret,
            )
            for row in await self._connection.execute(statement.order_by(_DOCUMENT.number))
        ]

    async def kinds(self, proposal_id: str) -> set[Kind]:
        """Read the kinds of the documents that a proposal changes."""
        statement = select(_DOCUMENT.kind).where(_DOCUMENT.proposal_id == proposal_id).distinct()
        return set(map(Kind, await self._connection.scalars(statement)))

    async def pending(self) -> int:
        """Count the proposals that wait for a decision."""
        statement = select(func.count()).select_from(tables.proposals).where(_PROPOSAL.status == Status.PENDING)
        return await self._connection.scalar(statement) or 0

    async def count_for(self, user: str, writable: Collection[Kind]) -> int:
        """Count the proposals that a user can approve."""
        statement = select(func.count()).select_from(tables.proposals).where(_can_be_approved(user, writable))
        return await self._connection.scalar(statement) or 0

    async def effect(self, proposal_id: str) -> StoredEffect | None:
        statement = select(_EFFECT.digest, _EFFECT.effect).where(_EFFECT.proposal_id == proposal_id)
        row = (await self._connection.execute(statement)).one_or_none()
        return None if row is None else StoredEffect(row.digest, row.effect)

    async def add(
        self, proposal: Proposal, changes: Sequence[ProposedChange], effect: StoredEffect | None = None
    ) -> None:
        documents = [{"kind": one.kind, "id": one.key, "action": one.action} for one in changes[:100]]
        told = {"operation": proposal.operation, "total": len(changes), "documents": documents}
        self._journal.noted(Kind.PROPOSAL, proposal.id, Action.CREATED, after=told)
        await self._connection.execute(insert(tables.proposals).values({n: getattr(proposal, n) for n in _COLUMNS}))
        rows = [
            {
                "proposal_id": proposal.id,
                "number": number,
                **{name: getattr(one, name) for name in ("kind", "key", "action", "base", "before", "after", "secret")},
            }
            for number, one in enumerate(changes)
        ]
        await self._connection.execute(insert(tables.proposal_documents), rows)
        if effect is not None:
            values = {"proposal_id": proposal.id, "digest": effect.digest, "effect": effect.effect}
            await self._connection.execute(insert(tables.proposal_effects).values(values))

    async def decide(self, before: Proposal, after: Proposal) -> Proposal:
        """Store the decision; the secrets of the proposal are no longer needed."""
        told = {"status": after.status, "author": after.created_by, "decidedBy": after.decided_by}
        told["decision"] = after.decision
        was = {"status": before.status, "author": before.created_by}
        self._journal.noted(Kind.PROPOSAL, after.id, Action.CHANGED, was, told)
        values = {name: getattr(after, name) for name in _COLUMNS}
        await self._connection.execute(update(tables.proposals).where(_PROPOSAL.id == after.id).values(values))
        forget = update(tables.proposal_documents).where(_DOCUMENT.proposal_id == after.id)
        await self._connection.execute(forget.values(secret=None))
        return after

    async def purge(self, before: datetime) -> int:
        """Delete proposals that were created before a time, and return their number."""
        old = select(_PROPOSAL.id).where(_PROPOSAL.created < before)
        for ids in (_DOCUMENT.proposal_id, _EFFECT.proposal_id):
            await self._connection.execute(delete(ids.table).where(ids.in_(old)))
        return (await self._connection.execute(delete(tables.proposals).where(_PROPOSAL.created < before))).rowcount


def _only(kinds: Collection[Kind]) -> ColumnElement[bool]:
    """Return the condition: all documents of the proposal have one of the kinds."""
    others = select(_DOCUMENT.kind).where(
        _DOCUMENT.proposal_id == _PROPOSAL.id, _DOCUMENT.kind.not_in([kind.value for kind in kinds])
    )
    return ~others.exists()


def _can_be_approved(user: str, writable: Collection[Kind]) -> ColumnElement[bool]:
    return and_(_PROPOSAL.status == Status.PENDING, _PROPOSAL.created_by != user, _only(writable))


def _record(row: Row[Any]) -> Proposal:
    return Proposal(**{**{name: getattr(row, name) for name in _COLUMNS}, "status": Status(row.status)})
