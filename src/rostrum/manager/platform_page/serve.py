"""Serves the browser platform from the same origin as the API.

A page shows the apps of one user in frames, and which origins it may show is part of its content security policy. So
the policy is made for the user whose session cookie came with the request, and the page loads itself again after
another user has signed in.
"""

import json
import secrets
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from rostrum import __version__
from rostrum.base import json_text
from rostrum.base.errors import RostrumError
from rostrum.contracts.addresses import origin_of
from rostrum.manager.apps.shared import SharedApps
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Credentials
from rostrum.manager.built_page import PageUnavailable, asset_response, explanation
from rostrum.manager.config import ManagerConfig
from rostrum.manager.gateways import gateway_of
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.cookies import SessionCookies
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.page_headers import PAGE_HEADERS
from rostrum.manager.platform_page import built

_WEB = ("http://", "https://")
_THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})
_OPEN: dict[str, Any] = {"opt": {PUBLIC: True}, "include_in_schema": False}


class AllowedOrigins(NamedTuple):
    """Origins as browsers write them, sorted."""

    frames: tuple[str, ...]
    images: tuple[str, ...]


NOTHING = AllowedOrigins((), ())


@lru_cache(maxsize=256)
def origins_in(directory: bytes) -> AllowedOrigins:
    """Collect the origins of an app directory. Users with the same apps have the same text, so it is read once."""
    apps: list[dict[str, Any]] = json_text.parse(directory)["applications"]
    return AllowedOrigins(
        frames=_origins(_member(app, "details", "url") for app in apps if app.get("type") == "web"),
        images=_origins(_member(icon, "src") for app in apps for icon in app.get("icons") or ()),
    )


def _member(value: object, *path: str) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _origins(addresses: Iterable[object]) -> tuple[str, ...]:
    """Omit addresses without a scheme or an origin: they are not shown."""
    found = {
        origin_of(address)
        for address in addresses
        if isinstance(address, str) and address.strip().lower().startswith(_WEB)
    }
    return tuple(sorted(origin for origin in found if origin is not None))


def handlers(platform_base: str) -> list[HTTPRouteHandler]:
    """Create the routes of the page and its files, below a path without surrounding slashes."""
    base = f"/{platform_base}"

    @get(base, media_type="text/html", **_OPEN)
    async def page(
        request: Request[Any, Any, Any],
        config: Part[ManagerConfig],
        authenticator: Part[Authenticator],
        session_cookies: Part[SessionCookies],
        shared_apps: Part[SharedApps],
    ) -> Response[str]:
        nonce = secrets.token_urlsafe(16)
        try:
            document, status = built.load().page, 200
        except PageUnavailable as problem:
            repair, api = built.how_to_fix(), _api_url(config)
            document, status = explanation(built.NAME, problem, repair=repair, api=api), 503
        cookie = session_cookies.read(request.headers.get("cookie"), request.url.scheme)
        user, allowed = None, NOTHING
        if cookie is not None and status == 200:
            # If the session has ended or the database does not respond, the page reports it.
            with suppress(RostrumError):
                caller = await authenticator.authenticate(Credentials(cookie=cookie))
                allowed = origins_in((await shared_apps.directory(caller.identity)).content)
                user = caller.identity.user
        gateway = gateway_address(gateway_of(config, user), request.url.hostname or "")
        headers = {
            **PAGE_HEADERS,
            "Content-Security-Policy": _policy(nonce, gateway),
            # Apps in windows find the platform through their opener.
            "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
        }
        settings = {**_settings(config, base), "user": user, "frameOrigins": allowed.frames, "gatewayURL": gateway}
        text = _page(document, base, allowed, settings).replace("%nonce%", nonce)
        return Response(text, status_code=status, media_type="text/html", headers=headers)

    @get(f"{base}/assets/{{name:str}}", sync_to_thread=False, **_OPEN)
    def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
        try:
            found = built.load().assets.get(name)
        except PageUnavailable:
            found = None
        return asset_response(found, request.headers.get("accept-encoding", ""))

    return [page, asset]


def gateway_address(address: str, host: str) -> str:
    """Use the host name of the page for a gateway on this machine: cookies of 127.0.0.1 are not sent to localhost."""
    parts = urlsplit(address)
    if parts.hostname not in _THIS_MACHINE or host not in _THIS_MACHINE:
        return address
    name = f"[{host}]" if ":" in host else host
    return parts._replace(netloc=name if parts.port is None else f"{name}:{parts.port}").geturl()


def _settings(config: ManagerConfig, base: str) -> dict[str, Any]:
    return {
        "apiURL": _api_url(config),
        "auth_basic": {"useSessionCookie": config.use_session_cookie},
        "baseName": base,
        "version": __version__,
    }


def _page(text: str, base: str, allowed: AllowedOrigins, settings: dict[str, Any]) -> str:
    """Write the settings, the content policy and the address of the assets into the page."""
    meta = f'name="rostrum-page" content="{escape(json.dumps(settings))}"'
    policy = f'http-equiv="Content-Security-Policy" content="{escape(_shown(allowed))}"'
    return (
        text.replace('name="rostrum-page" content="{}"', meta)
        .replace('http-equiv="Content-Security-Policy" content=""', policy)
        .replace('="./assets/', f'="{base}/assets/')
    )


def _api_url(config: ManagerConfig) -> str:
    return f"/{config.base}".rstrip("/") or "/"


def _shown(allowed: AllowedOrigins) -> str:
    """Allow frames and pictures of these origins. In the page and not in the header: proxies limit headers' size."""
    frames = " ".join(allowed.frames) or "'none'"
    images = " ".join(("'self'", "data:", *allowed.images))
    # The page uses an object element to detect pages that refuse to be framed.
    return f"frame-src {frames}; object-src {frames}; img-src {images}"


def _policy(nonce: str, gateway: str) -> str:
    """Allow the page's own files, its gateway, and frames and pictures as far as the page itself does.

    The policy in the page only narrows this one.
    """
    parts = urlsplit(gateway)
    sockets = f" {parts.scheme}://{parts.netloc}" if parts.netloc else ""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: http: https:; "
        "frame-src http: https:; object-src http: https:; worker-src 'self'; "
        f"connect-src 'self'{sockets}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
