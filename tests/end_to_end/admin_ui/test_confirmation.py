"""The dialog that asks for the password again: refused, cancelled and confirmed, without losing the input."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, enter, root_of, visiting


@pytest.mark.long
async def test_the_password_is_asked_for_before_a_token_is_created(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/tokens", "Your API tokens")
    await page.get_by_role("button", name="New API token").click()
    form = page.get_by_role("form", name="New API token")
    await form.get_by_label("Name").fill("Confirmed job")
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Confirm your password")
    password = dialog.get_by_label("Password of admin")
    await expect(password).to_be_focused()
    assert await admin.violations() == []

    # With the keyboard alone: cancelled, the input of the dialog below is still there.
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(form.get_by_role("alert")).to_contain_text("your password was not confirmed")
    await expect(form.get_by_label("Name")).to_have_value("Confirmed job")
    assert (await api.get("/me/tokens?name=Confirmed job")).json()["total"] == 0

    await form.get_by_role("button", name="Create").click()
    await expect(password).to_be_focused()
    await page.keyboard.type("a wrong password")
    await page.keyboard.press("Enter")
    await expect(dialog.get_by_role("alert")).to_contain_text("The password is wrong.")
    await expect(password).to_have_value("")
    assert await admin.violations() == []
    await password.fill(PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("API token", exact=True)).to_contain_text("rostrum_")
    await expect(dialog).to_have_count(0)
    await page.get_by_role("button", name="Done").click()

    # For some minutes, nothing is asked.
    await page.get_by_role("button", name="New API token").click()
    await form.get_by_label("Name").fill("Second job")
    await form.get_by_role("button", name="Create").click()
    await expect(page.get_by_label("API token", exact=True)).to_contain_text("rostrum_")
    await expect(dialog).to_have_count(0)
    await page.get_by_role("button", name="Done").click()
    for name in ("Confirmed job", "Second job"):
        assert (await api.get("/me/tokens", params={"name": name})).json()["total"] == 1


async def test_it_is_asked_for_again_after_five_minutes_and_after_signing_in(
    browser: Browser, own_manager: RunningManager
) -> None:
    async with visiting(browser, own_manager) as someone:
        page = someone.page
        await page.clock.install()
        await enter(page.context, root_of(own_manager))
        await someone.open("/users/-/new", "New user")
        form = page.get_by_role("form", name="Confirm your password")
        for user, minutes in (("first", 0), ("second", 4), ("third", 5)):
            await page.clock.fast_forward(minutes * 60_000)
            await someone.go("/users/-/new", "New user")
            await page.get_by_label("Id").fill(user)
            await page.get_by_label("Password", exact=True).fill("a long password")
            await page.get_by_role("button", name="Save").click()
            if minutes != 4:
                await expect(page.get_by_label("Id")).to_have_value(user)
                await someone.confirm()
            await expect(page.get_by_role("heading", name=user)).to_be_visible()
            await expect(form).to_have_count(0)


@pytest.mark.long
async def test_planned_work_is_stopped_with_the_sessions_of_a_user(admin: Visitor, api: httpx.AsyncClient) -> None:
    password = "the password of a planner"
    user = {"id": "planner", "password": password, "groups": ["PLATFORM_SERVER_ADMIN"]}
    assert (await api.post("/admin/users", json=user)).status_code == 201
    start = (datetime.now(UTC) + timedelta(days=30)).isoformat()
    body = {"key": "p", "command": "ExecuteCode", "target": {"users": ["admin"]}, "waves": ["1"], "startAt": start}
    for end in ("sign-out", "password"):
        planned = await api.post(
            "/admin/commands/runs", json={**body, "key": end}, auth=httpx.BasicAuth("planner", password)
        )
        assert planned.status_code == 201, planned.text
        page = admin.page
        await admin.open("/users/planner", "planner")
        if end == "sign-out":
            await page.get_by_role("main").get_by_role("button", name="Sign out", exact=True).click()
            dialog = page.get_by_role("dialog", name="Sign out planner?")
            await expect(dialog.get_by_label("Also stop the user's planned work")).to_be_checked()
            assert await admin.violations() == []
            await dialog.get_by_role("button", name="Sign out").click()
            await expect(page.get_by_text("Planned work was stopped: 1.")).to_be_visible()
        else:
            await page.get_by_role("button", name="Set password").click()
            dialog = page.get_by_role("dialog", name="Set the password of planner")
            await dialog.get_by_label("New password").fill("another long password")
            await dialog.get_by_role("button", name="Set password").click()
            await admin.confirm()
            await expect(page.get_by_text("Password changed.")).to_be_visible()
        run = (await api.get(f"/admin/commands/runs/{planned.json()['id']}")).json()
        assert run["status"] == "cancelled"
