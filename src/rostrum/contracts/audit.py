"""The audit in the admin API."""

from datetime import datetime
from typing import Any

from pydantic import Field

from rostrum.contracts.body import ListView, View


class AuditOrigin(View):
    """The origin of an operation."""

    address: str = Field(description="Address of the caller; for commands the account and machine they ran on.")
    request: str = Field(description="Id of the request, the same as in the log.")
    agent: str = Field(description="User agent of the client.")
    token: str | None = Field(None, description="Name and ID of the API token, if the request had one.")


class AuditEdit(View):
    """One changed value; secrets are masked, and large values are replaced by their size."""

    op: str = Field(description="add, remove or replace")
    path: str = Field(description="JSON Pointer to the member that changed.")
    before: Any = None
    after: Any = None
    before_size: int | None = Field(None, description="Bytes of a value that is too large to be shown.")
    after_size: int | None = Field(None, description="Bytes of a value that is too large to be shown.")


class AuditChange(View):
    """The change of one object by an operation."""

    kind: str
    id: str
    action: str = Field(description="created, changed or deleted; exported or imported for all data of the server")
    diff: list[AuditEdit]
    omitted: int | None = Field(None, description="Number of further edits that are not shown.")
    withheld: bool | None = Field(
        None, description="True when the contents are not shown because the caller may not read this kind."
    )
    digest: str | None = Field(None, description="SHA-256 of what it made of a document, as the history keeps it.")


class AuditBatch(View):
    """The batch that a change is a part of, and the reason that its author gave."""

    id: str
    comment: str
    ticket: str


class AuditApproval(View):
    """The approval of a change by a second administrator."""

    proposal: str
    author: str
    approver: str
    comment: str


class AuditEntryView(View):
    """One entry of the audit."""

    number: int = Field(description="Position in the chain.")
    revision: int | None = Field(description="The revision that the operation made; null when it changed no document.")
    at: datetime
    actor: str
    operation: str = Field(description="Id of the HTTP operation, or the command, or the occasion.")
    origin: AuditOrigin
    changed: int = Field(description="Number of changed objects; the first hundred are shown.")
    changes: list[AuditChange]
    batch: AuditBatch | None = Field(None, description="Only in entries of a batch.")
    comment: str | None = Field(None, description="The reason for the change, if its author gave one.")
    ticket: str | None = Field(None, description="The ticket of the change, if its author gave one.")
    approval: AuditApproval | None = Field(None, description="Only for changes that required approval.")
    hash: str = Field(description="SHA-256 over the hash before it, a line feed, and the canonical text of the entry.")


class AuditList(ListView):
    """One page of entries."""

    items: list[AuditEntryView]


class AuditFault(View):
    """The first modified entry, or the first entry whose document was modified."""

    number: int
    message: str


class AuditVerification(View):
    """The result of verifying the chain."""

    ok: bool
    entries: int = Field(description="The number of intact entries.")
    head: str = Field(description="Number and hash of the last intact entry; store it elsewhere, and send it later.")
    fault: AuditFault | None
