"""Views of lists: columns and density in the address, saved under a name, and shared with another administrator."""

import asyncio
import csv
import re
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Locator, Page

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor, enter, visiting_again

RIGHTS = [f"PLATFORM_MANAGER:{name}:READ" for name in ("SESSIONS", "USERS")]
PASSWORD = "views-password"


def headers(page: Page) -> Locator:
    return page.get_by_role("columnheader").filter(has_not=page.get_by_role("checkbox"))


@pytest.mark.long
async def test_a_view_is_saved_shared_and_opened_by_another_administrator(
    admin: Visitor, api: httpx.AsyncClient, manager: RunningManager, browser: Browser
) -> None:
    page = admin.page
    person = {"id": "views.reader", "password": PASSWORD, "groups": RIGHTS}
    assert (await api.post("/admin/users", json=person)).status_code == 201
    await admin.open("/sessions?sort=user", "Sessions")
    await page.get_by_role("button", name="View", exact=True).click()
    panel = page.get_by_role("dialog", name="View")
    for name in ("Session", "State", "Env / region", "Product", "Last seen"):
        await panel.get_by_role("checkbox", name=name, exact=True).click()
    await panel.get_by_role("button", name="Move Version up").click()
    await panel.get_by_role("button", name="Move Version up").click()
    await panel.get_by_role("checkbox", name="Compact rows").click()
    await expect(page).to_have_url(
        f"{admin.root}/admin/sessions?sort=user&columns=version%2Cuser%2Cmachine%2Cstarted&density=compact"
    )
    await panel.get_by_label("Save the current view as").fill("Versions <b>in use</b>")
    await panel.get_by_role("checkbox", name="Share with all users").click()
    await panel.get_by_role("button", name="Save", exact=True).click()
    await admin.notice("Saved the view Versions <b>in use</b>.")
    await expect(panel.get_by_role("link", name="Versions <b>in use</b>")).to_have_attribute("aria-current", "true")
    assert await admin.violations() == []
    await page.keyboard.press("Escape")
    await expect(headers(page)).to_have_text(["Version", "User", "Machine", "Started"])

    await page.get_by_role("button", name="Download list").click()
    async with page.expect_download() as download:
        await page.get_by_role("menuitem", name="CSV, only the shown columns").click()
    saved = await asyncio.to_thread(Path(await (await download.value).path()).read_text)
    assert next(csv.reader(saved.splitlines())) == ["version", "user", "machine", "started"]

    view = re.search(r"view=([^&]+)", page.url)
    assert view, page.url
    async with visiting_again(browser, manager) as reader:
        await enter(reader.page.context, reader.root, "views.reader", PASSWORD)
        # The name of the view is enough; the address is completed with its content.
        await reader.open(f"/sessions?view={view[1]}", "Sessions")
        await expect(reader.page).to_have_url(re.compile(r"sort=user.*columns=version"))
        await expect(headers(reader.page)).to_have_text(["Version", "User", "Machine", "Started"])
        await reader.page.get_by_role("button", name="View: Versions").click()
        panel = reader.page.get_by_role("dialog", name="View")
        await expect(panel.get_by_text("shared by admin")).to_be_visible()
        await expect(panel.get_by_role("button", name="Delete")).to_have_count(0)
        # The link opens the view again after a change.
        await panel.get_by_role("checkbox", name="Compact rows").click()
        await expect(reader.page).not_to_have_url(re.compile("density"))
        await panel.get_by_role("link", name="Versions <b>in use</b>").click()
        await expect(reader.page).to_have_url(re.compile("density=compact"))

    await page.get_by_role("button", name="View: Versions").click()
    panel = page.get_by_role("dialog", name="View")
    await panel.get_by_role("button", name="Rename", exact=True).click()
    await panel.get_by_label("New name").fill("Versions")
    await panel.get_by_role("button", name="Rename", exact=True).click()
    await expect(panel.get_by_role("link", name="Versions", exact=True)).to_be_visible()
    await panel.get_by_role("button", name="Delete", exact=True).click()
    await panel.get_by_role("button", name="Delete", exact=True).click()
    await expect(panel.get_by_text("No saved views yet.")).to_be_visible()
    await expect(page).not_to_have_url(re.compile("view="))
    assert (await api.delete("/admin/users/views.reader")).status_code == 204
