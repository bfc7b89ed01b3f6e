"""Sessions: when an account is revoked, its peers are disconnected and its tokens become invalid."""

from typing import Any

import pytest

from rostrum.gateway.authentication import Account, CannotCheck
from rostrum.gateway.sessions import Session, Sessions
from tests.gateway.sockets import Talker, running, talking


class OneSession:
    """Everybody with the right secret, each user with one session."""

    def __init__(self) -> None:
        self.sessions: dict[str, Session] = {}

    async def check(self, login: str, secret: str, address: str) -> Account | None:
        session = self.sessions.setdefault(login, Session(login))
        return Account(user=login, session=session)


async def with_token(talker: Talker, method: str, token: str) -> Any:
    return await talker.ask(type="hello", authentication={"method": method, "token": token})


async def test_the_end_of_a_session_disconnects_its_peers_only() -> None:
    accounts = OneSession()
    async with (
        running(secrets=accounts) as gateway,
        talking(gateway, "ada") as first,
        talking(gateway) as second,
        talking(gateway, "grace") as other,
    ):
        token = (await first.ask(type="create-token"))["token"]
        assert (await with_token(second, "gateway-token", token))["type"] == "welcome"

        accounts.sessions["ada"].end()

        for talker in (first, second):
            code, reason = await talker.closed()
            assert (code, "disabled" in reason) == (1008, True)
        assert [peer["user"] for peer in gateway.status()["peers"]] == ["grace"]
        assert (await other.ask(type="create-token"))["type"] == "token"


async def test_no_token_of_an_ended_session_is_accepted() -> None:
    accounts = OneSession()
    async with running(secrets=accounts) as gateway, talking(gateway) as talker, talking(gateway) as stranger:
        access = (await talker.hello("ada", application="x"))["options"]["access_token"]
        made = (await talker.ask(type="create-token"))["token"]
        async with talking(gateway) as child:
            welcome = await with_token(child, "gateway-token", made)
            child.peer_id = welcome["peer_id"]
            grandchild = (await child.ask(type="create-token"))["token"]

        accounts.sessions["ada"].end()

        for method, token in (("access-token", access), ("gateway-token", made), ("gateway-token", grandchild)):
            refused = await with_token(stranger, method, token)
            assert refused["reason_uri"] == "global.errors.authentication.failure"
            assert "has ended" in refused["reason"]


async def test_a_revocation_during_the_sign_in_rejects_it() -> None:
    class Late(OneSession):
        async def check(self, login: str, secret: str, address: str) -> Account | None:
            account = await super().check(login, secret, address)
            self.sessions[login].end()
            return account

    async with running(secrets=Late()) as gateway, talking(gateway) as talker:
        refused = await talker.hello("ada")

        assert refused["reason_uri"] == "global.errors.authentication.failure"
        assert not gateway.status()["peers"]


async def test_a_token_is_rejected_while_its_session_cannot_be_checked() -> None:
    class Doubtful(Session):
        async def confirm(self) -> bool:
            raise CannotCheck("The manager cannot be reached to check the sign-in")

    accounts = OneSession()
    accounts.sessions["ada"] = Doubtful("ada")
    async with running(secrets=accounts) as gateway, talking(gateway) as talker, talking(gateway) as again:
        access = (await talker.hello("ada"))["options"]["access_token"]

        refused = await with_token(again, "access-token", access)

        assert refused["reason"] == "The manager cannot be reached to check the sign-in"


async def test_peers_are_counted_and_a_session_without_any_is_forgotten_after_the_life_of_its_tokens() -> None:
    accounts = OneSession()
    async with running(secrets=accounts) as gateway, talking(gateway, "ada"), talking(gateway, "ada"):
        assert accounts.sessions["ada"].peers == 2
    assert accounts.sessions["ada"].peers == 0


@pytest.mark.parametrize("peers", [0, 1])
def test_only_idle_sessions_are_forgotten(peers: int) -> None:
    sessions, session = Sessions(100), Session("ada")
    sessions.add(session)
    sessions.add(session)
    session.peers = peers

    sessions.forget_idle(0)
    sessions.forget_idle(99)
    assert sessions.find(session.id) is session
    sessions.forget_idle(101)

    assert (sessions.find(session.id) is None) == session.is_ended == (peers == 0)
