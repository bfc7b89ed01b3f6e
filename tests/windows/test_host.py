"""The window process as a person sees and uses it: places, states, drags, buttons."""

import asyncio

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import (
    Center,
    Flash,
    Focus,
    FrameButton,
    SetButtons,
    SetFrameColor,
    SetLocked,
    SetOnTop,
    SetSizeLimits,
    SetState,
)
from rostrum.desktop.hosts.port import ChannelColor, Opened
from rostrum.desktop.hosts.reports import (
    ButtonClicked,
    ChannelChosen,
    Dropped,
    Focused,
    MayClose,
    Moved,
    Retitled,
    ScreensChanged,
    StateChanged,
    VisibilityChanged,
    WindowClosed,
)
from rostrum.desktop.windows.chrome import Chrome, MoveArea, Selector
from rostrum.desktop.windows.geometry import Bounds
from tests.windows.display import Display
from tests.windows.processes import stopped, window_manager
from tests.windows.real_host import RealHost, real_host, rectangle, site, window
from tests.windows.screen import Rectangle, Screen

ONE = Bounds(100, 120, 500, 400)
TWO = Bounds(800, 150, 300, 200)
PAGES: dict[str, str | bytes] = {"/": "<title>A page</title><body style='background:#00ff00'>"}
CHROME = Chrome(title_editable=True, selector=Selector(type="single", read_only=False, channel=None))
RED = (255, 0, 0)
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.long
async def test_a_window_opens_at_its_place_without_decorations_and_goes_where_it_is_sent(
    display: Display, screen: Screen
) -> None:
    with site(PAGES) as pages:
        async with real_host(display) as running:
            host = running.host
            seen: set[Rectangle] = set()

            async def watch() -> None:
                while True:
                    seen.update(one.bounds for one in screen.windows() if one.title == "Window one")
                    await asyncio.sleep(0.003)

            watching = asyncio.create_task(watch())
            assert await host.open_window(window("one", pages.origin + "/", ONE)) == Opened(bounds=ONE)
            shown = await screen.until("the window", lambda: screen.find("Window one"))
            green = await screen.until("the page", lambda: screen.pixel(350, 400) == (0, 255, 0))
            watching.cancel()
            # No window is ever seen at another place than its own.
            assert green
            assert seen == {rectangle(ONE)}
            assert screen.values(shown, "_NET_FRAME_EXTENTS") in ([], [0, 0, 0, 0])
            assert screen.values(shown, "_MOTIF_WM_HINTS")[2] == 0
            there = Bounds(300, 200, 640, 360)
            await host.move_window("one", there)
            assert host.bounds("one") == there
            await screen.until("the move", lambda: screen.now(shown).bounds == rectangle(there))
            await host.set_title("one", "Renamed")
            await screen.until("the title", lambda: screen.now(shown).title == "Renamed")
            await host.act("one", Center())
            middle = Bounds(480, 270, 640, 360)
            await screen.until("the middle", lambda: screen.now(shown).bounds == rectangle(middle))
            await host.hide_window("one")
            await running.wait_for(VisibilityChanged, lambda one: not one.visible)
            await screen.until("no window", lambda: screen.find("Renamed") is None)
            await host.show_window("one", ONE)
            await screen.until(
                "it is back", lambda: (found := screen.find("Renamed")) and found.bounds == rectangle(ONE)
            )
            await host.act("one", SetOnTop(on_top=True))
            shown = screen.window("Renamed")
            await screen.until("above", lambda: "ABOVE" in screen.now(shown).states)
            await host.act("one", SetOnTop(on_top=False))
            await screen.until("not above", lambda: "ABOVE" not in screen.now(shown).states)
            await host.act("one", SetSizeLimits(min_width=400, max_width=450, min_height=100))
            assert host.bounds("one") == Bounds(100, 120, 450, 400)
            await host.act("one", Flash())
            with pytest.raises(DesktopError, match="no window 'none'"):
                await host.act("none", Focus())
            with pytest.raises(DesktopError, match="open already"):
                await host.open_window(window("one", pages.origin + "/", ONE))
            assert host.bounds("one") == Bounds(100, 120, 450, 400)
            # A new window that must not take the keyboard does not.
            await host.open_window(window("two", pages.origin + "/", TWO, details={"focus": False}))
            await screen.until("the second", lambda: screen.find("Window two"))
            await screen.until(
                "the focus stays", lambda: (now := screen.active()) is not None and now.title == "Renamed"
            )
            await host.act("two", Focus())
            await running.wait_for(Focused, lambda one: one.instance == "two" and one.focused)
            await screen.until("focus", lambda: (now := screen.active()) is not None and now.title == "Window two")


@pytest.mark.long
async def test_states_are_exact_and_reported_for_every_change(running: RealHost, screen: Screen) -> None:
    with site(PAGES) as pages:
        host = running.host
        await host.open_window(window("one", pages.origin + "/", ONE))
        shown = screen.window("Window one")
        await host.act("one", SetState(state="maximized"))
        await screen.until("maximised", lambda: screen.now(shown).is_maximized)
        await screen.until("full", lambda: screen.now(shown).bounds == Rectangle(0, 0, 1600, 900))
        await host.act("one", SetState(state="normal"))
        await screen.until("restored", lambda: screen.now(shown).bounds == rectangle(ONE))
        running.forget()
        screen.minimize(shown)
        await running.wait_for(StateChanged, lambda one: one.state == "minimized")
        await host.act("one", SetState(state="normal"))
        await screen.until("restored", lambda: not screen.now(shown).is_minimized)
        await running.wait_for(StateChanged, lambda one: one.state == "normal")
        running.forget()
        screen.set_maximized(shown, on=True)
        await running.wait_for(StateChanged, lambda one: one.state == "maximized")
        screen.set_maximized(shown, on=False)
        await running.wait_for(StateChanged, lambda one: one.state == "normal")
        await screen.until("restored", lambda: screen.now(shown).bounds == rectangle(ONE))
        assert host.bounds("one") == ONE
        # Moved by another program: reported as it is.
        screen.place(shown, Rectangle(40, 50, 600, 300))
        await running.wait_for(Moved, lambda one: one.bounds == Bounds(40, 50, 600, 300) and one.at_rest)
        await host.act("one", SetState(state="collapsed"))
        await screen.until("collapsed", lambda: screen.now(shown).bounds.height < 50)
        await host.act("one", SetState(state="normal"))
        await screen.until("expanded", lambda: screen.now(shown).bounds == Rectangle(40, 50, 600, 300))
        await host.open_window(window("max", pages.origin + "/", TWO, state="maximized"))
        shown = screen.window("Window max")
        await screen.until("maximised", lambda: screen.now(shown).is_maximized)
        await host.act("max", SetState(state="normal"))
        await screen.until("its place", lambda: screen.now(shown).bounds == rectangle(TWO))
        await host.open_window(window("icon", pages.origin + "/", TWO, state="minimized"))
        await screen.until("an icon", lambda: (one := screen.find("Window icon")) and one.is_minimized)


async def test_late_reports_of_a_slow_window_manager_do_not_change_the_state(running: RealHost, screen: Screen) -> None:
    with site(PAGES) as pages:
        host = running.host
        await host.open_window(window("one", pages.origin + "/", ONE))
        shown = screen.window("Window one")
        await host.act("one", SetState(state="maximized"))
        await screen.until("full", lambda: screen.now(shown).bounds == Rectangle(0, 0, 1600, 900))
        running.forget()
        with stopped(window_manager()):
            await host.act("one", SetState(state="normal"))
            await host.act("one", SetState(state="collapsed"))
            # The window manager has not handled the first request: for the server, the window is maximised.
            screen.report_states_again(shown)
            await asyncio.to_thread(screen.wait_for_program, shown)
            assert screen.now(shown).is_maximized
        await screen.until("collapsed", lambda: screen.now(shown).bounds.height < 50)
        assert [each.state for each in running.heard if isinstance(each, StateChanged)] == ["normal", "collapsed"]
        await host.act("one", SetState(state="normal"))
        await screen.until("expanded", lambda: screen.now(shown).bounds == rectangle(ONE))


async def test_a_state_is_requested_again_after_a_late_report_of_the_same_state(
    running: RealHost, screen: Screen
) -> None:
    with site(PAGES) as pages:
        host = running.host
        await host.open_window(window("one", pages.origin + "/", ONE))
        await host.open_window(window("two", pages.origin + "/", TWO))
        shown, other = screen.window("Window one"), screen.window("Window two")
        await host.act("one", SetState(state="maximized"))
        await screen.until("full", lambda: screen.now(shown).bounds == Rectangle(0, 0, 1600, 900))
        with stopped(window_manager()):
            await host.act("one", SetState(state="normal"))
            screen.report_states_again(shown)
            await asyncio.to_thread(screen.wait_for_program, shown)
            await host.act("one", SetState(state="maximized"))
            screen.set_maximized(other, on=True)
        # The window manager handles requests in their order, so it has restored the first window when it maximises the
        # other one.
        await screen.until("the other", lambda: screen.now(other).is_maximized)
        await screen.until("full again", lambda: screen.now(shown).bounds == Rectangle(0, 0, 1600, 900))


async def test_a_person_drags_resizes_and_snaps_windows(running: RealHost, screen: Screen) -> None:
    with site(PAGES) as pages:
        host = running.host
        await host.open_window(window("two", pages.origin + "/", TWO))
        await host.open_window(window("one", pages.origin + "/", ONE))
        one = screen.window("Window one")
        grip = (300, 135)
        await asyncio.to_thread(screen.drag, grip, (420, 215))
        await screen.until("the drag", lambda: screen.now(one).bounds == rectangle(ONE).moved(120, 80))
        dropped = await running.wait_for(Dropped)
        assert dropped.bounds == Bounds(220, 200, 500, 400)
        assert host.bounds("one") == dropped.bounds
        await screen.until("the release", lambda: screen.now(one).bounds == Rectangle(220, 200, 500, 400))
        assert [each.at_rest for each in running.heard if isinstance(each, Moved)][-1]
        # Eight pixels from the other window: its edge attracts, with the gap that the settings want.
        running.forget()
        left = 800 - 4 - 500 - 8
        await asyncio.to_thread(screen.drag, (420, 215), (420 + left - 220, 215))
        await running.wait_for(Dropped)
        await screen.until("the report", lambda: host.bounds("one") == Bounds(296, 200, 500, 400))
        await screen.until("snapped", lambda: screen.now(one).bounds == Rectangle(296, 200, 500, 400))
        # A locked window stays. This is checked at the end, when the drag has certainly been processed.
        await host.act("two", SetLocked(locked=True))
        running.forget()
        await asyncio.to_thread(screen.drag, (900, 165), (850, 300))
        # Qt asks for the focus when it gets the press; it must not ask for it after the next press.
        await running.wait_for(Focused, lambda each: each.instance == "two" and each.focused)
        # The lower right corner.
        running.forget()
        await asyncio.to_thread(screen.drag, (794, 598), (734, 638))
        await screen.until("resized", lambda: screen.now(one).bounds == Rectangle(296, 200, 440, 440))
        await screen.until("the report", lambda: host.bounds("one") == Bounds(296, 200, 440, 440))
        # The left edge, not below the smallest size.
        await host.act("one", SetSizeLimits(min_width=400))
        await asyncio.to_thread(screen.drag, (297, 400), (497, 400))
        await screen.until("the smallest", lambda: screen.now(one).bounds == Rectangle(336, 200, 400, 440))
        # With ALT nothing attracts.
        running.forget()
        with screen.held("Alt_L"):
            await asyncio.to_thread(screen.drag, (420, 215), (472, 215))
        await running.wait_for(Dropped, lambda each: each.alt)
        await screen.until("the report", lambda: host.bounds("one") == Bounds(388, 200, 400, 440))
        assert screen.window("Window two").bounds == rectangle(TWO)


async def test_buttons_title_and_channel_of_the_caption_bar_work(running: RealHost, screen: Screen) -> None:
    with site(PAGES) as pages:
        host = running.host
        await host.set_channels((ChannelColor(name="Red", color="#ff0000"), ChannelColor(name="Blue", color="#0000ff")))
        await host.open_window(window("one", pages.origin + "/", ONE, chrome=CHROME))
        one = screen.window("Window one")
        await screen.until("the page", lambda: screen.pixel(350, 400) == (0, 255, 0))
        # The selector is at the left of the bar; its menu has one line for each channel.
        menu = await screen.menu_at(123, 139)
        screen.click(menu.x + 40, menu.y + 14)
        assert await running.wait_for(ChannelChosen) == ChannelChosen(instance="one", channels=("Red",))
        await host.set_channel("one", ("Red",))
        await screen.until("red", lambda: screen.pixel(113, 130) == RED)
        await host.set_channel("one", ())
        await screen.until("no longer red", lambda: screen.pixel(113, 130) != RED)
        # A person types another title.
        screen.click(155, 139, times=2)
        await screen.until("the editor", lambda: screen.pixel(400, 139) == (255, 255, 255))
        screen.key("Control_L", "a")
        await asyncio.to_thread(screen.type, "mine\n")
        assert await running.wait_for(Retitled) == Retitled(instance="one", title="mine")
        await host.act("one", SetFrameColor(color="#112233"))
        await screen.until("the colour", lambda: screen.pixel(101, 300) == (0x11, 0x22, 0x33))
        place = (600 - 4 - 2 - 13 - 3 * 30, 139)
        without = screen.pixel(*place)
        await host.act("one", SetButtons(buttons=(FrameButton(id="help", tooltip="Help", image=BUTTON),)))
        await screen.until("the button", lambda: screen.pixel(*place) != without)
        await asyncio.to_thread(screen.click, *place)
        assert (await running.wait_for(ButtonClicked)).button == "help"
        # Minimise, maximise, restore, close: from the right.
        await asyncio.to_thread(screen.click, 600 - 4 - 2 - 13 - 30, 139)
        await screen.until("maximised", lambda: screen.now(one).is_maximized)
        await asyncio.to_thread(screen.click, 1600 - 2 - 13 - 30, 15)
        await screen.until("restored", lambda: screen.now(one).bounds == rectangle(ONE))
        await asyncio.to_thread(screen.click, 600 - 4 - 2 - 13 - 60, 139)
        await screen.until("minimised", lambda: screen.now(one).is_minimized)
        await running.wait_for(Focused, lambda each: not each.focused)
        running.forget()
        screen.activate(one)
        await screen.until("shown", lambda: not screen.now(one).is_minimized)
        await running.wait_for(StateChanged, lambda each: each.state == "normal")
        answers = [False, True]

        async def answer(question: MayClose) -> bool:
            return answers.pop(0)

        running.reports.handle(MayClose, answer)
        close = (600 - 4 - 2 - 13, 139)
        await asyncio.to_thread(screen.click, *close)
        await screen.until("the question", lambda: len(answers) == 1)
        assert screen.if_open(one) is not None
        assert not [each for each in running.heard if isinstance(each, WindowClosed)]

        def closed() -> bool:
            screen.ask_to_close(one)
            return screen.if_open(one) is None

        await screen.until("closed", closed)
        await running.wait_for(WindowClosed)


async def test_html_windows_are_grabbed_at_their_move_area(running: RealHost, screen: Screen) -> None:
    chrome = Chrome(move_area=MoveArea(thickness="0, 20, 0, 0", margins={}), buttons="always")
    with site(PAGES) as pages:
        request = window("one", pages.origin + "/", ONE, chrome=chrome, details={"mode": "html"}, snapping=None)
        await running.host.open_window(request)
        one = screen.window("Window one")
        # The page begins at the upper edge: there is no bar.
        await screen.until("the page", lambda: screen.pixel(200, 130) == (0, 255, 0))
        await asyncio.to_thread(screen.drag, (300, 132), (350, 182))
        await screen.until("the drag", lambda: screen.now(one).bounds == rectangle(ONE).moved(50, 50))
        await asyncio.to_thread(screen.click, 650 - 4 - 13, 170 + 4 + 11)
        await running.wait_for(WindowClosed)


async def test_windows_come_back_when_their_monitor_disappears(display: Display, screen: Screen) -> None:
    left, right = ("LEFT", Rectangle(0, 0, 800, 900)), ("RIGHT", Rectangle(800, 0, 800, 900))
    screen.set_monitors(left, right)
    with site(PAGES) as pages:
        async with real_host(display) as running:
            host = running.host
            assert [(one.name, one.primary, one.bounds) for one in host.screens()] == [
                ("LEFT", True, Bounds(0, 0, 800, 900)),
                ("RIGHT", False, Bounds(800, 0, 800, 900)),
            ]
            await host.open_window(window("one", pages.origin + "/", Bounds(900, 100, 400, 300)))
            await host.open_window(window("two", pages.origin + "/", Bounds(100, 100, 400, 300)))
            running.forget()
            screen.set_monitors(left)
            changed = await running.wait_for(ScreensChanged)
            assert [one.name for one in changed.screens] == ["LEFT"]
            await screen.until("its place", lambda: host.bounds("one") == Bounds(400, 100, 400, 300))
            await screen.until("the move", lambda: screen.window("Window one").bounds == Rectangle(400, 100, 400, 300))
            assert host.bounds("two") == Bounds(100, 100, 400, 300)


BUTTON = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
