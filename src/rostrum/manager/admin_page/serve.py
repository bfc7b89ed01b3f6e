"""Serves the admin UI from the same origin as the API, the desktop's ``gd`` log-in included."""

import json
import secrets
from html import escape
from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from rostrum.manager.admin_page import built
from rostrum.manager.api.authentication import PUBLIC
from rostrum.manager.api.parts import ConfigPart
from rostrum.manager.config import ManagerConfig

__all__ = ["handlers"]

_OPEN: dict[str, Any] = {"opt": {PUBLIC: True}, "include_in_schema": False, "sync_to_thread": False}
_FOR_EVER = "public, max-age=31536000, immutable"
_PAGE_HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
_UNAVAILABLE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Admin UI unavailable - Rostrum</title>
<style nonce="%nonce%">body{{font:1rem/1.5 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1rem}}
code{{font-size:.95em;padding:.1em .3em;border:1px solid color-mix(in srgb,currentColor 30%,transparent)}}
</style></head>
<body><main><h1>The admin UI is unavailable</h1>
<p>{problem}</p>
<p>To fix this, run <code>{command}</code> on the server and reload this page.</p>
<p>The manager itself is running: its API answers at <code>{api}</code>.</p></main></body></html>
"""


def handlers(admin_base: str) -> list[HTTPRouteHandler]:
    """Make the routes of the pages and their files, under a path without slashes around it."""
    base = f"/{admin_base}".rstrip("/")

    @get("/", **_OPEN)
    def root() -> Redirect:
        return Redirect(f"{base}/")

    @get([base, f"{base}/{{page:path}}"], media_type="text/html", **_OPEN)
    def page(config: ConfigPart) -> Response[str]:
        nonce = secrets.token_urlsafe(16)
        headers = {**_PAGE_HEADERS, "Content-Security-Policy": _policy(config, nonce)}
        try:
            text, status = _page(built.load().page, config, base), 200
        except built.AdminUiUnavailable as problem:
            text, status = _explanation(problem, config), 503
        return Response(text.replace("%nonce%", nonce), status_code=status, media_type="text/html", headers=headers)

    @get(f"{base}/assets/{{name:str}}", **_OPEN)
    def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        try:
            found = built.load().assets.get(name)
        except built.AdminUiUnavailable:
            found = None
        if found is None:
            return Response(b"", status_code=404, media_type="text/plain", headers={"Cache-Control": "no-store"})
        encoding, content = found.best_for(request.headers.get("accept-encoding", ""))
        headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
        if encoding:
            headers["Content-Encoding"] = encoding
        return Response(content, media_type=found.media_type, headers=headers)

    return [root, page, asset]


def _page(text: str, config: ManagerConfig, base: str) -> str:
    """Write the settings and the address of the assets into the page."""
    settings = {
        "apiURL": _api_url(config),
        "auth": config.admin_auth,
        "auth_basic": {"useSessionCookie": config.use_session_cookie},
        "baseName": base,
    }
    meta = f'name="rostrum-page" content="{escape(json.dumps(settings))}"'
    return text.replace('name="rostrum-page" content="{}"', meta).replace('="./assets/', f'="{base}/assets/')


def _explanation(problem: built.AdminUiUnavailable, config: ManagerConfig) -> str:
    values = {"problem": str(problem), "command": built.how_to_fix(), "api": _api_url(config)}
    return _UNAVAILABLE.format_map({name: escape(value) for name, value in values.items()})


def _api_url(config: ManagerConfig) -> str:
    return config.admin_api_url or f"/{config.base}".rstrip("/") or "/"


def _policy(config: ManagerConfig, nonce: str) -> str:
    """Allow the page's own files and the styles it makes itself, and nothing from anywhere else."""
    address = urlsplit(config.admin_api_url)
    elsewhere = f" {address.scheme}://{address.netloc}" if address.netloc else ""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
        f"connect-src 'self'{elsewhere}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
