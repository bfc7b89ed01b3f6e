"""Proposals: listed, compared, approved by a second administrator, or rejected."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from msgspec import Struct, structs

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.policy import require
from rostrum.manager.audit.model import shown_one_by_one
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.changes.origin import Approval, Reason, current_origin
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Forbidden, NotFound, found
from rostrum.manager.history.restore import DocumentService
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.proposals.effect import require_visible, visible_effect
from rostrum.manager.proposals.independence import independent_rights
from rostrum.manager.proposals.model import Proposal, ProposedChange, Status
from rostrum.manager.proposals.repository import Proposals
from rostrum.manager.rollouts.content import finish_saved
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.sign_in.callers import current_identity, is_same_account
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import save_user

_MOST_SHOWN = 100
_OTHER_EFFECT = (
    "The effect of the proposal has changed: users would now receive something else by it than when it was made, for "
    "example because another document has changed, or a roll-out has begun. Reject the proposal, and make the change "
    "again."
)

Service = DocumentService | type[DocumentService]


class _TriedOut(Exception):
    """Undoes the changes that were only tried out."""


class ProposalDetails(Struct, frozen=True, kw_only=True):
    """A proposal with the first changes, and whether each document has changed since."""

    proposal: Proposal
    changes: Sequence[dict[str, Any]]
    effect: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        return {**self.proposal.as_json(), "changes": self.changes, "effect": self.effect}


class ProposalService:
    """The proposals of the manager."""

    def __init__(self, storage: Storage, services: Iterable[Service], *, approver_hours: int) -> None:
        """Create the service. Accounts count as dependent for some hours before a proposal, and after it."""
        self._storage = storage
        self._period = timedelta(hours=approver_hours)
        self._services = {service.kind: service for service in services}

    async def page(self, identity: Identity, query: Query) -> Page[Proposal]:
        """List proposals that the caller may read, newest first.

        With the filter ``decision`` and the value ``mine``, only those that the caller can approve.
        """
        readable = [kind for kind, facts in DOCUMENT_KINDS.items() if facts.read in identity.permissions]
        filters = dict(query.filters)
        decision = filters.pop("decision", None)
        if decision not in (None, "mine"):
            raise Invalid("invalid filter", [Problem(path="decision", message="must be mine")])
        writable = None if decision is None else approvable(identity)
        async with self._storage.read() as work:
            user = await work.of(Users).get(identity.user)
            own_since = work.now if user is None else user.stamp.created
            return await work.of(Proposals).page(
                replace(query, filters=filters), readable, identity.user, own_since, writable
            )

    async def get(self, identity: Identity, proposal_id: str) -> ProposalDetails:
        """Read a proposal with its differences."""
        async with self._storage.read() as work:
            proposal = await _visible(work, identity, proposal_id)
            changes = (await work.of(Proposals).changes(proposal_id))[:_MOST_SHOWN]
            revisions = [await _revision(work, one) for one in changes]
            stored = await work.of(Proposals).effect(proposal_id)
        pending = proposal.status is Status.PENDING
        edits = [one.as_change() for one in changes]
        diffs = await offload(sum(one.size for one in changes), shown_one_by_one, edits)
        shown = [
            {**diff, "baseRevision": one.base, "outdated": pending and revision != one.base}
            for diff, one, revision in zip(diffs, changes, revisions, strict=True)
        ]
        effect = None if stored is None else visible_effect(json_text.parse(stored.effect), identity)
        return ProposalDetails(proposal=proposal, changes=shown, effect=effect)

    @prepares_audit
    async def approve(self, identity: Identity, proposal_id: str) -> Proposal:
        """Make the proposed changes in one transaction, if the author and the caller may both make them now."""
        async with self._storage.write(identity.user) as work:
            before = _pending(await _visible(work, identity, proposal_id))
            if before.created_by == identity.user:
                raise Forbidden("You cannot approve your own proposal. Ask another administrator.")
            changes = await work.of(Proposals).changes(proposal_id)
            author = await current_identity(work, before.created_by, None, before.created)
            kinds = {one.kind for one in changes}
            for kind in kinds:
                require(identity, DOCUMENT_KINDS[kind].write)
                require(author, DOCUMENT_KINDS[kind].write)
            rights = await independent_rights(work, before, identity, kinds, self._period)
            effect = await work.of(Proposals).effect(proposal_id)
            if effect is not None:
                require_visible(json_text.parse(effect.effect), identity)
            await _check_revisions(work, changes)
            decision = current_origin().reason.comment
            work.approval = Approval(
                proposal=before.id, author=before.created_by, approver=identity.user, comment=decision
            )
            work.reason = Reason(comment=before.comment, ticket=before.ticket)
            # Guards, for example about rights that a user would receive, depend on the person.
            with suppress(_TriedOut):
                async with work.attempt():
                    await self._apply(work, rights, changes)
                    raise _TriedOut
            await self._apply(work, author, changes)
            now = await work.effect()
            if work.verifies_effects and (now is None or effect is None or now.digest != effect.digest):
                raise Conflict(_OTHER_EFFECT)
            if now is not None:
                await work.of(Rollouts).approve(now.rollouts, proposal_id)
            after = replace(
                before,
                status=Status.APPROVED,
                decided=work.now,
                decided_by=identity.user,
                decision=decision,
                revision=work.revision,
            )
            return await work.of(Proposals).decide(before, after)

    async def reject(self, identity: Identity, proposal_id: str) -> Proposal:
        """Refuse a proposal; its author can withdraw it in the same way."""
        async with self._storage.note(identity.user) as work:
            before = _pending(await _visible(work, identity, proposal_id))
            if not await _is_author(work, identity, before):
                for kind in await work.of(Proposals).kinds(proposal_id):
                    require(identity, DOCUMENT_KINDS[kind].write)
            decision = current_origin().reason.comment
            after = replace(
                before, status=Status.REJECTED, decided=work.now, decided_by=identity.user, decision=decision
            )
            return await work.of(Proposals).decide(before, after)

    async def _apply(self, work: Work, identity: Identity, changes: Sequence[ProposedChange]) -> None:
        # Deleted and renamed documents must not occupy the names of others.
        for one in changes:
            if one.after is not None and one.base is not None:
                await finish_saved(work, one.kind, one.key, one.after)
            if one.after is None:
                await self._services[one.kind].restore(work, identity, one.key, None)
            elif one.base is not None:
                await self._services[one.kind].release_name(work, one.key)
        for one in changes:
            if one.after is not None:
                await self._services[one.kind].restore(work, identity, one.key, one.after)
            if one.secret is not None and one.kind is Kind.USER:
                user = found(await work.of(Users).get(one.key), "user", one.key)
                hashed = json_text.parse(one.secret)["passwordHash"]
                await save_user(work, identity, user, structs.replace(user, password_hash=hashed))


def approvable(identity: Identity) -> list[Kind]:
    """Return the kinds of documents whose proposals a caller can approve; programs can approve none."""
    if identity.token is not None:
        return []
    return [kind for kind, facts in DOCUMENT_KINDS.items() if facts.write in identity.permissions]


async def _visible(work: Work, identity: Identity, proposal_id: str) -> Proposal:
    proposal = found(await work.of(Proposals).get(proposal_id), "proposal", proposal_id)
    kinds = await work.of(Proposals).kinds(proposal_id)
    may_read = all(DOCUMENT_KINDS[kind].read in identity.permissions for kind in kinds)
    if not may_read and not await _is_author(work, identity, proposal):
        raise NotFound("proposal", proposal_id)
    return proposal


async def _is_author(work: Work, identity: Identity, proposal: Proposal) -> bool:
    return proposal.created_by == identity.user and await is_same_account(work, identity.user, proposal.created)


def _pending(proposal: Proposal) -> Proposal:
    if proposal.status is not Status.PENDING:
        raise Conflict(f"the proposal was already {proposal.status} by {proposal.decided_by}")
    return proposal


async def _revision(work: Work, change: ProposedChange) -> int | None:
    document = await work.documents(change.kind).get(change.key)
    return None if document is None else document.stamp.revision


async def _check_revisions(work: Work, changes: Sequence[ProposedChange]) -> None:
    for one in changes:
        revision = await _revision(work, one)
        if revision != one.base:
            was = "did not exist" if one.base is None else f"had revision {one.base}"
            now = "does not exist" if revision is None else f"has revision {revision}"
            raise Conflict(
                f"The {DOCUMENT_KINDS[one.kind].noun} {one.key!r} has changed since the proposal: it {was}, and now it "
                f"{now}. Reject the proposal, and make the change again."
            )
