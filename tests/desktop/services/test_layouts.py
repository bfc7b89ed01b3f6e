"""Layouts of the running desktop: saved, planned, put back."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import ClaimEdge, Focus, SetState, SetZoom
from rostrum.desktop.services.channels import Restriction
from rostrum.desktop.services.layout_plan import plan_restore
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.desktop.windows.loader import Loader
from rostrum.stores.layouts.file_store import FileLayoutStore
from rostrum.stores.layouts.store import LayoutKey
from tests.desktop.services.test_instances import Desk, window
from tests.desktop.test_platform import APPS, desk
from tests.desktop.test_platform import Desk as PlatformDesk

__all__ = ["desk"]

SCREENS = (Screen("a", Bounds(0, 0, 1920, 1080), primary=True), Screen("b", Bounds(1920, 0, 2560, 1440)))
MORNING = LayoutKey("Global", "Morning")


class Layouts:
    def __init__(self, folder: Path, *apps: dict[str, Any], **options: Any) -> None:
        self.desk = Desk(folder, *apps)
        self.store = FileLayoutStore(folder / "layouts")
        known = {one["name"]: one for one in apps}
        self.service = LayoutService(
            self.store,
            self.desk.instances,
            self.desk.host,
            lambda: known,
            **{"max_size": 8192, "close_on_hibernate": True, **options},
        )

    @property
    def running(self) -> list[str]:
        return sorted(one.app for one in self.desk.instances.all)


def component(app: str, kind: str = "window", **state: Any) -> dict[str, Any]:
    return {"type": kind, "application": app, "state": state}


def bounds(left: float, top: float, width: float, height: float) -> dict[str, float]:
    return {"left": left, "top": top, "width": width, "height": height}


async def test_saved_layouts_can_be_restored(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path, window("clock"), window("mail"))
    clock = await layouts.desk.instances.start("clock", {"zone": "Oslo"})
    await layouts.desk.host.move_window(clock.id, Bounds(10, 20, 300, 400))
    await layouts.service.save("Morning", metadata={"by": "test"})
    await layouts.desk.instances.stop(clock.id)
    await layouts.desk.instances.start("mail")
    assert await layouts.service.restore(MORNING) == ()
    (again,) = layouts.desk.instances.all
    assert (again.app, again.context) == ("clock", {"zone": "Oslo"})
    assert layouts.desk.host.bounds(again.id) == Bounds(10, 20, 300, 400)
    assert layouts.service.current == MORNING


async def test_an_app_that_is_started_without_a_context_gets_its_default_one(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path, window("clock"), window("mail"), window("off", ignoreSavedLayout=True))
    instances = layouts.desk.instances
    instances.default_context = layouts.service.default_context
    clock = await instances.start("clock")
    assert clock.context == {}
    await layouts.service.update_default_context(clock.id, {"zone": "Oslo"})
    # The context of a running app does not change.
    assert instances.all[0].context == {}
    assert (await instances.start("clock")).context == {"zone": "Oslo"}
    assert (await instances.start("clock", {"zone": "Rome"})).context == {"zone": "Rome"}
    assert (await instances.start("mail")).context == {}
    stored = layouts.store.layouts()[LayoutKey("ApplicationDefault", "clock")]
    await layouts.store.save({**stored, "components": [component("clock", bounds=bounds(1, 2, 3, 4))]})
    await layouts.service.update_default_context(clock.id, {"zone": "Bern"})
    (kept,) = layouts.store.layouts()[LayoutKey("ApplicationDefault", "clock")]["components"]
    assert kept["state"] == {"bounds": bounds(1, 2, 3, 4), "context": {"zone": "Bern"}}
    off = await instances.start("off")
    with pytest.raises(DesktopError, match="sets ignoreSavedLayout"):
        await layouts.service.update_default_context(off.id, {})
    with pytest.raises(DesktopError, match="only apps that the platform has started"):
        await layouts.service.update_default_context("nobody's", {})
    for broken in ([], [component("off")], [{"type": "other"}]):
        await layouts.store.save({"name": "mail", "type": "ApplicationDefault", "components": broken})
        assert (await instances.start("mail")).context == {}


async def test_an_instance_that_still_runs_is_kept_and_moved(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path, window("clock"))
    clock = await layouts.desk.instances.start("clock")
    await layouts.service.save("Morning")
    await layouts.desk.host.move_window(clock.id, Bounds(0, 0, 1, 1))
    await layouts.service.restore(MORNING)
    assert [one.id for one in layouts.desk.instances.all] == [clock.id]
    assert layouts.desk.host.bounds(clock.id) == Bounds(100, 100, 800, 600)


async def test_apps_that_no_layout_touches_stay_and_are_not_saved(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path, window("clock"), window("ghost", ignoreFromLayouts=True), window("svc", service=True))
    for name in ("clock", "ghost", "svc"):
        await layouts.desk.instances.start(name)
    saved = await layouts.service.save("Morning")
    assert [one["application"] for one in saved["components"]] == ["clock", "svc"]
    await layouts.store.save({"name": "Empty", "type": "Global", "components": []})
    await layouts.service.restore(LayoutKey("Global", "Empty"))
    assert layouts.running == ["ghost", "svc"]


@pytest.mark.rule("R-2.13-2", "X-D-15", "L-8-7")
@pytest.mark.parametrize(
    ("size", "where", "expected"),
    [
        ((9000, 100), (5, 5), Bounds(0, 0, 1920, 1080)),
        ((100, 9000), (2000, 5), Bounds(1920, 0, 2560, 1440)),
        ((9000, 9000), (-9999, 5), Bounds(0, 0, 1920, 1080)),
        ((8192, 8192), (5, 5), Bounds(5, 5, 8192, 8192)),
    ],
)
def test_a_component_that_is_too_large_is_fitted_to_its_screen(
    size: tuple[int, int], where: tuple[int, int], expected: Bounds
) -> None:
    layout = {"components": [component("clock", bounds=bounds(*where, *size))]}
    plan = plan_restore(layout, [], screens=SCREENS, max_size=8192, known=["clock"])
    assert plan.apps[0].bounds == expected
    assert len(plan.notes) == (0 if expected.width == 8192 else 1)


@pytest.mark.parametrize("wrong", [{}, {"bounds": {}}, {"bounds": bounds(0, 0, 0, 0)}, {"bounds": bounds(1, 1, -5, 5)}])
def test_a_component_without_a_usable_place_is_put_where_its_definition_says(wrong: Any) -> None:
    plan = plan_restore(
        {"components": [component("clock", **wrong)]}, [], screens=SCREENS, max_size=10, known=["clock"]
    )
    assert plan.apps[0].bounds is None


async def test_what_cannot_be_restored_is_reported_and_the_rest_is(tmp_path: Path) -> None:
    broken = {"name": "broken", "type": "exe", "details": {"command": "no-such-program"}}
    layouts = Layouts(tmp_path, window("clock"), broken)
    components = [component("gone"), component("broken", "exe"), component("clock"), {"type": "swimlane"}]
    await layouts.store.save({"name": "Morning", "type": "Global", "components": components[:3]})
    notes = await layouts.service.restore(MORNING)
    assert layouts.running == ["clock"]
    assert len(notes) == 2
    plan = plan_restore({"components": components}, [], screens=SCREENS, max_size=1, known=["clock"])
    assert any("swimlane is not supported" in note for note in plan.notes)


@pytest.mark.rule("R-2.15-18", "T-D-16")
@pytest.mark.parametrize(
    ("general", "own", "left"), [(True, None, []), (False, None, ["clock"]), (True, False, ["clock"])]
)
async def test_hibernating_closes_apps_unless_they_stay_open(
    tmp_path: Path, general: bool, own: bool | None, left: list[str]
) -> None:
    app = window("clock") if own is None else window("clock", closeOnHibernate=own)
    layouts = Layouts(tmp_path, app, close_on_hibernate=general)
    await layouts.desk.instances.start("clock")
    await layouts.service.hibernate(MORNING)
    assert layouts.running == left
    assert MORNING in layouts.store.layouts()


async def test_layouts_are_renamed_removed_exported_and_imported(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path, window("clock"))
    await layouts.service.save("Morning")
    await layouts.service.rename(MORNING, "Evening")
    (exported,) = layouts.service.export("Global")
    assert exported["name"] == "Evening"
    assert await layouts.service.import_all([exported], replace=False) == 0
    assert await layouts.service.import_all([{**exported, "name": "Noon"}], replace=True) == 1
    await layouts.service.remove(LayoutKey("Global", "Evening"))
    assert {one["name"] for one in layouts.service.export()} == {"Noon"}


async def test_what_is_wrong_is_refused(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path)
    with pytest.raises(DesktopError, match="there is no Global layout"):
        await layouts.service.restore(MORNING)
    with pytest.raises(DesktopError, match="only a Global layout"):
        await layouts.service.set_default(LayoutKey("Workspace", "x"))
    with pytest.raises(DesktopError, match="only Global layouts"):
        await layouts.service.hibernate(LayoutKey("Workspace", "x"))


@pytest.mark.rule("R-2.13-3")
async def test_the_loader_is_shown_while_a_layout_is_restored_and_goes_even_when_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Loader(width=300, height=100, title="One moment", url="https://wait.example")
    for loader in (own, None):
        layouts = Layouts(tmp_path, window("clock"), loader=loader)
        await layouts.desk.instances.start("clock")
        await layouts.service.save("Morning")
        for one in layouts.desk.instances.all:
            await layouts.desk.instances.stop(one.id)
        layouts.desk.host.calls.clear()
        await layouts.service.restore(MORNING)
        seen = [what for what, _ in layouts.desk.host.calls]
        assert seen == (["loader", "open", "show", "no loader"] if loader else ["open", "show"])
        assert loader is None or layouts.desk.host.calls[0] == ("loader", own)

    async def broken(*_: Any) -> None:
        raise OSError("no screen")

    layouts = Layouts(tmp_path, window("clock"), loader=own)
    await layouts.store.save({"name": "Morning", "type": "Global", "components": [component("clock")]})
    monkeypatch.setattr(layouts.desk.host, "open_window", broken)
    with pytest.raises(OSError, match="no screen"):
        await layouts.service.restore(MORNING)
    assert [what for what, _ in layouts.desk.host.calls] == ["loader", "no loader"]


async def test_a_layout_has_changed_when_windows_come_go_or_move(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path, window("clock"), window("ghost", ignoreFromLayouts=True))
    service = layouts.service
    assert not service.changed
    clock = await layouts.desk.instances.start("clock")
    assert not service.changed
    await service.save("Morning")
    await layouts.desk.instances.start("ghost")
    assert not service.changed
    await layouts.desk.host.move_window(clock.id, Bounds(1, 2, 300, 400))
    assert service.changed
    await service.restore(MORNING)
    assert not service.changed
    await layouts.desk.instances.stop(clock.id)
    assert service.changed


async def test_windows_open_hidden_at_their_place_and_are_shown_together_the_lowest_first(desk: PlatformDesk) -> None:
    for name in ("clock", "mail", "news"):
        desk.write_app(name)
    desk.write_app("ghost", details={"url": "https://x", "hidden": True})
    desk.system(**APPS)
    async with desk.running() as platform:
        instances, host = platform.services.instances, desk.host
        clock, mail, news, _ = [(await instances.start(name)).id for name in ("clock", "mail", "news", "ghost")]
        await host.move_window(clock, Bounds(10, 20, 300, 400))
        await host.act(mail, SetState(state="maximized"))
        await host.act(news, SetState(state="minimized"))
        await host.act(clock, SetZoom(factor=1.5))
        await host.act(clock, Focus())
        saved = await platform.services.layouts.save("Morning")
        for one in instances.all:
            await instances.stop(one.id)
        host.calls.clear()
        assert await platform.services.layouts.restore(MORNING) == ()
        seen = [(what, about) for what, about in host.calls if what in ("open", "show", "move")]
        assert [what for what, _ in seen] == ["open"] * 4 + ["show"] * 3
        opened = {about.app: about for what, about in seen if what == "open"}
        assert all(one.hidden for one in opened.values())
        assert opened["clock"].bounds == Bounds(10, 20, 300, 400)
        assert {name: (one.state, one.zoom) for name, one in opened.items()} == {
            "clock": ("normal", 1.5),
            "mail": ("maximized", 1),
            "news": ("minimized", 1),
            "ghost": ("normal", 1),
        }
        shown = [about[0] for what, about in seen if what == "show"]
        apps = {one.id: one.app for one in instances.all}
        assert [apps[one] for one in shown] == ["mail", "news", "clock"]
        stacked = [apps[one] for one in platform.services.windows.registry.stacked]
        assert [one for one in stacked if one != "ghost"] == ["mail", "news", "clock"]
        assert [apps[one] for one in host.hidden] == ["ghost"]
        again = await platform.services.layouts.save("Morning")
        assert [_place(one) for one in again["components"]] == [_place(one) for one in saved["components"]]
        (clock,) = (one for one, app in apps.items() if app == "clock")
        assert not platform.services.layouts.changed
        await host.act(clock, SetState(state="collapsed"))
        assert platform.services.layouts.changed


async def test_a_window_that_stays_comes_to_the_front_where_the_layout_has_it(desk: PlatformDesk) -> None:
    for name in ("clock", "mail"):
        desk.write_app(name)
    desk.system(**APPS)
    async with desk.running() as platform:
        instances, registry = platform.services.instances, platform.services.windows.registry
        clock, mail = [(await instances.start(name)).id for name in ("clock", "mail")]
        await desk.host.act(clock, Focus())
        assert registry.stacked == (mail, clock)
        await platform.services.layouts.save("Morning")
        await instances.stop(mail)
        desk.host.calls.clear()
        await platform.services.layouts.restore(MORNING)
        assert [about for what, about in desk.host.calls if what == "act"] == [(clock, Focus())]
        assert [what for what, _ in desk.host.calls][-2:] == ["act", "no loader"]


async def test_a_group_is_restored_as_high_as_its_highest_window_was(desk: PlatformDesk) -> None:
    for name in ("clock", "mail", "news"):
        desk.write_app(name)
    desk.system(**APPS)
    async with desk.running() as platform:
        services = platform.services
        clock, mail, _ = [(await services.instances.start(name)).id for name in ("clock", "mail", "news")]
        await services.windows.groups.join(mail, clock)
        await desk.host.act(mail, Focus())
        saved = (await services.layouts.save("Morning"))["components"]
        orders = {one["application"]: one["state"]["restoreSettings"]["groupZOrder"] for one in saved}
        assert orders == {"news": 0, "clock": 1, "mail": 1}
        # Earlier versions have numbered each window.
        for one in saved:
            one["state"]["restoreSettings"]["groupZOrder"] = {"clock": 0, "news": 1, "mail": 2}[one["application"]]
        await platform.stores.layouts.save({"name": "Morning", "type": "Global", "components": saved})
        for one in services.instances.all:
            await services.instances.stop(one.id)
        desk.host.calls.clear()

        assert await services.layouts.restore(MORNING) == ()
        apps = {one.id: one.app for one in services.instances.all}
        assert [apps[about[0]] for what, about in desk.host.calls if what == "show"] == ["news", "clock", "mail"]


async def test_a_layout_keeps_on_which_display_windows_are_and_what_was_set_about_groups(desk: PlatformDesk) -> None:
    for name in ("clock", "mail", "news"):
        desk.write_app(name, details={"url": "https://x", "isSticky": name != "mail"})
    desk.system(**APPS, advancedMode=True)
    async with desk.running() as platform:
        services, groups = platform.services, platform.services.windows.groups
        for name in ("clock", "mail", "news"):
            await services.instances.start(name)
        running = {one.app: one.id for one in services.instances.all}
        await groups.set_sticky(running["clock"], sticky=False)
        await groups.set_sticky(running["mail"], sticky=True)
        await groups.join(running["mail"], running["news"])
        saved = {one["application"]: one["state"] for one in (await services.layouts.save("Morning"))["components"]}
        assert {app: one.get("isSticky") for app, one in saved.items()} == {"clock": False, "mail": True, "news": None}
        (screen,) = desk.host.screens()
        assert {one["displayId"] for one in saved.values()} == {screen.number}
        shown = {app: one["restoreSettings"].get("groupDisplayId") for app, one in saved.items()}
        assert shown == {"clock": None, "mail": screen.number, "news": screen.number}
        for one in services.instances.all:
            await services.instances.stop(one.id)

        await services.layouts.restore(MORNING)
        assert not services.layouts.changed
        running = {one.app: one.id for one in services.instances.all}
        assert {app: groups.is_sticky(one) for app, one in running.items()} == {
            "clock": False,
            "mail": True,
            "news": True,
        }
        assert [one.windows.keys() for one in groups.all] == [{running["news"], running["mail"]}]


LEFT, RIGHT = (Screen(name, Bounds(left, 0, 800, 900)) for name, left in (("one", 0), ("two", 800)))
SWAPPED = (replace(LEFT, work_area=RIGHT.work_area), replace(RIGHT, work_area=LEFT.work_area))


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(
    ("screens", "display", "lefts"),
    [
        ((LEFT, RIGHT), RIGHT.number, [900, 1130]),
        (SWAPPED, RIGHT.number, [100, 330]),
        (SWAPPED, 7, [900, 1130]),
        (SWAPPED, "two", [900, 1130]),
        (SWAPPED, None, [900, 1130]),
        ((LEFT,), RIGHT.number, [370, 600]),
    ],
)
def test_windows_follow_their_display_when_it_is_elsewhere(
    screens: tuple[Screen, ...], display: object, lefts: list[int], *, grouped: bool
) -> None:
    own = {"restoreSettings": {"groupId": "g", "groupDisplayId": display}} if grouped else {"displayId": display}
    components = [component("clock", bounds=bounds(left, 100, 200, 200), **own) for left in (900, 1130)]
    plan = plan_restore({"components": components}, [], screens=screens, max_size=8192, known=["clock"])
    expected = lefts if grouped or len(screens) > 1 else [600, 600]
    assert [one.bounds and one.bounds.left for one in plan.apps] == expected


def _place(saved: dict[str, Any]) -> Any:
    names = ("bounds", "windowState", "zoomFactor", "isCollapsed")
    return saved["application"], [saved["state"].get(name) for name in names]


async def test_a_window_that_stays_gets_its_state_and_zoom_back(desk: PlatformDesk) -> None:
    desk.write_app("clock")
    desk.system(**APPS)
    async with desk.running() as platform:
        clock = (await platform.services.instances.start("clock")).id
        await platform.services.layouts.save("Morning")
        await desk.host.act(clock, SetState(state="maximized"))
        await desk.host.act(clock, SetZoom(factor=2))
        await platform.services.layouts.restore(MORNING)
        assert (desk.host.states[clock], desk.host.zoom[clock]) == ("normal", 1)
        desk.host.calls.clear()
        await platform.services.layouts.restore(MORNING)
        assert "act" not in [what for what, _ in desk.host.calls]


@pytest.mark.parametrize(
    "wrong", [{"windowState": "upside down"}, {"windowState": 5}, {"zoomFactor": 1e9}, {"zoomFactor": True}]
)
def test_a_state_or_zoom_that_no_window_can_have_is_ignored(wrong: Any) -> None:
    layout = {"components": [component("clock", **wrong)]}
    plan = plan_restore(layout, [], screens=SCREENS, max_size=10, known=["clock"])
    assert (plan.apps[0].state, plan.apps[0].zoom) == (None, None)


async def test_pinned_tabs_restrictions_docking_and_placement_are_restored(desk: PlatformDesk) -> None:
    for name in ("clock", "mail", "news"):
        desk.write_app(name)
    desk.system(**APPS, channels={"definitions": [{"name": "Red", "meta": {"color": "red"}}]})
    async with desk.running() as platform:
        services = platform.services
        windows, channels = services.windows, services.channels
        clock, mail, news = [(await services.instances.start(name)).id for name in ("clock", "mail", "news")]
        await windows.tabs.join(mail, clock)
        await windows.tabs.pin(mail)
        channels.join(news, "Red")
        channels.restrict(news, "Red", read=False)
        docked = await windows.docking.dock(news, "right", width=300, claims=True, save_bounds=True)
        windows.registry.update(clock, placement={"snapped": True, "horizontalAlignment": "left"})
        await services.layouts.save("Morning")
        for one in services.instances.all:
            await services.instances.stop(one.id)
        desk.host.calls.clear()

        assert await services.layouts.restore(MORNING) == ()
        found = {one.app: one.id for one in services.instances.all}
        tabs = windows.tabs.of(found["mail"])
        assert tabs is not None
        assert (tabs[1].tabs, tabs[1].pinned) == ((found["mail"], found["clock"]), frozenset({found["mail"]}))
        assert channels.of(found["news"]) == ("Red",)
        assert channels.restrictions(found["news"]) == {"Red": Restriction(read=False, write=True)}
        assert windows.registry.find(found["news"]).docking == docked
        assert ("act", (found["news"], ClaimEdge(side="right"))) in desk.host.calls
        assert windows.registry.find(found["clock"]).placement["horizontalAlignment"] == "left"
        assert not services.layouts.changed
        await windows.docking.undock(found["news"], restore=True)
        assert windows.registry.find(found["news"]).bounds == docked.before


async def test_a_window_that_is_collapsed_in_its_group_is_restored_so_and_expands_to_its_height(
    desk: PlatformDesk,
) -> None:
    for name, top in (("clock", 100), ("mail", 500)):
        desk.write_app(name, details={"url": "https://x", "left": 100, "top": top, "width": 400, "height": 300})
    desk.system(**APPS, advancedMode=True)
    async with desk.running() as platform:
        services, groups = platform.services, platform.services.windows.groups
        clock, mail = [(await services.instances.start(name)).id for name in ("clock", "mail")]
        await groups.join(mail, clock, "bottom")
        await services.windows.control.set_state(clock, "collapsed")
        await services.layouts.save("Morning")
        for one in services.instances.all:
            await services.instances.stop(one.id)

        assert await services.layouts.restore(MORNING) == ()
        (group,) = groups.all
        assert [one.height for one in group.windows.values()] == [30, 570]
        (clock,) = (one.id for one in services.instances.all if one.app == "clock")
        assert services.windows.registry.find(clock).collapsed
        assert not services.layouts.changed
        await services.windows.control.set_state(clock, "normal")
        assert [one.height for one in groups.all[0].windows.values()] == [300, 300]


@pytest.mark.parametrize(
    "wrong",
    [
        {"channelRestrictions": 5, "dockingPlacement": True, "placement": [], "isPinned": "yes"},
        {"channelRestrictions": {"channels": {"name": "Red"}}, "dockingPlacement": {"docked": True}},
        {
            "channelRestrictions": {"channels": [1, {"read": False}]},
            "dockingPlacement": {"docked": True, "position": 1},
        },
        {"dockingPlacement": {"docked": True, "position": "left", "width": -1}},
        {"dockingPlacement": {"docked": True, "position": "top", "height": float("nan")}},
    ],
)
def test_restrictions_docking_and_pins_that_cannot_be_read_are_ignored(wrong: Any) -> None:
    layout = {"components": [component("clock", **wrong)]}
    (planned,) = plan_restore(layout, [], screens=SCREENS, max_size=10, known=["clock"]).apps
    assert (planned.restrictions, planned.docking, planned.placement, planned.is_pinned) == ({}, None, {}, False)
