"""Messages of the global domain: signing in, joining domains, tokens; and the answers that all domains share."""

from typing import Any

import msgspec

from rostrum.gateway.messages.record import NULL, Incoming, Outgoing, RequestId


class Authentication(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The credentials of a sign-in."""

    method: str | None = None
    provider: str | None = None
    login: str | None = None
    secret: str | None = None
    token: str | None = None


class Hello(Incoming, frozen=True, kw_only=True, tag="hello"):
    """Sign in."""

    identity: dict[str, Any] = msgspec.field(default_factory=dict)
    authentication: Authentication = Authentication()


class Ping(Incoming, frozen=True, kw_only=True, tag="ping"):
    """Say that the sender is alive; never answered."""


class Join(Incoming, frozen=True, kw_only=True, tag="join"):
    """Become a member of a domain; answered in that domain."""

    destination: str
    restrictions: str | None = None
    options: msgspec.Raw = NULL


class Leave(Incoming, frozen=True, kw_only=True, tag="leave"):
    """Stop being a member of a domain; answered in that domain."""

    destination: str
    reason_uri: str | None = None
    reason: str | None = None


class CreateToken(Incoming, frozen=True, kw_only=True, tag="create-token"):
    """Ask for a token with which another program of the same user can sign in."""


class Welcome(Outgoing, frozen=True, kw_only=True, tag="welcome"):
    """The sign-in succeeded."""

    domain: str = "global"
    request_id: RequestId
    available_domains: list[dict[str, Any]]
    resolved_identity: msgspec.Raw
    options: dict[str, Any]


class AuthenticationRequest(Outgoing, frozen=True, kw_only=True, tag="authentication-request"):
    """The sign-in needs one more step."""

    domain: str = "global"
    request_id: RequestId
    authentication: dict[str, str]


class Token(Outgoing, frozen=True, kw_only=True, tag="token"):
    """A token that was asked for."""

    domain: str = "global"
    request_id: RequestId
    token: str


class Success(Outgoing, frozen=True, kw_only=True, tag="success"):
    """A request was carried out."""

    request_id: RequestId


class Error(Outgoing, frozen=True, kw_only=True, tag="error"):
    """A request was refused, or failed where it was carried out."""

    request_id: RequestId
    reason_uri: str | None
    reason: str | None
    context: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class PeerAdded(Outgoing, frozen=True, kw_only=True, tag="peer-added"):
    """A peer can be seen from now on."""

    new_peer_id: str
    identity: msgspec.Raw
    meta: dict[str, bool]


class PeerRemoved(Outgoing, frozen=True, kw_only=True, tag="peer-removed"):
    """A peer can no longer be seen."""

    removed_id: str
    reason_uri: str | None
    reason: str | None
