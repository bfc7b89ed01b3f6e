"""Which parts of an example deployment can reach which others, computed from its networks and policies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Flow = tuple[str, str, int]
"""Who connects to whom, and the port."""


def compose_pairs(document: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the pairs of services of a compose file that share a network, in alphabetical order."""
    networks = {name: set(service.get("networks") or ["default"]) for name, service in document["services"].items()}
    return {(one, other) for one in networks for other in networks if one < other and networks[one] & networks[other]}


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod of a cluster, or a machine outside it if it has no namespace."""

    name: str
    namespace: str
    labels: Mapping[str, str] = field(default_factory=dict)
    ports: Mapping[str, int] = field(default_factory=dict)


def entering(policies: Iterable[Mapping[str, Any]], pods: Iterable[Pod], ports: Iterable[int]) -> set[Flow]:
    """Return the connections that the policies of their targets permit."""
    return _flows("Ingress", policies, pods, ports)


def leaving(policies: Iterable[Mapping[str, Any]], pods: Iterable[Pod], ports: Iterable[int]) -> set[Flow]:
    """Return the connections that the policies of their sources permit."""
    return _flows("Egress", policies, pods, ports)


def _flows(
    direction: str, policies: Iterable[Mapping[str, Any]], pods: Iterable[Pod], ports: Iterable[int]
) -> set[Flow]:
    policies, pods, is_entering = list(policies), list(pods), direction == "Ingress"
    return {
        (source.name, target.name, port)
        for source in pods
        for target in pods
        for port in ports
        if source is not target
        and _permits(policies, direction, *((target, source) if is_entering else (source, target)), target, port)
    }


def _permits(
    policies: Iterable[Mapping[str, Any]], direction: str, pod: Pod, peer: Pod, listener: Pod, port: int
) -> bool:
    """Return whether the policies of a pod permit one direction of a connection; without policies, all is permitted."""
    selected = [one for one in policies if _selects(one, pod) and direction in _types(one["spec"])]
    if not selected:
        return True
    side = "from" if direction == "Ingress" else "to"
    rules = [(rule, one) for one in selected for rule in one["spec"].get(direction.lower()) or ()]
    return any(
        (not rule.get(side) or any(_is_peer(each, peer, one["metadata"]["namespace"]) for each in rule[side]))
        and (not rule.get("ports") or any(_is_port(each.get("port"), listener, port) for each in rule["ports"]))
        for rule, one in rules
    )


def _types(spec: Mapping[str, Any]) -> list[str]:
    return spec.get("policyTypes") or ["Ingress", *(["Egress"] if "egress" in spec else [])]


def _selects(policy: Mapping[str, Any], pod: Pod) -> bool:
    return policy["metadata"]["namespace"] == pod.namespace and _fits(policy["spec"]["podSelector"], pod.labels)


def _is_peer(peer: Mapping[str, Any], pod: Pod, namespace: str) -> bool:
    if "ipBlock" in peer:
        # A network can contain any machine.
        return True
    if not pod.namespace:
        return False
    spaces = {"kubernetes.io/metadata.name": pod.namespace}
    in_space = _fits(peer["namespaceSelector"], spaces) if "namespaceSelector" in peer else pod.namespace == namespace
    return in_space and _fits(peer.get("podSelector") or {}, pod.labels)


def _is_port(wanted: Any, listener: Pod, port: int) -> bool:
    return wanted is None or (listener.ports.get(wanted) if isinstance(wanted, str) else wanted) == port


def _fits(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    assert set(selector) <= {"matchLabels"}, "the test reads no other selectors"
    return (selector.get("matchLabels") or {}).items() <= labels.items()
