"""What an app can do in the name of another one on a running desktop: nothing, whatever it says of itself."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.desktop.callers import SHARED_METHODS
from rostrum.desktop.key_file import KeyFile
from tests.desktop.test_platform import APPS, Desk, desk, until
from tests.end_to_end.processes import serving
from tests.gateway.sockets import Talker, talking
from tools.node import find_node

__all__ = ["desk"]

TELLING = """
import json, os, sys, time
environ = f"/proc/{os.getpid()}/environ"
readable = os.path.exists(environ) and bool(os.stat(environ).st_mode & 0o044)
told = {"environment": dict(os.environ), "arguments": sys.argv, "readable_by_others": readable}
with open(sys.argv[1] + ".new", "w") as file:
    json.dump(told, file)
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(300)
"""
METHODS_OF_APPS = (
    "T42.HC.GetSaveContext",
    "T42.Channels.Command",
    "T42.Wnd.OnEventWithResponse",
    "T42.JumpList.Action",
    "T42.Notifications.Handler-1_2",
    "T42.Prefs.Update",
    "T42.Hotkeys.Invoke",
    "T42.Displays.OnEvent",
    "T42.ACS.OnGDShutdown",
    "T42.ACS.LayoutModified",
    "T42.GD.Interception.Handler",
    "T42.Search.Provider",
    "T42.Search.Client",
    "T42.Workspaces.Control",
    "T42.Workspaces.Client.Control",
    "T42.Intents.Resolver.Control1",
    "Tick42.FDC3.Intents.ViewChart",
)
"""What the client libraries expect apps to offer."""
EXE = {"name": "evil", "type": "exe", "details": {"command": "/bin/true"}}
START = {"area": "Apps", "operation": "Start", "method": "Guard"}
GUARDED = {
    "appStores": [*APPS["appStores"], {"type": "in-memory", "details": {"allowedApps": ["guard"]}}],
    "interception": {"enabled": True, "applications": ["guard"]},
    "notifications": {"sourceFilter": {"allowed": ["guard"]}},
}


def write_telling_app(desk: Desk, name: str, **details: Any) -> Path:
    """Define a program that writes down what it was started with, and connects to nothing."""
    script, told = desk.root / "tell.py", desk.root / f"{name}.told"
    script.write_text(TELLING)
    details = {"command": sys.executable, "parameters": f"'{script}' '{told}'", "passGlueToken": True, **details}
    desk.write_app(name, type="exe", details=details)
    return told


def facts(told: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(told.read_text())
    return found


class Program(Talker):
    """A program that is signed in to the gateway of a platform."""

    identity: dict[str, Any]
    methods: dict[str, tuple[str, Any]]

    async def sign_in(self, authentication: dict[str, str], identity: dict[str, Any]) -> None:
        welcome = await self.ask(type="hello", identity=identity, authentication=authentication)
        assert welcome["type"] == "welcome", welcome
        self.peer_id, self.identity = welcome["peer_id"], welcome["resolved_identity"]
        await self.send(type="join", destination="agm", request_id="join")
        self.methods = {}
        while (frame := await self.get()).get("request_id") != "join":
            if frame["type"] == "methods-added":
                self.methods |= {one["name"]: (frame["server_id"], one["id"]) for one in frame["methods"]}

    async def asked(self, method: str, /, **arguments: Any) -> Any:
        server, number = self.methods[f"Rostrum.{method}"]
        return await self.ask(domain="agm", type="call", server_id=server, method_id=number, arguments_kv=arguments)

    async def call(self, method: str, /, **arguments: Any) -> Any:
        answer = await self.asked(method, **arguments)
        assert answer["type"] == "result", answer
        return answer["result"]

    async def refused(self, method: str, /, **arguments: Any) -> str:
        answer = await self.asked(method, **arguments)
        assert answer["type"] == "error", answer
        return str(answer["reason"])

    async def offer_guard(self) -> None:
        method = {"id": "g", "name": "Guard", "flags": {}}
        assert (await self.ask(domain="agm", type="register", methods=[method]))["type"] == "success"

    async def started(self, told: Path) -> str:
        """Start the app that writes this file; give its token."""
        await self.call("Apps.Start", name=told.stem)
        await until(told.exists)
        return str(facts(told)["environment"]["ROSTRUM_TOKEN"])


@asynccontextmanager
async def signed_in(address: str, authentication: dict[str, str], **identity: Any) -> AsyncIterator[Program]:
    async with talking(address) as talker:
        program = Program(talker.socket)
        await program.sign_in(authentication, identity)
        yield program


def bearing(token: str) -> dict[str, str]:
    return {"method": "gateway-token", "token": token}


@pytest.fixture
def process(desk: Desk) -> Iterator[tuple[str, dict[str, Any]]]:
    """The address of a platform that runs in a process of its own, and the key of its user."""
    for name in ("guard", "page"):
        write_telling_app(desk, name)
    desk.system(**GUARDED)
    with serving("desktop", "--headless", cwd=desk.root, environment={"USER": "ann"}) as running:
        running.line_with("ready:")
        key = KeyFile(desk.root / "UserData").read()
        yield key.address, {"method": "secret", "login": key.user, "secret": key.secret}
        assert running.stop() == 0


@pytest.mark.long
async def test_an_app_cannot_pose_as_another_one_by_its_hello_or_by_arguments(
    desk: Desk, process: tuple[str, dict[str, Any]]
) -> None:
    address, key = process
    async with signed_in(address, key) as person:
        token = await person.started(desk.root / "page.told")
        instances = (await person.call("Instances.List"))["instances"]
        own = instances[0]["id"]
        claims = {"application": "guard", "applicationName": "guard", "instance": "other", "windowId": "other"}
        async with signed_in(address, bearing(token), **claims) as page:
            identity = page.identity
            assert {name: identity.get(name) for name in claims} == {
                "application": "page",
                "applicationName": "page",
                "instance": own,
                "windowId": None,
            }
            said = await page.refused("Apps.Add", app="guard", definitions=[EXE])
            assert "page may not define apps" in said
            assert "there is no app 'evil'" in await page.refused("Apps.Start", name="evil")
            assert "page may not raise notifications" in await page.refused(
                "Notifications.Raise", app="guard", title="Sign in again"
            )
            await page.offer_guard()
            assert "page may not intercept" in await page.refused("Interception.Register", **START)
            for name in ("Rostrum.Preferences.Set", "rostrum.Own"):
                methods: list[dict[str, Any]] = [{"id": name, "name": name, "flags": {}}]
                posing = await page.ask(domain="agm", type="register", methods=methods)
                assert (posing["type"], "reserved for the platform" in posing["reason"]) == ("error", True)
            # A token that the app makes itself is bound to the same app, and so is the one for its own reload.
            await page.ask(type="join", destination="activity")
            made = [await page.ask(type="create-token"), await page.ask(domain="activity", type="reload")]
            for number, another in enumerate(made):
                async with signed_in(address, bearing(another["token"]), process=number, **claims) as second:
                    assert second.identity["application"] == "page"
                    assert "page may not define apps" in await second.refused("Apps.Add", definitions=[EXE])


@pytest.mark.long
async def test_an_app_cannot_prevent_operations_for_another_instance(
    desk: Desk, process: tuple[str, dict[str, Any]]
) -> None:
    address, key = process
    async with signed_in(address, key) as person:
        await person.started(desk.root / "guard.told")
        token = await person.started(desk.root / "page.told")
        listed = (await person.call("Instances.List"))["instances"]
        guard, page = [next(one["id"] for one in listed if one["app"] == name) for name in ("guard", "page")]
        async with signed_in(address, bearing(token), instance=guard) as app:
            assert "own instance" in await app.refused("Instances.Prevent", instance=guard, what="shutdown")
            await app.call("Instances.Prevent", instance=page, what="shutdown")
            await app.call("Instances.Prevent", what="shutdown", prevent=False)


@pytest.mark.long
async def test_a_program_from_outside_has_no_right_of_an_app_whatever_it_calls_itself(
    desk: Desk, process: tuple[str, dict[str, Any]]
) -> None:
    address, key = process
    async with signed_in(address, key, application="guard", instance="x", external=False) as outside:
        assert outside.identity["external"] is True
        assert "only apps that the platform has started" in await outside.refused(
            "Apps.Add", app="guard", definitions=[EXE]
        )
        await outside.offer_guard()
        assert "only apps that the platform has started" in await outside.refused("Interception.Register", **START)
        assert "may not raise notifications" in await outside.refused("Notifications.Raise", app="guard", title="x")
        assert "only a running app" in await outside.refused("Instances.Prevent", instance="x")
        # Neither has what it makes a token for, nor a peer that it asks itself to make.
        token = (await outside.ask(type="create-token"))["token"]
        await outside.ask(type="join", destination="activity")
        factory = {"id": "f", "peer_type": "window"}
        await outside.ask(domain="activity", type="add-peer-factories", factories=[factory])
        await outside.send(domain="activity", type="create-peer", request_id="c", peer_type="window", configuration={})
        made = (await outside.get_of("peer-requested"))["gateway_token"]
        for another in (token, made):
            async with signed_in(address, bearing(another), application="guard") as second:
                assert second.identity["external"] is True
                assert "only apps that the platform" in await second.refused("Apps.Add", definitions=[EXE])


@pytest.mark.long
async def test_an_allowed_app_keeps_its_permissions_and_no_other_app_gets_them(
    desk: Desk, process: tuple[str, dict[str, Any]]
) -> None:
    address, key = process
    async with signed_in(address, key, application="guard") as person:
        token = await person.started(desk.root / "guard.told")
        await person.offer_guard()
        await person.refused("Interception.Register", **START)
        async with signed_in(address, bearing(token)) as guard:
            assert "external" not in guard.identity
            await guard.offer_guard()
            await guard.call("Interception.Register", **START)
            defined = {**EXE, "name": "helper"}
            await guard.call("Apps.Add", definitions=[defined])
            await guard.call("Notifications.Raise", app="page", title="x")
            raised = (await person.call("Notifications.List"))["notifications"]
            assert [one["app"] for one in raised] == ["guard"]


@pytest.mark.long
async def test_a_token_opens_one_connection_and_is_readable_by_its_user_alone(
    desk: Desk, process: tuple[str, dict[str, Any]]
) -> None:
    address, key = process
    told = desk.root / "page.told"
    async with signed_in(address, key) as person:
        token = await person.started(told)
        about = facts(told)
        assert not any(token in one for one in about["arguments"])
        assert about["readable_by_others"] is False
        async with signed_in(address, bearing(token)) as page, talking(address) as thief:
            stolen = await thief.ask(type="hello", identity={}, authentication=bearing(token))
            assert (stolen["type"], "used already" in stolen["reason"]) == ("error", True)
            kept = (await page.ask(type="create-token"))["token"]
        instance = (await person.call("Instances.List"))["instances"][0]["id"]
        await person.call("Instances.Stop", instance=instance)
        async with talking(address) as thief:
            for after in (token, kept):
                late = await thief.ask(type="hello", identity={}, authentication=bearing(after))
                assert (late["type"], late["reason_uri"]) == ("error", "global.errors.authentication.failure")


async def test_a_token_must_be_used_soon_and_a_lost_connection_may_come_back(desk: Desk) -> None:
    clock = SettableClock()
    desk.write_app("clock")
    desk.system(**APPS)
    async with desk.running(clock=clock) as platform:
        instance = (await platform.services.instances.start("clock")).id
        first, second = platform.services.tokens.token(instance), platform.services.tokens.token(instance)
        async with signed_in(platform.gateway.address, bearing(first)) as page:
            assert page.identity["windowId"] == instance
        clock.advance(59)
        async with signed_in(platform.gateway.address, bearing(first), instance="x") as page:
            assert page.identity["instance"] == instance
            clock.advance(3600)
        await until(lambda: not platform.running_gateway.callers.of(page.peer_id or "").application)
        clock.advance(61)
        async with talking(platform.gateway.address) as late:
            for token in (first, second):
                answer = await late.ask(type="hello", identity={}, authentication=bearing(token))
                assert (answer["type"], answer["reason"]) == ("error", "The token has expired")


async def test_an_app_whose_instance_has_ended_keeps_its_connection_but_not_its_rights(desk: Desk) -> None:
    desk.write_app("guard")
    desk.system(**GUARDED)
    async with desk.running() as platform:
        instance = (await platform.services.instances.start("guard")).id
        async with signed_in(platform.gateway.address, bearing(platform.services.tokens.token(instance))) as guard:
            await guard.call("Apps.Add", definitions=[])
            await platform.services.instances.stop(instance)
            assert "only apps that the platform" in await guard.refused("Apps.Add", definitions=[EXE])


async def test_pages_of_any_origin_connect_with_the_token_of_their_instance_and_get_nothing_without(desk: Desk) -> None:
    desk.write_app("page")
    desk.system(**APPS)
    async with desk.running() as platform:
        instance = (await platform.services.instances.start("page")).id
        key = KeyFile(desk.root / "UserData").read()
        secret = {"method": "secret", "login": key.user, "secret": key.secret}
        async with talking(platform.gateway.address, origin="https://apps.example.com") as page:
            for proof in (secret, bearing("guessed"), {"method": "secret", "login": "ann", "secret": ""}, {}):
                refused = await page.ask(type="hello", identity={"application": "page"}, authentication=proof)
                assert refused["reason_uri"] == "global.errors.authentication.failure"
            proof = bearing(platform.services.tokens.token(instance))
            welcome = await page.ask(type="hello", identity={"instance": "forged"}, authentication=proof)
            identity = welcome["resolved_identity"]
            assert (identity["application"], identity["instance"], identity["windowId"]) == ("page", instance, instance)


async def test_an_instance_is_ready_when_the_first_of_its_own_clients_can_be_called(desk: Desk) -> None:
    desk.write_app("page")
    desk.system(**APPS)
    async with desk.running() as platform:
        address = platform.gateway.address
        watcher = await platform.gateway.local_peer("watcher", "ann")
        await until(lambda: watcher.methods.find("T42.ACS.OnEvent") is not None)
        events = (await watcher.methods.subscribe("T42.ACS.OnEvent")).events
        heard: list[str] = []

        def ready() -> list[str]:
            while not events.empty():
                event = events.get_nowait()
                heard.extend(one["Id"] for one in event.get("OnApplicationAgmServerReady", ()))
            return heard

        instance = (await platform.services.instances.start("page")).id
        key = KeyFile(desk.root / "UserData").read()
        secret = {"method": "secret", "login": key.user, "secret": key.secret}
        async with signed_in(address, secret, application="page", instance=instance), talking(address) as page:
            token = bearing(platform.services.tokens.token(instance))
            page.peer_id = (await page.ask(type="hello", identity={}, authentication=token))["peer_id"]
            await page.ask(type="create-token")
            assert ready() == []
            await page.ask(type="join", destination="agm")
            await until(lambda: ready() == [instance])
            async with signed_in(address, bearing(platform.services.tokens.token(instance)), number=2) as other:
                await other.call("Apps.List")
                assert ready() == [instance]


async def test_no_method_of_the_platform_can_be_offered_by_an_app(desk: Desk) -> None:
    desk.write_app("page")
    desk.system(**APPS)
    async with desk.running() as platform:
        instance = (await platform.services.instances.start("page")).id
        async with signed_in(platform.gateway.address, bearing(platform.services.tokens.token(instance))) as page:

            async def offer(name: str) -> str:
                methods = [{"id": name, "name": name, "flags": {}}]
                return str((await page.ask(domain="agm", type="register", methods=methods))["type"])

            shared = tuple(prefix.lower() for prefix in SHARED_METHODS)
            reserved = [name for name in page.methods if not name.lower().startswith(shared)]
            assert len(reserved) > 20
            assert {name for name in reserved if await offer(name) != "error"} == set()
            assert {name for name in METHODS_OF_APPS if await offer(name) != "success"} == set()


@pytest.mark.long
async def test_an_unmodified_client_reconnects_with_the_token_it_was_started_with(desk: Desk) -> None:
    """The client library sends its token again after the gateway has dropped the connection."""
    script = Path(__file__).parent / "node" / "reconnect.mjs"
    modules = Path(__file__).parents[1] / "gateway" / "node" / "node_modules"
    details = {"path": str(script), "passGlueToken": True, "logging": True, "parameters": f"'{modules}'"}
    desk.write_app("client", type="node", details=details)
    desk.system(**APPS)
    async with desk.running(node=find_node().node) as platform:
        instance = await platform.services.instances.start("client")
        log = desk.root / "UserData" / "logs" / f"{instance.id}.log"
        await until(lambda: platform.services.instances.get(instance.id) is None)
        told = await asyncio.to_thread(log.read_text)
        assert told.strip().endswith(f"back as client {instance.id}"), told


LIBRARIES = {
    "@interopio/core": "",
    "@glue42/core": "",
    # Without the parts that need windows.
    "@interopio/desktop": json.dumps(
        dict.fromkeys(("windows", "appManager", "channels", "layouts", "displays"), False)
    ),
}


@pytest.mark.long
async def test_unmodified_client_libraries_connect_without_any_configuration(desk: Desk) -> None:
    script = Path(__file__).parent / "node" / "unconfigured.mjs"
    modules = Path(__file__).parents[1] / "gateway" / "node" / "node_modules"
    for number, library in enumerate(LIBRARIES):
        details = {"path": str(script), "logging": True, "parameters": f"'{modules}' '{library}'"}
        desk.write_app(f"client-{number}", type="node", details=details)
    desk.system(**APPS, env="TEST", region="EU")
    async with desk.running(node=find_node().node) as platform:
        instances = platform.services.instances
        started = [await instances.start(f"client-{number}") for number in range(len(LIBRARIES))]
        await until(lambda: not instances.all)
        logs = platform.local.early.folders.user_data / "logs"
        for one in started:
            text = await asyncio.to_thread((logs / f"{one.id}.log").read_text)
            told = json.loads(text.strip().splitlines()[-1])
            identity = {"application": one.app, "instance": one.id, "environment": "TEST", "region": "EU"}
            assert told == {**identity, "apps": len(LIBRARIES)}, text


@pytest.mark.long
async def test_a_program_finds_the_platform_by_its_starting_context_and_gets_a_token_only_where_it_should(
    desk: Desk,
) -> None:
    told = {
        "plain": write_telling_app(desk, "plain", passGlueToken=False),
        "trusted": write_telling_app(desk, "trusted"),
        "none": write_telling_app(desk, "none", startingContextMode="none"),
        "posing": write_telling_app(desk, "posing", env={"_GD_STARTING_CONTEXT_": "{}"}, passGlueToken=False),
    }
    desk.system(**APPS)
    async with desk.running(_GD_STARTING_CONTEXT_="of-the-platform") as platform:
        started = {name: await platform.services.instances.start(name, {"x": 1}) for name in told}
        await until(lambda: all(file.exists() for file in told.values()))
        found = {name: facts(file)["environment"] for name, file in told.items()}
        contexts = {name: json.loads(found[name]["_GD_STARTING_CONTEXT_"]) for name in ("plain", "trusted", "posing")}
        for name, context in contexts.items():
            assert context.pop("gwToken", "") == (found[name]["ROSTRUM_TOKEN"] if name == "trusted" else "")
            assert context == {
                "applicationConfig": {"name": name},
                "instanceId": started[name].id,
                "gwURL": platform.gateway.address,
                "context": {"x": 1},
            }
        assert "_GD_STARTING_CONTEXT_" not in found["none"]
        assert all("ROSTRUM_TOKEN" not in found[name] for name in ("plain", "posing"))


async def test_the_token_of_the_platform_itself_is_not_passed_on(desk: Desk) -> None:
    told = write_telling_app(desk, "plain", passGlueToken=False)
    desk.system(**APPS)
    async with desk.running(ROSTRUM_TOKEN="of-the-platform") as platform:
        await platform.services.instances.start("plain")
        await until(told.exists)
        assert "ROSTRUM_TOKEN" not in facts(told)["environment"]
