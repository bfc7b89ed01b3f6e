"""The component in a page of others: built from the library, on another origin, credentials in memory only."""

import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from rostrum.manager.server import RunningManager
from tests.end_to_end.admin_ui.conftest import PASSWORD, ROOT, Visitor, copied, visiting
from tools.node import find_node

ADMIN_UI = ROOT / "admin-ui"


class QuietFiles(SimpleHTTPRequestHandler):
    """Files of a folder, without a word on standard error."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def other_origin() -> Iterator[str]:
    """The example page, built anew and served on an origin of its own."""
    node = find_node()
    done = subprocess.run(
        node.command("npm", "run", "--silent", "example"),
        cwd=ADMIN_UI,
        env=node.environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    handler = partial(QuietFiles, directory=str(ADMIN_UI / "example" / "dist"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.rule("R-2.3-2")
async def test_a_page_of_others_shows_the_component(
    browser: Browser, demo_database: Path, tmp_path: Path, other_origin: str
) -> None:
    config = copied(demo_database, tmp_path, cors={"credentials": True, "origin": other_origin})
    with RunningManager(config) as running:
        async with visiting(browser, running) as visitor:
            await shows_the_component(visitor, f"{other_origin}/?api={running.base_url}")


async def shows_the_component(visitor: Visitor, address: str) -> None:
    page = visitor.page
    await page.goto(address)
    await expect(page.get_by_text("A page of our own")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    await visitor.fill_log_in("admin", PASSWORD)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Dashboard")
    await page.get_by_role("link", name="Applications").first.click()
    await page.get_by_role("link", name="order-blotter").click()
    await page.get_by_label("Title").fill("From elsewhere")
    await page.get_by_role("button", name="Save").click()
    await visitor.notice("Saved.")
    assert await page.context.cookies() == []
    assert PASSWORD not in str(await page.evaluate("JSON.stringify([localStorage, sessionStorage])"))
