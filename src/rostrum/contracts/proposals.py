"""Proposals: changes that wait for the approval of a second administrator."""

from datetime import datetime

from pydantic import Field

from rostrum.contracts.audit import AuditChange
from rostrum.contracts.body import ListView, View


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


class ProposalDetails(ProposalView):
    """A proposal with the first hundred changes."""

    changes: list[ProposedChangeView]


class ProposalList(ListView):
    """One page of proposals."""

    items: list[ProposalView]


class ProposedView(View):
    """The response to a change that requires approval: nothing was changed yet."""

    proposal: ProposalView
