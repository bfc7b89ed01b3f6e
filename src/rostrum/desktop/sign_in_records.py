"""Accounts that the manager has accepted on this machine, for offline starts."""

import asyncio
import hashlib
import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rostrum.base.clock import Clock
from rostrum.base.ids import canonical
from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile
from rostrum.base.passwords import Passwords

_log = logging.getLogger(__name__)
_MOST_ACCOUNTS = 50
_CLOCK_TOLERANCE = timedelta(days=1)
_CONFIRM_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedAccount:
    """An account, and the last time at which the manager accepted it."""

    user: str
    accepted_at: datetime
    password_hash: str = field(repr=False)


class SignInRecords:
    """One file for each manager, readable by its owner only; it contains hashes of passwords, never passwords."""

    def __init__(self, folder: Path, server: str, *, max_age_days: float, clock: Clock) -> None:
        """Use the user-data folder and the address of the manager; 0 days disable the records."""
        digest = hashlib.sha256(server.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self._file = JsonFile(folder / "signIns" / f"{digest}.json", private=True)
        self._server = server
        self._clock = clock
        self._confirmed_at: datetime | None = None
        self.max_age_days = max_age_days

    async def accounts(self) -> list[AcceptedAccount]:
        """Return all stored accounts, the last one first."""
        return await asyncio.to_thread(self._read) if self.max_age_days else []

    async def match(self, user: str, password: str) -> AcceptedAccount | None:
        """Return the stored account with a user name and a password."""
        for account in await self.accounts():
            if canonical(account.user) == canonical(user) and await _matches(account.password_hash, password):
                return account
        return None

    async def accept(self, user: str, password: str | None) -> None:
        """Record that the manager accepted an account; the password, if any, is for offline sign-ins."""
        if not self.max_age_days:
            await asyncio.to_thread(self._remove)
            return
        self._confirmed_at = self._clock.now()
        hashed = "" if password is None else await asyncio.to_thread(Passwords().hash_now, password)
        await self._replace(AcceptedAccount(user=user, accepted_at=self._clock.now(), password_hash=hashed))

    async def confirm(self, user: str) -> None:
        """Record that the manager still accepts an account, at most once an hour."""
        now = self._clock.now()
        if self._confirmed_at is not None and abs(now - self._confirmed_at) < _CONFIRM_EVERY:
            return
        self._confirmed_at = now
        for account in await self.accounts():
            if account.user == user:
                await self._replace(AcceptedAccount(user=user, accepted_at=now, password_hash=account.password_hash))

    async def refuse(self, user: str, password: str) -> None:
        """Remove an account whose earlier password is no longer accepted; a mistyped password changes nothing."""
        account = await self.match(user, password)
        if account is not None:
            await self.forget(account.user)

    async def forget(self, user: str) -> None:
        """Remove an account, so that it cannot be used for an offline start."""
        accounts = await self.accounts()
        if any(one.user == user for one in accounts):
            await asyncio.to_thread(self._write, [one for one in accounts if one.user != user])
            _log.warning("%s is no longer accepted; an offline start requires a new sign-in", user)

    def is_expired(self, account: AcceptedAccount) -> bool:
        """Return whether an account was accepted too long ago; times in the future are not accepted either."""
        age = self._clock.now() - account.accepted_at
        return not -_CLOCK_TOLERANCE <= age <= timedelta(days=min(self.max_age_days, 36_500))

    async def _replace(self, account: AcceptedAccount) -> None:
        others = [one for one in await self.accounts() if one.user != account.user]
        await asyncio.to_thread(self._write, [account, *others][:_MOST_ACCOUNTS])

    def _read(self) -> list[AcceptedAccount]:
        try:
            kept = self._file.read()
            if kept["server"] != self._server:
                return []
            found = [_account(user, members) for user, members in kept["accounts"].items()]
        except FileNotFoundError:
            return []
        except (OSError, DamagedFile, NewerFile, LookupError, TypeError, ValueError, AttributeError) as error:
            _log.warning("earlier sign-ins are not used: %s: %s", self._file.path, error)
            return []
        return sorted(found, key=lambda account: account.accepted_at, reverse=True)

    def _write(self, accounts: list[AcceptedAccount]) -> None:
        members = {
            one.user: {"acceptedAt": one.accepted_at.isoformat(), "passwordHash": one.password_hash} for one in accounts
        }
        try:
            self._file.write({"server": self._server, "accounts": members})
        except OSError as error:
            _log.warning("this sign-in cannot be stored for an offline start: %s", error.strerror or error)

    def _remove(self) -> None:
        try:
            self._file.path.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("%s cannot be removed: %s", self._file.path, error.strerror or error)


def _account(user: str, members: Any) -> AcceptedAccount:
    accepted = datetime.fromisoformat(members["acceptedAt"])
    if accepted.tzinfo is None:
        accepted = accepted.replace(tzinfo=UTC)
    return AcceptedAccount(user=user, accepted_at=accepted, password_hash=str(members["passwordHash"]))


async def _matches(password_hash: str, password: str) -> bool:
    passwords = Passwords()
    try:
        return await passwords.verify(password_hash or None, password)
    finally:
        passwords.close()
