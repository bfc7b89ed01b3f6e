"""Base classes of message records."""

from typing import Annotated, ClassVar

import msgspec

NULL = msgspec.Raw(b"null")
"""Replaces an absent payload when a message is forwarded."""

Name = Annotated[str, msgspec.Meta(max_length=256)]
"""A text that the gateway may store as long as the peer or the request exists."""

RequestId = Name | int | None
"""Chosen by the requester, returned unchanged."""

StreamId = Name | int
"""Chosen by the publisher for a branch of a stream."""

MethodId = Name | int | float
"""Chosen by the peer that registers the method. 1 and 1.0 are the same id, as in JavaScript; true is not an id."""


class Incoming(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    """A message from a peer.

    Unknown fields are ignored; payloads stay encoded.

    Attributes:
        forwards: Whether its payloads are forwarded without parsing, so that they may have any number of elements.
    """

    forwards: ClassVar[bool] = False

    request_id: RequestId = None
    peer_id: str | None = None


class Outgoing(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    """A message to peers; the receiver's peer id is added when it is sent."""

    domain: str
