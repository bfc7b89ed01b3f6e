"""What the gateway knows at a moment: peers, who sees whom, and what is to be sent."""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from rostrum.gateway.messages.record import Outgoing
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.wire import address

if TYPE_CHECKING:
    from rostrum.gateway.binding import Binding
    from rostrum.gateway.domains.activity.activities import Activities, ActivityPeer
    from rostrum.gateway.domains.agm.agm_peer import AgmPeer
    from rostrum.gateway.domains.bus.topics import BusPeer, Topics
    from rostrum.gateway.domains.context.contexts import Context, Contexts

__all__ = ["Outbox", "Peer", "Receiver", "Source", "State", "Stranger"]


class Source:
    """Where messages come from and go to: a socket, or a program inside this process.

    Attributes:
        machine: Where it is, as far as the gateway can tell.
        is_open: Whether anybody is still there.
        is_paused: Whether it takes no frames at the moment.
        sent: How many frames it was given.
        unread: How many bytes wait for it.
        peers: Who logged in through it, by peer id.

    """

    __slots__ = ("is_open", "is_paused", "machine", "peers", "sent", "unread")

    is_local = False
    """Whether it is a program inside this process."""
    needs_binding = False
    """Whether only a token that is bound to an app signs in on it."""

    def __init__(self, machine: str) -> None:
        """Begin with nobody logged in."""
        self.machine = machine
        self.is_open = True
        self.is_paused = False
        self.sent = 0
        self.unread = 0
        self.peers: dict[str, Peer] = {}

    def deliver(self, head: bytes, tail: bytes) -> None:
        """Take one frame in two parts, of which many receivers share the second; must neither wait nor raise."""
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
    """Someone who has not logged in, or claims to be who he is not."""

    __slots__ = ("head", "source")

    def __init__(self, source: Source, peer_id: str | None) -> None:
        """Take the peer id that was claimed: the answer repeats it."""
        self.source = source
        self.head = address(peer_id=peer_id)


class Peer:
    """Someone who is logged in.

    Attributes:
        user: Whose peer it is, in the spelling that users are told apart by.
        is_service: Whether it may see every user's peers; only an authenticator grants this.
        identity: What others may know of it.
        joined: The domains it is a member of, each with the restriction given at joining.
        context_domain: The domain in which it is told about contexts.
        session: The sign-in session that it comes from; empty if it has none.
        binding: The verified identity it signed in with; None for one that nobody vouches for.

    """

    __slots__ = (
        "activity",
        "agm",
        "binding",
        "bus",
        "claims",
        "context_domain",
        "contexts",
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
        """Begin as a member of no domain."""
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
        self.agm: AgmPeer | None = None
        self.bus: BusPeer | None = None
        self.activity: ActivityPeer | None = None
        self.contexts: dict[str, Context] = {}
        self.context_domain = "global"

    def sees(self, other: "Peer", domain: str) -> bool:
        """Say whether the two may know of each other in a domain that both are members of."""
        if self is other:
            return True
        if self.user != other.user and not (self.is_service or other.is_service):
            return False
        mine, theirs = self.joined.get(domain), other.joined.get(domain)
        if mine is not None and not mine.allows(self.identity, other.identity):
            return False
        return theirs is None or theirs.allows(other.identity, self.identity)


class Outbox:
    """What is to be sent, in order: each message with everyone who gets it."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        """Begin empty."""
        self.items: list[tuple[Collection[Receiver], Outgoing]] = []

    def send(self, receiver: Receiver, message: Outgoing) -> None:
        """Send to one."""
        self.items.append(((receiver,), message))

    def send_all(self, receivers: Collection[Receiver], message: Outgoing) -> None:
        """Send the same to many: it is written once."""
        if receivers:
            self.items.append((receivers, message))


class State:
    """All that is known. Changed by the domains' handlers only, one message at a time."""

    def __init__(self, node: str, *, contexts: "Contexts", topics: "Topics", activities: "Activities") -> None:
        """Begin with nobody; the node's name is part of every id."""
        self.node = node
        self.peers: dict[str, Peer] = {}
        self.users: dict[str, dict[str, Peer]] = {}
        self.services: dict[str, Peer] = {}
        self.identities: dict[bytes, Peer] = {}
        self.members: dict[str, dict[str, dict[str, Peer]]] = {}
        self.contexts = contexts
        self.topics = topics
        self.activities = activities
        self.out = Outbox()
        self.reserved_methods = ""
        self.shared_methods: tuple[str, ...] = ()
        self._counter = 0

    def new_id(self, kind: str) -> str:
        """Make an id that was never used before."""
        self._counter += 1
        return f"{kind}-{self.node}-{self._counter}"

    def add_peer(self, peer: Peer) -> None:
        """Let a peer in."""
        self.peers[peer.id] = peer
        self.identities[peer.identity_key] = peer
        self.users.setdefault(peer.user, {})[peer.id] = peer
        if peer.is_service:
            self.services[peer.id] = peer
        peer.source.peers[peer.id] = peer

    def remove_peer(self, peer: Peer) -> None:
        """Forget a peer that has left every domain."""
        peer.is_gone = True
        del self.peers[peer.id]
        self.identities.pop(peer.identity_key, None)
        _drop(self.users, peer.user, peer.id)
        self.services.pop(peer.id, None)
        peer.source.peers.pop(peer.id, None)

    def enter(self, peer: Peer, domain: str, restriction: Restriction | None) -> None:
        """Note that a peer is a member of a domain."""
        peer.joined[domain] = restriction
        self.members.setdefault(domain, {}).setdefault(peer.user, {})[peer.id] = peer

    def exit(self, peer: Peer, domain: str) -> None:
        """Note that a peer is no member of a domain any more."""
        del peer.joined[domain]
        _drop(self.members[domain], peer.user, peer.id)

    def visible(self, peer: Peer, domain: str) -> list[Peer]:
        """List the other members of a domain that a member sees."""
        return [other for other in self._candidates(peer, domain) if other is not peer and peer.sees(other, domain)]

    def same_user(self, peer: Peer) -> Iterator[Peer]:
        """List everyone who may know of what this peer's user has, itself included."""
        groups: Iterable[dict[str, Peer]] = (
            self.users.values() if peer.is_service else (self.users.get(peer.user, {}), self.services)
        )
        return _each_once(groups)

    def _candidates(self, peer: Peer, domain: str) -> Iterator[Peer]:
        by_user = self.members.get(domain, {})
        if peer.is_service:
            return _each_once(by_user.values())
        services = {key: service for key, service in self.services.items() if domain in service.joined}
        return _each_once((by_user.get(peer.user, {}), services))


def _each_once(groups: Iterable[dict[str, Peer]]) -> Iterator[Peer]:
    seen: dict[str, Peer] = {}
    for group in groups:
        seen.update(group)
    return iter(seen.values())


def _drop(groups: dict[str, dict[str, Peer]], user: str, peer_id: str) -> None:
    group = groups[user]
    del group[peer_id]
    if not group:
        del groups[user]
