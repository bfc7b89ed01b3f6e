"""Proposals: changes that wait for the approval of a second administrator."""

from datetime import datetime
from typing import Any

from pydantic import Field

from rostrum.contracts.audit import AuditChange
from rostrum.contracts.body import ListView, View
from rostrum.contracts.previews import PreviewedChange


class ProposalView(View):
    """A change that waits for approval, or was approved or rejected."""

    id: str
    status: str = Field(description="pending, approved or rejected")
    operation: str = Field(description="Id of the operation that the author has called.")
    comment: str
    ticket: str
    changed: int = Field(description="The number of documents that the proposal changes.")
    created: datetime
    created_by: str
    decided: datetime | None
    decided_by: str | None
    decision: str = Field(description="The comment of the administrator who decided.")
    revision: int | None = Field(description="The revision that the approval created.")


class ProposedChangeView(AuditChange):
    """The proposed change of one document."""

    base_revision: int | None = Field(description="The revision that the change is based on; null for a new document.")
    outdated: bool = Field(description="Whether the document has changed since; the proposal cannot be approved then.")


class EffectRollout(View):
    """A roll-out that has not ended: some of the users would receive its new version."""

    id: str
    stage: int
    stage_count: int
    created_by: str
    candidate: Any = Field(description="The new version; null if it is too large.")
    large: bool


class EffectDocument(View):
    """A document that users would receive by the proposal, or a changed document that is being rolled out."""

    kind: str
    id: str
    name: str
    content: Any = Field(description="The content; null for changed documents, and if it is too large.")
    large: bool
    rollout: EffectRollout | None


class EffectView(View):
    """What the proposal would change for users, when it was made; parts that the caller may not read are omitted."""

    users: int = Field(description="The number of affected users.")
    items: list[PreviewedChange] = Field(description="The most frequent different results.")
    unlisted: int = Field(description="Users whose result is not listed.")
    documents: list[EffectDocument]
    more_documents: int = Field(description="The number of documents that are not listed.")


class ProposalDetails(ProposalView):
    """A proposal with the first hundred changes, and its effect on users."""

    changes: list[ProposedChangeView]
    effect: EffectView | None = Field(description="Null for proposals that were made before effects were recorded.")


class ProposalList(ListView):
    """One page of proposals."""

    items: list[ProposalView]


class ProposedView(View):
    """The response to a change that requires approval: nothing was changed yet."""

    proposal: ProposalView
