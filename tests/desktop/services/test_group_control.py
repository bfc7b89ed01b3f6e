"""Groups of a running platform: hibernation, closing, collapsing and stickiness."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.platform import Platform
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.geometry import Bounds
from rostrum.gateway import CallFailed
from rostrum.gateway.local.methods import LocalSubscription
from tests.desktop.t42.test_windows import events_of
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]


@asynccontextmanager
async def grouped(
    desk: Desk, settings: dict[str, Any] | None = None, side: Any = "right", **members: Any
) -> AsyncIterator[tuple[Platform, str, str, str]]:
    """Two windows in a group; ``members`` are those of the second app's definition."""
    place = {"url": "https://x.example", "left": 100, "top": 100, "width": 400, "height": 300}
    desk.write_app("a", details=place)
    desk.write_app("b", details=place, **members)
    desk.system(**APPS, channels={"definitions": [{"name": "Red", "meta": {"color": "red"}}]}, **(settings or {}))
    async with desk.running() as platform:
        a, b = [(await platform.services.instances.start(name, {"of": name})).id for name in ("a", "b")]
        group = await platform.services.windows.groups.join(b, a, side)
        yield platform, group.id, a, b


def apps(platform: Platform) -> list[str]:
    return sorted(one.app for one in platform.services.instances.all)


async def test_a_resumed_group_is_as_it_was(desk: Desk) -> None:
    async with grouped(desk) as (platform, group, a, b):
        services = platform.services
        services.channels.join(b, "Red")
        services.instances.retitle(b, "Mine", TitledBy.PERSON)
        third = (await services.instances.start("a")).id
        await services.windows.tabs.join(third, b)
        await services.windows.groups.rename(group, "Trading")
        before = [one.bounds for one in services.windows.registry.all]
        await services.group_hibernation.hibernate(group)
        assert (apps(platform), services.group_hibernation.all, desk.host.groups) == ([], (group,), {})
        assert await services.group_hibernation.resume(group) == group
        again = services.windows.groups.all[0]
        windows = {services.instances.get(one).app: one for one in again.windows}  # type: ignore[union-attr]
        # The selected tab, an instance of a, represents its frame.
        assert (again.title, sorted(one.left for one in again.windows.values())) == ("Trading", [100, 504])
        members = services.group_control.members(group)
        assert (len(members), {*members} & {a, b, third}) == (3, set())
        found = next(one for one in services.instances.all if one.app == "b")
        assert (found.title, found.context, services.channels.of(found.id)) == ("Mine", {"of": "b"}, ("Red",))
        assert [one.bounds for one in services.windows.registry.all] == before
        assert all(one.visible for one in services.windows.registry.all)
        assert windows.keys() == {"a"}


@pytest.mark.rule("R-2.15-18")
async def test_an_app_that_is_not_closed_on_hibernation_stays_and_joins_again(desk: Desk) -> None:
    async with grouped(desk, closeOnHibernate=False) as (platform, group, _, b):
        hibernation = platform.services.group_hibernation
        await hibernation.hibernate(group)
        assert apps(platform) == ["b"]
        with pytest.raises(DesktopError, match="closeOnHibernate"):
            await hibernation.hibernate(b)
        with pytest.raises(DesktopError, match="hibernated already"):
            await hibernation.hibernate(group)
        await hibernation.resume(group)
        assert b in platform.services.windows.groups.all[0].windows
        assert apps(platform) == ["a", "b"]


@pytest.mark.setting("applications.closeOnHibernate")
@pytest.mark.rule("R-2.15-18")
async def test_the_setting_keeps_all_apps_open(desk: Desk) -> None:
    async with grouped(desk, {"applications": {"closeOnHibernate": False}}) as (platform, group, _, __):
        with pytest.raises(DesktopError, match="No window of the group can be closed"):
            await platform.services.group_hibernation.hibernate(group)
        assert apps(platform) == ["a", "b"]


async def test_a_group_that_cannot_be_opened_again_stays_hibernated(desk: Desk) -> None:
    async with grouped(desk) as (platform, group, _, __):
        hibernation = platform.services.group_hibernation
        await hibernation.hibernate(group)
        (desk.root / "apps" / "b.json").unlink()
        await until(lambda: platform.services.apps.definition("b") is None)
        with pytest.raises(DesktopError, match="no app 'b'"):
            await hibernation.resume(group)
        await until(lambda: apps(platform) == [])
        assert hibernation.all == (group,)


async def test_a_window_that_was_alone_is_resumed_with_another_id(desk: Desk) -> None:
    async with grouped(desk) as (platform, _, a, __):
        services = platform.services
        await services.windows.groups.leave(a)
        await services.group_hibernation.hibernate(a)
        again = await services.group_hibernation.resume(a, activate=False)
        record = services.windows.registry.find(again)
        assert (again != a, record.app, record.bounds) == (True, "a", Bounds(100, 100, 400, 300))


async def test_an_app_that_keeps_its_window_open_keeps_the_whole_group_open(desk: Desk) -> None:
    async with grouped(desk) as (platform, group, _, b):
        services = platform.services
        services.windows.guards.hold("close", b, "unsaved")
        assert await services.group_control.close(group) is False
        assert apps(platform) == ["a", "b"]
        assert await services.group_control.close(group, ask=False) is True
        assert apps(platform) == []


async def executed(peer: Any, events: LocalSubscription, command: str, window: str, **options: Any) -> list[Any]:
    """Carry a command out; return the events until it is done, without those of the place of windows."""
    call = {"command": command, "windowId": window, "options": options, "token": command}
    answer = await peer.methods.call("T42.Wnd.Execute", call)
    assert "errorMsg" not in answer, answer
    found = await events_of(events, command)
    return [(one["type"], one["windowId"], one["data"]) for one in found[:-1] if one["type"] in INTERESTING]


INTERESTING = {"StateChanged", "IsStickyChanged", "FrameIsLockedChanged"}
ADVANCED = {"advancedMode": True}


@pytest.mark.rule("R-2.16-9")
async def test_windows_of_a_classic_group_are_collapsed_by_commands(desk: Desk) -> None:
    async with grouped(desk, ADVANCED, "bottom") as (platform, _, a, b):
        peer = await platform.gateway.local_peer("client", "ann")
        events = await peer.methods.subscribe("T42.Wnd.OnEvent")
        assert await executed(peer, events, "collapse", a) == [("StateChanged", a, "collapsed")]
        assert [desk.host.bounds(one).height for one in (a, b)] == [30, 570]  # type: ignore[union-attr]
        assert await executed(peer, events, "toggleCollapse", a) == [("StateChanged", a, "expanded")]
        assert [desk.host.bounds(one).height for one in (a, b)] == [300, 300]  # type: ignore[union-attr]


async def test_windows_of_a_web_group_are_not_collapsed(desk: Desk) -> None:
    async with grouped(desk) as (platform, _, a, __):
        peer = await platform.gateway.local_peer("client", "ann")
        answer = await peer.methods.call("T42.Wnd.Execute", {"command": "collapse", "windowId": a})
        assert answer == {
            "errorMsg": "collapse: Windows in groups collapse in classic groups only, and if they are high enough."
        }


@pytest.mark.rule("R-2.6-15")
async def test_a_window_that_does_not_stick_leaves_its_group_in_the_advanced_mode(desk: Desk) -> None:
    async with grouped(desk, ADVANCED, title="B") as (platform, _, a, b):
        peer = await platform.gateway.local_peer("client", "ann")
        events = await peer.methods.subscribe("T42.Wnd.OnEvent")
        assert await executed(peer, events, "setSticky", b, isSticky=False) == [("IsStickyChanged", b, False)]
        assert platform.services.windows.groups.all == ()
        answer = await peer.methods.call(
            "T42.Wnd.Execute", {"command": "snap", "windowId": b, "options": {"targetWindowId": a}}
        )
        assert answer == {"errorMsg": "snap: the window of b does not stick to others"}
        assert await executed(peer, events, "setSticky", b, isSticky=True) == [("IsStickyChanged", b, True)]
        assert await executed(peer, events, "lockUnlock", b, lock=True) == [("FrameIsLockedChanged", b, True)]


async def test_any_client_changes_groups_with_the_methods_of_the_platform(desk: Desk) -> None:
    async with grouped(desk) as (platform, group, a, b):
        client = await platform.gateway.local_peer("client", "ann")

        async def call(name: str, **arguments: Any) -> Any:
            return await client.methods.call(f"Rostrum.Groups.{name}", {"group": group, **arguments})

        await call("SetState", state="maximized")
        assert [desk.host.states[one] for one in (a, b)] == ["maximized", "maximized"]
        await call("SetState", state="normal")
        await call("ShowHeader", visible=False)
        assert desk.host.groups[group].header is None
        await call("Hibernate")
        assert apps(platform) == []
        assert await call("Resume") == {"group": group}
        assert await call("Close") == {"closed": True}
        assert apps(platform) == []
        for name in ("SetState", "ShowHeader", "Close", "Hibernate", "Resume"):
            with pytest.raises(CallFailed, match=f"There is no (hibernated )?group {group!r}"):
                await call(name)
