"""The page and its manager: one that goes and comes back, one with a thousand apps."""

import asyncio

import pytest
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.platform_ui.conftest import Firm, at_desk


@pytest.mark.long
async def test_a_manager_that_goes_away_is_named_and_its_return_noticed(browser: Browser, firm: Firm) -> None:
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        await desk.launch("Chart")
        note = (await desk.frame("Chart")).get_by_label("Note")
        await note.fill("kept")
        config = firm.running.config
        await asyncio.to_thread(firm.running.stop)
        banner = desk.page.get_by_text("The manager does not respond.")
        await expect(banner).to_be_visible()
        with await asyncio.to_thread(RunningManager, config):
            await expect(banner).to_have_count(0)
            await desk.launch("News")
            await desk.frame("News")
            assert await note.input_value() == "kept"
            assert firm.site.loads["/chart"] == 2


@pytest.mark.long
async def test_the_launcher_draws_only_the_visible_rows_of_a_thousand_apps(browser: Browser, firm: Firm) -> None:
    definitions = [
        {
            "name": f"app-{number}",
            "title": f"Title {number}",
            "type": "window",
            "details": {"url": f"{firm.site.address}/x"},
        }
        for number in range(1000)
    ]
    await firm.admin("POST", "/admin/imports/apps", {"applications": definitions, "public": True})
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        await desk.page.keyboard.press("Control+k")
        search = desk.page.get_by_role("combobox", name="Search apps")
        options = desk.page.get_by_role("option")
        await expect(options.first).to_be_visible()
        assert await options.count() < 40
        assert await desk.violations() == []
        for _ in range(3):
            await search.press("PageDown")
        chosen = await search.get_attribute("aria-activedescendant")
        await expect(desk.page.locator(f"#{chosen}")).to_be_in_viewport()
        await search.fill("title 999")
        await expect(options).to_have_count(1)
        await expect(options).to_contain_text("Title 999")
        await search.fill("nothing like this")
        await expect(desk.page.get_by_text("No app matches.")).to_be_visible()
