"""The component in a page of another site, built from the library with the oldest React 19 and default settings."""

import json
import ssl
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.certificates import self_signed
from tests.chromium import expect, strict_chromium
from tests.end_to_end.admin_ui.conftest import PASSWORD, ROOT, Visitor, copied, visiting
from tools.node import find_node

pytestmark = pytest.mark.long

ADMIN_UI = ROOT / "admin-ui"


class QuietFiles(SimpleHTTPRequestHandler):
    """Files of a folder, without a word on standard error."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def example() -> Path:
    """The example page, built anew."""
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
    return ADMIN_UI / "example" / "dist"


@contextmanager
def served(folder: Path, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """Serve a folder on a site of its own; the origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietFiles, directory=str(folder))) as server:
        if tls is not None:
            # The thread of each connection shakes hands, so that none waits for another.
            server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"{'https' if tls else 'http'}://desk.test:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict_browser(browser: Browser) -> AsyncIterator[Browser]:
    """A browser that blocks third-party cookies."""
    async with strict_chromium(browser) as launched:
        yield launched


@asynccontextmanager
async def embedded(
    browser: Browser, origin: str, database: Path, folder: Path, **members: Any
) -> AsyncIterator[Visitor]:
    """A visitor of the example page, and a manager on another site."""
    config = copied(database, folder, **{"cors": {"credentials": True, "origin": origin}, **members})
    with RunningManager(config) as running:
        async with visiting(browser, running, host="manager.test", ignore_https_errors=True) as visitor:
            await visitor.page.goto(f"{origin}/?api={visitor.root}/api")
            await expect(visitor.page.get_by_text("A page of our own")).to_be_visible()
            yield visitor


@pytest.mark.rule("R-2.3-2", "R-2.3-3")
async def test_over_https_the_session_cookie_is_kept_apart_for_the_site_of_the_page(
    strict_browser: Browser, example: Path, demo_database: Path, tmp_path: Path
) -> None:
    tls = {"cert": str(tmp_path / "server.pem"), "key": str(tmp_path / "server.pem")}
    with served(example, self_signed(tmp_path)) as origin:
        async with embedded(strict_browser, origin, demo_database, tmp_path, tls=tls) as visitor:
            page = visitor.page
            await visitor.fill_log_in("admin", PASSWORD)
            await expect(page.get_by_role("heading", level=1)).to_have_text("Dashboard")
            await expect(page.get_by_text("You stay signed in until")).to_have_count(0)
            # The cookie lasts longer than the page, and ends with the session.
            await page.reload()
            await page.get_by_role("button", name="Sign out").click()
            await expect(page.get_by_role("form", name="Sign in")).to_be_visible()
            await page.reload()
            await expect(page.get_by_role("form", name="Sign in")).to_be_visible()


@pytest.mark.rule("R-2.3-2")
async def test_where_the_browser_keeps_no_cookie_the_component_states_the_reason_and_works(
    strict_browser: Browser, example: Path, demo_database: Path, tmp_path: Path
) -> None:
    with served(example) as origin:
        async with embedded(strict_browser, origin, demo_database, tmp_path) as visitor:
            await visitor.fill_log_in("admin", PASSWORD)
            reason = f"only over HTTPS, and the address of the manager is {visitor.root}. You stay signed in until you"
            await expect(visitor.page.get_by_role("status").filter(has_text=reason)).to_be_visible()
            await works(visitor)
            await visitor.page.get_by_role("button", name="Sign out").click()
            await expect(visitor.page.get_by_role("form", name="Sign in")).to_be_visible()


@pytest.mark.rule("R-2.3-3")
async def test_a_server_without_cookies_and_the_component_agree(
    strict_browser: Browser, example: Path, demo_database: Path, tmp_path: Path
) -> None:
    with served(example) as origin:
        members = {"auth_basic": {"useSessionCookie": False}, "cors": {"origin": origin}}
        async with embedded(strict_browser, origin, demo_database, tmp_path, **members) as visitor:
            await visitor.fill_log_in("admin", PASSWORD)
            await works(visitor)
            await expect(visitor.page.get_by_text("You stay signed in until")).to_have_count(0)
            # Nothing is left of a session that lives in the page.
            await visitor.page.goto(f"{origin}/?api={visitor.root}/api")
            await expect(visitor.page.get_by_role("form", name="Sign in")).to_be_visible()


async def works(visitor: Visitor) -> None:
    """Change an app on the page, and receive a change made elsewhere; no secret is stored outside of memory."""
    page = visitor.page
    await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Dashboard")
    await page.get_by_role("link", name="Applications").first.click()
    await page.get_by_role("link", name="order-blotter").click()
    await page.get_by_label("Title").fill("From elsewhere")
    await page.get_by_role("button", name="Save").click()
    await visitor.notice("Saved.")
    assert await page.context.cookies() == []
    kept = await page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, location, document.cookie])")
    assert PASSWORD not in kept
    assert "eyJ" not in kept, "a token is stored"


def test_the_package_leaves_react_to_the_page_and_brings_everything_else() -> None:
    package = json.loads((ADMIN_UI / "package.json").read_text(encoding="utf-8"))

    assert package["peerDependencies"] == {"react": "^19.0.0", "react-dom": "^19.0.0"}
    # What the library contains must not be installed again, with demands on React of its own.
    assert "dependencies" not in package
