"""Makes the pictures of the admin UI in docs/images, of a manager with the demo firm.

python tools/screenshots.py        (needs Chromium; `make screenshots` brings it)
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
from playwright.async_api import Page, async_playwright

from rostrum.manager.config import ManagerConfig, read_config
from rostrum.manager.demo.load import load_demo
from rostrum.manager.manager import Manager
from rostrum.manager.server import RunningManager, with_free_port
from rostrum.simulation.simulation import prepare_simulation

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.chromium import find_chromium

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
PASSWORD = "only for the pictures"

Action = Callable[[Page], Awaitable[object]]


async def _nothing(_page: Page) -> None:
    """Show the page as it opens."""


async def _first_row(page: Page) -> None:
    await page.locator("tbody a").first.click()


async def _find(page: Page) -> None:
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill("trad")
    await page.get_by_role("option", name="Trading").first.wait_for()


async def _open_history(page: Page) -> None:
    await page.get_by_role("button", name="History").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revision").last.click()
    await page.get_by_role("dialog").get_by_text(re.compile("^Affects")).wait_for()


async def _ask_for_notifications(page: Page) -> None:
    await page.get_by_label("Setting or section").fill("notifications")
    await page.get_by_role("row", name="notifications.toastExpiry").wait_for()
    await page.get_by_role("row", name="server.enabled").wait_for(state="detached")


async def _ask_what_it_would_do(page: Page) -> None:
    await page.get_by_role("switch", name="Public").check()
    await page.get_by_role("button", name="Show details").click()
    await page.get_by_role("dialog").get_by_text("Receives the app").wait_for()


async def _type_a_value(page: Page) -> None:
    await _open_system_json(page)
    await page.get_by_text("JSON", exact=True).click()
    await page.locator(".cm-content").get_by_text("50000", exact=True).dblclick()
    await page.keyboard.type("90000")
    await page.get_by_role("button", name="Show details").click()
    await page.get_by_role("dialog").get_by_text("Affects").wait_for()


async def _choose_members(page: Page) -> None:
    await page.get_by_label("Add members").first.fill("ben")
    await page.get_by_role("option", name="ben.calder").click()
    await page.keyboard.press("Escape")
    await page.get_by_role("table").get_by_role("button", name="Remove ").first.click()
    await page.get_by_role("button", name="Show details").wait_for()


async def _open_layout(page: Page) -> None:
    await page.get_by_role("link", name="Trading Floor").click()


async def _open_system_json(page: Page) -> None:
    await page.get_by_role("link", name="system.json").first.click()


PICTURES: dict[str, tuple[str, Action]] = {
    "dashboard": ("/", _nothing),
    "apps": ("/apps", _nothing),
    "app": ("/apps/order-blotter", _nothing),
    "app-import": ("/apps/-/import", _nothing),
    "directories": ("/directories", _nothing),
    "layouts": ("/layouts", _nothing),
    "layout": ("/layouts", _open_layout),
    "preferences": ("/preferences", _nothing),
    "preference": ("/preferences", _first_row),
    "config-merged": ("/configs?user=ada.birch", _ask_for_notifications),
    "config": ("/configs", _open_system_json),
    "users": ("/users", _nothing),
    "user": ("/users/ada.birch", _nothing),
    "user-apps": ("/users/ada.birch?tab=apps", _nothing),
    "groups": ("/groups", _nothing),
    "group": ("/groups/Trading?tab=apps", _nothing),
    "group-members": ("/groups/Credit Research?tab=members", _choose_members),
    "sessions": ("/sessions", _nothing),
    "session": ("/sessions", _first_row),
    "machines": ("/machines", _nothing),
    "machine": ("/machines", _first_row),
    "commands": ("/commands", _nothing),
    "command-new": ("/commands/-/new", _nothing),
    "crashes": ("/crashes", _nothing),
    "crash": ("/crashes", _first_row),
    "feedback": ("/feedback", _nothing),
    "audit": ("/audit", _nothing),
    "audit-entry": ("/audit", _first_row),
    "server": ("/server", _nothing),
    "history": ("/apps/order-blotter", _open_history),
    "preview": ("/apps/clearing-console", _ask_what_it_would_do),
    "config-effect": ("/configs", _type_a_value),
    "search": ("/", _find),
}
IN_THE_DARK = ("dashboard", "user-apps", "config")


async def main() -> int:
    """Make every picture anew."""
    path = find_chromium()
    if path is None:
        print("no Chromium here: `make chromium`, or set CHROMIUM_PATH", file=sys.stderr)
        return 1
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        config = _config(Path(folder))
        manager = Manager.of(config)
        try:
            await manager.open()
            await load_demo(manager, PASSWORD, "http://127.0.0.1:4356/api")
        finally:
            await manager.close()
        simulation = await prepare_simulation(config.store, PASSWORD)
        with await asyncio.to_thread(RunningManager, config) as running:
            await _change_something(running.base_url)
            simulation.start(running.base_url)
            try:
                await _until_all_are_online(running.base_url, len(simulation.desktops))
                await _take_all(path, running.base_url.removesuffix("/api"))
            finally:
                await asyncio.to_thread(simulation.stop)
    return 0


def _config(folder: Path) -> ManagerConfig:
    document = {
        "auth_method": "basic",
        "port": 0,
        "store": f"sqlite:///{folder}/rostrum.db",
        "token": {"secret": "a secret for the time of taking pictures"},
        "cors": {"credentials": True, "origin": "http://127.0.0.1:4356"},
        "auth_basic": {"predefinedUsers": [f"admin:{PASSWORD}"]},
        "log": {"level": "warning"},
    }
    return with_free_port(read_config(document, {}).config)


async def _change_something(base_url: str) -> None:
    """Give the history and the audit something to show."""
    async with httpx.AsyncClient(base_url=base_url, auth=("admin", PASSWORD)) as api:
        app = (await api.get("/admin/apps/order-blotter")).json()
        definition = {**app["definition"], "title": "Orders", "version": "5.5.0"}
        await api.patch("/admin/apps/order-blotter", json={"definition": definition, "accessList": ["Trading"]})
        for body in (
            {"user": "ada.birch", "description": "Agent on the trading floor"},
            {"group": "Research", "description": "Agent of the research portal"},
        ):
            await api.post("/admin/directories", json=body)


async def _until_all_are_online(base_url: str, count: int) -> None:
    async with httpx.AsyncClient(base_url=base_url, auth=("admin", PASSWORD)) as api:
        for _ in range(600):
            if (await api.get("/admin/sessions", params={"active": "true"})).json()["total"] == count:
                return
            await asyncio.sleep(0.1)
    raise RuntimeError("not all simulated desktops have signed in")


async def _take_all(path: str, root: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for scheme, names in (("light", tuple(PICTURES)), ("dark", IN_THE_DARK)):
            context = await browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
            page = await context.new_page()
            await page.goto(f"{root}/admin/")
            await page.get_by_label("User").fill("admin")
            if scheme == "light":
                await page.screenshot(path=IMAGES / "login.png")
            await page.get_by_label("Password", exact=True).fill(PASSWORD)
            await page.get_by_role("button", name="Sign in").click()
            await page.get_by_role("button", name="Sign out").wait_for()
            for name in names:
                address, act = PICTURES[name]
                await page.goto(f"{root}/admin{address}")
                await _settle(page)
                await act(page)
                await _settle(page)
                await page.screenshot(path=IMAGES / f"{name}{'' if scheme == 'light' else '-dark'}.png")
                print(f"{name} ({scheme})")
            await context.close()
        await browser.close()


async def _settle(page: Page) -> None:
    await page.get_by_role("heading", level=1).wait_for()
    await page.wait_for_function("() => !document.querySelector('[role=status][aria-label=Loading]')")
    await page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running')")
    await page.wait_for_timeout(300)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
