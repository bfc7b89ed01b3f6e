"""The tasks of a day: leavers from a list, and a desk that moves to a new version in three waves.

Other stories: ``test_crash_groups.py`` (what broke since Monday?) and ``test_compare.py`` (why does it work for her and
not for him?).
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor
from tests.plain_http import NO_TLS

OLD, NEW = "88.1", "88.2"


async def test_forty_leavers_from_a_list_of_names_are_disabled(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    first, last = ("amy", "bo", "cy", "di", "ed", "flo", "gus", "hal"), ("ash", "birk", "cole", "dunn", "eames")
    leavers = [f"{one}.{other}-left" for one in first for other in last]
    file = "id\n" + "".join(f"{user}\n" for user in [*leavers, "stays-left"])
    made = await api.post("/admin/batches/users/import", json={"key": "leavers", "csv": file})
    assert made.json()["done"] == 41, made.text

    # The list of the personnel department becomes the file.
    await admin.open("/users", "Users")
    await page.get_by_role("link", name="Import…").click()
    text = "id,disabled\n" + "".join(f"{user},yes\n" for user in leavers)
    await page.get_by_label("CSV file").fill(text)
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_role("status")).to_contain_text("0 new, 40 changed, 0 unchanged, 0 invalid.")
    await page.get_by_label("Comment").fill("Left the company")
    await page.get_by_role("button", name="Import 40 users").click()
    await expect(page.get_by_text("Complete. 40 of 40 users processed.")).to_be_visible()

    await admin.go("/users?q=-left&disabled=true", "Users")
    await expect(page.get_by_role("status").filter(has_text="of 40")).to_be_visible()
    found = (await api.get("/admin/users", params={"q": "-left", "disabled": "true", "limit": 100})).json()
    assert {user["id"] for user in found["items"]} == set(leavers)


@asynccontextmanager
async def desk(api: httpx.AsyncClient, address: str, machines: list[str]) -> AsyncIterator[None]:
    """Connected desktops that have downloaded the new version, and start it after a restart."""
    assert (await api.post("/admin/groups", json={"name": "Moving desk"})).status_code == 201
    body = {"id": "mover", "password": PASSWORD, "groups": ["Moving desk"]}
    assert (await api.post("/admin/users", json=body)).status_code == 201
    async with httpx.AsyncClient(base_url=address, auth=("mover", PASSWORD), verify=NO_TLS) as client:
        connected: dict[str, str] = {}

        async def connect(machine: str, version: str) -> None:
            opening = {"machine": {"id": machine}, "version": version, "commands": ["Restart"]}
            opened = await client.post("/sessions", json=opening)
            assert opened.status_code == 201, opened.text
            connected[opened.json()["id"]] = machine

        async def obey() -> None:
            while True:
                pending = (await api.get("/admin/commands", params={"status": "pending", "command": "Restart"})).json()
                for session in {each["session"] for each in pending["items"]} & connected.keys():
                    for command in (await client.get(f"/sessions/{session}/commands")).json()["commands"]:
                        url = f"/sessions/{session}/commands/{command['id']}/result"
                        done = await client.post(url, json={"status": "done"})
                        assert done.status_code == 204, done.text
                        await connect(connected[session], NEW)
                await asyncio.sleep(0.2)

        for machine in machines:
            await connect(machine, OLD)
        task = asyncio.create_task(obey())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@pytest.mark.long
async def test_a_desk_moves_to_the_new_version_in_three_waves(
    admin: Visitor, api: httpx.AsyncClient, manager: RunningManager
) -> None:
    page = admin.page
    machines = [f"pc-mover-{number}" for number in range(8)]
    async with desk(api, manager.base_url, machines):
        await admin.open("/command-runs", "Command runs")
        await page.get_by_role("link", name="New command run").first.click()
        await page.get_by_role("combobox", name="Command").fill("Restart")
        await page.get_by_role("textbox", name="Groups").fill("Moving desk")
        await page.get_by_role("option", name="Moving desk").click()
        await page.get_by_role("textbox", name="Version").fill(OLD)
        await expect(page.get_by_text("8 desktops: 8 ready.")).to_be_visible()
        await page.get_by_role("textbox", name="Waves", exact=True).fill("25%, 50%, 100%")
        await expect(page.get_by_text("Waves: 2, then 2, then 4 desktops.")).to_be_visible()
        await page.get_by_label("Pause between waves").fill("0")
        await page.get_by_label("Comment").fill(f"Move the desk to {NEW}")
        await page.get_by_role("button", name="Send to 8 desktops").click()
        await page.get_by_role("dialog").get_by_role("button", name="Send Restart").click()
        await expect(page.get_by_text("8 of 8 done.")).to_be_visible()
        await expect(page.get_by_role("table", name="Waves").get_by_role("row")).to_have_count(4)
        await expect(page.get_by_text(f"Move the desk to {NEW}")).to_be_visible()

        # All desktops of the desk now report the new version.
        await admin.go(f"/sessions?version=%3D{NEW}&active=true", "Sessions")
        await expect(page.get_by_role("status").filter(has_text="of 8")).to_be_visible()
        for machine in machines:
            await expect(page.get_by_role("row").filter(has_text=machine)).to_contain_text(NEW)
