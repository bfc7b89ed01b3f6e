"""Messages of the activity domain: groups of peers that are started together."""

import msgspec
from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming, Name, Outgoing, RequestId

Configuration = dict[str, Raw]


class Role(msgspec.Struct, frozen=True, kw_only=True):
    """A peer of an activity: its type and configuration."""

    type: str
    name: str | None = None
    configuration: Configuration | None = None


class ActivityDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A type of activity."""

    name: str
    owner_type: Role
    helper_types: list[Role] | None = None
    default_context: Raw = NULL


class TypesOverride(msgspec.Struct, frozen=True, kw_only=True):
    """Peers that replace those of the activity type."""

    owner_type: Role | None = None
    helper_types: list[Role] | None = None


class FactoryDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A factory for peers of one type."""

    id: str
    peer_type: str
    configuration: Configuration | None = None


class AddTypes(Incoming, frozen=True, kw_only=True, tag="add-types"):
    """Declare types of activities."""

    types: list[Raw]


class RemoveTypes(Incoming, frozen=True, kw_only=True, tag="remove-types"):
    """Remove types of activities."""

    types: list[str]


class AddPeerFactories(Incoming, frozen=True, kw_only=True, tag="add-peer-factories"):
    """Register peer factories."""

    factories: list[Raw]


class RemovePeerFactories(Incoming, frozen=True, kw_only=True, tag="remove-peer-factories"):
    """Remove peer factories."""

    factory_ids: list[str]


class CreateActivity(Incoming, frozen=True, kw_only=True, tag="create"):
    """Start an activity."""

    activity_type: str
    initial_context: Raw = NULL
    configuration: list[Role] | None = None
    types_override: TypesOverride | None = None


class CreatePeer(Incoming, frozen=True, kw_only=True, tag="create-peer"):
    """Request one peer, for an activity or alone."""

    peer_type: Name
    peer_name: Name | None = None
    configuration: Configuration | None = None
    activity_id: str | None = None
    owner_id: str | None = None


class Ready(Incoming, frozen=True, kw_only=True, tag="ready"):
    """Report that the requested peer is ready."""


class ActivityError(Incoming, frozen=True, kw_only=True, tag="error"):
    """Report that the requested peer cannot be created."""

    reason_uri: str | None = None
    reason: str | None = None


class SubscribeActivities(Incoming, frozen=True, kw_only=True, tag="subscribe"):
    """Subscribe to activities; without types, to all of them."""

    activity_types: list[str] | None = None


class UnsubscribeActivities(Incoming, frozen=True, kw_only=True, tag="unsubscribe"):
    """Unsubscribe from activities."""

    activity_types: list[str] | None = None


class JoinActivity(Incoming, frozen=True, kw_only=True, tag="join-activity"):
    """Add a peer to an activity."""

    target_id: str
    activity_id: str
    peer_name: Name | None = None
    peer_type: Name | None = None


class LeaveActivity(Incoming, frozen=True, kw_only=True, tag="leave-activity"):
    """Leave the current activity."""

    reason_uri: str | None = None
    reason: str | None = None


class DestroyActivity(Incoming, frozen=True, kw_only=True, tag="destroy"):
    """End an activity."""

    activity_id: str
    reason_uri: str | None = None
    reason: str | None = None


class DestroyPeer(Incoming, frozen=True, kw_only=True, tag="destroy-peer"):
    """Request a peer to end."""

    destroy_peer_id: str
    reason_uri: str | None = None
    reason: str | None = None


class Reload(Incoming, frozen=True, kw_only=True, tag="reload"):
    """Request a token with which the next peer replaces this one."""


class ActivityOutgoing(Outgoing, frozen=True, kw_only=True):
    """A message to peers of the activity domain."""

    domain: str = "activity"


class TypesAdded(ActivityOutgoing, frozen=True, kw_only=True, tag="types-added"):
    """Types of activities were added."""

    types: list[Raw]


class TypesRemoved(ActivityOutgoing, frozen=True, kw_only=True, tag="types-removed"):
    """Types of activities were removed."""

    types: list[str]


class PeerFactoriesAdded(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-factories-added"):
    """A peer registered peer factories."""

    owner_id: str
    factories: list[Raw]


class PeerFactoriesRemoved(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-factories-removed"):
    """A peer removed peer factories."""

    owner_id: str
    factory_ids: list[str]


class Initiated(ActivityOutgoing, frozen=True, kw_only=True, tag="initiated"):
    """An activity is being started."""

    request_id: RequestId
    activity_id: str


class RequestedFor(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The activity for which a peer is created."""

    id: str
    type: str
    context_id: str
    initial_context: Raw = msgspec.field(name="initial-context")


class PeerRequested(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-requested"):
    """Create a peer, which signs in with the token."""

    request_id: str
    peer_factory: str
    gateway_token: str
    configuration: Configuration
    activity: RequestedFor | msgspec.UnsetType = msgspec.UNSET


class PeerCreated(ActivityOutgoing, frozen=True, kw_only=True, tag="peer-created"):
    """The requested peer is ready."""

    request_id: RequestId
    created_id: str


class MemberInfo(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A member of an activity."""

    peer_id: str
    name: str | None
    type: str | None


class Joined(ActivityOutgoing, frozen=True, kw_only=True, tag="joined"):
    """The receiver has joined an activity."""

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
    """An activity was created."""

    activity_id: str
    activity_type: str
    context_id: str
    initiator: str
    owner: MemberInfo | None
    participants: list[MemberInfo]


class ActivityJoined(ActivityOutgoing, frozen=True, kw_only=True, tag="activity-joined"):
    """Another peer has joined the activity."""

    activity_id: str
    joined_id: str
    joined_type: str | None
    joined_name: str | None


class Left(ActivityOutgoing, frozen=True, kw_only=True, tag="left"):
    """Another peer has left the activity."""

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
