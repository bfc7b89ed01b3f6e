"""Sign-in without windows: from a file, or with a prompt."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from rostrum.desktop.errors import LoginFailed


@dataclass(frozen=True, slots=True)
class Login:
    """A user name and a password, or a token of the manager.

    Attributes:
        user: The user name; may be empty with a token, which names the user itself.
        token: A token that the manager accepts in place of a password.
        origin: The only origin for which they are valid, if known.
    """

    user: str
    password: str = field(repr=False, default="")
    origin: str | None = None
    token: str = field(repr=False, default="")


Ask = Callable[[str], Awaitable[Login | None]]
"""Prompts for a sign-in, with a message; returns None if there is no input."""


def from_file(path: Path) -> Ask:
    """Return the credentials in a file for every prompt: ``user:password``, or an object that may have an origin."""

    async def ask(_: str) -> Login | None:
        return await asyncio.to_thread(_read, path)

    return ask


def _read(path: Path) -> Login:
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise LoginFailed(f"the file with the sign-in cannot be read: {error}") from error
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
