"""Revisions of documents as the admin API answers them."""

from datetime import datetime
from typing import Any

from pydantic import Field

from rostrum.contracts.body import View

__all__ = ["RevisionDocument", "RevisionList", "RevisionView"]


class RevisionView(View):
    """One revision of a document: who did what to it, and when."""

    revision: int
    previous: int | None = Field(description="The revision before it; null when the document did not exist before.")
    action: str = Field(description="created, changed or deleted")
    at: datetime
    actor: str
    operation: str = Field(description="Id of the operation; the audit has an entry for the same revision.")


class RevisionDocument(RevisionView):
    """A document as it was from a revision on."""

    kind: str
    id: str
    document: dict[str, Any] | None = Field(description="The body, as it may be sent to replace the document.")


class RevisionList(View):
    """One page of revisions, newest first."""

    items: list[RevisionView]
    total: int
