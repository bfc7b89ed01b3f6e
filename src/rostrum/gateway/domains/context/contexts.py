"""Shared contexts: what they hold, whose they are, who may read and change them."""

from collections.abc import Iterator

from msgspec import Raw

from rostrum.gateway.domains.context.delta import Node, write
from rostrum.gateway.peer import Peer
from rostrum.gateway.restrictions import Restriction

MOST_CONTEXTS = 100_000
"""What one user may have."""

ANY_USER = ""
"""The user of contexts that a service made: everyone's. No one can sign in without a name."""


class Lifetime:
    """When a context ends by itself."""

    RETAINED = "retained"
    OWNERSHIP = "ownership"
    REF_COUNTED = "ref-counted"
    ACTIVITY = "activity"
    CHOOSABLE = (RETAINED, OWNERSHIP, REF_COUNTED)


class Permissions:
    """Who may read and change a context, besides its creator."""

    __slots__ = ("read", "write")

    def __init__(self, read: Restriction | None, write: Restriction | None) -> None:
        self.read = read
        self.write = write


class Context:
    """A context.

    Attributes:
        user: Whose it is.
        owner: With whom it ends, if its lifetime is ownership.
        members: Who is notified of every change.
        data: What it holds.
        changes: How often it was changed.

    """

    __slots__ = (
        "_text",
        "changes",
        "creator",
        "data",
        "id",
        "lifetime",
        "members",
        "name",
        "owner",
        "permissions",
        "user",
    )

    def __init__(
        self,
        context_id: str,
        name: str,
        creator: Peer,
        *,
        lifetime: str,
        data: dict[str, Node],
        permissions: Permissions,
    ) -> None:
        self.id = context_id
        self.name = name
        self.user = ANY_USER if creator.is_service else creator.user
        self.creator = creator
        self.owner = creator if lifetime == Lifetime.OWNERSHIP else None
        self.lifetime = lifetime
        self.permissions = permissions
        self.members: dict[str, Peer] = {}
        self.data = data
        self._text: Raw | None = None
        self.changes = 0

    @property
    def text(self) -> Raw:
        """Give the data as JSON, written once per change."""
        if self._text is None:
            self._text = write(self.data)
        return self._text

    def change(self, data: dict[str, Node]) -> None:
        """Put new data in place of the old."""
        self.data = data
        self._text = None
        self.changes += 1

    def is_known_to(self, peer: Peer) -> bool:
        """Return whether the context exists at all for a peer."""
        return self.user in (peer.user, ANY_USER) or peer.is_service

    def may_write(self, peer: Peer) -> bool:
        """Return whether a peer may change the data."""
        if self.lifetime == Lifetime.ACTIVITY:
            return peer.id in self.members
        return self._is_own(peer) or self.permissions.write is None or self._writes(peer)

    def may_read(self, peer: Peer) -> bool:
        """Return whether a peer may know the data: who was given the right to change it may read it, too."""
        if self._is_own(peer) or self.permissions.read is None:
            return True
        return self.permissions.read.allows(self.creator.identity, peer.identity) or self._writes(peer)

    def _writes(self, peer: Peer) -> bool:
        writers = self.permissions.write
        return writers is not None and writers.allows(self.creator.identity, peer.identity)

    def _is_own(self, peer: Peer) -> bool:
        return peer is self.creator or peer is self.owner


class Contexts:
    """All contexts, by id, by user and name, and by the peers that are members of them."""

    def __init__(self) -> None:
        self._by_member: dict[str, dict[str, Context]] = {}
        self._by_id: dict[str, Context] = {}
        self._by_user: dict[str, dict[str, Context]] = {}

    def __iter__(self) -> Iterator[Context]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def find(self, peer: Peer, context_id: str) -> Context | None:
        context = self._by_id.get(context_id)
        return context if context is not None and context.is_known_to(peer) else None

    def named(self, peer: Peer, name: str) -> Context | None:
        """Find a context of a peer's user, or else of a service, by its name."""
        own = self._by_user.get(ANY_USER if peer.is_service else peer.user, {}).get(name)
        return own or self._by_user.get(ANY_USER, {}).get(name)

    def known_to(self, peer: Peer) -> list[Context]:
        """List the contexts that exist for a peer."""
        if peer.is_service:
            return list(self._by_id.values())
        return [*self._by_user.get(peer.user, {}).values(), *self._by_user.get(ANY_USER, {}).values()]

    def is_full(self, peer: Peer) -> bool:
        """Return whether a peer's user has as many contexts as one may have."""
        return len(self._by_user.get(ANY_USER if peer.is_service else peer.user, ())) >= MOST_CONTEXTS

    def add(self, context: Context) -> None:
        self._by_id[context.id] = context
        self._by_user.setdefault(context.user, {})[context.name] = context

    def of(self, peer: Peer) -> list[Context]:
        """List the contexts that a peer is a member of."""
        return list(self._by_member.get(peer.id, {}).values())

    def enter(self, context: Context, peer: Peer) -> None:
        """Make a peer a member of a context, which is sent every change from now on."""
        context.members[peer.id] = peer
        self._by_member.setdefault(peer.id, {})[context.id] = context

    def exit(self, context: Context, peer: Peer) -> None:
        """Send a peer no further changes of a context."""
        if context.members.pop(peer.id, None) is not None:
            self._forget_member(context, peer.id)

    def remove(self, context: Context) -> None:
        for peer_id in context.members:
            self._forget_member(context, peer_id)
        del self._by_id[context.id]
        names = self._by_user[context.user]
        del names[context.name]
        if not names:
            del self._by_user[context.user]

    def _forget_member(self, context: Context, peer_id: str) -> None:
        contexts = self._by_member[peer_id]
        del contexts[context.id]
        if not contexts:
            del self._by_member[peer_id]
