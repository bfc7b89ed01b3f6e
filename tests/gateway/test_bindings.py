"""Verified identities and the one-time tokens that lead to them."""

from contextlib import AsyncExitStack

import pytest

from rostrum.base.clock import SettableClock
from rostrum.gateway import GatewayOptions
from rostrum.gateway.bindings import FIRST_USE_WITHIN, RECONNECT_WITHIN, Bindings
from rostrum.gateway.tokens import BadToken, Tokens
from tests.gateway.sockets import Talker, running, talking


def test_a_token_leads_to_its_binding_once_at_a_time_and_not_after_its_time() -> None:
    clock = SettableClock()
    bindings = Bindings(clock)
    clock.advance(1000)
    bound = bindings.bind("ada", "mail", instance="i1")
    token, unused = bindings.one_time_token(bound), bindings.one_time_token(bound)
    assert (bindings.check(token), bindings.is_one_time(token), bindings.is_one_time("x")) == (bound, True, False)
    bindings.take(token, "p1")
    with pytest.raises(BadToken, match="used already"):
        bindings.check(token)
    clock.advance(FIRST_USE_WITHIN)
    with pytest.raises(BadToken, match="expired"):
        bindings.check(unused)
    bindings.release("p2")
    bindings.release("p1")
    assert bindings.check(token) == bound
    clock.advance(RECONNECT_WITHIN)
    with pytest.raises(BadToken, match="expired"):
        bindings.check(token)
    # Tokens that nobody can use any more are not kept.
    bindings.one_time_token(bound)
    assert not bindings.is_one_time(token)


def test_nothing_leads_to_a_binding_that_has_ended() -> None:
    bindings = Bindings(SettableClock())
    bound, other = bindings.bind("ada", "mail"), bindings.bind("ada", "clock")
    token, kept = bindings.one_time_token(bound), bindings.one_time_token(other)
    bindings.end(bound)
    assert (bindings.is_one_time(token), bindings.is_current(bound), bindings.check(kept)) == (False, False, other)
    with pytest.raises(BadToken, match="has ended"):
        bindings.get(bound.id)


async def test_a_gateway_overrides_the_identity_of_bound_clients_only() -> None:
    claims = {"application": "mail", "applicationName": "Mail", "instance": "i9", "windowId": "w9", "team": "fx"}
    async with running() as gateway, talking(gateway) as client:
        labelled = (await client.hello("ada", **claims))["resolved_identity"]
        assert labelled.items() >= claims.items()
        assert gateway.binding_of(client.peer_id or "") is None
        bound = gateway.bind("ada", "clock", instance="i1", window="w1")
        proof = {"method": "gateway-token", "token": gateway.one_time_token(bound)}
        welcome = await client.ask(type="hello", identity={**claims, "user": "eve"}, authentication=proof)
        expected = {"application": "clock", "applicationName": "clock", "instance": "i1", "windowId": "w1"}
        assert welcome["resolved_identity"].items() >= {**expected, "team": "fx", "user": "ada"}.items()
        assert gateway.binding_of(welcome["peer_id"]) == bound
        gateway.end(bound)
        assert gateway.binding_of(welcome["peer_id"]) is None


async def test_a_token_that_names_a_binding_of_another_run_is_refused() -> None:
    clock, key = SettableClock(), b"k" * 32
    options = GatewayOptions(port=0, token_key=key)
    async with running(options, clock=clock) as gateway, talking(gateway) as client:
        earlier = Tokens(clock, key).gateway_token("ada", binding="gone")
        answer = await client.ask(type="hello", authentication={"method": "gateway-token", "token": earlier})
        assert (answer["type"], "has ended" in answer["reason"]) == ("error", True)


async def test_revoking_a_binding_disconnects_its_peers_and_refuses_its_tokens() -> None:
    async with running() as gateway, AsyncExitStack() as stack:

        async def signed_in(token: str) -> Talker:
            client = await stack.enter_async_context(talking(gateway))
            proof = {"method": "gateway-token", "token": token}
            welcome = await client.ask(type="hello", identity={"process": token}, authentication=proof)
            client.peer_id = welcome.get("peer_id") if welcome["type"] == "welcome" else None
            return client

        bound, other = gateway.bind("ada", "chart", instance="i1"), gateway.bind("ada", "clock", instance="i2")
        unused = gateway.one_time_token(bound)
        page, neighbour = [await signed_in(gateway.one_time_token(one)) for one in (bound, other)]
        made = (await page.ask(type="create-token"))["token"]
        frame = await signed_in(made)
        assert None not in (page.peer_id, frame.peer_id, neighbour.peer_id)

        gateway.revoke(bound, "the page has gone elsewhere")

        assert [await one.closed() for one in (page, frame)] == [(1008, "the page has gone elsewhere")] * 2
        assert [peer["id"] for peer in gateway.status()["peers"]] == [neighbour.peer_id]
        assert (await neighbour.ask(type="create-token"))["type"] == "token"
        for token in (unused, made):
            assert (await signed_in(token)).peer_id is None
        # The same instance may get another binding, which the old tokens do not lead to.
        again = gateway.bind("ada", "chart", instance="i1")
        assert (await signed_in(gateway.one_time_token(again))).peer_id
        assert (await signed_in(made)).peer_id is None
