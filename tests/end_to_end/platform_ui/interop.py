"""A manager with a central gateway, and apps with the unmodified client of FINOS on the site of the manager."""

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Frame, Page

from rostrum.manager.server import RunningManager
from tests.agents.main_page import build, served
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import config_for
from tests.end_to_end.platform_ui.conftest import ADMIN, USER, AppSite, Desk, Firm
from tests.end_to_end.processes import Running, serving
from tests.plain_http import NO_TLS
from tests.tables import add_tables

INSTRUMENT = {"type": "fdc3.instrument", "name": "Zephyr Energy", "id": {"ticker": "ZEN"}}
CONTACT = {"type": "fdc3.contact", "id": {"email": "ann@example.com"}}


@dataclass
class ConnectedFirm(Firm):
    """A manager whose users have an FDC3 agent."""

    gateway_port: int
    folder: Path

    @contextmanager
    def gateway(self) -> Iterator[Running]:
        """Run the central gateway, always at the same address."""
        origin = self.running.base_url.removesuffix("/api")
        options = ("--port", str(self.gateway_port), "--manager", self.running.base_url, "--no-passwords")
        runtime = {"XDG_RUNTIME_DIR": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        with serving("gateway", *options, "--origin", origin, environment=runtime) as process:
            assert process.address
            yield process
            process.stop()

    async def user(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request of the user to the manager, as another client does."""
        async with httpx.AsyncClient(base_url=self.running.base_url, auth=USER, timeout=30, verify=NO_TLS) as client:
            answer = await client.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    async def add_fdc3_app(self, title: str, *intents: str, **details: Any) -> None:
        """Add an app that uses FDC3."""
        listens = [
            {"name": intent, "displayName": f"Show {intent}", "contexts": ["fdc3.instrument"]} for intent in intents
        ]
        url = f"{self.site.address}/app-page.html?{title.lower()}"
        definition = {"name": title.lower(), "title": title, "type": "window", "details": {"url": url, **details}}
        await self.admin("POST", "/admin/apps", {"definition": {**definition, "intents": listens}, "public": True})


@asynccontextmanager
async def connected_firm(folder: Path) -> AsyncIterator[ConnectedFirm]:
    """A manager that names a central gateway, which does not run yet."""
    pages = folder / "pages"
    pages.mkdir()
    build(pages, "app-page")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    users = {"predefinedUsers": [":".join(ADMIN), ":".join(USER)]}
    gateway = {"url": f"ws://127.0.0.1:{port}"}
    store = f"sqlite:///{folder}/rostrum.db"
    config = config_for(store, auth_basic=users, gateway=gateway)
    await add_tables(store)
    with RunningManager(config) as running, served(pages) as site:
        # Browsers give frames of other sites no session storage, which the client needs.
        yield ConnectedFirm(running, AppSite(site.replace("localhost", "127.0.0.1")), port, folder)


async def connected(page: Frame | Page) -> Frame | Page:
    """Wait until the app in a frame or window has its agent, as `agent` in its page."""
    await page.wait_for_function("window.connecting !== undefined")
    await page.evaluate("async () => { window.agent = await connecting; }")
    return page


async def open_app(desk: Desk, title: str, *, at: int = 0) -> Frame:
    """Open an app in a panel; return its frame once it is connected."""
    await desk.launch(title)
    return await frame_of(desk, title, at=at)


async def frame_of(desk: Desk, title: str, *, at: int = 0) -> Frame:
    """The frame of an app that is connected."""
    frame = await frame_titled(desk, title, at=at)
    await connected(frame)
    return frame


async def frame_titled(desk: Desk, title: str, *, at: int = 0) -> Frame:
    """The frame of an app, connected or not."""
    handle = await desk.page.locator(f'iframe[title="{title}"]').nth(at).element_handle()
    assert handle is not None
    frame = await handle.content_frame()
    assert frame is not None
    return frame


async def select_channel(desk: Desk, title: str, channel: str) -> None:
    """Select the channel of the app in front with the keyboard."""
    button = desk.page.get_by_role("button", name=f"Channel of {title}:")
    await button.press("Enter")
    item = desk.page.get_by_role("menuitemradio", name=channel, exact=True)
    await item.press("Enter")
    await expect(button).to_have_accessible_name(f"Channel of {title}: {channel}")
