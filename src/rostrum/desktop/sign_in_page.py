"""The page of ssoAuth on which the user signs in, in a window of the platform."""

import asyncio
import base64
import binascii
import logging
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from rostrum.desktop.hosts.port import LoginScreen, WindowHost
from rostrum.desktop.hosts.reports import CredentialsEntered, HostLost, Reports
from rostrum.desktop.login import Ask, Login
from rostrum.desktop.splash import SplashScreen
from rostrum.settings.sections.sso_auth import SsoAuth

_log = logging.getLogger(__name__)
_MOST_WAITING = 8
_LONGEST_HEADER = 16_384
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
_NO_WINDOWS = object()


class SignInPage:
    """Shows the page while the user signs in, and returns the credentials that the page passes to ``authDone``."""

    def __init__(
        self, sso: SsoAuth, host: WindowHost, reports: Reports, otherwise: Ask, splash: SplashScreen | None = None
    ) -> None:
        self._sso = sso
        self._host = host
        self._otherwise = otherwise
        self._splash = splash
        self._is_shown = False
        self._entered: asyncio.Queue[Login | object | None] = asyncio.Queue()
        reports.handle(CredentialsEntered, self._on_entered)
        reports.listen(HostLost, self._on_host_lost)

    @asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Show the page, if it is configured."""
        options = self._sso.options
        if self._sso.auth_controller is None or not options.url:
            yield
            return
        window = options.window
        async with self._splash.covered() if self._splash is not None else nullcontext():
            await self._host.show_login(
                LoginScreen(url=options.url, width=window.width, height=window.height, mode=window.mode)
            )
            self._is_shown = True
            try:
                yield
            finally:
                self._is_shown = False
                await self._host.hide_login()

    async def ask(self, message: str) -> Login | None:
        """Wait for the input of the user; None if the user closes the page."""
        if self._is_shown:
            _log.info("%s", message)
            entered = await self._entered.get()
            if entered is not _NO_WINDOWS:
                return entered if isinstance(entered, Login) else None
            self._is_shown = False
        return await self._otherwise(message)

    async def _on_entered(self, entered: CredentialsEntered) -> bool:
        """Process the data of the page; return whether the platform waits for it."""
        if not self._is_shown or self._entered.qsize() >= _MOST_WAITING:
            return False
        if not entered.user and not entered.details:
            self._entered.put_nowait(None)
            return True
        login = _login(entered)
        if login is None:
            _log.warning("The sign-in page handed over neither a user name and password (HTTP Basic) nor a token.")
            return False
        self._entered.put_nowait(login)
        return True

    def _on_host_lost(self, lost: HostLost) -> None:
        if self._is_shown and not lost.restarting:
            self._entered.put_nowait(_NO_WINDOWS)


def _login(entered: CredentialsEntered) -> Login | None:
    """Read the data of a page: a password, an Authorization header of Basic or Bearer, or a token alone."""
    if entered.user and entered.password:
        return Login(entered.user, entered.password)
    headers = entered.details.get("headers")
    values = headers.items() if isinstance(headers, Mapping) else ()
    header = next((value for name, value in values if str(name).lower() == "authorization"), None)
    if header is None:
        return _with_token(entered.user, entered.details.get("token"))
    if not isinstance(header, str) or len(header) > _LONGEST_HEADER:
        return None
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() == "bearer":
        return _with_token(entered.user, encoded.strip())
    try:
        user, found, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return Login(user, password) if scheme.lower() == "basic" and user and found else None


def _with_token(user: str, token: Any) -> Login | None:
    is_token = isinstance(token, str) and len(token) <= _LONGEST_HEADER and _TOKEN.fullmatch(token)
    return Login(user, token=token) if is_token else None
