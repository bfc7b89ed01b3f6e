"""What people and apps do with the pages of windows: channels, downloads, PDF, zoom, search, developer tools, menus."""

import base64
from pathlib import Path

import pytest

from rostrum.desktop.hosts.actions import (
    Capture,
    Download,
    Find,
    Navigate,
    PrintToPdf,
    RunScript,
    SetZoom,
    ShowDevTools,
)
from tests.windows.desk import BORDER, CAPTION, DeskOfTests, page_area
from tests.windows.pages import page
from tests.windows.screen import Rectangle

pytestmark = pytest.mark.asyncio(loop_scope="module")

BACKGROUND = (0, 0, 0)
RED, GREEN = (255, 0, 0), (0, 255, 0)
FILE = bytes(range(256)) * 400
OPEN = (
    "<button style='width:200px;height:100px'"
    " onclick=\"window.open('/two', '', 'left=700,top=120,width=320,height=210')\">open a window</button>"
)
PAGES = {
    "/one": page("One", "<p>find me, find me</p><a id=file href=/file download=report.bin>file</a>"),
    "/two": page("Two", color="#ff0000"),
    "/opener": page("Opener", OPEN),
    "/file": (200, {"Content-Type": "application/octet-stream"}, FILE),
}
SELECTOR = {"channelSelector": {"enabled": True}}
MENU = {"contextMenu": {"enabled": True}}
APPS = {
    "one": {"url": "/one", "left": 200, "top": 150, "width": 500, "height": 400, **SELECTOR, **MENU},
    "tab": {"url": "/one", "left": 200, "top": 150, "width": 500, "height": 400, "mode": "tab"},
    "synced": {"url": "/two", "left": 750, "top": 150, "width": 500, "height": 400, "syncTitleWithDocumentTitle": True},
    "no-tools": {"url": "/one", "left": 200, "top": 150, "width": 500, "height": 400, "devToolsEnable": False},
    "opener": {"url": "/opener", "left": 100, "top": 150, "width": 500, "height": 400},
}
SETTINGS = {
    "applications": {"titleFormat": "{title} #{instanceIndex}"},
    "channels": {
        "definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}, {"name": "Blue", "meta": {"color": "#0000ff"}}]
    },
}
IN_SELECTOR = (BORDER + 6 + 3, BORDER + 5)
"""A point of the channel selector where its symbol is not, relative to the window."""


MANY_FRAMES = """new Promise((done) => {
  let drawn = 0;
  const next = () => (drawn++ < 60 ? requestAnimationFrame(next) : done(true));
  next();
})"""
"""Ends when the page has drawn frames for longer than the pause before empty windows are created."""


def content(path: str) -> bytes:
    return Path(path).read_bytes()


async def test_a_person_chooses_a_channel_and_sees_the_one_that_an_app_has_joined(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("one")
    screen, channels = desk.screen, desk.platform.services.channels
    x, y = window.bounds.x + BORDER + 6 + 13, window.bounds.y + BORDER + CAPTION // 2
    spot = window.bounds.x + IN_SELECTOR[0], window.bounds.y + IN_SELECTOR[1]

    menu = await screen.menu_at(x, y)
    # The menu stays open while a user reads it: in this time, the window process would create empty windows in advance.
    async with desk.cdp.page("/one") as inside:
        await inside.evaluate(MANY_FRAMES)
    assert screen.menus() == [menu]
    # Two lines: Red and Blue.
    screen.click(menu.center[0], menu.y + menu.height // 4)
    await screen.until("the colour of the channel", lambda: screen.pixel(*spot) == RED)
    assert channels.of(instance) == ("Red",)

    channels.join(instance, "Blue")
    screen.move(0, 0)
    await screen.until("the colour of the other channel", lambda: screen.pixel(*spot) == (0, 0, 255))


async def test_a_page_downloads_a_file_into_the_folder_of_downloads_with_a_bar(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("one")
    area = page_area(window)
    below = area.x + area.width // 3, area.bottom - 4

    async with desk.cdp.page("/one") as inside:
        await inside.evaluate("document.getElementById('file').click()")
    done = await desk.report("DownloadProgressed", instance, lambda one: one.state == "completed")
    assert content(done.path) == FILE
    assert (Path(done.path).name, done.received) == ("report.bin", len(FILE))
    assert Path(done.path).is_relative_to(desk.root)
    await desk.screen.until("the bar below the page", lambda: desk.screen.pixel(*below) == (0x2B, 0x3A, 0x55))

    again = await desk.act(instance, Download(url=f"{desk.pages.address}/file", options={"fileName": "../../evil.bin"}))
    assert Path(again["path"]).parent == Path(done.path).parent
    assert (Path(again["path"]).name, again["size"]) == ("evil.bin", len(FILE))


async def test_a_page_is_printed_to_a_pdf_file_searched_captured_and_scripted(
    desk: DeskOfTests, tmp_path: Path
) -> None:
    instance, _ = await desk.loaded("one")

    written = await desk.act(instance, PrintToPdf(options={"filePath": str(tmp_path / "page.pdf")}))
    assert content(written).startswith(b"%PDF")
    assert await desk.act(instance, Find(text="find me")) == {"matches": 2}
    assert base64.b64decode(await desk.act(instance, Capture())).startswith(b"\x89PNG")
    assert await desk.act(instance, RunScript(code="[document.title, 1 + 1]")) == ["One", 2]


async def test_a_larger_zoom_leaves_less_room_in_the_page_also_after_navigation(desk: DeskOfTests) -> None:
    instance, _ = await desk.loaded("one")
    async with desk.cdp.page("/one") as inside:
        before = await inside.evaluate("innerWidth")
        await desk.act(instance, SetZoom(factor=2))
        await inside.until(f"innerWidth === {before // 2}")
        await desk.act(instance, Navigate(url=f"{desk.pages.address}/two"))
        await inside.until(f"document.title === 'Two' && innerWidth === {before // 2}")
    assert (await desk.report("Zoomed", instance)).factor == 2


@pytest.mark.rule("R-2.15-17")
async def test_titles_of_the_format_give_way_to_those_of_documents_and_of_code(desk: DeskOfTests) -> None:
    plain, window = await desk.loaded("one")
    assert window.title.startswith("one #")
    client = await desk.platform.gateway.local_peer("client", "ann")
    await client.methods.call("Rostrum.Windows.SetTitle", {"instance": plain, "title": "By code"})
    await desk.now(window, "the title set by code", lambda now: now.title == "By code")

    _, other = await desk.loaded("synced")
    await desk.now(other, "the title of the document", lambda now: now.title == "Two")
    async with desk.cdp.page("/two") as inside:
        await inside.evaluate("document.title = 'Three'")
    await desk.now(other, "the new title of the document", lambda now: now.title == "Three")


@pytest.mark.rule("R-2.16-15")
@pytest.mark.parametrize("app", ["one", "tab"])
async def test_a_person_edits_the_title_of_a_window(desk: DeskOfTests, app: str) -> None:
    instance, window = await desk.loaded(app)
    selector = 26 + 4 if app == "one" else 0
    x, y = window.bounds.x + BORDER + 6 + selector + 8, window.bounds.y + BORDER + CAPTION // 2

    def field() -> tuple[int, int, int]:
        return desk.screen.pixel(x + 250, y)

    await desk.drawn("/one")
    bar = await desk.screen.until("the bar", lambda: field() if field() != BACKGROUND else None)
    desk.screen.click(x, y, times=2)
    await desk.screen.until("the field for the title", lambda: field() != bar)
    desk.screen.type("My 7\n")
    await desk.now(window, "the entered title", lambda now: now.title == "My 7")
    running = desk.platform.services.instances.get(instance)
    assert running is not None
    assert running.title == "My 7"


async def test_developer_tools_open_in_a_window_unless_the_definition_forbids_them(desk: DeskOfTests) -> None:
    instance, _ = await desk.loaded("one")
    await desk.act(instance, ShowDevTools())
    await desk.screen.until("the tools", lambda: [t for t in desk.screen.titles() if t.startswith("Developer tools: ")])
    await desk.close_all()

    other, _ = await desk.loaded("no-tools")
    with pytest.raises(Exception, match="devToolsEnable"):
        await desk.act(other, ShowDevTools())
    assert [title for title in desk.screen.titles() if "Developer tools" in title] == []


async def test_a_right_click_opens_a_menu_where_the_definition_allows_it(desk: DeskOfTests) -> None:
    _, without = await desk.loaded("tab")
    await desk.drawn("/one")
    desk.screen.click(*page_area(without).center, button=3)
    await desk.close_all()

    _, window = await desk.loaded("one")
    await desk.drawn("/one")
    assert desk.screen.menus() == []
    desk.screen.click(*page_area(window).center, button=3)
    await desk.screen.until("the menu", desk.screen.menus)
    desk.screen.key("Escape")
    await desk.screen.until("no menu", lambda: not desk.screen.menus())


async def test_a_page_opens_a_window_at_a_position_with_its_opener(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("opener")
    await desk.drawn("/opener")

    desk.screen.click(page_area(window).x + 50, page_area(window).y + 50)
    opened = await desk.screen.until(
        "the opened window", lambda: next((one for one in desk.windows() if one.id != window.id), None)
    )
    assert opened.bounds == Rectangle(700, 120, 320, 210)
    async with desk.cdp.page("/two") as inside:
        await inside.until("document.title === 'Two'")
        assert await inside.evaluate("opener !== null && opener.document.title") == "Opener"
    apps = [one.app for one in desk.platform.services.instances.all]
    assert apps == ["opener", "opener"]
