"""The affected users of a change before it is saved, its receipts, its audit entry, and its rollback."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Locator

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, copied, enter, visiting_again
from tests.plain_http import NO_TLS


def effect(admin: Visitor) -> Locator:
    return admin.page.get_by_role("status", name="Effect")


def receipts(admin: Visitor) -> Locator:
    return admin.page.get_by_role("status", name="Receipts")


@asynccontextmanager
async def desktop_of(base_url: str, user: str) -> AsyncIterator[tuple[httpx.AsyncClient, str]]:
    """A running desktop: its client and the id of its session."""
    async with httpx.AsyncClient(base_url=base_url, auth=(user, PASSWORD), verify=NO_TLS) as client:
        opened = await client.post("/sessions", json={"machine": {"name": f"DESK-{user}"}, "version": "10.1"})
        yield client, opened.json()["id"]


async def base_file(api: httpx.AsyncClient) -> dict[str, Any]:
    [found] = (await api.get("/admin/configs", params={"scope": "base", "file": "system.json"})).json()["items"]
    return dict(found)


@pytest.mark.long
async def test_one_value_is_changed_with_a_visible_effect_received_and_undone(
    browser: Browser, second_manager: RunningManager
) -> None:
    base_url = second_manager.base_url
    async with (
        visiting_again(browser, second_manager) as admin,
        httpx.AsyncClient(base_url=base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
        desktop_of(base_url, "gil.harrow") as (gil, gil_session),
        desktop_of(base_url, "fern.gaskell") as (fern, fern_session),
    ):
        page = admin.page
        await enter(page.context, admin.root)
        for session in (await api.get("/admin/sessions", params={"active": "true", "limit": 100})).json()["items"]:
            if session["id"] not in (gil_session, fern_session):
                await api.delete(f"/admin/sessions/{session['id']}")
        before = await base_file(api)

        # Before saving: whom it touches, and whether the result would be wrong.
        await admin.open(f"/configs/{before['id']}?view=json", "system.json for everyone")
        wrong = {**before["contents"], "notifications": {**before["contents"]["notifications"], "toastExpiry": "soon"}}
        await admin.type_json("Contents", wrong)
        await expect(effect(admin)).to_contain_text("would be invalid")
        new = {**before["contents"], "notifications": {**before["contents"]["notifications"], "toastExpiry": 7777}}
        await admin.type_json("Contents", new)
        await expect(effect(admin)).to_have_text(re.compile(r"^Affects \d+ of \d+ users\.$"))
        await page.get_by_role("button", name="Show details").click()
        dialog = page.get_by_role("dialog", name="Effect of this change")
        await expect(dialog.get_by_role("link", name="gil.harrow")).to_be_visible()
        await expect(dialog.get_by_role("link", name="ada.birch")).to_have_count(0)  # she has a value of her own
        await expect(dialog.get_by_role("row", name="system.json notifications.toastExpiry").first).to_contain_text(
            "7777"
        )
        assert await admin.violations() == []
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        assert (await base_file(api))["revision"] == before["revision"]

        # After saving: who has it.
        await page.get_by_role("button", name="Save").click()
        await admin.notice("Saved.")
        await expect(receipts(admin)).to_have_text("Applied on 0 of 2 connected desktops.")
        saved = await base_file(api)
        applied = {"applied": {"systemConfig": saved["revision"]}}
        assert (await gil.patch(f"/sessions/{gil_session}", json=applied)).status_code == 200
        await expect(receipts(admin)).to_have_text("Applied on 1 of 2 connected desktops.")
        await page.get_by_role("button", name="Show desktops").click()
        dialog = page.get_by_role("dialog", name=f"Desktops with revision {saved['revision']}")
        await expect(dialog.get_by_role("row", name="gil.harrow")).to_contain_text("applied")
        await expect(dialog.get_by_role("row", name="gil.harrow")).to_contain_text("DESK-gil.harrow")
        await expect(dialog.get_by_role("row", name="fern.gaskell")).to_contain_text("pending")
        assert await admin.violations() == []
        assert (await fern.patch(f"/sessions/{fern_session}", json=applied)).status_code == 200
        await expect(dialog.get_by_role("row", name="fern.gaskell")).to_contain_text("applied")
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        await expect(receipts(admin)).to_contain_text("all 2 affected connected desktops")

        # Later: who did it.
        await admin.go(f"/audit?kind=config&id={before['id']}", "Audit")
        await page.locator("tbody").get_by_role("row").filter(has_text="admin").get_by_role("link").first.click()
        await expect(page.get_by_role("row", name="toastExpiry")).to_contain_text("7777")
        await expect(page.get_by_text("admin", exact=True).first).to_be_visible()
        await page.get_by_role("link", name=before["id"]).click()

        # Roll back, with the effect shown first, and undo it.
        await page.get_by_role("button", name="History").click()
        drawer = page.get_by_role("dialog", name="History")
        await drawer.get_by_role("button", name=f"Revision {before['revision']}:").click()
        await expect(drawer.get_by_role("status", name="Effect")).to_contain_text("Affects ")
        await drawer.get_by_role("button", name=f"Roll back to revision {before['revision']}").click()
        await expect(page.get_by_text(f"Rolled back to revision {before['revision']}.")).to_be_visible()
        back = await base_file(api)
        assert back["contents"] == before["contents"]
        assert back["revision"] > saved["revision"]
        await page.get_by_role("button", name="Undo").click()
        await admin.notice("Undone.")
        assert (await base_file(api))["contents"] == saved["contents"]


@pytest.mark.long
async def test_all_files_are_rolled_back_to_a_revision_after_a_dry_run(
    browser: Browser, second_manager: RunningManager
) -> None:
    async with (
        visiting_again(browser, second_manager) as admin,
        httpx.AsyncClient(base_url=second_manager.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
    ):
        page = admin.page
        await enter(page.context, admin.root)
        before = await base_file(api)
        newest = (await api.post("/admin/history/configs/rollback", json={"revision": 1, "dryRun": True})).json()
        await api.patch(f"/admin/configs/{before['id']}", json={"contents": {"region": "here"}})
        made = {"file": "themes.json", "contents": {}, "group": "Research"}
        identity = (await api.post("/admin/configs", json=made)).json()["id"]

        await admin.open("/configs", "System configuration")
        await page.get_by_role("button", name="Roll back").click()
        dialog = page.get_by_role("dialog", name="Roll back: System configuration")
        await dialog.get_by_role("radio", name="a revision").check()
        await dialog.get_by_label("Revision", exact=True).fill(str(newest["newest"]))
        await dialog.get_by_role("button", name="Preview changes").click()
        await expect(dialog.get_by_role("status")).to_have_text("2 documents would change.")
        await expect(dialog.get_by_role("row", name="region")).to_contain_text("here")
        assert await admin.violations() == []
        await dialog.get_by_role("button", name="Roll back 2 documents").click()
        await expect(page.get_by_text("Rolled back 2 documents to revision")).to_be_visible()
        assert (await base_file(api))["contents"] == before["contents"]
        assert (await api.get(f"/admin/configs/{identity}")).status_code == 404
        await page.get_by_role("button", name="Undo").click()
        await admin.notice("Undone.")
        assert (await base_file(api))["contents"] == {"region": "here"}
        assert (await api.get(f"/admin/configs/{identity}")).status_code == 200


@pytest.mark.long
async def test_the_effect_is_reported_on_every_page_that_has_one(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    app = {"name": "reach-app", "type": "window", "details": {"url": "https://apps.example.com/"}}
    layout = {"name": "Reach", "type": "Global", "token": "", "components": []}

    await admin.open("/apps/-/new", "New application")
    await admin.type_json("Definition as JSON", app)
    await expect(effect(admin)).to_have_text("Affects no users.")
    await page.get_by_role("switch", name="Public").check()
    await expect(effect(admin)).to_have_text(re.compile(r"^Affects \d+ of \d+ users\.$"))
    await expect(page.get_by_role("button", name="Show details")).to_be_visible()
    await admin.type_json("Definition as JSON", {**app, "name": "order-blotter"})
    await expect(effect(admin)).to_contain_text("Cannot save")
    await page.get_by_role("button", name="Discard").click()
    await expect(effect(admin)).to_have_count(0)

    await admin.go("/layouts/-/new", "New layout")
    await admin.type_json("Definition as JSON", layout)
    await page.get_by_role("switch", name="Public").check()
    await expect(effect(admin)).to_contain_text("Affects ")
    await page.get_by_role("button", name="Discard").click()

    await admin.go("/configs/-/new", "New configuration file")
    await page.get_by_role("combobox", name="File").fill("reach.json")
    await admin.type_json("Contents", {"a": 1})
    await expect(effect(admin)).to_contain_text("Affects ")
    await page.get_by_role("button", name="Discard").click()

    await admin.go("/users/-/new", "New user")
    await page.get_by_role("textbox", name="Id", exact=True).fill("reach.person")
    await expect(effect(admin)).to_contain_text("Affects 1 of")
    await page.get_by_role("button", name="Discard").click()

    await admin.go("/groups/-/new", "New group")
    await page.get_by_role("textbox", name="Name", exact=True).fill("Reach")
    await expect(effect(admin)).to_have_text("Affects no users.")
    await page.get_by_role("button", name="Discard").click()

    await admin.go("/users/eli.farrow", "eli.farrow")
    await page.get_by_role("switch", name="Disabled").click()
    await expect(effect(admin)).to_contain_text("Affects 1 of")
    await page.get_by_role("button", name="Discard").click()

    groups = (await api.get("/admin/groups/Trading")).json()
    await admin.go("/groups/Trading", "Trading")
    await page.get_by_label("Priority").fill(str(groups["priority"] + 1000))
    await expect(effect(admin)).to_contain_text("Affects ")
    await page.get_by_role("button", name="Discard").click()

    await admin.go("/apps/chat-panel", "chat-panel")
    await page.get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("dialog").get_by_role("status", name="Effect")).to_contain_text("Affects ")
    await page.get_by_role("button", name="Cancel").click()
    assert (await api.get("/admin/apps/chat-panel")).status_code == 200
    assert (await api.get("/admin/users/reach.person")).status_code == 404


@pytest.mark.long
async def test_in_a_large_firm_the_effect_is_computed_on_request(
    browser: Browser, demo_database: Path, tmp_path: Path
) -> None:
    config = copied(demo_database, tmp_path)
    with closing(sqlite3.connect(tmp_path / "rostrum.db")) as database, database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(users)") if row[1] != "id"]
        database.execute(
            "INSERT INTO users (id, {0})"
            " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)"
            " SELECT 'clerk.' || i, {0} FROM n, users WHERE users.id = 'gil.harrow'".format(", ".join(columns))
        )
    with await asyncio.to_thread(RunningManager, config) as running:
        async with visiting_again(browser, running) as admin:
            page = admin.page
            await enter(page.context, admin.root)
            await admin.open("/apps/clearing-console", "clearing-console")
            await page.get_by_role("switch", name="Public").check()
            await expect(effect(admin)).to_have_text(re.compile("^20,0.. users.$"))
            await page.get_by_role("button", name="Show affected users").click()
            await expect(effect(admin)).to_have_text(re.compile("^Affects 20,0.. of 20,0.. users.$"))
            await page.get_by_role("button", name="Show details").click()
            dialog = page.get_by_role("dialog", name="Effect of this change")
            users = dialog.get_by_role("list", name="Users").first.get_by_role("link")
            await expect(users).to_have_count(20)
            await dialog.get_by_role("button", name=" more").first.click()
            await expect(users).to_have_count(520)
