"""Admission of peers: from checked credentials to a peer with an identity."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from rostrum.base.ids import canonical
from rostrum.gateway.domains.domain import Domain
from rostrum.gateway.messages.global_domain import AuthenticationRequest, Hello, Welcome
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import LONGEST_IDENTITY, Binding, Peer, Source, Stranger
from rostrum.gateway.reasons import Refused
from rostrum.gateway.relayed import MARK
from rostrum.gateway.sessions import owner_of
from rostrum.gateway.state import State

MOST_PEERS = 1_000
"""Maximum number of peers that share a connection: each uses memory, and all others are notified of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """The credentials are valid.

    Attributes:
        user: The user, as shown to others.
        login: The name that was signed in with, if any.
        is_service: Whether the peer may see every user's peers.
        access_token: A token to sign in with the next time.
        claims: The claims of a gateway token, except the user.
        session: The id of the sign-in session that the peer comes from; empty if there is none.
        account: Distinguishes accounts that have had the same name.
        binding: The verified identity, which overrides the identity that the peer sends.
        overlay: Further members that override the identity; None removes a member.
        one_time_token: The token that this sign-in uses up.
    """

    user: str
    login: str | None = None
    is_service: bool = False
    access_token: str | None = None
    claims: dict[str, Any] = field(default_factory=dict)
    session: str = ""
    account: str = ""
    binding: Binding | None = None
    overlay: Mapping[str, Any] = field(default_factory=dict)
    one_time_token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Rejected:
    """The credentials are not valid."""

    text: str


@dataclass(frozen=True, slots=True)
class Challenged:
    """One more step is needed, with this token."""

    token: str


Verdict = Admitted | Rejected | Challenged


def fold_user(user: str, *, case_sensitive: bool) -> str:
    """Return the form in which user names are compared."""
    return canonical(user, case_sensitive=case_sensitive)


def admit(
    state: State, source: Source, hello: Hello, admitted: Admitted, domains: Iterable[Domain], *, case_sensitive: bool
) -> Peer:
    """Create the peer, and send it the welcome message; ``introduce`` follows."""
    if len(source.peers) >= MOST_PEERS:
        raise Refused("global.errors.failure", f"The connection has {MOST_PEERS} peers, the most it may have")
    owner = owner_of(fold_user(admitted.user, case_sensitive=case_sensitive), admitted.account)
    if any(peer.user != owner for peer in source.peers.values()):
        # The messages of a connection count for one user, and wait for this user's long work.
        raise Refused("global.errors.failure", "The connection belongs to another user. Open another connection")
    peer_id, identity = _identity(state, source, hello, admitted)
    key = _same(identity, case_sensitive=case_sensitive) + admitted.account.encode()
    if hello.identity.get("instance") is None:
        # Only a peer that sends its own instance can be a duplicate.
        key += peer_id.encode()
    if key in state.identities:
        raise Refused("global.errors.already_seen", "A peer with the same identity is already connected")
    peer = Peer(peer_id, owner, identity, source, is_service=admitted.is_service)
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
        options={"access_token": admitted.access_token} if admitted.access_token and not source.is_relayed else {},
    )
    state.out.send(peer, welcome)
    return peer


def introduce(state: State, peer: Peer, domains: Iterable[Domain]) -> Steps:
    """Send a new peer the current state, and notify others of it."""
    for domain in domains:
        yield from domain.welcome(state, peer) or ()


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
    if source.is_relayed:
        identity[MARK] = True
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
