"""Workspaces on the screen: windows of apps in the frame, where its page draws their panels."""

import os
import signal

import pytest

from rostrum.desktop.services.workspace_records import NewWorkspace, Workspace
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.cdp import Page
from tests.windows.desk import BORDER, CAPTION, DeskOfTests, caption
from tests.windows.pages import page
from tests.windows.screen import Window

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
PAGES = {
    "/red": page("red", "red", "#ff0000"),
    "/green": page("green", "green", "#00ff00"),
    "/blue": page("blue", "blue", "#0000ff"),
}
APPS = {
    "frame": {
        "type": "workspaces",
        "url": "https://workspaces.example/",
        "left": 60,
        "top": 40,
        "width": 1000,
        "height": 700,
    },
    "red": {"url": "/red", "left": 1100, "top": 100, "width": 400, "height": 300},
    "green": {"url": "/green", "left": 1100, "top": 420, "width": 400, "height": 300},
    "blue": {"url": "/blue", "left": 1100, "top": 500, "width": 400, "height": 300},
}
SETTINGS = {"windowManagement": {"snapping": {"enabled": False}}}
FRAME = "rostrum-page://workspaces"

pytestmark = pytest.mark.asyncio(loop_scope="module")


def window(app: str) -> dict[str, object]:
    return {"type": "window", "config": {"appName": app}}


def side_by_side(*apps: str) -> dict[str, object]:
    groups = [{"type": "group", "children": [window(app)]} for app in apps]
    return {"type": "workspace", "children": [{"type": "row", "children": groups}]}


async def opened(desk: DeskOfTests, state: dict[str, object]) -> tuple[Workspace, Window]:
    """Open a workspace in a new frame; return it and the native window."""
    workspace = await desk.platform.services.windows.workspaces.open(NewWorkspace(state=state, title="Colours"))
    return workspace, await desk.screen.until("the frame", lambda: desk.screen.find("frame"))


async def shows(desk: DeskOfTests, frame: Window, *colors: tuple[int, int, int]) -> None:
    """Wait until the frame shows these colours from left to right, at half of its height."""
    left, top, width, height = frame.bounds
    places = [left + round(width * (2 * number + 1) / (2 * len(colors))) for number in range(len(colors))]
    wanted = [((place, top + height // 2), color) for place, color in zip(places, colors, strict=True)]
    await desk.screen.until(
        f"{colors} in the frame", lambda: all(desk.screen.shows(place, color) for place, color in wanted) or None
    )


async def click(desk: DeskOfTests, frame: Window, page: Page, selector: str) -> None:
    found = f"document.querySelector({selector!r}).getBoundingClientRect()"
    left, top = await page.evaluate(f"(box => [box.x + box.width / 2, box.y + box.height / 2])({found})")
    desk.screen.click(frame.bounds.x + BORDER + round(left), frame.bounds.y + BORDER + CAPTION + round(top))


@pytest.mark.long
async def test_windows_are_in_the_frame_where_the_page_has_their_panels_and_keep_their_documents(
    desk: DeskOfTests,
) -> None:
    workspaces = desk.platform.services.windows.workspaces
    workspace, frame = await opened(desk, side_by_side("red", "green"))
    await shows(desk, frame, RED, GREEN)
    await desk.screen.until("only the frame is a window", lambda: [one.title for one in desk.windows()] == ["frame"])
    async with desk.cdp.page("/red") as red:
        await red.evaluate("window.kept = 1")
    # Another app as a tab: it covers the one that was there, which stays open.
    group = workspace.tree.items[0].children[1]
    added = await workspaces.add(group.id, {"type": "window", "appName": "blue"})
    await shows(desk, frame, RED, BLUE)
    async with desk.cdp.page(FRAME) as drawn:
        await drawn.until("document.querySelectorAll('.dv-tab').length === 3")
    green = next(one for one in workspace.tree.windows() if one.app == "green")
    await workspaces.select(green.id)
    await shows(desk, frame, RED, GREEN)
    await workspaces.close(added.id)
    red_window = next(one for one in workspace.tree.windows() if one.app == "red")
    await workspaces.eject(red_window.id)
    await desk.screen.until("two native windows", lambda: len(desk.windows()) == 2)
    await shows(desk, frame, GREEN)
    async with desk.cdp.page("/red") as red:
        assert await red.evaluate("window.kept") == 1
    await workspaces.close(workspace.frame)
    await desk.screen.until("the frame is closed", lambda: desk.screen.find("frame") is None)
    await desk.report("WindowClosed", green.instance)


@pytest.mark.long
async def test_a_person_closes_a_tab_and_selects_a_workspace_on_the_page(desk: DeskOfTests) -> None:
    workspaces = desk.platform.services.windows.workspaces
    workspace, frame = await opened(desk, side_by_side("red", "green"))
    await workspaces.open(NewWorkspace(state=side_by_side("blue"), title="Other"))
    await shows(desk, frame, BLUE)
    async with desk.cdp.page(FRAME) as drawn:
        await drawn.until("document.querySelectorAll('[role=tab]').length >= 2")
        await click(desk, frame, drawn, "#tabs [role=tab]")
        await shows(desk, frame, RED, GREEN)
        await click(desk, frame, drawn, ".dock:not([hidden]) .tab-close")
    await desk.screen.until("one window is left", lambda: len(workspace.tree.windows()) == 1)
    await shows(desk, frame, GREEN)


@pytest.mark.long
@pytest.mark.setting("windowManagement.alternateBehavior.dropInWorkspace.reverse")
@pytest.mark.rule("R-2.16-11")
async def test_a_window_that_is_dropped_on_the_frame_goes_in(desk: DeskOfTests) -> None:
    workspaces = desk.platform.services.windows.workspaces
    _, frame = await opened(desk, side_by_side("green"))
    await shows(desk, frame, GREEN)
    instance, red = await desk.focused("red")
    await desk.drawn("/red")
    desk.screen.drag(caption(red), frame.bounds.center)
    await desk.screen.until("the window is in the workspace", lambda: workspaces.holds(instance))
    await shows(desk, frame, GREEN, RED)
    await desk.screen.until("only the frame is a window", lambda: [one.title for one in desk.windows()] == ["frame"])


@pytest.mark.long
async def test_a_saved_workspace_opens_again_and_a_frame_comes_back_with_a_layout(desk: DeskOfTests) -> None:
    layouts = desk.platform.services.layouts
    workspace, frame = await opened(desk, side_by_side("blue", "red"))
    await shows(desk, frame, BLUE, RED)
    await desk.platform.services.workspace_layouts.save("Two colours", workspace)
    await layouts.save("Evening")
    await desk.close_all()

    await layouts.restore(LayoutKey("Workspace", "Two colours"))
    frame = await desk.screen.until("the frame", lambda: desk.screen.find("frame"))
    await shows(desk, frame, BLUE, RED)
    await desk.close_all()

    assert await layouts.restore(LayoutKey("Global", "Evening")) == ()
    frame = await desk.screen.until("the frame", lambda: desk.screen.find("frame"))
    await shows(desk, frame, BLUE, RED)
    await desk.screen.until("only the frame is a window", lambda: [one.title for one in desk.windows()] == ["frame"])


@pytest.mark.long
async def test_a_frame_shows_its_workspaces_again_after_the_window_process_was_killed(desk: DeskOfTests) -> None:
    _, frame = await opened(desk, side_by_side("blue", "red"))
    await shows(desk, frame, BLUE, RED)
    killed = desk.host.process
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    await desk.screen.until("another window process", lambda: desk.host.process not in (killed, None) or None)
    frame = await desk.screen.until("the frame", lambda: desk.screen.find("frame"))
    await shows(desk, frame, BLUE, RED)
    await desk.screen.until("one native window", lambda: [one.title for one in desk.windows()] == ["frame"] or None)
