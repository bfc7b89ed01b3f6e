"""The audit log for administrators. No operation can write it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from rostrum.base.json_text import raw
from rostrum.contracts.audit import AuditEntryView, AuditList, AuditVerification
from rostrum.manager.access.permissions import Permission
from rostrum.manager.audit.model import AuditEntry
from rostrum.manager.audit.service import AuditService
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.topic import Routes

EntryNumber = Annotated[str, PathParameter(description="The entry's number.", max_length=64)]
Since = Annotated[
    str | None, QueryParameter(name="from", description="Only entries of this time, zone included, and later.")
]
Until = Annotated[str | None, QueryParameter(name="to", description="Only entries before this time.")]


Head = Annotated[
    str | None,
    QueryParameter(description="Number and hash of an entry that is known, with a colon between.", max_length=100),
]

LINES = "application/x-ndjson"


@get(
    "/admin/audit",
    operation_id="listAudit",
    tags=["audit"],
    **answers(200, AuditList, 304, 403, right=Permission.AUDITS_READ),
)
async def list_audit(
    request: ManagerRequest, audit: Part[AuditService], wanted: Wanted, since: Since = None, until: Until = None
) -> Response[Any]:
    """List audit entries, newest first.

    Filters: actor, operation, kind, id, revision, number, batch, comment and ticket.
    """
    filters = {name: value for name, value in wanted.filters.items() if name not in ("from", "to")}
    page = await audit.page(request.user, replace(wanted, filters=filters), since=since, until=until)
    return answer(request, page_view(page, _entry_json))


@get(
    "/admin/audit/{entry_number:str}",
    operation_id="readAuditEntry",
    tags=["audit"],
    **answers(200, AuditEntryView, 304, 403, 404, right=Permission.AUDITS_READ),
)
async def read_audit_entry(
    request: ManagerRequest, audit: Part[AuditService], entry_number: EntryNumber
) -> Response[Any]:
    """Read one entry."""
    return answer(request, _entry_json(await audit.get(request.user, entry_number)))


@get(
    "/admin/audit/verify",
    operation_id="verifyAudit",
    tags=["audit"],
    **answers(200, AuditVerification, 304, 403, right=Permission.AUDITS_READ),
)
async def verify_audit(request: ManagerRequest, audit: Part[AuditService], head: Head = None) -> Response[Any]:
    """Verify the hash chain, and return the first entry that was modified, removed or moved."""
    return answer(request, (await audit.verify(request.user, head)).as_json())


@get(
    "/admin/audit/export",
    operation_id="exportAudit",
    tags=["audit"],
    **answers(200, str, 403, media_type=LINES, right=Permission.AUDITS_READ),
)
async def export_audit(request: ManagerRequest, audit: Part[AuditService]) -> Stream:
    """Download all entries in order, one JSON object per line."""
    headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="audit.jsonl"'}
    return Stream(_lines(audit.export(request.user)), media_type=LINES, headers=headers)


async def _lines(entries: AsyncIterator[AuditEntry]) -> AsyncIterator[bytes]:
    async for entry in entries:
        yield f"{entry.as_line()}\n".encode()


ROUTES = Routes((list_audit, read_audit_entry, verify_audit, export_audit))


def _entry_json(entry: AuditEntry) -> Any:
    """Return the canonical text of an entry and its hash."""
    return raw(entry.as_line())
