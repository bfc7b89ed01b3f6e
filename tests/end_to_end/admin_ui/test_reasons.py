"""The comment and the ticket of a change, from the page to the audit log."""

from pathlib import Path

from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import copied, enter, root_of, visiting_again

RULES = {"commentRequired": ["group"], "ticketUrl": "https://tickets.example.com/browse/{ticket}"}


async def test_a_change_with_a_required_comment_is_found_by_its_ticket(
    browser: Browser, demo_database: Path, tmp_path: Path
) -> None:
    with RunningManager(copied(demo_database, tmp_path, changes=RULES)) as running:
        async with visiting_again(browser, running) as admin:
            page = admin.page
            await enter(page.context, root_of(running))
            await admin.open("/groups/-/new", "New group")
            await expect(page.get_by_label("Comment")).to_have_count(0)
            await page.get_by_role("textbox", name="Name").fill("reasoned")
            save = page.get_by_role("button", name="Save")
            comment = page.get_by_label("Comment")
            await expect(comment).to_have_attribute("placeholder", "Comment (required)")
            await expect(save).to_be_disabled()
            await comment.fill("Für die Bücher – 100%")
            await page.get_by_label("Ticket").fill("OPS/7")
            assert await admin.violations() == []
            await save.click()
            await admin.notice("Saved.")

            await admin.open("/groups/reasoned", "reasoned")
            await page.get_by_role("button", name="History").click()
            await expect(page.get_by_role("dialog", name="History")).to_contain_text("OPS/7 · Für die Bücher – 100%")
            await page.keyboard.press("Escape")

            await page.get_by_role("button", name="Delete").click()
            dialog = page.get_by_role("dialog")
            await expect(dialog.get_by_role("button", name="Delete")).to_be_disabled()
            await dialog.get_by_label("Comment").fill("A mistake")
            await dialog.get_by_role("button", name="Delete").click()
            await admin.notice("Deleted the group reasoned.")

            await admin.open("/audit?q=mistake", "Audit")
            await expect(page.get_by_text("A mistake")).to_be_visible()
            await admin.open("/audit?ticket=OPS/7", "Audit")
            await page.get_by_role("link", name="OPS/7").wait_for()
            link = page.get_by_role("link", name="OPS/7")
            await expect(link).to_have_attribute("href", "https://tickets.example.com/browse/OPS%2F7")
            await expect(link).to_have_attribute("rel", "noopener noreferrer")
            assert await admin.violations() == []
