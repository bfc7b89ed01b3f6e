"""Offering methods and withdrawing them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from rostrum.gateway import Gateway, LocalPeer
from rostrum.gateway.domains.agm.methods import MOST_METHODS, MOST_RESTRICTED
from tests.gateway.core import Client, Core
from tests.gateway.sockets import Frame, Talker, quick, running, talking, until


@pytest.fixture
def pair() -> tuple[Client, Client]:
    core = Core()
    server, client = core.connect("A", "user1", "agm"), core.connect("B", "user1", "agm")
    server.take()
    return server, client


def register(server: Client, *methods: Any) -> dict[str, Any]:
    return server.ask(domain="agm", type="register", methods=list(methods))


def test_a_definition_reaches_others_and_oneself_as_it_was_given(pair: tuple[Client, Client]) -> None:
    server, client = pair
    method = {
        "id": "0",
        "name": "m",
        "flags": {"streaming": False, "metadata": {"x": [1.5, None]}},
        "unknown": {"kept": 1},
    }

    answer = register(server, method)

    assert answer["type"] == "success"
    [told] = client.take()
    assert (told["source_type"], told["server_id"], told["methods"]) == ("local", server.peer_id, [method])
    [own] = server.take()
    assert (own["type"], own["methods"]) == ("methods-added", [method])


def test_the_same_id_again_replaces_and_is_announced_again(pair: tuple[Client, Client]) -> None:
    server, client = pair
    register(server, {"id": 7, "name": "old"})
    client.take()

    register(server, {"id": 7.0, "name": "new"})

    assert client.take()[0]["methods"][0]["name"] == "new"
    assert client.ask(domain="agm", type="call", server_id=server.peer_id, method_id="7")["type"] == "error"
    server.ask(domain="agm", type="unregister", methods=[7])
    assert server.ask(domain="agm", type="unregister", methods=[7])["type"] == "error"


def test_ids_are_distinguished_by_type_as_in_javascript(pair: tuple[Client, Client]) -> None:
    server, client = pair
    register(server, {"id": 1, "name": "number"}, {"id": "1", "name": "text"})
    server.take()

    for method_id, name in ((1, "number"), (1.0, "number"), ("1", "text")):
        client.send(request_id="c", domain="agm", type="call", server_id=server.peer_id, method_id=method_id)
        [invoked] = server.take()
        assert invoked["method_id"] == method_id
        assert type(invoked["method_id"]) is type(method_id), name
    refused = client.ask(domain="agm", type="call", server_id=server.peer_id, method_id=True)
    assert refused["reason_uri"] == "agm.errors.failure"


@pytest.mark.parametrize(
    "method",
    [
        7,
        None,
        "m",
        [],
        {},
        {"id": 1},
        {"name": "m"},
        {"id": None, "name": "m"},
        {"id": [1], "name": "m"},
        {"id": {"a": 1}, "name": "m"},
        {"id": True, "name": "m"},
        {"id": 1, "name": 7},
        {"id": 1, "name": "m", "flags": 7},
        {"id": 1, "name": "m", "flags": []},
        {"id": 1, "name": "m", "object_types": "T"},
        {"id": 1, "name": "m", "restrictions": 7},
        {"id": 1, "name": "m", "restrictions": "((("},
        {"id": 1, "name": "m", "input_signature": []},
    ],
    ids=repr,
)
def test_one_wrong_definition_registers_none(pair: tuple[Client, Client], method: Any) -> None:
    server, client = pair

    answer = register(server, {"id": "good", "name": "good"}, method)

    assert (answer["type"], answer["reason_uri"]) == ("error", "agm.errors.failure")
    assert client.take() == []
    assert server.ask(domain="agm", type="unregister", methods=["good"])["type"] == "error"


def test_a_method_may_be_kept_from_some(pair: tuple[Client, Client]) -> None:
    server, client = pair
    other = client.core.connect("C", "user1", "agm")
    server.take()
    client.take()

    register(server, {"id": 1, "name": "for B", "restrictions": "$application == 'B'"}, {"id": 2, "name": "for all"})

    assert [method["id"] for method in client.take()[0]["methods"]] == [1, 2]
    assert [method["id"] for method in other.take()[0]["methods"]] == [2]
    refused = other.ask(domain="agm", type="call", server_id=server.peer_id, method_id=1)
    assert refused["reason_uri"] == "agm.errors.invocation.failure"
    server.ask(domain="agm", type="unregister", methods=[1])
    assert [frame["methods"] for frame in client.take()] == [[1]]
    assert other.take() == []


def test_a_newcomer_is_not_informed_of_methods_that_are_kept_from_it(pair: tuple[Client, Client]) -> None:
    server, _ = pair
    register(server, {"id": 1, "name": "for B", "restrictions": "$application == 'B'"})
    newcomer = server.core.connect("C")

    frames = newcomer.send(request_id="j", type="join", destination="agm")

    assert "methods-added" not in [frame["type"] for frame in frames]


def test_withdrawing_notifies_others_then_oneself(pair: tuple[Client, Client]) -> None:
    server, client = pair
    register(server, {"id": "a", "name": "a"}, {"id": "b", "name": "b"})
    client.take()
    server.take()

    answer = server.ask(domain="agm", type="unregister", methods=["a", "a"])

    assert answer["type"] == "success"
    assert [frame["methods"] for frame in client.take()] == [["a"]]
    assert [frame["methods"] for frame in server.take()] == [["a"]]


def test_withdrawing_what_is_not_there_withdraws_nothing(pair: tuple[Client, Client]) -> None:
    server, client = pair
    register(server, {"id": "a", "name": "a"})
    client.take()

    answer = server.ask(domain="agm", type="unregister", methods=["a", "nope"])

    assert answer["reason_uri"] == "agm.errors.unregistration.failure"
    assert client.take() == []


def test_only_members_register() -> None:
    answer = register(Core().connect("A"), {"id": 1, "name": "m"})

    assert answer["reason_uri"] == "agm.errors.failure"


def test_methods_are_bounded(pair: tuple[Client, Client]) -> None:
    server, _ = pair
    restricted = [
        {"id": f"r{number}", "name": "m", "restrictions": "$a == 'b'"} for number in range(MOST_RESTRICTED + 1)
    ]
    assert register(server, *restricted)["reason_uri"] == "agm.errors.failure"
    register(server, *({"id": number, "name": "m"} for number in range(MOST_METHODS)))

    assert register(server, {"id": "one more", "name": "m"})["reason_uri"] == "agm.errors.failure"


SHARED = ("T42.Search.", "Tick42.")
OF_APPS = [
    "T42.HC.GetSaveContext",
    "T42.Channels.Command",
    "T42.Notifications.Handler-1_2",
    "T42.Search.Provider",
    "Tick42.FDC3.Intents.ViewChart",
]


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    options = replace(quick(), reserved_methods="Rostrum.", shared_methods=SHARED)
    async with running(options) as gateway:
        yield gateway


@pytest.fixture
async def service(gateway: Gateway) -> LocalPeer:
    return await gateway.local_peer("service", "platform", is_service=True)


async def offer(app: Talker, *names: str) -> Frame:
    methods = [{"id": name, "name": name, "flags": {"streaming": True}} for name in names]
    return await app.ask(domain="agm", type="register", methods=methods)


async def test_a_name_that_a_service_of_the_process_offers_is_refused_to_all_others(
    gateway: Gateway, service: LocalPeer
) -> None:
    method = await service.methods.register("T42.Wnd.Execute", lambda _: "platform")
    await service.methods.stream("T42.Wnd.OnEvent")
    async with talking(gateway, "ada", "agm") as app:
        for name in ("T42.Wnd.Execute", "t42.wnd.EXECUTE", "T42.Wnd.OnEvent", "Rostrum.New"):
            # One reserved name refuses the whole message.
            answer = await offer(app, "Own", name)
            assert (answer["type"], answer["reason_uri"]) == ("error", "agm.errors.registration.failure")
            assert "platform" in answer["reason"]
        assert service.methods.find("Own") is None
        # Only the exact names: apps offer other methods with the same beginning.
        assert (await offer(app, "T42.Wnd.OnEventWithResponse", "T42.Wnd"))["type"] == "success"
        await service.methods.unregister(method)
        assert (await offer(app, "T42.Wnd.Execute"))["type"] == "success"


async def test_names_that_the_protocol_gives_to_apps_can_be_offered_by_several(
    gateway: Gateway, service: LocalPeer
) -> None:
    await service.methods.register("T42.Search.Provider", lambda _: "platform")
    async with talking(gateway, "ada", "agm") as one, talking(gateway, "ada", "agm") as other:
        for app in (one, other):
            assert (await offer(app, *OF_APPS))["type"] == "success"
        await until(lambda: len([each for each in service.methods.known if each.name == "T42.Search.Provider"]) == 3)


async def test_a_service_of_the_process_takes_a_name_back_from_an_app_that_was_first(
    gateway: Gateway, service: LocalPeer
) -> None:
    async with talking(gateway, "ada", "agm") as app, talking(gateway, "ada", "agm") as caller:
        assert (await offer(app, "apps.Command", "Other"))["type"] == "success"
        subscribing = {"server_id": app.peer_id, "method_id": "apps.Command"}
        await caller.send(domain="agm", type="subscribe", request_id="s", **subscribing)
        interest = await app.get_of("add-interest")
        accepted = {"subscription_id": interest["subscription_id"], "stream_id": "0"}
        await app.send(domain="agm", type="accepted", **accepted)
        assert (await caller.get_of("subscribed"))["request_id"] == "s"

        await service.methods.register("apps.command", lambda _: "platform")

        assert (await app.get_of("methods-removed"))["methods"] == ["apps.Command"]
        assert (await caller.get_of("subscription-cancelled"))["subscription_id"] == interest["subscription_id"]
        removed = await caller.get_of("methods-removed")
        assert (removed["server_id"], removed["methods"]) == (app.peer_id, ["apps.Command"])
        call = await caller.ask(domain="agm", type="call", server_id=app.peer_id, method_id="apps.Command")
        assert call["type"] == "error"
        await until(lambda: {each.name for each in service.methods.known} == {"Other", "apps.command"})
        assert (await offer(app, "apps.command"))["type"] == "error"


async def test_only_services_of_the_process_reserve_names(gateway: Gateway) -> None:
    local = await gateway.local_peer("local", "ada")
    await local.methods.register("Shared", lambda _: 1)
    async with talking(gateway, "ada", "agm") as app:
        assert (await offer(app, "Shared"))["type"] == "success"
        await local.methods.register("Rostrum.Own", lambda _: 1)
        assert (await offer(app, "Rostrum.Own"))["type"] == "error"
