"""Windows without the system's decorations: their bar and buttons, moves, states, displays and order on the screen."""

import asyncio

import pytest

from rostrum.desktop.hosts.actions import Center, Focus, SetOnTop, SetSizeLimits, SetState
from rostrum.desktop.windows.geometry import Bounds
from tests.windows.desk import BORDER, CAPTION, DeskOfTests, button, caption, page_area
from tests.windows.pages import page
from tests.windows.screen import Rectangle

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLACE = Rectangle(200, 150, 500, 400)
LEFT, RIGHT = ("LEFT", Rectangle(0, 0, 800, 900)), ("RIGHT", Rectangle(800, 0, 800, 900))
GREEN = (0, 255, 0)
COUNT = "<script>let count = 0; setInterval(() => { count += 1; document.body.dataset.count = count }, 20)</script>"
PAGES = {"/one": page("One", COUNT)}
SETTINGS = {
    "windowManagement": {
        "snapping": {"enabled": True, "approachingDistance": 15, "edgeDistance": 4, "autoAlign": False},
    }
}
APPS = {
    "one": {"url": "/one", "left": 200, "top": 150, "width": 500, "height": 400},
    "two": {"url": "/one", "left": 900, "top": 150, "width": 300, "height": 300},
    "three": {"url": "/one", "left": 1000, "top": 500, "width": 300, "height": 300, "hasSizeAreas": False},
}


async def test_a_window_has_no_decorations_of_the_system_and_a_close_button_of_its_own(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("one")

    assert window.bounds == PLACE
    assert window.pid == desk.host.process
    assert desk.screen.values(window, "_MOTIF_WM_HINTS")[2] == 0
    assert desk.screen.values(window, "_NET_FRAME_EXTENTS") in ([], [0, 0, 0, 0])
    middle = page_area(window).center
    await desk.screen.until("the colour of the page", lambda: desk.screen.pixel(*middle) == GREEN)
    desk.screen.click(*button(window, "close"))
    await desk.report("WindowClosed", instance)
    await desk.screen.until("the window is gone", lambda: desk.screen.if_open(window) is None)
    assert desk.platform.services.instances.get(instance) is None


async def test_a_pressed_button_counts_also_if_its_window_loses_the_focus_before_the_release(desk: DeskOfTests) -> None:
    first, window = await desk.focused("one")
    middle = page_area(window).center
    await desk.screen.until("the colour of the page", lambda: desk.screen.pixel(*middle) == GREEN)
    second, other = await desk.focused("three")
    desk.screen.activate(window)
    await desk.screen.until("the focus", lambda: desk.screen.active() == desk.screen.now(window))
    x, y = button(window, "minimize")
    plain = desk.screen.pixel(x, y - 10)
    # The button has the keyboard.
    desk.screen.key("Tab")
    await desk.screen.until("the button with the keyboard", lambda: desk.screen.pixel(x, y - 10) != plain)
    desk.reported.clear()
    desk.screen.move(x, y)
    desk.screen.press()
    desk.screen.activate(other)
    await desk.report("Focused", second, lambda one: one.focused)
    desk.screen.release()
    await desk.report("StateChanged", first, lambda one: one.state == "minimized")


async def test_a_window_is_never_visible_anywhere_but_at_its_place(desk: DeskOfTests) -> None:
    with desk.screen.watched() as seen:
        for app in ("one", "two"):
            await desk.loaded(app)

    assert sorted(places for places in seen.values() if places[-1].width > 100) == [
        [PLACE],
        [Rectangle(900, 150, 300, 300)],
    ]


async def test_the_taskbar_shows_the_title_of_the_window_and_nothing_else(desk: DeskOfTests) -> None:
    _, window = await desk.start("one")

    assert window.title == "one"


async def test_the_bar_moves_a_window_by_exactly_the_way_of_the_pointer(desk: DeskOfTests) -> None:
    instance, window = await desk.focused("one")

    x, y = caption(window)
    desk.screen.drag((x, y), (x + 120, y + 80))

    await desk.report("Dropped", instance)
    await desk.now(window, "the new place", lambda now: now.bounds == PLACE.moved(120, 80))
    rest = await desk.report("Moved", instance, lambda one: one.at_rest)
    assert rest.bounds == Bounds(320, 230, 500, 400)
    assert desk.platform.host.bounds(instance) == Bounds(320, 230, 500, 400)


async def test_a_command_of_a_client_is_carried_out_and_ends_with_an_event_with_its_token(desk: DeskOfTests) -> None:
    instance, window = await desk.start("one")
    client = await desk.platform.gateway.local_peer("client", "ann")
    events = await client.methods.subscribe("T42.Wnd.OnEvent", {"withConfig": True})
    bounds = {"left": 310, "top": 220, "width": 420, "height": 330}
    order = {"windowId": instance, "command": "moveResize", "token": "t-1", "options": {"bounds": bounds}}

    assert "errorMsg" not in await client.methods.call("T42.Wnd.Execute", order)
    async with asyncio.timeout(desk.screen.patience_for("the event with the token")):
        while (await anext(aiter(events))).get("token") != "t-1":
            pass
    await desk.now(window, "the new place", lambda now: now.bounds == Rectangle(310, 220, 420, 330))
    await client.close()


async def test_an_edge_resizes_a_window_within_its_limits(desk: DeskOfTests) -> None:
    instance, window = await desk.focused("one")
    await desk.act(instance, SetSizeLimits(min_width=300, min_height=200, max_width=550))

    right, middle = window.bounds.right - BORDER // 2, window.bounds.center[1]
    desk.screen.drag((right, middle), (right + 30, middle))
    wider = await desk.now(window, "the new width", lambda now: now.bounds == PLACE._replace(width=530))
    right = wider.bounds.right - BORDER // 2
    desk.screen.drag((right, middle), (right + 300, middle))
    await desk.now(window, "the largest width", lambda now: now.bounds == PLACE._replace(width=550))
    await desk.report("Moved", instance, lambda one: one.at_rest and one.bounds.width == 550)


async def test_a_window_is_minimised_maximised_and_restored_from_outside(desk: DeskOfTests) -> None:
    instance, window = await desk.start("one")

    desk.screen.minimize(window)
    await desk.report("StateChanged", instance, lambda one: one.state == "minimized")
    desk.screen.activate(window)
    await desk.report("StateChanged", instance, lambda one: one.state == "normal")
    await desk.now(window, "the same place", lambda now: now.bounds == PLACE and not now.is_minimized)
    desk.screen.set_maximized(window, on=True)
    await desk.report("StateChanged", instance, lambda one: one.state == "maximized")
    await desk.now(window, "the whole screen", lambda now: now.bounds == Rectangle(0, 0, 1600, 900))
    desk.screen.set_maximized(window, on=False)
    await desk.now(window, "the same place", lambda now: now.bounds == PLACE and not now.is_maximized)
    assert desk.platform.host.bounds(instance) == Bounds(*PLACE)


async def test_the_buttons_of_the_bar_minimise_maximise_and_restore(desk: DeskOfTests) -> None:
    instance, window = await desk.focused("one")

    desk.screen.click(*button(window, "maximize"))
    full = await desk.now(window, "it is maximised", lambda now: now.is_maximized and now.bounds.width == 1600)
    # Without the border, the buttons are nearer to the corner.
    desk.screen.click(full.bounds.right - 15 - 30, 15)
    await desk.now(window, "it is restored", lambda now: not now.is_maximized and now.bounds == PLACE)
    desk.screen.click(*button(window, "minimize"))
    await desk.now(window, "it is minimised", lambda now: now.is_minimized)
    await desk.report("StateChanged", instance, lambda one: one.state == "minimized")
    await desk.act(instance, SetState(state="normal"))
    await desk.now(window, "it is shown", lambda now: not now.is_minimized and now.bounds == PLACE)
    await desk.act(instance, SetState(state="maximized"))
    await desk.now(window, "it is maximised", lambda now: now.is_maximized)
    await desk.act(instance, SetState(state="normal"))
    await desk.now(window, "the same place", lambda now: now.bounds == PLACE)


async def test_a_window_stays_on_top_of_others_and_its_page_continues(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("one")
    async with desk.cdp.page("/one") as inside:
        await inside.evaluate("globalThis.kept = 1")
        await desk.act(instance, SetOnTop(on_top=True))
        await desk.now(window, "it is above", lambda now: "ABOVE" in now.states)
        other, above = await desk.start("two")
        await desk.act(other, Focus())
        await desk.screen.until("the focus of the other", lambda: (one := desk.screen.active()) and one.id == above.id)
        assert desk.windows()[-1].id == window.id
        before = int(await inside.evaluate("count"))
        await inside.until(f"count > {before + 3}")
        assert await inside.evaluate("kept") == 1
        await desk.act(instance, SetOnTop(on_top=False))
        await desk.now(window, "it is not above", lambda now: "ABOVE" not in now.states)


async def test_a_dragged_window_snaps_to_another_one_and_joins_it_unless_alt_is_held(desk: DeskOfTests) -> None:
    first, _ = await desk.loaded("one")
    second, other = await desk.loaded("two")
    await desk.report("Focused", second, lambda one: one.focused)
    x, y = caption(other)
    snapped = Rectangle(PLACE.right + 4, 150, 300, 300)
    # Eight pixels more than the distance at which they rest.
    near = snapped.moved(8, 0)

    with desk.screen.held("Alt_L"):
        desk.screen.drag((x, y), (x + near.x - other.bounds.x, y))
        await desk.report("Dropped", second, lambda one: one.alt)
    await desk.now(other, "it rests where it was dropped", lambda now: now.bounds == near)

    desk.reported.clear()
    x = near.x + 150
    desk.screen.drag((x, y), (x - 5, y))
    dropped = await desk.report("Dropped", second)
    found = dropped.alt, dropped.bounds, desk.platform.host.bounds(first)
    assert found == (False, Bounds(*snapped), Bounds(*PLACE))
    # Both are one native window now, with the header of the group above them.
    header = CAPTION + BORDER
    around = Rectangle(PLACE.x, PLACE.y - header, snapped.right - PLACE.x, PLACE.height + header)
    await desk.screen.until("one window", lambda: [one.bounds for one in desk.windows()] == [around])
    assert desk.platform.host.bounds(second) == Bounds(*snapped)


async def test_several_displays_are_reported_and_windows_come_back_from_one_that_is_unplugged(
    desk: DeskOfTests,
) -> None:
    await desk.divide(LEFT, RIGHT)
    assert [one.work_area for one in desk.platform.host.screens()] == [Bounds(*LEFT[1]), Bounds(*RIGHT[1])]
    instance, window = await desk.start("two")
    assert window.bounds == Rectangle(900, 150, 300, 300)
    await desk.act(instance, Center())
    await desk.now(window, "the middle of its display", lambda now: now.bounds == Rectangle(1050, 300, 300, 300))

    await desk.divide(LEFT)
    back = await desk.now(window, "it is back on the screen", lambda now: now.bounds.right <= 800)
    assert (back.bounds.width, back.bounds.height) == (300, 300)
    await desk.screen.until("its reported place", lambda: desk.platform.host.bounds(instance) == Bounds(*back.bounds))
