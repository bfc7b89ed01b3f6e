"""What broke since Monday? From the groups of crashes to the change that came before, and to a resolved group."""

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor
from tests.manager.crash_formats.minidumps import minidump

APP = {"name": "triage-chart", "type": "window", "title": "Chart", "details": {"url": "https://chart.example"}}
FIELDS = {"_productName": "Triage desk", "_version": "10.1", "process_type": "renderer", "application": "triage-chart"}


async def crash(api: httpx.AsyncClient) -> str:
    dump = {"upload_file_minidump": ("x.dmp", minidump())}
    sent = await api.post("/crashes", data=FIELDS, files=dump)
    assert sent.status_code == 200, sent.text
    return str((await api.get(f"/admin/crashes/{sent.text}")).json()["group"])


@pytest.mark.long
async def test_a_crash_is_assigned_and_resolved_and_comes_back_and_feedback_is_assigned(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    made = await api.post("/admin/apps", json={"definition": APP}, headers={"Change-Comment": "new chart"})
    assert made.status_code == 201, made.text
    for _ in range(3):
        group = await crash(api)

    # The top group since Monday.
    await admin.open("/", "Dashboard")
    await page.get_by_role("link", name="Crashes", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Crashes")
    today = datetime.now(UTC)
    monday = f"{today - timedelta(days=today.weekday()):%Y-%m-%d}"
    await page.get_by_label("Received from").fill(monday)
    await page.get_by_label("Search", exact=True).fill("triage-chart")
    row = page.get_by_role("row").filter(has_text="SIGSEGV at libchart.so+0x2345")
    await expect(row).to_contain_text("triage-chart")
    await expect(row).to_contain_text("3")
    assert await admin.violations() == []
    await row.get_by_role("link").click()

    # The change that came before, and the reports.
    await expect(page.get_by_role("heading", level=1)).to_have_text("renderer: SIGSEGV at libchart.so+0x2345")
    changes = page.get_by_role("table", name="Changes before the first crash")
    await expect(changes.get_by_role("row").filter(has_text="triage-chart")).to_contain_text("new chart")
    await expect(page.get_by_role("table", name="Affected users")).to_contain_text("admin")
    assert await admin.violations() == []
    await page.get_by_role("tab", name="Reports").click()
    await expect(page).to_have_url(re.compile(r"tab=reports"))
    await expect(page.get_by_text("SIGSEGV, libchart.so+0x2345")).to_have_count(3)
    await page.get_by_role("tab", name="Overview").click()

    # Assigned, noted and resolved.
    await page.get_by_role("button", name="Assign to me").click()
    await page.get_by_role("textbox", name="New note").fill("Points at the new chart")
    await page.get_by_role("button", name="Add note").click()
    await expect(page.get_by_role("list", name="Notes")).to_contain_text("Points at the new chart")
    await page.get_by_role("textbox", name="Status").or_(page.get_by_role("combobox", name="Status")).first.click()
    await page.get_by_role("option", name="Resolved").click()
    await page.get_by_role("checkbox", name="Mark 3 reports as reviewed").check()
    assert await admin.violations() == []
    await page.get_by_role("button", name="Save", exact=True).click()
    await admin.notice("Saved.")
    stored = (await api.get(f"/admin/crash-groups/{group}")).json()
    assert (stored["status"], stored["assignee"], stored["unreviewed"]) == ("resolved", "admin", 0)
    await expect(page.get_by_role("checkbox", name="as reviewed")).to_have_count(0)

    # The next crash brings it back.
    assert await crash(api) == group
    await admin.go("/crash-groups?status=open&q=triage-chart", "Crashes")
    await expect(page.get_by_role("row").filter(has_text="libchart.so")).to_contain_text("Came back")
    await page.get_by_role("checkbox", name=re.compile("Select renderer: SIGSEGV")).check()
    await page.get_by_role("button", name="Resolve…").click()
    await page.get_by_role("checkbox", name="Also mark their reports as reviewed").check()
    assert await admin.violations() == []
    await page.get_by_role("button", name="Resolve 1 crash group").click()
    await expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    await expect(page.get_by_text("marked as reviewed")).to_be_visible()
    stored = (await api.get(f"/admin/crash-groups/{group}")).json()
    assert (stored["status"], stored["unreviewed"]) == ("resolved", 0)

    # Feedback is assigned and noted in the same way.
    sent = await api.post("/feedback", files={"description": (None, "triage-remark")})
    await admin.go(f"/feedback/{sent.json()['id']}", "Feedback of admin")
    await page.get_by_role("button", name="Assign to me").click()
    await page.get_by_role("textbox", name="New note").fill("Called the user")
    await page.get_by_role("button", name="Add note").click()
    await expect(page.get_by_role("list", name="Notes")).to_contain_text("Called the user")
    await page.get_by_role("button", name="Save", exact=True).click()
    await admin.notice("Saved.")
    assert await admin.violations() == []
    await admin.go("/feedback?assignee=admin&status=new&q=triage-remark", "Feedback")
    await expect(page.get_by_role("row").filter(has_text="triage-remark")).to_contain_text("New")
