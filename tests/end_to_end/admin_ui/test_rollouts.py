"""Roll-outs on the page: an app change that is halted by crashes and withdrawn, and one that reaches all users."""

from typing import Any

import httpx
import pytest

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor
from tests.plain_http import NO_TLS

APP = {"name": "staged-app", "type": "window", "title": "saved", "details": {"url": "https://staged.example.com"}}
PILOT, OTHER = "staged-pilot", "staged-other"


def client(manager: RunningManager, user: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=manager.base_url, auth=(user, PASSWORD), verify=NO_TLS)


async def title_for(manager: RunningManager, user: str) -> Any:
    """The title of the app that the desktop of a user receives."""
    async with client(manager, user) as desktop:
        apps = (await desktop.get("/apps")).json()["applications"]
        return next(app["title"] for app in apps if app["name"] == APP["name"])


async def edit_and_plan(admin: Visitor, title: str) -> None:
    """Change the app on its page, and open the dialog instead of saving."""
    page = admin.page
    await expect(page.get_by_role("button", name="Roll out in stages…")).to_have_count(0)
    await page.get_by_role("textbox", name="Title").fill(title)
    await page.get_by_role("button", name="Roll out in stages…").click()
    await expect(page.get_by_role("dialog", name="Roll out in stages")).to_be_visible()


@pytest.mark.long
async def test_a_change_is_halted_and_withdrawn_and_another_one_reaches_everyone(
    admin: Visitor, api: httpx.AsyncClient, manager: RunningManager
) -> None:
    page = admin.page
    assert (await api.post("/admin/groups", json={"name": "Staged pilots"})).status_code == 201
    for user, groups in ((PILOT, ["Staged pilots"]), (OTHER, [])):
        body = {"id": user, "password": PASSWORD, "groups": groups, "apps": []}
        assert (await api.post("/admin/users", json=body)).status_code == 201
    made = await api.post("/admin/apps", json={"definition": APP, "public": True})
    assert made.status_code == 201, made.text

    # To 10% of the users and a group, with a limit for crashes.
    await admin.open(f"/apps/{APP['name']}", str(APP["name"]))
    await edit_and_plan(admin, "new")
    dialog = page.get_by_role("dialog", name="Roll out in stages")
    first = dialog.get_by_role("region", name="Stage 1")
    await first.get_by_role("textbox", name="Groups").fill("Staged pilots")
    await page.get_by_role("option", name="Staged pilots").click()
    second = dialog.get_by_role("region", name="Stage 2")
    await second.get_by_label("Percentage").fill("5")
    await expect(second.get_by_text("must be more than 10", exact=False)).to_be_visible()
    await second.get_by_label("Percentage").fill("50")
    await expect(second.get_by_text(" new", exact=False)).to_be_visible()
    await dialog.get_by_label("Halt if more users crash").fill("0")
    await dialog.get_by_label("Ticket").fill("CHG-18")
    assert await admin.violations() == []
    await dialog.get_by_role("button", name="Start the roll-out").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Roll-out of {APP['name']}")
    await expect(page.get_by_role("status").filter(has_text="Stage 1 of 2.")).to_be_visible()
    assert await title_for(manager, PILOT) == "new"
    assert await admin.violations() == []

    # The page of the user says why, and the page of the app refuses another change.
    rollout = page.url.rpartition("/")[2]
    await admin.go(f"/users/{PILOT}?tab=apps&q={APP['name']}", PILOT)
    await expect(
        page.get_by_text(f"The user receives the new version: stage 1 of 2 of the roll-out {rollout}")
    ).to_be_visible()
    await admin.go(f"/apps/{APP['name']}", str(APP["name"]))
    await expect(page.get_by_text("A new version is being rolled out in stages")).to_be_visible()
    await page.get_by_role("textbox", name="Title").fill("conflict")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("alert").filter(has_text="Not saved")).to_contain_text("finish or withdraw")
    await page.get_by_role("button", name="Discard").click()

    # A pilot crashes: the manager halts the roll-out, and the administrator withdraws it.
    async with client(manager, PILOT) as desktop:
        sent = await desktop.post("/crashes", data={"_productName": "x"}, files={"upload_file_minidump": b"MDMP"})
        assert sent.status_code == 200, sent.text
    await page.get_by_role("link", name="Show the roll-out").click()
    await expect(page.get_by_role("alert")).to_contain_text("users crashed; the limit is 0")
    await page.get_by_role("button", name="Withdraw…").click()
    question = page.get_by_role("dialog", name="Withdraw this roll-out?")
    await question.get_by_role("button", name="Withdraw").click()
    await expect(page.get_by_text("All users receive the saved version: withdrawn by admin.")).to_be_visible()
    assert await title_for(manager, PILOT) == "saved"

    # Another change: the first stage, the next one, and then everyone.
    await admin.go(f"/apps/{APP['name']}", str(APP["name"]))
    await edit_and_plan(admin, "newer")
    await dialog.get_by_role("button", name="Start the roll-out").click()
    await expect(page.get_by_role("status").filter(has_text="Stage 1 of 2.")).to_be_visible()
    await page.get_by_role("button", name="Start next stage…").click()
    await (
        page.get_by_role("dialog", name="Start the next stage now?")
        .get_by_role("button", name="Start next stage")
        .click()
    )
    await expect(page.get_by_role("status").filter(has_text="Stage 2 of 2.")).to_be_visible()
    await page.get_by_role("button", name="Finish…").click()
    await page.get_by_role("dialog", name="Finish this roll-out?").get_by_role("button", name="Finish").click()
    await expect(page.get_by_text("All users receive the new version.")).to_be_visible()
    assert [await title_for(manager, user) for user in (PILOT, OTHER)] == ["newer", "newer"]
    await admin.go("/rollouts/apps", "Roll-outs")
    await expect(page.get_by_role("link", name=str(APP["name"]))).to_have_count(2)
    assert await admin.violations() == []
    assert (await api.delete(f"/admin/apps/{APP['name']}")).status_code == 204
