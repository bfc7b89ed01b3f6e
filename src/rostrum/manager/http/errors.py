"""Converts errors into responses. No other module knows both."""

import logging
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    ValidationException,
)
from litestar.types import ExceptionHandlersMap

from rostrum.base import json_text
from rostrum.base.errors import Invalid, Overloaded, RostrumError, TooLarge, TooManyAttempts
from rostrum.base.problems import Problem
from rostrum.manager.auth.schemes import CHALLENGE, PAGE_CHALLENGE
from rostrum.manager.auth.security_log import RefusedRights
from rostrum.manager.errors import (
    ConfirmationRequired,
    Conflict,
    Forbidden,
    InvalidPlatformToken,
    NoRoom,
    NotFound,
    Proposed,
    QuotaExceeded,
    Stale,
    StorageError,
    TooManyListeners,
    Unauthenticated,
    Unavailable,
    UnsupportedMediaType,
)
from rostrum.manager.http.dependencies import PARTS
from rostrum.manager.http.page_requests import is_by_page
from rostrum.manager.http.parameters import body_in_plain_words, in_plain_words
from rostrum.manager.http.paths import masked
from rostrum.manager.http.responses import VARY
from rostrum.settings.problems import SettingProblem

_Request = Request[Any, Any, Any]

_log = logging.getLogger(__name__)

_BODY = "data"
"""The name of the body in handlers."""

_STATUS: dict[type[RostrumError], HTTPStatus] = {
    TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Invalid: HTTPStatus.BAD_REQUEST,
    Unauthenticated: HTTPStatus.UNAUTHORIZED,
    InvalidPlatformToken: HTTPStatus.BAD_REQUEST,
    UnsupportedMediaType: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    Forbidden: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    QuotaExceeded: HTTPStatus.CONFLICT,
    Stale: HTTPStatus.PRECONDITION_FAILED,
    TooManyAttempts: HTTPStatus.TOO_MANY_REQUESTS,
    TooManyListeners: HTTPStatus.TOO_MANY_REQUESTS,
    Overloaded: HTTPStatus.SERVICE_UNAVAILABLE,
    Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    NoRoom: HTTPStatus.INSUFFICIENT_STORAGE,
}


def error_body(
    status: int,
    message: str,
    problems: Iterable[Problem] = (),
    quota: QuotaExceeded | None = None,
    reason: str | None = None,
) -> bytes:
    error: dict[str, Any] = {"code": status, "message": message}
    if reason is not None:
        error["reason"] = reason
    if quota is not None:
        error["quota"] = {"name": quota.name, "limit": quota.limit, "used": quota.used}
    details = [_detail(problem) for problem in problems]
    if details:
        error["details"] = details
    return json_text.dump({"error": error})


def _detail(problem: Problem) -> dict[str, str]:
    detail = {"path": problem.path, "message": problem.message}
    if isinstance(problem, SettingProblem) and problem.suggestion is not None:
        detail["suggestion"] = problem.suggestion
    return detail


def _ours(request: _Request, error: RostrumError) -> Response[bytes]:
    if isinstance(error, Proposed):
        base = request.scope[PARTS]["config"].base  # type: ignore[literal-required]
        address = f"/{base}/admin/proposals/{error.proposal}".replace("//", "/")
        headers = {"Cache-Control": "no-store", "Vary": VARY, "Location": address}
        body = json_text.dump({"proposal": error.details})
        return Response(body, status_code=202, media_type="application/json", headers=headers)
    if isinstance(error, Forbidden):
        _report_refusal(request)
    if isinstance(error, (NoRoom, Unavailable)):
        _log.error("%s: %s", error, error.__cause__)
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
    problems = error.problems if isinstance(error, (Invalid, StorageError)) else ()
    quota = error if isinstance(error, QuotaExceeded) else None
    reason = error.reason if isinstance(error, ConfirmationRequired) else None
    return _response(status, str(error), problems, _headers(request, error), quota=quota, reason=reason)


def _report_refusal(request: _Request) -> None:
    scope = request.scope
    caller, client = scope.get("user"), scope.get("client")
    if caller is not None:
        operation = getattr(scope["route_handler"], "operation_id", None) or ""
        refused: RefusedRights = scope[PARTS]["refused_rights"]  # type: ignore[literal-required]
        refused.add(caller.user, str(operation), client[0] if client else "")


def _headers(request: _Request, error: RostrumError) -> dict[str, str]:
    if isinstance(error, Unauthenticated):
        return {"WWW-Authenticate": PAGE_CHALLENGE if is_by_page(request.headers) else CHALLENGE}
    if isinstance(error, (TooManyAttempts, TooManyListeners, Overloaded)):
        return {"Retry-After": str(error.retry_after)}
    if isinstance(error, Unavailable):
        return {"Retry-After": "5"}
    return {}


def _response(
    status: int,
    message: str,
    problems: Iterable[Problem] = (),
    headers: dict[str, str] | None = None,
    *,
    quota: QuotaExceeded | None = None,
    reason: str | None = None,
) -> Response[bytes]:
    return Response(
        error_body(status, message, problems, quota, reason),
        status_code=status,
        media_type="application/json",
        headers={"Cache-Control": "no-store", "Vary": VARY, **(headers or {})},
    )


def _validation(request: _Request, error: ValidationException) -> Response[bytes]:
    """Convert the framework's list of problems into our format."""
    items = error.extra if isinstance(error.extra, list) else []
    problems = [_problem(request, item) for item in items if isinstance(item, dict)]
    return _response(HTTPStatus.BAD_REQUEST, "the request has problems" if problems else error.detail, problems)


def _problem(request: _Request, item: dict[str, Any]) -> Problem:
    key, message = str(item.get("key") or item.get("source") or ""), str(item.get("message", ""))
    if key != _BODY:
        return Problem(path=key, message=in_plain_words(request.route_handler, key, message))
    is_missing = message == repr(_BODY)
    return Problem(path="", message="a JSON body is required" if is_missing else body_in_plain_words(message))


def _framework(_request: _Request, error: HTTPException) -> Response[bytes]:
    headers = dict(error.headers or {})
    if isinstance(error, MethodNotAllowedException):
        message = "this address does not support this method"
    elif error.status_code == HTTPStatus.NOT_FOUND:
        message = "there is nothing at this address"
    elif error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        message = "the body is larger than this server accepts"
    else:
        message = error.detail or HTTPStatus(error.status_code).phrase
    return _response(error.status_code, message, headers=headers)


def _system(request: _Request, error: OSError) -> Response[bytes]:
    """Report that the body could not be stored temporarily."""
    if NoRoom.is_cause(error):
        return _ours(request, NoRoom(f"the disk for temporary files is full; nothing was changed: {error.strerror}"))
    return _unexpected(request, error)


def _unexpected(request: _Request, error: Exception) -> Response[bytes]:
    base = request.scope[PARTS]["config"].base  # type: ignore[literal-required]
    _log.error("%s %s failed", request.method, masked(base, request.url.path), exc_info=error)
    return _response(HTTPStatus.INTERNAL_SERVER_ERROR, "server error")


EXCEPTION_HANDLERS: ExceptionHandlersMap = {
    RostrumError: _ours,
    ValidationException: _validation,
    HTTPException: _framework,
    OSError: _system,
    Exception: _unexpected,
}
