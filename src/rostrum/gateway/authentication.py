"""Who may log in: what a log-in is checked with, and in which order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rostrum.base.errors import RostrumError
from rostrum.gateway.logins import Admitted, Rejected, Verdict
from rostrum.gateway.messages.global_domain import Authentication
from rostrum.gateway.tokens import BadToken, Tokens

__all__ = ["Account", "AnyLocalUser", "Authenticator", "CannotCheck", "Provider", "SecretCheck"]

LONGEST_LOGIN = 256
LONGEST_SECRET = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Someone whose credentials were good."""

    user: str
    is_service: bool = False


class CannotCheck(RostrumError):
    """Credentials could not be checked; the text is what the client is told."""


class SecretCheck(Protocol):
    """Checks a user name with a secret."""

    async def check(self, login: str, secret: str) -> Account | None:
        """Give the account, or nothing for wrong credentials; raise CannotCheck when they could not be checked."""
        ...


class Provider(Protocol):
    """Logs users in by its own steps, such as a challenge and its answer."""

    async def step(self, conversation: str, credentials: Authentication) -> Verdict:
        """Judge what the client sent; ``conversation`` is the same for every step of one log-in."""
        ...


class AnyLocalUser:
    """Takes everyone at his word: for a gateway that only programs of this machine can reach."""

    async def check(self, login: str, secret: str) -> Account | None:  # noqa: ARG002 - the secret does not matter
        """Take the name as it is."""
        return Account(user=login)


class Authenticator:
    """Decides on log-ins: tokens first, then secrets, then what the named provider says."""

    def __init__(self, tokens: Tokens, secrets: SecretCheck, providers: Mapping[str, Provider] | None = None) -> None:
        """Take what to check with; clients choose a provider by its name."""
        self._tokens = tokens
        self._secrets = secrets
        self._providers = dict(providers or {})

    async def judge(self, conversation: str, credentials: Authentication) -> Verdict:
        """Judge one log-in."""
        name = credentials.provider
        if name is not None and name not in self._providers:
            return Rejected(f"There is no authentication provider {name[:100]}")
        if credentials.method in ("access-token", "gateway-token"):
            try:
                return self._with_token(credentials)
            except BadToken as error:
                return Rejected(str(error))
        if name is not None:
            return await self._providers[name].step(conversation, credentials)
        if credentials.method == "secret":
            return await self._with_secret(credentials)
        return Rejected(f"Log-in by {str(credentials.method)[:100]} is not known")

    def _with_token(self, credentials: Authentication) -> Verdict:
        if credentials.method == "access-token":
            user = self._tokens.check_access(credentials.token)
            return Admitted(user=user, login=user, access_token=credentials.token)
        claims = self._tokens.check_gateway(credentials.token)
        return Admitted(user=str(claims["user"]), claims=claims)

    async def _with_secret(self, credentials: Authentication) -> Verdict:
        login, secret = credentials.login, credentials.secret
        if not login or secret is None:
            return Rejected("A user name and a secret are needed")
        if len(login) > LONGEST_LOGIN or len(secret) > LONGEST_SECRET:
            return Rejected("The user name or the secret is too long")
        try:
            account = await self._secrets.check(login, secret)
        except CannotCheck as error:
            return Rejected(str(error))
        if account is None:
            return Rejected("The user name or the secret is wrong")
        token = self._tokens.access_token(account.user)
        return Admitted(user=account.user, login=login, is_service=account.is_service, access_token=token)
