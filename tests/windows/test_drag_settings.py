"""Drags on the screen with settings of snapping and of ALT that other tests do not use."""

import pytest

from rostrum.desktop.windows.geometry import Bounds
from tests.windows.desk import BORDER, DeskOfTests, caption
from tests.windows.pages import page
from tests.windows.screen import Rectangle, Window
from tests.windows.test_native_windows import program

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGES = {f"/{name}": page(name, name) for name in ("a", "b", "tab")}
SIZE = {"width": 400, "height": 300}
APPS = {
    "a": {"url": "/a", "left": 100, "top": 200, **SIZE},
    "b": {"url": "/b", "left": 900, "top": 230, **SIZE},
    "tab": {"url": "/tab", "left": 700, "top": 550, **SIZE, "mode": "tab"},
    "calc": program("calc", "300,600,300,200"),
}
SETTINGS = {
    "windowManagement": {
        "snapping": {"approachingDistance": 20, "edgeDistance": 8, "autoAlign": False},
        "snapToScreenEdges": {"enabled": True, "distance": 25},
        "alternateBehavior": {"snapping": {"reverse": True}, "dropInTabGroup": {"reverse": True}},
    }
}


async def opened(desk: DeskOfTests, app: str) -> tuple[str, Window]:
    """Start an app, and wait until its window has the keyboard."""
    instance, window = await desk.loaded(app)
    await desk.report("Focused", instance, lambda report: report.focused)
    return instance, window


async def drag(desk: DeskOfTests, instance: str, by: tuple[int, int], *, alt: bool, grip: int = 200) -> Bounds:
    """Drag a window by its caption bar, held some pixels from its left edge; return where it is dropped."""
    registry = desk.platform.services.windows.registry
    record = registry.find(instance).bounds
    start = round(record.left) + grip, round(record.top) + BORDER + 15
    end = start[0] + by[0], start[1] + by[1]
    desk.reported.clear()

    with desk.screen.held(*(("Alt_L",) if alt else ())):
        await desk.screen.drag_until(start, end, lambda: registry.find(instance).bounds != record)
        desk.screen.release()
    bounds: Bounds = (await desk.report("Dropped", instance, lambda report: report.alt is alt)).bounds
    return bounds


@pytest.mark.setting(
    "windowManagement.snapping.approachingDistance",
    "windowManagement.snapping.autoAlign",
    "windowManagement.snapping.edgeDistance",
    "windowManagement.alternateBehavior.snapping.reverse",
)
@pytest.mark.rule("R-2.16-11")
async def test_alt_lets_a_drag_snap_at_the_distance_of_the_settings_when_it_is_reversed(desk: DeskOfTests) -> None:
    a, _ = await opened(desk, "a")
    b, _ = await opened(desk, "b")
    groups = desk.platform.services.windows.groups

    # Without ALT it stays apart, as it does too far away with ALT.
    assert await drag(desk, b, (-388, 0), alt=False) == Bounds(512, 230, 400, 300)
    assert await drag(desk, b, (20, 0), alt=True) == Bounds(532, 230, 400, 300)
    assert [*groups.all] == []
    # Nearer it snaps with the gap of the settings, and keeps its height.
    beside = Bounds(508, 230, 400, 300)
    assert await drag(desk, b, (-12, 0), alt=True) == beside
    await desk.screen.until("the group", lambda: groups.of(b) is not None)
    assert groups.all[0].windows == {a: Bounds(100, 200, 400, 300), b: beside}
    await desk.screen.until("one native window", lambda: [one.title for one in desk.windows()] == ["Group"])


@pytest.mark.setting("windowManagement.alternateBehavior.dropInTabGroup.reverse")
@pytest.mark.rule("R-2.16-11")
async def test_alt_lets_a_window_become_a_tab_when_it_is_reversed(desk: DeskOfTests) -> None:
    below, lower = await opened(desk, "tab")
    a, _ = await opened(desk, "a")
    tabs = desk.platform.services.windows.tabs
    x, y = caption(lower)

    # Held at its left end, it covers the right half of the other window only; then it is held at its right end.
    assert await drag(desk, a, (x - 140, y - 219), alt=False, grip=40) == Bounds(x - 40, y - 19, 400, 300)
    assert tabs.of(a) is None
    await drag(desk, a, (-300, 0), alt=True, grip=280)
    await desk.screen.until("both are tabs", lambda: tabs.of(a) is not None)
    await desk.screen.until("one native window", lambda: [one.id for one in desk.windows()] == [lower.id])
    assert tabs.of(below) == tabs.of(a)


@pytest.mark.setting("windowManagement.snapToScreenEdges.enabled", "windowManagement.snapToScreenEdges.distance")
@pytest.mark.rule("R-2.16-10")
async def test_the_edge_of_the_screen_attracts_windows_of_web_apps_and_no_programs(desk: DeskOfTests) -> None:
    calc, program_window = await desk.start("calc")
    await desk.report("ProgramWindowChanged", calc, lambda one: one.bounds is not None)
    near = Rectangle(24, 640, 300, 200)
    desk.screen.place(program_window, near)
    await desk.report("ProgramWindowChanged", calc, lambda one: one.bounds == Bounds(*near))
    a, window = await opened(desk, "a")

    assert await drag(desk, a, (-74, 0), alt=True) == Bounds(26, 200, 400, 300)
    assert await drag(desk, a, (-2, -176), alt=True) == Bounds(0, 0, 400, 300)
    await desk.now(window, "in the corner", lambda now: now.bounds == Rectangle(0, 0, 400, 300))
    assert desk.screen.now(program_window).bounds == near
