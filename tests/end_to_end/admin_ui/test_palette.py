"""The search with actions, settings and sessions; the list of shortcuts; the help of each page."""

import re

import httpx
import pytest
from playwright.async_api import Browser, Locator

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, enter, visiting_again


def search_of(admin: Visitor) -> Locator:
    return admin.page.get_by_role("dialog", name="Search everything")


async def open_search(admin: Visitor, words: str) -> None:
    await admin.page.keyboard.press("Control+k")
    await expect(search_of(admin).get_by_role("combobox")).to_be_focused()
    await admin.page.keyboard.type(words)


@pytest.mark.long
async def test_the_search_opens_in_a_field_and_starts_actions(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/users", "Users")
    await page.get_by_role("textbox", name="Search", exact=True).focus()
    await open_search(admin, "create us")
    await expect(search_of(admin).get_by_role("option").first).to_contain_text("Create user")
    assert await admin.violations() == []
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("New user")

    # Also in the editor.
    await admin.go("/commands/-/new", "Send a command")
    await page.locator(".cm-content").click()
    await page.keyboard.press("Control+k")
    await expect(search_of(admin).get_by_role("combobox")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(search_of(admin)).to_have_count(0)


async def test_sessions_and_settings_are_found(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    opened = await api.post("/sessions", json={"machine": {"name": "PALETTE-7"}, "version": "10.1"})
    await admin.open("/", "Dashboard")
    await open_search(admin, "PALETTE-7")
    await search_of(admin).get_by_role("option", name="Active session on PALETTE-7").click()
    await expect(page).to_have_url(re.compile(f"/sessions/{opened.json()['id']}$"))

    # A name that is too long is cut off.
    await open_search(admin, "alignBottomBorders")
    await expect(search_of(admin).get_by_role("option", name="windowManagement").first).to_be_visible()
    assert await search_of(admin).get_by_role("listbox").evaluate("list => list.scrollWidth <= list.clientWidth")
    await search_of(admin).get_by_role("combobox").fill("sessionLifetime")
    await search_of(admin).get_by_role("option", name="Setting of the server").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Server")
    await expect(page.get_by_label("Find settings")).to_have_value("auth_basic.sessionLifetime")


@pytest.mark.long
async def test_a_user_is_offered_only_permitted_actions_and_one_of_them_signs_out(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    rights = ["PLATFORM_MANAGER:USERS:READ", "PLATFORM_MANAGER:APPS:WRITE"]
    await api.post("/admin/users", json={"id": "palette-reader", "password": PASSWORD, "groups": rights})
    async with visiting_again(browser, manager) as visitor:
        await enter(visitor.page.context, visitor.root, "palette-reader")
        await visitor.open("/", "Dashboard")
        await visitor.page.keyboard.press("Control+k")
        options = search_of(visitor).get_by_role("option")
        await expect(options.filter(has_text="Create application")).to_have_count(1)
        await expect(options.filter(has_text="Create user")).to_have_count(0)
        await expect(options.filter(has_text="Send command")).to_have_count(0)
        await visitor.page.keyboard.type("sign out")
        await expect(options.first).to_contain_text("Sign out")
        await visitor.page.keyboard.press("Enter")
        await expect(visitor.page.get_by_role("form", name="Sign in")).to_be_visible()


async def test_a_question_mark_lists_the_shortcuts_but_not_while_typing(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/users", "Users")
    await page.get_by_role("textbox", name="Search", exact=True).focus()
    await page.keyboard.type("?")
    await expect(page.get_by_role("textbox", name="Search", exact=True)).to_have_value("?")
    await page.get_by_role("textbox", name="Search", exact=True).fill("")
    await page.get_by_role("link", name="Help: Users").focus()
    await page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(dialog.get_by_role("row", name="Save the document")).to_be_visible()
    assert await admin.violations() == []
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)


@pytest.mark.long
async def test_each_page_links_to_its_section_of_the_guides(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/commands", "Commands")
    async with page.context.expect_page() as opening:
        await page.get_by_role("link", name="Help: Commands").click()
    guide = await opening.value
    await expect(guide.get_by_role("heading", level=1)).to_have_text("Manager guide")
    await expect(guide.get_by_role("heading", name="Commands", exact=True)).to_be_in_viewport()
    await guide.close()

    await admin.go("/help/admin-ui", "Admin UI")
    await expect(page.get_by_role("heading", name="Grant an app")).to_be_visible()
    await expect(page.get_by_role("table").first).to_contain_text("Ctrl+K")
    assert await admin.violations() == []
    await page.get_by_role("article").get_by_role("button", name="Change many documents").last.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Manager guide")
    await expect(page.get_by_role("heading", name="Change many documents")).to_be_in_viewport()
    assert await admin.violations() == []
