"""Names of methods that only the gateway's own process may offer, so that no app receives calls meant for it."""

from collections.abc import Iterable, Iterator

from rostrum.gateway.domains.agm.agm_peer import Method
from rostrum.gateway.peer import Peer
from rostrum.gateway.reasons import Refused
from rostrum.gateway.state import State


def check_names(state: State, peer: Peer, methods: Iterable[Method]) -> None:
    """Refuse names that are reserved: by their first characters, or because a service of this process offers them."""
    if peer.source.is_local:
        return
    offered: set[str] | None = None
    prefix = state.reserved_methods.casefold()
    for method in methods:
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
    """Find what other peers have offered under the names that a service of this process offers from now on."""
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
