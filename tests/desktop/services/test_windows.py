"""The services around windows on a running platform, asked for by a client of its gateway."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rostrum import PLATFORM_VERSION, __version__
from rostrum.base.clock import SettableClock
from rostrum.desktop.errors import Prevented, StartFailed
from rostrum.desktop.hosts.reports import MayClose, Retitled
from rostrum.desktop.platform import Platform
from rostrum.desktop.windows.chrome import Chrome
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.pages import Spelling
from rostrum.desktop.windows.surface import Surface
from rostrum.desktop.windows.web_groups import GroupPage
from rostrum.gateway import CallFailed
from rostrum.stores.layouts.store import LayoutKey
from tests.desktop.test_platform import APPS, Desk, desk, host_reports, program, until
from tests.sources.server import in_turn, running, serving

__all__ = ["desk"]

LONG = program("import time; time.sleep(100)")
HTML = {"url": "https://x", "mode": "html", "jumpList": {"categories": []}}
ANCHOR = {"left": 100, "top": 100, "width": 50, "height": 20}
POPUP = {"url": "https://popup.example", "anchor": ANCHOR, "width": 200, "height": 100}


class Client:
    """A client of a running platform's gateway."""

    def __init__(self, platform: Platform, peer: Any) -> None:
        self.platform = platform
        self._peer = peer

    @classmethod
    async def of(cls, platform: Platform, name: str = "client", **identity: Any) -> "Client":
        return cls(platform, await platform.gateway.local_peer(name, "ann", **identity))

    async def offer(self, method: str, handler: Any) -> None:
        await self._peer.methods.register(method, handler)

    async def close(self) -> None:
        await self._peer.close()

    async def call(self, method: str, /, **arguments: Any) -> Any:
        return await self._peer.methods.call(f"Rostrum.{method}", arguments)

    async def refused(self, method: str, /, **arguments: Any) -> str:
        with pytest.raises(CallFailed) as caught:
            await self.call(method, **arguments)
        return str(caught.value)

    async def changes(self) -> Callable[[], Awaitable[Any]]:
        """Subscribe to what changes on the platform; the answer gives the next change."""
        subscription = await self._peer.methods.subscribe("Rostrum.Platform.Changes")
        events = aiter(subscription)
        return lambda: asyncio.wait_for(anext(events), 60)

    async def start(self, app: str) -> str:
        return str((await self.call("Apps.Start", name=app))["id"])


def fill(desk: Desk, **members: Any) -> None:
    desk.write_app("clock", title="Clock")
    desk.write_app("mail", title="Mail")
    desk.write_app("html", details=HTML)
    desk.write_app("tool", **LONG)
    desk.write_app("frame", type="workspaces", details={"url": "https://x"})
    desk.write_app("group", type="webGroup", details={"url": "https://x", "useOSSystemButtons": True}, hidden=True)
    write_system(desk, **members)


def write_system(desk: Desk, **members: Any) -> None:
    selector = {"enabled": True, "type": "multi", "channelId": "Red"}
    channels = {"definitions": [{"name": "Red", "meta": {"color": "red"}}]}
    desk.system(**APPS, channels=channels, windows={"channelSelector": selector}, **members)


def chrome(desk: Desk, instance: str) -> Chrome:
    return desk.host.windows[instance].chrome


@pytest.mark.rule("R-2.6-4", "R-2.6-6", "R-2.6-12", "R-2.6-14", "R-2.6-15", "R-2.15-3", "R-2.16-1")
@pytest.mark.rule("R-2.17-1")
@pytest.mark.rule("R-2.6-10")
@pytest.mark.rule("R-2.6-7")
async def test_the_default_mode_has_the_systems_buttons_and_refuses_what_it_lacks(desk: Desk) -> None:
    fill(desk)
    async with desk.running() as platform:
        client = await Client.of(platform)
        clock, mail, html, tool, frame, group = [
            await client.start(app) for app in ("clock", "mail", "html", "tool", "frame", "group")
        ]
        joined = await client.call("Groups.Join", instance=mail, to=clock)
        assert (joined["type"], [one["instance"] for one in joined["windows"]]) == ("Web", [clock, mail])
        assert desk.host.groups[joined["id"]].system_buttons
        assert desk.host.groups[joined["id"]].page == GroupPage(app="group", url="https://x")
        assert chrome(desk, group).system_buttons
        assert (chrome(desk, html).move_area, chrome(desk, html).buttons, chrome(desk, html).jump_list) == (None,) * 3
        assert "native apps is not supported in the default mode" in await client.refused(
            "Groups.Join", instance=tool, to=clock
        )
        assert "window stickiness is not supported" in await client.refused("Windows.Stick", instance=clock)
        assert "useExternalWindowPopup()" in await client.refused("Popups.Open", instance=clock, kind="custom", **POPUP)
        popup = (await client.call("Popups.Open", instance=clock, **POPUP))["popup"]
        assert (desk.host.windows[popup].kind, desk.host.windows[popup].details["onTop"]) == ("popup", True)
        selectors = [chrome(desk, one).selector for one in (clock, frame, group)]
        assert [one and one.type for one in selectors] == ["multi", None, None]
        assert [platform.services.channels.of(one) for one in (clock, tool, frame, group)] == [
            ("Red",),
            ("Red",),
            (),
            (),
        ]
        entries = (await client.call("Tray.Menu"))["entries"]
        assert [one["id"] for one in entries] == [one.id for one in desk.host.tray or ()]
        assert "notifications" not in [one["id"] for one in entries]
        listed = next(one["entries"] for one in entries if one["id"] == "applications")
        assert [one["title"] for one in listed] == ["Clock", "frame", "html", "Mail", "tool"]
        await client.call("Tabs.Join", instance=html, to=clock)
        assert [tabs.selected for tabs in desk.host.tabs.values()] == [html]
        await client.call("Tabs.Select", instance=clock)
        assert list(desk.host.groups[joined["id"]].windows) == [clock, mail]
        assert "is no tab" in await client.refused("Tabs.Select", instance=mail)
        await client.call("Tabs.Leave", instance=html)
        assert [tabs.instances for tabs in desk.host.tabs.values()] == [(clock,)]
        await client.call("Instances.Stop", instance=clock)
        await until(lambda: popup not in desk.host.windows and not desk.host.groups and not desk.host.tabs)
        assert (await client.call("Groups.List"))["groups"] == []


@pytest.mark.rule("R-2.6-4", "R-2.6-12", "R-2.6-14", "R-2.6-15", "R-2.6-21", "R-2.16-1")
@pytest.mark.rule("R-2.17-3")
@pytest.mark.rule("R-2.6-20", "R-2.6-22")
async def test_the_advanced_mode_groups_native_windows_and_has_no_buttons_of_the_system(desk: Desk) -> None:
    fill(desk, advancedMode=True)
    async with desk.running() as platform:
        client = await Client.of(platform)
        clock, html, tool, group = [await client.start(app) for app in ("clock", "html", "tool", "group")]
        joined = await client.call("Groups.Join", instance=tool, to=clock, side="bottom")
        assert (joined["type"], [one["instance"] for one in joined["windows"]]) == ("Classic", [clock, tool])
        assert not desk.host.groups[joined["id"]].system_buttons
        assert desk.host.groups[joined["id"]].page is None
        assert not chrome(desk, group).system_buttons
        assert (chrome(desk, html).buttons, chrome(desk, html).jump_list) == ("onDemand", {"categories": []})
        assert chrome(desk, html).move_area is not None
        selector = chrome(desk, clock).selector
        assert selector is not None
        assert selector.type == "single"
        await client.call("Windows.Stick", instance=tool, sticky=False)
        assert desk.host.groups == {}
        assert (await client.call("Popups.Open", instance=clock, kind="custom", **POPUP))["popup"] in desk.host.windows


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("Groups.Join", {"instance": "x"}, "to must be text"),
    ("Groups.Join", {"instance": "x", "to": "y", "side": "above"}, "side must be one of right, left, top, bottom"),
    ("Popups.Open", {"instance": "x", **POPUP}, "there is no instance 'x'"),
    ("Popups.Open", {"instance": "x", **POPUP, "url": "file:///etc/passwd"}, "url must be the address of a page"),
    ("Popups.Open", {"instance": "x", **POPUP, "anchor": {}}, "left must be a number of pixels"),
    ("Popups.Open", {"instance": "x", **POPUP, "anchor": 5}, "anchor must be an object"),
    ("Popups.Open", {"instance": "x", **POPUP, "width": 1e300}, "width must be a number of pixels"),
    ("Flydowns.Set", {"instance": "x", "window": "y"}, "zones must be an array of 1 to 64 objects"),
    ("Flydowns.Set", {"instance": "x", "window": "y", "zones": [5]}, "a zone must be an object"),
    ("Flydowns.Set", {"instance": "x", "window": "y", "zones": [{"id": "z"}]}, "left must be a number of pixels"),
    ("Instances.Prevent", {"instance": "x"}, "only a running app that the platform has started"),
    ("Instances.Prevent", {"instance": "x", "what": "rain"}, "what must be one of close, shutdown"),
    ("Tray.Choose", {"entry": "nothing"}, "there is nothing to choose at 'nothing'"),
]


async def test_wrong_arguments_are_refused_in_words(desk: Desk) -> None:
    async with desk.running() as platform:
        client = await Client.of(platform)
        for method, arguments, said in WRONG:
            assert said in await client.refused(method, **arguments)


@pytest.mark.rule("R-2.16-15")
@pytest.mark.rule("R-2.15-12")
async def test_apps_prevent_closing_and_leaving_until_the_user_decides(desk: Desk) -> None:
    fill(desk)
    async with desk.running() as platform:
        client = await Client.of(platform)
        clock, html = await client.start("clock"), await client.start("html")
        app = await Client.of(platform, "clock", instance=clock)
        closing = "Closing is prevented by Clock (not saved). Close anyway?"
        leaving = "The shutdown is prevented by Clock (not saved). Leave anyway?"
        for what in ("close", "shutdown"):
            await app.call("Instances.Prevent", what=what, reason="not saved")
        assert await desk.host.reports.ask(MayClose(instance=clock)) is False
        assert await desk.host.reports.ask(MayClose(instance=html)) is True
        assert "keeps its window open" in await client.refused("Instances.Stop", instance=clock)
        assert await client.call("Platform.Exit") == {"leaving": False}
        await client.call("Tray.Choose", entry="exit")
        assert not platform.shutdown.requested.is_set()
        asked = [about[0] for what, about in desk.host.calls if what == "ask"]
        assert asked == [closing, closing, leaving, leaving]
        await host_reports(desk, Retitled(instance=clock, title="Mine"))
        await host_reports(desk, Retitled(instance=html, title="Not mine"))
        assert (desk.host.titles[clock], desk.host.titles[html]) == ("Mine", "html")
        desk.host.answers = {leaving.replace("Clock", "Mine"): "Leave"}
        await client.call("Tray.Choose", entry="restart")
        assert (platform.shutdown.requested.is_set(), platform.shutdown.restart) == (True, True)
        await app.call("Instances.Prevent", instance=clock, what="close", prevent=False)
        assert await desk.host.reports.ask(MayClose(instance=clock)) is True
        await client.call("Instances.Stop", instance=clock)
        assert await platform.services.windows.guards.may_shut_down()


@pytest.mark.rule("R-2.15-12")
async def test_changes_of_the_layout_are_asked_about_when_that_is_switched_on(desk: Desk) -> None:
    fill(desk, dialogs={"enableDefaultDialogs": {"unsavedLayoutChanges": True}})
    question = "The layout Morning has changes that are not saved. Save them?"
    async with desk.running() as platform:
        client = await Client.of(platform)
        await client.call("Layouts.Save", name="Empty")
        await client.start("clock")
        await client.call("Layouts.Save", name="Morning", metadata={"by": "ann"})
        await client.start("mail")
        assert "the desktop was not changed" in await client.refused("Layouts.Restore", name="Empty")
        assert await client.call("Platform.Exit") == {"leaving": False}
        desk.host.answers = {question: "Discard"}
        await client.call("Layouts.Restore", name="Empty")
        await client.call("Layouts.Restore", name="Morning")
        assert [one.app for one in platform.services.instances.all] == ["clock"]
        await client.start("mail")
        desk.host.answers = {question: "Save"}
        assert await client.call("Platform.Exit") == {"leaving": True}
        saved = next(one for one in platform.services.layouts.export() if one["name"] == "Morning")
        assert [one["application"] for one in saved["components"]] == ["clock", "mail"]
        assert saved["metadata"] == {"by": "ann"}


async def test_a_workspaces_frame_takes_part_in_no_group_and_no_tabs(desk: Desk) -> None:
    fill(desk)
    async with desk.running() as platform:
        client = await Client.of(platform)
        clock, frame = [await client.start(app) for app in ("clock", "frame")]
        assert "does not stick to others" in await client.refused("Groups.Join", instance=frame, to=clock)
        assert "cannot be a tab of another window" in await client.refused("Tabs.Join", instance=clock, to=frame)
        # A layout of another platform may have it in a group.
        await client.call("Layouts.Save", name="Both")
        layout = (await client.call("Layouts.Export"))["layouts"][0]
        for component in layout["components"]:
            component["state"] |= {"restoreSettings": {"groupId": "g"}, "tabGroupId": "t"}
        await client.call("Layouts.Import", layouts=[layout])
        assert await client.call("Layouts.Restore", name="Both") == {"notes": []}
        assert not desk.host.groups
        assert not any(len(tabs.instances) > 1 for tabs in desk.host.tabs.values())


@pytest.mark.setting("splash.disabled", "splash.showOnShutdown")
@pytest.mark.rule("R-2.15-2")
@pytest.mark.parametrize(
    ("members", "shown"),
    [({}, 2), ({"showOnShutdown": False}, 1), ({"disabled": True}, 0)],
)
async def test_the_splash_is_shown_at_the_end_too_unless_it_should_not(desk: Desk, members: Any, shown: int) -> None:
    desk.system(build="local", splash=members)
    async with desk.running():
        before = len(desk.host.calls)
    splashes = [about for what, about in desk.host.calls if what == "splash"]
    assert len(splashes) == shown
    assert [what for what, _ in desk.host.calls[before:]] == (["splash"] if shown == 2 else []) + ["no splash"]
    assert all(splash.build == "local" for splash in splashes)
    assert desk.host.splash is None


@pytest.mark.rule("R-2.15-15")
async def test_pages_get_the_own_address_of_dictionaries_and_a_change_reaches_open_pages(desk: Desk) -> None:
    own = {"dictionaryDownloadURL": "https://words.example/", "languages": ["bg"]}
    fill(desk, spellchecker=own)
    async with desk.running() as platform:
        clock = await platform.services.instances.start("clock")
        page = desk.host.windows[clock.id].page
        assert page is not None
        assert page.spelling == Spelling(languages=("bg",), dictionaries="https://words.example/")
        write_system(desk, spellchecker={**own, "languages": ["en-GB"]})
        await platform.services.control.refresh()
        changed = Spelling(languages=("en-GB",), dictionaries="https://words.example/")
        await until(lambda: ("spelling", changed) in desk.host.calls)
        mail = await platform.services.instances.start("mail")
        later = desk.host.windows[mail.id].page
        assert later is not None
        assert later.spelling == changed


@pytest.mark.setting("windows.responseHeaders", "windows.urlFilter")
@pytest.mark.rule("R-2.8-7", "T-D-10")
async def test_the_rules_for_what_pages_load_are_local_first_and_changed_while_the_platform_runs(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    remote = [serving({"system.json": {"contents": {"windows": {"urlFilter": one}}}}) for one in ("^https://", "(")]
    async with running(in_turn(*remote)) as server:
        desk.system(
            windows={"urlFilter": "^https://firm/", "responseHeaders": {"X-Frame-Options": {"remove": True}}},
            systemConfigurations={"sources": [{"type": "rest", "source": server.url}]},
        )
        async with desk.running() as platform:
            told = [about for what, about in desk.host.calls if what == "requests"]
            assert [rules.passes("https://other/") for rules in told] == [False, True]
            assert [rules.shown({"x-frame-options": "DENY"}) for rules in told] == [{}, {}]
            await platform.services.control.refresh()
            await until(lambda: not desk.host.requests.passes("https://other/"))
            assert "windows.urlFilter cannot be used" in caplog.text


@pytest.mark.rule("R-2.8-6")
async def test_the_engine_of_pages_is_prepared_from_local_files_before_anything_is_shown(desk: Desk) -> None:
    desk.system(switches=[{"key": "lang", "value": "bg"}], proxy={"mode": "direct"})
    async with desk.running():
        assert [what for what, _ in desk.host.calls[:3]] == ["engine", "requests", "splash"]
        engine = desk.host.engine
        assert engine is not None
        assert engine == Engine(switches=(("lang", "bg"), ("no-proxy-server", None)), folder=engine.folder)
        assert engine.folder.endswith("engine")


ZONES = [{"id": "menu", "left": 0, "top": 0, "width": 100, "height": 20}]
FLYDOWN = {"zones": ZONES, "width": 300, "height": 200}


@pytest.mark.rule("R-2.6-13")
@pytest.mark.rule("R-2.16-14")
async def test_flydowns_are_refused_in_the_default_mode(desk: Desk) -> None:
    fill(desk)
    async with desk.running() as platform:
        client = await Client.of(platform)
        clock, mail = await client.start("clock"), await client.start("mail")
        said = await client.refused("Flydowns.Set", instance=clock, window=mail, **FLYDOWN)
        assert "a flydown window is not supported in the default mode" in said


@pytest.mark.setting(
    "windowManagement.flydownWindows.hideCheckInterval",
    "windowManagement.flydownWindows.hideDelay",
    "windowManagement.flydownWindows.showDelay",
)
@pytest.mark.rule("R-2.16-14")
async def test_a_flydown_of_the_advanced_mode_shows_and_hides_with_the_delays_of_the_settings(desk: Desk) -> None:
    delays = {"showDelay": 300, "hideDelay": 400, "hideCheckInterval": 100, "zoneChangeCallbackTimeout": 50}
    fill(desk, advancedMode=True, windowManagement={"flydownWindows": delays})
    clock, host, answers = SettableClock(), desk.host, [{"show": False}, {"width": 500}]

    async def asked(_: Any) -> Any:
        if answers:
            return answers.pop(0)
        return await asyncio.Event().wait()

    async with desk.running(clock=clock) as platform:
        client = await Client.of(platform)
        await client.offer("Menu.Zone", asked)
        owner, window, other = [await client.start(app) for app in ("clock", "mail", "html")]
        flydowns = platform.services.windows.flydowns

        async def rest(x: float, seconds: float) -> float | None:
            pause = flydowns.pointer(owner, x, 110)
            clock.advance(seconds)
            await flydowns.look(owner)
            return pause

        said = await client.refused("Flydowns.Set", instance=owner, window="gone", **FLYDOWN)
        assert "there is no window 'gone'" in said
        await client.call("Flydowns.Set", instance=owner, window=window, method="Menu.Zone", **FLYDOWN)
        assert host.hidden == {window}
        assert await rest(150, 0.25) == pytest.approx(0.3)
        assert len(answers) == 2
        await rest(150, 0.25)
        assert (len(answers), host.hidden) == (1, {window})
        for width in (500, 300):
            await rest(900, 0.25)
            await rest(150, 0.5)
            assert (host.hidden, host.bounds(window)) == (set(), Bounds(100, 120, width, 200))
            await rest(900, 0.25)
            assert host.hidden == set()
            await rest(900, 0.25)
            assert host.hidden == {window}
        await client.call("Flydowns.Set", instance=other, window=window, **FLYDOWN)
        await client.call("Instances.Stop", instance=window)
        assert (flydowns.pointer(owner, 150, 110), flydowns.pointer(other, 150, 110)) == (None, None)
        await client.call("Flydowns.Remove", instance=owner)
        assert await flydowns.look(owner) is None


@pytest.mark.rule("R-2.16-12", "R-2.16-16")
async def test_windows_are_drawn_as_the_mode_and_the_settings_say(desk: Desk) -> None:
    management = {"hardwareAcceleration": {"enabled": False}, "transparencyControl": {"mode": "Regions"}}
    for advanced, surface in (
        (False, Surface(accelerated=True)),
        (True, Surface(accelerated=False, transparency="Regions")),
    ):
        fill(desk, advancedMode=advanced, windowManagement=management)
        async with desk.running() as platform:
            started = await platform.services.instances.start("clock")
            assert desk.host.windows[started.id].surface == surface


@pytest.mark.rule("R-9-2")
@pytest.mark.rule("R-2.16-13")
async def test_the_9_0_stream_works_as_the_advanced_mode_does_and_draws_in_its_own_way(desk: Desk) -> None:
    fill(desk)
    acceleration = {"enabled": True, "transparency": {"mode": "UseAppRegion"}}
    desk.complete_9_0(**APPS, windowManagement={"hardwareAcceleration": acceleration})
    async with desk.running(version="9.15") as platform:
        assert platform.status()["mode"] == "advanced"
        started = await platform.services.instances.start("clock")
        assert desk.host.windows[started.id].surface == Surface(accelerated=True, regions="UseAppRegion")


@pytest.mark.rule("R-2.15-14")
async def test_a_listed_app_changes_and_prevents_what_others_ask_of_the_platform(desk: Desk) -> None:
    fill(desk, interception={"enabled": True, "applications": ["client"]})
    seen: list[Any] = []
    answers: list[Any] = [{"arguments": {"name": "mail"}}, {"prevent": True}, 5]

    def guard(call: Any) -> Any:
        seen.append(call.arguments)
        if not answers:
            raise CallFailed(None, "out of order")
        return answers.pop(0)

    async with desk.running() as platform:
        client, other = await Client.of(platform), await Client.of(platform, "other")
        start = {"area": "Apps", "operation": "Start"}
        assert "has no method 'Guard'" in await client.refused("Interception.Register", **start, method="Guard")
        await client.offer("Guard", guard)
        await other.offer("Guard", guard)
        assert "other may not intercept" in await other.refused("Interception.Register", **start, method="Guard")
        await client.call("Interception.Register", **start, method="Guard")
        assert (await other.call("Apps.Start", name="clock"))["app"] == "mail"
        assert seen == [{"area": "Apps", "operation": "Start", "arguments": {"name": "clock"}}]
        assert "Apps.Start was prevented by client" in await other.refused("Apps.Start", name="clock")
        for caller in (other, other, client):
            assert (await caller.call("Apps.Start", name="clock"))["app"] == "clock"
        assert len(seen) == 4
        for area, operation, said in (
            ("Apps", "Strat", "there is no operation Apps.Strat; did you mean Apps.Start?"),
            ("Rain", "Fall", "there is no operation Rain.Fall"),
            ("Interception", "Register", "there is no operation Interception.Register"),
        ):
            wrong = {"area": area, "operation": operation, "method": "Guard"}
            assert said in await client.refused("Interception.Register", **wrong)
        await client.call("Interception.Remove", **start)
        await client.call("Interception.Register", **start, method="Guard")
        await client.close()
        assert (await other.call("Apps.Start", name="clock"))["app"] == "clock"
        assert len(seen) == 4


@pytest.mark.rule("R-2.15-14")
async def test_starts_of_the_tray_of_layouts_and_of_commands_are_intercepted_too(desk: Desk) -> None:
    fill(desk, interception={"enabled": True, "applications": ["client"]})
    prevented: set[str] = {"clock", "Evening"}
    seen: list[str] = []

    def guard(call: Any) -> Any:
        name = call.arguments["arguments"]["name"]
        seen.append(name)
        return {"prevent": name in prevented}

    async with desk.running() as platform:
        client, other = await Client.of(platform), await Client.of(platform, "other")
        clock, mail = await other.start("clock"), await other.start("mail")
        for name in ("Morning", "Evening"):
            await other.call("Layouts.Save", name=name)
        for instance in (clock, mail):
            await other.call("Instances.Stop", instance=instance)
        await client.offer("Guard", guard)
        for area, operation in (("Apps", "Start"), ("Layouts", "Restore")):
            await client.call("Interception.Register", area=area, operation=operation, method="Guard")
        said = "Apps.Start was prevented by client"
        assert said in await other.refused("Tray.Choose", entry="applications/clock")
        assert (await other.call("Layouts.Restore", name="Morning"))["notes"] == [f"clock: {said}, which intercepts it"]
        commands = platform.services.commands
        with pytest.raises(Prevented, match=said):
            await commands["StartApps"]({"names": ["clock"]})
        with pytest.raises(Prevented, match=r"Layouts\.Restore was prevented"):
            await commands["RestoreLayout"]({"name": "Evening"})
        assert seen == ["clock", "Morning", "clock", "mail", "clock", "Evening"]
        assert [one.app for one in platform.services.instances.all] == ["mail"]


@pytest.mark.long
@pytest.mark.rule("R-2.15-14")
async def test_an_app_that_starts_first_intercepts_the_starts_of_the_others_and_of_the_default_layout(
    desk: Desk,
) -> None:
    script, seen = Path(__file__).parents[1] / "interceptor.py", desk.root / "seen"
    details = {"command": sys.executable, "parameters": f"'{script}' clock '{seen}'", "passGlueToken": True}
    patient = {"timeout": 120_000}
    desk.write_app("guard", type="exe", details=details, autoStart=True, runPriority=patient)
    desk.write_app("clock", autoStart=True, runPriority=5)
    desk.write_app("mail", autoStart=True, runPriority=4)
    desk.write_app("news")
    desk.system(**APPS)
    async with desk.running() as platform:
        await platform.services.instances.start("news")
        for name in ("clock", "mail", "guard"):
            for one in [one for one in platform.services.instances.all if one.app == name]:
                await platform.services.instances.stop(one.id)
        await platform.services.layouts.save("Morning")
        await platform.services.layouts.set_default(LayoutKey("Global", "Morning"))
    desk.system(**APPS, interception={"enabled": True, "applications": ["guard"]})
    async with desk.running() as platform:
        assert [one.app for one in platform.services.instances.all] == ["guard", "mail", "news"]
        assert seen.read_text().split() == ["clock", "mail", "news"]
        (apps,) = (one for one in platform.steps.all if one.name == "apps")
        assert (apps.state, apps.note) == ("done", "2 started")


@pytest.mark.rule("R-2.15-7")
@pytest.mark.rule("R-2.15-8")
@pytest.mark.rule("R-2.15-11")
async def test_notifications_are_clicked_and_put_off_and_alerts_are_shown_by_clients(desk: Desk) -> None:
    desk.system(
        notifications={"snooze": {"enabled": True}, "closeNotificationOnClick": True, "placement": {"panel": "left"}},
        alerts={"width": 300},
    )
    async with desk.running() as platform:
        client = await Client.of(platform)
        one, two = [(await client.call("Notifications.Raise", app="x", title=title))["id"] for title in ("1", "2")]
        await client.call("Notifications.Snooze", id=one)
        listed = await client.call("Notifications.List")
        assert ([found["id"] for found in listed["notifications"]], listed["panel"]) == ([two], "left")
        await client.call("Notifications.Click", id=two)
        assert (await client.call("Notifications.List"))["notifications"] == []
        assert desk.host.toasts == {}
        assert "no such notification" in await client.refused("Notifications.Snooze", id=two)
        alert = (await client.call("Alerts.Show", text="saved"))["id"]
        bounds = desk.host.bounds(alert)
        assert bounds is not None
        assert (desk.host.windows[alert].title, bounds.width) == ("client: saved", 300)


@pytest.mark.parametrize(
    ("action", "shown"), [({}, ["front"]), ("focus", ["front"]), ("alert", ["open"]), ("silent", [])]
)
async def test_a_second_start_shows_the_platform_that_runs_as_the_settings_say(
    desk: Desk, action: Any, shown: list[str]
) -> None:
    desk.system(**({"alreadyRunningAction": action} if action else {}))
    async with desk.running():
        desk.host.calls.clear()
        second = desk.platform()
        with pytest.raises(StartFailed, match="the platform already runs: process"):
            await second.start()
        assert [what for what, _ in desk.host.calls] == shown


@pytest.mark.rule("R-2.11-1")
@pytest.mark.rule("R-2.8-8")
async def test_the_splash_shows_the_local_version_and_the_status_the_effective_one(desk: Desk) -> None:
    contents = {"build": "of the firm", "uiVersion": "Spring, second try"}
    async with running(serving({"system.json": {"contents": contents}})) as server:
        source = {"type": "rest", "source": server.url, "required": True}
        desk.system(build="local", uiVersion="7", systemConfigurations={"sources": [source]})
        async with desk.running() as platform:
            splash = next(about for what, about in desk.host.calls if what == "splash")
            assert (splash.build, splash.version) == ("local", "7")
            status = await (await Client.of(platform)).call("Platform.Status")
            assert (status["build"], status["uiVersion"]) == ("of the firm", "Spring, second try")
            assert (status["version"], status["productVersion"]) == (PLATFORM_VERSION, __version__)


async def test_the_tray_follows_the_apps(desk: Desk) -> None:
    fill(desk)
    async with desk.running() as platform:
        desk.write_app("brand new")
        for store in platform.stores.apps.stores:
            await store.refresh()
        await until(lambda: "applications/brand new" in str(desk.host.tray))
    before = len(desk.host.calls)
    platform.services.tray.refresh()
    await platform.services.background.close()
    assert len(desk.host.calls) == before


async def test_a_windowing_system_that_fails_is_reported_and_stops_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> None:
        raise OSError("no notification area")

    async with desk.running() as platform:
        monkeypatch.setattr(desk.host, "show_tray", broken)
        platform.services.tray.refresh()
        await platform.services.background.close()
    assert "the windowing system refused: no notification area" in caplog.text


async def test_the_guide_names_every_method(desk: Desk) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guide" / "desktop.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(Rostrum\.\w+)` \| (.+) \|$", guide, re.MULTILINE))
    async with desk.running() as platform:
        offered = [*platform.services.methods.offered]
    assert "Rostrum.Apps.List" in offered
    for method in offered:
        area, verb = method.rsplit(".", 1)
        assert re.search(rf"`{verb}\b", listed.get(area, "")), method
