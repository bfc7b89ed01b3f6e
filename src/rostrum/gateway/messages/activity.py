"""Messages of the activity domain: groups of peers that are started together."""

import msgspec
from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming, Outgoing, RequestId

Configuration = dict[str, Raw]


class Role(msgspec.Struct, frozen=True, kw_only=True):
    """A peer that an activity has: which kind, and how it is set up."""

    type: str
    name: str | None = None
    configuration: Configuration | None = None


class ActivityDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of activity."""

    name: str
    owner_type: Role
    helper_types: list[Role] | None = None
    default_context: Raw = NULL


class TypesOverride(msgspec.Struct, frozen=True, kw_only=True):
    """Other peers than the kind of activity names."""

    owner_type: Role | None = None
    helper_types: list[Role] | None = None


class FactoryDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """What makes peers of one kind."""

    id: str
    peer_type: str
    configuration: Configuration | None = None


class AddTypes(Incoming, frozen=True, kw_only=True, tag="add-types"):
    """Name kinds of activities."""

    types: list[Raw]


class RemoveTypes(Incoming, frozen=True, kw_only=True, tag="remove-types"):
    """Withdraw kinds of activities."""

    types: list[str]


class AddPeerFactories(Incoming, frozen=True, kw_only=True, tag="add-peer-factories"):
    """Offer to make peers."""

    factories: list[Raw]


class RemovePeerFactories(Incoming, frozen=True, kw_only=True, tag="remove-peer-factories"):
    """Make such peers no longer."""

    factory_ids: list[str]


class CreateActivity(Incoming, frozen=True, kw_only=True, tag="create"):
    """Start an activity."""

    activity_type: str
    initial_context: Raw = NULL
    configuration: list[Role] | None = None
    types_override: TypesOverride | None = None


class CreatePeer(Incoming, frozen=True, kw_only=True, tag="create-peer"):
    """Have one peer made, for an activity or on its own."""

    peer_type: str
    peer_name: str | None = None
    configuration: Configuration | None = None
    activity_id: str | None = None
    owner_id: str | None = None


class Ready(Incoming, frozen=True, kw_only=True, tag="ready"):
    """Say that the peer that was asked for is up."""


class ActivityError(Incoming, frozen=True, kw_only=True, tag="error"):
    """Say that the peer that was asked for cannot be made."""

    reason_uri: str | None = None
    reason: str | None = None


class SubscribeActivities(Incoming, frozen=True, kw_only=True, tag="subscribe"):
    """Ask to be notified of activities; no kinds named are all kinds."""

    activity_types: list[str] | None = None


class UnsubscribeActivities(Incoming, frozen=True, kw_only=True, tag="unsubscribe"):
    """Ask to be notified of activities no longer."""

    activity_types: list[str] | None = None


class JoinActivity(Incoming, frozen=True, kw_only=True, tag="join-activity"):
    """Put a peer into an activity."""

    target_id: str
    activity_id: str
    peer_name: str | None = None
    peer_type: str | None = None


class LeaveActivity(Incoming, frozen=True, kw_only=True, tag="leave-activity"):
    """Leave the activity one is in."""

    reason_uri: str | None = None
    reason: str | None = None


class DestroyActivity(Incoming, frozen=True, kw_only=True, tag="destroy"):
    """End an activity."""

    activity_id: str
    reason_uri: str | None = None
    reason: str | None = None


class DestroyPeer(Incoming, frozen=True, kw_only=True, tag="destroy-peer"):
    """Ask a peer to end."""

    destroy_peer_id: str
    reason_uri: str | None = None
    reason: str | None = None


class Reload(Incoming, frozen=True, kw_only=True, tag="reload"):
    """Ask for a token with which the next peer takes this one's place."""


class ActivityOutgoing(Outgoing, frozen=True, kw_only=True):
    """A message to peers of the activity domain."""

    domain: str = "activity"


class TypesAdded(ActivityOutgoing, frozen=True, kw_only=True, tag="types-added"):
    """There are new kinds of activities."""

    types: list[Raw]


class TypesRemoved(ActivityOutgoing, frozen=True, kw_only=True, tag="types-removed"):
    """Kinds of activities are gone."""

    types: list[str]


class PeerFactoriesAdded(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-factories-added"):
    """A peer offers to make peers."""

    owner_id: str
    factories: list[Raw]


class PeerFactoriesRemoved(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-factories-removed"):
    """A peer makes such peers no longer."""

    owner_id: str
    factory_ids: list[str]


class Initiated(ActivityOutgoing, frozen=True, kw_only=True, tag="initiated"):
    """An activity is being started."""

    request_id: RequestId
    activity_id: str


class RequestedFor(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The activity that a peer is made for."""

    id: str
    type: str
    context_id: str
    initial_context: Raw = msgspec.field(name="initial-context")


class PeerRequested(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-requested"):
    """Make a peer; it signs in with the token."""

    request_id: str
    peer_factory: str
    gateway_token: str
    configuration: Configuration
    activity: RequestedFor | msgspec.UnsetType = msgspec.UNSET


class PeerCreated(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-created"):
    """The peer that was asked for is up."""

    request_id: RequestId
    created_id: str


class MemberInfo(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A member of an activity."""

    peer_id: str
    name: str | None
    type: str | None


class Joined(ActivityOutgoing, frozen=True, kw_only=True, tag="joined"):
    """The receiver is a member of an activity."""

    activity_id: str
    activity_type: str
    initiator: str
    context_id: str
    owner: MemberInfo | None
    participants: list[MemberInfo]
    context_snapshot: Raw
    peer_name: str | None
    peer_type: str | None


class ActivityCreated(ActivityOutgoing, frozen=True, kw_only=True, tag="created"):
    """There is an activity."""

    activity_id: str
    activity_type: str
    context_id: str
    initiator: str
    owner: MemberInfo | None
    participants: list[MemberInfo]


class ActivityJoined(ActivityOutgoing, frozen=True, kw_only=True, tag="activity-joined"):
    """Another peer is a member of the activity."""

    activity_id: str
    joined_id: str
    joined_type: str | None
    joined_name: str | None


class Left(ActivityOutgoing, frozen=True, kw_only=True, tag="left"):
    """Another peer is no member of the activity any more."""

    activity_id: str
    left_id: str
    reason_uri: str | None
    reason: str | None


class DisposePeer(ActivityOutgoing, frozen=True, kw_only=True, tag="dispose-peer"):
    """The receiver should end."""

    requestor_id: str
    reason_uri: str | None
    reason: str | None


class ActivityDestroyed(ActivityOutgoing, frozen=True, kw_only=True, tag="destroyed"):
    """An activity has ended."""

    activity_id: str
    reason_uri: str | None
    reason: str | None
