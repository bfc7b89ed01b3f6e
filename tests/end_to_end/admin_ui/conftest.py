"""A real Chromium and a real manager with the demo firm."""

import asyncio
import inspect
import json
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import expect as expect_of_playwright

from rostrum.base.passwords import Passwords
from rostrum.manager.config import ManagerConfig, read_config
from rostrum.manager.demo.load import load_demo
from rostrum.manager.manager import Manager
from rostrum.manager.server import RunningManager, with_free_port
from tests.chromium import expect
from tests.conftest import SECRET
from tests.end_to_end.accessibility import Examination
from tests.plain_http import NO_TLS

PASSWORD = "demo-password"
ROOT = Path(__file__).resolve().parents[3]
PATIENCE_MS = 20_000
SIZE: ViewportSize = {"width": 1280, "height": 800}
_examination = Examination()

expect_of_playwright.set_options(timeout=PATIENCE_MS)

_IN_PAGE = r"""
    let old = null;
    const title = () => document.querySelector('h1');
    const until = (condition) => new Promise((resolve) => {
        if (condition()) return resolve();
        const observer = new MutationObserver(() => {
            if (!condition()) return;
            observer.disconnect();
            resolve();
        });
        observer.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
    });
    const isShown = (heading) => {
        const titles = document.querySelectorAll('h1');
        if (titles.length !== 1 || old?.isConnected) return false;
        const text = titles[0].textContent.replace(/\s+/g, ' ').trim();
        return (heading === null || text === heading) && titles[0].checkVisibility({visibilityProperty: true});
    };
    const go = (path) => {
        history.pushState(null, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
    };
    const stop = async () => {
        const content = document.querySelector('#root > *');
        dispatchEvent(new Event('rostrum-stop'));
        if (content) await until(() => !content.isConnected);
    };
    const start = (path) => {
        // The router of the stopped page has replaced `pushState`, and would follow to the new address.
        delete history.pushState;
        delete history.replaceState;
        history.pushState(null, '', path);
        dispatchEvent(new Event('rostrum-start'));
    };
"""


_PASTE = """(editor, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    editor.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run every test here on one loop: the browser lives on it."""
    for item in items:
        if item.nodeid.startswith("tests/end_to_end/admin_ui/") and inspect.iscoroutinefunction(
            getattr(item, "function", None)
        ):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@dataclass
class Visitor:
    """One person's browser window on one manager."""

    page: Page
    root: str
    complaints: list[str] = field(default_factory=list)

    async def open(self, path: str = "/", heading: str | None = None) -> None:
        """Start the admin UI at a page, with nothing in its memory, and wait until it shows the title of the page.

        If the window shows the admin UI already, its files are not loaded again, which would take three times as long.
        `page.goto` and `page.reload` always load them.
        """
        if self.page.url.startswith(f"{self.root}/admin/"):
            await self.page.mouse.move(0, 0)
            await self._in_page("await stop(); start(path);", path, heading)
        else:
            await self.page.goto(f"{self.root}/admin{path}")
            await self._in_page("", path, heading)

    async def go(self, path: str, heading: str | None = None) -> None:
        """Go to a page as a link would, without loading everything again."""
        await self._in_page("await until(title); old = title(); go(path);", path, heading)

    async def stop(self) -> None:
        """Empty the page: it keeps the loaded files, but no content, and it sends no more requests."""
        await self.page.mouse.move(0, 0)
        await self.page.evaluate(f"async () => {{ {_IN_PAGE} await stop(); }}")

    async def _in_page(self, action: str, path: str, heading: str | None) -> None:
        """Do something in the page, and wait for its title there.

        Playwright would examine all elements again and again to find a title by its role.
        """
        with suppress(TimeoutError, PlaywrightError):
            async with asyncio.timeout(PATIENCE_MS / 1000):
                await self.page.evaluate(
                    f"async ([path, heading]) => {{ {_IN_PAGE} {action} await until(() => isShown(heading)); }}",
                    [f"/admin{path}", heading],
                )
                return
        title = self.page.get_by_role("heading", level=1)
        await (expect(title).to_have_text(heading) if heading else expect(title).to_be_visible())

    async def log_in(self, user: str = "admin", password: str = PASSWORD) -> None:
        """Sign in on the page, as a person does."""
        if self.page.url.startswith(f"{self.root}/admin/"):
            await self.page.evaluate(f"async () => {{ {_IN_PAGE} await stop(); start('/admin/'); }}")
        else:
            await self.page.goto(f"{self.root}/admin/")
        await self.fill_log_in(user, password)
        await expect(self.page.get_by_role("button", name="Sign out")).to_be_visible()

    async def fill_log_in(self, user: str | None, password: str) -> None:
        """Fill in the sign-in form that is on the page and send it."""
        form = self.page.get_by_role("form", name="Sign in")
        if user is not None:
            await form.get_by_label("User").fill(user)
        await form.get_by_label("Password", exact=True).fill(password)
        await form.get_by_role("button", name="Sign in").click()

    async def confirm(self, password: str = PASSWORD) -> None:
        """Enter the password in the dialog that asks for it again."""
        form = self.page.get_by_role("form", name="Confirm your password")
        await form.get_by_label("Password of").fill(password)
        await form.get_by_role("button", name="Confirm").click()

    async def notice(self, text: str) -> None:
        """Wait for a short message in the corner, and put it away."""
        message = self.page.locator(".mantine-Notification-root").filter(has_text=text)
        await expect(message).to_be_visible()
        await message.locator(".mantine-Notification-closeButton").click()
        await expect(message).to_have_count(0)

    async def show_json(self) -> None:
        """Choose the JSON view of a configuration file; it is remembered."""
        await self.page.get_by_role("radiogroup", name="View").get_by_text("JSON").click()
        await expect(self.page.locator('.cm-content[aria-label="Contents"]')).to_be_visible()

    async def type_json(self, label: str, value: Any) -> None:
        """Replace everything in a JSON editor: paste the text, because the browser takes long to type many lines."""
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        editor = self.page.locator(f'.cm-content[aria-label="{label}"]')
        await editor.click()
        await editor.press("ControlOrMeta+a")
        await editor.evaluate(_PASTE, text)

    async def violations(self) -> list[str]:
        """Ask axe what on this page somebody could not use, in light colours and in dark ones."""
        return await _examination.violations(self.page)


def config_for(store: str, **members: Any) -> ManagerConfig:
    """The settings of a manager that lets its own page write with the cookie."""
    document = {
        "auth_method": "basic",
        "port": 0,
        "store": store,
        "token": {"secret": SECRET},
        "cors": {"credentials": True, "origin": "http://elsewhere.example.com"},
        "log": {"level": "warning"},
        **members,
    }
    return with_free_port(read_config(document, {}).config)


async def fill_with_demo(config: ManagerConfig) -> None:
    """Put the demo firm and an administrator into an empty database; passwords are cheap, tests sign in often."""
    config = config.model_copy(update={"predefined_users": (f"admin:{PASSWORD}",)})
    manager = Manager.of(config, passwords=Passwords(memory_kib=8, rounds=1))
    try:
        await manager.open()
        await load_demo(manager, PASSWORD, "http://127.0.0.1:4356/api")
    finally:
        await manager.close()


@pytest.fixture(scope="session")
def demo_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the demo firm, to be copied."""
    path = tmp_path_factory.mktemp("demo") / "rostrum.db"
    asyncio.run(fill_with_demo(config_for(f"sqlite:///{path}")))
    return path


@pytest.fixture(scope="session")
def manager(demo_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningManager]:
    """A manager with the demo firm that tests share: each changes only what it has made."""
    with RunningManager(copied(demo_database, tmp_path_factory.mktemp("shared"))) as running:
        yield running


@pytest.fixture
def own_manager(demo_database: Path, tmp_path: Path) -> Iterator[RunningManager]:
    """A manager that one test may stop, break and fill as it likes."""
    with RunningManager(copied(demo_database, tmp_path)) as running:
        yield running


@pytest.fixture(scope="session")
def second_manager(demo_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningManager]:
    """A manager with the demo firm for tests that change what others need, such as the configuration of everyone.

    They share it, because to start it and to load its page takes longer than most of these tests. No test may rely on
    what others may have changed.
    """
    with RunningManager(copied(demo_database, tmp_path_factory.mktemp("second"))) as running:
        yield running


def copied(database: Path, folder: Path, **members: Any) -> ManagerConfig:
    """Put a copy of a database into a folder, and make the settings of a manager on it."""
    shutil.copy(database, folder / "rostrum.db")
    return config_for(f"sqlite:///{folder}/rostrum.db", **members)


async def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Make a browser profile without cookies, where nothing fades."""
    context = await browser.new_context(viewport=SIZE, reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE_MS)
    return context


@asynccontextmanager
async def window(context: BrowserContext, root: str) -> AsyncIterator[Visitor]:
    """Open a window; what its page complains about fails the test."""
    visitor = await new_window(context, root)
    try:
        yield visitor
    finally:
        await visitor.page.close()
    assert visitor.complaints == []


async def new_window(context: BrowserContext, root: str) -> Visitor:
    """Open a window that notes what its page complains about."""
    visitor = Visitor(await context.new_page(), root)
    visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
    visitor.page.on(
        "console",
        lambda message: (
            visitor.complaints.append(message.text)
            if "Content Security Policy" in message.text or message.type == "warning"
            else None
        ),
    )
    return visitor


@asynccontextmanager
async def visiting(
    browser: Browser, running: RunningManager, *, host: str = "127.0.0.1", **options: Any
) -> AsyncIterator[Visitor]:
    """Open a window with cookies of its own."""
    context = await new_context(browser, **options)
    try:
        async with window(context, root_of(running).replace("127.0.0.1", host)) as visitor:
            yield visitor
    finally:
        await context.close()


_idle: list[Visitor] = []
"""Windows of `visiting_again` that no test uses at the moment."""


@asynccontextmanager
async def visiting_again(browser: Browser, running: RunningManager) -> AsyncIterator[Visitor]:
    """Use a window with cookies of its own, in which other tests have worked before.

    A new window takes a process of its own, and loads the admin UI again. The window is left as it was found: nobody is
    signed in, nothing is remembered, its size and its requests are normal. A test that changes more, such as listeners
    or the clock, needs `visiting`.
    """
    root = root_of(running)
    _idle.sort(key=lambda each: each.page.url.startswith(f"{root}/admin/"))
    someone = _idle.pop() if _idle else await new_window(await new_context(browser), root)
    someone.root = root
    await forget(someone)
    try:
        yield someone
        await leave(someone)
    except BaseException:
        await someone.page.context.close()
        raise
    _idle.append(someone)


def root_of(running: RunningManager) -> str:
    """Return the address of a manager without the path of its API."""
    return running.base_url.removesuffix("/api")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_context(browser: Browser) -> AsyncIterator[BrowserContext]:
    """One browser profile for the tests that share a manager: it loads and compiles the files of the page once."""
    context = await new_context(browser)
    yield context
    await context.close()


@asynccontextmanager
async def visiting_as_new(context: BrowserContext, running: RunningManager) -> AsyncIterator[Visitor]:
    """Open a window in which nobody is signed in and nothing is remembered."""
    async with window(context, root_of(running)) as visitor:
        await forget(visitor)
        yield visitor


async def forget(visitor: Visitor) -> None:
    """Remove what the browser stores for the pages of the manager: cookies, and what a page remembers."""
    await visitor.page.context.clear_cookies()
    if visitor.page.url.startswith(f"{visitor.root}/"):
        await visitor.page.evaluate("localStorage.clear()")
        return
    protocol = await visitor.page.context.new_cdp_session(visitor.page)
    await protocol.send("Storage.clearDataForOrigin", {"origin": visitor.root, "storageTypes": "local_storage"})
    await protocol.detach()


async def leave(visitor: Visitor) -> None:
    """Leave a window as it was when it was opened, except that the files of the page are loaded."""
    complaints = list(visitor.complaints)
    visitor.complaints.clear()
    await visitor.page.unroute_all(behavior="ignoreErrors")
    if visitor.page.viewport_size != SIZE:
        await visitor.page.set_viewport_size(SIZE)
    if visitor.page.url.startswith(f"{visitor.root}/admin/"):
        await visitor.stop()
    assert complaints == []


async def enter(context: BrowserContext, root: str, user: str = "admin", password: str = PASSWORD) -> None:
    """Give a window the session cookie, without the page."""
    async with httpx.AsyncClient(verify=NO_TLS) as client:
        answer = await client.get(f"{root}/api/me", auth=(user, password))
    assert answer.status_code == 200, answer.text
    await context.add_cookies([{"name": "PLATFORM_SESSION", "value": answer.cookies["PLATFORM_SESSION"], "url": root}])


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(shared_context: BrowserContext, manager: RunningManager) -> AsyncIterator[Visitor]:
    """Someone who is not signed in."""
    async with visiting_as_new(shared_context, manager) as someone:
        yield someone


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def kept_window(shared_context: BrowserContext, manager: RunningManager) -> AsyncIterator[Visitor]:
    """A window that stays open between tests: to load the admin UI takes longer than most of what tests do in it."""
    async with window(shared_context, root_of(manager)) as someone:
        yield someone


@pytest_asyncio.fixture(loop_scope="session")
async def admin(kept_window: Visitor) -> AsyncIterator[Visitor]:
    """The administrator, signed in; for tests that leave the window itself as it is.

    The page is started again for each test (`Visitor.open`). Its content, its requests, cookies and what it remembers
    end with the test, and so do another size and intercepted requests. A test that adds listeners, or needs files that
    are not loaded yet, needs `admin_in_own_window`; a test that changes the clock, which all windows of a context
    share, needs `visiting`.
    """
    await forget(kept_window)
    await enter(kept_window.page.context, kept_window.root)
    yield kept_window
    await leave(kept_window)


@pytest_asyncio.fixture(loop_scope="session")
async def admin_in_own_window(shared_context: BrowserContext, manager: RunningManager) -> AsyncIterator[Visitor]:
    """The administrator, signed in, in a window that is closed after the test."""
    async with visiting_as_new(shared_context, manager) as someone:
        await enter(someone.page.context, someone.root)
        yield someone


@pytest_asyncio.fixture(loop_scope="session")
async def api(manager: RunningManager) -> AsyncIterator[httpx.AsyncClient]:
    """The administrator's HTTP client, to look behind the page."""
    async with httpx.AsyncClient(base_url=manager.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as client:
        yield client
