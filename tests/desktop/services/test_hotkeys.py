"""Hotkeys: which are known, whose they are, and what a host says of them."""

from pathlib import Path

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Focus
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import HotkeyPressed
from rostrum.desktop.services.hotkeys import Hotkey, Hotkeys, canonical_hotkey
from tests.desktop.test_platform import APPS, Desk, until


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
