"""The pop-up blocker of Chromium: an app that opens in a window without a click is blocked and offered again."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.chromium import chromium_with_blocker, expect
from tests.end_to_end.admin_ui.conftest import enter
from tests.end_to_end.platform_ui.conftest import USER, Firm, at_desk

ALERTS = "[...document.querySelectorAll('[role=alert]')].map(one => one.textContent).join('')"


@pytest_asyncio.fixture(loop_scope="session")
async def blocking_browser(browser: Browser) -> AsyncIterator[Browser]:
    async with chromium_with_blocker(browser) as launched:
        yield launched


async def alert_without_gesture(page: Page) -> str:
    """Wait for an alert. Playwright evaluates with a user gesture, which would allow the window."""
    session = await page.context.new_cdp_session(page)
    async with asyncio.timeout(30):
        while True:
            answer = await session.send("Runtime.evaluate", {"expression": ALERTS, "userGesture": False})
            if text := str(answer["result"].get("value", "")):
                return text
            await asyncio.sleep(0.05)


@pytest.mark.long
async def test_a_window_that_the_browser_blocks_is_offered_with_a_button(blocking_browser: Browser, firm: Firm) -> None:
    await firm.add_app("Ticket", openInBrowser="window")
    async with at_desk(blocking_browser, firm) as desk:
        await enter(desk.page.context, desk.root, *USER)
        await desk.page.goto(f"{desk.root}/platform/?app=ticket")

        text = await alert_without_gesture(desk.page)

        assert "The browser blocked a window" in text
        assert 'Allow pop-ups for this site to open "Ticket" directly.' in text
        assert len(desk.page.context.pages) == 1
        alert = desk.page.get_by_role("alert").filter(has_text="Allow pop-ups for this site")
        async with desk.page.expect_popup() as opened:
            await alert.get_by_role("button", name="Open now").click()
        await expect((await opened.value).get_by_label("Note")).to_be_visible()
        await expect(alert).to_have_count(0)

        # A click in the launcher is a gesture, so nothing is blocked.
        async with desk.page.expect_popup() as second:
            await desk.launch("Ticket")
        await expect((await second.value).get_by_label("Note")).to_be_visible()
        await expect(alert).to_have_count(0)
