"""Groups as a person sees and uses them: one native window with several pages."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
import pytest_asyncio

from rostrum.desktop.hosts.actions import Focus, SetLocked, SetOnTop, SetState
from rostrum.desktop.hosts.reports import (
    Dropped,
    Focused,
    GroupRetitled,
    HostRestored,
    LoadFinished,
    Moved,
    RendererStarted,
    StateChanged,
    TornOut,
    WindowClosed,
)
from rostrum.desktop.windows.geometry import Bounds, box
from rostrum.desktop.windows.gestures import LongPress
from rostrum.desktop.windows.groups import GroupDrawing, Header
from tests.ports import free_port
from tests.windows.cdp import Cdp, Page
from tests.windows.display import Display
from tests.windows.processes import processes
from tests.windows.real_host import RealHost, about, equal_to, real_host, rectangle, site, window
from tests.windows.screen import Rectangle, Screen, Window

BORDER, CAPTION, GAP = 4, 30, 4
HEADER = CAPTION + BORDER
PAGES: dict[str, str | bytes] = {
    f"/{name}": f"<title>{name}</title><body style='background:{color};margin:0'>{name}"
    for name, color in (("a", "#ff0000"), ("b", "#00ff00"), ("c", "#0000ff"), ("d", "#ffff00"), ("e", "#00ffff"))
}
COLORS = {"a": (255, 0, 0), "b": (0, 255, 0), "c": (0, 0, 255)}
A, B = Bounds(100, 200, 400, 300), Bounds(504, 200, 300, 300)
C = Bounds(504, 504, 300, 200)
BACKGROUND = "#123456"
pytestmark = pytest.mark.asyncio(loop_scope="module")


def drawing(windows: dict[str, Bounds], **more: Any) -> GroupDrawing:
    """Return what the platform sends for a group."""
    title = more.pop("title", "Group")
    more.setdefault("header", Header(title=title, editable=True))
    more.setdefault("filled", (Bounds(500, 200, 4, 300),))
    return GroupDrawing(
        id=more.pop("id", "g"),
        type="Web",
        bounds=box(windows.values()),
        windows=windows,
        background=BACKGROUND,
        system_buttons=more.pop("system_buttons", False),
        edge=GAP,
        title=title,
        **more,
    )


def frame_of(windows: dict[str, Bounds]) -> Rectangle:
    """Return where the native window of a group with a header is."""
    whole = rectangle(box(windows.values()))
    return Rectangle(whole.x, whole.y - HEADER, whole.width, whole.height + HEADER)


def center(bounds: Bounds) -> tuple[int, int]:
    return rectangle(bounds).center


def caption_of(bounds: Bounds) -> tuple[int, int]:
    """Return a point of the caption bar of one window."""
    return round(bounds.left) + 150, round(bounds.top) + BORDER + CAPTION // 2


def header_of(windows: dict[str, Bounds]) -> tuple[int, int]:
    """Return a point of the header, beside the title."""
    frame = frame_of(windows)
    return frame.x + 250, frame.y + BORDER + CAPTION // 2


@dataclass
class Desk:
    """A running window process with its pages."""

    running: RealHost
    cdp: Cdp
    screen: Screen
    origin: str

    @property
    def host(self) -> Any:
        return self.running.host

    def frames(self) -> list[Window]:
        """Return the native windows of apps."""
        return [one for one in self.screen.windows() if one.title.startswith(("Window", "Group", "Mine"))]

    async def open(self, name: str, bounds: Bounds, **more: Any) -> None:
        """Open a window, and wait until its page is drawn."""
        await self.host.open_window(window(name, f"{self.origin}/{name}", bounds, **more))
        await self.running.wait_for(LoadFinished, lambda one: one.instance == name)

    async def group(self, windows: dict[str, Bounds], **more: Any) -> Window:
        """Draw a group, and wait until it is the only native window of its members."""
        await self.host.show_group(drawing(windows, **more))
        title = more.get("title", "Group")

        def shown() -> Window | None:
            found = self.screen.find(title)
            return found if found is not None and found.bounds == frame_of(windows) else None

        return await self.screen.until("the group", shown)

    async def bounds(self, places: dict[str, Bounds]) -> None:
        """Wait until windows have reported their places."""
        await self.screen.until(
            f"the places {places}; now {[self.host.bounds(one) for one in places]}",
            lambda: {one: self.host.bounds(one) for one in places} == places,
        )

    async def pages(self, places: dict[str, Bounds]) -> None:
        """Wait until the pages of windows are seen at their places."""
        await self.screen.until(
            f"the pages at {places}",
            lambda: all(self.screen.pixel(*center(bounds)) == COLORS[name] for name, bounds in places.items()),
        )

    async def renderer(self, name: str) -> int:
        return (await self.running.wait_for(RendererStarted, lambda one: one.instance == name)).process


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running_desk(display: Display, connected_screen: Screen) -> AsyncIterator[Desk]:
    """One window process for all tests."""
    port = free_port()
    with site(PAGES) as pages:
        async with real_host(display, ROSTRUM_WINDOWS_DEBUGGING=f"127.0.0.1:{port}") as running:
            yield Desk(running, Cdp(port), connected_screen, pages.origin)


@pytest_asyncio.fixture(loop_scope="module")
async def one(running_desk: Desk, screen: Screen) -> AsyncIterator[Desk]:
    """The window process, without windows."""
    yield running_desk
    await running_desk.running.close_windows()
    await screen.until("no windows", lambda: not screen.windows())


async def screen_x(page: Page) -> Any:
    return await page.evaluate("screenX")


@pytest.mark.rule("R-2.6-9", "R-2.6-20", "R-2.16-3")
async def test_a_group_is_one_native_window_and_its_pages_go_on(one: Desk, screen: Screen) -> None:
    running = one.running
    await one.open("a", A)
    await one.open("b", B)
    pids = {await one.renderer("a"), await one.renderer("b")}
    async with one.cdp.page("/a") as page_a, one.cdp.page("/b") as page_b:
        size = await page_b.evaluate("window.mine = 42; innerWidth + 'x' + innerHeight")
        # The event of its first size may still be to come: pages get it before they draw.
        await page_b.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        await page_b.evaluate("window.sizes = []; onresize = () => sizes.push([innerWidth, innerHeight]); true")
        await page_a.evaluate("window.mine = 41; true")
        assert len(one.frames()) == 2
        first = screen.window("Window a")
        running.forget()
        shown = await one.group({"a": A, "b": B})
        # The window of the first member becomes that of the group.
        assert shown.id == first.id
        # No buttons of the system: the window manager draws nothing around it.
        assert not any(screen.values(shown, "_NET_FRAME_EXTENTS"))
        await screen.until("one native window", lambda: len(one.frames()) == 1)
        await one.pages({"a": A, "b": B})
        await screen.until("the gap", lambda: screen.pixel(502, 300) == (0x12, 0x34, 0x56))
        assert await page_b.evaluate("window.mine + ' ' + innerWidth + 'x' + innerHeight") == f"42 {size}"
        # Its place is as large as its window was, so it has seen no other size.
        assert await page_b.evaluate("sizes") == []
        # A third window joins below; the frame grows, and the room without a window is filled.
        await one.open("c", Bounds(900, 300, 300, 200))
        await one.group({"a": A, "b": B, "c": C}, title="Group of three")
        await screen.until("one native window", lambda: len(one.frames()) == 1)
        await screen.until("the third page", lambda: screen.pixel(*center(C)) == COLORS["c"])
        await screen.until("the hole", lambda: screen.pixel(300, 600) == (0x12, 0x34, 0x56))
        assert one.host.bounds("c") == C
        # Without a header, the windows stay where they are.
        await one.host.show_group(drawing({"a": A, "b": B, "c": C}, header=None))
        whole = rectangle(box([A, B, C]))
        await screen.until("no header", lambda: one.frames()[0].bounds == whole)
        # One leaves: it gets a frame of its own at its place.
        await one.group({"b": B, "c": C})
        await screen.until("two native windows", lambda: len(one.frames()) == 2)
        await screen.until("its place", lambda: screen.window("Window a").bounds == rectangle(A))
        await one.host.hide_group("g")
        await screen.until("three native windows", lambda: len(one.frames()) == 3)
        places = {"a": A, "b": B, "c": C}
        await screen.until(
            "their places",
            lambda: (
                {each.title: each.bounds for each in one.frames()}
                == {f"Window {name}": rectangle(bounds) for name, bounds in places.items()}
            ),
        )
        await one.pages(places)
        assert [await page_a.evaluate("window.mine"), await page_b.evaluate("window.mine")] == [41, 42]
    assert not [each for each in running.heard if isinstance(each, RendererStarted) and each.instance in "ab"]
    assert pids <= processes().keys()


@pytest.mark.rule("R-2.16-3")
async def test_a_group_is_moved_by_its_header_and_changes_its_state_as_one_window(one: Desk, screen: Screen) -> None:
    running, host = one.running, one.host
    await one.open("a", A)
    await one.open("b", B)
    shown = await one.group({"a": A, "b": B})
    async with one.cdp.page("/a") as page_a, one.cdp.page("/b") as page_b:
        before = [await screen_x(page_a), await screen_x(page_b)]
        running.forget()
        grip = header_of({"a": A, "b": B})
        await asyncio.to_thread(screen.drag, grip, (grip[0] + 120, grip[1] + 80))
        moved = {"a": Bounds(220, 280, 400, 300), "b": Bounds(624, 280, 300, 300)}
        await screen.until("the move", lambda: screen.now(shown).bounds == frame_of(moved))
        for name, bounds in moved.items():
            await running.wait_for(Moved, equal_to(Moved(instance=name, bounds=bounds)))
        await running.until(lambda: screen_x(page_a), lambda now: now == before[0] + 120)
        await running.until(lambda: screen_x(page_b), lambda now: now == before[1] + 120)
        # Only windows that are dropped alone can join a group.
        assert not [each for each in running.heard if isinstance(each, Dropped)]
        # A group that is dragged away and back reports that it is where it was.
        grip = header_of(moved)
        await asyncio.to_thread(screen.drag, grip, (grip[0] + 60, grip[1]), drop=False)
        away = moved["b"].left + 60
        await running.wait_for(Moved, lambda each: each.instance == "b" and each.bounds.left == away)
        running.forget()
        screen.move(*grip)
        await screen.until("the way back", lambda: screen.now(shown).bounds == frame_of(moved))
        screen.release()
        for name, bounds in moved.items():
            await running.wait_for(Moved, equal_to(Moved(instance=name, bounds=bounds)))
        # All members have the state of their frame, and come back to exactly the same places.
        for state in ("maximized", "minimized"):
            running.forget()
            await host.act("b", SetState(state=state))
            for name in moved:
                await running.wait_for(StateChanged, equal_to(StateChanged(instance=name, state=state)))
            if state == "maximized":
                await screen.until("full", lambda: screen.now(shown).bounds == Rectangle(0, 0, 1600, 900))
                await page_a.until("innerWidth > 800")
            else:
                await screen.until("an icon", lambda: screen.now(shown).is_minimized)
            await host.act("a", SetState(state="normal"))
            await screen.until("restored", lambda: screen.now(shown).bounds == frame_of(moved))
            await screen.until("shown", lambda: not screen.now(shown).is_minimized)
            await one.bounds(moved)
            await page_a.until(f"innerWidth === {400 - 2 * BORDER}")
    await host.act("a", SetOnTop(on_top=True))
    await screen.until("above", lambda: "ABOVE" in screen.now(shown).states)
    # A person enters a title; the platform draws it, also for the taskbar.
    frame = frame_of(moved)
    await screen.until("the header", lambda: not screen.menus())
    screen.click(frame.x + 25, frame.y + BORDER + CAPTION // 2, times=2)
    white = (255, 255, 255)
    await screen.until("the editor", lambda: screen.pixel(frame.x + 300, frame.y + BORDER + CAPTION // 2) == white)
    screen.key("Control_L", "a")
    await asyncio.to_thread(screen.type, "mine\n")
    assert await running.wait_for(GroupRetitled) == GroupRetitled(group="g", title="mine")
    await host.show_group(drawing(moved, title="Mine"))
    await screen.until("the title in the taskbar", lambda: screen.now(shown).title == "Mine")
    # A locked group stays: the click after the drag finds the close button of its header, which closes all.
    await host.act("a", SetLocked(locked=True))
    grip = header_of(moved)
    await asyncio.to_thread(screen.drag, grip, (grip[0] + 50, grip[1] + 50))
    running.forget()
    close = (frame.right - BORDER - 15, frame.y + BORDER + CAPTION // 2)
    await asyncio.to_thread(screen.click, *close)
    for name in moved:
        await running.wait_for(WindowClosed, about(name))
    await screen.until("no window", lambda: not one.frames())


@pytest.mark.rule("R-2.6-7")
async def test_a_group_has_the_buttons_of_the_window_manager_and_stays_on_top_where_that_is_wanted(
    one: Desk, screen: Screen
) -> None:
    host, places = one.host, {"a": A, "b": B}
    await one.open("a", A)
    await one.open("b", B)
    first = screen.window("Window a")
    await host.act("a", SetOnTop(on_top=True))
    await screen.until("above", lambda: "ABOVE" in screen.now(first).states)
    shown = await one.group(places, system_buttons=True)

    def title_bar() -> int:
        return sum(screen.values(shown, "_NET_FRAME_EXTENTS")[2:3])

    def header_buttons() -> bool:
        """Return whether there is anything in the right part of the header."""
        frame = screen.now(shown).bounds
        picture = screen.image(Rectangle(frame.right - 104, frame.y + BORDER + 2, 94, CAPTION - 4)).data
        return picture != picture[:3] * (len(picture) // 3)

    await screen.until("the title bar of the window manager", lambda: title_bar() > 0)
    await screen.until("no own buttons", lambda: not header_buttons())
    assert screen.now(shown).bounds == frame_of(places)
    await one.bounds(places)
    # Above others in its group only if that was asked for; on its own as before.
    await screen.until("not above", lambda: "ABOVE" not in screen.now(shown).states)
    await host.act("a", SetOnTop(on_top=True, in_groups=True))
    await screen.until("above", lambda: "ABOVE" in screen.now(shown).states)
    await host.act("a", SetOnTop(on_top=False))
    await screen.until("not above", lambda: "ABOVE" not in screen.now(shown).states)
    await host.act("b", SetOnTop(on_top=True, in_groups=True))
    await host.hide_group("g")
    await screen.until("two native windows", lambda: len(one.frames()) == 2)
    await screen.until("the one above", lambda: "ABOVE" in screen.window("Window b").states)
    await screen.until("the other one", lambda: "ABOVE" not in screen.window("Window a").states)
    await screen.until("no title bar", lambda: title_bar() == 0)
    assert screen.window("Window a").bounds == rectangle(A)
    # At the top of the screen, there must be room for the title bar.
    high = {name: replace(bounds, top=HEADER) for name, bounds in places.items()}
    shown = await one.group(high)
    await screen.until("its own buttons again", header_buttons)
    await host.show_group(drawing(high, system_buttons=True))
    await screen.until("the room", lambda: 0 < title_bar() == screen.now(shown).bounds.y)
    frame = screen.now(shown).bounds
    screen.click(frame.right - 10, frame.y - title_bar() // 2)
    for name in places:
        await one.running.wait_for(WindowClosed, about(name))


async def test_the_focus_moves_between_the_windows_of_a_group(one: Desk, screen: Screen) -> None:
    running = one.running
    await one.open("a", A)
    await one.open("b", B)
    # Before it joins the group: the engine does not report a first drawing after a page was hidden.
    await one.cdp.drawn("/b")
    await one.group({"a": A, "b": B})
    await one.host.act("a", Focus())
    await one.pages({"a": A, "b": B})
    running.forget()
    screen.click(*center(B))
    await running.wait_for(Focused, lambda each: each == Focused(instance="b", focused=True))
    assert Focused(instance="a", focused=False) in running.heard
    async with one.cdp.page("/b") as page_b:
        await page_b.evaluate("window.typed = ''; onkeydown = (event) => { window.typed += event.key }; true")
        screen.key("x")
        await page_b.until("window.typed === 'x'")
    running.forget()
    await one.host.act("a", Focus())
    await running.wait_for(Focused, lambda each: each == Focused(instance="a", focused=True))


@pytest.mark.long
@pytest.mark.rule("R-2.16-2")
async def test_lines_between_windows_and_outer_borders_resize_them(one: Desk, screen: Screen) -> None:
    running = one.running
    await one.open("a", A)
    await one.open("b", B)
    shown = await one.group({"a": A, "b": B})
    async with one.cdp.page("/a") as page_a, one.cdp.page("/b") as page_b:
        widths = [await page_a.evaluate("innerWidth"), await page_b.evaluate("innerWidth")]
        running.forget()
        await asyncio.to_thread(screen.drag, (502, 350), (542, 350))
        resized = {"a": Bounds(100, 200, 440, 300), "b": Bounds(544, 200, 260, 300)}
        await one.bounds(resized)
        for name, bounds in resized.items():
            await running.wait_for(Moved, equal_to(Moved(instance=name, bounds=bounds)))
        await page_a.until(f"innerWidth === {widths[0] + 40}")
        await page_b.until(f"innerWidth === {widths[1] - 40}")
        assert screen.now(shown).bounds == frame_of(resized)
        # No window is made too small.
        await asyncio.to_thread(screen.drag, (542, 350), (1200, 350))
        smallest = {"a": Bounds(100, 200, 650, 300), "b": Bounds(754, 200, 50, 300)}
        await one.bounds(smallest)
        await asyncio.to_thread(screen.drag, (752, 350), (542, 350))
        await one.bounds(resized)
        # The outer border fills: only the window at the border gets the room.
        running.forget()
        await asyncio.to_thread(screen.drag, (802, 350), (902, 350))
        wider = {"a": resized["a"], "b": Bounds(544, 200, 360, 300)}
        await one.bounds(wider)
        await screen.until("the frame", lambda: screen.now(shown).bounds == frame_of(wider))
        await running.wait_for(Moved, lambda each: each == Moved(instance="b", bounds=wider["b"]))
        assert not [each for each in running.heard if isinstance(each, Moved) and each.instance == "a"]
        await page_b.until(f"innerWidth === {360 - 2 * BORDER}")
        # All share it in proportion, if configured.
        await one.group(wider, resize="Proportional")
        await asyncio.to_thread(screen.drag, (902, 350), (1710 - 4 - 100, 350), steps=30)
        await screen.until("wider", lambda: screen.now(shown).bounds.width > 1400)
        await screen.until("in proportion", lambda: one.host.bounds("a").width > 700)
        await screen.until(
            "the frame",
            lambda: screen.now(shown).bounds.width == one.host.bounds("a").width + GAP + one.host.bounds("b").width,
        )
    # A group that is no rectangle has no border to fill: all its windows keep their proportions.
    await one.open("c", Bounds(900, 300, 300, 200))
    await one.group({"a": A, "b": B, "c": C}, resize="Fill")
    await asyncio.to_thread(screen.drag, (802, 350), (802 + 354, 350))
    await one.bounds({"a": Bounds(100, 200, 602, 300), "b": Bounds(706, 200, 452, 300)})


@pytest.mark.rule("R-2.16-7")
async def test_a_window_is_torn_out_by_its_caption_and_comes_back(one: Desk, screen: Screen) -> None:
    running, host = one.running, one.host
    await one.open("a", A, snapping=None)
    await one.open("b", B, snapping=None)
    # A long press takes it out where it is; the pointer may move a little.
    await one.group({"a": A, "b": B}, unlock=LongPress(timeout=150, tolerance=12))
    x, y = caption_of(B)
    screen.move(x, y)
    screen.press()
    screen.move(x + 10, y)
    assert await running.wait_for(TornOut) == TornOut(instance="b", bounds=B, dropped=False)
    await host.hide_group("g")
    await host.accept_torn_out("b")
    await screen.until("two native windows", lambda: len(one.frames()) == 2)
    screen.release()
    await one.group({"a": A, "b": B})
    assert not [each for each in running.heard if isinstance(each, Dropped)]
    process = await one.renderer("b")
    async with one.cdp.page("/b") as page_b:
        await page_b.evaluate("window.mine = 7; true")
        running.forget()
        start = caption_of(B)
        # Not far enough: nothing happens. The drag after it shows that this one was processed.
        await asyncio.to_thread(screen.drag, start, (start[0] + 6, start[1] + 6))
        await asyncio.to_thread(screen.drag, start, (start[0] + 200, start[1] + 150))
        there = Bounds(B.left + 200, B.top + 150, B.width, B.height)
        torn = await running.wait_for(TornOut)
        assert torn == TornOut(instance="b", bounds=there)
        assert (await running.wait_for(Dropped)).bounds == there
        await screen.until("two native windows", lambda: len(one.frames()) == 2)
        await screen.until("its place", lambda: screen.window("Window b").bounds == rectangle(there))
        await screen.until("the page", lambda: screen.pixel(*center(there)) == COLORS["b"])
        assert await page_b.evaluate("window.mine") == 7
        # A drawing that was on its way does not bring it back.
        await host.show_group(drawing({"a": A, "b": B}))
        assert len(one.frames()) == 2
        assert screen.window("Window b").bounds == rectangle(there)
        # The platform takes it out of the group: one window is no group.
        await host.hide_group("g")
        await host.accept_torn_out("b")
        await screen.until("alone", lambda: screen.window("Window a").bounds == rectangle(A))
        # It refuses the next one, and draws the same group again.
        await one.group({"a": A, "b": B})
        running.forget()
        await asyncio.to_thread(screen.drag, caption_of(A), (caption_of(A)[0] + 50, caption_of(A)[1] + 300))
        await running.wait_for(TornOut, lambda each: each.instance == "a")
        await running.wait_for(Dropped)
        await host.show_group(drawing({"a": A, "b": B}))
        await host.accept_torn_out("a")
        await screen.until("one native window", lambda: len(one.frames()) == 1)
        await screen.until("the page", lambda: screen.pixel(*center(A)) == COLORS["a"])
        assert await page_b.evaluate("window.mine") == 7
    assert not [each for each in running.heard if isinstance(each, RendererStarted)]
    assert process in processes()


@pytest.mark.long
async def test_groups_come_back_when_the_window_process_is_killed(one: Desk, screen: Screen) -> None:
    await one.open("a", A)
    await one.open("b", B)
    shown = await one.group({"a": A, "b": B})
    grip = header_of({"a": A, "b": B})
    await asyncio.to_thread(screen.drag, grip, (grip[0] + 40, grip[1] + 30))
    moved = {"a": Bounds(140, 230, 400, 300), "b": Bounds(544, 230, 300, 300)}
    await one.bounds(moved)
    # The platform draws what was reported.
    await one.group(moved)
    process = shown.pid
    assert process is not None
    one.running.forget()
    os.kill(process, signal.SIGKILL)
    await one.running.wait_for(HostRestored)
    back = await screen.until("the group", lambda: screen.find("Group"))
    await screen.until("its place", lambda: screen.now(back).bounds == frame_of(moved))
    assert len(one.frames()) == 1
    await one.pages(moved)


async def test_a_group_at_the_upper_edge_of_the_screen_has_room_for_its_header(one: Desk, screen: Screen) -> None:
    top = {"a": Bounds(100, 0, 400, 300), "b": Bounds(504, 0, 300, 300)}
    await one.open("a", top["a"])
    await one.open("b", top["b"])
    await one.host.show_group(drawing(top))
    below = {"a": Bounds(100, HEADER, 400, 300), "b": Bounds(504, HEADER, 300, 300)}
    await one.bounds(below)
    await screen.until("the frame", lambda: one.frames()[0].bounds == frame_of(below))
    # Instances that are not open are left out, and a group of none is not drawn.
    await one.host.show_group(drawing({"none": A}, id="other"))
    await one.host.hide_group("nothing")
    with pytest.raises(Exception, match="no window 'none'"):
        await one.host.act("none", Focus())
