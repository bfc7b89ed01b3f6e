"""The end of the platform, apps and cookies for client libraries: hostile arguments, and what happens to the rest."""

from typing import Any

import pytest

from rostrum.desktop.key_file import KeyFile
from rostrum.desktop.platform import Platform
from rostrum.gateway import CallFailed, LocalPeer
from tests.desktop.t42.libraries import PAGES, write_apps
from tests.desktop.test_identities import bearing, signed_in
from tests.desktop.test_platform import Desk, desk, until

__all__ = ["desk"]

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("T42.ACS.StartApplication", {}, "Name must be text"),
    ("T42.ACS.StartApplication", {"Name": "clock", "Context": 7}, "Context must be an object"),
    ("T42.ACS.StartApplication", {"Name": "clock", "Options": "x"}, "Options must be an object"),
    ("T42.ACS.StartApplication", {"Name": "clock", "Options": {"left": "far"}}, "options are invalid"),
    ("T42.ACS.StartApplication", {"Name": "x" * 100_000}, "there is no app"),
    ("T42.ACS.StopApplication", {"Id": 7}, "Id must be text"),
    ("T42.ACS.StopApplication", {"Id": "nobody"}, "There is no instance 'nobody'"),
    ("T42.ACS.ActivateApplication", {"Id": "nobody"}, "There is no instance"),
    ("T42.ACS.Execute", {"command": "fly"}, "has no command 'fly'"),
    ("T42.ACS.Execute", {"command": "getStartedBy", "Id": "nobody"}, "There is no instance"),
    ("T42.ACS.GetApplications", {"v2": {"apps": "clock"}}, "apps must be an array"),
    ("T42.ACS.GetApplications", {"v2": 7}, "v2 must be an object"),
    ("T42.ACS.InMemoryStoreCommand", {"command": "export"}, "Only apps that the platform has started"),
    ("T42.ACS.SetCurrentBranch", {"Branch": "x"}, "There are no branches"),
    ("T42.GD.Execute", {"command": "fly"}, "has no command 'fly'"),
    ("T42.GD.Execute", {"command": ["x"] * 1000}, "has no command"),
    ("T42.Wnd.GetInfo", {"ids": 7}, "ids must be an array"),
    ("apps.command", {"command": {}}, "has no command"),
    ("apps.command", {"command": "get-app", "args": []}, "args must be an object"),
    ("apps.command", {"command": "get-apps", "args": {"filter": {"names": 7}}}, "names must be an array"),
    ("apps.command", {"command": "get-instances", "args": {"filter": {"startedAfter": "now"}}}, "must be a date"),
    ("apps.command", {"command": "start-app", "args": {"name": "nobody"}}, "application not found"),
    ("apps.command", {"command": "restart-instance", "args": {"id": "x", "context": 7}}, "context must be an object"),
    ("apps.command", {"command": "wait-for-ready", "args": {"id": "nobody"}}, "There is no instance"),
    ("apps.command", {"command": "in-memory-import", "args": {"apps": [], "mode": "x"}}, "mode must be replace"),
    ("apps.command", {"command": "in-memory-remove", "args": {"name": 7}}, "name must be an array"),
]
"""Calls that must be refused with a reason, and must change nothing."""
COOKIES: list[tuple[dict[str, Any], str]] = [
    ({"command": "get-cookies", "args": {"filter": 7}}, "filter must be an object"),
    ({"command": "set-cookie", "args": {"name": "a"}}, "url must be text"),
    ({"command": "set-cookie", "args": {"url": "file:///x", "name": "a"}}, "url must be the address of a page"),
    ({"command": "set-cookie", "args": {"url": PAGES, "name": "a", "value": "x" * 10_000}}, "value must be text"),
    ({"command": "set-cookie", "args": {"url": PAGES, "name": "a", "secure": "yes"}}, "secure must be true or false"),
    ({"command": "set-cookie", "args": {"url": PAGES, "name": "a", "expirationDate": "x"}}, "expirationDate"),
    ({"command": "remove-cookie", "args": {"url": PAGES}}, "name must be text"),
]


async def client_of(platform: Platform) -> LocalPeer:
    """A program of the user; with no instance, it has no rights of an app."""
    return await platform.gateway.local_peer("client", "ann")


async def test_hostile_calls_are_refused_and_start_nothing(desk: Desk) -> None:
    write_apps(desk)
    async with desk.running() as platform:
        key = KeyFile(desk.root / "UserData").read()
        login = {"method": "secret", "login": key.user, "secret": key.secret}
        async with signed_in(key.address, login) as program:
            for name, arguments, reason in REFUSED:
                server, method = program.methods[name]
                call = {"server_id": server, "method_id": method, "arguments_kv": arguments}
                answer = await program.ask(domain="agm", type="call", **call)
                assert answer["type"] == "error", (name, arguments)
                assert reason in answer["reason"], (name, arguments)
                assert len(answer["reason"]) < 1000
        assert platform.services.instances.all == ()
        assert desk.host.windows == {}


async def test_cookies_are_checked_before_the_browser_gets_them(desk: Desk) -> None:
    write_apps(desk, allowCookiesManipulation=True)
    async with desk.running() as platform:
        running = await platform.services.instances.start("node-client")
        token = platform.running_gateway.app_tokens.token(running.id, running.app, running.type)
        async with signed_in(platform.gateway.address, bearing(token)) as page:
            server, method = page.methods["T42.GD.Execute"]

            async def call(arguments: dict[str, Any]) -> Any:
                return await page.ask(
                    domain="agm", type="call", server_id=server, method_id=method, arguments_kv=arguments
                )

            for arguments, reason in COOKIES:
                assert reason in (await call(arguments))["reason"], arguments
            assert [what for what, _ in desk.host.calls if what == "act"] == []
            cookie = {"url": PAGES, "name": "a", "value": "b", "secure": True, "unknown": "dropped"}
            assert (await call({"command": "set-cookie", "args": cookie}))["type"] == "result"
            assert (await call({"command": "remove-cookie", "args": {"url": PAGES, "name": "a"}}))["type"] == "result"
        actions = [about[1] for what, about in desk.host.calls if what == "act"]
        assert [type(one).__name__ for one in actions] == ["SetCookie", "RemoveCookie"]
        assert dict(actions[0].cookie) == {"url": PAGES, "name": "a", "value": "b", "secure": True}


@pytest.mark.parametrize(("method", "restart"), [("Shutdown", False), ("Restart", True)])
async def test_an_app_ends_or_restarts_the_platform_unless_an_app_prevents_it(
    desk: Desk, method: str, restart: bool
) -> None:
    write_apps(desk)
    async with desk.running() as platform:
        client, guard = await client_of(platform), await client_of(platform)
        asked: list[dict[str, Any]] = []
        prevent = True

        async def answer(invocation: Any) -> Any:
            asked.append(invocation.arguments)
            return {"prevent": prevent}

        await guard.methods.register("T42.ACS.OnGDShutdown", answer)
        own = platform.running_gateway.peer.methods
        await until(lambda: own.find("T42.ACS.OnGDShutdown") is not None)
        call = {"showDialog": False, "reason": "update", "autoSave": True}
        with pytest.raises(CallFailed, match="is prevented by a program"):
            await client.methods.call(f"T42.ACS.{method}", call)
        # With a dialog the person decides; the safe choice is to stay.
        with pytest.raises(CallFailed, match="was prevented"):
            await client.methods.call(f"T42.ACS.{method}", {})
        assert not platform.shutdown.requested.is_set()
        assert asked[0] == {"restarting": restart, "reason": "update"}
        prevent = False
        await platform.services.layouts.save("Morning")
        await platform.services.instances.start("clock")
        assert await client.methods.call(f"T42.ACS.{method}", call) == {}
        assert (platform.shutdown.requested.is_set(), platform.shutdown.restart) == (True, restart)
        (saved,) = platform.services.layouts.export("Global")
        assert [one["application"] for one in saved["components"]] == ["clock"]


async def test_events_of_apps_are_for_those_who_ask_for_them(desk: Desk) -> None:
    write_apps(desk)
    async with desk.running() as platform:
        client = await client_of(platform)
        for event in (None, 7, "everything", "x" * 10_000):
            with pytest.raises(CallFailed, match=r"apps\.event has no event"):
                await client.methods.subscribe("apps.event", {"event": event})
        stopped = await client.methods.subscribe("apps.event", {"event": "instance-stopped"})
        every = await client.methods.subscribe("T42.ACS.OnEvent", {"skipIcon": True})
        clock = await platform.services.instances.start("clock")
        await platform.services.instances.stop(clock.id)
        event = await stopped.events.get()
        assert (event["event"], event["data"][0]["instance"]["id"]) == ("instance-stopped", clock.id)
        snapshot = await every.events.get()
        assert (snapshot["isSnapshot"], [one["Name"] for one in snapshot["OnApplicationAdded"]]) == (
            True,
            ["clock", "helper", "node-client"],
        )
        kinds = [next(iter(await every.events.get())) for _ in range(2)]
        assert kinds == ["OnApplicationStarted", "OnApplicationStopped"]
