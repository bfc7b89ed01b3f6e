"""Revisions of documents as the admin API answers them."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from rostrum.contracts.audit import AuditChange
from rostrum.contracts.body import Body, View
from rostrum.contracts.choice import OneOf

Point = OneOf[Annotated[int, Field(ge=0, le=2**53)] | Annotated[str, Field(min_length=1, max_length=64)]]
"""The number of a revision, or a time with its zone."""


class RevisionView(View):
    """One revision of a document: who did what to it, and when."""

    revision: int
    previous: int | None = Field(description="The revision before it; null when the document did not exist before.")
    action: str = Field(description="created, changed or deleted")
    at: datetime
    actor: str
    operation: str = Field(description="Id of the operation; the audit has an entry for the same revision.")
    comment: str = Field(description="The reason that the author gave; may be empty.")
    ticket: str = Field(description="The ticket that the author gave; may be empty.")


class RevisionDocument(RevisionView):
    """A document as it was from a revision on."""

    kind: str
    id: str
    batch: str | None = Field(description="The batch that the change was a part of.")
    document: dict[str, Any] | None = Field(description="The body, as it may be sent to replace the document.")


class RevisionList(View):
    """One page of revisions, newest first."""

    items: list[RevisionView]
    total: int


class EditView(View):
    """One step from one revision to another."""

    op: str = Field(description="add, remove or replace")
    path: str = Field(description="JSON Pointer to the member that differs.")
    before: Any = None
    after: Any = None


class ComparisonView(View):
    """What changed from one revision of a document to another."""

    kind: str
    id: str
    before: RevisionView | None = Field(description="The older side; null when the document did not exist then.")
    after: RevisionView | None = Field(description="The newer side; null when the document did not exist then.")
    diff: list[EditView] = Field(description="The edits in order; none when both are the same.")
    omitted: int = Field(description="How many more edits there are; 0 unless there are thousands.")


class RollBack(Body):
    """To where a document goes back."""

    # A revision is what is asked for here, not what the server fills in.
    server_filled = frozenset()

    revision: Point = Field(description="Number of a revision, or a time such as 2026-01-31T09:00:00Z.")


class RollBackAll(RollBack):
    """To where all documents of a kind go back."""

    dry_run: bool = Field(default=False, description="Only report the changes that would be made.")


class RolledBackView(View):
    """What rolling back all documents of a kind did, or would do."""

    to: int = Field(description="The revision it goes back to.")
    revision: int | None = Field(description="The revision that this made; null for a dry run.")
    newest: int = Field(description="The newest revision of the kind before; may be sent as If-Match.")
    changed: int = Field(description="How many documents changed; the first hundred of them are shown.")
    changes: list[AuditChange]
