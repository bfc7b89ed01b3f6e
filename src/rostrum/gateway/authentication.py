"""Authentication of sign-ins: the checks and their order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from rostrum.base.errors import RostrumError
from rostrum.gateway.bindings import Bindings
from rostrum.gateway.logins import Admitted, Rejected, Verdict
from rostrum.gateway.messages.global_domain import Authentication
from rostrum.gateway.sessions import Session, Sessions
from rostrum.gateway.tokens import LONGEST_LIFE, BadToken, Tokens

LONGEST_LOGIN = 256
LONGEST_SECRET = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account whose credentials were accepted.

    Attributes:
        session: The session that ends when the account is revoked; none if accounts cannot be revoked.
    """

    user: str
    is_service: bool = False
    session: Session | None = field(default=None, compare=False)


class CannotCheck(RostrumError):
    """Credentials could not be checked; the text is shown to the client."""


class SecretCheck(Protocol):
    """Checks a user name with a secret."""

    async def check(self, login: str, secret: str, address: str) -> Account | None:
        """Return the account, or None for wrong credentials; raise CannotCheck if they could not be checked.

        ``address`` is the client's address, to limit guesses.
        """
        ...


@runtime_checkable
class TokenCheck(Protocol):
    """Checks tokens and session cookies with the server that manages the users."""

    async def check_token(self, token: str) -> Account | None:
        """Return the account of a token, or None; raise CannotCheck if it could not be checked."""
        ...

    async def check_cookie(self, cookies: str) -> Account | None:
        """Return the account of the session cookie in a request, or None; raise CannotCheck if that is not possible."""
        ...


@runtime_checkable
class Watcher(Protocol):
    """A check that detects by itself when accounts are revoked."""

    async def watch(self) -> None:
        """End the sessions of revoked accounts, until cancelled."""
        ...


class Provider(Protocol):
    """Signs users in with its own protocol, such as a challenge and its response."""

    async def step(self, conversation: str, credentials: Authentication) -> Verdict:
        """Evaluate a client's message; ``conversation`` is the same for all steps of one sign-in."""
        ...


class AnyLocalUser:
    """Accepts all user names: for a gateway that only programs of this machine can reach."""

    async def check(self, login: str, secret: str, address: str) -> Account | None:  # noqa: ARG002 - none matters
        return Account(user=login)

    async def close(self) -> None:
        """Nothing to close."""


class Authenticator:
    """Evaluates sign-ins with a session cookie, a token, a provider that the client names, or a secret."""

    def __init__(
        self,
        tokens: Tokens,
        secrets: SecretCheck,
        providers: Mapping[str, Provider] | None = None,
        sessions: Sessions | None = None,
        bindings: Bindings | None = None,
        *,
        unbound: Mapping[str, Any] | None = None,
        passwords: bool = True,
    ) -> None:
        """Check sign-ins with providers; clients choose a provider by its name.

        ``unbound`` overrides members of the identity of peers without a binding. Without ``passwords``, sign-ins with
        secrets are rejected.
        """
        self._accepts_passwords = passwords
        self._sessions = Sessions(LONGEST_LIFE.total_seconds()) if sessions is None else sessions
        self._tokens = tokens
        self._secrets = secrets
        self._providers = dict(providers or {})
        self._bindings = bindings
        self._unbound = dict(unbound or {})

    async def evaluate(
        self, conversation: str, credentials: Authentication, address: str = "", cookies: str = ""
    ) -> Verdict:
        """Evaluate the credentials of a client at this address; ``cookies`` are those that may sign it in."""
        if credentials.method == "session" and credentials.provider is None:
            verdict = await self._with_cookie(cookies)
        else:
            verdict = await self._evaluate(conversation, credentials, address)
        if not isinstance(verdict, Admitted):
            return verdict
        # A bound peer must not use names that are reserved for unbound peers.
        marks = self._unbound if verdict.binding is None else dict.fromkeys(self._unbound)
        return replace(verdict, overlay={**verdict.overlay, **marks})

    async def _evaluate(self, conversation: str, credentials: Authentication, address: str) -> Verdict:
        name = credentials.provider
        if name is not None and name not in self._providers:
            return Rejected(f"There is no authentication provider {name[:100]}")
        if credentials.method in ("access-token", "gateway-token"):
            try:
                return await self._with_token(credentials)
            except (BadToken, CannotCheck) as error:
                return Rejected(str(error))
        if name is not None:
            return await self._providers[name].step(conversation, credentials)
        if credentials.method == "secret":
            return await self._with_secret(credentials, address)
        return Rejected(f"The sign-in method {str(credentials.method)[:100]} is not supported")

    async def _with_token(self, credentials: Authentication) -> Verdict:
        if credentials.method == "access-token":
            try:
                claims = self._tokens.check_access(credentials.token)
            except BadToken:
                if not isinstance(self._secrets, TokenCheck):
                    raise
                account = await self._secrets.check_token(credentials.token or "")
                return self._admitted(account, "The token is invalid or has expired. Sign in to the manager again")
            user, session = str(claims["user"]), await self._alive(claims)
            return Admitted(user=user, login=user, access_token=credentials.token, session=session)
        bindings, token = self._bindings, credentials.token
        if bindings is not None and token is not None and bindings.is_one_time(token):
            bound = bindings.check(token)
            return Admitted(user=bound.user, binding=bound, one_time_token=token)
        claims = self._tokens.check_gateway(token)
        session = await self._alive(claims)
        if "binding" not in claims:
            return Admitted(user=str(claims["user"]), claims=claims, session=session)
        if bindings is None:
            raise BadToken("Invalid gateway token")
        bound = bindings.get(str(claims["binding"]))
        return Admitted(user=str(claims["user"]), claims=claims, session=session, binding=bound)

    async def _alive(self, claims: Mapping[str, Any]) -> str:
        """Return the id of the session of a token, which is not valid longer than the session."""
        if "sid" not in claims:
            return ""
        session = self._sessions.find(claims["sid"])
        if session is None or not await session.confirm():
            raise BadToken("The session that the token comes from has ended. Sign in again")
        return session.id

    async def _with_cookie(self, cookies: str) -> Verdict:
        if not isinstance(self._secrets, TokenCheck):
            return Rejected("The sign-in method session is not supported")
        if not cookies:
            return Rejected("There is no session cookie that pages of this origin may sign in with")
        try:
            account = await self._secrets.check_cookie(cookies)
        except CannotCheck as error:
            return Rejected(str(error))
        return self._admitted(account, "The session has ended. Sign in to the manager again")

    def _admitted(self, account: Account | None, otherwise: str) -> Verdict:
        if account is None:
            return Rejected(otherwise)
        session = ""
        if account.session is not None:
            self._sessions.add(account.session)
            session = account.session.id
        return Admitted(user=account.user, is_service=account.is_service, session=session)

    async def _with_secret(self, credentials: Authentication, address: str) -> Verdict:
        if not self._accepts_passwords:
            return Rejected("Passwords are not accepted here. Sign in with a token or the session of the manager")
        login, secret = credentials.login, credentials.secret
        if not login or secret is None:
            return Rejected("A user name and a secret are needed")
        if len(login) > LONGEST_LOGIN or len(secret) > LONGEST_SECRET:
            return Rejected("The user name or the secret is too long")
        try:
            account = await self._secrets.check(login, secret, address)
        except CannotCheck as error:
            return Rejected(str(error))
        if account is None:
            return Rejected("The user name or the secret is wrong")
        session = ""
        if account.session is not None:
            self._sessions.add(account.session)
            session = account.session.id
        token = self._tokens.access_token(account.user, session)
        return Admitted(
            user=account.user, login=login, is_service=account.is_service, access_token=token, session=session
        )
