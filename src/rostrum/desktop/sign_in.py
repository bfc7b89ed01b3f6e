"""Sign-in at the manager, or with a stored account while the manager is not available."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext

from rostrum.base.addresses import url_origin
from rostrum.client.credentials import Basic, Bearer
from rostrum.client.errors import NotPermitted, Refused, Unreachable
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.desktop.errors import AccountRefused, LoginFailed, NobodySignedIn
from rostrum.desktop.login import Ask, Login
from rostrum.desktop.sign_in_records import AcceptedAccount, SignInRecords

_log = logging.getLogger(__name__)
_TRIES = 3
_PROBE_SECONDS = 10.0

ShowPage = Callable[[], AbstractAsyncContextManager[None]]


class SignIn:
    """Signs one user in to one manager; the service then has the user's credentials.

    Attributes:
        service: The manager.
        user: The signed-in user; empty before.
        offline_reason: Why the manager is not available; None if it has accepted the account in this run.
        accepted: For an offline start, the account as the manager accepted it last.
    """

    def __init__(
        self,
        service: Service,
        ask: Ask,
        records: SignInRecords,
        *,
        show_page: ShowPage = nullcontext,
        login: Login | None = None,
        retries: int = 0,
        retry_interval: float = 10,
    ) -> None:
        """Use the manager and the prompt for a user name and password; ``login`` is tried before the prompt.

        Without local copies, requests to a manager that is not available are retried, at intervals in seconds.
        """
        self.service = service
        self.user = ""
        self.offline_reason: str | None = None
        self.accepted: AcceptedAccount | None = None
        self.login = login
        self._ask = ask
        self._records = records
        self._show_page = show_page
        self._retries = retries
        self._retry_interval = retry_interval

    @property
    def offline_notice(self) -> str | None:
        """Return why the desktop works with local copies only; None while the manager has accepted the account."""
        if self.offline_reason is None:
            return None
        when = "" if self.accepted is None else f" of {self.accepted.accepted_at:%Y-%m-%d %H:%M} UTC or later"
        return (
            f"Offline: {self.service.shown} cannot be reached ({self.offline_reason}). "
            f"Local copies{when} are used until it can be reached again."
        )

    async def run(self) -> str:
        """Sign in, and return the user; offline, only with an account that the manager accepted here recently."""
        if self.service.origin is None:
            raise LoginFailed("server.url must be an address such as https://manager.example.com/api")
        known = await self._records.accounts()
        try:
            if known:
                # The sign-in page is on the manager: it is of no use while the manager is offline.
                await self._reach()
            else:
                await self._wait_until_reached()
            async with self._show_page():
                self.user = await self._accepted(f"sign in to {self.service.shown}")
        except Unreachable as error:
            account = await self._start_offline(str(error), known)
            self.user, self.accepted, self.offline_reason = account.user, account, str(error)
        return self.user

    async def run_again(self) -> None:
        """Sign in after an offline start, as the same user; raise Unreachable while the manager is offline."""
        if self.login is None or self.login.token:
            # A token may only have expired: then the user signs in again.
            await self._reach()
            async with self._show_page():
                await self._accepted(f"{self.service.shown} is available again; sign in as {self.user}")
        else:
            # No prompt for another password: if the earlier one is refused, the desktop ends.
            await self._accepted("", tries=1)
        self.offline_reason = None

    async def confirm(self) -> None:
        """Record that the manager still accepts the account."""
        if self.offline_reason is None:
            await self._records.confirm(self.user)

    async def refuse(self) -> None:
        """Record that the manager no longer accepts the account: it cannot be used for an offline start."""
        if self.login is not None and self.login.token:
            await self._records.forget(self.user)
        elif self.login is not None:
            await self._records.refuse(self.login.user, self.login.password)

    def lose(self, reason: str) -> None:
        """Continue offline: the manager has accepted the account, but is no longer available."""
        self.offline_reason = reason

    def end(self) -> None:
        """Clear the offline state: the user has signed in to another manager, which stays in use."""
        self.offline_reason = None

    async def _reach(self) -> None:
        """Raise Unreachable if the manager does not respond; any response counts."""
        try:
            await self.service.request("GET", "/health/live", timeout=_PROBE_SECONDS)
        except (NotPermitted, Refused):
            return

    async def _wait_until_reached(self) -> None:
        for _ in range(self._retries):
            try:
                return await self._reach()
            except Unreachable as error:
                _log.warning("%s cannot be reached: %s; trying again", self.service.shown, error)
            await asyncio.sleep(self._retry_interval)
        return None

    async def _accepted(self, message: str, tries: int = _TRIES) -> str:
        """Prompt until the manager accepts the account; return the user."""
        last: Login | None = None
        given, self.login = self.login, None
        was_refused = False
        for _ in range(tries):
            login, given = given or await self._ask(message), None
            if login is None:
                raise AccountRefused(_NOT_ACCEPTED) if was_refused else NobodySignedIn("no user has signed in")
            self._refuse_other_origin(login)
            if login == last:
                # A file always has the same credentials, and the manager slows down guessing.
                break
            last = login
            self.service.credentials = (
                Bearer(login.token, self.service.origin)
                if login.token
                else Basic(login.user, login.password, self.service.origin)
            )
            self.login = login
            try:
                user = (await ManagerClient(self.service).me()).id
            except NotPermitted:
                self.login = None
                was_refused = True
                if not login.token:
                    await self._records.refuse(login.user, login.password)
                what = "token is not valid" if login.token else "user name or the password is wrong"
                message = f"the {what}; try again"
                continue
            if self.user and user != self.user:
                self.login = None
                message = f"this desktop runs for {self.user}; sign in as {self.user}, or restart to change the user"
                continue
            await self._records.accept(user, None if login.token else login.password)
            return user
        if was_refused:
            raise AccountRefused(_NOT_ACCEPTED)
        raise NobodySignedIn(f"not signed in as {self.user}")

    async def _start_offline(self, reason: str, known: list[AcceptedAccount]) -> AcceptedAccount:
        unreachable = f"{self.service.shown} cannot be reached ({reason})"
        if not known:
            raise LoginFailed(
                f"{unreachable}, and there are no local copies of an earlier sign-in of this user to start from"
            )
        account = await self._known_account(unreachable, known)
        if self._records.is_expired(account):
            raise LoginFailed(
                f"{unreachable}, and the manager accepted {account.user} last on "
                f"{account.accepted_at:%Y-%m-%d %H:%M} UTC. "
                f"Local copies may be used for {self._records.max_age_days:g} days (offlineMaxAgeDays). "
                "Start again when the manager can be reached."
            )
        return account

    async def _known_account(self, unreachable: str, known: list[AcceptedAccount]) -> AcceptedAccount:
        """Return the account of the user who signs in; without a prompt, the last one of this operating-system user."""
        message = f"{unreachable}. Sign in to start offline"
        last: Login | None = None
        given = self.login
        for _ in range(_TRIES):
            login, given = given or await self._ask(message), None
            if login is None:
                self.login = None
                return known[0]
            self._refuse_other_origin(login)
            if login == last:
                break
            last = login
            account = await self._records.match(login.user, login.password)
            if account is not None:
                self.login = login
                return account
            message = "no earlier sign-in on this machine has this user name and password; try again"
        raise LoginFailed(f"{unreachable}, and no earlier sign-in on this machine has this user name and password")

    def _refuse_other_origin(self, login: Login) -> None:
        if login.origin is not None and url_origin(login.origin) != self.service.origin:
            raise LoginFailed(f"the credentials are for {login.origin}, and {self.service.shown} is another origin")


_NOT_ACCEPTED = "the manager does not accept the user name and password"
