"""References between the windows of the manager and of other pages, in a complete Chromium."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route

from tests.chromium import chromium_with_blocker, until
from tests.end_to_end.platform_ui.conftest import Desk, Firm, at_desk
from tests.end_to_end.platform_ui.interop import frame_titled

pytestmark = pytest.mark.long
"""A complete Chromium takes several seconds to start. tests/manager/http/test_page_headers.py checks the headers."""


@pytest_asyncio.fixture(loop_scope="session")
async def complete_browser(browser: Browser) -> AsyncIterator[Browser]:
    async with chromium_with_blocker(browser) as launched:
        yield launched


@asynccontextmanager
async def opened_by_stranger(browser: Browser, address: str, stranger: str) -> AsyncIterator[tuple[Page, Page]]:
    """A page of another site, and the page that it opened."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(stranger)
    async with page.expect_popup() as popup:
        await page.evaluate("address => { window.other = open(address, 'known'); }", address)
    other = await popup.value
    await other.wait_for_load_state()
    yield page, other
    await context.close()


async def test_a_page_that_opens_a_page_of_the_manager_has_no_access_to_it(
    complete_browser: Browser, firm: Firm
) -> None:
    root, stranger = firm.running.base_url.removesuffix("/api"), firm.site.address
    for path in ("/admin/", "/platform/", "/api/docs"):
        async with opened_by_stranger(complete_browser, root + path, stranger) as (page, other):
            # The reference behaves like that of a closed window: no messages, no navigation, no frames.
            await until(page, "other.closed")
            assert await other.evaluate("opener === null && name === ''"), path
            await page.evaluate("other.location = 'about:blank'")
            assert other.url.startswith(root + path)


async def desk_with_apps(desk: Desk, firm: Firm) -> tuple[Page, Page]:
    """Open apps of two sites in windows, and one in a panel."""
    elsewhere = firm.site.address.replace("localhost", "elsewhere.test")
    for name, address in (("victim", f"{firm.site.address}/victim"), ("attacker", f"{elsewhere}/attacker")):
        details = {"url": address, "openInBrowser": "window"}
        definition = {"name": name, "title": name.title(), "type": "window", "details": details}
        await firm.admin("POST", "/admin/apps", {"definition": definition, "public": True})
    await desk.enter()
    await desk.launch("Chart")
    pages = []
    for title in ("Victim", "Attacker"):
        async with desk.page.expect_popup() as popup:
            await desk.launch(title)
        page = await popup.value
        await page.wait_for_load_state()
        pages.append(page)
    victim, attacker = pages
    return victim, attacker


async def test_an_app_in_a_window_keeps_its_opener_but_gets_no_other_window(
    complete_browser: Browser, firm: Firm
) -> None:
    async with at_desk(complete_browser, firm) as desk:
        victim, attacker = await desk_with_apps(desk, firm)
        assert await attacker.evaluate("opener !== null && !opener.closed")
        names = [await victim.evaluate("name"), await (await frame_titled(desk, "Chart")).evaluate("name")]
        for name in names:
            # The names of the windows of other apps are known to all apps.
            async with attacker.expect_popup() as popup:
                await attacker.evaluate("name => { window.named = open('about:blank#stolen', name); }", name)
            await (await popup.value).close()
        for script in ("opener.frames[0].location = 'about:blank#stolen'", "opener.document", "opener.frames[0].name"):
            message = await attacker.evaluate(
                f"() => {{ try {{ {script}; return ''; }} catch (error) {{ return error.name; }} }}"
            )
            assert message == "SecurityError", script
        assert not [page.url for page in desk.page.context.pages if "stolen" in page.url]
        assert not [frame.url for frame in desk.page.frames if "stolen" in frame.url]

        # An app can replace the page that opened it; apps in other windows then lose their reference to it.
        await attacker.evaluate("address => { opener.location = address; }", f"{firm.site.address}/false")
        await desk.page.wait_for_url("**/false")
        await until(victim, "opener === null || opener.closed")
        assert await desk.page.evaluate("open('', 'g42-none') !== null")
        desk.complaints.clear()


async def test_an_app_in_a_panel_cannot_replace_the_page_of_the_platform(complete_browser: Browser, firm: Firm) -> None:
    async with at_desk(complete_browser, firm) as desk:
        await desk.enter()
        await desk.launch("Chart")
        frame = await desk.frame("Chart")
        async with desk.page.context.expect_page() as popup:
            await frame.evaluate("() => { window.child = open(location.href); }")
        child = await popup.value
        await child.wait_for_load_state()
        for page, platform in ((frame, "parent"), (child, "opener.parent")):
            for script in (f"{platform}.location = 'about:blank#stolen'", f"{platform}.document"):
                message = await page.evaluate(
                    f"() => {{ try {{ {script}; return ''; }} catch (error) {{ return error.name; }} }}"
                )
                assert message == "SecurityError", script
        assert "/platform/" in desk.page.url
        desk.complaints.clear()


async def test_apps_in_windows_would_lose_their_platform_with_a_stricter_policy(
    complete_browser: Browser, firm: Firm
) -> None:
    await firm.add_app("Ticket", openInBrowser="window")
    async with at_desk(complete_browser, firm) as desk:

        async def stricter(route: Route) -> None:
            answer = await route.fetch()
            await route.fulfill(
                response=answer, headers={**answer.headers, "cross-origin-opener-policy": "same-origin"}
            )

        await desk.page.route("**/platform/", stricter)
        await desk.enter()
        async with desk.page.context.expect_page() as popup:
            await desk.launch("Ticket")
        page = await popup.value
        await page.wait_for_load_state()
        assert await page.evaluate("opener") is None
        desk.complaints.clear()
