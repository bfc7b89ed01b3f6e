"""Web groups as a person sees and uses them: a page draws the frame around the windows of a group."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from rostrum.desktop.hosts.port import ChannelAccess, ChannelColor, Theme
from rostrum.desktop.hosts.reports import (
    ChannelChosen,
    ChannelRestricted,
    GroupPageFailed,
    GroupRetitled,
    Moved,
    StateChanged,
    TabClosed,
    TabReordered,
    TabSelected,
    TornOut,
)
from rostrum.desktop.windows.chrome import Chrome, Selector
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.tabs import Tab, TabDrawing
from rostrum.desktop.windows.web_groups import BUILTIN_PAGE, GroupPage
from tests.ports import free_port
from tests.windows.cdp import Cdp, Page, PageError
from tests.windows.display import Display
from tests.windows.real_host import real_host, site
from tests.windows.screen import Rectangle, Screen
from tests.windows.test_groups import PAGES, Desk, drawing

FOLDER = Path(__file__).with_name("groups_ui")
A, B = Bounds(100, 200, 500, 300), Bounds(604, 200, 600, 300)
BUILTIN = GroupPage(app="groups", url=BUILTIN_PAGE, retries=0)
BLUE, MAGENTA, DARK = (0, 0, 255), (255, 0, 255), (0x1C, 0x21, 0x2B)
CHANNELS = (ChannelColor(name="Red", color="#ff0000"), ChannelColor(name="Blue", color="#0000ff"))
MENU_LINE = 14
WHOLE = Rectangle(0, 0, 1600, 900)


@asynccontextmanager
async def web_desk(
    display: Display, screen: Screen, pages: dict[str, str | bytes], selector: str = "multi"
) -> AsyncIterator[Desk]:
    """A window process with three windows, of which the second and the third are tabs of one place."""
    port = free_port()
    chrome = Chrome(title_editable=True, selector=Selector(type=selector, read_only=False, channel=None))
    with site({**PAGES, **pages}) as served:
        async with real_host(display, ROSTRUM_WINDOWS_DEBUGGING=f"127.0.0.1:{port}") as running:
            desk = Desk(running, Cdp(port), screen, served.origin)
            await desk.host.set_channels(CHANNELS)
            for name, bounds in (("a", A), ("b", B), ("c", B)):
                own = {"chrome": chrome, "details": {"frameColor": "#ff00ff"}} if name == "a" else {}
                await desk.open(name, bounds, **own)
            await screen.until("the built-in frame", lambda: is_ours(desk))
            yield desk


async def show(desk: Desk, page: GroupPage, *, selected: str = "b", a: Bounds = A, b: Bounds = B) -> None:
    """Draw the group, as the platform does."""
    await desk.host.show_group(drawing({"a": a, selected: b}, page=page))
    tabs = tuple(Tab(instance=name, title=title) for name, title in (("b", "Bee"), ("c", "Sea")))
    both = frozenset({"b", "c"})
    await desk.host.show_tabs(
        TabDrawing(id="t", tabs=tabs, selected=selected, loaded=both, overflow=False, flat=False, taskbar_title="Group")
    )


async def middle(desk: Desk, page: Page, selector: str) -> tuple[int, int]:
    """Return the middle of an element on the screen, when the page is drawn in the size of the frame."""
    frame = desk.screen.window("Group").bounds
    found = await page.until(
        f"(() => {{ const e = document.querySelector({selector!r});"
        f" if (!e || innerWidth !== {frame.width} || innerHeight !== {frame.height}) return null;"
        " const r = e.getBoundingClientRect(); return r.width ? [r.x + r.width / 2, r.y + r.height / 2] : null; })()"
    )
    return frame.x + round(found[0]), frame.y + round(found[1])


async def maximized(desk: Desk, instance: str) -> None:
    """Wait until a window of the group is reported as maximized, and the window manager has enlarged the frame."""
    await desk.running.wait_for(StateChanged, lambda one: one == StateChanged(instance=instance, state="maximized"))
    await desk.screen.until("the large frame", lambda: desk.screen.window("Group").bounds == WHOLE)


async def move_group(desk: Desk, page: Page, dx: int, dy: int) -> None:
    """Drag the header, and wait for the frame: its windows report places that the window manager gives it later."""
    frame = desk.screen.window("Group")
    grip = await middle(desk, page, "#t42-group-move-area")
    await asyncio.to_thread(desk.screen.drag, grip, (grip[0] + dx, grip[1] + dy))
    moved = frame.bounds.moved(dx, dy)
    await desk.screen.until("the moved frame", lambda: desk.screen.now(frame).bounds == moved)


async def at(page: Page, selector: str, condition: str) -> None:
    """Wait until an element has another place."""
    await page.until(f"document.querySelector({selector!r}).getBoundingClientRect().{condition}")


def is_ours(desk: Desk, a: Bounds = A) -> bool:
    """Return whether widgets draw the border of the first window: it has a colour that no page knows."""
    return desk.screen.pixel(round(a.left) + 2, round(a.top) + 100) == MAGENTA


async def drawn(desk: Desk, page: Page) -> None:
    """Wait until the page has drawn its text and the group, and clicks go to the page."""
    await page.until("performance.getEntriesByName('first-contentful-paint').length")
    await desk.screen.until("the group drawn by the page", lambda: not is_ours(desk))


@pytest.mark.long
async def test_the_built_in_page_draws_a_group_that_people_use_with_the_pointer(
    display: Display, screen: Screen
) -> None:
    async with web_desk(display, screen, {"/idle": "no group is drawn here"}, "directionalMulti") as desk:
        running = desk.running
        # Pages that draw nothing: the widgets stay, and the reason is reported.
        failing: dict[str, tuple[dict[str, Any], str]] = {
            "lost": ({"url": f"{desk.origin}/none", "retries": 1, "retry_interval": 1}, "cannot be loaded"),
            "idle": ({"url": f"{desk.origin}/idle", "timeout": 0.05}, "init within 0.05 s"),
            "mail": ({"url": "mailto:me"}, "must begin with https:// or http://"),
        }

        def is_about(app: str, report: GroupPageFailed) -> bool:
            return report.app == app

        for app, (details, reason) in failing.items():
            await show(desk, GroupPage(app=app, **details))
            failed = await running.wait_for(GroupPageFailed, partial(is_about, app))
            assert (failed.group, reason in failed.reason) == ("g", True)
        await screen.until("the built-in frame", lambda: is_ours(desk))

        await show(desk, BUILTIN)
        async with desk.cdp.page(BUILTIN_PAGE) as page:
            await drawn(desk, page)
            # The channel selector of a web group joins several channels, and has a direction for each of them.
            await desk.host.set_channel("a", ("Red",), ())
            await page.until("document.querySelector('.t42-channel-joined')?.title === 'Channel: Red'")
            menu = await screen.menu_at(*await middle(desk, page, ".t42-frame-channel-selector"))
            screen.click(menu.x + 40, menu.y + MENU_LINE + 24)
            assert await running.wait_for(ChannelChosen) == ChannelChosen(instance="a", channels=("Red", "Blue"))
            await screen.until("no menu", lambda: not screen.menus())
            await desk.host.set_channel("a", ("Red", "Blue"), ())
            await page.until("document.querySelector('.t42-channel-joined')?.title === 'Channel: Red, Blue'")
            menu = await screen.menu_at(*await middle(desk, page, ".t42-frame-channel-selector"))
            # The last line: "Send to Blue".
            screen.click(menu.x + 40, menu.bottom - MENU_LINE)
            kept = ChannelRestricted(instance="a", channel="Blue", read=True, write=False)
            assert await running.wait_for(ChannelRestricted) == kept
            await screen.until("no menu", lambda: not screen.menus())
            # The page has an arrow for each direction that a channel allows.
            await page.until("document.querySelector('.t42-channel-joined').textContent === '↓↑'")
            one_way = tuple(ChannelAccess(channel=name, write=False) for name in ("Red", "Blue"))
            await desk.host.set_channel("a", ("Red", "Blue"), one_way)
            await page.until("document.querySelector('.t42-channel-joined').textContent === '↓'")
            # Tabs: select, reorder, close.
            screen.click(*await middle(desk, page, ".t42-tabs .t42-tab:nth-child(2) .t42-caption"))
            assert await running.wait_for(TabSelected) == TabSelected(instance="c")
            await show(desk, BUILTIN, selected="c")
            await screen.until("the other tab", lambda: screen.pixel(round(B.left) + 100, round(B.top) + 100) == BLUE)
            first = await middle(desk, page, ".t42-tabs .t42-tab:nth-child(1) .t42-caption")
            await asyncio.to_thread(screen.drag, first, (first[0] + 260, first[1]))
            assert await running.wait_for(TabReordered) == TabReordered(instance="b", index=1)
            screen.click(*await middle(desk, page, ".t42-tabs .t42-tab:nth-child(1) .t42-tab-close-button"))
            assert await running.wait_for(TabClosed) == TabClosed(instance="b")
            # The header moves all windows, and the line between them resizes them.
            running.forget()
            await move_group(desk, page, 40, 60)
            a, c = Bounds(140, 260, 500, 300), Bounds(644, 260, 600, 300)
            await desk.bounds({"a": a, "c": c})
            await running.wait_for(Moved, lambda one: one == Moved(instance="a", bounds=a))
            line = (642, 400)
            await asyncio.to_thread(screen.drag, line, (line[0] - 50, line[1]))
            a, c = Bounds(140, 260, 450, 300), Bounds(594, 260, 650, 300)
            await desk.bounds({"a": a, "c": c})
            await screen.until("the larger page", lambda: screen.pixel(610, 400) == BLUE)
            # A title is entered in the page, with the keyboard.
            screen.click(*await middle(desk, page, ".t42-group-caption-bar .t42-caption"), times=2)
            await page.until("document.activeElement.tagName === 'INPUT' && document.hasFocus()")
            await asyncio.to_thread(screen.type, "mine\n")
            assert await running.wait_for(GroupRetitled) == GroupRetitled(group="g", title="mine")
            # Buttons of the header and of a window.
            screen.click(*await middle(desk, page, ".t42-group-caption-bar .t42-caption-bar-button-maximize"))
            await maximized(desk, "c")
            await at(page, ".t42-frame-flat", "width > 500")
            screen.click(*await middle(desk, page, ".t42-frame-flat .t42-caption-bar-button-restore"))
            await running.wait_for(StateChanged, lambda one: one == StateChanged(instance="c", state="normal"))
            await at(page, ".t42-frame-flat", "width === 450")
            # Another theme.
            await desk.host.set_themes((Theme(name="dark", title="Night"),), "dark")
            grip = await middle(desk, page, "#t42-group-move-area")
            await screen.until("the dark header", lambda: screen.pixel(grip[0] + 100, grip[1] + 5) == DARK)
            await desk.host.set_themes((Theme(name="light", title="Day"),), "light")
            # A window that is dragged out by its caption has its own caption bar again.
            running.forget()
            grip = await middle(desk, page, ".t42-frame-flat .t42-move-area")
            await asyncio.to_thread(screen.drag, grip, (grip[0] + 60, grip[1] + 340))
            torn = await running.wait_for(TornOut)
            assert torn.instance == "a"
            await desk.host.accept_torn_out("a")
            await show(desk, BUILTIN, selected="c", a=a, b=c)
            await page.until("document.querySelectorAll('.t42-frame').length === 2")
            # Functions of a page for what would be above windows are named.
            named = await page.evaluate(
                "(() => { const said = []; console.info = (text) => said.push(text);"
                " webGroupsManager.init({ createGroupOverlay() {} }); return said.join(); })()"
            )
            assert named.endswith("so it never calls createGroupOverlay")
            # The page dies: the group has the built-in frame again, with the same places.
            with pytest.raises((PageError, ConnectionClosed)):
                await page.call("Page.crash")
        await running.wait_for(GroupPageFailed, lambda one: "stopped unexpectedly" in one.reason)
        await screen.until("the built-in frame", lambda: is_ours(desk, a))
        await desk.bounds({"a": a, "c": c})


@pytest.fixture(scope="module")
def vendor_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of groups_ui, built as a firm builds it."""
    assert (FOLDER / "node_modules").is_dir(), "the library is not installed; `make test` installs it"
    out = tmp_path_factory.mktemp("page")
    fonts = [f"--loader:.{kind}=dataurl" for kind in ("woff", "woff2", "ttf", "svg")]
    command = ["node_modules/.bin/esbuild", "page.jsx", "--bundle", "--minify", "--log-level=warning", *fonts]
    subprocess.run([*command, f"--outdir={out}"], cwd=FOLDER, check=True, timeout=60)
    style, script = ((out / f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    script = script.replace("</script", "<\\/script")
    return f"<!doctype html><title>Groups</title><style>{style}</style><div id=root></div><script>{script}</script>"


@pytest.mark.long
async def test_the_unmodified_library_of_the_vendor_draws_a_group_with_tabs(
    display: Display, screen: Screen, vendor_page: str
) -> None:
    async with web_desk(display, screen, {"/group": vendor_page}) as desk:
        running = desk.running
        await show(desk, GroupPage(app="vendor", url=f"{desk.origin}/group", retries=0))
        async with desk.cdp.page("/group") as page:
            await drawn(desk, page)
            assert await page.evaluate(
                "[...document.querySelectorAll('.t42-caption')].map((one) => one.textContent)"
            ) == [
                "Group",
                "Window a",
                "Bee",
                "Sea",
            ]
            assert not [one for one in running.heard if isinstance(one, GroupPageFailed)]
            await desk.host.set_channel("a", ("Red", "Blue"), ())
            await page.until("document.querySelector('.t42-multi-channel-selector-2') && true")
            menu = await screen.menu_at(*await middle(desk, page, ".t42-frame-channel-selector"))
            screen.click(menu.x + 40, menu.y + MENU_LINE)
            assert await running.wait_for(ChannelChosen) == ChannelChosen(instance="a", channels=("Blue",))
            await screen.until("no menu", lambda: not screen.menus())
            screen.click(*await middle(desk, page, ".t42-tabs .t42-tab:nth-child(2) .t42-caption"))
            assert await running.wait_for(TabSelected) == TabSelected(instance="c")
            screen.click(*await middle(desk, page, ".t42-tabs .t42-tab:nth-child(2) .t42-tab-close-button"))
            assert await running.wait_for(TabClosed) == TabClosed(instance="c")
            await move_group(desk, page, 40, 60)
            await desk.bounds({"a": Bounds(140, 260, 500, 300), "b": Bounds(644, 260, 600, 300)})
            screen.click(*await middle(desk, page, ".t42-group-caption-bar .t42-caption"), times=2)
            await page.until("document.activeElement.tagName === 'INPUT' && document.hasFocus()")
            await asyncio.to_thread(screen.type, "mine\n")
            assert await running.wait_for(GroupRetitled) == GroupRetitled(group="g", title="mine")
            screen.click(*await middle(desk, page, ".t42-group-caption-bar .t42-caption-bar-button-maximize"))
            await maximized(desk, "a")
            await page.until("document.querySelector('.t42-caption-bar-button-restore') && true")
            # A tab that is dragged out of the bar.
            screen.click(*await middle(desk, page, ".t42-group-caption-bar .t42-caption-bar-button-restore"))
            await running.wait_for(StateChanged, lambda one: one == StateChanged(instance="a", state="normal"))
            await at(page, ".t42-frame-tab", "left === 504")
            first = await middle(desk, page, ".t42-tabs .t42-tab:nth-child(2) .t42-caption")
            await asyncio.to_thread(screen.drag, first, (first[0] + 30, first[1] + 300))
            assert (await running.wait_for(TornOut)).instance == "c"
            await desk.host.accept_torn_out("c")
