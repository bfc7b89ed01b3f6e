"""Settings of the manager that the pages follow: approval, required comments, the address of tickets, and quotas."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, copied, enter, visiting_again
from tests.plain_http import NO_TLS

CHANGES = {
    "approvalKinds": ["group"],
    # The second administrator is made by the first one, shortly before the proposal.
    "approverHours": 0,
    "commentRequired": ["user"],
    "ticketUrl": "https://tickets.example.com/browse/{ticket}",
}
QUOTAS = {"preferences": 2, "layoutBytes": -1}


@pytest.fixture(scope="module")
def strict(demo_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningManager]:
    """A manager with rules for changes and with quotas."""
    config = copied(demo_database, tmp_path_factory.mktemp("strict"), changes=CHANGES, quotas=QUOTAS)
    with RunningManager(config) as running:
        yield running


def client(manager: RunningManager) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=manager.base_url, auth=("admin", PASSWORD), verify=NO_TLS)


@pytest.mark.long
async def test_one_administrator_proposes_a_change_and_another_approves_it(
    browser: Browser, strict: RunningManager
) -> None:
    async with client(strict) as api:
        body = {"id": "second", "password": "second-password", "groups": ["PLATFORM_SERVER_ADMIN"]}
        made = await api.post("/admin/users", json=body, headers={"Change-Comment": "A colleague"})
        assert made.status_code == 201, made.text
    async with visiting_again(browser, strict) as first, visiting_again(browser, strict) as second:
        page = first.page
        await enter(page.context, first.root)
        await first.open("/groups/-/new", "New group")
        await page.get_by_role("textbox", name="Name").fill("proposed group")
        await page.get_by_label("Comment").fill("Needed for the desk")
        await page.get_by_role("button", name="Save").click()
        message = page.get_by_role("status").filter(has_text="a second administrator must approve the change")
        await message.get_by_role("link", name="Show the proposal").click()
        await expect(page.get_by_text("This is your proposal.")).to_be_visible()
        await expect(page.get_by_role("button", name="Approve")).to_have_count(0)

        other = second.page
        await enter(other.context, second.root, "second", "second-password")
        await second.open("/proposals?status=pending", "Proposals")
        assert await second.violations() == []
        await other.get_by_role("link", name="createGroup").click()
        await expect(other.get_by_text("Needed for the desk")).to_be_visible()
        await expect(other.get_by_role("heading", name="group proposed group created")).to_be_visible()
        effect = other.get_by_role("region", name="Effect on users")
        await expect(effect).to_contain_text("No user receives other apps, layouts or settings.")
        await other.get_by_label("Comment of the decision").fill("Agreed")
        assert await second.violations() == []
        await other.get_by_role("button", name="Approve").click()
        await second.confirm("second-password")
        await second.notice("Approved.")
        await expect(other.get_by_role("button", name="Approve")).to_have_count(0)
        await second.go("/groups/proposed%20group", "proposed group")
        await second.go("/audit?q=desk", "Audit")
        await expect(other.get_by_text("approveProposal")).to_be_visible()


@pytest.mark.long
async def test_a_change_with_a_required_comment_is_found_by_its_ticket(
    browser: Browser, strict: RunningManager
) -> None:
    async with visiting_again(browser, strict) as admin:
        page = admin.page
        await enter(page.context, admin.root)
        await admin.open("/users/-/new", "New user")
        await expect(page.get_by_label("Comment")).to_have_count(0)
        await page.get_by_label("Id").fill("reasoned")
        save = page.get_by_role("button", name="Save")
        comment = page.get_by_label("Comment")
        await expect(comment).to_have_attribute("placeholder", "Comment (required)")
        await expect(save).to_be_disabled()
        await comment.fill("Für die Bücher – 100%")
        await page.get_by_label("Ticket").fill("OPS/7")
        assert await admin.violations() == []
        await save.click()
        await admin.notice("Saved.")

        await admin.open("/users/reasoned", "reasoned")
        await page.get_by_role("button", name="History").click()
        await expect(page.get_by_role("dialog", name="History")).to_contain_text("OPS/7 · Für die Bücher – 100%")
        await page.keyboard.press("Escape")

        await page.get_by_role("button", name="Delete").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_role("button", name="Delete")).to_be_disabled()
        await dialog.get_by_label("Comment").fill("A mistake")
        await dialog.get_by_role("button", name="Delete").click()
        await admin.notice("Deleted the user reasoned.")

        await admin.go("/audit?q=mistake", "Audit")
        await expect(page.get_by_text("A mistake")).to_be_visible()
        await admin.open("/audit?ticket=OPS/7", "Audit")
        await page.get_by_role("link", name="OPS/7").wait_for()
        link = page.get_by_role("link", name="OPS/7")
        await expect(link).to_have_attribute("href", "https://tickets.example.com/browse/OPS%2F7")
        await expect(link).to_have_attribute("rel", "noopener noreferrer")
        assert await admin.violations() == []


async def test_quotas_with_their_use_and_origins_are_shown(browser: Browser, strict: RunningManager) -> None:
    async with visiting_again(browser, strict) as admin, client(strict) as api:
        for app in ("a", "b", "b"):
            assert (await api.post("/prefs", json={"app": app, "data": "x" * 1024})).status_code == 201
        await enter(admin.page.context, admin.root)
        await admin.open("/server", "Server")
        panel = admin.page.get_by_role("heading", name="Quotas", exact=True).locator("..")
        await expect(panel).to_contain_text("Apps with preferences2")
        await expect(panel).to_contain_text("Total size of layoutsNo limit")
        await expect(panel).to_contain_text("Total size of preferences4 MiB")
        origins = admin.page.get_by_role("heading", name="Allowed origins").locator("..")
        await expect(origins).to_contain_text("Web pages of these origins (scheme, host and port)")
        await expect(origins.get_by_role("listitem")).not_to_have_count(0)
        assert await admin.violations() == []

        await admin.go("/users/admin?tab=usage", "admin")
        table = admin.page.get_by_role("table", name="Usage of admin")
        full = table.get_by_role("row", name="Apps with preferences")
        await expect(full.get_by_role("cell").nth(1)).to_have_text("2")
        await expect(full.get_by_role("progressbar")).to_have_accessible_name("Apps with preferences: 100 % used")
        await expect(table.get_by_role("row", name="Total size of preferences")).to_contain_text("2 KiB")
        await expect(table.get_by_role("row", name="Total size of layouts")).to_contain_text("No limit")
        earlier = table.get_by_role("row", name="Total size of earlier revisions of preferences and layouts")
        await expect(earlier.get_by_role("cell").nth(1)).to_contain_text("KiB")
        await expect(earlier.get_by_role("cell").nth(2)).to_have_text("20 MiB")
        assert await admin.violations() == []
