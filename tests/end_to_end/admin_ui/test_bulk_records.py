"""Selection in the lists of configuration files, desktops, reports and directory addresses."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Locator

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor


def bar_of(admin: Visitor) -> Locator:
    return admin.page.get_by_role("region", name="Selection")


async def apply_to_all(admin: Visitor, button: str, title: str, submit: str) -> None:
    """Select all rows that match, choose an action, and start it after the preview."""
    page = admin.page
    await page.get_by_role("checkbox", name="Select all").click()
    await bar_of(admin).get_by_role("button", name=button).click()
    dialog = page.get_by_role("dialog", name=title)
    await expect(dialog.get_by_role("button", name=submit)).to_be_enabled()
    assert await admin.violations() == []
    await dialog.get_by_role("button", name=submit).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)
    await expect(page.get_by_text("Complete.")).to_be_visible()
    assert await admin.violations() == []


async def total(api: httpx.AsyncClient, path: str, **wanted: Any) -> int:
    return int((await api.get(f"/admin/{path}", params=wanted)).json()["total"])


async def open_session(api: httpx.AsyncClient, machine: str, version: str) -> str:
    body = {"machine": {"name": machine}, "version": version, "commands": ["Refresh", "GetLogs"]}
    opened = await api.post("/sessions", json=body)
    assert opened.status_code == 201, opened.text
    return str(opened.json()["id"])


@pytest.mark.long
async def test_configuration_files_are_exported_and_deleted(
    admin: Visitor, api: httpx.AsyncClient, tmp_path: Path
) -> None:
    page = admin.page
    assert (await api.post("/admin/groups", json={"name": "Bulk Files"})).status_code == 201
    for file in ("bulk-one.json", "bulk-two.json"):
        body = {"file": file, "group": "Bulk Files", "contents": {"a": 1}}
        assert (await api.post("/admin/configs", json=body)).status_code == 201
    await admin.open("/configs", "System configuration")
    await page.get_by_role("link", name="All files").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Configuration files")
    await page.get_by_role("textbox", name="Search", exact=True).fill("bulk-")
    await expect(page.get_by_role("region", name="Configuration files").get_by_role("link")).to_have_text(
        ["bulk-one.json", "bulk-two.json"]
    )
    await page.get_by_role("checkbox", name="Select bulk-one.json group Bulk Files").click()
    async with page.expect_download() as downloading:
        await bar_of(admin).get_by_role("button", name="Export").click()
    saved = tmp_path / "configs.json"
    await (await downloading.value).save_as(saved)
    assert [each["file"] for each in json.loads(saved.read_text())["configs"]] == ["bulk-one.json"]
    await bar_of(admin).get_by_role("button", name="Clear selection").click()

    await apply_to_all(admin, "Delete", "Delete configuration files", "Delete 2 configuration files")
    assert await total(api, "configs", q="bulk-") == 0
    assert (await api.delete("/admin/groups/Bulk%20Files")).status_code == 204


@pytest.mark.long
async def test_a_command_is_sent_to_the_selected_sessions(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    open_ones = [await open_session(api, f"CMD-{number}", "91.1") for number in range(3)]
    assert (await api.delete(f"/admin/sessions/{open_ones[2]}")).status_code == 204
    await admin.open("/sessions?version=91.1", "Sessions")
    await page.get_by_role("checkbox", name="Select all").click()
    await bar_of(admin).get_by_role("button", name="Send command…").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Send a command")
    await expect(page.get_by_text("2 desktops selected")).to_be_visible()
    await expect(page.get_by_text("1 selected session is not connected and is left out.")).to_be_visible()
    assert await admin.violations() == []
    await page.get_by_role("combobox", name="Command").fill("GetLogs")
    await page.get_by_role("button", name="Send to 2 desktops").click()
    await admin.notice("Sent to 2 desktops.")
    for session in open_ones[:2]:
        assert await total(api, "commands", session=session) == 1
    assert await total(api, "commands", session=open_ones[2]) == 0

    # The selection counts for one visit of the page.
    await admin.go("/commands/-/new", "Send a command")
    await expect(page.get_by_text("0 desktops selected")).to_be_visible()
    await page.get_by_role("button", name="Sign out").focus()


async def test_active_sessions_are_ended(admin: Visitor, api: httpx.AsyncClient) -> None:
    sessions = [await open_session(api, f"END-{number}", "92.1") for number in range(3)]
    assert (await api.delete(f"/admin/sessions/{sessions[0]}")).status_code == 204
    await admin.open("/sessions?version=92.1&active=true", "Sessions")
    await apply_to_all(admin, "End…", "End sessions", "End 2 sessions")
    for session in sessions:
        assert (await api.get(f"/admin/sessions/{session}")).json()["ended"] is not None


@pytest.mark.long
async def test_machines_commands_and_reports_are_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    session = await open_session(api, "BULK-1", "93.1")
    await open_session(api, "BULK-2", "93.1")
    for _ in range(2):
        command = {"session": session, "command": "GetLogs"}
        assert (await api.post("/admin/commands", json=command)).is_success
        fields = {"_productName": (None, "bulk-product"), "_version": (None, "1")}
        assert (await api.post("/crashes", files=fields)).is_success
        assert (await api.post("/feedback", files={"description": (None, "bulk-remark")})).is_success
    await admin.open("/machines", "Machines")
    for kind, words, heading, many in (
        ("commands", session, "Commands", "commands"),
        ("machines", "BULK-", "Machines", "machines"),
        ("crashes", "bulk-product", "Crashes", "crashes"),
        ("feedback", "bulk-remark", "Feedback", "feedback reports"),
    ):
        await admin.go(f"/{kind}?q={words}", heading)
        await apply_to_all(admin, "Delete", f"Delete {many}", f"Delete 2 {many}")
        assert await total(api, kind, q=words) == 0
        assert await total(api, kind) > 0 or kind == "feedback"


async def test_directory_addresses_are_revoked(admin: Visitor, api: httpx.AsyncClient) -> None:
    for number in range(2):
        body = {"group": "Trading", "description": f"bulk agent {number}"}
        assert (await api.post("/admin/directories", json=body)).status_code == 201
    await admin.open("/directories?q=bulk%20agent", "Directory addresses")
    await expect(admin.page.get_by_role("checkbox", name="Select bulk agent 0")).to_be_visible()
    await apply_to_all(admin, "Revoke…", "Revoke directory addresses", "Revoke 2 directory addresses")
    assert await total(api, "directories", q="bulk agent") == 0
