"""A file of users with salted hashes of their secrets."""

import asyncio
import base64
import hashlib
import hmac
import logging
import os
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.errors import Overloaded, RostrumError, TooManyAttempts
from rostrum.base.ids import canonical, collision_key, problem_of_new_id
from rostrum.base.json_file import write_whole
from rostrum.base.passwords import DEFAULT_MIN_LENGTH, PasswordPolicy, Passwords
from rostrum.base.report_limit import ReportLimit
from rostrum.base.throttle import Throttle
from rostrum.gateway.authentication import Account, CannotCheck
from rostrum.gateway.sessions import Session

_log = logging.getLogger("rostrum.gateway")
_security = logging.getLogger("rostrum.security")

_OLD_SCHEME = "scrypt$"
_OLD_AT_ONCE = 4
_LOCK_SECONDS = 10
_LOOK_SECONDS = 0.5
_MOST_REPORTED = 10_000


class BadUsersFile(RostrumError):
    """A users file cannot be used."""


class BadUser(RostrumError):
    """A user cannot be added to a file."""


class User(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A user in the file; a service sees the peers of all users."""

    secret: str
    service: bool = False


class Users(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    users: dict[str, User]


def read_users(path: Path) -> dict[str, User]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Users).users
    except OSError as error:
        raise BadUsersFile(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadUsersFile(f"{path} is not a users file: {error}") from None


def add_user(path: Path, name: str, secret: str, *, service: bool = False, passwords: Passwords | None = None) -> None:
    """Add a user to a file, or set a new secret; only the owner may read the file."""
    problem = PasswordPolicy().problem(secret)
    if problem is not None:
        raise BadUser(f"The secret {problem}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        users = read_users(path) if path.exists() else {}
        if name not in users:
            _require_new(name, users)
        users[name] = User(secret=(passwords or Passwords()).hash_now(secret), service=service)
        _write(path, users)


def _require_new(name: str, users: Mapping[str, User]) -> None:
    problem = problem_of_new_id(name) if name else "must not be empty"
    if problem is not None:
        raise BadUser(f"The user name {problem}.")
    taken = {collision_key(other): other for other in users}.get(collision_key(name))
    if taken is not None:
        raise BadUser(f"The user name {name} could be taken for {taken}, which exists. Choose another name.")


def _locked(path: Path) -> FileLock:
    return FileLock(path.with_name(f".{path.name}.lock"), timeout=_LOCK_SECONDS)


def _write(path: Path, users: dict[str, User]) -> None:
    # The new file is readable by its owner only.
    write_whole(path, msgspec.json.format(msgspec.json.encode(Users(users))) + b"\n")
    path.chmod(0o600)


class UsersFile:
    """Checks sign-ins against a users file, which is read again when it has changed.

    Guesses are limited and secrets hashed as in the manager. Hashes of earlier versions (scrypt) are accepted and
    replaced at the next sign-in of the user.
    """

    def __init__(
        self,
        path: Path,
        *,
        case_sensitive: bool = False,
        clock: Clock | None = None,
        passwords: Passwords | None = None,
    ) -> None:
        self._path = path
        self._case_sensitive = case_sensitive
        self._passwords = passwords or Passwords()
        clock = clock or SystemClock()
        self._throttle = Throttle(clock)
        self._reports = ReportLimit(clock, subjects=_MOST_REPORTED)
        self._old_turn = asyncio.Semaphore(_OLD_AT_ONCE)
        self._stamp: tuple[int, int, int] | None = None
        self._users: dict[str, tuple[str, User]] = {}
        self._sessions: dict[str, tuple[User, Session]] = {}
        self._renewed: dict[str, User] = {}
        # How often a name was removed from the file: a user who is added again is another account.
        self._removed: Counter[str] = Counter()
        self._renewal = asyncio.Lock()
        self._nobody = _OLD_SCHEME + f"{1 << 14}$8$1${_text(os.urandom(16))}${_text(os.urandom(32))}"
        self._was_warned = False
        self._read()

    async def check(self, login: str, secret: str, address: str) -> Account | None:
        """Return the account; an unknown user takes the same time as a wrong secret."""
        try:
            account = await self._checked(login, secret, address)
        except CannotCheck as error:
            self._report("logInThrottled" if isinstance(error.__cause__, TooManyAttempts) else "", login, address)
            raise
        self._report("logInRefused" if account is None else "logIn", login, address)
        return account

    def _report(self, event: str, login: str, address: str) -> None:
        """Log a sign-in, each event of a user once per minute and address. Unknown names may be mistyped secrets."""
        name, _ = self._users.get(self._key(login), ("(unknown)", None))
        if not event or not self._reports.allows(name, f"{event} {address}"):
            return
        fields = {"event": event, "user": name, "address": address}
        level = logging.INFO if event == "logIn" else logging.WARNING
        _security.log(level, "%s user=%r address=%r", event, name, address, extra={"fields": fields})

    async def _checked(self, login: str, secret: str, address: str) -> Account | None:
        if len(secret) < DEFAULT_MIN_LENGTH:
            raise CannotCheck(
                f"The secret is shorter than {DEFAULT_MIN_LENGTH} characters. "
                "The administrator of the gateway can set a new one with `rostrum gateway add-user`"
            )
        try:
            self._read()
        except BadUsersFile:
            raise CannotCheck("The users cannot be read") from None
        key = self._key(login)
        try:
            self._throttle.enter(key, address)
            name, user = self._users.get(key, ("", None))
            matches = await self._matches(user, secret)
        except TooManyAttempts as error:
            raise CannotCheck(f"Too many wrong secrets. Try again in {error.retry_after} s") from error
        except Overloaded:
            self._throttle.take_back(key, address)
            raise CannotCheck("Too many sign-ins at once. Try again later") from None
        if user is None or not matches:
            return None
        self._throttle.succeeded(key, address)
        await self._renew_hash(name, user, secret)
        found = self._users.get(key)
        if found is None or (found != (name, user) and not await self._matches(found[1], secret)):
            # The user was removed, or has another secret, since hashing began.
            return None
        name, user = found
        return Account(user=name, is_service=user.service, session=self._session(name, user))

    async def watch(self) -> None:
        """End the sessions of users that are removed from the file or get another secret."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            # While the file cannot be read, connected users stay, and no user can sign in.
            with suppress(BadUsersFile):
                self._read()

    async def close(self) -> None:
        self._passwords.close()

    async def _matches(self, user: User | None, secret: str) -> bool:
        is_old = user is not None and user.secret.startswith(_OLD_SCHEME)
        matches = await self._passwords.verify(None if user is None or is_old else user.secret, secret)
        if any(other.secret.startswith(_OLD_SCHEME) for _, other in self._users.values()):
            # The same work for all users while old hashes exist: the time must not reveal whose hash is old.
            async with self._old_turn:
                stored = user.secret if user is not None and is_old else self._nobody
                matches_old = await asyncio.to_thread(_is_old_secret, secret, stored)
            matches = matches or (is_old and matches_old)
        return matches

    async def _renew_hash(self, name: str, user: User, secret: str) -> None:
        """Replace a hash of an earlier version, or one with other cost parameters than the current ones."""
        if not user.secret.startswith(_OLD_SCHEME) and not self._passwords.is_outdated(user.secret):
            return
        async with self._renewal:
            if self._users.get(self._key(name)) != (name, user):
                return
            renewed = User(secret=await self._passwords.hash(secret), service=user.service)
            self._renewed[name] = renewed
            try:
                await asyncio.to_thread(self._replace, name, user, renewed)
                self._read()
            except (OSError, Timeout, BadUsersFile) as error:
                if not self._was_warned:
                    self._was_warned = True
                    _log.warning("%s has weak hashes, and cannot be written to replace them: %s", self._path, error)

    def _replace(self, name: str, user: User, renewed: User) -> None:
        with _locked(self._path):
            users = read_users(self._path)
            if users.get(name) == user:
                _write(self._path, {**users, name: renewed})

    def _session(self, name: str, user: User) -> Session:
        known = self._sessions.get(name)
        if known is not None and known[0] == user and not known[1].is_ended:
            return known[1]
        removed = self._removed[self._key(name)]
        session = Session(name, str(removed) if removed else "")
        self._sessions[name] = (user, session)
        return session

    def _read(self) -> None:
        try:
            found = self._path.stat()
        except OSError as error:
            raise BadUsersFile(f"{self._path} cannot be read: {error.strerror}") from None
        stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
        if stamp == self._stamp:
            return
        users = read_users(self._path)
        by_key: dict[str, tuple[str, User]] = {}
        for name, user in users.items():
            other, _ = by_key.setdefault(self._key(name), (name, user))
            if other != name:
                raise BadUsersFile(
                    f"{self._path}: {other} and {name} are the same user, because letter case is ignored. "
                    "Remove one of them, or set `authentication.basic.usernameCaseSensitive` to true."
                )
        self._removed.update(key for key in self._users if key not in by_key)
        self._users, self._stamp = by_key, stamp
        self._end_changed(users)

    def _end_changed(self, users: Mapping[str, User]) -> None:
        for name, (user, session) in list(self._sessions.items()):
            found = users.get(name)
            if found == user:
                continue
            if found is not None and found == self._renewed.pop(name, None):
                # The same secret with a better hash.
                self._sessions[name] = (found, session)
                continue
            del self._sessions[name]
            session.end()

    def _key(self, name: str) -> str:
        return canonical(name, case_sensitive=self._case_sensitive)


def _is_old_secret(secret: str, stored: str) -> bool:
    try:
        _, cost, block, lanes, salt, hashed = stored.split("$")
        expected = base64.b64decode(hashed, validate=True)
        found = hashlib.scrypt(
            secret.encode("utf-8", "surrogatepass"),
            salt=base64.b64decode(salt, validate=True),
            n=int(cost),
            r=int(block),
            p=int(lanes),
            maxmem=64 * 1024 * 1024,
            dklen=32,
        )
    except (ValueError, OverflowError, MemoryError):
        return False
    return hmac.compare_digest(expected, found)


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()
