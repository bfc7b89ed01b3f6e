"""A change that requires approval, from one administrator to the other."""

from pathlib import Path

import httpx
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, copied, enter, root_of, visiting_again


async def test_one_administrator_proposes_a_change_and_another_approves_it(
    browser: Browser, demo_database: Path, tmp_path: Path
) -> None:
    with RunningManager(copied(demo_database, tmp_path, changes={"approvalKinds": ["group"]})) as running:
        root = root_of(running)
        async with httpx.AsyncClient(base_url=running.base_url, auth=("admin", PASSWORD)) as api:
            body = {"id": "second", "password": "second-password", "groups": ["PLATFORM_SERVER_ADMIN"]}
            assert (await api.post("/admin/users", json=body)).status_code == 201
        async with visiting_again(browser, running) as first, visiting_again(browser, running) as second:
            page = first.page
            await enter(page.context, root)
            await first.open("/groups/-/new", "New group")
            await page.get_by_role("textbox", name="Name").fill("proposed group")
            await page.get_by_label("Comment").fill("Needed for the desk")
            await page.get_by_role("button", name="Save").click()
            message = page.get_by_role("status").filter(has_text="a second administrator must approve the change")
            await message.get_by_role("link", name="Show the proposal").click()
            await expect(page.get_by_text("This is your proposal.")).to_be_visible()
            await expect(page.get_by_role("button", name="Approve")).to_have_count(0)

            other = second.page
            await enter(other.context, root, "second", "second-password")
            await second.open("/proposals?status=pending", "Proposals")
            assert await second.violations() == []
            await other.get_by_role("link", name="createGroup").click()
            await expect(other.get_by_text("Needed for the desk")).to_be_visible()
            await expect(other.get_by_role("heading", name="group proposed group created")).to_be_visible()
            await other.get_by_label("Comment of the decision").fill("Agreed")
            assert await second.violations() == []
            await other.get_by_role("button", name="Approve").click()
            await second.notice("Approved.")
            await expect(other.get_by_role("button", name="Approve")).to_have_count(0)
            await second.open("/groups/proposed%20group", "proposed group")
            await second.open("/audit?q=desk", "Audit")
            await expect(other.get_by_text("approveProposal")).to_be_visible()
