"""Members of the agm domain, lookup of methods, and validation of arguments."""

import msgspec

from rostrum.gateway.domains.agm.agm_peer import AgmPeer
from rostrum.gateway.messages.agm import Call, Subscribe
from rostrum.gateway.messages.record import NULL, MethodId
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused, failure
from rostrum.gateway.state import State
from rostrum.gateway.wire import body_decoder, first_character

_positional = body_decoder(list[msgspec.Raw])
_by_name = body_decoder(dict[str, msgspec.Raw])


def member(state: State, peer: Peer) -> AgmPeer:
    """Return a member of the domain; raise an error for a peer that has not joined it."""
    found = state.agm_peers.get(peer.id)
    if found is None:
        raise failure("agm", f"Unable to find peer with id {peer.id} in domain agm")
    return found


def find_method(state: State, caller: Peer, server_id: str, method_id: MethodId) -> AgmPeer:
    """Find the member that provides a method to the caller; raise an error if the caller may not see it."""
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


def check_arguments(message: Call | Subscribe) -> None:
    """Reject arguments of the wrong type, and positional and named arguments in one call."""
    positional = message.arguments is not NULL and _is_given(message.arguments, "[", "arguments must be an array")
    by_name = message.arguments_kv is not NULL and _is_given(
        message.arguments_kv, "{", "arguments_kv must be an object"
    )
    if positional and by_name and _positional.decode(message.arguments) and _by_name.decode(message.arguments_kv):
        text = "Cant use positional and by-name arguments at the same time"
        raise Refused("agm.errors.invocation.failure", text)


def _is_given(arguments: msgspec.Raw, opening: str, complaint: str) -> bool:
    first = first_character(arguments)
    if first not in (opening, "n"):
        raise failure("agm", complaint)
    return first == opening
