"""Groups on the screen, made by hand and by the client libraries, with the whole platform."""

import asyncio
import base64
import logging
import struct
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import Capture
from rostrum.desktop.windows.geometry import Bounds
from rostrum.gateway import LocalPeer
from tests.windows.desk import BORDER, CAPTION, DeskOfTests, caption
from tests.windows.pages import page, pdf
from tests.windows.screen import Rectangle, Window
from tests.windows.test_advanced_mode import SURFACE, find_bar, find_field
from tests.windows.test_libraries import NEW, OLD, bundle

pytestmark = pytest.mark.asyncio(loop_scope="module")

HEADER = CAPTION + BORDER
RED, BLUE = (255, 0, 0), (0, 0, 255)
LIBRARY = '<script src="/{name}.js"></script><script>window.io = (window.IODesktop ?? window.Glue)();</script>'
PAGES = {
    **{f"/{name}.js": bundle(one) for name, one in ((NEW, "@interopio/desktop"), (OLD, "@glue42/desktop"))},
    **{f"/{name}": page(name, LIBRARY.format(name=name)) for name in (NEW, OLD)},
    "/pdf": pdf("alpha beta"),
    "/a": page("a", color="#ff0000"),
    "/b": page("b", color="#0000ff"),
}
SIZE = {"width": 400, "height": 300}
APPS = {
    "a": {"url": "/a", "left": 100, "top": 200, **SIZE},
    "b": {"url": "/b", "left": 900, "top": 200, **SIZE},
    "pdf": {"url": "/pdf", "left": 100, "top": 200, **SIZE},
    NEW: {"url": "/new", "left": 100, "top": 550, **SIZE},
    OLD: {"url": "/old", "left": 600, "top": 550, **SIZE},
}
A, B = Rectangle(100, 200, 400, 300), Rectangle(504, 200, 400, 300)
"""Where both windows are when they are in one group."""
GROUP = Rectangle(100, 200 - HEADER, 804, 300 + HEADER)
"""The native window of the group, with its header."""


async def group_on_screen(desk: DeskOfTests, title: str = "Group", bounds: Rectangle = GROUP) -> Window:
    """Wait until both windows are one native window."""

    def found() -> Window | None:
        seen = desk.screen.find(title)
        others = [one.title for one in desk.windows() if one.title in ("a", "b")]
        return seen if seen is not None and seen.bounds == bounds and not others else None

    return await desk.screen.until(f"the group {title} at {bounds}", found)


async def apart(desk: DeskOfTests) -> None:
    """Wait until both windows are native windows of their own."""
    await desk.screen.until("two windows", lambda: desk.screen.find("a") and desk.screen.find("b"))


def groups(desk: DeskOfTests) -> list[set[str]]:
    return [{*one.windows} for one in desk.platform.services.windows.groups.all]


async def client(desk: DeskOfTests) -> LocalPeer:
    return await desk.platform.gateway.local_peer("client", "ann")


async def execute(peer: LocalPeer, command: str, window: str, **options: Any) -> None:
    answer = await peer.methods.call(
        "T42.Wnd.Execute", {"command": command, "windowId": window, "options": options or None}
    )
    assert "errorMsg" not in answer, answer


def picture_size(data: str) -> tuple[int, int]:
    """Return the width and height of a PNG file as Base64, which its header has."""
    width, height = struct.unpack(">II", base64.b64decode(data)[16:24])
    return width, height


async def test_a_window_that_is_dropped_beside_another_is_grouped_and_torn_out_again(desk: DeskOfTests) -> None:
    a, _ = await desk.loaded("a")
    b, window = await desk.loaded("b")

    # ALT: it stays apart.
    with desk.screen.held("Alt_L"):
        desk.screen.drag(caption(window), (caption(window)[0] - 390, caption(window)[1]))
    await desk.report("Dropped", b, lambda one: one.alt)
    window = await desk.now(window, "b where it was dropped", lambda one: one.bounds.x == 510)
    assert groups(desk) == []

    desk.reported.clear()
    desk.screen.drag(caption(window), (caption(window)[0] + 5, caption(window)[1]))
    await desk.report("Dropped", b, lambda one: not one.alt)
    await group_on_screen(desk)
    assert groups(desk) == [{a, b}]
    await desk.screen.until("both pages", lambda: [desk.screen.pixel(*one.center) for one in (A, B)] == [RED, BLUE])

    grip = (B.x + 150, B.y + BORDER + CAPTION // 2)
    desk.screen.drag(grip, (grip[0] + 200, grip[1] + 200))
    await desk.report("TornOut", b)
    await apart(desk)
    await desk.screen.until("no group", lambda: groups(desk) == [])
    records = desk.platform.services.windows.registry
    # The bounds are reported after the end of the group.
    wanted = (Bounds(*A), Bounds(704, 400, 400, 300))
    await desk.screen.until("the places of both", lambda: (records.find(a).bounds, records.find(b).bounds) == wanted)


async def test_a_group_that_is_dragged_by_its_header_is_where_the_pages_say(desk: DeskOfTests) -> None:
    a, _ = await desk.loaded("a")
    b, _ = await desk.loaded("b")
    peer = await client(desk)
    await execute(peer, "snap", b, targetWindowId=a, snappingEdge="right")
    await group_on_screen(desk)

    grip = (GROUP.x + 250, GROUP.y + BORDER + CAPTION // 2)
    desk.screen.drag(grip, (grip[0] + 120, grip[1] + 80))

    await group_on_screen(desk, bounds=GROUP.moved(120, 80))
    model = desk.platform.services.windows.groups
    wanted = {a: Bounds(220, 280, 400, 300), b: Bounds(624, 280, 400, 300)}
    await desk.screen.until("the model", lambda: [dict(one.windows) for one in model.all] == [wanted])
    # The model moves all windows with the first that is reported.
    await desk.screen.until(
        "the places of both", lambda: {one: desk.platform.host.bounds(one) for one in wanted} == wanted
    )


async def test_commands_change_the_title_the_header_the_state_and_the_members_of_a_group(desk: DeskOfTests) -> None:
    a, _ = await desk.loaded("a")
    b, _ = await desk.loaded("b")
    peer = await client(desk)
    await execute(peer, "snap", b, targetWindowId=a, snappingEdge="right")
    await group_on_screen(desk)

    await execute(peer, "setGroupTitle", a, title="Trading")
    window = await group_on_screen(desk, "Trading")
    await execute(peer, "setGroupHeaderVisibility", a, toShow=False)
    without = Rectangle(GROUP.x, GROUP.y + HEADER, GROUP.width, GROUP.height - HEADER)
    await group_on_screen(desk, "Trading", without)
    await execute(peer, "setGroupHeaderVisibility", a, toShow=True)
    await group_on_screen(desk, "Trading")

    await execute(peer, "maximizeGroup", a)
    await desk.now(window, "maximized", lambda one: one.is_maximized)
    states = desk.platform.services.windows.registry
    assert [states.find(one).state for one in (a, b)] == ["maximized", "maximized"]
    await execute(peer, "restoreGroup", b)
    await group_on_screen(desk, "Trading")
    assert [states.find(one).state for one in (a, b)] == ["normal", "normal"]

    pictures = [picture_size(await desk.act(a, Capture(group=whole))) for whole in (False, True)]
    assert pictures == [(400, 300), (GROUP.width, GROUP.height)]
    await execute(peer, "ungroup", b, bounds={"left": 700, "top": 500})
    await apart(desk)
    assert (groups(desk), states.find(b).bounds) == ([], Bounds(700, 500, 400, 300))


async def test_a_hibernated_group_disappears_and_comes_back_as_it_was(desk: DeskOfTests) -> None:
    a, _ = await desk.loaded("a")
    b, _ = await desk.loaded("b")
    peer = await client(desk)
    await execute(peer, "snap", b, targetWindowId=a, snappingEdge="right")
    await group_on_screen(desk)
    (group,) = desk.platform.services.windows.groups.all

    call = {"groupId": group.id, "options": {}}
    assert await peer.methods.call("T42.Group.Execute", {"command": "hibernateGroup", **call}) == {}
    await desk.screen.until("no window", lambda: not desk.windows())
    assert await peer.methods.call("T42.Group.Execute", {"command": "resumeGroup", **call}) == {}

    await group_on_screen(desk)
    await desk.screen.until("both pages", lambda: [desk.screen.pixel(*one.center) for one in (A, B)] == [RED, BLUE])
    assert [one.id for one in desk.platform.services.windows.groups.all] == [group.id]


@pytest.mark.long
async def test_the_libraries_group_windows_from_a_page(desk: DeskOfTests) -> None:
    await desk.loaded("a")
    await desk.loaded("b")
    found = """const io = await window.io;
        const find = (name) => io.windows.list().find((one) => one.title === name);
        const [a, b] = [find("a"), find("b")];"""
    await desk.loaded(NEW)
    async with desk.cdp.page(f"/{NEW}") as inside:
        snapped = await inside.evaluate(f"""(async () => {{
            {found}
            await b.snap(a, "right");
            const group = io.windows.groups.findGroupByWindow(a);
            return [group.windows.length, b.bounds.left - a.bounds.left, a.rightNeighbours.length];
        }})()""")
    assert snapped == [2, 404, 1]
    await group_on_screen(desk)
    await desk.loaded(OLD)
    async with desk.cdp.page(f"/{OLD}") as inside:
        alone = await inside.evaluate(f"""(async () => {{
            {found}
            const before = io.windows.groups.findGroupByWindow(a).windows.length;
            await b.ungroup({{ bounds: {{ left: 1000, top: 100 }} }});
            return [before, io.windows.groups.findGroupByWindow(a).windows.length];
        }})()""")
    assert alone == [2, 1]
    await apart(desk)
    await desk.screen.until("b at its place", lambda: desk.screen.window("b").bounds.x == 1000)


@pytest.mark.rule("R-2.6-17", "R-2.6-18")
async def test_alt_and_double_clicks_on_group_borders_mean_nothing_in_the_default_mode(
    desk: DeskOfTests, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    (a, _), (b, _) = await desk.loaded("a"), await desk.loaded("b")
    model = desk.platform.services.windows.groups
    await model.join(b, a, "bottom")
    whole = Rectangle(100, 200 - HEADER, 400, 604 + HEADER)
    window = await group_on_screen(desk, bounds=whole)
    with desk.screen.held("Alt_L"):
        await asyncio.to_thread(desk.screen.drag, (498, 600), (598, 600))
    # As without ALT: the windows above move with the one that is held.
    wider = {a: Bounds(100, 200, 500, 300), b: Bounds(100, 504, 500, 300)}
    await desk.screen.until("both are wider", lambda: model.all[0].windows == wider)
    await desk.now(window, "the group is wider", lambda now: now.bounds.width == 500)
    desk.screen.click(598, 600, times=2)
    await desk.screen.until("the reason", lambda: "alignment by double click is not supported" in caplog.text)
    assert model.all[0].windows == wider


@pytest.mark.rule("R-2.6-16")
async def test_ctrl_f_in_a_pdf_file_is_refused_with_the_reason_in_the_default_mode(desk: DeskOfTests) -> None:
    instance, window = await desk.focused("pdf")
    await desk.report("LoadFinished", instance)
    desk.screen.key("Control_L", "f")
    # The reason stands where the field is in other pages.
    await desk.screen.until("the bar", lambda: desk.screen.pixel(*find_bar(window)) == SURFACE)
    await desk.screen.until("no field", lambda: desk.screen.pixel(*find_field(window)) == SURFACE)
    desk.screen.key("Escape")
    await desk.screen.until("no bar", lambda: desk.screen.pixel(*find_bar(window)) != SURFACE)
