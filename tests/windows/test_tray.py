"""The icon of the platform in the notification area of a panel."""

import asyncio
from pathlib import Path

from rostrum.desktop.hosts.port import TrayEntry
from rostrum.desktop.hosts.reports import TrayChosen
from tests.windows.desk import engine_wanted
from tests.windows.display import Display
from tests.windows.real_host import real_host
from tests.windows.screen import Rectangle, Screen

ENTRIES = (TrayEntry(id="about", title="About"), TrayEntry(id="exit", title="Exit"))
BLUE = (0x25, 0x63, 0xC9)
PANEL = ("trayer", "--edge", "top", "--align", "right", "--widthtype", "pixel", "--width", "200", "--height", "24")


def icon(screen: Screen) -> tuple[int, int] | None:
    """Return a point of the icon in the panel, by its colour."""
    image = screen.image(Rectangle(1300, 0, 300, 40))
    points = ((x, y) for x in range(0, 300, 2) for y in range(0, 40, 2))
    return next(((1300 + x, y) for x, y in points if image.pixel(x, y) == BLUE), None)


async def test_the_icon_is_in_the_panel_and_opens_the_menu(display: Display, screen: Screen, tmp_path: Path) -> None:
    engine_wanted()
    with display.program(*PANEL):
        await screen.until("the panel", lambda: screen.find("panel"))
        async with real_host(display) as running:
            await running.host.show_tray(ENTRIES)
            x, y = await screen.until("the icon", lambda: icon(screen))
            assert screen.find("Rostrum menu") is None
            await asyncio.to_thread(screen.click, x + 4, y + 4)
            (menu,) = await screen.until("the menu", screen.menus)
            await asyncio.to_thread(screen.click, menu.x + 30, menu.bottom - 12)
            assert await running.wait_for(TrayChosen) == TrayChosen(entry="exit")
        await screen.until("no icon", lambda: icon(screen) is None)
