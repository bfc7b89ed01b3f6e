"""Ends transactions whose changes require approval, and stores their changes as proposals."""

from collections.abc import Sequence

from rostrum.base import json_text
from rostrum.base.ids import new_id
from rostrum.manager.approval.repository import Reach
from rostrum.manager.approval.rules import TOO_MANY_STEPS
from rostrum.manager.changes.model import Effect
from rostrum.manager.changes.origin import Reason, current_origin
from rostrum.manager.document import Document
from rostrum.manager.errors import Conflict, Forbidden, Proposed
from rostrum.manager.history.journal import Change
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.proposals.model import (
    MOST_BYTES,
    MOST_DOCUMENTS,
    MOST_PENDING,
    Proposal,
    ProposedChange,
    StoredEffect,
)
from rostrum.manager.proposals.repository import Proposals
from rostrum.manager.storage import Postponed, Storage, Work

_NO_IMPORT = (
    "An import changes what all users receive, which requires the approval of a second administrator, and it cannot "
    "become a proposal. Import the file on the server, with the command rostrum manager import."
)
_NOT_AS_OWNER = (
    "the layout is shared with other users, and changes of what they receive require approval: only an administrator "
    "can propose to change it"
)


class ApprovalRequired(Postponed):
    """Ends a transaction whose changes must be approved."""

    def __init__(self, changes: Sequence[ProposedChange], reason: Reason, effect: Effect | None) -> None:
        super().__init__("the changes require approval")
        self.changes = changes
        self.reason = reason
        self.effect = effect

    async def store(self, storage: Storage, actor: str) -> Proposed:
        """Store the changes as a proposal."""
        if len(self.changes) > MOST_DOCUMENTS or sum(one.size for one in self.changes) > MOST_BYTES:
            raise Conflict(
                f"The change requires the approval of a second administrator. A proposal can contain {MOST_DOCUMENTS} "
                "documents and 16 MiB: make the change in several steps."
            )
        effect = None
        if self.effect is not None:
            effect = StoredEffect(self.effect.digest, await self.effect.text())
        async with storage.note(actor) as work:
            proposals = work.of(Proposals)
            if await proposals.pending() >= MOST_PENDING:
                raise Conflict(f"{MOST_PENDING} proposals wait for approval. Approve or reject some of them first.")
            proposal = Proposal(
                id=new_id(),
                operation=current_origin().operation,
                changed=len(self.changes),
                created=work.now,
                created_by=actor,
                comment=self.reason.comment,
                ticket=self.reason.ticket,
            )
            work.reason = self.reason
            await proposals.add(proposal, self.changes, effect)
        return Proposed(proposal.id, proposal.as_json())


async def require_comment_and_approval(work: Work, changes: Sequence[Change], reason: Reason) -> None:
    """Apply the rules for changes by administrators."""
    if current_origin().is_administration:
        work.rules.require_comment(work.journal.direct_kinds(changes), reason)
    if work.rules.approval_kinds and work.approval is None and not work.is_approved:
        await _check_approval(work, changes, reason)


async def _check_approval(work: Work, changes: Sequence[Change], reason: Reason) -> None:
    origin, reach = current_origin(), work.of(Reach)
    direct = work.journal.direct_changes(changes)
    pairs = [*((before, change.document) for change, before in direct), *work.journal.consequences()]
    if origin.can_propose:
        if any(change.kind is Kind.SERVER and change.action is Action.IMPORTED for change in changes):
            raise Conflict(_NO_IMPORT)
        if await reach.requiring_approval(work.rules, pairs):
            await _propose(work, direct, reason)
    elif origin.request and await reach.shared_beyond_owner(work.rules, pairs):
        # Users change their own data, which others can receive as well.
        raise Forbidden(_NOT_AS_OWNER)


async def _propose(work: Work, direct: Sequence[tuple[Change, Document | None]], reason: Reason) -> None:
    """End the transaction: its changes become one proposal, and have their consequences when it is approved."""
    if not work.is_proposable:
        raise Conflict(TOO_MANY_STEPS)
    proposed = [
        ProposedChange(
            kind=change.kind,
            key=change.key,
            action=change.action,
            base=None if before is None else before.stamp.revision,
            before=change.before,
            after=change.after,
            secret=_secret(change),
        )
        for change, before in direct
    ]
    raise ApprovalRequired(proposed, reason, await work.effect())


def _secret(change: Change) -> str | None:
    """Return the members that the text of a document does not contain."""
    if not change.secrets or change.document is None:
        return None
    return json_text.dump({"passwordHash": getattr(change.document, "password_hash", None)}).decode()
