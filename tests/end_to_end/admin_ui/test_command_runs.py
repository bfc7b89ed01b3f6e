"""Command runs on the page: desktops that answer, fail and are offline."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, enter, visiting_again
from tests.plain_http import NO_TLS

VERSION = "77.1"


@asynccontextmanager
async def connected(
    api: httpx.AsyncClient, address: str, names: list[str], failing: list[str]
) -> AsyncIterator[tuple[dict[str, str], asyncio.Event]]:
    """Connect desktops of one user, and yield the session of each. From the event on, they answer commands."""
    may_answer = asyncio.Event()

    async def answer(client: httpx.AsyncClient, names_of: dict[str, str]) -> None:
        await may_answer.wait()
        while True:
            pending = (await api.get("/admin/commands", params={"status": "pending", "command": "Restart"})).json()
            for session in {each["session"] for each in pending["items"]} & names_of.keys():
                status = "failed" if names_of[session] in failing else "done"
                for command in (await client.get(f"/sessions/{session}/commands")).json()["commands"]:
                    url = f"/sessions/{session}/commands/{command['id']}/result"
                    assert (await client.post(url, json={"status": status})).status_code == 204
            await asyncio.sleep(0.2)

    async with httpx.AsyncClient(base_url=address, auth=("wave-user", PASSWORD), verify=NO_TLS) as client:
        sessions = {}
        for name in names:
            opening = {"machine": {"id": name}, "version": VERSION, "commands": ["Restart", "GetLogs"]}
            sessions[name] = (await client.post("/sessions", json=opening)).json()["id"]
        task = asyncio.create_task(answer(client, {session: name for name, session in sessions.items()}))
        try:
            yield sessions, may_answer
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@pytest.mark.long
async def test_a_group_is_restarted_in_waves_until_too_many_desktops_fail(
    admin: Visitor, api: httpx.AsyncClient, manager: RunningManager
) -> None:
    page = admin.page
    assert (await api.post("/admin/groups", json={"name": "Wave desk"})).status_code == 201
    body = {"id": "wave-user", "password": PASSWORD, "groups": ["Wave desk"]}
    assert (await api.post("/admin/users", json=body)).status_code == 201
    # One more is offline.
    assert (await api.post("/admin/users", json={"id": "wave-off", "groups": ["Wave desk"]})).status_code == 201
    names = [f"pc-wave-{number}" for number in range(8)]
    failing = names[4:]
    async with connected(api, manager.base_url, names, failing) as (sessions, may_answer):
        await start_run(admin)
        await expect(page.get_by_role("heading", level=1)).to_have_text("Restart")
        await expect(page.get_by_text("0 of 9 done, 2 not answered yet, 7 in later waves.")).to_be_visible()
        assert await admin.violations() == []
        # The page follows the events of the manager.
        may_answer.set()
        await expect(page.get_by_role("alert")).to_contain_text("4 of 8 desktops failed; the limit is 3.")
        await expect(page.get_by_text("4 of 9 done, 4 failed, 1 offline.")).to_be_visible()
        failed = page.get_by_role("table", name="Failed desktops")
        await expect(failed.get_by_role("link", name="pc-wave-")).to_have_count(4)
        await expect(page.get_by_role("table", name="Offline desktops")).to_contain_text("wave-off")
        await expect(page.get_by_role("table", name="Waves").get_by_role("row")).to_have_count(3)
        assert await admin.violations() == []
        await failed.get_by_role("link", name=failing[0]).click()
        await expect(page).to_have_url(f"{admin.root}/admin/sessions/{sessions[failing[0]]}")
        await page.go_back()

        await page.get_by_role("button", name="Continue").click()
        question = page.get_by_role("dialog", name="Continue this run?")
        await expect(question).to_contain_text("no longer count")
        await question.get_by_role("button", name="Continue").click()
        await expect(page.locator(".label").filter(has_text="done")).to_be_visible()
        await expect(page.get_by_text("OPS-7")).to_be_visible()
    await admin.go("/command-runs?status=done", "Command runs")
    await expect(page.get_by_text("4 of 9 done, 4 failed, 1 offline")).to_be_visible()


async def start_run(admin: Visitor) -> None:
    """Fill in the form, and send the command."""
    page = admin.page
    await admin.open("/command-runs", "Command runs")
    await page.get_by_role("link", name="New command run").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("New command run")
    await page.get_by_role("combobox", name="Command").fill("Restart")
    await page.get_by_role("textbox", name="Groups").fill("Wave desk")
    await page.get_by_role("option", name="Wave desk").click()
    await expect(page.get_by_text("9 desktops: 8 ready, 1 offline.")).to_be_visible()
    await expect(page.get_by_role("table", name="Desktops that cannot receive the command now")).to_contain_text(
        "wave-off"
    )
    await page.get_by_role("textbox", name="Waves", exact=True).fill("half")
    await expect(page.get_by_text("must be a number such as 25", exact=False)).to_be_visible()
    await page.get_by_role("textbox", name="Waves", exact=True).fill("2, 100%")
    await expect(page.get_by_text("Waves: 2, then 7 desktops.")).to_be_visible()
    await page.get_by_label("Pause between waves").fill("0")
    await page.get_by_label("Stop if more desktops fail").fill("3")
    await page.get_by_label("Ticket").fill("OPS-7")
    assert await admin.violations() == []
    await page.get_by_role("button", name="Send to 9 desktops").click()
    dialog = page.get_by_role("dialog", name="Send to 9 desktops?")
    await expect(dialog).to_contain_text("closes all apps and starts again")
    await dialog.get_by_role("button", name="Send Restart").click()


async def test_a_scheduled_run_is_paused_continued_and_cancelled(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    # The filters of the list of sessions are those of the new run.
    await admin.open(f"/sessions?version={VERSION}", "Sessions")
    await page.get_by_role("link", name="Send in waves").click()
    await expect(page.get_by_role("textbox", name="Version")).to_have_value(f"*{VERSION}*")
    await page.get_by_role("combobox", name="Command").fill("GetLogs")
    await page.get_by_label("Start", exact=True).fill("2027-01-04T20:00")
    await page.get_by_role("button", name="Schedule for").click()
    await admin.confirm()

    await expect(page.get_by_text("Starts on 4 Jan 2027", exact=False)).to_be_visible()
    await page.get_by_role("button", name="Pause").click()
    await expect(page.locator(".label").filter(has_text="paused")).to_be_visible()
    await page.get_by_role("button", name="Continue").click()
    await expect(page.locator(".label").filter(has_text="scheduled")).to_be_visible()
    await page.get_by_role("button", name="Cancel the run").click()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel the run").click()
    await expect(page.locator(".label").filter(has_text="cancelled")).to_be_visible()
    await expect(page.get_by_role("button", name="Pause")).to_have_count(0)


async def test_someone_who_may_only_read_commands_sees_progress_and_no_buttons(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    groups = ["PLATFORM_MANAGER:COMMANDS:READ"]
    body: dict[str, Any] = {"id": "run-reader", "password": PASSWORD, "groups": groups}
    assert (await api.post("/admin/users", json=body)).status_code == 201
    run = {"key": "reader", "command": "GetLogs", "target": {"filter": {}}, "startAt": "2027-01-04T20:00:00Z"}
    found = (await api.post("/admin/commands/runs", json=run)).json()["id"]
    async with visiting_again(browser, manager) as reader:
        await enter(reader.page.context, reader.root, "run-reader")
        await reader.open("/command-runs", "Command runs")
        await expect(reader.page.get_by_role("link", name="New command run")).to_have_count(0)
        await reader.go(f"/command-runs/{found}", "GetLogs")
        await expect(reader.page.get_by_text("Starts on", exact=False)).to_be_visible()
        await expect(reader.page.get_by_role("button", name="Pause")).to_have_count(0)
    assert (await api.post(f"/admin/commands/runs/{found}/cancel")).status_code == 200
