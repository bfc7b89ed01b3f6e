"""Layouts put back on the screen: places, sizes, monitors, placeholders, hibernation, many windows at once."""

import json
from collections.abc import Mapping
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import SetState
from rostrum.desktop.hosts.reports import WindowClosed
from rostrum.desktop.services.layout_records import RestoreOptions
from rostrum.desktop.windows.geometry import Bounds
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.cdp import Page
from tests.windows.desk import BORDER, CAPTION, DeskOfTests, button, page_area
from tests.windows.pages import Answer, page
from tests.windows.screen import Rectangle, Window

pytestmark = pytest.mark.asyncio(loop_scope="module")

PATIENCE = 60
TWENTY = 20
ALL_LOAD = Barrier(TWENTY)
LARGEST = 1000
SCREEN = Rectangle(0, 0, 1600, 900)


def slow() -> Answer:
    """Answer when all twenty pages are being loaded, and not before."""
    ALL_LOAD.wait(PATIENCE)
    return page("Side by side")


PAGES = {"/one": page("One"), "/slow": slow}
APPS = {name: {"url": "/one", "left": 50, "top": 50, "width": 300, "height": 200} for name in ("one", "two")}
SETTINGS = {"layouts": {"components": {"maxSize": LARGEST}, "splash": {"disabled": True}}}


async def define(desk: DeskOfTests, name: str, url: str, **members: Any) -> None:
    """Add an app, as the owner of the store does."""
    definition = {"name": name, "type": "window", "title": name, "details": {"url": url}, **members}
    (desk.root / "apps" / f"{name}.json").write_text(json.dumps(definition))
    for store in desk.platform.stores.apps.stores:
        await store.refresh()


def component(app: str, place: Rectangle, **state: Any) -> dict[str, Any]:
    bounds = dict(zip(("left", "top", "width", "height"), place, strict=True))
    return {"type": "window", "application": app, "state": {"bounds": bounds, **state}}


async def stored(desk: DeskOfTests, name: str, *components: Mapping[str, Any]) -> LayoutKey:
    """Store a layout that another desktop has saved."""
    await desk.platform.stores.layouts.save({"name": name, "type": "Global", "components": [*components]})
    return LayoutKey("Global", name)


async def all_loaded(desk: DeskOfTests) -> None:
    for instance in desk.platform.services.instances.all:
        await desk.report("LoadFinished", instance.id)


def places(desk: DeskOfTests) -> dict[str, Rectangle]:
    return {window.title: window.bounds for window in desk.windows()}


@pytest.mark.long
async def test_twenty_windows_load_side_by_side_and_each_is_mapped_at_its_place_only(desk: DeskOfTests) -> None:
    port = desk.pages.address.rpartition(":")[2]
    wanted = {f"side {n}": Rectangle(10 + n % 5 * 315, 10 + n // 5 * 220, 300, 200) for n in range(TWENTY)}
    for number, name in enumerate(wanted):
        # Each has a host of its own: an engine loads only six things of one host at the same time.
        await define(desk, name, f"http://side{number}.localhost:{port}/slow")
    key = await stored(desk, "Twenty", *(component(name, place) for name, place in wanted.items()))

    with desk.screen.watched() as seen:
        assert await desk.platform.services.layouts.restore(key) == ()
        await desk.screen.until("twenty windows", lambda: len(desk.windows()) == TWENTY or None)
        await all_loaded(desk)

    assert places(desk) == wanted
    assert sorted(seen.values()) == sorted([place] for place in wanted.values())


@pytest.mark.rule("R-2.13-2", "X-D-15")
async def test_windows_that_are_too_large_or_on_a_monitor_that_is_gone_are_restored_on_the_screen(
    desk: DeskOfTests,
) -> None:
    left, right = Rectangle(0, 0, 800, 900), Rectangle(800, 0, 800, 900)
    large = component("one", Rectangle(900, 40, LARGEST + 1, 300))
    small = component("two", Rectangle(850, 500, 400, 300))
    key = await stored(desk, "Large", large, small)
    layouts = desk.platform.services.layouts
    await desk.divide(("left", left), ("right", right))

    assert len(await layouts.restore(key)) == 1
    await desk.screen.until(
        "both windows", lambda: places(desk) == {"one": right, "two": Rectangle(850, 500, 400, 300)}
    )
    await desk.close_all()

    away = await stored(desk, "Away", component("one", Rectangle(1700, 950, 400, 300)))
    with desk.screen.watched() as seen:
        await layouts.restore(away)
        (window,) = await desk.screen.until("a window", desk.windows)
    # On the primary monitor: none shows a part of it.
    assert window.bounds == Rectangle(400, 600, 400, 300)
    assert [*seen.values()] == [[window.bounds]]


async def click(desk: DeskOfTests, window: Window, inside: Page, selector: str) -> None:
    """Click an element with the pointer, where it is on the screen."""
    found = f"document.querySelector({selector!r}).getBoundingClientRect()"
    x, y = await inside.evaluate(f"(box => [box.x + box.width / 2, box.y + box.height / 2])({found})")
    area = page_area(window)
    desk.screen.click(area.x + round(x), area.y + round(y))


async def test_an_app_that_does_not_start_leaves_a_placeholder_from_which_a_person_starts_it_there(
    desk: DeskOfTests,
) -> None:
    layouts, place = desk.platform.services.layouts, Rectangle(600, 300, 420, 320)
    missing = component("missing", place, context={"ticker": "ABC"}, windowState="normal", zoomFactor=150)
    key = await stored(desk, "Broken", component("one", Rectangle(50, 50, 300, 200)), missing)

    assert await layouts.restore(key) == ("components[1]: there is no app 'missing'",)
    placeholder = await desk.screen.until("the placeholder", lambda: desk.screen.find("missing (not started)"))
    assert placeholder.bounds == place
    assert not layouts.changed
    # Its app stays in the layout, also when it is saved again.
    assert missing in (await layouts.save("Broken"))["components"]

    async with desk.cdp.page("rostrum-page://placeholder/") as inside:
        await inside.until("document.querySelector('#reason').textContent.includes('missing')")
        await inside.until("document.hasFocus() && document.activeElement.id === 'retry'")
        await click(desk, placeholder, inside, "#retry")
        await inside.until("document.querySelector('#message').textContent.includes('missing')")
        await inside.until("!document.querySelector('#retry').disabled")
        await define(desk, "missing", f"{desk.pages.address}/one")
        await click(desk, placeholder, inside, "#retry")
        window = await desk.screen.until("the app", lambda: desk.screen.find("missing"))
    assert window.bounds == place
    await desk.screen.until("no placeholder", lambda: desk.screen.find("missing (not started)") is None or None)
    (instance,) = (one for one in desk.platform.services.instances.all if one.app == "missing")
    await desk.report("LoadFinished", instance.id)
    assert instance.context == {"ticker": "ABC"}
    assert desk.platform.services.windows.registry.find(instance.id).zoom == 1.5
    assert [one["application"] for one in (await layouts.save("Broken"))["components"]] == ["one", "missing"]


async def test_a_placeholder_is_closed_by_its_button_and_by_the_next_layout(desk: DeskOfTests) -> None:
    layouts, place = desk.platform.services.layouts, Rectangle(600, 300, 420, 320)
    key = await stored(desk, "Gone", component("no such app", place))
    title = "no such app (not started)"

    def is_closed() -> bool:
        return any(isinstance(one, WindowClosed) for one in desk.reported)

    for closed_by in ("button", "layout"):
        desk.reported.clear()
        await layouts.restore(key)
        placeholder = await desk.screen.until("the placeholder", lambda: desk.screen.find(title))
        if closed_by == "button":
            await desk.screen.until("its focus", partial(desk.screen.has_focus, placeholder))
            desk.screen.click(*button(placeholder, "close"))
        else:
            await layouts.restore(await stored(desk, "Empty"))
        await desk.screen.until("no placeholder", lambda: desk.screen.find(title) is None and is_closed())
        assert (await layouts.save("Gone now"))["components"] == []


@pytest.mark.rule("R-2.15-18", "T-D-16")
async def test_hibernation_closes_windows_but_those_that_stay_and_the_layout_resumes(desk: DeskOfTests) -> None:
    layouts = desk.platform.services.layouts
    await define(desk, "stays", f"{desk.pages.address}/one", closeOnHibernate=False)
    stays, _ = await desk.loaded("stays", details={"left": 500, "top": 50, "width": 300, "height": 200})
    one, _ = await desk.loaded("one")
    await desk.platform.host.move_window(one, Bounds(900, 400, 320, 240))
    await desk.report("Moved", one)
    key = LayoutKey("Global", "Sleeping")

    hibernated = await layouts.hibernate(key)
    assert (hibernated.closed, hibernated.open) == (("one",), ("stays",))
    await desk.screen.until("one window", lambda: [*places(desk)] == ["stays"] or None)

    await layouts.restore(key, options=RestoreOptions(close_running=False))
    await desk.screen.until("both windows", lambda: len(desk.windows()) == 2 or None)
    assert places(desk)["one"] == Rectangle(900, 400, 320, 240)
    assert desk.platform.services.instances.get(stays) is not None


async def test_a_collapsed_window_is_restored_collapsed_and_expands_to_its_height(desk: DeskOfTests) -> None:
    layouts, instances = desk.platform.services.layouts, desk.platform.services.instances
    one, window = await desk.loaded("one")
    await desk.act(one, SetState(state="collapsed"))
    bar = Rectangle(50, 50, 300, CAPTION + 2 * BORDER)
    await desk.now(window, "only the bar", lambda now: now.bounds == bar)
    await layouts.save("Collapsed")
    await instances.stop(one)
    await desk.screen.until("no window", lambda: not desk.windows() or None)

    with desk.screen.watched() as seen:
        await layouts.restore(LayoutKey("Global", "Collapsed"))
        (window,) = await desk.screen.until("the window", desk.windows)
        await all_loaded(desk)
    assert [*seen.values()] == [[bar]]
    (again,) = instances.all
    await desk.act(again.id, SetState(state="normal"))
    await desk.now(window, "the whole window", lambda now: now.bounds == Rectangle(50, 50, 300, 200))
