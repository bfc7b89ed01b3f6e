"""Client sessions: opened, kept active and closed by clients, and listed for administrators."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from rostrum.contracts.sessions import (
    OpenedSession,
    ReceiptList,
    SessionHeartbeat,
    SessionList,
    SessionOpening,
    SessionView,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.events.model import EventKind
from rostrum.manager.http.authentication import SIGNED_IN
from rostrum.manager.http.dependencies import LoginsPart, ReceiptsPart, SessionsPart, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, nothing
from rostrum.manager.receipts.model import Receipt
from rostrum.manager.sessions.service import ActiveSession

KindChoice = Annotated[
    Literal["apps", "layouts", "prefs", "systemConfig", "commands"],
    QueryParameter(description="The kind of the changed documents."),
]
RevisionChoice = Annotated[
    int,
    QueryParameter(
        ge=0, le=2**53, description="Only sessions that a change at this revision or later concerns; who has it?"
    ),
]
SessionKey = Annotated[str, PathParameter(description="The session's id.", max_length=64)]


@post(
    "/sessions",
    operation_id="openSession",
    tags=["sessions"],
    opt={SIGNED_IN: True},
    **answers(201, OpenedSession, 403, 409, 413),
)
async def open_session(
    request: ManagerRequest, sessions: SessionsPart, logins: LoginsPart, data: JSONBody[SessionOpening]
) -> Response[Any]:
    """Open a session. Use the returned token for further requests."""
    opened = await sessions.open(request.user, data)
    token, seconds = logins.client_token(request.auth, opened.session.id)
    body = {**opened.as_json(), "token": token, "expiresIn": seconds}
    return created(body, None, f"{request.url.path}/{opened.session.id}")


@patch(
    "/sessions/{session_id:str}",
    operation_id="touchSession",
    tags=["sessions"],
    **answers(200, SessionView, 403, 404, 409, 413),
)
async def touch_session(
    request: ManagerRequest,
    sessions: SessionsPart,
    session_id: SessionKey,
    data: JSONBody[SessionHeartbeat | None] = None,
) -> Response[Any]:
    """Report that the session is active."""
    evaluated = await sessions.heartbeat(request.user, session_id, data or SessionHeartbeat())
    return answer(request, evaluated.as_json())


@delete("/sessions/{session_id:str}", operation_id="closeSession", tags=["sessions"], **answers(204, None, 403, 404))
async def close_session(request: ManagerRequest, sessions: SessionsPart, session_id: SessionKey) -> Response[None]:
    """Close a session and revoke its token."""
    await sessions.close(request.user, session_id)
    return nothing()


@get(
    "/admin/sessions",
    operation_id="listSessions",
    tags=["sessions"],
    **answers(200, SessionList, 304, 403, right=Permission.SESSIONS_READ),
)
async def list_sessions(
    request: ManagerRequest,
    sessions: SessionsPart,
    wanted: Wanted,
    active: Annotated[bool, QueryParameter(description="Only sessions that are neither ended nor silent.")] = False,  # noqa: FBT002
) -> Response[Any]:
    """List sessions; filters: user, machine, version, env, region, product.

    With `outdated` and `apps`, `layouts`, `prefs` or `systemConfig`: only sessions that have not reported the newest
    revision of this kind as applied.
    """
    filters = {name: value for name, value in wanted.filters.items() if name != "active"}
    page = await sessions.page(request.user, replace(wanted, filters=filters), active_only=active)
    return answer(request, page_view(page, ActiveSession.as_json))


@get(
    "/admin/sessions/receipts",
    operation_id="listReceipts",
    tags=["sessions"],
    **answers(200, ReceiptList, 304, 403, right=Permission.SESSIONS_READ),
)
async def list_receipts(
    request: ManagerRequest,
    receipts: ReceiptsPart,
    wanted: Wanted,
    kind: KindChoice = "systemConfig",
    revision: RevisionChoice = 0,
) -> Response[Any]:
    """List the active sessions that have applied changes of a kind; filters: applied, session, user, machine, `due`."""
    filters = {name: value for name, value in wanted.filters.items() if name not in ("kind", "revision")}
    found = await receipts.standing(request.user, replace(wanted, filters=filters), EventKind(kind), revision)
    return answer(
        request,
        {**page_view(found.page, Receipt.as_json), "applied": found.applied, "pending": found.pending},
    )


@get(
    "/admin/sessions/{session_id:str}",
    operation_id="readSession",
    tags=["sessions"],
    **answers(200, SessionView, 304, 403, 404, right=Permission.SESSIONS_READ),
)
async def read_session(request: ManagerRequest, sessions: SessionsPart, session_id: SessionKey) -> Response[Any]:
    """Read a session."""
    return answer(request, (await sessions.get(request.user, session_id)).as_json())


@delete(
    "/admin/sessions/{session_id:str}",
    operation_id="endSession",
    tags=["sessions"],
    **answers(204, None, 403, 404, right=Permission.SESSIONS_WRITE),
)
async def end_session(request: ManagerRequest, sessions: SessionsPart, session_id: SessionKey) -> Response[None]:
    """End a session: its client has to sign in again."""
    await sessions.end(request.user, session_id)
    return nothing()


HANDLERS = (open_session, touch_session, close_session, list_sessions, list_receipts, read_session, end_session)
