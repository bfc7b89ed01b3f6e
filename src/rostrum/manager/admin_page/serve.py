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
from rostrum.manager.config import ManagerConfig

__all__ = ["handlers"]

_OPEN: dict[str, Any] = {"opt": {PUBLIC: True}, "include_in_schema": False, "sync_to_thread": False}
_FOR_EVER = "public, max-age=31536000, immutable"
_PAGE_HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Rostrum</title></head>
<body><h1>Rostrum</h1><p>The manager runs, but the admin UI was not built in this source tree.
Run <code>make run</code> or <code>make admin-ui</code> once, then start the server again.
Log in to the API meanwhile with any HTTP client.</p></body></html>
"""


def handlers(config: ManagerConfig) -> list[HTTPRouteHandler]:
    """Make the routes of the pages and their files."""
    base = f"/{config.admin_base}".rstrip("/")
    page_text = _page(config, base)

    @get("/", **_OPEN)
    def root() -> Redirect:
        return Redirect(f"{base}/")

    @get([base, f"{base}/{{page:path}}"], media_type="text/html", **_OPEN)
    def page() -> Response[str]:
        if page_text is None:
            return Response(_NOT_BUILT, status_code=503, media_type="text/html", headers=_PAGE_HEADERS)
        nonce = secrets.token_urlsafe(16)
        headers = {**_PAGE_HEADERS, "Content-Security-Policy": _policy(config, nonce)}
        text = page_text.replace("%nonce%", nonce)
        return Response(text, media_type="text/html", headers=headers)

    @get(f"{base}/assets/{{name:str}}", **_OPEN)
    def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        found = built.assets().get(name)
        if found is None:
            return Response(b"", status_code=404, media_type="text/plain", headers={"Cache-Control": "no-store"})
        encoding, content = found.best_for(request.headers.get("accept-encoding", ""))
        headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
        if encoding:
            headers["Content-Encoding"] = encoding
        return Response(content, media_type=found.media_type, headers=headers)

    return [root, page, asset]


def _page(config: ManagerConfig, base: str) -> str | None:
    """Write the settings into the page, and where its files are."""
    text = built.page()
    if text is None:
        return None
    settings = {
        "apiURL": config.admin_api_url or f"/{config.base}".rstrip("/") or "/",
        "auth": config.admin_auth,
        "auth_basic": {"useSessionCookie": config.use_session_cookie},
        "baseName": base,
    }
    meta = f'name="rostrum-page" content="{escape(json.dumps(settings))}"'
    return text.replace('name="rostrum-page" content="{}"', meta).replace('="./assets/', f'="{base}/assets/')


def _policy(config: ManagerConfig, nonce: str) -> str:
    """Allow the page's own files and the styles it makes itself, and nothing from anywhere else."""
    address = urlsplit(config.admin_api_url)
    elsewhere = f" {address.scheme}://{address.netloc}" if address.netloc else ""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
        f"connect-src 'self'{elsewhere}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
