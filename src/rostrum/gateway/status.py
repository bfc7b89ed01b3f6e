"""The status of a gateway."""

import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from rostrum.gateway.peer import Peer
from rostrum.gateway.recorder import Recorder
from rostrum.gateway.sessions import user_of_owner
from rostrum.gateway.state import State

MOST_LISTED = 1000


def status(state: State, recorder: Recorder, *, address: str, uptime: float) -> dict[str, Any]:
    """Describe peers, methods, contexts and counts; lists have at most a thousand entries."""
    return {
        "address": address,
        "pid": os.getpid(),
        "uptime": uptime,
        "counts": {
            "peers": len(state.peers),
            "contexts": len(state.contexts),
            "topics": len(state.topics),
            "activities": len(state.activities.by_id),
            "received": sum(recorder.received.values()),
            "received_bytes": recorder.received_bytes,
            "frames": recorder.frames,
        },
        "types": [
            {"direction": direction, "domain": domain, "type": kind, "count": count}
            for direction, counter in (("in", recorder.received), ("out", recorder.sent))
            for (domain, kind), count in sorted(counter.items())
        ],
        "peers": [_peer(state, peer) for peer in islice(state.peers.values(), MOST_LISTED)],
        "methods": list(islice(_methods(state), MOST_LISTED)),
        "contexts": [
            {
                "id": context.id,
                "name": context.name,
                "user": user_of_owner(context.user)[0],
                "lifetime": context.lifetime,
                "members": len(context.members),
                "changes": context.changes,
            }
            for context in islice(state.contexts, MOST_LISTED)
        ],
        "recent": recorder.recent(),
    }


def _peer(state: State, peer: Peer) -> dict[str, Any]:
    agm = state.agm_peers.get(peer.id)
    return {
        "id": peer.id,
        "application": str(peer.identity.get("application", "")),
        "user": str(peer.identity.get("user", "")),
        "machine": peer.source.machine,
        "domains": sorted(peer.joined),
        "received": peer.received,
        "sent": peer.source.sent,
        "unread": peer.source.unread,
        "is_slow": peer.source.is_paused,
        "calls_waiting": len(agm.waiting) if agm is not None else 0,
        "calls_to_answer": len(agm.serving) if agm is not None else 0,
    }


def _methods(state: State) -> Iterator[dict[str, Any]]:
    for agm in state.agm_peers.values():
        peer = agm.peer
        subscribers = Counter(found.method_id for found in agm.interests.values())
        for method in agm.methods.values():
            yield {
                "name": method.name,
                "server": peer.id,
                "application": str(peer.identity.get("application", "")),
                "uses": method.uses,
                "subscribers": subscribers[method.id],
            }
