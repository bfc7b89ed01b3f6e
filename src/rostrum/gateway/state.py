"""The state of the gateway: peers, their visibility, and messages to send."""

from collections.abc import Collection, Iterable, Iterator

from rostrum.gateway.absences import Absences
from rostrum.gateway.costs import FRAME
from rostrum.gateway.domains.activity.activities import Activities
from rostrum.gateway.domains.agm.agm_peer import AgmPeer
from rostrum.gateway.domains.bus.topics import Topics
from rostrum.gateway.domains.context.contexts import ANY_USER, Contexts
from rostrum.gateway.messages.record import Outgoing
from rostrum.gateway.pace import Pace, Partly, Steps
from rostrum.gateway.peer import Peer, Receiver
from rostrum.gateway.restrictions import Restriction, weight
from rostrum.gateway.usage import Usage

MANY_RECEIVERS = 500
"""Receivers of a message that is delivered in one step."""


class Encoded:
    """A message that is encoded once, although it is delivered in several steps.

    Attributes:
        tail: Its text, after the first delivery.
    """

    __slots__ = ("message", "tail")

    def __init__(self, message: Outgoing) -> None:
        self.message = message
        self.tail: bytes | memoryview = b""


class Outbox:
    """The messages to send, in order, each with its receivers."""

    __slots__ = ("_pace", "items")

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self.items: list[tuple[Collection[Receiver], Outgoing | Encoded]] = []

    def send(self, receiver: Receiver, message: Outgoing, size: int = 0) -> None:
        """Send a message to one receiver; state the size of its parts if they can be large."""
        self._pace.load += size
        self.items.append(((receiver,), message))

    def send_all(self, receivers: Collection[Receiver], message: Outgoing) -> None:
        """Send the same message to many receivers; it is encoded once."""
        if receivers:
            self.items.append((receivers, message))

    def send_in_steps(self, receivers: Collection[Receiver], message: Outgoing) -> Steps:
        """Send the same message to very many receivers."""
        every, encoded = list(receivers), Encoded(message)
        for start in range(0, len(every), MANY_RECEIVERS):
            part = every[start : start + MANY_RECEIVERS]
            self.items.append((part, encoded))
            self._pace.load += FRAME * len(part)
            if self._pace.is_over:
                yield


class State:
    """The complete state. Only the handlers of domains change it, one message at a time.

    Attributes:
        agm_peers: The members of the agm domain by their peer ids; other domains have their own records.
        pace: Says when long work should continue in a later turn of the event loop.
    """

    def __init__(
        self,
        node: str,
        *,
        contexts: Contexts,
        topics: Topics,
        activities: Activities,
        usage: Usage,
        absences: Absences,
        pace: Pace,
    ) -> None:
        """Start without peers; the node's name is part of every id."""
        self.node = node
        self.peers: dict[str, Peer] = {}
        self.users: dict[str, dict[str, Peer]] = {}
        self.services: dict[str, Peer] = {}
        self.identities: dict[bytes, Peer] = {}
        self.members: dict[str, dict[str, dict[str, Peer]]] = {}
        self.agm_peers: dict[str, AgmPeer] = {}
        self.contexts = contexts
        self.topics = topics
        self.activities = activities
        self.usage = usage
        self.absences = absences
        self.out = Outbox(pace)
        self.pace = pace
        self.reserved_methods = ""
        self.shared_methods: tuple[str, ...] = ()
        self._counter = 0

    def new_id(self, kind: str) -> str:
        """Create an id that was never used before."""
        self._counter += 1
        return f"{kind}-{self.node}-{self._counter}"

    def add_peer(self, peer: Peer) -> None:
        """Add a peer; raise Refused if its user has too many."""
        self.usage.check_peer(peer)
        self.usage.add(peer.user, peer.bytes, peer.share_of_peers)
        self.peers[peer.id] = peer
        self.identities[peer.identity_key] = peer
        self.users.setdefault(peer.user, {})[peer.id] = peer
        self.absences.end(peer.user, is_local=peer.source.is_local)
        self.absences.end(ANY_USER, is_local=True)
        if peer.is_service:
            self.services[peer.id] = peer
        peer.source.peers[peer.id] = peer

    def release_identity(self, peer: Peer) -> None:
        """Let another peer sign in with the identity of a peer that has disconnected."""
        if self.identities.get(peer.identity_key) is peer:
            del self.identities[peer.identity_key]

    def remove_peer(self, peer: Peer) -> None:
        """Remove a peer that has left all domains."""
        peer.is_gone = True
        del self.peers[peer.id]
        self.release_identity(peer)
        _drop(self.users, peer.user, peer.id)
        self.services.pop(peer.id, None)
        self.usage.add(peer.user, -peer.bytes, peer.share_of_peers)
        if peer.user not in self.users:
            self._leave_behind(peer.user)
        if not self.users:
            self._leave_behind(ANY_USER)
        peer.source.peers.pop(peer.id, None)

    def _leave_behind(self, owner: str) -> None:
        if self.usage.of(owner):
            self.absences.begin(owner)
        else:
            self.absences.end(owner, is_local=False)

    def revoke(self, owner: str) -> None:
        """Record that a sign-in of an owner was revoked: without other clients, what is stored expires soon."""
        if self.usage.of(owner) and all(peer.source.is_local for peer in self.users.get(owner, {}).values()):
            self.absences.revoke(owner)

    def enter(self, peer: Peer, domain: str, restriction: Restriction | None) -> None:
        """Add a peer to a domain."""
        self.usage.add(peer.user, weight(restriction), peer.share)
        peer.joined[domain] = restriction
        self.members.setdefault(domain, {}).setdefault(peer.user, {})[peer.id] = peer

    def exit(self, peer: Peer, domain: str) -> None:
        """Remove a peer from a domain."""
        self.usage.add(peer.user, -weight(peer.joined.pop(domain)), peer.share)
        _drop(self.members[domain], peer.user, peer.id)

    def visible(self, peer: Peer, domain: str) -> Partly[list[Peer]]:
        """List the other members of a domain that a member can see."""
        found: list[Peer] = []
        for other in self._candidates(peer, domain):
            if other is not peer and peer.sees(other, domain):
                found.append(other)
            if self.pace.is_over:
                yield
        return found

    def same_user(self, peer: Peer) -> Iterator[Peer]:
        """List all peers that may see objects of this peer's user, including the peer."""
        return self.who_may_see(ANY_USER if peer.is_service else peer.user)

    def who_may_see(self, user: str) -> Iterator[Peer]:
        """List all peers that may see objects of an owner."""
        groups: Iterable[dict[str, Peer]] = (
            self.users.values() if user == ANY_USER else (self.users.get(user, {}), self.services)
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
