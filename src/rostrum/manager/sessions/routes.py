"""Client sessions: opened, kept active and closed by clients, and listed for administrators."""

from dataclasses import replace
from typing import Annotated, Any, Literal, Protocol

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
from rostrum.manager.audiences import EventKind
from rostrum.manager.auth.caller import Caller
from rostrum.manager.http.authentication import SIGNED_IN
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, nothing
from rostrum.manager.receipts.topic import ReceiptService
from rostrum.manager.records import as_json
from rostrum.manager.sessions.service import ActiveSession, SessionService
from rostrum.manager.topic import Routes

KindChoice = Annotated[
    Literal["apps", "layouts", "prefs", "systemConfig", "commands"],
    QueryParameter(description="The kind of the changed documents."),
]
RevisionChoice = Annotated[
    int,
    QueryParameter(
        ge=0, le=2**53, description="Only sessions that are affected by a change at this revision or later."
    ),
]
ActiveOnly = Annotated[
    bool, QueryParameter(description="Only sessions that have not ended and whose client was recently in contact.")
]
SessionKey = Annotated[str, PathParameter(description="The ID of the session.", max_length=64)]


class ClientTokens(Protocol):
    """Issues tokens for further requests of a client."""

    def client_token(self, caller: Caller, session: str | None = None) -> tuple[str, int]:
        """Issue a token, with its lifetime in seconds."""
        ...


@post(
    "/sessions",
    operation_id="openSession",
    tags=["sessions"],
    opt={SIGNED_IN: True},
    **answers(201, OpenedSession, 403, 409, 413),
)
async def open_session(
    request: ManagerRequest, sessions: Part[SessionService], logins: Part[ClientTokens], data: JSONBody[SessionOpening]
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
    sessions: Part[SessionService],
    session_id: SessionKey,
    data: JSONBody[SessionHeartbeat | None] = None,
) -> Response[Any]:
    """Report that a session of the caller is active, and optionally its commands and the changes it has applied."""
    touched = await sessions.heartbeat(request.user, session_id, data or SessionHeartbeat())
    return answer(request, touched.as_json())


@delete("/sessions/{session_id:str}", operation_id="closeSession", tags=["sessions"], **answers(204, None, 403, 404))
async def close_session(
    request: ManagerRequest, sessions: Part[SessionService], session_id: SessionKey
) -> Response[None]:
    """Close a session of the caller and revoke its token."""
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
    sessions: Part[SessionService],
    wanted: Wanted,
    active: ActiveOnly = False,  # noqa: FBT002 - the framework calls it
) -> Response[Any]:
    """List sessions; filters: id, user, machine, version, env, region, product, started, lastSeen, ended, outdated.

    The filter `outdated` is `apps`, `layouts`, `prefs` or `systemConfig`. It selects sessions that have not reported
    the newest revision of this kind as applied.
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
    receipts: Part[ReceiptService],
    wanted: Wanted,
    kind: KindChoice = "systemConfig",
    revision: RevisionChoice = 0,
) -> Response[Any]:
    """List the active sessions, with the newest changes of a kind that each has to apply and has applied.

    Filters: applied, session, user, machine, lastSeen, reported, `due` (the revision that the session has to apply).
    """
    filters = {name: value for name, value in wanted.filters.items() if name not in ("kind", "revision")}
    found = await receipts.standing(request.user, replace(wanted, filters=filters), EventKind(kind), revision)
    return answer(request, {**page_view(found.page, as_json), "applied": found.applied, "pending": found.pending})


@get(
    "/admin/sessions/{session_id:str}",
    operation_id="readSession",
    tags=["sessions"],
    **answers(200, SessionView, 304, 403, 404, right=Permission.SESSIONS_READ),
)
async def read_session(
    request: ManagerRequest, sessions: Part[SessionService], session_id: SessionKey
) -> Response[Any]:
    """Read a session."""
    return answer(request, (await sessions.get(request.user, session_id)).as_json())


@delete(
    "/admin/sessions/{session_id:str}",
    operation_id="endSession",
    tags=["sessions"],
    **answers(204, None, 403, 404, right=Permission.SESSIONS_WRITE),
)
async def end_session(
    request: ManagerRequest, sessions: Part[SessionService], session_id: SessionKey
) -> Response[None]:
    """End a session: its client has to sign in again."""
    await sessions.end(request.user, session_id)
    return nothing()


ROUTES = Routes((open_session, touch_session, close_session, list_sessions, list_receipts, read_session, end_session))
