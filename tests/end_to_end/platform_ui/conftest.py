"""A real Chromium, a real manager with a few apps, and a server for the pages of these apps."""

import inspect
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Frame, Locator

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor, config_for, enter, visiting
from tests.plain_http import NO_TLS
from tests.tables import add_content, add_tables

ADMIN = ("admin", "admin-password-1")
USER = ("ann", "a long password")
FRAMED = ("Blotter", "Chart", "News")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run every test here on one loop: the browser lives on it."""
    for item in items:
        if item.nodeid.startswith("tests/end_to_end/platform_ui/") and inspect.iscoroutinefunction(
            getattr(item, "function", None)
        ):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@dataclass
class AppSite:
    """Serves the pages of apps on another site than the manager, and counts how often each was loaded."""

    address: str = ""
    loads: Counter[str] = field(default_factory=Counter)


@pytest.fixture(scope="session")
def shared_site() -> Iterator[AppSite]:
    made = AppSite()

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.loads[self.path] += 1
            content = f"<!doctype html><title>{self.path}</title><h1>{self.path}</h1><input aria-label=Note>".encode()
            self.send_response(302 if self.path == "/moved" else 200)
            if self.path == "/moved":
                self.send_header("Location", f"{made.address.replace('localhost', 'elsewhere.test')}/there")
            if self.path == "/refuses":
                self.send_header("X-Frame-Options", "DENY")
            if self.path == "/guarded":
                self.send_header("Content-Security-Policy", "frame-ancestors 'none'")
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        made.address = f"http://localhost:{server.server_port}"
        yield made
        server.shutdown()
        thread.join()


@pytest.fixture
def site(shared_site: AppSite) -> Iterator[AppSite]:
    """The site, on which nothing was loaded before the test."""
    address = shared_site.address
    shared_site.loads.clear()
    yield shared_site
    shared_site.address = address


@dataclass
class Firm:
    """A running manager, and its administrator."""

    running: RunningManager
    site: AppSite

    async def admin(self, method: str, path: str, body: Any = None) -> Any:
        async with httpx.AsyncClient(base_url=self.running.base_url, auth=ADMIN, timeout=30, verify=NO_TLS) as client:
            answer = await client.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    async def add_app(self, title: str, path: str | None = None, **details: Any) -> None:
        url = f"{self.site.address}{path or f'/{title.lower()}'}"
        definition = {"name": title.lower(), "title": title, "type": "window", "details": {"url": url, **details}}
        await self.admin("POST", "/admin/apps", {"definition": definition, "public": True})


ON_POSTGRESQL = pytest.mark.parametrize("database", ["postgresql"], indirect=True)
"""Runs a test on PostgreSQL."""


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database: SQLite unless the test needs PostgreSQL."""
    address: str = request.getfixturevalue(getattr(request, "param", "sqlite"))
    return address


@pytest_asyncio.fixture(loop_scope="session")
async def firm(database: str, site: AppSite) -> AsyncIterator[Firm]:
    users = {"predefinedUsers": [":".join(ADMIN), ":".join(USER)]}

    async def add_users_and_apps(store: str) -> None:
        await add_tables(store)
        with RunningManager(config_for(store, auth_basic=users)) as running:
            for title in FRAMED:
                await Firm(running, site).add_app(title)

    await add_content(database, f"apps of {site.address}", add_users_and_apps)
    with RunningManager(config_for(database, auth_basic=users)) as running:
        yield Firm(running, site)


@dataclass
class Desk(Visitor):
    """A user's browser window on the browser platform."""

    async def enter(self, query: str = "") -> None:
        """Open the page in a browser that is signed in, and wait for the workspace."""
        await enter(self.page.context, self.root, *USER)
        await self.page.goto(f"{self.root}/platform/{query}")
        await self.ready()

    async def sign_in(self, query: str = "") -> None:
        """Sign in on the page, as a person does, which loads it twice; wait for the workspace."""
        await self.page.goto(f"{self.root}/platform/{query}")
        await self.fill_log_in(*USER)
        await self.ready()
        await self.page.keyboard.press("Control+k")
        await expect(self.page.get_by_role("combobox", name="Search apps")).to_be_focused()
        await self.page.keyboard.press("Escape")
        await expect(self.page.get_by_role("dialog", name="Open an app")).to_have_count(0)

    async def ready(self) -> None:
        await expect(self.page.get_by_role("tablist", name="Workspaces").get_by_role("tab").first).to_be_visible()

    async def launch(self, title: str) -> None:
        """Open an app with the keyboard."""
        await self.page.get_by_role("button", name="Apps").press("Enter")
        await self.page.get_by_role("combobox", name="Search apps").fill(title)
        await expect(self.page.get_by_role("option")).to_have_count(1)
        await self.page.keyboard.press("Enter")
        await expect(self.page.get_by_role("dialog", name="Open an app")).to_have_count(0)

    async def save_layout(self, name: str) -> None:
        """Save the workspace in front; the dialog stays open."""
        await self.page.get_by_role("button", name="Layouts").click()
        form = self.page.get_by_role("form", name="Save layout")
        await form.get_by_label("Name").fill(name)
        await form.get_by_role("button", name="Save").click()

    def tab(self, title: str) -> Locator:
        return self.page.locator(".dv-tab").filter(has_text=title)

    async def frame(self, title: str) -> Frame:
        """The page of an app in its frame, once it is loaded."""
        handle = await self.page.locator(f'iframe[title="{title}"]').element_handle()
        assert handle is not None
        frame = await handle.content_frame()
        assert frame is not None
        await expect(frame.get_by_label("Note")).to_be_attached()
        return frame


@asynccontextmanager
async def at_desk(browser: Browser, firm: Firm, **options: Any) -> AsyncIterator[Desk]:
    """Open a window with cookies of its own; what the page complains about fails the test."""
    async with visiting(browser, firm.running, **options) as visitor:
        yield Desk(visitor.page, visitor.root, visitor.complaints)
