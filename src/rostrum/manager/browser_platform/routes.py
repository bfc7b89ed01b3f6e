"""Sessions of existing browser platforms: hello, polls, new tokens and goodbye, and the apps that they show."""

from dataclasses import replace
from typing import Any

from litestar import Response, get, post
from litestar.params import JSONBody

from rostrum import __version__
from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.browser_platform import (
    PRODUCT,
    DataInfo,
    Goodbye,
    Hello,
    HelloView,
    KindRequest,
    LatestDataInfo,
    Poll,
    PollView,
    ServerInfoView,
    TokenRefresh,
    TokenRefreshView,
)
from rostrum.contracts.sessions import SessionOpening
from rostrum.manager.apps.shared import SharedApps
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Credentials
from rostrum.manager.browser_platform.store_routes import layouts_text
from rostrum.manager.config import ManagerConfig
from rostrum.manager.content_versions import APPS_TOPICS, LAYOUTS_TOPICS, ContentTopic, ContentVersions
from rostrum.manager.errors import InvalidPlatformToken
from rostrum.manager.gateways import gateway_of
from rostrum.manager.http.authentication import SIGNED_IN
from rostrum.manager.http.cacheable_routes import APPS_READ, CacheableRoute
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.platform_token import PLATFORM, authenticate_platform
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, answer_bytes, nothing
from rostrum.manager.layouts.own import OwnLayoutService
from rostrum.manager.sessions.contacts import SessionContacts
from rostrum.manager.sessions.service import SessionService
from rostrum.manager.sign_in.sessions import LoginSessions
from rostrum.manager.storage import Storage
from rostrum.manager.topic import Routes

_TAGS = ["browser platform"]
_PLATFORM = {PLATFORM: True}
_SESSIONS = {PLATFORM: True, SIGNED_IN: True}
_NO_STORE = {"Cache-Control": "no-store"}
_CAPABILITIES: tuple[str, ...] = ()


@post("/user/hello", operation_id="platformHello", tags=_TAGS, opt=_SESSIONS, **answers(200, HelloView, 403, 409, 413))
async def hello(
    request: ManagerRequest,
    *,
    sessions: Part[SessionService],
    logins: Part[LoginSessions],
    shared_apps: Part[SharedApps],
    own_layouts: Part[OwnLayoutService],
    storage: Part[Storage],
    data: JSONBody[Hello],
) -> Response[Any]:
    """Open a session of a browser platform. Returns its token, and the requested apps and layouts."""
    opened = await sessions.open(request.user, _opening(data))
    token, _ = logins.client_token(request.auth, opened.session.id)
    marks = await storage.revisions.current()
    wanted = data.initial_data_request
    parts: list[bytes] = []
    if wanted is not None and wanted.applications is not None and wanted.applications.include:
        parts.append(await _applications(request, shared_apps, marks, wanted.applications.latest_data_info))
    if wanted is not None and wanted.layouts is not None and wanted.layouts.include:
        parts.append(await _layouts(request, own_layouts, marks, wanted.layouts.latest_data_info))
    members = [b'"token":' + json_text.dump(token), b'"data":{%b}' % b",".join(parts)]
    if data.include_server_info:
        members.append(b'"serverInfo":' + json_text.dump(_server_info()))
    body = b"{%b}" % b",".join(members)
    return Response(body, status_code=200, media_type="application/json", headers=_NO_STORE)


@post("/user", operation_id="platformPoll", tags=_TAGS, opt=_PLATFORM, **answers(200, PollView, 304, 403, 413))
async def poll(
    request: ManagerRequest,
    *,
    contacts: Part[SessionContacts],
    shared_apps: Part[SharedApps],
    own_layouts: Part[OwnLayoutService],
    storage: Part[Storage],
    data: JSONBody[Poll],
) -> Response[Any]:
    """Return the apps and layouts that have changed since the given states."""
    claims = request.auth.claims
    if claims is not None and claims.session is not None:
        await contacts.record(request.user, claims.session)
    # Before anything is read: what is read is then as new as these marks, or newer.
    marks = await storage.revisions.current()
    known = data.latest_data_info or LatestDataInfo()
    apps = _known(data.applications, known.applications)
    layouts = _known(data.layouts, known.layouts)
    parts = (
        await _applications(request, shared_apps, marks, apps),
        await _layouts(request, own_layouts, marks, layouts),
    )
    return answer_bytes(request, b"{%b}" % b",".join(parts), is_question=True)


@post(
    "/user/refresh",
    operation_id="platformRefresh",
    tags=_TAGS,
    opt=_SESSIONS,
    **answers(200, TokenRefreshView, 403, 413),
)
async def refresh(
    request: ManagerRequest,
    authenticator: Part[Authenticator],
    logins: Part[LoginSessions],
    data: JSONBody[TokenRefresh],
) -> Response[Any]:
    """Return a new token for the session of the token. The old token stays valid until it expires."""
    holder = await authenticate_platform(authenticator, Credentials(), data.token) if data.token else None
    if holder is None or holder.identity.user != request.user.user:
        raise InvalidPlatformToken
    token, _ = logins.client_token(holder)
    return Response({"token": token}, status_code=200, media_type="application/json", headers=_NO_STORE)


@post("/user/goodbye", operation_id="platformGoodbye", tags=_TAGS, opt=_PLATFORM, **answers(204, None, 403, 404, 413))
async def goodbye(request: ManagerRequest, sessions: Part[SessionService], data: JSONBody[Goodbye]) -> Response[None]:
    """End a session of the caller: the given session, or the session of the token."""
    claims = request.auth.claims
    session = data.session or (claims.session if claims is not None else None)
    if session is None:
        message = "must name a session of yours, unless the request has the token of one"
        raise Invalid("the session is not specified", [Problem(path="session", message=message)])
    await sessions.close(request.user, session)
    return nothing()


@get("/user/apps", operation_id="getPlatformApps", tags=_TAGS, opt=_PLATFORM, **answers(200, list[dict[str, Any]], 304))
async def get_platform_apps(request: ManagerRequest, shared_apps: Part[SharedApps]) -> Response[Any]:
    """Return the same app definitions as `/apps`, as an array."""
    return answer_bytes(request, (await shared_apps.of(request.auth)).content)


@get("/v2/server/info", operation_id="readServerInfo", tags=_TAGS, **answers(200, ServerInfoView, 304))
async def read_server_info(request: ManagerRequest, config: Part[ManagerConfig]) -> Response[Any]:
    """Return the version of this server, the supported optional parts of the protocol, and the caller's gateway."""
    address = gateway_of(config, request.user.user)
    return answer(request, _server_info() | ({"gatewayUrl": address} if address else {}))


def _server_info() -> dict[str, Any]:
    return {"version": __version__, "capabilities": list(_CAPABILITIES)}


def _opening(data: Hello) -> SessionOpening:
    """Describe the session as clients of `/sessions` do."""
    glue = data.glue
    core = glue.core.platform if glue is not None and glue.core is not None else None
    version = (glue and glue.version) or (core and core.version)
    return SessionOpening(
        machine=data.machine,
        version=version or "",
        env=(glue and glue.env) or "",
        region=(glue and glue.region) or "",
        product=PRODUCT,
    )


def _known(named: KindRequest | None, listed: DataInfo | None) -> DataInfo | None:
    return listed or (named.latest_data_info if named is not None else None)


async def _applications(
    request: ManagerRequest, shared_apps: Part[SharedApps], marks: ContentVersions | None, known: DataInfo | None
) -> bytes:
    apps = await shared_apps.of(request.auth)
    last = 0 if marks is None else marks.of(APPS_TOPICS)
    return b'"applications":' + _collection(apps.content, apps.checksum, last, known)


async def _layouts(
    request: ManagerRequest, own_layouts: Part[OwnLayoutService], marks: ContentVersions | None, known: DataInfo | None
) -> bytes:
    array = layouts_text(await own_layouts.visible(request.user))
    last = 0 if marks is None else marks.of(LAYOUTS_TOPICS)
    return b'"layouts":' + _collection(array, json_text.digest(array), last, known)


def _collection(array: bytes, checksum: str, last: int, known: DataInfo | None) -> bytes:
    """Write a collection, empty if the client has it; the number only counts without a checksum."""
    if known is None:
        has_changes = True
    elif known.checksum is not None:
        has_changes = known.checksum != checksum
    else:
        has_changes = known.last != last
    info = json_text.dump({"last": last, "checksum": checksum})
    if has_changes:
        return b'{"hasChanges":true,"data":%b,"info":%b}' % (array, info)
    return b'{"hasChanges":false,"data":[],"info":%b}' % info


_POLL = CacheableRoute(
    topics=(ContentTopic.APPS, ContentTopic.LAYOUTS, ContentTopic.PEOPLE),
    may_ask=True,
    methods=frozenset({"POST"}),
    headers=(b"content-type",),
    is_platform=True,
    is_contact=True,
)

ROUTES = Routes(
    (hello, poll, refresh, goodbye, get_platform_apps, read_server_info),
    cached={"/user": _POLL, "/user/apps": replace(APPS_READ, is_platform=True)},
)
