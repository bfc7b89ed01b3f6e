"""The page of the server: health, settings with their origins, everything out of one server and into another."""

import asyncio
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, config_for, enter, visiting_again
from tests.plain_http import NO_TLS


@pytest.mark.long
async def test_everything_goes_out_of_one_server_and_into_a_new_one(
    browser: Browser, admin: Visitor, tmp_path: Path
) -> None:
    page = admin.page
    await admin.open("/server", "Server")
    await expect(page.get_by_text("database").first).to_be_visible()
    await page.get_by_role("switch", name="Show only settings that are set explicitly").check()
    await page.get_by_label("Find settings").fill("secret")
    row = page.get_by_role("table", name="Effective settings").get_by_role("row", name="token.secret")
    await expect(row).to_contain_text("program that started the server")
    await expect(row).to_contain_text("API_TOKEN_SECRET")
    await page.get_by_role("switch", name="Show only settings that are set explicitly").uncheck()
    await page.get_by_label("Find settings").fill("token.expiresIn")
    await expect(page.get_by_role("row", name="token.expiresIn")).to_contain_text("2592000 s (30 days)")
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Export everything").click()
        await admin.confirm()
    file = await (await download.value).path()
    await admin.notice("The export was downloaded.")

    # A server with content of its own takes nothing.
    await page.get_by_label("Export file to import").set_input_files(file)
    await expect(page.get_by_role("alert")).to_contain_text("This server already has content")

    new = config_for(f"sqlite:///{tmp_path}/new.db", auth_basic={"predefinedUsers": [f"admin:{PASSWORD}"]})
    with await asyncio.to_thread(RunningManager, new) as running:
        async with (
            visiting_again(browser, running) as other,
            httpx.AsyncClient(base_url=running.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
        ):
            await enter(other.page.context, other.root)
            await other.open("/server", "Server")
            await other.page.get_by_label("Export file to import").set_input_files(file)
            await other.confirm()
            report = other.page.get_by_role("status").filter(has_text="imported")
            await expect(report).to_contain_text("would be imported")
            await expect(report).to_contain_text("apps: ")
            assert await other.violations() == []
            assert (await api.get("/admin/apps")).json()["total"] == 0
            await other.page.get_by_role("button", name="Import").click()
            await expect(report).to_contain_text("were imported")
            assert (await api.get("/admin/apps/order-blotter")).status_code == 200
