"""A main page in Chromium, and apps with the unmodified client libraries in windows and frames of it."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Frame, Page

from rostrum.agents import AgentService, peer_of_platforms
from rostrum.gateway import Gateway
from tests.agents.agents import FixedProfiles
from tests.agents.main_page import build, served, write_setting
from tests.agents.test_browser import TokenIsUser
from tests.fdc3.platform import record
from tests.gateway.sockets import quick, running

PACKAGES = Path(__file__).parent / "node" / "node_modules"
LIBRARIES = {
    "interopio.js": "@interopio/browser/dist/browser.umd.js",
    "glue42.js": "@glue42/web/dist/web.umd.js",
    "interopio-fdc3.js": "@interopio/fdc3/dist/fdc3.umd.js",
}
PAGE = '<!doctype html><meta charset="utf-8"><title>{name}</title><h1>{name}</h1>{scripts}'
INTEROPIO = (
    '<script src="interopio.js"></script>'
    '<script>window.connecting = IOBrowser({exposeAPI: true, systemLogger: {level: "error"}})'
    ".then(io => { window.io = io; })</script>"
)
GLUE42 = (
    '<script src="glue42.js"></script>'
    '<script>window.connecting = GlueWeb({systemLogger: {level: "error"}}).then(io => { window.io = io; })</script>'
)
SCRIPTS = {
    "blotter": INTEROPIO,
    "orders": INTEROPIO,
    "ticket": GLUE42,
    "quotes": INTEROPIO + '<script src="interopio-fdc3.js"></script>',
    "chart": '<script type="module" src="app-page.js"></script>',
}
INTENTS = {"ViewOrders": {"displayName": "View orders", "contexts": ["fdc3.instrument"]}}


@dataclass
class Desk:
    """A main page, the gateway behind it, and the apps that it opens."""

    context: BrowserContext
    main: Page
    gateway: Gateway
    apps: str
    user: str

    async def open(self, app: str, instance: str) -> Page:
        """Let the main page open an app in a window; return its page once the library is connected."""
        async with self.context.expect_page() as opened:
            await self.main.evaluate("([app, id]) => openApp(app, id)", [app, instance])
        page = await opened.value
        await ready(page)
        return page

    async def show(self, app: str, instance: str) -> Frame:
        """Let the main page open an app in a frame."""
        await self.main.evaluate("([app, id]) => openApp(app, id)", [app, instance])
        frame = self.main.frame(name=f"g42-{instance}#wsp")
        assert frame is not None
        await ready(frame)
        return frame

    async def interrupt(self) -> None:
        """End all connections to the gateway."""
        for source in list(self.gateway._server.sources):
            source.revoke("the test interrupts the connection")


async def ready(page: Page | Frame) -> None:
    await page.wait_for_function("window.connecting !== undefined")
    await page.evaluate("connecting.then(agent => { window.agent = agent; })")


@dataclass
class Place:
    """Where the main pages of tests are: one gateway, one site with the pages of apps, and one window.

    Each main page has a user of its own, so it finds no channels, intents or apps of earlier ones.
    """

    context: BrowserContext
    main: Page
    gateway: Gateway
    profiles: FixedProfiles
    folder: Path
    site: str
    apps: str
    users: int = 0

    @asynccontextmanager
    async def desk(
        self, *, frames: tuple[str, ...] = (), manager: str | None = None, username: str = ""
    ) -> AsyncIterator[Desk]:
        """A main page that is connected, with apps of all libraries in its directory."""
        self.users += 1
        user = f"ada-{self.users}"
        for name, scripts in SCRIPTS.items():
            (self.folder / f"{name}.html").write_text(PAGE.format(name=name, scripts=scripts))
        records = [
            record(name, INTENTS if name == "orders" else None, details={"url": f"{self.apps}/{name}.html"})
            for name in SCRIPTS
        ]
        self.profiles.records[user] = records
        stored = {"manager": manager, "username": username} if manager else {}
        write_setting(self.folder, url=self.gateway.address, token=user, records=records, frames=frames, **stored)
        await self.main.goto(f"{self.site}/clients-page.html")
        await self.main.wait_for_function("window.seen?.statuses.length > 0")
        try:
            yield Desk(self.context, self.main, self.gateway, self.apps, user)
        finally:
            for page in self.context.pages:
                if page is not self.main:
                    await page.close()
            await self.main.goto("about:blank")


@asynccontextmanager
async def client_place(browser: Browser, folder: Path) -> AsyncIterator[Place]:
    """Start a gateway with agents, and serve the pages of apps of all libraries."""
    build(folder, "clients-page", "app-page")
    for name, path in LIBRARIES.items():
        shutil.copy(PACKAGES / path, folder / name)
    profiles = FixedProfiles()
    async with running(quick(), secrets=TokenIsUser()) as gateway:
        service = AgentService(gateway, profiles, peer_of_platforms(gateway), version="1.2.3")
        await service.start(await gateway.local_peer("Rostrum", "rostrum", is_service=True))
        with served(folder) as site, served(folder) as apps:
            async with await browser.new_context() as context:
                yield Place(context, await context.new_page(), gateway, profiles, folder, site, apps)
        await service.stop()
