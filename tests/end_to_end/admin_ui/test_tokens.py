"""API tokens: created and shown once, used by a program, revoked; a service account gets one from an administrator."""

import httpx
import pytest

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor
from tests.plain_http import NO_TLS


@pytest.mark.long
async def test_tokens_are_created_shown_once_used_and_revoked(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/users/-/new", "New user")
    await page.get_by_label("Id").fill("token-robot")
    await page.get_by_role("switch", name="Service account").check()
    await expect(page.get_by_label("Password", exact=True)).to_be_disabled()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", name="token-robot")).to_be_visible()
    await expect(page.get_by_text("service account", exact=True)).to_be_visible()

    await admin.go("/tokens", "Your API tokens")
    await page.get_by_role("button", name="New API token").click()
    form = page.get_by_role("form", name="New API token")
    await form.get_by_label("Name").fill("Nightly report")
    await form.get_by_role("combobox", name="Permissions").fill("APPS:READ")
    await page.get_by_role("option", name="APPS:READ", exact=True).click()
    await page.keyboard.press("Escape")
    assert await admin.violations() == []
    await form.get_by_role("button", name="Create").click()
    await admin.confirm()
    shown = page.get_by_label("API token", exact=True)
    await expect(shown).to_contain_text("rostrum_")
    token = (await shown.text_content() or "").strip()
    assert await admin.violations() == []
    await page.get_by_role("button", name="Done").click()
    row = page.get_by_role("row").filter(has_text="Nightly report")
    await expect(row).to_contain_text("APPS:READ")
    await expect(row).to_contain_text("never")
    assert token not in await page.content()
    async with httpx.AsyncClient(verify=NO_TLS, headers={"authorization": f"Bearer {token}"}) as program:
        api = f"{admin.root}/api"
        assert (await program.get(f"{api}/admin/apps")).status_code == 200
        assert (await program.get(f"{api}/admin/users")).status_code == 403

        await page.get_by_role("link", name="Tokens of all users").click()
        await expect(page.get_by_role("heading", name="API tokens of all users")).to_be_visible()
        await expect(row).not_to_contain_text("never")
        await page.get_by_role("button", name="New token for a service account").click()
        account = form.get_by_role("combobox", name="Service account")
        await account.fill("token-robot")
        await page.get_by_role("option", name="token-robot").click()
        await form.get_by_label("Name").fill("Robot job")
        await form.get_by_role("button", name="Create").click()
        await expect(shown).to_contain_text("rostrum_")
        await page.get_by_role("button", name="Done").click()
        await expect(page.get_by_role("row").filter(has_text="Robot job")).to_contain_text("token-robot")
        assert await admin.violations() == []

        await row.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await admin.notice('Revoked the API token "Nightly report".')
        await expect(row).to_have_count(0)
        assert (await program.get(f"{api}/me")).status_code == 401
    await admin.go("/users?service=true", "Users")
    await expect(page.get_by_role("row").filter(has_text="token-robot")).to_contain_text("service account")


async def test_selected_tokens_of_all_users_are_revoked(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    for number in range(3):
        body = {"name": f"bulk job {number}", "permissions": [], "expiresInDays": 7}
        assert (await api.post("/me/tokens", json=body)).status_code == 201
    await admin.open("/tokens", "Your API tokens")
    await expect(page.get_by_role("row").filter(has_text="bulk job 0")).to_be_visible()
    await expect(page.get_by_role("checkbox", name="Select all")).to_have_count(0)
    await page.get_by_role("link", name="Tokens of all users").click()
    await page.get_by_label("Search", exact=True).fill("bulk job")
    # The line with the actions is below the rows, and moves when they become fewer.
    await expect(page.get_by_role("status").filter(has_text="of 3")).to_be_visible()
    await page.get_by_role("checkbox", name="Select bulk job 0 of admin").click()
    await page.get_by_role("checkbox", name="Select bulk job 1 of admin").click()
    await page.get_by_role("region", name="Selection").get_by_role("button", name="Revoke…").click()
    dialog = page.get_by_role("dialog", name="Revoke API tokens")
    await expect(dialog).to_contain_text("2 API tokens would change.")
    assert await admin.violations() == []
    await dialog.get_by_role("button", name="Revoke 2 API tokens").click()
    await expect(page.get_by_text("Complete. 2 of 2 API tokens processed.")).to_be_visible()
    assert await admin.violations() == []
    left = (await api.get("/admin/tokens", params={"q": "bulk job"})).json()["items"]
    assert [token["name"] for token in left] == ["bulk job 2"]
    await page.get_by_role("link", name="API tokens of all users").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("API tokens of all users")
