"""What pages in real windows get and what they do not get, with the unmodified client libraries."""

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.hosts.start import window_process
from rostrum.desktop.platform import Platform
from tests.desktop.test_platform import APPS, Desk
from tests.windows.cdp import Cdp, Page
from tests.windows.display import Display
from tests.windows.page_server import PageServer, serving_pages

SEEN = """<script>
  window.seen = { api: typeof window.iodesktop, same: window.iodesktop === window.glue42gd, qt: typeof qt,
    versions: typeof glueDesktop + typeof ioDesktopInfo, preload: typeof gdPreloadPromise };
</script>"""
FRAMED = "<script>parent.postMessage({ api: typeof window.iodesktop, qt: typeof qt }, '*');</script>"
INDEX = f"""<!doctype html><title>Index</title>{SEEN}
<script>window.framed = new Promise((found) => addEventListener("message", (event) => found(event.data)));</script>
<iframe src="/framed"></iframe><script src="/interopio.js"></script>"""


@dataclass
class OpenDesk:
    """A running platform with real windows."""

    platform: Platform
    cdp: Cdp

    async def start(self, name: str, context: Any = None) -> str:
        return (await self.platform.services.instances.start(name, context)).id

    def peers(self, instance: str) -> list[str]:
        """Return the gateway's peers of an instance."""
        state = self.platform.gateway._router.state
        return [one.id for one in state.peers.values() if one.identity.get("instance") == instance]


@pytest.fixture
def pages() -> Iterator[PageServer]:
    with serving_pages(index=INDEX, framed=FRAMED) as server:
        yield server


@pytest.fixture
def other() -> Iterator[PageServer]:
    """Another origin."""
    with serving_pages(other=f"<!doctype html><title>Other</title>{SEEN}") as server:
        yield server


@asynccontextmanager
async def opened(
    tmp_path: Path, display: Display, monkeypatch: pytest.MonkeyPatch, apps: dict[str, dict[str, Any]], **system: Any
) -> AsyncIterator[OpenDesk]:
    """Run the platform in this process, with the real window process on the display."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("DISPLAY", display.name)
    monkeypatch.setenv("ROSTRUM_WINDOWS_TEST", "1")
    monkeypatch.setenv("ROSTRUM_WINDOWS_DEBUGGING", f"127.0.0.1:{port}")
    desk = Desk(tmp_path / "desk")
    for name, details in apps.items():
        desk.write_app(name, type="window", details=details)
    desk.system(**APPS, **system)
    desk.host = window_process()  # type: ignore[assignment]  # tests of windows need no recording
    async with desk.running() as platform:
        yield OpenDesk(platform, Cdp(port))


async def ready(page: Page, options: str = "{}") -> None:
    """Initialize the client library."""
    await page.until("typeof IODesktop === 'function'")
    await page.evaluate(f"IODesktop({options}).then((io) => {{ window.io = io; return true; }})")


async def test_a_page_has_the_api_before_its_scripts_and_frames_and_other_origins_do_not(
    tmp_path: Path, display: Display, monkeypatch: pytest.MonkeyPatch, pages: PageServer, other: PageServer
) -> None:
    apps = {"clock": {"url": f"{pages.origin}/index"}}
    async with opened(tmp_path, display, monkeypatch, apps) as desk:
        await desk.start("clock")
        async with desk.cdp.page(f"{pages.origin}/index") as page:
            assert await page.until("window.seen") == {
                "api": "object",
                "same": True,
                "qt": "undefined",
                "versions": "objectobject",
                "preload": "object",
            }
            assert await page.evaluate("framed") == {"api": "undefined", "qt": "undefined"}
