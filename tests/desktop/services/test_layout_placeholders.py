"""Placeholders of apps that do not start: what they show, how they are retried, what layouts keep of them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import PageCall
from rostrum.desktop.platform import Platform
from rostrum.desktop.services.layout_plan import plan_restore
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.stores.layouts.store import LayoutKey
from tests.desktop.test_platform import APPS, Desk

MORNING = LayoutKey("Global", "Morning")
PLACE = {"left": 600, "top": 300, "width": 420, "height": 320}
SCREENS = (Screen("a", Bounds(0, 0, 1600, 900), primary=True),)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "desk")
    desk.write_app("clock", title="Clock")
    desk.system(**APPS)
    return desk


def component(app: str, kind: str = "window", **state: Any) -> dict[str, Any]:
    return {"type": kind, "application": app, "state": state}


def placeholders(desk: Desk) -> dict[str, str]:
    return {identity: one.title for identity, one in desk.host.windows.items() if one.kind == "placeholder"}


async def test_apps_that_do_not_start_leave_placeholders_and_scripts_leave_none(desk: Desk) -> None:
    desk.write_app("broken", title="Broken one", type="exe", details={"command": "no-such-program"})
    components = [
        component("clock"),
        component("broken", "exe", bounds=PLACE),
        component("gone"),
        component("gone", "node"),
    ]
    async with desk.running() as platform:
        await platform.stores.layouts.save({"name": "Morning", "type": "Global", "components": components})
        notes = await platform.services.layouts.restore(MORNING)
        assert len(notes) == 3
        assert sorted(placeholders(desk).values()) == ["Broken one (not started)", "gone (not started)"]
        assert not desk.host.hidden
        found = next(identity for identity, title in placeholders(desk).items() if title.startswith("Broken"))
        assert desk.host.bounds(found) == Bounds(600, 300, 420, 320)
        ask = platform.reports.ask
        shown = await ask(PageCall(page="placeholder", instance=found, method="Pages.Placeholder"))
        assert shown["title"] == "Broken one"
        assert "no-such-program" in shown["reason"]
        saved = await platform.services.layouts.save("Again")
        assert [one["application"] for one in saved["components"]] == ["clock", "broken", "gone"]
        await ask(PageCall(page="placeholder", instance=found, method="Pages.ClosePlaceholder"))
        assert [*placeholders(desk).values()] == ["gone (not started)"]
        for method in ("Pages.Placeholder", "Pages.Retry"):
            with pytest.raises(DesktopError, match="no longer open"):
                await ask(PageCall(page="placeholder", instance=found, method=method))


async def test_a_retry_starts_the_app_once_in_the_place_of_its_placeholder(desk: Desk) -> None:
    async with desk.running() as platform:
        layouts = platform.services.layouts
        wanted = component("late", bounds=PLACE, context={"ticker": "ABC"}, customTitle="Mine")
        await platform.stores.layouts.save({"name": "Morning", "type": "Global", "components": [wanted]})
        await layouts.restore(MORNING)
        (found,) = placeholders(desk)
        with pytest.raises(DesktopError, match="late"):
            await layouts.retry(found)
        assert [*placeholders(desk)] == [found]
        desk.write_app("late")
        for store in platform.stores.apps.stores:
            await store.refresh()
        await desk.host.move_window(found, Bounds(1, 2, 420, 320))
        assert layouts.changed
        outcomes = await asyncio.gather(layouts.retry(found), layouts.retry(found), return_exceptions=True)
        assert len([one for one in outcomes if isinstance(one, DesktopError)]) == 1
        (instance,) = platform.services.instances.all
        assert (instance.app, instance.title, instance.context) == ("late", "Mine", {"ticker": "ABC"})
        assert desk.host.bounds(instance.id) == Bounds(1, 2, 420, 320)
        assert placeholders(desk) == {}


async def restored(desk: Desk, platform: Platform, *components: dict[str, Any]) -> dict[str, str]:
    """Restore a layout, and define its missing apps; return its placeholders by the name of their app."""
    await platform.stores.layouts.save({"name": "Morning", "type": "Global", "components": [*components]})
    await platform.services.layouts.restore(MORNING)
    for name in ("tab", "below"):
        desk.write_app(name)
    for store in platform.stores.apps.stores:
        await store.refresh()
    return {title.split()[0]: identity for identity, title in placeholders(desk).items()}


def instance_of(platform: Platform, app: str) -> str:
    return next(one.id for one in platform.services.instances.all if one.app == app)


def place(left: int, top: int, width: int, height: int) -> dict[str, int]:
    return {"left": left, "top": top, "width": width, "height": height}


GROUPED: dict[str, Any] = {"restoreSettings": {"groupId": "g", "groupUserTitle": "Prices"}}
CLOCK = component("clock", bounds=place(100, 100, 400, 300), tabGroupId="t", tabIndex=-1, **GROUPED)
TAB = component("tab", bounds=place(100, 100, 400, 300), tabGroupId="t", tabIndex=1, isPinned=True, **GROUPED)
MAIL = component("mail", bounds=place(504, 100, 300, 300), **GROUPED)
BELOW = component("below", bounds=place(100, 404, 704, 200), **GROUPED)


async def test_a_retry_puts_windows_into_their_group_and_among_their_tabs(desk: Desk) -> None:
    desk.write_app("mail")
    async with desk.running() as platform:
        windows, layouts = platform.services.windows, platform.services.layouts
        found = await restored(desk, platform, CLOCK, TAB, MAIL, BELOW)
        clock, mail = instance_of(platform, "clock"), instance_of(platform, "mail")
        (group,) = windows.groups.all
        tabs = windows.tabs.of(clock)
        assert tabs is not None
        assert group.windows.keys() == {clock, mail}
        # Saved again, they are in the group that there is now.
        saved = {one["application"]: one["state"] for one in (await layouts.save("Again"))["components"]}
        assert {saved[app]["restoreSettings"]["groupId"] for app in ("mail", "below", "tab")} == {group.id}
        assert (saved["tab"]["tabGroupId"], saved["tab"]["tabIndex"]) == (tabs[0], 1)
        # A person has moved the group meanwhile.
        await windows.groups.place(clock, Bounds(200, 150, 400, 300))

        await layouts.retry(found["below"])
        await layouts.retry(found["tab"])
        below, tab = instance_of(platform, "below"), instance_of(platform, "tab")
        (group,) = windows.groups.all
        assert (group.title, {*group.windows}) == ("Prices", {clock, mail, below})
        assert group.windows[below] == Bounds(200, 454, 704, 200)
        tabs = windows.tabs.of(tab)
        assert tabs is not None
        assert (tabs[1].tabs, tabs[1].selected, tabs[1].pinned) == ((tab, clock), clock, frozenset({tab}))
        assert not desk.host.hidden


async def test_a_retry_makes_a_group_of_two_windows_and_respects_that_there_is_no_room(desk: Desk) -> None:
    desk.write_app("mail")
    desk.write_app("news")
    async with desk.running() as platform:
        groups, layouts = platform.services.windows.groups, platform.services.layouts
        found = await restored(desk, platform, MAIL, BELOW)
        assert [*groups.all] == []
        await layouts.retry(found["below"])
        mail = instance_of(platform, "mail")
        assert [(one.title, {*one.windows}) for one in groups.all] == [
            ("Prices", {mail, instance_of(platform, "below")})
        ]
        # Another window has taken its place.
        (desk.root / "apps" / "below.json").unlink()
        for store in platform.stores.apps.stores:
            await store.refresh()
        found = await restored(desk, platform, MAIL, BELOW)
        mail = instance_of(platform, "mail")
        news = (await platform.services.instances.start("news")).id
        await groups.join(news, mail, "bottom")
        await layouts.retry(found["below"])
        assert [one.windows.keys() for one in groups.all] == [{mail, news}]
        assert desk.host.bounds(instance_of(platform, "below")) == Bounds(100, 404, 704, 200)


async def test_the_other_tabs_are_in_their_group_when_the_one_in_front_does_not_start(desk: Desk) -> None:
    desk.write_app("mail")
    front = component("tab", bounds=place(100, 100, 400, 300), tabGroupId="t", tabIndex=-2, **GROUPED)
    behind = component("clock", bounds=place(100, 100, 400, 300), tabGroupId="t", tabIndex=0, **GROUPED)
    async with desk.running() as platform:
        windows = platform.services.windows
        found = await restored(desk, platform, behind, front, MAIL)
        clock, mail = instance_of(platform, "clock"), instance_of(platform, "mail")
        assert [one.windows.keys() for one in windows.groups.all] == [{clock, mail}]
        await platform.services.layouts.retry(found["tab"])
        tab = instance_of(platform, "tab")
        assert [one.windows.keys() for one in windows.groups.all] == [{tab, mail}]
        assert [(one.tabs, one.selected) for one in windows.tabs.all.values()] == [((clock, tab), tab)]


@pytest.mark.parametrize(("group", "lefts"), [("g", [1190, 1400]), (None, [1400, 1400])])
def test_windows_of_a_group_whose_display_is_gone_come_back_together(group: str | None, lefts: list[int]) -> None:
    settings: dict[str, Any] = {"restoreSettings": {"groupId": group}} if group else {}
    places = [{"left": left, "top": 100, "width": 200, "height": 200} for left in (2000, 2210)]
    layout = {"components": [component("clock", bounds=place, **settings) for place in places]}
    plan = plan_restore(layout, [], screens=SCREENS, max_size=8192, known=["clock"])
    assert [one.bounds and one.bounds.left for one in plan.apps] == lefts
