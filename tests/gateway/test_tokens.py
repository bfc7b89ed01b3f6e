"""Tokens: good ones let in, others do not."""

import base64

import pytest

from rostrum.base.clock import SettableClock
from rostrum.gateway.tokens import BadToken, Tokens


@pytest.fixture
def tokens(clock: SettableClock) -> Tokens:
    return Tokens(clock)


def test_each_kind_of_token_is_good_for_its_own_use_only(tokens: Tokens) -> None:
    access, gateway = tokens.access_token("ada"), tokens.gateway_token("ada")

    assert tokens.check_access(access)["user"] == "ada"
    assert tokens.check_gateway(gateway)["user"] == "ada"
    with pytest.raises(BadToken):
        tokens.check_access(gateway)
    with pytest.raises(BadToken):
        tokens.check_gateway(access)


def test_tokens_end(tokens: Tokens, clock: SettableClock) -> None:
    access, gateway = tokens.access_token("ada"), tokens.gateway_token("ada")
    clock.advance(59_999)
    assert tokens.check_access(access)["user"] == "ada"
    clock.advance(2)

    with pytest.raises(BadToken):
        tokens.check_access(access)
    assert tokens.check_gateway(gateway)["user"] == "ada"
    clock.advance(24 * 3600)
    with pytest.raises(BadToken):
        tokens.check_gateway(gateway)


def test_tokens_of_another_process_are_refused_unless_the_key_is_kept(clock: SettableClock) -> None:
    token = Tokens(clock).gateway_token("ada")
    kept = Tokens(clock, b"k" * 32).gateway_token("ada")

    with pytest.raises(BadToken):
        Tokens(clock).check_gateway(token)
    assert Tokens(clock, b"k" * 32).check_gateway(kept)["user"] == "ada"


def test_a_changed_or_unsigned_token_is_refused(tokens: Tokens) -> None:
    head, body, signature = tokens.gateway_token("ada").split(".")
    none = base64.urlsafe_b64encode(b'{"alg":"none","typ":"JWT"}').rstrip(b"=").decode()

    for forged in (f"{head}.{body}.", f"{none}.{body}.", f"{head}.{body}x.{signature}", f"{none}.{body}.{signature}"):
        with pytest.raises(BadToken):
            tokens.check_gateway(forged)


@pytest.mark.parametrize("token", [None, "", "x", "a.b.c", "...", "\ud800", "é.é.é", "x" * 20_000])
def test_what_is_no_token_is_refused(tokens: Tokens, token: str | None) -> None:
    with pytest.raises(BadToken):
        tokens.check_gateway(token)
    with pytest.raises(BadToken):
        tokens.check_access(token)
