"""The page of directory addresses: created, shown once, used by an agent, revoked."""

import httpx

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor
from tests.plain_http import NO_TLS


async def test_a_directory_address_is_created_shown_once_and_revoked(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/directories", "Directory addresses")
    await page.get_by_role("button", name="New directory address").click()
    form = page.get_by_role("form", name="New directory address")
    await form.get_by_label("User", exact=True).fill("nobody.like.this")
    await form.get_by_label("Description").fill("Agent of the trading floor")
    await form.get_by_role("button", name="Create").click()
    await admin.confirm()
    await expect(form.get_by_role("alert")).to_contain_text("nobody.like.this")
    assert await admin.violations() == []
    await form.get_by_text("Apps of a group").click()
    await form.get_by_label("Group", exact=True).fill("Trading")
    await form.get_by_role("button", name="Create").click()
    shown = page.get_by_label("Directory address", exact=True)
    await expect(shown).to_contain_text("/v2/apps")
    address = (await shown.text_content() or "").strip()
    async with httpx.AsyncClient(verify=NO_TLS) as agent:
        assert "order-blotter" in (await agent.get(address)).text
        await page.get_by_role("button", name="Done").click()
        row = page.get_by_role("row").filter(has_text="Agent of the trading floor")
        await expect(row).to_contain_text("Group Trading")
        assert address.split("/")[-3] not in await page.content()
        assert await admin.violations() == []
        await row.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await admin.notice('Revoked the address "Agent of the trading floor".')
        await expect(row).to_have_count(0)
        assert (await agent.get(address)).status_code == 404
