"""Shared contexts: their data, owners and permissions."""

from collections.abc import Iterator

from msgspec import Raw

from rostrum.gateway.domains.context.delta import Node, weight, write
from rostrum.gateway.peer import Peer, Share
from rostrum.gateway.restrictions import Restriction
from rostrum.gateway.restrictions import weight as restriction_weight
from rostrum.gateway.usage import Usage, text_bytes

MOST_CONTEXTS = 100_000
"""Maximum number of contexts of each user."""
LONGEST_NAME = 4096
MEMBER_BYTES = 256
"""Bytes that count for each peer that is notified of the changes of a context."""
_CONTEXT_BYTES = 1024
"""Bytes that count for each context, in addition to its name and data."""
_IDENTITY_FACTOR = 8
"""Bytes that count for each byte of an identity that a context with restrictions keeps."""
LARGEST_DATA = 16 * 1024 * 1024
"""Weight of the data of one context, like the size of a message: all of it is encoded for each new member, at once."""
_LARGEST_STORED_TEXT = 65_536
"""Weight above which the text of data is not stored in addition to the data."""

ANY_USER = ""
"""The user of contexts created by a service, which are visible to all users. No user can sign in with an empty name."""


class Lifetime:
    """When a context ends."""

    RETAINED = "retained"
    OWNERSHIP = "ownership"
    REF_COUNTED = "ref-counted"
    ACTIVITY = "activity"
    CHOOSABLE = (RETAINED, OWNERSHIP, REF_COUNTED)


class Permissions:
    """The peers that may read and change a context, in addition to its creator."""

    __slots__ = ("read", "write")

    def __init__(self, read: Restriction | None, write: Restriction | None) -> None:
        self.read = read
        self.write = write

    @property
    def is_empty(self) -> bool:
        """Return whether all peers of the user may read and change the context."""
        return self.read is None and self.write is None


class Context:
    """A context.

    Attributes:
        user: The owner that it belongs to, as in peers.
        creator: The peer that created it, if restrictions depend on its identity.
        owner: The peer with which it ends, if its lifetime is ownership.
        members: The peers that are notified of changes.
        data: The data.
        data_bytes: The weight of the data.
        changes: The number of changes.
        charges: The bytes that count in each share, if apps have shares.
    """

    __slots__ = (
        "_text",
        "changes",
        "charges",
        "creator",
        "data",
        "data_bytes",
        "id",
        "lifetime",
        "members",
        "name",
        "own_bytes",
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
        data_bytes: int | None = None,
    ) -> None:
        """Prepare a context; the weight of large data should be given, because calculating it takes long."""
        self.id = context_id
        self.name = name
        self.user = ANY_USER if creator.is_service else creator.user
        self.creator = None if permissions.is_empty else creator
        self.owner = creator if lifetime == Lifetime.OWNERSHIP else None
        self.lifetime = lifetime
        self.permissions = permissions
        self.members: dict[str, Peer] = {}
        self.data = data
        self.data_bytes = weight(data) if data_bytes is None else data_bytes
        self.own_bytes = _CONTEXT_BYTES + text_bytes(name)
        if self.creator is not None:
            self.own_bytes += restriction_weight(permissions.read) + restriction_weight(permissions.write)
            self.own_bytes += _IDENTITY_FACTOR * memoryview(creator.identity_text).nbytes
        self._text: Raw | None = None
        self.changes = 0
        self.charges: dict[Share, int] = {}

    @property
    def bytes(self) -> int:
        """Return how many bytes count for this context."""
        return self.own_bytes + self.data_bytes

    @property
    def text(self) -> Raw:
        """Return the data as JSON, encoded once per change if it is small."""
        if self._text is not None:
            return self._text
        text = write(self.data)
        if self.data_bytes <= _LARGEST_STORED_TEXT:
            self._text = text
        return text

    @property
    def snapshot(self) -> Raw | dict[str, Node]:
        """Return the data for a message: large data is encoded as a part of it, instead of twice."""
        return self.text if self.data_bytes <= _LARGEST_STORED_TEXT else self.data

    def set_data(self, data: dict[str, Node], data_bytes: int) -> None:
        self.data, self.data_bytes = data, data_bytes
        self._text = None
        self.changes += 1

    def is_known_to(self, peer: Peer) -> bool:
        """Return whether a peer can see the context."""
        return self.user in (peer.user, ANY_USER) or peer.is_service

    def may_write(self, peer: Peer) -> bool:
        """Return whether a peer may change the data."""
        if self.lifetime == Lifetime.ACTIVITY:
            return peer.id in self.members
        return self._is_own(peer) or self.permissions.write is None or self._writes(peer)

    def may_read(self, peer: Peer) -> bool:
        """Return whether a peer may read the data; permission to change it includes reading."""
        if self._is_own(peer) or self.permissions.read is None:
            return True
        return self._allows(self.permissions.read, peer) or self._writes(peer)

    def _writes(self, peer: Peer) -> bool:
        return self._allows(self.permissions.write, peer)

    def _allows(self, restriction: Restriction | None, peer: Peer) -> bool:
        if restriction is None or self.creator is None:
            return False
        return restriction.allows(self.creator.identity, peer.identity)

    def _is_own(self, peer: Peer) -> bool:
        return peer is self.creator or peer is self.owner


class Contexts:
    """All contexts, by id, by user and name, and by member."""

    def __init__(self, usage: Usage) -> None:
        """Count the bytes of all contexts."""
        self._usage = usage
        # Without shares, nothing is stored about who has paid for a context.
        self._has_shares = usage.has_shares
        self._by_member: dict[str, dict[str, Context]] = {}
        self._by_id: dict[str, Context] = {}
        self._by_user: dict[str, dict[str, Context]] = {}

    def __iter__(self) -> Iterator[Context]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def has(self, context: Context) -> bool:
        """Return whether a context was not removed."""
        return self._by_id.get(context.id) is context

    def find(self, peer: Peer, context_id: str) -> Context | None:
        context = self._by_id.get(context_id)
        return context if context is not None and context.is_known_to(peer) else None

    def named(self, peer: Peer, name: str) -> Context | None:
        """Find a context of a peer's user, or of a service, by its name."""
        own = self._by_user.get(ANY_USER if peer.is_service else peer.user, {}).get(name)
        return own or self._by_user.get(ANY_USER, {}).get(name)

    def known_to(self, peer: Peer) -> list[Context]:
        """List the contexts that a peer can see."""
        if peer.is_service:
            return list(self._by_id.values())
        return [*self._by_user.get(peer.user, {}).values(), *self._by_user.get(ANY_USER, {}).values()]

    def is_full(self, peer: Peer) -> bool:
        """Return whether a peer's user has reached the limit of contexts."""
        return len(self._by_user.get(ANY_USER if peer.is_service else peer.user, ())) >= MOST_CONTEXTS

    def of_user(self, user: str) -> list[Context]:
        """List the contexts of an owner."""
        return list(self._by_user.get(user, {}).values())

    def change(self, context: Context, peer: Peer, data: dict[str, Node], data_bytes: int) -> None:
        """Replace the data of a context on behalf of a peer, whose share pays for the growth."""
        growth = data_bytes - context.data_bytes
        if not self._has_shares:
            if growth:
                self._usage.add(context.user, growth)
        elif growth > 0:
            self._charge(context, peer.share, growth)
        elif growth:
            self._refund(context, peer.share, -growth)
        context.set_data(data, data_bytes)

    def add(self, context: Context, creator: Peer) -> None:
        """Add a context, which counts in the share of its creator."""
        if self._has_shares:
            self._charge(context, creator.share, context.bytes)
        else:
            self._usage.add(context.user, context.bytes)
        self._by_id[context.id] = context
        self._by_user.setdefault(context.user, {})[context.name] = context

    def of(self, peer: Peer) -> list[Context]:
        """List the contexts that a peer is a member of."""
        return list(self._by_member.get(peer.id, {}).values())

    def enter(self, context: Context, peer: Peer) -> None:
        """Add a peer to a context, so that it receives all changes."""
        if peer.id not in context.members:
            self._usage.add(peer.user, MEMBER_BYTES, peer.share)
        context.members[peer.id] = peer
        self._by_member.setdefault(peer.id, {})[context.id] = context

    def exit(self, context: Context, peer: Peer) -> None:
        """Remove a peer from a context."""
        if context.members.pop(peer.id, None) is not None:
            self._forget_member(context, peer)

    def remove(self, context: Context) -> None:
        if not self._has_shares:
            self._usage.add(context.user, -context.bytes)
        for share, count in list(context.charges.items()):
            self._charge(context, share, -count)
        for peer in context.members.values():
            self._forget_member(context, peer)
        del self._by_id[context.id]
        names = self._by_user[context.user]
        del names[context.name]
        if not names:
            del self._by_user[context.user]

    def _charge(self, context: Context, share: Share, count: int) -> None:
        self._usage.add(context.user, count, share)
        context.charges[share] = context.charges.get(share, 0) + count

    def _refund(self, context: Context, first: Share, count: int) -> None:
        """Reduce the shares that have paid for a context, beginning with that of the app that has made it smaller."""
        for share in (first, *context.charges):
            returned = min(count, context.charges.get(share, 0))
            if returned:
                self._charge(context, share, -returned)
                count -= returned

    def _forget_member(self, context: Context, peer: Peer) -> None:
        self._usage.add(peer.user, -MEMBER_BYTES, peer.share)
        contexts = self._by_member[peer.id]
        del contexts[context.id]
        if not contexts:
            del self._by_member[peer.id]
