"""Base classes of message records."""

import msgspec

NULL = msgspec.Raw(b"null")
"""Replaces an absent payload when a message is forwarded."""

RequestId = str | int | None
"""Chosen by the requester, returned unchanged."""

MethodId = str | int | float
"""Chosen by the peer that registers the method. 1 and 1.0 are the same id, as in JavaScript; true is not an id."""


class Incoming(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    """A message from a peer.

    Unknown fields are ignored; payloads stay encoded.
    """

    request_id: RequestId = None
    peer_id: str | None = None


class Outgoing(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    """A message to peers; the receiver's peer id is added when it is sent."""

    domain: str
