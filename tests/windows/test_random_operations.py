"""Random sequences of operations: after each one, the screen shows what the model of the platform says."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rostrum.desktop.hosts.actions import SetLocked
from rostrum.desktop.windows.geometry import Bounds
from rostrum.stores.layouts.store import LayoutKey
from tests.long_form import LONG, cycles
from tests.windows.desk import DeskOfTests, button, caption
from tests.windows.desk_model import DeskModel
from tests.windows.pages import page
from tests.windows.processes import descendants, memory
from tests.windows.random_operations import COLORS, RandomOperations

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPERATIONS = 40
PAGES = {f"/{name}": page(name, name, color=f"#{bytes(color).hex()}") for name, color in COLORS.items()}
APPS = {
    name: {"url": f"/{name}", "left": 60 + number * 180, "top": 60 + number * 110, "width": 480, "height": 260}
    for number, name in enumerate(COLORS)
}
SETTINGS = {"windowManagement": {"group": {"tabs": {"showSelectedTabTitleInTaskbar": True}}}}


async def settled(desk: DeskOfTests, windows: int) -> None:
    """Wait until there are so many native windows, as the model says."""
    model = DeskModel(desk, COLORS)
    try:
        await desk.screen.until(
            f"{windows} windows", lambda: len(desk.windows()) == windows and model.differences() == []
        )
    except AssertionError as error:
        raise AssertionError("\n".join([str(error), *model.differences()])) from None


@pytest.mark.long
async def test_windows_that_change_their_frame_report_their_place_and_keep_their_tabs(desk: DeskOfTests) -> None:
    a, b, c = [(await desk.loaded(name))[0] for name in ("a", "b", "c")]
    services = desk.platform.services.windows
    await services.groups.join(b, a)
    await settled(desk, 2)
    await services.groups.leave(b)
    await settled(desk, 3)
    assert services.registry.find(b).bounds == Bounds(544, 60, 480, 260)
    # Tabs join a group and leave it together, also while the group is maximized.
    await services.tabs.join(c, b)
    await services.groups.join(c, a, "bottom")
    await settled(desk, 1)
    await services.control.set_state(a, "maximized")
    await settled(desk, 1)
    await services.groups.leave(c)
    await settled(desk, 2)
    assert services.registry.find(c).bounds == Bounds(60, 324, 480, 260)
    # A window becomes a tab of a neighbour in its own group.
    await services.groups.join(c, a)
    await settled(desk, 1)
    await services.tabs.join(a, c)
    await settled(desk, 1)
    assert [*services.groups.all] == []
    # The tab in front leaves a group for other tabs of it: the next one has its place.
    d, _ = await desk.loaded("d")
    await services.groups.join(d, a)
    await services.tabs.join(a, d)
    await settled(desk, 1)
    (group,) = services.groups.all
    assert {*group.windows} == {a, c} or {*group.windows} == {a, b}


@pytest.mark.long
async def test_windows_stay_hidden_and_locked_whatever_group_they_are_in(desk: DeskOfTests) -> None:
    a, b, c = [(await desk.loaded(name))[0] for name in ("a", "b", "c")]
    services = desk.platform.services.windows
    await services.groups.join(b, a)
    # The tabs of a place are hidden together.
    await services.tabs.join(c, b)
    for one in (c, a):
        await services.control.hide(one)
    await settled(desk, 0)
    await services.control.show(a)
    await settled(desk, 1)
    assert not services.registry.find(b).visible
    # A hidden tab that leaves its place has a frame of its own, which is not shown.
    await services.tabs.leave(c)
    await settled(desk, 1)
    await services.tabs.join(c, b)
    await settled(desk, 1)
    await services.control.act(a, SetLocked(locked=True))
    await services.groups.leave(c)
    await settled(desk, 1)
    assert not services.registry.find(b).visible
    # The drag has no effect; what it would do comes before the effect of the click.
    (window,) = desk.windows()
    desk.screen.drag(caption(window), (caption(window)[0] + 90, caption(window)[1] + 90))
    desk.screen.click(*button(window, "minimize"))
    await desk.report("StateChanged", a, lambda one: one.state == "minimized")
    assert services.registry.find(a).bounds == Bounds(*window.bounds)


@pytest.mark.long
async def test_windows_that_leave_a_minimized_group_are_mapped_at_their_own_places_only(desk: DeskOfTests) -> None:
    a, b = [(await desk.loaded(name))[0] for name in ("a", "b")]
    services, layouts = desk.platform.services.windows, desk.platform.services.layouts
    await services.groups.join(b, a)
    await settled(desk, 1)
    await services.control.set_state(a, "minimized")
    await settled(desk, 1)
    with desk.screen.watched() as seen:
        await services.groups.leave(b)
        await settled(desk, 2)
    assert {one.title: seen[desk.screen.outer(one)] for one in desk.windows()} == {
        "a": [(60, 60, 480, 260)],
        "b": [(544, 60, 480, 260)],
    }
    # A minimized window of a layout does not minimize the group that the layout does not have.
    await services.control.set_state(b, "minimized")
    await layouts.save("Apart")
    await services.control.set_state(b, "normal")
    await services.control.move(b, left=700, top=500)
    await services.groups.join(b, a, "bottom")
    await settled(desk, 1)
    with desk.screen.watched() as seen:
        await layouts.restore(LayoutKey("Global", "Apart"))
        await settled(desk, 2)
    own = {desk.screen.outer(one) for one in desk.windows()}
    places = {place for one in own & seen.keys() for place in seen[one]}
    assert places <= {(60, 60, 480, 260), (60, 324, 480, 260), (544, 60, 480, 260)}
    # A minimized window that is moved appears at the new place.
    await services.control.set_state(b, "minimized")
    await settled(desk, 2)
    with desk.screen.watched() as seen:
        await services.control.move(b, left=300, top=400)
        desk.screen.activate(next(one for one in desk.windows() if one.title == "b"))
        await desk.screen.until("the window", lambda: services.registry.find(b).state == "normal")
        await settled(desk, 2)
    assert [*seen.values()] == [[(300, 400, 480, 260)]]


@pytest.mark.long
async def test_the_screen_shows_the_model_after_each_of_many_random_operations(
    desk: DeskOfTests, record_testsuite_property: Callable[[str, object], None]
) -> None:
    """The long form is ``LONG=25``, so many sequences: 1,000 operations, with the memory that they leave."""
    host = desk.host.process
    assert host is not None
    first = int(os.environ.get("SEED", "1"))
    failures: list[str] = []
    sizes: list[tuple[int, int]] = []
    for seed in range(first, first + cycles(1)):
        operations = RandomOperations(desk, seed)
        try:
            for _ in range(OPERATIONS):
                await operations.next()
        except AssertionError as error:
            failures.append(str(error))
            desk.screen.save(Path("build/failed-windows"), f"seed {seed}")
            desk.screen.release()
        await desk.close_all()
        sizes.append((memory(host, *descendants(host)), memory(os.getpid())))

    record_testsuite_property("KiB after each sequence", sizes)
    assert not failures, "\n\n".join(failures)
    assert desk.host.process == host
    if LONG:
        for each in zip(*sizes, strict=True):
            # After the first sequences, caches are filled at most.
            assert min(each[-3:]) - max(each[:5]) < 40_000, sizes
