"""Membership of activities: joining, leaving, and their end."""

from rostrum.gateway.domains.activity.activities import Activity, Member
from rostrum.gateway.domains.activity.offers import find, member, watchers
from rostrum.gateway.domains.context.contexts import MEMBER_BYTES
from rostrum.gateway.messages import activity as messages
from rostrum.gateway.messages.global_domain import Success
from rostrum.gateway.pace import Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason, Refused
from rostrum.gateway.state import State

_OWNER_LEFT = "activity.owner_left"


def join_activity(state: State, peer: Peer, message: messages.JoinActivity) -> None:
    member(state, peer)
    activity = find(state, peer, message.activity_id)
    target = _target(state, peer, message.target_id)
    own = member(state, target)
    if own.activity is not None:
        raise Refused("activity.errors.activity_is_child", f"Peer {target.id} is in an activity already")
    enter(state, activity, Member(target, message.peer_type, message.peer_name))
    state.out.send(peer, Success(domain="activity", request_id=message.request_id))


def leave_activity(state: State, peer: Peer, message: messages.LeaveActivity) -> None:
    """Leave the current activity; without its owner, the activity ends."""
    activity = member(state, peer).activity
    if activity is None:
        raise Refused("activity.errors.not_a_member", f"Peer {peer.id} is in no activity")
    leave(state, peer, activity, Reason(message.reason_uri, message.reason))
    state.out.send(peer, Success(domain="activity", request_id=message.request_id))


def destroy_activity(state: State, peer: Peer, message: messages.DestroyActivity) -> None:
    """End an activity at the request of a peer."""
    member(state, peer)
    activity = find(state, peer, message.activity_id)
    destroy(state, activity, peer, Reason(message.reason_uri or "activity.destroyed", message.reason))
    state.out.send(peer, Success(domain="activity", request_id=message.request_id))


def destroy_peer(state: State, peer: Peer, message: messages.DestroyPeer) -> None:
    member(state, peer)
    target = _target(state, peer, message.destroy_peer_id)
    state.out.send(target, _dispose(peer, Reason(message.reason_uri, message.reason)))
    state.out.send(peer, Success(domain="activity", request_id=message.request_id))


def enter(state: State, activity: Activity, newcomer: Member) -> None:
    """Add a member; until the owner has joined, no peer is notified."""
    others = [each.peer for each in activity.members]
    activity.participants[newcomer.peer.id] = newcomer
    member(state, newcomer.peer).activity = activity
    state.contexts.enter(activity.context, newcomer.peer)
    if activity.is_started:
        state.out.send(newcomer.peer, activity.joined(newcomer))
        joined = messages.ActivityJoined(
            activity_id=activity.id,
            joined_id=newcomer.peer.id,
            joined_type=newcomer.type,
            joined_name=newcomer.name,
        )
        state.out.send_all(others, joined)


def announce_start(state: State, activity: Activity) -> Steps:
    """Notify the affected peers that the owner has joined."""
    activity.is_started = True
    members = activity.members
    for each in members:
        state.out.send(each.peer, activity.joined(each), activity.context.bytes + MEMBER_BYTES * len(members))
        if state.pace.is_over:
            yield
    state.out.send_all(watchers(state, activity), activity.created())


def leave(state: State, peer: Peer, activity: Activity, reason: Reason) -> None:
    if activity.owner is not None and activity.owner.peer is peer:
        destroy(state, activity, peer, Reason(reason.uri or _OWNER_LEFT, reason.text))
        return
    _exit(state, activity, peer)
    left = messages.Left(activity_id=activity.id, left_id=peer.id, reason_uri=reason.uri, reason=reason.text)
    state.out.send_all([each.peer for each in activity.members], left)


def destroy(state: State, activity: Activity, requester: Peer, reason: Reason) -> None:
    """End an activity: its members are requested to end as well."""
    members = [each.peer for each in activity.members]
    receivers = {peer.id: peer for peer in (*members, *watchers(state, activity))}
    if not activity.is_started and not activity.initiator.is_gone:
        receivers[activity.initiator.id] = activity.initiator
    for peer in members:
        _exit(state, activity, peer)
    del state.activities.by_id[activity.id]
    state.contexts.remove(activity.context)
    state.out.send_all([peer for peer in members if peer is not requester], _dispose(requester, reason))
    destroyed = messages.ActivityDestroyed(activity_id=activity.id, reason_uri=reason.uri, reason=reason.text)
    state.out.send_all(list(receivers.values()), destroyed)


def _exit(state: State, activity: Activity, peer: Peer) -> None:
    if activity.owner is not None and activity.owner.peer is peer:
        activity.owner = None
    activity.participants.pop(peer.id, None)
    state.contexts.exit(activity.context, peer)
    own = state.activities.peers.get(peer.id)
    if own is not None:
        own.activity = None


def _target(state: State, peer: Peer, target_id: str) -> Peer:
    target = state.peers.get(target_id)
    if target is None or target.id not in state.activities.peers or not peer.sees(target, "activity"):
        raise Refused("activity.errors.invalid_peer", f"Unable to find peer with id {target_id} in domain activity")
    return target


def _dispose(requester: Peer, reason: Reason) -> messages.DisposePeer:
    return messages.DisposePeer(requestor_id=requester.id, reason_uri=reason.uri, reason=reason.text)
