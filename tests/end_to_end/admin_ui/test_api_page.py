"""The page that describes the API: its forms send requests with the session of the admin UI."""

import json

import httpx
import pytest
from playwright.async_api import Locator, Page

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor


async def opened(page: Page, operation: str) -> Locator:
    """Open the description of an operation, and return its form."""
    method, path = operation.split()
    form = page.locator(f'form[data-method="{method}"][data-path="{path}"]')
    await page.locator("details").filter(has=form).locator("summary").click()
    await expect(form).to_be_visible()
    return form


@pytest.mark.long
async def test_operations_are_tried_with_the_session_of_the_admin_ui(admin: Visitor, api: httpx.AsyncClient) -> None:
    await admin.open("/server", "Server")
    async with admin.page.context.expect_page() as popup:
        await admin.page.get_by_role("link", name="API reference").click()
    page = await popup.value
    await expect(page.get_by_text("Requests from this page are sent as admin.")).to_be_visible()

    form = await opened(page, "POST /api/admin/users")
    body = form.get_by_label("Body (JSON)")
    assert "id" in json.loads(await body.input_value())
    await body.fill(json.dumps({"id": "try it/1"}))
    await form.get_by_role("button", name="Send POST request").click()
    await expect(form.locator("output")).to_contain_text("201")

    form = await opened(page, "GET /api/admin/users/{user_id}")
    await form.get_by_label("user_id").fill("try it/1")
    await form.get_by_role("button", name="Send GET request").click()
    await expect(form.locator("output")).to_contain_text("200")
    await expect(form.locator("output")).to_contain_text('"id": "try it/1"')

    form = await opened(page, "GET /api/admin/users")
    await form.get_by_label("limit").fill("none")
    await form.get_by_role("button", name="Send GET request").click()
    await expect(form.locator("output")).to_contain_text("400")
    await page.close()
    assert (await api.delete("/admin/users/try%20it%2F1")).status_code == 204


async def test_without_a_session_the_page_states_how_to_sign_in(visitor: Visitor) -> None:
    await visitor.page.goto(f"{visitor.root}/api/docs")

    await expect(visitor.page.locator("#caller")).to_contain_text("You are not signed in.")
