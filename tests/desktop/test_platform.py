"""The platform from configuration files to a clean end, alone and with a real manager."""

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from rostrum import PLATFORM_VERSION, __version__
from rostrum.base.clock import Clock
from rostrum.desktop import manager_session
from rostrum.desktop.errors import StartFailed
from rostrum.desktop.gateway_options import OwnLogins
from rostrum.desktop.hosts.port import LoginScreen
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import Report
from rostrum.desktop.login import Login
from rostrum.desktop.platform import STEPS, Platform
from rostrum.desktop.status_file import StatusFile
from rostrum.desktop.updates.checker import Apply
from rostrum.desktop.windows.geometry import Bounds
from rostrum.gateway import CallFailed
from rostrum.settings.parse import NEWEST
from rostrum.sources.gilding import FILES_NEEDED_LOCALLY, KEYS_NEEDED_LOCALLY
from rostrum.sources.load import Start
from rostrum.stores.layouts.store import LayoutKey
from tests.plain_http import NO_TLS
from tests.ports import free_port
from tests.real_manager import USER, Manager, manager
from tests.sources.server import Behaviour, Request, answering, down, running, serving
from tests.stores.apps.backends import app
from tools.node import find_node

GATEWAY = {"gw": {"configuration": {"port": 0}}}


class Desk:
    """A folder with a configuration, started as often as a test likes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.host = RecordingHost()
        self.logins: list[Login | None] = [Login(*USER)]
        self.system()

    def system(self, **members: Any) -> None:
        (self.root / "config").mkdir(parents=True, exist_ok=True)
        (self.root / "config" / "system.json").write_text(json.dumps({**GATEWAY, **members}))

    def complete_9_0(self, **members: Any) -> None:
        """Write everything that local files of the 9.0 stream must have."""
        self.system(**dict.fromkeys(KEYS_NEEDED_LOCALLY), **members)
        for name in FILES_NEEDED_LOCALLY:
            (self.root / "config" / name).write_text("{}")
        (self.root / "config" / "logger.json").write_text('{"appenders": {}, "categories": {}}')

    def write_app(self, name: str, **members: Any) -> None:
        (self.root / "apps").mkdir(exist_ok=True)
        (self.root / "apps" / f"{name}.json").write_text(json.dumps(app(name, **members)))

    def platform(
        self,
        node: str = "node",
        clock: Clock | None = None,
        apply_update: Apply | None = None,
        version: str = NEWEST,
        **variables: str,
    ) -> Platform:
        async def ask(_: str) -> Login | None:
            return self.logins[0] if len(self.logins) == 1 else self.logins.pop(0)

        start = Start(root=self.root, variables={"PATH": "/usr/bin:/bin", "USER": "ann", **variables}, version=version)
        return Platform(start, self.host, ask, node=node, clock=clock, apply_update=apply_update)

    @asynccontextmanager
    async def running(
        self,
        node: str = "node",
        clock: Clock | None = None,
        apply_update: Apply | None = None,
        version: str = NEWEST,
        **variables: str,
    ) -> AsyncIterator[Platform]:
        platform = self.platform(node, clock, apply_update, version, **variables)
        await platform.start()
        try:
            yield platform
        finally:
            await platform.stop()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk")


APPS = {"appStores": [{"type": "path", "details": {"path": "apps"}}]}


def program(code: str) -> dict[str, Any]:
    return {"type": "exe", "details": {"command": sys.executable, "parameters": f'-c "{code}"'}}


async def host_reports(desk: Desk, report: Report) -> None:
    """Report what a person or a page does, and let the services process it."""
    desk.host.reports.report(report)
    await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what other processes make true."""
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not become true")


async def test_with_nothing_but_defaults_it_starts_and_ends(desk: Desk) -> None:
    async with desk.running() as platform:
        status = platform.status()
        assert (status["ready"], status["user"], status["mode"]) == (True, "ann", "default")
        assert [step["name"] for step in status["steps"]] == list(STEPS)
        assert (desk.root / "UserData" / "status.json").exists()
    assert not (desk.root / "UserData" / "status.json").exists()


@pytest.mark.rule("R-1-16")
async def test_the_services_are_methods_that_any_client_can_call(desk: Desk) -> None:
    desk.write_app("clock", title="Clock", keywords=["time"])
    desk.system(**APPS)
    async with desk.running() as platform:
        client = await platform.gateway.local_peer("client", "ann")
        call = client.methods.call
        listed = await call("Rostrum.Apps.List")
        assert [one["name"] for one in listed["applications"]] == ["clock"]
        started = await call("Rostrum.Apps.Start", {"name": "clock", "context": {"x": 1}})
        assert desk.host.windows[started["id"]].context == {"x": 1}
        await call("Rostrum.Layouts.Save", {"name": "Morning"})
        assert (await call("Rostrum.Layouts.List"))["layouts"] == [{"name": "Morning", "type": "Global"}]
        await call("Rostrum.Instances.Stop", {"instance": started["id"]})
        assert (await call("Rostrum.Layouts.Restore", {"name": "Morning"}))["notes"] == []
        assert len((await call("Rostrum.Instances.List"))["instances"]) == 1
        await call("Rostrum.Preferences.Set", {"app": "clock", "data": {"zone": "Oslo"}})
        assert (await call("Rostrum.Preferences.Get", {"app": "clock"}))["data"] == {"zone": "Oslo"}
        raised = await call("Rostrum.Notifications.Raise", {"app": "clock", "title": "Ring"})
        assert [one["id"] for one in (await call("Rostrum.Notifications.List"))["notifications"]] == [raised["id"]]
        found = await call("Rostrum.Search.Find", {"text": "time"})
        assert [one["id"] for one in found["results"]] == ["clock"]
        assert (await call("Rostrum.Platform.Status"))["ready"] is True
        for method, arguments in (
            ("Rostrum.Apps.Start", {"name": "nobody"}),
            ("Rostrum.Apps.Start", {}),
            ("Rostrum.Layouts.Restore", {"name": "gone"}),
            ("Rostrum.Apps.Add", {"app": "x", "definitions": []}),
        ):
            with pytest.raises(CallFailed):
                await call(method, arguments)


@pytest.mark.rule("R-2.12-2", "X-7-5", "T-D-8")
async def test_what_is_missing_is_in_the_status_until_it_is_there(desk: Desk) -> None:
    desk.system(appStores=[{"type": "path", "isRequired": False, "details": {"path": "apps"}}])
    status = StatusFile(desk.root / "UserData")
    async with desk.running() as platform:
        told = status.read() or {}
        (stores,) = (step for step in told["steps"] if step["name"] == "stores")
        assert (stores["state"], told["ready"], len(told["problems"])) == ("degraded", True, 1)
        assert "there is no folder" in stores["note"]
        desk.write_app("clock")
        # The folder is looked for every few seconds; refreshing looks at once.
        await platform.services.control.refresh()
        told = status.read() or {}
        assert (told["apps"], told["problems"]) == (1, [])
        await platform.services.instances.start("clock")
        assert [one["app"] for one in (status.read() or {})["instances"]] == ["clock"]


@pytest.mark.rule("R-2.10-2", "R-2.13-2", "R-2.15-16", "R-2.15-18", "X-D-15", "L-8-7")
@pytest.mark.parametrize("changed", [False, True])
async def test_titles_hibernation_sizes_and_sign_ins_follow_the_settings(desk: Desk, changed: bool) -> None:
    desk.write_app(
        "clock", title="Clock", details={"url": "https://x", "left": 0, "top": 0, "width": 900, "height": 500}
    )
    members: dict[str, Any] = {
        "applications": {"titleFormat": "{title} #{instanceIndex}", "closeOnHibernate": False},
        "layouts": {"components": {"maxSize": 800}},
        "gw": {"configuration": {"port": 0, "authentication": {"basic": {"usernameCaseSensitive": True}}}},
    }
    desk.system(**APPS, **(members if changed else {}))
    async with desk.running() as platform:
        started = await platform.services.instances.start("clock")
        assert started.title == ("Clock #1" if changed else "Clock")
        await platform.services.layouts.save("Wide")
        await platform.services.layouts.hibernate(LayoutKey("Global", "Wide"))
        assert len(platform.services.instances.all) == (1 if changed else 0)
        await platform.services.layouts.restore(LayoutKey("Global", "Wide"))
        (shown,) = platform.services.instances.all
        bounds = desk.host.bounds(shown.id)
        assert bounds is not None
        assert bounds.width == (1920 if changed else 900)
        shouted = OwnLogins(platform.user, "s", platform.gateway.options.case_sensitive_users).check("ANN", "s", "")
        assert (await shouted is None) == changed


async def test_a_service_that_keeps_layouts_or_preferences_and_is_away_is_in_the_status_until_it_is_back(
    desk: Desk,
) -> None:
    status = StatusFile(desk.root / "UserData")
    away: list[Behaviour] = [answering(500)]

    async def behave(request: Request) -> bytes:
        empty = serving([] if "prefs" in request.path else {"layouts": []})
        return await (away[0] if away else empty)(request)

    async with running(behave) as server:
        base = server.url.partition("/systemConfig")[0]
        no_auth = {"type": "rest", "restClientAuth": "no-auth"}
        desk.system(
            layouts={"store": {**no_auth, "restURL": base}},
            applicationPreferences={"store": {**no_auth, "restURL": f"{base}/prefs", "restRetries": 0}},
        )
        async with desk.running() as platform:
            told = status.read() or {}
            (stores,) = (step for step in told["steps"] if step["name"] == "stores")
            assert stores["state"] == "degraded"
            assert [one.split()[:3] for one in told["problems"]] == [
                ["layout", "store", "rest"],
                ["preference", "store", "rest"],
            ]
            assert all("500" in one for one in told["problems"])
            away.clear()
            await platform.services.layouts.save("Morning")
            await platform.stores.preferences.set("clock", {"zone": "Oslo"})
            assert (status.read() or {})["problems"] == []


@pytest.mark.rule("R-2.12-13")
async def test_system_apps_and_apps_with_auto_start_start_with_the_platform(desk: Desk) -> None:
    desk.write_app("first", autoStart=True, runPriority=5)
    desk.write_app("second", autoStart=True)
    desk.write_app("other")
    (desk.root / "system").mkdir()
    (desk.root / "system" / "a.json").write_text(json.dumps(app("critical")))
    desk.system(**APPS, systemAppStores=[{"type": "path", "details": {"path": "system"}}])
    async with desk.running() as platform:
        assert [one.app for one in platform.services.instances.all] == ["critical", "first", "second"]
    assert desk.host.windows == {}


@pytest.mark.rule("R-2.12-13")
async def test_a_layout_closes_no_app_that_started_with_the_platform_and_may_name_it(desk: Desk) -> None:
    for name in ("mail", "clock"):
        desk.write_app(name, autoStart=name == "mail")
    (desk.root / "system").mkdir()
    (desk.root / "system" / "a.json").write_text(json.dumps(app("critical")))
    desk.system(**APPS, systemAppStores=[{"type": "path", "details": {"path": "system"}}])

    def component(name: str, **state: Any) -> dict[str, Any]:
        return {"type": "window", "application": name, "state": state}

    bounds = {"left": 5, "top": 6, "width": 700, "height": 800}
    layouts = {
        "Other": [component("clock")],
        "Named": [component("critical", bounds=bounds), component("mail", context={"box": "in"})],
    }
    async with desk.running() as platform:
        for name, components in layouts.items():
            await platform.stores.layouts.save({"name": name, "type": "Global", "components": components})
        await platform.services.layouts.set_default(LayoutKey("Global", "Other"))
    async with desk.running() as platform:
        critical, mail, _ = platform.services.instances.all
        assert [one.app for one in platform.services.instances.all] == ["critical", "mail", "clock"]
        assert await platform.services.layouts.restore(LayoutKey("Global", "Named")) == ()
        # The auto-started app is restored as the layout has it; the system app is only moved.
        first, second = platform.services.instances.all
        assert (first.id, desk.host.bounds(first.id)) == (critical.id, Bounds(**bounds))
        assert (second.app, second.context, second.id == mail.id) == ("mail", {"box": "in"}, False)
        await platform.services.layouts.hibernate(LayoutKey("Global", "Night"))
        assert [one.id for one in platform.services.instances.all] == [critical.id]
        await platform.services.layouts.restore(LayoutKey("Global", "Night"))
        assert [one.app for one in platform.services.instances.all] == ["critical", "mail"]


@pytest.mark.rule("R-2.9-15", "R-2.9-16", "R-2.9-17", "T-D-17")
async def test_a_started_app_sees_the_variables_that_configuration_sets(desk: Desk) -> None:
    code = "import os; open('seen', 'w').write(os.environ['ADDED'] + os.environ.get('GONE', '-'))"
    desk.write_app("tool", **program(code), autoStart=True)
    details = {"command": sys.executable, "parameters": f'-c "{code}"', "path": "."}
    desk.write_app("tool", type="exe", details=details, autoStart=True)
    desk.complete_9_0(**APPS)
    remote = {"env.json": {"contents": {"set": {"ADDED": "yes", "GONE": ""}}}}
    variables = {"ADDED": "overridden", "GONE": "no"}
    async with running(serving(remote)) as source:
        gilding = {"envVars": {"set": variables}, "remoteConfig": {"enabled": True, "url": source.url}}
        (desk.root / "config" / "gilding.json").write_text(json.dumps(gilding))
        await started_9_9(desk)
    assert (desk.root / "seen").read_text() == "yes-"


@pytest.mark.rule("R-2.9-10", "R-2.9-11", "R-2.9-12", "X-D-7")
async def test_a_9_0_desktop_without_what_local_files_must_have_stops_with_one_error_that_lists_all(desk: Desk) -> None:
    desk.complete_9_0()
    for name in ("channels.json", "themes.json"):
        (desk.root / "config" / name).unlink()
    (desk.root / "config" / "logger.json").write_text("")
    system = json.loads((desk.root / "config" / "system.json").read_text())
    del system["flash"], system["switches"]
    (desk.root / "config" / "system.json").write_text(json.dumps(system))
    with pytest.raises(StartFailed) as failed:
        await desk.platform(version="9.9").start()
    step, _, message = str(failed.value).partition(": ")
    assert step == "local configuration"
    assert message.partition(" is incomplete: ")[2].split("; ") == [
        "switches: must be set in the local system.json",
        "flash: must be set in the local system.json",
        "channels.json must exist locally",
        "themes.json must exist locally",
        "logger.json must not be empty",
    ]
    desk.complete_9_0()
    async with desk.running(version="9.9") as platform:
        assert platform.status()["version"] == "9.9"


async def started_9_9(desk: Desk) -> None:
    """Run a platform of the 9.0 stream until its apps are done."""
    start = Start(root=desk.root, variables={"PATH": "/usr/bin:/bin", "USER": "ann"}, version="9.9")

    async def nobody(_: str) -> Login | None:
        return None

    platform = Platform(start, desk.host, nobody)
    await platform.start()
    await until(lambda: not platform.services.instances.all)
    await platform.stop()


@pytest.mark.rule("R-2.12-1", "X-7-4", "T-D-7")
async def test_a_required_app_store_that_is_not_there_stops_the_start_and_everything_begun_ends(desk: Desk) -> None:
    desk.system(appStores=[{"type": "path", "details": {"path": "nowhere"}}])
    platform = desk.platform()
    with pytest.raises(StartFailed, match="stores: a required app store cannot be retrieved: path"):
        await platform.start()
    states = {one.name: str(one.state) for one in platform.steps.all}
    assert (states["gateway"], states["stores"], states["services"]) == ("done", "failed", "waiting")
    desk.system()
    async with desk.running():
        pass


@pytest.mark.rule("R-2.8-6", "R-2.9-11", "R-2.9-12")
async def test_channels_themes_sticky_windows_and_log_files_come_from_the_standard_files(desk: Desk) -> None:
    red = {"name": "Red", "meta": {"color": "red", "fdc3": {"id": "fdc3.channel.1", "displayMetadata": {"glyph": "1"}}}}
    log = {"type": "file", "filename": "desk.log", "maxLogSize": "1M", "backups": 2}
    logger = {"appenders": {"f": log}, "categories": {"default": {"appenders": ["f"], "level": "debug"}}}
    remote: dict[str, Any] = {
        "channels.json": [red, {"name": "Blue", "meta": {"color": "blue"}}],
        "themes.json": [{"name": "light"}, {"name": "dark", "displayName": "Dark", "frame": "#222"}],
        "stickywindows.json": {"frameColor": "#333"},
        "logger.json": logger,
        # Log settings of a remote source have no effect (local only), unlike those of logger.json.
        "system.json": {"logging": {"files": {"onStartup": "delete"}}},
    }
    for name in ("channels.json", "themes.json", "stickywindows.json"):
        desk.system()
        (desk.root / "config" / name).write_text("")
    logs = desk.root / "UserData" / "logs"
    async with running(serving({name: {"contents": contents} for name, contents in remote.items()})) as source:
        sources = {"sources": [{"type": "rest", "source": source.url, "restRetries": 0}]}
        desk.system(systemConfigurations=sources, channels={"definitions": [{**red, "meta": {"color": "teal"}}]})
        async with desk.running() as platform:
            client = await platform.gateway.local_peer("client", "ann")
            assert await client.contexts.get("___channel___Blue") == {
                "name": "Blue",
                "meta": {"color": "blue"},
                "data": {},
            }
            listed = await client.methods.call("Rostrum.Channels.List")
            # A definition in system.json replaces the one of the file.
            assert [one["meta"]["color"] for one in listed["definitions"]] == ["teal", "blue"]
            assert ([theme.title for theme in desk.host.themes], desk.host.theme) == (["light", "Dark"], "light")
            assert desk.host.themes[1].properties == {"frame": "#222"}
            assert desk.host.sticky_windows == {"frameColor": "#333"}
            await client.methods.call("Rostrum.Themes.Select", {"name": "dark"})
            assert (desk.host.theme, (await client.contexts.get("Rostrum.Themes"))["selected"]) == ("dark", "dark")
            with pytest.raises(CallFailed, match="available themes: light, dark"):
                await client.methods.call("Rostrum.Themes.Select", {"name": "pink"})
        # The default file is written until the remote configuration is there.
        assert "local configuration" not in (logs / "desk.log").read_text()
        assert "splash" in (logs / "platform.log").read_text()
        assert "services: done" in (logs / "desk.log").read_text()
        desk.system(systemConfigurations=sources)
        async with desk.running() as platform:
            client = await platform.gateway.local_peer("client", "ann")
            assert (await client.contexts.get("___channel___Red"))["meta"] == red["meta"]
            assert (await client.methods.call("Rostrum.Themes.List"))["selected"] == "dark"
    assert logging.getLogger("rostrum").level == logging.NOTSET


@pytest.mark.rule("R-2.12-1")
async def test_required_stores_with_invalid_entries_stop_the_start_with_all_reasons(desk: Desk) -> None:
    stores = [{"type": "paht", "details": {"path": "apps"}}, {"type": "rest"}]
    desk.system(appStores=stores, layouts={"store": {"type": "fiel"}})
    with pytest.raises(StartFailed) as failed:
        await desk.platform().start()
    reasons = str(failed.value)
    assert reasons.startswith("stores: the configuration of a required store is invalid: appStores[0]: type: must be ")
    assert "; appStores[1]: details: is required" in reasons
    assert "; layouts.store.type: must be one of file, rest, server, not 'fiel'" in reasons


@pytest.mark.rule("R-2.12-2")
async def test_an_optional_store_with_an_invalid_entry_is_a_problem_of_the_status(desk: Desk) -> None:
    desk.write_app("clock")
    wrong: list[Any] = [
        {"type": "paht", "isRequired": False},
        {"type": "path", "isRequired": False, "details": {"path": "%NOWHERE%/apps"}},
        {"type": "server", "isRequired": False},
    ]
    desk.system(appStores=[*wrong, *APPS["appStores"]], systemAppStores=[{"type": "server", "isRequired": False}])
    async with desk.running() as platform:
        status = platform.status()
        (stores,) = (step for step in status["steps"] if step["name"] == "stores")
        assert (stores["state"], list(platform.stores.apps.apps)) == ("degraded", ["clock"])
        # The checks of the configuration find the wrong types, too.
        stores_only = [problem for problem in status["problems"] if not problem.startswith("configuration: ")]
        first, second, third, fourth = stores_only
        assert first.startswith("appStores[0]: the store is not available: type: must be ")
        assert second.startswith("systemAppStores[0]: the store is not available: type: must be ")
        assert (
            third
            == "appStores: an optional store is not available: %NOWHERE%/apps: there is no environment variable NOWHERE"
        )
        assert fourth.endswith("appStores requires the manager, but server.enabled is not true")


@pytest.mark.rule("X-7-2", "T-D-3")
async def test_a_required_configuration_source_that_is_not_there_stops_the_start(desk: Desk) -> None:
    async with down() as dead:
        source = {"type": "rest", "source": dead.url, "required": True, "restRetries": 0}
        desk.system(systemConfigurations={"sources": [source]})
        with pytest.raises(StartFailed, match="remote configuration: a required configuration source"):
            await desk.platform().start()


@pytest.mark.rule("R-2.11-2")
async def test_a_second_platform_is_rejected_for_the_same_pair_and_with_never_for_every_pair(
    desk: Desk,
) -> None:
    desk.system(env="A", region="B")
    async with desk.running():
        with pytest.raises(StartFailed, match="run control: the platform already runs: process"):
            await desk.platform().start()
        desk.system(env="A", region="C", allowMultipleInstances="never")
        with pytest.raises(StartFailed, match=r"the platform already runs: process .* for A-B, since"):
            await desk.platform().start()
        assert desk.host.calls[-1] == ("front", None)
        desk.system(env="A", region="C")
        async with desk.running():
            pass
    desk.system(env="A", region="C", allowMultipleInstances="never")
    async with desk.running():
        desk.system(env="A", region="B")
        with pytest.raises(StartFailed, match=r"the platform already runs: process .* for A-C, since"):
            await desk.platform().start()


@pytest.mark.rule("R-2.11-5", "X-D-14")
async def test_a_gateway_port_in_use_stops_the_start_with_a_message(desk: Desk) -> None:
    desk.system(env="A", region="B")
    async with desk.running() as platform:
        taken = {"gw": {"configuration": {"port": platform.gateway.port}}}
        desk.system(env="A", region="C", **taken)
        with pytest.raises(StartFailed, match=f"gateway: .*{platform.gateway.port}"):
            await desk.platform().start()


@pytest.mark.setting("windows.channelSelector.channelId")
@pytest.mark.rule("R-2.17-2")
async def test_an_app_joins_its_channel_at_the_start_and_again_with_its_layout(desk: Desk) -> None:
    red, blue = ({"name": name, "meta": {"color": name}} for name in ("red", "blue"))
    own = {"url": "https://x", "channelSelector": {"enabled": True, "channelId": "blue"}}
    desk.write_app("clock")
    desk.write_app("own", details=own)
    windows = {"channelSelector": {"enabled": True, "channelId": "red"}}
    desk.system(**APPS, channels={"definitions": [red, blue]}, windows=windows)
    async with desk.running() as platform:
        clock, other = [await platform.services.instances.start(name) for name in ("clock", "own")]
        assert (platform.services.channels.of(clock.id), platform.services.channels.of(other.id)) == (
            ("red",),
            ("blue",),
        )
        platform.services.channels.join(clock.id, "blue")
        await platform.services.layouts.save("Morning")
        await platform.services.instances.stop(clock.id)
        assert platform.services.channels.of(clock.id) == ()
        await platform.services.layouts.restore(LayoutKey("Global", "Morning"))
        again = next(one for one in platform.services.instances.all if one.app == "clock")
        assert platform.services.channels.of(again.id) == ("blue",)


@pytest.mark.long
@pytest.mark.rule("R-2.6-8")
async def test_a_native_app_with_the_npm_client_calls_methods_and_shares_contexts(desk: Desk) -> None:
    """The desk starts a Node script that connects with the unmodified client library."""
    script = Path(__file__).parent / "node" / "client.mjs"
    modules = Path(__file__).parents[1] / "gateway" / "node" / "node_modules"
    details = {"path": str(script), "passGlueToken": True, "logging": True, "parameters": str(modules)}
    desk.write_app("client", type="node", details=details)
    desk.write_app("clock")
    red = {"name": "Red", "meta": {"color": "red"}}
    desk.system(**APPS, channels={"definitions": [red]})
    async with desk.running(node=find_node().node) as platform:
        instance = await platform.services.instances.start("client")
        log = desk.root / "UserData" / "logs" / f"{instance.id}.log"
        await until(lambda: not any(one.app == "client" for one in platform.services.instances.all))
        told = await asyncio.to_thread(log.read_text)
        assert "done" in told, told
        assert [one.app for one in platform.services.instances.all] == ["clock"]
        assert (await platform.services.channels.data("Red"))["from"] == "node"


@pytest.mark.rule("R-2.13-1")
@pytest.mark.parametrize(("restored", "running"), [(True, 1), (False, 0)])
async def test_the_default_layout_is_restored_at_the_start_unless_it_should_not(
    desk: Desk, restored: bool, running: int
) -> None:
    desk.write_app("clock")
    desk.system(**APPS, layouts={"restoreDefaultGlobalOnStartup": restored})
    async with desk.running() as platform:
        await platform.services.instances.start("clock")
        await platform.services.layouts.save("Morning")
        await platform.services.layouts.set_default(LayoutKey("Global", "Morning"))
    async with desk.running() as platform:
        assert len(platform.services.instances.all) == running


@pytest.mark.rule("R-2.15-1")
async def test_the_splash_shows_local_values_and_a_slow_one_does_not_delay_the_start(desk: Desk) -> None:
    class Slow(RecordingHost):
        async def show_splash(self, splash: Any) -> None:
            await super().show_splash(splash)
            await asyncio.Event().wait()

    desk.host = Slow()
    desk.system(build="local", uiVersion="1.2", splash={"width": 11, "height": 22, "timeout": 1})
    async with desk.running():
        (splash,) = [about for what, about in desk.host.calls if what == "splash"]
    assert (splash.build, splash.version, splash.width, splash.height) == ("local", "1.2", 11, 22)


# With a real manager


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with manager(tmp_path_factory.mktemp("manager")) as running:
        running.add_app("clock")
        yield running


def with_manager(server: Manager, **members: Any) -> dict[str, Any]:
    output = {"type": "server", "serverUrl": f"{server.address}/crashes"}
    return {
        "appStores": [],
        "server": {"enabled": True, "url": server.address},
        "crashReporter": {"output": output},
        **members,
    }


def asked(server: Manager, path: str) -> Any:
    return httpx.get(server.address + path, auth=USER, verify=NO_TLS).json()


@pytest.mark.long
@pytest.mark.rule("R-1-2", "R-2.4-1", "R-2.4-2", "R-4-3", "E-4-10")
async def test_apps_layouts_and_preferences_come_from_and_go_to_the_manager(desk: Desk, server: Manager) -> None:
    desk.system(**with_manager(server))
    async with desk.running() as platform:
        assert "clock" in platform.stores.apps.apps
        await platform.services.instances.start("clock")
        await platform.services.layouts.save("Desk layout")
        await platform.stores.preferences.set("clock", {"zone": "Oslo"})
        status = platform.status()
        assert (status["user"], bool(status["session"])) == (USER[0], True)
        sessions = await asyncio.to_thread(server.admin, "GET", "/admin/sessions?active=true")
        assert status["session"] in [one["id"] for one in sessions["items"]]
    layouts = await asyncio.to_thread(asked, server, "/layouts")
    assert "Desk layout" in [one["name"] for one in layouts["layouts"]]
    assert (await asyncio.to_thread(asked, server, "/prefs?app=clock"))["data"] == {"zone": "Oslo"}
    closed = await asyncio.to_thread(server.admin, "GET", f"/admin/sessions/{status['session']}")
    assert closed["ended"] is not None
    assert closed["version"] == PLATFORM_VERSION


@pytest.mark.long
async def test_features_of_the_manager_can_be_switched_off_one_by_one(desk: Desk, server: Manager) -> None:
    off = dict.fromkeys(("applicationsStore", "layoutsStore", "preferencesStore", "commands"), False)
    members = with_manager(server)
    members["server"] |= {"features": off}
    desk.write_app("local")
    desk.system(**{**members, **APPS})
    async with desk.running() as platform:
        assert list(platform.stores.apps.apps) == ["local"]
        await platform.services.layouts.save("Kept here")
        await platform.stores.preferences.set("local", {"zone": "Oslo"})
        session = await asyncio.to_thread(server.admin, "GET", f"/admin/sessions/{platform.status()['session']}")
        assert session["commands"] == []
    assert "Kept here" not in [one["name"] for one in (await asyncio.to_thread(asked, server, "/layouts"))["layouts"]]
    assert "Oslo" not in str(await asyncio.to_thread(asked, server, "/prefs?app=local"))
    members["server"] |= {"features": {**off, "layoutsStore": True, "commands": True}}
    desk.system(**{**members, **APPS, "commands": {"enabled": False}})
    async with desk.running() as platform:
        await platform.services.layouts.save("Kept there")
        session = await asyncio.to_thread(server.admin, "GET", f"/admin/sessions/{platform.status()['session']}")
        assert session["commands"] == []
    assert "Kept there" in [one["name"] for one in (await asyncio.to_thread(asked, server, "/layouts"))["layouts"]]


async def test_a_change_on_the_manager_reaches_the_running_desktop(desk: Desk, server: Manager) -> None:
    desk.system(**with_manager(server))
    async with desk.running() as platform:
        changed = asyncio.Event()
        platform.stores.apps.changed.connect(lambda _: changed.set())
        await asyncio.to_thread(server.add_app, "brand new")
        await asyncio.wait_for(changed.wait(), 60)
        assert "brand new" in platform.stores.apps.apps


@pytest.mark.long
async def test_the_manager_is_informed_what_is_in_use_here_and_what_waits_for_a_restart(
    desk: Desk, server: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manager_session, "_RECEIPT_WITHIN", 0)
    source = f"{server.address}/systemConfig/get"
    desk.system(**with_manager(server, systemConfigurations={"sources": [{"type": "rest", "source": source}]}))

    def revision(made: dict[str, Any]) -> int:
        return int(made["revision"])

    def keep(contents: dict[str, Any]) -> int:
        body = {"file": "system.json", "contents": contents}
        return revision(server.admin("POST", "/admin/configs", body, 201))

    async def standing(kind: str, at: int) -> tuple[int, int]:
        path = f"/admin/sessions/receipts?kind={kind}&revision={at}"
        told = await asyncio.to_thread(server.admin, "GET", path)
        return told["applied"], told["pending"]

    async with desk.running() as platform:
        assert platform.manager.connection is not None
        noted = platform.manager.connection.changes.applied
        await until(lambda: set(noted) == {"apps", "layouts", "prefs", "systemConfig", "commands"})

        await asyncio.to_thread(server.add_app, "received")
        added = revision(await asyncio.to_thread(server.admin, "GET", "/admin/apps/received"))
        await until_told(lambda: standing("apps", added), (1, 0))
        assert "received" in platform.stores.apps.apps

        live = await asyncio.to_thread(keep, {"spellchecker": {"enabled": False}})
        await until_told(lambda: standing("systemConfig", live), (1, 0))
        assert platform.local.live.value.spellchecker.enabled is False
        document = (await asyncio.to_thread(server.admin, "GET", "/admin/configs"))["items"][0]["id"]
        change = {"contents": {"spellchecker": {"enabled": True}, "build": "another"}}
        later = await asyncio.to_thread(lambda: revision(server.admin("PATCH", f"/admin/configs/{document}", change)))
        await until(lambda: platform.local.live.value.spellchecker.enabled)
        assert await standing("systemConfig", later) == (0, 1)
    async with desk.running():
        await until_told(lambda: standing("systemConfig", later), (1, 0))


async def reported(server: Manager, text: str) -> bool:
    return text in json.dumps(await asyncio.to_thread(server.admin, "GET", "/admin/crashes"))


async def until_told(ask: Callable[[], Awaitable[Any]], wanted: Any) -> None:
    """Wait for a report to the manager."""
    for _ in range(600):
        if await ask() == wanted:
            return
        await asyncio.sleep(0.05)
    assert await ask() == wanted


@pytest.mark.long
@pytest.mark.rule("R-6-1", "E-4-11", "X-D-9")
async def test_commands_are_carried_out_and_answered_and_the_mode_refuses_what_it_lacks(
    desk: Desk, server: Manager
) -> None:
    desk.system(**with_manager(server))
    async with desk.running() as platform:
        session = platform.status()["session"]

        async def order(command: str, **params: Any) -> Any:
            body = {"session": session, "command": command, "params": params}
            made = await asyncio.to_thread(server.admin, "POST", "/admin/commands", body, 201)
            identity = made["items"][0]["id"]
            async with asyncio.timeout(90):
                while True:
                    found = await asyncio.to_thread(server.admin, "GET", f"/admin/commands/{identity}")
                    if found["status"] not in ("pending", "delivered"):
                        return found
                    await asyncio.sleep(0.05)

        started = await order("StartApps", names=["clock"])
        assert (started["status"], len(platform.services.instances.all)) == ("done", 1)
        body = {"session": session, "command": "SendFeedback"}
        refused = await asyncio.to_thread(server.admin, "POST", "/admin/commands", body, 400)
        assert "does not support 'SendFeedback'" in str(refused)
        announced = await asyncio.to_thread(server.admin, "GET", f"/admin/sessions/{session}")
        assert "SendFeedback" not in announced["commands"]
        assert "StartApps" in announced["commands"]
        assert (await order("StartApps", names=["nobody"]))["status"] == "failed"
        assert (await order("Restart"))["status"] == "done"
        assert (platform.shutdown.restart, platform.shutdown.requested.is_set()) == (True, True)


@pytest.mark.long
@pytest.mark.rule("R-1-2", "E-4-4")
async def test_a_desktop_run_as_a_version_reports_it_and_gets_the_configuration_for_it(
    desk: Desk, server: Manager
) -> None:
    desk.write_app("bad", **program("raise SystemExit(7)"))
    source = f"{server.address}/systemConfig/get".replace("//", "//{}:{}@".format(*USER))
    desk.system(**with_manager(server, **APPS, systemConfigurations={"sources": [{"type": "rest", "source": source}]}))
    for version, ui_version in (("10.0", "for ten"), ("10.1", "for ten one")):
        body = {"file": "system.json", "contents": {"uiVersion": ui_version}, "version": version}
        await asyncio.to_thread(server.admin, "POST", "/admin/configs", body, 201)
    async with desk.running() as platform:
        assert platform.settings.ui_version == "for ten one"
    async with desk.running(version="10.0.4") as platform:
        assert platform.settings.ui_version == "for ten"
        status = platform.status()
        assert (status["version"], status["productVersion"]) == ("10.0.4", __version__)
        session = await asyncio.to_thread(server.admin, "GET", f"/admin/sessions/{status['session']}")
        assert session["version"] == "10.0.4"
        await platform.services.instances.start("bad")
        await until_told(lambda: reported(server, "bad ended with 7"), True)
        crashes = await asyncio.to_thread(server.admin, "GET", "/admin/crashes?version=10.0.4")
        assert [one["product"] for one in crashes["items"]] == ["rostrum-desktop"]


async def test_crash_reports_go_to_the_address_of_the_settings_without_a_manager_too(desk: Desk) -> None:
    desk.write_app("bad", **program("raise SystemExit(7)"))
    async with running(serving({"id": "1"})) as receiver:
        output = {"type": "server", "serverUrl": f"http://127.0.0.1:{receiver.port}/api/crashes"}
        desk.system(**APPS, crashReporter={"output": output})
        async with desk.running() as platform:
            await platform.services.instances.start("bad")
            await until(lambda: bool(receiver.requests))
            await until(lambda: not platform.crashes.waiting)
    (request,) = receiver.requests
    assert (request.method, request.path) == ("POST", "/api/crashes")
    assert "authorization" not in request.headers
    desk.system(crashReporter={"output": {"type": "server"}})
    async with desk.running() as platform:
        notes = {step.name: (step.state, step.note) for step in platform.steps.all}
        assert notes["manager session"][0] == "degraded"
        assert "serverUrl" in notes["manager session"][1]


@pytest.mark.rule("R-2.4-4", "R-2.4-5")
@pytest.mark.parametrize("controller", ["sso", None])
async def test_the_configured_sign_in_page_is_shown_during_a_sign_in(
    desk: Desk, server: Manager, controller: str | None
) -> None:
    url = f"{server.address}/admin/gd"
    sso: dict[str, Any] = {"options": {"url": url, "window": {"width": 400, "height": 500, "mode": "flat"}}}
    desk.system(**with_manager(server, ssoAuth={**sso, **({"authController": controller} if controller else {})}))
    async with desk.running() as platform:
        assert platform.user == USER[0]
    shown = [call for call in desk.host.calls if call[0] in ("login", "no login")]
    screen = LoginScreen(url=url, width=400, height=500, mode="flat")
    assert shown == ([("login", screen), ("no login", None)] if controller else [])


@pytest.mark.parametrize(("logins", "ready"), [([Login("ann", "wrong"), Login(*USER)], True), ([None], False)])
async def test_a_wrong_password_repeats_the_prompt_and_a_cancelled_prompt_stops_the_start(
    desk: Desk, server: Manager, logins: list[Login | None], ready: bool
) -> None:
    desk.logins = list(logins)
    desk.system(**with_manager(server))
    if ready:
        async with desk.running() as platform:
            assert platform.user == "ann"
    else:
        with pytest.raises(StartFailed, match="sign-in: no user has signed in"):
            await desk.platform().start()


@pytest.mark.long
async def test_the_manager_is_killed_and_started_again_and_nothing_is_lost_or_done_twice(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / "m").mkdir()
    # While the manager is down, no other server may get its port.
    port = free_port()
    with manager(tmp_path / "m", port=port) as first:
        await asyncio.to_thread(first.add_app, "old")
        desk.write_app("bad", **program("raise SystemExit(7)"))
        desk.system(**with_manager(first, **APPS))
        platform = desk.platform()
        await platform.start()
        os.killpg(first.process.process.pid, signal.SIGKILL)
        await asyncio.to_thread(first.process.process.wait)
    try:
        await until(lambda: not platform.status()["connected"])
        await platform.stores.preferences.set("clock", {"made": "while away"})
        await platform.services.layouts.save("While away")
        assert (await platform.stores.preferences.get("clock"))["made"] == "while away"
        await platform.services.instances.start("bad")
        await until(lambda: bool(platform.crashes.waiting))
        assert set(platform.stores.apps.apps) == {"bad", "old"}
        with manager(tmp_path / "m", port=port) as second:
            await asyncio.to_thread(second.add_app, "new")
            layouts: Any = platform.stores.layouts
            preferences: Any = platform.stores.preferences
            await until(lambda: set(platform.stores.apps.apps) == {"bad", "old", "new"})
            await until(lambda: not (layouts.waiting or preferences.waiting or platform.crashes.waiting))
            order = {"command": "StartApps", "params": {"names": ["new"]}, "session": platform.status()["session"]}
            await asyncio.to_thread(second.admin, "POST", "/admin/commands", order, 201)
            await until(lambda: [one.app for one in platform.services.instances.all] == ["new"])
            assert (await asyncio.to_thread(asked, second, "/prefs?app=clock"))["data"] == {"made": "while away"}
            listed = await asyncio.to_thread(asked, second, "/layouts")
            assert [one["name"] for one in listed["layouts"]] == ["While away"]
            await until_told(lambda: reported(second, "bad ended"), True)
            for kind in ("crashes", "sessions"):
                assert len((await asyncio.to_thread(second.admin, "GET", f"/admin/{kind}"))["items"]) == 1
            await platform.stop()
    finally:
        await platform.stop()
