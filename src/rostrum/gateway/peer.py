"""Peers, their bindings, and the sources of their messages."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from rostrum.gateway.costs import Costs
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.sessions import user_of_owner
from rostrum.gateway.wire import address

LONGEST_IDENTITY = 65_536
_PEER_BYTES, _IDENTITY_FACTOR = 16_384, 8
"""Bytes that count for each peer with its share of a connection, and for each byte of its identity."""
Share = tuple[str, str]
"""What an app of a user stores: its name, and what is counted apart."""
BOUND_MEMBERS = ("application", "applicationName", "instance", "windowId")
"""Members of an identity that only the binding may set, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One application, with its instance and its window where it has them.

    Attributes:
        id: Its id in tokens.
        user: The user of the bound peers.
    """

    id: str
    user: str
    application: str
    instance: str | None = None
    window: str | None = None

    def identity(self) -> dict[str, str | None]:
        """Return the members that override the identity of a peer; members that are None are removed."""
        given = (self.application, self.application, self.instance, self.window)
        return dict(zip(BOUND_MEMBERS, given, strict=True))


class Source(ABC):
    """The other end of a connection: a socket, or a program in this process.

    Attributes:
        machine: Its address, if known.
        is_open: Whether it is connected.
        is_paused: Whether it does not accept frames at present.
        is_relayed: Whether it belongs to an app whose frames a browser platform relays.
        sent: The number of frames sent to it.
        unread: The number of queued bytes.
        peers: Its peers, by peer id.
        costs: The costs of its user; none for a program in this process.
    """

    __slots__ = ("costs", "is_open", "is_paused", "is_relayed", "machine", "peers", "sent", "unread")

    is_local = False
    """Whether it is a program in this process."""
    needs_binding = False
    """Whether it requires a token that is bound to an app."""
    cookies = ""
    """The cookies of the page, if it may sign in with them."""

    def __init__(self, machine: str) -> None:
        self.machine = machine
        self.is_open = True
        self.is_paused = False
        self.is_relayed = False
        self.sent = 0
        self.unread = 0
        self.peers: dict[str, Peer] = {}
        self.costs: Costs | None = None

    @abstractmethod
    def deliver(self, head: bytes, tail: bytes | memoryview) -> None:
        """Send one frame in two parts, the second of which many receivers share; must neither block nor raise."""

    def deliver_large(self, head: bytes, tail: bytes | memoryview) -> None:
        """Send a frame that is larger than a few kilobytes."""
        self.deliver(head, tail)

    def revoke(self, reason: str) -> None:  # noqa: B027 - nothing to do by default
        """Close the connection: its user may no longer be connected."""

    def check_begins(self) -> None:  # noqa: B027 - nothing to do by default
        """Record that credentials are being checked: this time does not count for the client."""

    def check_ends(self, *, is_signed_in: bool) -> None:  # noqa: B027 - nothing to do by default
        """Record that credentials were checked, and whether the sign-in succeeded."""


class ProgramSource(Source):
    """A program in this process."""

    __slots__ = ()

    is_local = True

    @abstractmethod
    def deliver_call(self, head: bytes, tail: bytes | memoryview, arguments: msgspec.Raw) -> None:
        """Give the program a call whose large arguments are not part of the text."""


class Receiver(Protocol):
    """A receiver of messages.

    Attributes:
        source: Its connection.
        head: The first part of the frame, which differs from receiver to receiver.
    """

    @property
    def source(self) -> Source:
        """Return the connection."""
        ...

    @property
    def head(self) -> bytes:
        """Return the first part of the frame."""
        ...


class Stranger:
    """A client that has not signed in, or that claims the identity of another peer."""

    __slots__ = ("head", "source")

    def __init__(self, source: Source, peer_id: str | None) -> None:
        """Store the claimed peer ID, which the response repeats."""
        self.source = source
        self.head = address(peer_id=peer_id)


class Peer:
    """A signed-in peer.

    Attributes:
        user: Its owner: the user, in the form in which users are compared, with the account.
        bytes: What counts for it in the usage of its user, without what it leaves stored.
        is_service: Whether it may see the peers of all users; only an authenticator grants this.
        identity: Its identity, as others see it.
        joined: The domains it is a member of, each with its restriction.
        context_domain: The domain in which it receives contexts.
        session: Its sign-in session; empty if it has none.
        binding: Its verified identity; None if it is not verified.
    """

    __slots__ = (
        "binding",
        "bytes",
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
        self.bytes = _PEER_BYTES + _IDENTITY_FACTOR * memoryview(self.identity_text).nbytes
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

    @property
    def share(self) -> Share:
        """Return the share in which counts what it stores: that of its verified app, or that of all other programs."""
        return "" if self.binding is None else self.binding.application, ""

    @property
    def share_of_peers(self) -> Share:
        """Return the share of the peers themselves: an app that has stored much must be able to sign in again."""
        return self.share[0], "peers"

    @property
    def name(self) -> str:
        """Return the name of its user."""
        return user_of_owner(self.user)[0]

    def sees(self, other: "Peer", domain: str) -> bool:
        """Return whether the two peers can see each other in a domain that both have joined."""
        if self is other:
            return True
        if self.user != other.user and not (self.is_service or other.is_service):
            return False
        mine, theirs = self.joined.get(domain), other.joined.get(domain)
        if mine is not None and not mine.allows(self.identity, other.identity):
            return False
        return theirs is None or theirs.allows(other.identity, self.identity)
