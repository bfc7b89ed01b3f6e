"""What every message record has in common."""

import msgspec

NULL = msgspec.Raw(b"null")
"""What stands for an absent payload when a message is passed on."""

RequestId = str | int | None
"""Chosen by the requester, sent back as it came."""

MethodId = str | int | float
"""Chosen by the one who registers the method. 1 and 1.0 are one number, as in JavaScript; true is no id."""


class Incoming(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    """A message from a peer.

    Unknown fields are ignored; payloads stay as the text they came in.
    """

    request_id: RequestId = None
    peer_id: str | None = None


class Outgoing(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="type"):
    """A message to peers; the receiver's own peer id is put in front when it is sent."""

    domain: str
