"""Who may sign in, with which credentials."""

from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.gateway.authentication import Account, AnyLocalUser, Authenticator, CannotCheck
from rostrum.gateway.logins import Admitted, Challenged, Rejected, Verdict
from rostrum.gateway.messages.global_domain import Authentication
from rostrum.gateway.tokens import Tokens


class OneSecret:
    async def check(self, login: str, secret: str, address: str) -> Account | None:
        if login == "down":
            raise CannotCheck("The manager cannot be reached to check the sign-in")
        return Account(user=login.upper(), is_service=login == "svc") if secret == "right" else None


class Windows:
    """A provider with one challenge: the answer must be the challenge backwards."""

    async def step(self, conversation: str, credentials: Authentication) -> Verdict:
        if credentials.token == "begin":
            return Challenged("nonce-" + conversation)
        if credentials.token == ("nonce-" + conversation)[::-1]:
            return Admitted(user="ada")
        return Rejected("no")


@pytest.fixture
def tokens(clock: SettableClock) -> Tokens:
    return Tokens(clock)


@pytest.fixture
def authenticator(tokens: Tokens) -> Authenticator:
    return Authenticator(tokens, OneSecret(), {"win": Windows()})


async def judge(authenticator: Authenticator, **credentials: Any) -> Verdict:
    return await authenticator.evaluate("talk", Authentication(**credentials))


async def test_a_good_secret_gives_the_users_own_name_and_a_token(authenticator: Authenticator, tokens: Tokens) -> None:
    verdict = await judge(authenticator, method="secret", login="ada", secret="right")

    assert isinstance(verdict, Admitted)
    assert (verdict.user, verdict.login, verdict.is_service) == ("ADA", "ada", False)
    again = await judge(authenticator, method="access-token", token=verdict.access_token)
    assert isinstance(again, Admitted)
    assert (again.user, again.access_token) == ("ADA", verdict.access_token)


async def test_a_checker_can_grant_the_right_of_a_service(authenticator: Authenticator) -> None:
    verdict = await judge(authenticator, method="secret", login="svc", secret="right")

    assert isinstance(verdict, Admitted)
    assert verdict.is_service


@pytest.mark.parametrize(
    "credentials",
    [
        {},
        {"method": "secret"},
        {"method": "secret", "login": "ada"},
        {"method": "secret", "login": "", "secret": "right"},
        {"method": "secret", "login": "ada", "secret": ""},
        {"method": "secret", "login": "ada", "secret": "wrong"},
        {"method": "secret", "login": "a" * 300, "secret": "right"},
        {"method": "secret", "login": "a", "secret": "x" * 5000},
        {"method": "access-token"},
        {"method": "access-token", "token": "x"},
        {"method": "gateway-token", "token": "x"},
        {"method": "kerberos", "token": "x"},
        {"login": "ada", "secret": "right"},
        {"method": "secret", "login": "ada", "secret": "right", "provider": "unknown"},
        {"provider": "win", "token": "wrong"},
    ],
    ids=repr,
)
async def test_everything_else_is_rejected(authenticator: Authenticator, credentials: dict[str, str]) -> None:
    assert isinstance(await judge(authenticator, **credentials), Rejected)


async def test_what_cannot_be_checked_is_said(authenticator: Authenticator) -> None:
    verdict = await judge(authenticator, method="secret", login="down", secret="x")

    assert verdict == Rejected("The manager cannot be reached to check the sign-in")


async def test_a_provider_may_challenge(authenticator: Authenticator) -> None:
    challenge = await judge(authenticator, provider="win", token="begin")
    assert isinstance(challenge, Challenged)

    verdict = await judge(authenticator, provider="win", token=challenge.token[::-1])

    assert verdict == Admitted(user="ada")


async def test_tokens_are_good_with_any_provider_that_exists(authenticator: Authenticator, tokens: Tokens) -> None:
    token = tokens.gateway_token("ada")

    assert isinstance(await judge(authenticator, method="gateway-token", token=token, provider="win"), Admitted)
    assert isinstance(await judge(authenticator, method="gateway-token", token=token, provider="x"), Rejected)


async def test_a_local_gateway_accepts_all_user_names(tokens: Tokens) -> None:
    verdict = await judge(Authenticator(tokens, AnyLocalUser()), method="secret", login="ada", secret="")

    assert isinstance(verdict, Admitted)
    assert verdict.user == "ada"
