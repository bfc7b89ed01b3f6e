"""Serves the pages of the admin UI from the same origin as the API, the desktop's ``gd`` log-in included."""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from rostrum.manager.api.authentication import PUBLIC
from rostrum.manager.config import ManagerConfig

__all__ = ["handlers"]

_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def handlers(config: ManagerConfig) -> list[HTTPRouteHandler]:
    """Make the routes of the page."""

    @get("/", opt={PUBLIC: True}, include_in_schema=False, sync_to_thread=False)
    def root() -> Redirect:
        return Redirect("/admin/")

    @get(
        ["/admin", "/admin/gd"],
        opt={PUBLIC: True},
        include_in_schema=False,
        sync_to_thread=False,
        media_type="text/html",
    )
    def page() -> Response[bytes]:
        html = _file("index.html").replace(b"{{base}}", f"/{config.base}".rstrip("/").encode())
        return Response(html, media_type="text/html; charset=utf-8", headers=_HEADERS)

    @get("/admin/assets/{name:str}", opt={PUBLIC: True}, include_in_schema=False, sync_to_thread=False)
    def asset(name: FromPath[str]) -> Response[Any]:
        suffix = name[name.rfind(".") :]
        if suffix not in _TYPES or name not in _names():
            return Response(b"", status_code=404, media_type="text/plain")
        body = _file(name)
        tag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
        return Response(body, media_type=_TYPES[suffix], headers={**_HEADERS, "ETag": tag})

    return [root, page, asset]


@cache
def _names() -> frozenset[str]:
    return frozenset(entry.name for entry in files(__package__).iterdir())


@cache
def _file(name: str) -> bytes:
    return (files(__package__) / name).read_bytes()
