"""Finding members of the activity domain, and activities."""

from rostrum.gateway.domains.activity.activities import Activity, ActivityPeer
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused, failure
from rostrum.gateway.state import State


def member(state: State, peer: Peer) -> ActivityPeer:
    """Return a member of the domain; refuse a peer that has not joined it."""
    found = state.activities.peers.get(peer.id)
    if found is None:
        raise failure("activity", f"Unable to find peer with id {peer.id} in domain activity")
    return found


def find(state: State, peer: Peer, activity_id: str) -> Activity:
    """Find an activity of the peer's user."""
    activity = state.activities.by_id.get(activity_id)
    if activity is None or activity.user != peer.user:
        raise Refused("activity.errors.invalid_activity", f"Unable to find activity with id {activity_id}")
    return activity
