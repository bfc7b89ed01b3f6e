"""Serves the admin UI from the same origin as the API, including the desktop's ``gd`` sign-in."""

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
from rostrum.manager.built_page import PageUnavailable, asset_response, explanation
from rostrum.manager.config import ManagerConfig
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.page_headers import PAGE_HEADERS

_OPEN: dict[str, Any] = {"opt": {PUBLIC: True}, "include_in_schema": False}


def handlers(admin_base: str) -> list[HTTPRouteHandler]:
    """Create the routes of the pages and their files, below a path without surrounding slashes."""
    base = f"/{admin_base}".rstrip("/")

    @get("/", sync_to_thread=False, **_OPEN)
    def root() -> Redirect:
        return Redirect(f"{base}/")

    @get([base, f"{base}/{{page:path}}"], media_type="text/html", **_OPEN)
    async def page(config: Part[ManagerConfig]) -> Response[str]:
        nonce = secrets.token_urlsafe(16)
        headers = {**PAGE_HEADERS, "Content-Security-Policy": _policy(config, nonce)}
        try:
            text, status = _page(built.load().page, config, base), 200
        except PageUnavailable as problem:
            text, status = (
                explanation(built.NAME, problem, repair=built.how_to_fix(), api=_api_url(config)),
                503,
            )
        return Response(text.replace("%nonce%", nonce), status_code=status, media_type="text/html", headers=headers)

    @get(f"{base}/assets/{{name:str}}", sync_to_thread=False, **_OPEN)
    def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        try:
            found = built.load().assets.get(name)
        except PageUnavailable:
            found = None
        return asset_response(found, request.headers.get("accept-encoding", ""))

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


def _api_url(config: ManagerConfig) -> str:
    return config.admin_api_url or f"/{config.base}".rstrip("/") or "/"


def _policy(config: ManagerConfig, nonce: str) -> str:
    """Allow only the page's own files and styles with the nonce."""
    address = urlsplit(config.admin_api_url)
    elsewhere = f" {address.scheme}://{address.netloc}" if address.netloc else ""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
        f"connect-src 'self'{elsewhere}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
