"""Hotkeys: which are known, whose they are, and what a host says of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Focus
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import HotkeyPressed
from rostrum.desktop.platform import Platform
from rostrum.desktop.services.hotkeys import Hotkey, Hotkeys, canonical_hotkey
from tests.desktop.test_identities import Program, bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, until
from tests.sources.server import running, serving


def make() -> tuple[Hotkeys, RecordingHost]:
    host = RecordingHost()
    return Hotkeys(host, host.reports), host


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("Ctrl + Shift + K", "ctrl+shift+k"),
        ("shift+control+f12", "ctrl+shift+f12"),
        ("alt+ctrl+space", "ctrl+alt+space"),
        ("f5", "f5"),
        ("super+,", "super+,"),
    ],
)
def test_a_hotkey_has_one_form_however_it_is_written(written: str, keys: str) -> None:
    assert canonical_hotkey(written) == keys


@pytest.mark.parametrize(
    "written", ["", "+", "ctrl", "ctrl+", "ctrl+ctrl+k", "hyper+k", "k+ctrl", "f99", "ctrl+k\x00", "x" * 5000]
)
def test_other_texts_are_no_hotkeys(written: str) -> None:
    with pytest.raises(DesktopError, match="is not a hotkey; write modifiers and one key"):
        canonical_hotkey(written)


async def test_a_pressed_hotkey_is_reported_for_its_owner_until_the_owner_leaves() -> None:
    hotkeys, host = make()
    heard: list[Hotkey] = []
    hotkeys.pressed.connect(heard.append)
    await hotkeys.register("p1", "Ctrl+K", app="clock")
    await hotkeys.register("p2", "Ctrl+L")
    assert host.hotkeys == ("ctrl+k", "ctrl+l")
    host.reports.report(HotkeyPressed(hotkey="ctrl+k"))
    host.reports.report(HotkeyPressed(hotkey="ctrl+x"))
    assert [(one.owner, one.written) for one in heard] == [("p1", "Ctrl+K")]
    await hotkeys.unregister_all("p1")
    host.reports.report(HotkeyPressed(hotkey="ctrl+k"))
    assert ([*host.hotkeys], len(heard)) == (["ctrl+l"], 1)


@pytest.mark.parametrize("written", ["a", "7", "shift+a", "enter", "space", "shift+tab", "num1", "ctrl+c", "ALT + F4"])
async def test_keys_that_users_type_or_need_everywhere_are_no_hotkeys(written: str) -> None:
    hotkeys, host = make()
    with pytest.raises(DesktopError, match="because users"):
        await hotkeys.register("p1", written, app="evil")
    assert host.hotkeys == ()


async def test_an_app_does_not_get_a_hotkey_again_that_the_user_has_removed() -> None:
    hotkeys, host = make()
    await hotkeys.register("p1", "ctrl+k", app="clock")
    await hotkeys.take_away("ctrl+k")
    assert host.hotkeys == ()
    with pytest.raises(DesktopError, match="the user has removed the hotkey"):
        await hotkeys.register("p2", "Ctrl + K", app="clock")
    await hotkeys.register("p3", "ctrl+k", app="other")


async def test_a_hotkey_belongs_to_one_app_and_only_that_app_gives_it_up() -> None:
    hotkeys, host = make()
    await hotkeys.register("p1", "ctrl+k", app="clock")
    with pytest.raises(DesktopError, match="already registered by clock"):
        await hotkeys.register("p2", "CTRL + K")
    with pytest.raises(DesktopError, match="has not registered"):
        await hotkeys.unregister("p2", "ctrl+k")
    host.taken = ("ctrl+q",)
    with pytest.raises(DesktopError, match="another program uses it"):
        await hotkeys.register("p2", "ctrl+q")
    assert [*hotkeys.all] == ["ctrl+k"]
    modifiers = ("ctrl", "shift", "alt")
    for number in range(50):
        await hotkeys.register("p3", f"{modifiers[number // 24]}+f{number % 24 + 1}")
    with pytest.raises(DesktopError, match="50 hotkeys"):
        await hotkeys.register("p3", "ctrl+9")


async def test_the_shortcut_of_a_definition_starts_the_app_and_then_brings_it_to_the_front(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "desk")
    desk.write_app("clock", shortcut="Ctrl+Alt+C")
    desk.write_app("wrong", shortcut="hyper+x")
    desk.system(**APPS)
    async with desk.running() as platform:
        instances = platform.services.instances
        assert desk.host.hotkeys == ("ctrl+alt+c",)
        desk.host.reports.report(HotkeyPressed(hotkey="ctrl+alt+c"))
        await until(lambda: any(one.launched for one in instances.all))
        desk.host.reports.report(HotkeyPressed(hotkey="ctrl+alt+c"))
        (clock,) = instances.all
        await until(lambda: ("act", (clock.id, Focus())) in desk.host.calls)
        assert len(instances.all) == 1
        desk.write_app("clock", shortcut="Ctrl+Alt+D")
        await until(lambda: desk.host.hotkeys == ("ctrl+alt+d",))


def with_shortcut(name: str, shortcut: str) -> dict[str, Any]:
    return {"name": name, "type": "window", "details": {"url": "https://evil.example"}, "shortcut": shortcut}


@asynccontextmanager
async def page_that_defines(desk: Desk, **settings: Any) -> AsyncIterator[tuple[Platform, Program]]:
    """Start a platform with an in-memory store, and sign in as the page of an app."""
    desk.write_app("evil", type="window", details={"url": "https://evil.example"})
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory"}], **settings)
    async with desk.running() as platform:
        instance = await platform.services.instances.start("evil")
        token = bearing(platform.services.tokens.token(instance.id))
        async with signed_in(platform.gateway.address, token) as page:
            yield platform, page


async def shortcuts_are_read(desk: Desk, marker: str = "ctrl+alt+m") -> None:
    """Wait until all earlier changes of definitions are processed: a later one is."""
    desk.write_app("marker", shortcut=marker)
    await until(lambda: marker in desk.host.hotkeys)


async def test_the_shortcut_of_an_app_that_a_page_defines_needs_the_right_of_the_page(tmp_path: Path) -> None:
    for named, keys in (([], ()), (["other"], ()), (["evil"], ("ctrl+alt+e",))):
        desk = Desk(tmp_path / f"desk{len(str(named))}")
        async with page_that_defines(desk, appRights={"hotkeys": named}) as (_, page):
            await page.call("Apps.Add", definitions=[with_shortcut("pretender", "ctrl+alt+e")])
            await shortcuts_are_read(desk)
            assert {*desk.host.hotkeys} == {"ctrl+alt+m", *keys}, named


@pytest.mark.parametrize("trusted", [False, True])
async def test_the_shortcut_of_an_app_of_a_store_that_is_not_trusted_needs_the_right(
    tmp_path: Path, trusted: bool
) -> None:
    desk = Desk(tmp_path / "desk")
    desk.write_app("local", shortcut="ctrl+shift+l")
    applications = [with_shortcut("unnamed", "ctrl+alt+u"), with_shortcut("named", "ctrl+alt+n")]
    async with running(serving({"applications": applications})) as store:
        details = {"url": f"http://127.0.0.1:{store.port}/apps", "trusted": trusted}
        desk.system(
            appStores=[*APPS["appStores"], {"type": "rest", "details": details}], appRights={"hotkeys": ["named"]}
        )
        async with desk.running():
            expected = {"ctrl+shift+l", "ctrl+alt+n"} | ({"ctrl+alt+u"} if trusted else set())
            assert {*desk.host.hotkeys} == expected


async def test_the_shortcuts_that_a_page_defines_share_the_limits_of_its_app(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "desk")
    async with page_that_defines(desk) as (platform, page):
        modifiers = ("ctrl", "alt", "ctrl+alt")
        keys = [f"{modifiers[number // 24]}+f{number % 24 + 1}" for number in range(60) if number != 27]
        await page.call("Apps.Add", definitions=[with_shortcut(f"app {one}", one) for one in keys])
        await shortcuts_are_read(desk, "ctrl+alt+m")
        assert len(desk.host.hotkeys) == 51
        hotkeys = platform.services.hotkeys
        assert {one.app for one in hotkeys.all.values()} == {"marker", *(f"app {one}" for one in keys[:50])}
        # What the user removes is not registered for an app of another name.
        await hotkeys.take_away("ctrl+f1")
        await page.call("Apps.Add", definitions=[with_shortcut("again", "ctrl+f1"), with_shortcut("a", "shift+a")])
        await shortcuts_are_read(desk, "ctrl+alt+k")
        assert not {"ctrl+f1", "shift+a"} & {*desk.host.hotkeys}
