"""Letting peers in: from checked credentials to a peer with an identity."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from rostrum.base.ids import canonical
from rostrum.gateway.domains.domain import Domain
from rostrum.gateway.messages.global_domain import AuthenticationRequest, Hello, Welcome
from rostrum.gateway.peer import Binding, Peer, Source, Stranger
from rostrum.gateway.reasons import Refused
from rostrum.gateway.state import State

LONGEST_IDENTITY = 65_536
MOST_PEERS = 1_000
"""Most peers that may share one connection: each costs memory, and all others hear of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """The credentials are good.

    Attributes:
        user: Who it is, as others will see it.
        login: The name that was signed in with, if any.
        is_service: Whether the peer may see every user's peers.
        access_token: A token to sign in with the next time.
        claims: What a gateway token says beyond the user.
        session: The id of the sign-in session that the peer comes from; empty if there is none.
        binding: The verified identity, which replaces what the peer says of itself.
        overlay: Further members of the identity that the peer does not choose; None takes one out.
        one_time_token: The token that this sign-in uses up.

    """

    user: str
    login: str | None = None
    is_service: bool = False
    access_token: str | None = None
    claims: dict[str, Any] = field(default_factory=dict)
    session: str = ""
    binding: Binding | None = None
    overlay: Mapping[str, Any] = field(default_factory=dict)
    one_time_token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Rejected:
    """The credentials are not good."""

    text: str


@dataclass(frozen=True, slots=True)
class Challenged:
    """One more step is needed, with this token."""

    token: str


Verdict = Admitted | Rejected | Challenged


def fold_user(user: str, *, case_sensitive: bool) -> str:
    """Give the spelling that users are distinguished by."""
    return canonical(user, case_sensitive=case_sensitive)


def admit(
    state: State, source: Source, hello: Hello, admitted: Admitted, domains: Iterable[Domain], *, case_sensitive: bool
) -> Peer:
    """Create the peer, send the welcome message, and send it the current state."""
    if len(source.peers) >= MOST_PEERS:
        raise Refused("global.errors.failure", f"The connection has {MOST_PEERS} peers, the most it may have")
    user = fold_user(admitted.user, case_sensitive=case_sensitive)
    peer_id, identity = _identity(state, source, hello, admitted)
    key = _same(identity, case_sensitive=case_sensitive)
    if hello.identity.get("instance") is None:
        # Only a peer that names its own instance can be the same one twice.
        key += peer_id.encode()
    if key in state.identities:
        raise Refused("global.errors.already_seen", "A peer with the same identity is already connected")
    peer = Peer(peer_id, user, identity, source, is_service=admitted.is_service)
    peer.claims = admitted.claims
    peer.session = admitted.session
    peer.binding = admitted.binding
    peer.identity_key = key
    state.add_peer(peer)
    domains = list(domains)
    welcome = Welcome(
        request_id=hello.request_id,
        available_domains=[{"uri": each.name, "description": "", "version": each.version} for each in domains],
        resolved_identity=peer.identity_text,
        options={} if admitted.access_token is None else {"access_token": admitted.access_token},
    )
    state.out.send(peer, welcome)
    for domain in domains:
        domain.welcome(state, peer)
    return peer


def challenge(state: State, source: Source, hello: Hello, challenged: Challenged) -> None:
    request = AuthenticationRequest(request_id=hello.request_id, authentication={"token": challenged.token})
    state.out.send(Stranger(source, None), request)


def _identity(state: State, source: Source, hello: Hello, admitted: Admitted) -> tuple[str, dict[str, Any]]:
    identity: dict[str, Any] = {"machine": source.machine, **hello.identity, "user": admitted.user}
    bound = {} if admitted.binding is None else admitted.binding.identity()
    for name, value in {**bound, **admitted.overlay}.items():
        identity[name] = value
        if value is None:
            del identity[name]
    if admitted.login is not None:
        identity["login"] = admitted.login
    if identity.get("instance") is None:
        identity["instance"] = state.new_id("i")
    peer_id = state.new_id("p")
    identity = {name: peer_id if value == "?" else value for name, value in identity.items()}
    if len(msgspec.json.encode(identity)) > LONGEST_IDENTITY:
        raise Refused("global.errors.failure", f"The identity is longer than {LONGEST_IDENTITY} bytes")
    return peer_id, identity


def _same(identity: dict[str, Any], *, case_sensitive: bool) -> bytes:
    folded = {
        name: fold_user(value, case_sensitive=case_sensitive)
        if name in ("user", "login") and isinstance(value, str)
        else value
        for name, value in identity.items()
    }
    return msgspec.json.encode(folded, order="sorted")
