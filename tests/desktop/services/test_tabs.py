"""The tab groups of a running desktop, as the host is instructed to draw them and as layouts keep them."""

import asyncio
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import (
    MayClose,
    Report,
    TabClosed,
    TabPinned,
    TabReordered,
    TabSelected,
)
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layout_plan import plan_restore
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.tabs import TabGroups, TabMethods
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.desktop.windows.tabs import TabDrawing, shown
from rostrum.settings.scope import Mode
from rostrum.stores.layouts.file_store import FileLayoutStore
from rostrum.stores.layouts.store import LayoutKey
from tests.desktop.services.test_groups import Desk as Windows
from tests.desktop.test_services_without_windows import settings


async def _always(_: MayClose) -> bool:
    return True


async def _never(_: MayClose) -> bool:
    return False


MORNING = LayoutKey("Global", "Morning")


class Desk(Windows):
    """Windows, groups and tabs, and layouts of them."""

    def __init__(self, root: Path, mode: Mode = Mode.DEFAULT, **members: Any) -> None:
        super().__init__(root, mode, **members)
        numbers = count(1)
        found = settings(advancedMode=mode is Mode.ADVANCED, windowManagement=members).window_management
        self.tabs = TabGroups(found, self.host, self.instances, self.groups, new_id=lambda: f"t{next(numbers)}")
        self.layouts = LayoutService(
            FileLayoutStore(root / "layouts"),
            self.instances,
            self.host,
            lambda: {"a": {}, "b": {}, "c": {}},
            max_size=8192,
            close_on_hibernate=True,
            grouping=Grouping(self.groups, self.tabs),
        )

    async def tabbed(self) -> list[str]:
        """Open three windows as tabs; the second one is in front."""
        windows = await self.opened("a", "b", "c")
        for one in windows[1:]:
            assert await self.tabs.drop(one, windows[0])
        await self.tabs.select(windows[1])
        return windows

    @property
    def drawing(self) -> TabDrawing:
        (found,) = self.host.tabs.values()
        return found

    def names(self, tabs: Any) -> list[str]:
        apps = {one.id: one.app for one in self.instances.all}
        return [apps[tab] for tab in tabs]


@pytest.mark.rule("R-2.16-5")
@pytest.mark.parametrize("strategy", ["direct", "lazy"])
async def test_a_restored_tab_group_loads_hidden_pages_at_once_or_when_they_are_selected(
    tmp_path: Path, strategy: str
) -> None:
    desk = Desk(tmp_path, group={"tabs": {"loadingStrategy": strategy}})
    await desk.tabbed()
    await desk.layouts.save("Morning")
    for one in desk.instances.all:
        await desk.tabs.leave(one.id)
        await desk.instances.stop(one.id)
    assert desk.host.tabs == {}
    assert await desk.layouts.restore(MORNING) == ()
    assert (desk.names(desk.drawing.instances), desk.names([desk.drawing.selected])) == (["a", "b", "c"], ["b"])
    at_once = desk.names(one.instance for one in desk.host.windows.values() if one.load_page)
    assert set(at_once) == set(desk.names(desk.drawing.loaded)) == ({"a", "b", "c"} if strategy == "direct" else {"b"})
    await desk.tabs.select(desk.drawing.instances[2])
    assert "c" in desk.names(desk.drawing.loaded)
    assert ("a" in desk.names(desk.drawing.loaded)) is (strategy == "direct")


@pytest.mark.setting("windowManagement.group.tabs.overflow", "windowManagement.group.tabs.selectPreviousOnClose")
@pytest.mark.rule("R-2.16-6")
@pytest.mark.parametrize(("kind", "back"), [("Web", "a"), (None, "c")])
async def test_overflow_and_the_way_back_count_in_web_groups_only(tmp_path: Path, kind: str | None, back: str) -> None:
    tabs = {"overflow": True, "selectPreviousOnClose": True}
    group = {"tabs": tabs} | ({"type": kind} if kind else {})
    desk = Desk(tmp_path, Mode.ADVANCED, group=group)
    a, b, _ = await desk.tabbed()
    await desk.tabs.select(a)
    await desk.tabs.select(b)
    strip, menu = shown(desk.drawing.tabs, b, 170, overflow=desk.drawing.overflow)
    assert (len(strip), len(menu)) == ((2, 1) if kind else (3, 0))
    await desk.tabs.leave(b)
    assert desk.names([desk.drawing.selected]) == [back]


@pytest.mark.setting("windowManagement.group.tabs.showSelectedTabTitleInTaskbar")
@pytest.mark.rule("R-2.16-4")
async def test_the_taskbar_shows_the_default_for_a_single_tab_and_the_selected_title_when_asked(tmp_path: Path) -> None:
    for members, expected in (({}, ("Group", "Group")), ({"showSelectedTabTitleInTaskbar": True}, ("a", "b"))):
        desk = Desk(tmp_path, group={"tabs": members, "header": {"defaultTitle": "Group"}})
        a, b, _ = await desk.opened("a", "b", "c")
        await desk.tabs.restore([a], a)
        assert desk.drawing.taskbar_title == expected[0]
        await desk.tabs.drop(b, a)
        assert desk.drawing.taskbar_title == expected[1]
    desk = Desk(tmp_path, group={"tabs": {"defaultTaskbarTitle": "Alone"}, "header": {"defaultTitle": "Together"}})
    a, b, _ = await desk.opened("a", "b", "c")
    await desk.tabs.restore([a], a)
    assert desk.drawing.taskbar_title == "Alone"
    await desk.tabs.drop(b, a)
    assert desk.drawing.taskbar_title == "Together"


@pytest.mark.rule("R-2.16-11")
@pytest.mark.parametrize("reverse", [None, True])
async def test_a_window_dropped_on_tabs_becomes_one_unless_alt_is_held(tmp_path: Path, reverse: bool | None) -> None:
    members: dict[str, Any] = {} if reverse is None else {"alternateBehavior": {"dropInTabGroup": {"reverse": reverse}}}
    desk = Desk(tmp_path, **members)
    a, b, c = await desk.opened("a", "b", "c")
    assert [await desk.tabs.drop(b, a, alt=False), await desk.tabs.drop(c, a, alt=True)] == (
        [True, False] if reverse is None else [False, True]
    )
    assert desk.drawing.instances == ((a, b) if reverse is None else (a, c))


async def test_the_selected_tab_represents_its_tab_group_in_a_group_of_windows(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    await desk.groups.join(b, a)
    await desk.tabs.join(c, b)
    assert desk.drawn() == [{a, c}]
    assert desk.host.bounds(c) == desk.host.bounds(b)
    await desk.tabs.select(b)
    assert desk.drawn() == [{a, b}]
    await desk.groups.rename(desk.groups.all[0].id, "Trading")
    await desk.layouts.save("Morning")
    places = {one.app: desk.host.bounds(one.id) for one in desk.instances.all}
    for one in desk.instances.all:
        await desk.instances.stop(one.id)
        await desk.tabs.leave(one.id)
        await desk.groups.forget(one.id)
    assert (desk.host.groups, desk.host.tabs) == ({}, {})
    assert await desk.layouts.restore(MORNING) == ()
    assert {one.app: desk.host.bounds(one.id) for one in desk.instances.all} == places
    assert [desk.names(sorted(group, key=lambda one: desk.names([one]))) for group in desk.drawn()] == [["a", "b"]]
    assert desk.names(desk.drawing.instances) == ["b", "c"]
    assert [group.title for group in desk.groups.all] == ["Trading"]
    assert not desk.layouts.changed


async def test_the_next_tab_is_in_the_group_before_anything_is_drawn(tmp_path: Path) -> None:
    """A window that has ended leaves its group while the host draws the tabs; its group must not end with it."""
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    await desk.groups.join(b, a)
    await desk.tabs.join(c, b)
    groups: list[list[set[str]]] = []
    desk.tabs.changed.connect(lambda _: groups.append([{*one.windows} for one in desk.groups.all]))
    await desk.tabs.leave(c)
    assert groups == [[{a, b}]]
    assert desk.drawn() == [{a, b}]


async def test_a_layout_restored_over_itself_keeps_its_groups_and_tabs(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.tabbed()
    await desk.layouts.save("Morning")
    assert await desk.layouts.restore(MORNING) == ()
    assert (desk.names(desk.drawing.instances), desk.names([desk.drawing.selected])) == (["a", "b", "c"], ["b"])


BOUNDS = {"left": 1, "top": 2, "width": 300, "height": 200}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"restoreSettings": {"groupId": "g"}, "bounds": BOUNDS}, ["a group of 2 windows: another window of the g"]),
        ({"tabGroupId": "t", "tabIndex": -99}, []),
        ({"tabGroupId": "t", "tabIndex": 1.5}, []),
        ({"tabGroupId": "", "restoreSettings": {"groupId": ""}}, []),
    ],
)
async def test_a_layout_with_nonsense_about_groups_restores_its_windows(
    tmp_path: Path, state: Any, said: list[str]
) -> None:
    desk = Desk(tmp_path)
    component = {"type": "window", "application": "a", "state": state}
    layout = {"name": "Morning", "type": "Global", "components": [component, component]}
    await desk.layouts.import_all([layout], replace=True)
    notes = await desk.layouts.restore(MORNING)
    assert [note[: len(text)] for note, text in zip(notes, said, strict=True)] == said
    assert [one.app for one in desk.instances.all] == ["a", "a"]
    assert desk.groups.all == ()


@pytest.mark.parametrize("wrong", [5, [], {}, True, "x"])
def test_a_plan_leaves_out_what_is_no_group(wrong: Any) -> None:
    state = {"restoreSettings": {"groupId": [wrong], "groupUserTitle": {}}, "tabGroupId": [wrong], "tabIndex": {}}
    for broken in (state, {**state, "restoreSettings": wrong}):
        layout = {"components": [{"type": "window", "application": "a", "state": broken}]}
        screens = (Screen("s", Bounds(0, 0, 100, 100)),)
        (planned,) = plan_restore(layout, [], screens=screens, max_size=100, known=["a"]).apps
        assert (planned.group, planned.tab_group, planned.group_title, planned.tab_index) == (None, None, None, 0)


async def test_windows_that_cannot_be_tabs_are_rejected_with_the_reason(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    (a,) = await desk.opened("a")
    for work, message in (
        (desk.tabs.join(a, a), "a tab of another window only"),
        (desk.tabs.join("gone", a), "there is no instance 'gone'"),
        (desk.tabs.select(a), "is no tab"),
    ):
        with pytest.raises(DesktopError, match=message):
            await work
    await desk.tabs.leave(a)
    assert desk.host.tabs == {}


async def test_a_window_becomes_a_tab_at_an_index_in_the_place_of_the_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    await desk.host.move_window(a, Bounds(10, 20, 300, 200))
    await desk.tabs.join(b, a, 0)
    await desk.tabs.join(c, b, 1)
    assert (desk.drawing.instances, desk.drawing.selected) == ((b, c, a), c)
    assert {desk.host.bounds(one) for one in (a, b, c)} == {Bounds(10, 20, 300, 200)}
    await desk.host.move_window(c, Bounds(50, 60, 300, 200))
    assert {desk.host.bounds(one) for one in (a, b, c)} == {Bounds(50, 60, 300, 200)}
    # Within its own tab group it changes its place only.
    await desk.tabs.join(c, a, 0)
    assert (desk.drawing.instances, desk.drawing.selected) == ((c, b, a), c)


async def test_a_tab_that_joins_other_tabs_leaves_its_own_and_both_stay_in_their_groups(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    d, e = await desk.opened("a", "b")
    await desk.groups.join(d, a)
    await desk.tabs.join(b, a)
    await desk.tabs.join(c, a)
    await desk.tabs.join(e, d)
    assert desk.drawn() == [{c, e}]
    await desk.tabs.join(c, e)
    assert [one.instances for one in desk.host.tabs.values()] == [(a, b), (d, e, c)]
    assert desk.drawn() == [{b, c}]


async def test_what_people_do_with_tabs_is_carried_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    background = BackgroundTasks("a test")
    desk.tabs.listen(desk.host.reports, background)
    a, b, c = await desk.tabbed()

    async def after(report: Report) -> tuple[tuple[str, ...], str | None]:
        desk.host.reports.report(report)
        # The host of these tests never waits, so a few turns of the loop finish the work.
        for _ in range(20):
            await asyncio.sleep(0)
        return desk.drawing.instances, desk.drawing.selected

    assert await after(TabSelected(instance=c)) == ((a, b, c), c)
    assert await after(TabReordered(instance=c, index=0)) == ((c, a, b), c)
    assert await after(TabPinned(instance=b, pinned=True)) == ((b, c, a), c)
    assert (desk.tabs.is_pinned(b), desk.tabs.is_pinned(c)) == (True, False)
    assert await after(TabPinned(instance=b, pinned=False)) == ((b, c, a), c)
    place = Bounds(700, 400, 300, 200)
    assert await desk.tabs.tear_out(c, place) is True
    assert (desk.drawing.instances, desk.host.bounds(c)) == ((b, a), place)
    assert await desk.tabs.drop(c, a, index=1, alt=True) is False
    assert await desk.tabs.drop(c, a, index=1) is True
    assert (desk.drawing.instances, desk.drawing.selected) == ((b, c, a), c)
    desk.host.reports.handle(MayClose, _never)
    await after(TabClosed(instance=c))
    assert c in desk.host.windows
    desk.host.reports.handle(MayClose, _always)
    await after(TabClosed(instance=c))
    assert c not in desk.host.windows
    # A report that comes late is of no use, and does no harm.
    await after(TabSelected(instance="gone"))
    await background.close()


async def test_a_dragged_tab_group_becomes_tabs_of_another_as_a_whole(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.tabbed()
    d, e = await desk.opened("a", "b")
    await desk.tabs.join(e, d)
    assert await desk.tabs.drop(b, d, index=1)
    assert (desk.drawing.instances, desk.drawing.selected) == ((d, a, b, c, e), b)


async def test_apps_decide_whether_their_tab_is_pinned_shown_closed_and_taken_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    for instance, details in (
        (b, {"isPinned": True, "allowTabClose": False}),
        (c, {"hideTabHeader": True, "allowExtract": False, "allowClose": False}),
    ):
        running = desk.instances.get(instance)
        assert running is not None
        running.definition["details"].update(details)
    assert [desk.tabs.has_header(one) for one in (b, c)] == [True, False]
    await desk.tabs.join(b, a)
    await desk.tabs.join(c, a)
    assert [(tab.instance, tab.pinned, tab.header, tab.closable) for tab in desk.drawing.tabs] == [
        (b, True, True, False),
        (a, False, True, True),
        (c, False, False, False),
    ]
    await desk.tabs.show_header(c, visible=True)
    assert desk.tabs.has_header(c)
    desk.host.calls.clear()
    assert not await desk.tabs.tear_out(c, Bounds(1, 2, 300, 200))
    assert desk.drawing.instances == (b, a, c)
    # Drawn again, because the host has taken it out already.
    assert [what for what, _ in desk.host.calls] == ["tabs"]
    assert desk.drawing.returned == {c}
    assert await desk.tabs.tear_out(b, Bounds(1, 2, 300, 200))
    assert desk.host.bounds(b) == Bounds(1, 2, 300, 200)


async def test_programs_do_the_same_over_the_gateway(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = await desk.opened("a", "b", "c")
    methods = TabMethods(desk.tabs)
    changes: list[None] = []
    desk.tabs.changed.connect(changes.append)
    await methods.join({"instance": b, "to": a, "index": 0})
    await methods.join({"instance": c, "to": a})
    await methods.reorder({"instance": c, "index": 0})
    await methods.pin({"instance": a})
    await methods.show_header({"instance": b, "visible": False})
    await methods.select({"instance": a})
    (group,) = (await methods.list_all({}))["groups"]
    assert changes
    assert group["selected"] == a
    assert group["tabs"] == [
        {"instance": a, "pinned": True, "header": True},
        {"instance": c, "pinned": False, "header": True},
        {"instance": b, "pinned": False, "header": False},
    ]
    await methods.pin({"instance": a, "pinned": False})
    await methods.leave({"instance": c})
    (group,) = (await methods.list_all({}))["groups"]
    assert [one["instance"] for one in group["tabs"]] == [a, b]
    for wrong in (-1, 1.5, True, "0", None):
        with pytest.raises(DesktopError, match="index must be a whole number"):
            await methods.reorder({"instance": a, "index": wrong})
    with pytest.raises(DesktopError, match="is no tab"):
        await methods.pin({"instance": c})
