"""Makes the pictures of the desktop in docs/images, in light and dark: the demo's apps on a screen of their own.

python tools/desktop_screenshots.py        (needs the browser engine, Xvfb and openbox; `make screenshots` brings them)
"""

import asyncio
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from Xlib import display as x_display  # noqa: E402

from rostrum.demo_apps.server import AppServer  # noqa: E402
from rostrum.desktop.hosts.engines import installed_version  # noqa: E402
from rostrum.desktop.windows.geometry import Bounds  # noqa: E402
from rostrum.manager.demo.addresses import at_origin  # noqa: E402
from rostrum.manager.demo.read import read_demo  # noqa: E402
from tests.windows.desk import DeskOfTests, running_desk  # noqa: E402
from tests.windows.display import PROGRAMS, Display, running_display  # noqa: E402
from tests.windows.pages import Pages  # noqa: E402
from tests.windows.screen import Rectangle, Screen  # noqa: E402

IMAGES = ROOT / "docs" / "images"
LARGEST = 300_000
GROUND = {"light": 0x8FA3B8, "dark": 0x2A3442}
AREA = Rectangle(0, 80, 1580, 740)
WINDOWS = {
    "market-watch": Bounds(424, 110, 470, 336),
    "price-chart": Bounds(898, 110, 660, 336),
    "news-wire": Bounds(424, 450, 470, 340),
    "order-blotter": Bounds(898, 450, 660, 340),
}
THEMES = {"light": "harbour-day", "dark": "harbour-night"}


def settings() -> dict[str, Any]:
    """Return the settings of the demo firm that windows show."""
    contents = {item["file"]: item["contents"] for item in reversed(read_demo().configs) if "group" not in item}
    themes = [{"name": each["name"], "displayName": each["displayName"]} for each in contents["themes.json"]]
    return {
        "env": "DEMO",
        "region": "EMEA",
        "channels": {"definitions": contents["channels.json"]},
        "themes": {"availableThemes": themes},
        "windows": {"channelSelector": {"enabled": True, "channelId": "Harbour Blue"}},
        "notifications": {"showNotificationBadge": True, "toastExpiry": 600_000},
    }


def write_apps(root: Path, origin: str) -> None:
    """Write the apps that a trader of the demo firm has."""
    (root / "apps").mkdir(parents=True)
    shown = {"Trading", "Pilot Desks"}
    for item in read_demo().apps:
        definition = at_origin(item["definition"], origin)
        if definition["type"] != "window" or not (item.get("public") or shown & set(item.get("accessList", []))):
            continue
        bounds = WINDOWS.get(definition["name"])
        if bounds is not None:
            place = {"left": bounds.left, "top": bounds.top, "width": bounds.width, "height": bounds.height}
            definition = {**definition, "details": {**definition["details"], **place}}
        (root / "apps" / f"{definition['name']}.json").write_text(json.dumps(definition))


async def fill(desk: DeskOfTests) -> None:
    """Open the windows, and let something happen in them."""
    for app in WINDOWS:
        instance = await desk.platform.services.instances.start(app)
        await desk.report("LoadFinished", instance.id)
    async with desk.cdp.page("/watch/") as page:
        await page.until("document.querySelector('tr[aria-selected=true]') !== null")
        await page.evaluate("document.querySelector('tr[data-ticker=HRBR]').click()")
    orders = {
        "HRBR": ("Buy", 400, "110.50", "Working"),
        "PNCR": ("Sell", 150, "46.80", "Filled"),
        "QUAY": ("Buy", 900, "22.70", "Filled"),
        "LUMN": ("Sell", 250, "88.40", "Cancelled"),
        "OKWD": ("Buy", 300, "66.20", "Filled"),
    }
    rows = {
        str(number): {
            "id": str(number), "time": f"09:1{number}:04", "ticker": ticker,
            "side": side, "quantity": quantity, "limit": limit, "state": state,
        }
        for number, (ticker, (side, quantity, limit, state)) in enumerate(orders.items(), 1)
    }  # fmt: skip
    await desk.platform.running_gateway.peer.contexts.set("Harbour.Orders", {"orders": rows})
    async with desk.cdp.page("/blotter/") as page:
        await page.until("document.querySelectorAll('#rows tr').length === 5")
    async with desk.cdp.page("/chart/") as page:
        await page.until("document.querySelector('#name').textContent === 'Harbour Shipping'")
    await desk.platform.services.own_pages.show("launcher")
    async with desk.cdp.page("rostrum-page://launcher/") as page:
        await page.until("document.querySelectorAll('#apps .option').length > 5")
    # Not at the very edge of the picture.
    launcher = desk.screen.window("Launcher")
    desk.screen.place(launcher, launcher.bounds.moved(12, 0))
    await desk.now(launcher, "the launcher beside the edge", lambda now: now.bounds.x == 12)


async def main() -> int:
    """Make every picture anew."""
    if installed_version() is None:
        print("the browser engine is not installed: `make .venv/.windows`", file=sys.stderr)
        return 1
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        print(f"{', '.join(missing)} not installed: `make test` installs them", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, running_display(Path(folder)) as display:
        server = AppServer()
        server.start()
        screen = Screen(display.name)
        root = Path(folder) / "desk"
        write_apps(root, server.origin)
        try:
            async with running_desk(root, display, screen, Pages(server.origin, {}), {}, settings()) as desk:
                await fill(desk)
                for scheme, theme in THEMES.items():
                    await take(desk, display, scheme, theme)
        finally:
            screen.close()
            server.stop()
    return 0


async def take(desk: DeskOfTests, display: Display, scheme: str, theme: str) -> None:
    """Take the picture in one theme."""
    paint_ground(display, GROUND[scheme])
    await desk.platform.services.themes.select(theme)
    for part in ("rostrum-page://launcher/", "/watch/", "/chart/", "/news/", "/blotter/"):
        async with desk.cdp.page(part) as page:
            await page.until(f"document.documentElement.dataset.theme === '{scheme}'")
            # Two frames later it is on the screen.
            await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await asyncio.sleep(1)
    png = desk.screen.image(AREA).png()
    if len(png) > LARGEST:
        raise SystemExit(f"the picture has {len(png)} bytes, more than {LARGEST}")
    name = "desktop" if scheme == "light" else f"desktop-{scheme}"
    (IMAGES / f"{name}.png").write_bytes(png)
    print(f"{name}.png")


def paint_ground(display: Display, color: int) -> None:
    """Paint what is behind the windows."""
    connection = x_display.Display(display.name)
    root = connection.screen().root
    root.change_attributes(background_pixel=color)
    root.clear_area()
    connection.sync()
    connection.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
