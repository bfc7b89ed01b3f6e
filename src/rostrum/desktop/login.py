"""Logging in without windows: a file, or a prompt."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from rostrum.base.origin import url_origin
from rostrum.client.credentials import Basic
from rostrum.client.errors import NotPermitted
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.contracts.identity import Me
from rostrum.desktop.errors import LoginFailed

__all__ = ["Ask", "Login", "from_file", "log_in"]

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Login:
    """A user name and a password.

    Attributes:
        origin: The only origin that they are for, where whoever gives them says so.

    """

    user: str
    password: str = field(repr=False)
    origin: str | None = None


Ask = Callable[[str], Awaitable[Login | None]]
"""Asks for a log-in, with what to say; None when nobody answers."""


def from_file(path: Path) -> Ask:
    """Answer every question with the log-in in a file: ``user:password``, or an object of user, password and origin."""

    async def ask(_: str) -> Login | None:
        return await asyncio.to_thread(_read, path)

    return ask


def _read(path: Path) -> Login:
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise LoginFailed(f"the file with the log-in cannot be read: {error}") from error
    if text.startswith("{"):
        try:
            values = json.loads(text)
            origin = values.get("origin")
            return Login(str(values["user"]), str(values["password"]), None if origin is None else str(origin))
        except (ValueError, LookupError, TypeError):
            raise LoginFailed(f"{path} must hold an object of user and password") from None
    user, separator, password = text.partition(":")
    if not separator:
        raise LoginFailed(f"{path} must hold user:password")
    return Login(user, password)


async def log_in(service: Service, ask: Ask, *, tries: int = _TRIES) -> Me:
    """Ask until the manager knows the person; the service then has their credentials."""
    if service.origin is None:
        raise LoginFailed("server.url must be an address such as https://manager.example.com/api")
    message = f"log in to {service.shown}"
    last: Login | None = None
    for _ in range(tries):
        login = await ask(message)
        if login is None:
            raise LoginFailed("nobody has logged in")
        if login.origin is not None and url_origin(login.origin) != service.origin:
            raise LoginFailed(f"the log-in is for {login.origin}, and {service.shown} is another origin")
        if login == last:
            # A file gives the same answer for ever, and guessing is slowed down on the other side.
            break
        last = login
        service.credentials = Basic(login.user, login.password, service.origin)
        try:
            return await ManagerClient(service).me()
        except NotPermitted:
            message = "the user name or the password is wrong; try again"
    raise LoginFailed("the manager does not accept the user name and password")
