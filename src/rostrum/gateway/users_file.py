"""A file of users with salted hashes of their secrets."""

import asyncio
import base64
import hashlib
import hmac
import os
from pathlib import Path

import msgspec

from rostrum.base.errors import RostrumError
from rostrum.base.json_file import write_whole
from rostrum.gateway.authentication import Account, CannotCheck

__all__ = ["BadUsersFile", "UsersFile", "add_user", "hash_secret", "read_users"]

_COST, _BLOCK, _LANES = 1 << 14, 8, 1
_MOST_AT_ONCE = 4
_MOST_WAITING = 256


class BadUsersFile(RostrumError):
    """A file of users cannot be used."""


class User(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One user of the file; a service sees every user's peers."""

    secret: str
    service: bool = False


class Users(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    users: dict[str, User]


def read_users(path: Path) -> dict[str, User]:
    """Read a file of users."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Users).users
    except OSError as error:
        raise BadUsersFile(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadUsersFile(f"{path} is no file of users: {error}") from None


def add_user(path: Path, name: str, secret: str, *, service: bool = False) -> None:
    """Put a user into a file, or give one there a new secret; only the owner may read it."""
    users = read_users(path) if path.exists() else {}
    users[name] = User(secret=hash_secret(secret), service=service)
    write_whole(path, msgspec.json.format(msgspec.json.encode(Users(users))) + b"\n")
    path.chmod(0o600)


def hash_secret(secret: str) -> str:
    """Make the text that is kept in place of a secret."""
    salt = os.urandom(16)
    hashed = _scrypt(secret, salt, (_COST, _BLOCK, _LANES))
    return "$".join(("scrypt", str(_COST), str(_BLOCK), str(_LANES), _text(salt), _text(hashed)))


class UsersFile:
    """Checks log-ins against a file of users, which is read again when it has changed."""

    def __init__(self, path: Path, *, case_sensitive: bool = False) -> None:
        """Read the file, so that a mistake in it is told at once."""
        self._path = path
        self._case_sensitive = case_sensitive
        self._turn = asyncio.Semaphore(_MOST_AT_ONCE)
        self._waiting = 0
        self._stamp: tuple[int, int] | None = None
        self._users: dict[str, tuple[str, User]] = {}
        self._nobody = hash_secret(os.urandom(16).hex())
        self._read()

    async def check(self, login: str, secret: str, address: str) -> Account | None:  # noqa: ARG002
        """Give the account; an unknown user costs the same time as a wrong secret."""
        if self._waiting >= _MOST_WAITING:
            raise CannotCheck("Too many log-ins at once")
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(self._check, login, secret)
        finally:
            self._waiting -= 1

    def _check(self, login: str, secret: str) -> Account | None:
        try:
            self._read()
        except BadUsersFile:
            raise CannotCheck("The users cannot be read") from None
        name, user = self._users.get(self._key(login), ("", None))
        matches = _is_secret(secret, user.secret if user is not None else self._nobody)
        return Account(user=name, is_service=user.service) if user is not None and matches else None

    def _read(self) -> None:
        try:
            found = self._path.stat()
        except OSError as error:
            raise BadUsersFile(f"{self._path} cannot be read: {error.strerror}") from None
        stamp = (found.st_mtime_ns, found.st_size)
        if stamp != self._stamp:
            self._users = {self._key(name): (name, user) for name, user in read_users(self._path).items()}
            self._stamp = stamp

    def _key(self, name: str) -> str:
        return name if self._case_sensitive else name.casefold()


def _is_secret(secret: str, stored: str) -> bool:
    try:
        kind, cost, block, lanes, salt, hashed = stored.split("$")
        expected = base64.b64decode(hashed, validate=True)
        found = _scrypt(secret, base64.b64decode(salt, validate=True), (int(cost), int(block), int(lanes)))
    except (ValueError, OverflowError, MemoryError):
        return False
    return kind == "scrypt" and hmac.compare_digest(expected, found)


def _scrypt(secret: str, salt: bytes, costs: tuple[int, int, int]) -> bytes:
    cost, block, lanes = costs
    encoded = secret.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(encoded, salt=salt, n=cost, r=block, p=lanes, maxmem=64 * 1024 * 1024, dklen=32)


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()
