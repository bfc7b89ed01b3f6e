"""The state of the activity domain: types of activities, peer factories, and the existing activities."""

from msgspec import Raw

from rostrum.gateway.domains.context.contexts import Context
from rostrum.gateway.messages.activity import ActivityCreated, ActivityDefinition, FactoryDefinition, Joined, MemberInfo
from rostrum.gateway.messages.record import RequestId
from rostrum.gateway.peer import Peer
from rostrum.gateway.usage import Kept, Stored, Usage, text_bytes

_REQUEST_BYTES = 2048
_OFFER_BYTES, _OFFER_FACTOR = 1024, 16
"""Bytes that count for each definition, and for each byte of its text: small parts need most memory."""


class Offer(Stored):
    """A definition that is stored unchanged."""

    __slots__ = ("text",)

    def __init__(self, owner: str, text: Raw) -> None:
        """Use a copy of a part of a message, so that the message can be freed."""
        super().__init__(owner, _OFFER_BYTES + _OFFER_FACTOR * memoryview(text).nbytes)
        self.text = text


class ActivityType(Offer):
    """A type of activity."""

    __slots__ = ("definition",)

    def __init__(self, owner: str, definition: ActivityDefinition, text: Raw) -> None:
        super().__init__(owner, text)
        self.definition = definition


class Factory(Offer):
    """A factory for peers of one type."""

    __slots__ = ("definition",)

    def __init__(self, owner: str, definition: FactoryDefinition, text: Raw) -> None:
        super().__init__(owner, text)
        self.definition = definition


class Member:
    """A peer and its role in an activity."""

    __slots__ = ("name", "peer", "type")

    def __init__(self, peer: Peer, kind: str | None, name: str | None) -> None:
        self.peer = peer
        self.type = kind
        self.name = name

    @property
    def info(self) -> MemberInfo:
        return MemberInfo(peer_id=self.peer.id, name=self.name, type=self.type)


class Activity:
    """An activity: its owner, the other members, and the context they share."""

    __slots__ = ("context", "id", "initiator", "is_started", "owner", "participants", "type", "user")

    def __init__(self, activity_id: str, kind: str, initiator: Peer, context: Context) -> None:
        """Start without members."""
        self.id = activity_id
        self.type = kind
        self.user = initiator.user
        self.initiator = initiator
        self.context = context
        self.owner: Member | None = None
        self.participants: dict[str, Member] = {}
        self.is_started = False

    @property
    def members(self) -> list[Member]:
        return [*([self.owner] if self.owner is not None else []), *self.participants.values()]

    def joined(self, member: Member) -> Joined:
        return Joined(
            activity_id=self.id,
            activity_type=self.type,
            initiator=self.initiator.id,
            context_id=self.context.id,
            owner=self.owner.info if self.owner is not None else None,
            participants=[each.info for each in self.participants.values()],
            context_snapshot=self.context.text,
            peer_name=member.name,
            peer_type=member.type,
        )

    def created(self) -> ActivityCreated:
        return ActivityCreated(
            activity_id=self.id,
            activity_type=self.type,
            context_id=self.context.id,
            initiator=self.initiator.id,
            owner=self.owner.info if self.owner is not None else None,
            participants=[each.info for each in self.participants.values()],
        )


class PeerRequest(Stored):
    """A peer that is being created.

    Attributes:
        maker: The peer that creates it.
        requester: The peer that requested it.
        client_request: The pending request, if it is for this peer only.
        activity: The activity that it is created for, if any.
        replaces: The member that it replaces, if a peer reloads itself.
        since: When the gateway first checked whether the request is still pending.
    """

    __slots__ = (
        "activity",
        "client_request",
        "id",
        "is_owner",
        "is_single",
        "maker",
        "name",
        "replaces",
        "requester",
        "since",
        "type",
    )

    def __init__(self, request_id: str, maker: Peer, requester: Peer, kind: str | None, name: str | None) -> None:
        super().__init__(requester.user, _REQUEST_BYTES + text_bytes(kind) + text_bytes(name))
        self.id = request_id
        self.maker = maker
        self.requester = requester
        self.type = kind
        self.name = name
        self.activity: Activity | None = None
        self.is_owner = False
        self.is_single = False
        self.client_request: RequestId = None
        self.replaces: Member | None = None
        self.since: float | None = None


class ActivityPeer:
    """The state of a member of the activity domain."""

    __slots__ = ("activity", "factories", "request", "watches", "watches_all")

    def __init__(self, usage: Usage) -> None:
        self.factories: Kept[str, Factory] = Kept(usage, "activity")
        self.watches: Kept[str, Stored] = Kept(usage, "activity")
        self.watches_all = False
        self.activity: Activity | None = None
        self.request: PeerRequest | None = None

    def is_watching(self, kind: str) -> bool:
        """Return whether it is subscribed to a type of activity."""
        return self.watches_all or kind in self.watches


class Activities:
    """All types by user, all activities, and the peers that are being created.

    Attributes:
        peers: The members of the activity domain by their peer ids.
    """

    def __init__(self, usage: Usage) -> None:
        self._usage = usage
        self.peers: dict[str, ActivityPeer] = {}
        self._kinds: dict[str, Kept[str, ActivityType]] = {}
        self.by_id: dict[str, Activity] = {}
        self.requests: Kept[str, PeerRequest] = Kept(usage, "activity")

    def kinds_of(self, user: str) -> Kept[str, ActivityType]:
        """Return the types of a user."""
        return self._kinds.setdefault(user, Kept(self._usage, "activity"))

    def forget_kinds(self, user: str) -> None:
        """Remove the types of a user without members of the domain: later members define them again."""
        self._kinds.pop(user, Kept(self._usage, "activity")).drop_all()
