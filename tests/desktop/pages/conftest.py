"""The platform's own pages in a real Chromium, in front of a real platform; only the windows are missing."""

import inspect
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any
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
from tests.end_to_end.accessibility import Examination
from tests.stores.apps.backends import app

PAGES = files("rostrum.desktop") / "pages"
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
_examination = Examination()

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
class Window:
    """A window of the browser. It stays open between tests, empty, because opening one takes long.

    Attributes:
        pages: Whose page it shows.
        name: The name of this page.

    """

    page: Page
    pages: "OpenPages | None" = None
    name: str = ""

    async def connect(self) -> None:
        """Connect all pages that the window will show, as the window host does."""
        await self.page.expose_function("askPlatform", self._ask)
        await self.page.add_init_script(BRIDGE)
        await self.page.route("**/*", self._serve)
        self.page.on("pageerror", lambda error: self._shown.complaints.append(str(error)))
        self.page.on("console", lambda one: self._shown.complaints.append(one.text) if one.type == "error" else None)

    @property
    def _shown(self) -> "OpenPages":
        assert self.pages is not None, "an empty window does nothing"
        return self.pages

    async def _ask(self, method: str, arguments: str) -> str:
        call = PageCall(page=self.name, method=method, arguments=json.loads(arguments))
        try:
            return json.dumps({"result": await self._shown.platform.reports.ask(call)})
        except DesktopError as error:
            return json.dumps({"error": str(error)})

    async def _serve(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        name = (address.path.lstrip("/") or f"{(address.hostname or '').partition('.')[0]}.html").split("/")[-1]
        file = PAGES / name
        if not (address.hostname or "").endswith(".own-pages.test") or not file.is_file():
            self._shown.requests.append(route.request.url)
            await route.abort()
            return
        await route.fulfill(body=file.read_bytes(), content_type=TYPES[name.rpartition(".")[2]])


@dataclass
class Windows:
    """The windows that show pages one after the other."""

    browser: Browser
    free: list[Window] = field(default_factory=list)

    async def take(self, pages: "OpenPages", name: str) -> Window:
        """Give an empty window to a page."""
        window = self.free.pop() if self.free else await self._open()
        window.pages, window.name = pages, name
        size = OWN_PAGES[name]
        await window.page.set_viewport_size({"width": size.width, "height": size.height})
        return window

    async def put_back(self, window: Window) -> None:
        """Empty a window."""
        await window.page.goto("about:blank")
        await window.page.emulate_media(color_scheme="light")
        window.pages = None
        self.free.append(window)

    async def _open(self) -> Window:
        context = await self.browser.new_context(reduced_motion="reduce")
        context.set_default_timeout(PATIENCE_MS)
        window = Window(await context.new_page())
        await window.connect()
        return window


@dataclass
class OpenPages:
    """A running platform, and its pages in the browser."""

    platform: Platform
    host: BrowserHost
    windows: Windows
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def page(self, name: str) -> AsyncIterator[Page]:
        """Open a page as the window host does: its files, its bridge, and nothing else."""
        window = await self.windows.take(self, name)
        self.host.pages.append(window.page)
        try:
            await window.page.goto(f"https://{name}.own-pages.test/")
            yield window.page
        finally:
            self.host.pages.remove(window.page)
            await self.windows.put_back(window)


async def violations(page: Page) -> list[str]:
    """Ask axe what on this page somebody could not use, in light colours and in dark ones."""
    return await _examination.violations(page)


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
async def running(windows: Windows, root: Path) -> AsyncIterator[OpenPages]:
    """Run the platform of a configuration; what its pages complain about fails the test."""

    async def ask(_: str) -> Login | None:
        return None

    host = BrowserHost()
    start = Start(root=root, variables={"PATH": "/usr/bin:/bin", "USER": "ann"}, version=NEWEST)
    platform = Platform(start, host, ask)
    await platform.start()
    pages = OpenPages(platform, host, windows)
    try:
        yield pages
    finally:
        await platform.stop()
    assert pages.complaints == []
    assert pages.requests == [], "pages must work offline"


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    """Windows that all tests share."""
    return Windows(browser)


@pytest_asyncio.fixture(loop_scope="session")
async def pages(windows: Windows, tmp_path: Path) -> AsyncIterator[OpenPages]:
    """A platform of this test's own."""
    write_configuration(tmp_path)
    async with running(windows, tmp_path) as opened:
        yield opened
