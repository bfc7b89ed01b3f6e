"""Peers, the identities they are bound to, and the sources that their messages come from and go to."""

from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.wire import address

BOUND_MEMBERS = ("application", "applicationName", "instance", "windowId")
"""Members of an identity that only a binding may set once there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One application, with its instance and its window where it has them.

    Attributes:
        id: What tokens name it by.
        user: Whose peers are bound to it.

    """

    id: str
    user: str
    application: str
    instance: str | None = None
    window: str | None = None

    def identity(self) -> dict[str, str | None]:
        """Return the members to lay over the identity of a peer; those that are None are taken out of it."""
        given = (self.application, self.application, self.instance, self.window)
        return dict(zip(BOUND_MEMBERS, given, strict=True))


class Source:
    """Where messages come from and go to: a socket, or a program inside this process.

    Attributes:
        machine: Where it is, as far as the gateway can see.
        is_open: Whether anybody is still there.
        is_paused: Whether it takes no frames at the moment.
        sent: How many frames it was given.
        unread: How many bytes wait for it.
        peers: Who signed in through it, by peer id.

    """

    __slots__ = ("is_open", "is_paused", "machine", "peers", "sent", "unread")

    is_local = False
    """Whether it is a program inside this process."""
    needs_binding = False
    """Whether only a token that is bound to an app signs in on it."""
    cookies = ""
    """The cookies of the page at the other end, if it may sign in with them."""

    def __init__(self, machine: str) -> None:
        self.machine = machine
        self.is_open = True
        self.is_paused = False
        self.sent = 0
        self.unread = 0
        self.peers: dict[str, Peer] = {}

    def deliver(self, head: bytes, tail: bytes) -> None:
        """Process one frame in two parts, of which many receivers share the second; must neither wait nor raise."""
        raise NotImplementedError

    def revoke(self, reason: str) -> None:
        """Close the connection: who signed in on it may not be connected any more."""

    def check_begins(self) -> None:
        """Note that credentials are being checked: the time that this takes is not the client's."""

    def check_ends(self, *, is_signed_in: bool) -> None:
        """Note that credentials were checked, and whether somebody has signed in now."""


class Receiver(Protocol):
    """Someone a message can be sent to.

    Attributes:
        source: Where to.
        head: The first part of the frame, which differs from receiver to receiver.

    """

    @property
    def source(self) -> Source:
        """Give where the frame goes."""
        ...

    @property
    def head(self) -> bytes:
        """Give the first part of the frame."""
        ...


class Stranger:
    """Someone who has not signed in, or claims to be who he is not."""

    __slots__ = ("head", "source")

    def __init__(self, source: Source, peer_id: str | None) -> None:
        """Store the peer ID that was claimed: the answer repeats it."""
        self.source = source
        self.head = address(peer_id=peer_id)


class Peer:
    """Someone who is signed in.

    Attributes:
        user: Whose peer it is, in the spelling that users are distinguished by.
        is_service: Whether it may see every user's peers; only an authenticator grants this.
        identity: What others may know of it.
        joined: The domains it is a member of, each with the restriction given at joining.
        context_domain: The domain in which it is notified about contexts.
        session: The sign-in session that it comes from; empty if it has none.
        binding: The verified identity it signed in with; None for one that nobody vouches for.

    """

    __slots__ = (
        "binding",
        "claims",
        "context_domain",
        "head",
        "id",
        "identity",
        "identity_key",
        "identity_text",
        "is_gone",
        "is_service",
        "joined",
        "received",
        "session",
        "source",
        "user",
    )

    def __init__(self, peer_id: str, user: str, identity: dict[str, Any], source: Source, *, is_service: bool) -> None:
        self.id = peer_id
        self.user = user
        self.identity = identity
        self.identity_text = msgspec.Raw(msgspec.json.encode(identity))
        self.source = source
        self.is_service = is_service
        self.is_gone = False
        self.head = address(peer_id=peer_id)
        self.joined: dict[str, Restriction | None] = {}
        self.received = 0
        self.identity_key = b""
        self.session = ""
        self.claims: dict[str, Any] = {}
        self.binding: Binding | None = None
        self.context_domain = "global"

    def sees(self, other: "Peer", domain: str) -> bool:
        """Return whether the two may know of each other in a domain that both are members of."""
        if self is other:
            return True
        if self.user != other.user and not (self.is_service or other.is_service):
            return False
        mine, theirs = self.joined.get(domain), other.joined.get(domain)
        if mine is not None and not mine.allows(self.identity, other.identity):
            return False
        return theirs is None or theirs.allows(other.identity, self.identity)
