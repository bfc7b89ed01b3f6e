"""Messages of the global domain: sign-in, joining domains, tokens; and the responses that all domains share."""

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
    """Keep the connection alive; there is no response."""


class Join(Incoming, frozen=True, kw_only=True, tag="join"):
    """Join a domain; the response is sent in that domain."""

    destination: str
    restrictions: str | None = None
    options: msgspec.Raw = NULL


class Leave(Incoming, frozen=True, kw_only=True, tag="leave"):
    """Leave a domain; the response is sent in that domain."""

    destination: str
    reason_uri: str | None = None
    reason: str | None = None


class CreateToken(Incoming, frozen=True, kw_only=True, tag="create-token"):
    """Request a token with which another program of the same user can sign in."""


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
    """A requested token."""

    domain: str = "global"
    request_id: RequestId
    token: str


class Success(Outgoing, frozen=True, kw_only=True, tag="success"):
    """A request was processed."""

    request_id: RequestId


class Error(Outgoing, frozen=True, kw_only=True, tag="error"):
    """A request was rejected or failed."""

    request_id: RequestId
    reason_uri: str | None
    reason: str | None
    context: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class PeerAdded(Outgoing, frozen=True, kw_only=True, tag="peer-added"):
    """A peer is visible."""

    new_peer_id: str
    identity: msgspec.Raw
    meta: dict[str, bool]


class PeerRemoved(Outgoing, frozen=True, kw_only=True, tag="peer-removed"):
    """A peer is no longer visible."""

    removed_id: str
    reason_uri: str | None
    reason: str | None
