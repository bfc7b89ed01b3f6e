"""Previews for administrators: the effect of a change before it is saved."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from litestar.response import Stream

from rostrum.base import json_text
from rostrum.contracts.previews import PreviewRequest, PreviewView
from rostrum.manager.access.permissions import Permission
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.preview.service import Preview, PreviewService, Trial
from rostrum.manager.preview.views import preview_view, progress_view
from rostrum.manager.topic import Routes

_LINES = "application/x-ndjson"


def _route(kind: str, words: str, right: Permission) -> HTTPRouteHandler:
    async def preview(
        request: ManagerRequest, previews: Part[PreviewService], data: JSONBody[PreviewRequest]
    ) -> Response[Any] | Stream:
        trial = await previews.attempt(request.user, kind, data)
        with_names = Permission.USERS_READ in request.user.permissions
        if _LINES in request.headers.get("accept", ""):
            lines = _lines(previews, trial, data, with_names=with_names)
            return Stream(lines, status_code=200, media_type=_LINES, headers={"Cache-Control": "no-store"})
        found = await previews.result(trial)
        view = await asyncio.to_thread(preview_view, found, data, with_names=with_names)
        return answer(request, view)

    preview.__doc__ = (
        f"Preview changes of {words}: what would change for which users, and which results have invalid settings. "
        f"Nothing is written. With `Accept: {_LINES}` the response has the progress line by line, then the result."
    )
    name = f"preview{kind.title()}"
    declared = answers(200, PreviewView, 403, 404, 409, 413, right=right)
    return post(f"/admin/previews/{kind}", operation_id=name, tags=[kind], **declared)(preview)


async def _lines(
    previews: PreviewService, trial: Trial, request: PreviewRequest, *, with_names: bool
) -> AsyncIterator[bytes]:
    async for step in previews.run(trial):
        if isinstance(step, Preview):
            line = {"result": await asyncio.to_thread(preview_view, step, request, with_names=with_names)}
        else:
            line = {"progress": progress_view(step)}
        yield json_text.dump(line) + b"\n"


ROUTES = Routes(
    (
        _route("apps", "apps", Permission.APPS_READ),
        _route("layouts", "layouts", Permission.LAYOUTS_READ),
        _route("configs", "configuration files", Permission.SYSTEM_CONFIGS_READ),
        _route("users", "users", Permission.USERS_READ),
        _route("groups", "groups", Permission.GROUPS_READ),
    )
)
