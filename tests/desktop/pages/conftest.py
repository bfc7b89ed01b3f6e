"""The platform's own pages in a real Chromium, in front of a real platform; only the windows are missing."""

import inspect
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import PageCall
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.desktop.windows.own_pages import OWN_PAGES
from rostrum.settings.parse import NEWEST
from rostrum.sources.load import Start
from tests.chromium import chromium
from tests.stores.apps.backends import app

PAGES = files("rostrum.desktop") / "pages"
AXE = Path(__file__).resolve().parents[3] / "admin-ui" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE_MS = 20_000
BRIDGE = """
  (() => {
    const listeners = {};
    window.rostrum = {
      call: async (method, args) => {
        const {result, error} = JSON.parse(await window.askPlatform(method, JSON.stringify(args ?? {})));
        if (error !== undefined) throw new Error(error);
        return result;
      },
      on: (event, listener) => (listeners[event] ??= []).push(listener),
    };
    window.deliver = (event, data) => (listeners[event] ?? []).forEach((listener) => listener(data));
  })();
"""
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
THEMES = [{"name": "day", "displayName": "Day"}, {"name": "night", "displayName": "Night"}]
CHANNELS = [{"name": "Red", "meta": {"color": "#a8483f"}}, {"name": "Blue", "meta": {"color": "#2f6f9f"}}]
SYSTEM = {
    "gw": {"configuration": {"port": 0}},
    "appStores": [{"type": "path", "details": {"path": "apps"}}],
    "channels": {"definitions": CHANNELS},
    "themes": {"availableThemes": THEMES},
    "windows": {"channelSelector": {"enabled": True}},
    "notifications": {"showNotificationBadge": True, "snooze": {"enabled": True, "duration": 60_000}},
}

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run every test here on one loop: the browser lives on it."""
    for item in items:
        if item.nodeid.startswith("tests/desktop/pages/") and inspect.iscoroutinefunction(
            getattr(item, "function", None)
        ):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


class BrowserHost(RecordingHost):
    """Shows no windows, but passes events to the pages that are open in the browser."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[Page] = []

    async def send_to_pages(self, event: str, data: Any) -> None:
        await super().send_to_pages(event, data)
        for page in [*self.pages]:
            await page.evaluate("([event, data]) => window.deliver(event, data)", [event, dict(data)])


@dataclass
class OpenPages:
    """A running platform, and its pages in the browser."""

    platform: Platform
    host: BrowserHost
    browser: Browser
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def page(self, name: str) -> AsyncIterator[Page]:
        """Open a page as the window host does: its files, its bridge, and nothing else."""
        size = OWN_PAGES[name]
        context = await self.browser.new_context(
            viewport={"width": size.width, "height": size.height}, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()

        async def ask(method: str, arguments: str) -> str:
            call = PageCall(page=name, method=method, arguments=json.loads(arguments))
            try:
                return json.dumps({"result": await self.platform.reports.ask(call)})
            except DesktopError as error:
                return json.dumps({"error": str(error)})

        await page.expose_function("askPlatform", ask)
        await page.add_init_script(BRIDGE)
        await context.route("**/*", self._serve)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        self.host.pages.append(page)
        await page.goto(f"https://{name}.own-pages.test/")
        try:
            yield page
        finally:
            self.host.pages.remove(page)
            await context.close()

    async def _serve(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        name = (address.path.lstrip("/") or f"{(address.hostname or '').partition('.')[0]}.html").split("/")[-1]
        file = PAGES / name
        if not (address.hostname or "").endswith(".own-pages.test") or not file.is_file():
            self.requests.append(route.request.url)
            await route.abort()
            return
        await route.fulfill(body=file.read_bytes(), content_type=TYPES[name.rpartition(".")[2]])


async def violations(page: Page) -> list[str]:
    """Ask axe what on this page somebody could not use: by light all of it, in the dark the colours again."""
    return [*await _examined(page, "light"), *await _examined(page, "dark", "color-contrast")]


async def _examined(page: Page, scheme: Literal["light", "dark"], *rules: str) -> list[str]:
    await page.emulate_media(color_scheme=scheme)
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text(encoding="utf-8") + ";undefined")
    found = await page.evaluate(
        """rules => axe.run(document, {resultTypes: ['violations'], preload: false,
            ...(rules.length ? {runOnly: rules} : {})})
        .then(result => result.violations.flatMap(rule => rule.nodes.slice(0, 3).map(node =>
            `${rule.id}: ${node.html.slice(0, 160)} ${(node.any[0] ?? node.all[0])?.message ?? ''}`)))""",
        list(rules),
    )
    return [f"{scheme}: {each}" for each in found]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for all tests of this process."""
    async with chromium() as launched:
        yield launched


def write_configuration(root: Path, **members: Any) -> None:
    """Write a desktop with three apps, two channels and two themes."""
    (root / "config").mkdir(parents=True)
    (root / "apps").mkdir()
    (root / "config" / "system.json").write_text(json.dumps({**SYSTEM, **members}))
    for name, title, caption in (
        ("watch", "Market Watch", "Live prices"),
        ("chart", "Price Chart", "Price history"),
        ("notes", "Notes", ""),
    ):
        (root / "apps" / f"{name}.json").write_text(json.dumps(app(name, title=title, caption=caption)))


@asynccontextmanager
async def running(browser: Browser, root: Path) -> AsyncIterator[OpenPages]:
    """Run the platform of a configuration; what its pages complain about fails the test."""

    async def ask(_: str) -> Login | None:
        return None

    host = BrowserHost()
    start = Start(root=root, variables={"PATH": "/usr/bin:/bin", "USER": "ann"}, version=NEWEST)
    platform = Platform(start, host, ask)
    await platform.start()
    pages = OpenPages(platform, host, browser)
    try:
        yield pages
    finally:
        await platform.stop()
    assert pages.complaints == []
    assert pages.requests == [], "pages must work offline"


@pytest_asyncio.fixture(loop_scope="session")
async def pages(browser: Browser, tmp_path: Path) -> AsyncIterator[OpenPages]:
    """A platform of this test's own."""
    write_configuration(tmp_path)
    async with running(browser, tmp_path) as opened:
        yield opened
