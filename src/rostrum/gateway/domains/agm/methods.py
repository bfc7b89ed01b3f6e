"""Registration and removal of methods, and reserved method names."""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from rostrum.gateway.domains.agm.agm_peer import Method
from rostrum.gateway.domains.agm.members import member
from rostrum.gateway.domains.agm.subscriptions import cancel
from rostrum.gateway.messages.agm import MethodDefinition, MethodsAdded, MethodsRemoved, Register, Unregister
from rostrum.gateway.messages.global_domain import Success
from rostrum.gateway.messages.record import MethodId
from rostrum.gateway.pace import Partly, Steps
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Reason, Refused, failure
from rostrum.gateway.relayed import check_method
from rostrum.gateway.restrictions import BadRestriction, parse_restriction
from rostrum.gateway.state import State
from rostrum.gateway.wire import body_decoder, first_character

MOST_METHODS = 10_000
LARGEST_DEFINITION = 1024 * 1024
# Limited because each restriction is evaluated for each peer.
MOST_RESTRICTED = 500
_definition = body_decoder(MethodDefinition)
_id = body_decoder(MethodId)
_REMOVED = Reason("agm.method-removed", "Method has been removed")


def check_names(state: State, peer: Peer, methods: Iterable[Method]) -> None:
    """Reject reserved names: by their prefix, or because a service of this process provides the method."""
    if peer.source.is_local:
        return
    offered: set[str] | None = None
    prefix = state.reserved_methods.casefold()
    for method in methods:
        check_method(peer, method.name)
        name = method.name.casefold()
        if prefix and name.startswith(prefix):
            text = f"Names of methods that start with {state.reserved_methods} are reserved for the platform"
            raise Refused("agm.errors.registration.failure", text)
        if offered is None:
            offered = set(_offered_by_services(state))
        if name in offered:
            text = f"The platform offers {method.name} itself; an app cannot offer a method of this name"
            raise Refused("agm.errors.registration.failure", text)


def methods_to_withdraw(state: State, peer: Peer, methods: Iterable[Method]) -> Iterator[tuple[Peer, list[Method]]]:
    """Find the methods of other peers with the names that a service of this process now provides."""
    if not _is_own_service(peer):
        return
    names = {method.name.casefold() for method in methods if not _is_shared(state, method)}
    for other in state.agm_peers.values():
        if other.peer.source.is_local:
            continue
        found = [method for method in other.methods.values() if method.name.casefold() in names]
        if found:
            yield other.peer, found


def _offered_by_services(state: State) -> Iterator[str]:
    for service in state.services.values():
        if _is_own_service(service) and service.id in state.agm_peers:
            for method in state.agm_peers[service.id].methods.values():
                if not _is_shared(state, method):
                    yield method.name.casefold()


def _is_own_service(peer: Peer) -> bool:
    return peer.is_service and peer.source.is_local


def _is_shared(state: State, method: Method) -> bool:
    return method.name.casefold().startswith(state.shared_methods)


def register(state: State, peer: Peer, message: Register) -> Steps:
    """Register methods for all peers that see the peer."""
    agm = member(state, peer)
    if len(agm.methods) + len(message.methods) > MOST_METHODS:
        raise failure("agm", f"a peer may have {MOST_METHODS} methods at most")
    methods: list[Method] = []
    for definition in message.methods:
        methods.append(_method(peer.user, definition))
        if state.pace.is_over:
            yield
    check_names(state, peer, methods)
    restricted = sum(each.restriction is not None for each in (*agm.methods.values(), *methods))
    if restricted > MOST_RESTRICTED:
        raise failure("agm", f"a peer may have {MOST_RESTRICTED} methods with restrictions at most")
    agm.methods.keep(peer, {method.id: method for method in methods})
    for other, taken in list(methods_to_withdraw(state, peer, methods)):
        yield from _remove(state, other, taken)
    others = yield from state.visible(peer, "agm")
    yield from announce_methods(state, peer, methods, others)
    own = MethodsAdded(server_id=peer.id, methods=[method.definition for method in methods])
    state.out.send(peer, own)
    state.out.send(peer, Success(domain="agm", request_id=message.request_id))


def unregister(state: State, peer: Peer, message: Unregister) -> Steps:
    """Remove methods: all of the named ones, or none if one does not exist."""
    agm = member(state, peer)
    named: dict[MethodId, Method] = {}
    for text in message.methods:
        method_id: MethodId = _id.decode(text)
        if method_id not in agm.methods:
            reason = f"Unable to unregister missing method {method_id}"
            raise Refused("agm.errors.unregistration.failure", reason)
        named[method_id] = agm.methods[method_id]
        if state.pace.is_over:
            yield
    yield from _remove(state, peer, list(named.values()))
    state.out.send(peer, Success(domain="agm", request_id=message.request_id))


def announce_methods(state: State, owner: Peer, methods: list[Method], others: Collection[Peer]) -> Steps:
    """Notify the peers that may see the methods that they exist."""
    if all(method.restriction is None for method in methods):
        if methods:
            definitions = [method.definition for method in methods]
            state.out.send_all(others, MethodsAdded(server_id=owner.id, methods=definitions))
        return
    for known, receivers in (yield from _grouped(state, owner, methods, others)):
        definitions = [method.definition for method in known]
        state.out.send_all(receivers, MethodsAdded(server_id=owner.id, methods=definitions))
        state.pace.load += sum(method.bytes for method in known)
        if state.pace.is_over:
            yield


def withdraw_methods(state: State, owner: Peer, methods: list[Method], others: Collection[Peer]) -> Steps:
    """Notify the peers that could see the methods that they were removed."""
    if all(method.restriction is None for method in methods):
        if methods:
            state.out.send_all(others, MethodsRemoved(server_id=owner.id, methods=_ids(methods)))
        return
    for known, receivers in (yield from _grouped(state, owner, methods, others)):
        state.out.send_all(receivers, MethodsRemoved(server_id=owner.id, methods=_ids(known)))
        if state.pace.is_over:
            yield


def _grouped(
    state: State, owner: Peer, methods: list[Method], others: Collection[Peer]
) -> Partly[list[tuple[list[Method], list[Peer]]]]:
    """Group peers that may see the same methods: each group receives one message, which is encoded once."""
    groups: dict[tuple[int, ...], tuple[list[Method], list[Peer]]] = {}
    for other in others:
        known = yield from _open_to(state, owner, methods, other)
        if known:
            groups.setdefault(tuple(map(id, known)), (known, []))[1].append(other)
    return list(groups.values())


def _open_to(state: State, owner: Peer, methods: list[Method], other: Peer) -> Partly[list[Method]]:
    """List the methods that a peer may see."""
    known: list[Method] = []
    for method in methods:
        if method.is_open_to(owner, other):
            known.append(method)
        if state.pace.is_over:
            yield
    return known


def _remove(state: State, peer: Peer, methods: list[Method]) -> Steps:
    agm = member(state, peer)
    removed = {method.id: agm.methods.drop(method.id) for method in methods}
    for subscription in [found for found in agm.interests.values() if found.method_id in removed]:
        cancel(state, subscription, _REMOVED)
        if state.pace.is_over:
            yield
    others = yield from state.visible(peer, "agm")
    yield from withdraw_methods(state, peer, methods, others)
    state.out.send(peer, MethodsRemoved(server_id=peer.id, methods=_ids(methods)))


def _ids(methods: Iterable[Method]) -> list[MethodId]:
    return [method.id for method in methods]


def _method(owner: str, text: msgspec.Raw) -> Method:
    if memoryview(text).nbytes > LARGEST_DEFINITION:
        raise failure("agm", f"the definition of a method may have {LARGEST_DEFINITION} bytes at most")
    try:
        definition: MethodDefinition = _definition.decode(text)
        if first_character(definition.flags) not in "{n" or first_character(definition.object_types) not in "[n":
            raise failure("agm", "The method definition is wrong: flags must be an object, object_types an array")
        restriction = parse_restriction(definition.restrictions)
    except (msgspec.DecodeError, BadRestriction, RecursionError) as error:
        raise failure("agm", f"The method definition is wrong: {error}") from None
    return Method(owner, definition.id, definition.name, text, restriction)
