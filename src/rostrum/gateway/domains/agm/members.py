"""Finding members of the agm domain, and the methods that one may call of another."""

from rostrum.gateway.domains.agm.agm_peer import AgmPeer
from rostrum.gateway.messages.record import MethodId
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused, failure
from rostrum.gateway.state import State


def member(state: State, peer: Peer) -> AgmPeer:
    """Return a member of the domain; refuse a peer that has not joined it."""
    found = state.agm_peers.get(peer.id)
    if found is None:
        raise failure("agm", f"Unable to find peer with id {peer.id} in domain agm")
    return found


def find_method(state: State, caller: Peer, server_id: str, method_id: MethodId) -> AgmPeer:
    """Find the member that offers a method to the caller; refuse what the caller may not know of."""
    callee = state.agm_peers.get(server_id)
    if callee is None:
        raise failure("agm", f"Unable to find peer with id {server_id} in domain agm")
    if not caller.sees(callee.peer, "agm"):
        is_other_user = caller.user != callee.peer.user
        text = "Unable to invoke methods across different users" if is_other_user else "The server cannot be seen"
        raise Refused("agm.errors.invocation.failure", text)
    method = callee.methods.get(method_id)
    if method is None or not method.is_open_to(callee.peer, caller):
        text = f"Unable to find method with id {method_id} on server id {server_id} registered with this peer"
        raise Refused("agm.errors.invocation.failure", text)
    method.uses += 1
    return callee
