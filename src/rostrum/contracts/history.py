"""Revisions of documents in the admin API."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from rostrum.contracts.audit import AuditChange
from rostrum.contracts.body import Body, View
from rostrum.contracts.choice import OneOf

Point = OneOf[Annotated[int, Field(ge=0, le=2**53)] | Annotated[str, Field(min_length=1, max_length=64)]]
"""The number of a revision, or a time with its zone."""


class RevisionView(View):
    """One revision of a document: author, action and time."""

    revision: int
    previous: int | None = Field(description="The revision before it; null when the document did not exist before.")
    action: str = Field(description="created, changed or deleted")
    at: datetime
    actor: str
    operation: str = Field(description="Id of the operation; the audit has an entry for the same revision.")
    comment: str = Field(description="The reason that the author gave; may be empty.")
    ticket: str = Field(description="The ticket that the author gave; may be empty.")


class RevisionDocument(RevisionView):
    """A document at a revision."""

    kind: str
    id: str
    batch: str | None = Field(description="The batch that the change was a part of.")
    document: dict[str, Any] | None = Field(description="The body, as it may be sent to replace the document.")


class RevisionList(View):
    """One page of revisions, newest first."""

    items: list[RevisionView]
    total: int


class EditView(View):
    """One step between two revisions."""

    op: str = Field(description="add, remove or replace")
    path: str = Field(description="JSON Pointer to the member that differs.")
    before: Any = None
    after: Any = None


class ComparisonView(View):
    """The differences between two revisions of a document."""

    kind: str
    id: str
    before: RevisionView | None = Field(description="The older side; null when the document did not exist then.")
    after: RevisionView | None = Field(description="The newer side; null when the document did not exist then.")
    diff: list[EditView] = Field(description="The edits in order; none when both are the same.")
    omitted: int = Field(description="How many more edits there are; 0 unless there are thousands.")


class RollBack(Body):
    """The target revision of a rollback."""

    # In a request, this member is not set by the server.
    server_filled = frozenset()

    revision: Point = Field(description="Number of a revision, or a time such as 2026-01-31T09:00:00Z.")


class RollBackAll(RollBack):
    """The target revision of a rollback of all documents of a kind."""

    dry_run: bool = Field(default=False, description="Only report the changes that would be made.")


class RolledBackView(View):
    """The result of rolling back all documents of a kind, or its preview."""

    to: int = Field(description="The revision it goes back to.")
    revision: int | None = Field(description="The revision that this made; null for a dry run.")
    newest: int = Field(description="The newest revision of the kind before; may be sent as If-Match.")
    changed: int = Field(description="How many documents changed; the first hundred of them are shown.")
    changes: list[AuditChange]
