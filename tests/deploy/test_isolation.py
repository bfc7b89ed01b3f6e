"""The examples of `deploy/` isolate their parts: networks, proxies, limits and rights. Planted faults are found."""

import copy
import json
from collections.abc import Callable, Iterator
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from tests.deploy.reachability import Pod, compose_pairs, entering, leaving
from tests.deploy.test_deploy import PORT, compose, kubernetes_objects, unit

DATABASE = 5432
MANAGERS, GATEWAYS = ("node-1", "node-2"), ("gateway-1", "gateway-2")
PAIRS = {
    *{("balancer", each) for each in (*MANAGERS, *GATEWAYS)},
    *{("database", each) for each in MANAGERS},
    MANAGERS,
    GATEWAYS,
}
PODS = (
    Pod("manager", "rostrum", {"app.kubernetes.io/name": "rostrum-manager"}, {"http": PORT}),
    Pod("database", "rostrum", {"app.kubernetes.io/name": "rostrum-database"}),
    Pod("neighbour", "rostrum", {"app.kubernetes.io/name": "other"}),
    Pod("controller", "ingress-nginx", {"app.kubernetes.io/name": "ingress-nginx"}),
    Pod("beside the controller", "ingress-nginx", {"app.kubernetes.io/name": "other"}),
    Pod("names", "kube-system", {"k8s-app": "kube-dns"}),
    Pod("beside the names", "kube-system"),
    Pod("impostor", "other", {"app.kubernetes.io/name": "rostrum-manager", "k8s-app": "kube-dns"}),
    Pod("second impostor", "other", {"app.kubernetes.io/name": "ingress-nginx"}),
    Pod("internet", ""),
)
ENTERING = {("controller", "manager", PORT), ("manager", "database", DATABASE)}
LEAVING = {("manager", "database", DATABASE), ("manager", "names", 53)}


def compose_problems(document: dict[str, Any]) -> Iterator[str]:
    """Describe what is not isolated in a compose file."""
    services, networks = document["services"], document.get("networks") or {}
    if compose_pairs(document) != PAIRS:
        yield f"networks: {sorted(compose_pairs(document) ^ PAIRS)}"
    for name, service in services.items():
        used = service.get("networks") or ["default"]
        if name != "balancer" and not all((networks.get(one) or {}).get("internal") for one in used):
            yield f"{name} reaches other machines"
        ports = service.get("ports") or []
        if (name != "balancer" and ports) or not all(one.startswith("127.0.0.1:") for one in ports):
            yield f"{name} is published"
        yield from (f"{name}: {problem}" for problem in _container_problems(service))
    if not networks:
        return
    balancer = services["balancer"]["networks"]["managers"]["ipv4_address"]
    (pool,) = networks["managers"]["ipam"]["config"]
    if ip_address(balancer) in ip_network(pool["ip_range"]) or ip_address(balancer) not in ip_network(pool["subnet"]):
        yield "another container can get the address of the balancer"
    for name in MANAGERS:
        if json.loads(services[name]["environment"]["API_TRUSTED_PROXIES"]) != [balancer]:
            yield f"{name} trusts others than the balancer"


def _container_problems(service: dict[str, Any]) -> Iterator[str]:
    """Describe the rights and missing limits of a container."""
    yield from (
        f"{name} is missing" for name in ("mem_limit", "cpus", "pids_limit", "read_only") if not service.get(name)
    )
    if service.get("cap_drop") != ["ALL"] or service.get("cap_add") or service.get("privileged"):
        yield "has capabilities"
    if service.get("security_opt") != ["no-new-privileges:true"]:
        yield "can gain rights"
    # The image of Rostrum has a user of its own, which another test checks.
    if service["image"] != "rostrum-manager" and str(service.get("user", "root")).split(":")[0] in ("root", "0"):
        yield "runs as root"


def manifest_problems(objects: list[dict[str, Any]]) -> Iterator[str]:
    """Describe what is not isolated in Kubernetes objects."""
    policies = [one for one in objects if one["kind"] == "NetworkPolicy"]
    ours = {"manager", "database", "neighbour"}
    ports = (22, 53, PORT, DATABASE)
    # Each side must be safe alone, because the other one can belong to somebody else.
    enter = {flow for flow in entering(policies, PODS, ports) if flow[1] in ours}
    leave = {flow for flow in leaving(policies, PODS, ports) if flow[0] in ours}
    if enter != ENTERING or leave != LEAVING:
        yield f"policies: {sorted((enter ^ ENTERING) | (leave ^ LEAVING))[:5]}"
    by_kind = {"Namespace": {"metadata": {"labels": {}}}} | {one["kind"]: one for one in objects}
    for proxy in json.loads(by_kind["ConfigMap"]["data"]["API_TRUSTED_PROXIES"]):
        if ip_network(proxy).num_addresses > 16:
            yield f"trusts all of {proxy}"
    labels = by_kind["Namespace"]["metadata"]["labels"]
    if labels.get("pod-security.kubernetes.io/enforce") != "restricted":
        yield "pods with more rights are permitted"
    pod = by_kind["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    safe = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    context = pod["securityContext"]
    if container["securityContext"] != safe or not context["runAsNonRoot"] or pod["automountServiceAccountToken"]:
        yield "the pod has rights"
    if context["seccompProfile"] != {"type": "RuntimeDefault"}:
        yield "all system calls are permitted"
    if not {"cpu", "memory"} <= container["resources"]["limits"].keys():
        yield "a limit is missing"


def test_the_parts_of_the_compose_file_are_isolated() -> None:
    assert list(compose_problems(compose())) == []


def test_the_parts_of_the_manifests_are_isolated() -> None:
    assert list(manifest_problems(kubernetes_objects())) == []


def test_the_units_have_limits() -> None:
    for name in ("rostrum-manager.service", "rostrum-gateway@.service"):
        service = unit(name)["Service"]
        assert service["MemoryMax"].endswith("G")
        assert {"TasksMax", "CPUQuota"} <= set(service)


def _service(name: str, **members: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["services"][name].update(members)


def _without(name: str, member: str) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["services"][name].pop(member)


def _trust(document: dict[str, Any]) -> None:
    document["services"]["node-2"]["environment"]["API_TRUSTED_PROXIES"] = '["172.30.10.0/28"]'


@pytest.mark.parametrize(
    "plant",
    [
        _without("gateway-1", "networks"),
        _service("gateway-1", networks=["gateways", "database"]),
        _service("database", networks=["database", "managers"]),
        _service("database", ports=["127.0.0.1:5432:5432"]),
        _service("balancer", ports=["8080:8080"]),
        _without("gateway-2", "mem_limit"),
        _without("node-1", "cpus"),
        _without("database", "user"),
        _service("balancer", user="0:0"),
        _service("node-1", cap_add=["NET_ADMIN"]),
        _service("node-2", read_only=False),
        lambda document: document["networks"]["database"].pop("internal"),
        lambda document: document["networks"]["managers"]["ipam"]["config"][0].update(ip_range="172.30.10.0/28"),
        _trust,
    ],
)
def test_a_fault_in_the_compose_file_is_found(plant: Callable[[dict[str, Any]], None]) -> None:
    # Services share the parts that they merge.
    document = json.loads(json.dumps(compose()))
    plant(document)
    assert list(compose_problems(document)) != []


def _policy(name: str) -> Callable[[list[dict[str, Any]]], dict[str, Any]]:
    return lambda objects: next(
        one["spec"] for one in objects if one["kind"] == "NetworkPolicy" and one["metadata"]["name"] == name
    )


def _kind(kind: str) -> Callable[[list[dict[str, Any]]], dict[str, Any]]:
    return lambda objects: next(one for one in objects if one["kind"] == kind)


def _drop(name: str) -> Callable[[list[dict[str, Any]]], None]:
    return lambda objects: objects.remove(next(one for one in objects if one["metadata"]["name"] == name))


@pytest.mark.parametrize(
    "plant",
    [
        _drop("deny-all"),
        _drop("rostrum-database"),
        lambda objects: _policy("deny-all")(objects).update(policyTypes=["Ingress"]),
        lambda objects: _policy("deny-all")(objects).update(ingress=[{}]),
        lambda objects: _policy("rostrum-manager")(objects)["ingress"][0].pop("from"),
        lambda objects: _policy("rostrum-manager")(objects)["ingress"][0].pop("ports"),
        lambda objects: _policy("rostrum-manager")(objects)["ingress"][0]["from"][0].pop("podSelector"),
        lambda objects: _policy("rostrum-manager")(objects)["ingress"][0]["from"][0].update(namespaceSelector={}),
        lambda objects: _policy("rostrum-manager")(objects)["egress"].append(
            {"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}
        ),
        lambda objects: _policy("rostrum-database")(objects)["ingress"][0]["from"].append({"podSelector": {}}),
        lambda objects: _policy("rostrum-database")(objects)["ingress"][0]["from"][0].update(namespaceSelector={}),
        lambda objects: _kind("ConfigMap")(objects)["data"].update(API_TRUSTED_PROXIES='["10.0.0.0/8"]'),
        lambda objects: _kind("Namespace")(objects)["metadata"].update(labels={}),
        lambda objects: _kind("Deployment")(objects)["spec"]["template"]["spec"]["containers"][0]["resources"].update(
            limits={"memory": "1Gi"}
        ),
    ],
)
def test_a_fault_in_the_manifests_is_found(plant: Callable[[list[dict[str, Any]]], None]) -> None:
    objects = copy.deepcopy(kubernetes_objects())
    plant(objects)
    assert list(manifest_problems(objects)) != []
