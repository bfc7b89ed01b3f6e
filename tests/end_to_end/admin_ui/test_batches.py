"""Selection in lists, and actions on many documents with preview and report."""

import json
import re
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Request, Route

from rostrum.base.clock import SystemClock
from rostrum.contracts.batches import NewBatch
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.batches.repository import Batches
from rostrum.manager.batches.service import BatchService
from rostrum.manager.kinds import Kind
from rostrum.manager.server import RunningManager
from rostrum.manager.topics import manager_storage
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, enter, visiting_again


async def make_users(api: httpx.AsyncClient, prefix: str, count: int, groups: tuple[str, ...] = ()) -> list[str]:
    names = [f"{prefix}-{number:02}" for number in range(count)]
    text = "id,groups\n" + "".join(f"{name},{';'.join(groups)}\n" for name in names)
    made = await api.post("/admin/batches/users/import", json={"key": f"make-{prefix}", "csv": text})
    assert made.json()["done"] == count, made.text
    return names


async def disabled(api: httpx.AsyncClient, prefix: str) -> int:
    listed = await api.get("/admin/users", params={"q": prefix, "disabled": "true"})
    return int(listed.json()["total"])


def key_of(request: Request) -> str:
    return str(json.loads(request.post_data or "")["key"])


@pytest.mark.long
async def test_forty_leavers_are_disabled_with_preview_and_report(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await make_users(api, "leaver", 40)
    await admin.open("/users?q=leaver-", "Users")
    await page.get_by_role("checkbox", name="Select all").click()
    bar = page.get_by_role("region", name="Selection")
    await expect(bar).to_contain_text("All users that match are selected")
    assert await admin.violations() == []

    await bar.get_by_role("button", name="Disable").click()
    dialog = page.get_by_role("dialog", name="Disable users")
    await expect(dialog).to_contain_text("40 users would change.")
    await expect(dialog).to_contain_text("leaver-00, leaver-01")
    assert await disabled(api, "leaver-") == 0
    assert await admin.violations() == []
    await dialog.get_by_label("Comment").fill("Left the company")
    await dialog.get_by_label("Ticket").fill("HR-7")
    await dialog.get_by_role("button", name="Disable 40 users").click()

    await expect(page.get_by_role("heading", level=1)).to_have_text("Disable users")
    await expect(page.get_by_text("Complete. 40 of 40 users processed.")).to_be_visible()
    await expect(page.get_by_role("progressbar", name="Progress")).to_have_attribute("aria-valuenow", "100")
    await expect(page.get_by_text("Left the company")).to_be_visible()
    await expect(page.get_by_role("table", name="Changed users").get_by_role("link")).to_have_count(40)
    assert await disabled(api, "leaver-") == 40
    assert await admin.violations() == []
    await admin.open(page.url.removeprefix(f"{admin.root}/admin"), "Disable users")
    await expect(page.get_by_text("HR-7")).to_be_visible()


async def test_rows_are_selected_with_the_keyboard(admin: Visitor, api: httpx.AsyncClient, tmp_path: Path) -> None:
    page = admin.page
    names = await make_users(api, "keyboard", 5)
    await admin.open("/users?q=keyboard-", "Users")
    bar = page.get_by_role("region", name="Selection")
    await page.get_by_role("checkbox", name="Select keyboard-01").focus()
    await page.keyboard.press("Space")
    await expect(bar).to_contain_text("1 user selected")
    await page.get_by_role("checkbox", name="Select keyboard-03").focus()
    await page.keyboard.press("Shift+Space")
    await expect(bar).to_contain_text("3 users selected")

    async with page.expect_download() as downloading:
        await bar.get_by_role("button", name="Export").click()
    saved = tmp_path / "users.json"
    await (await downloading.value).save_as(saved)
    assert [user["id"] for user in json.loads(saved.read_text())["users"]] == names[1:4]

    # Escape in the dialog keeps the selection.
    await bar.get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("dialog")).to_contain_text("3 users would change.")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(bar).to_contain_text("3 users selected")
    await page.get_by_role("checkbox", name="Select keyboard-03").focus()
    await page.keyboard.press("Escape")
    await expect(bar).to_have_count(0)


async def test_a_repeated_request_after_a_lost_response_applies_nothing_twice(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    await make_users(api, "offline", 3)
    await admin.open("/users?q=offline-", "Users")
    await page.get_by_role("checkbox", name="Select all").click()
    await page.get_by_role("region", name="Selection").get_by_role("button", name="Disable").click()
    dialog = page.get_by_role("dialog", name="Disable users")
    keys: list[str] = []

    async def lose_the_response(route: Route) -> None:
        keys.append(key_of(route.request))
        await route.fetch()
        await route.abort("connectionreset")

    await page.route("**/api/admin/batches/users", lose_the_response, times=1)
    await dialog.get_by_role("button", name="Disable 3 users").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("If you try again, no change is applied twice.")
    assert await disabled(api, "offline-") == 3

    async with page.expect_request(re.compile("/batches/users$")) as repeated:
        await dialog.get_by_role("button", name="Try again").click()
    await expect(page.get_by_text("Complete. 3 of 3 users processed.")).to_be_visible()
    assert key_of(await repeated.value) == keys[0]
    batches = (await api.get("/admin/batches/users", params={"action": "disable"})).json()["items"]
    assert [batch["done"] for batch in batches if batch["key"] == keys[0]] == [3]
    revisions = (await api.get("/admin/users/offline-00/revisions")).json()
    assert revisions["total"] == 2


@pytest.mark.long
async def test_a_delegated_administrator_sees_which_users_are_refused(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    rights = ("PLATFORM_MANAGER:USERS:READ", "PLATFORM_MANAGER:USERS:WRITE")
    await api.post("/admin/users", json={"id": "delegate", "password": PASSWORD, "groups": rights})
    await make_users(api, "subject", 2)
    await make_users(api, "subject-chief", 1, ("PLATFORM_SERVER_ADMIN",))
    async with visiting_again(browser, manager) as visitor:
        page = visitor.page
        await enter(page.context, visitor.root, "delegate")
        await visitor.open("/users?q=subject-", "Users")
        await page.get_by_role("checkbox", name="Select all").click()
        await page.get_by_role("region", name="Selection").get_by_role("button", name="Disable").click()
        dialog = page.get_by_role("dialog", name="Disable users")
        await expect(dialog).to_contain_text("2 users would change. 1 user would be refused.")
        await expect(dialog.get_by_role("list", name="Refusals")).to_contain_text("PLATFORM_SERVER_ADMIN")
        await dialog.get_by_role("button", name="Disable 2 users").click()

        refused = page.get_by_role("table", name="Refused users")
        await expect(refused.get_by_role("link")).to_have_text(["subject-chief-00"])
        await expect(refused).to_contain_text("PLATFORM_SERVER_ADMIN")
        assert await disabled(api, "subject-") == 2


async def interrupt_after_two(manager: RunningManager, ids: list[str]) -> str:
    """Leave a batch as a manager does that was stopped after two users, and return its ID."""
    storage = manager_storage(manager.config.store)
    try:
        service = BatchService(storage, SystemClock(), part=2)
        body = NewBatch(key=f"interrupted-{ids[0]}", action="disable", ids=ids)
        batch, _ = await service.create(SYSTEM, Kind.USER, body)
        await service.advance(SYSTEM, Kind.USER, batch.id)
        async with storage.note() as work:
            await work.of(Batches).set_problem(batch.id, "The manager was stopped.", work.now)
        return batch.id
    finally:
        await storage.close()


@pytest.mark.long
async def test_an_interrupted_batch_is_resumed_although_the_response_is_lost(
    admin: Visitor, api: httpx.AsyncClient, manager: RunningManager
) -> None:
    page = admin.page
    names = await make_users(api, "resumed", 6)
    batch = await interrupt_after_two(manager, names)
    await admin.open(f"/batches/users/{batch}", "Disable users")
    await expect(page.get_by_text("Interrupted. 2 of 6 users processed. Resume to process the rest.")).to_be_visible()
    await expect(page.get_by_role("alert")).to_contain_text("The manager was stopped.")
    assert await admin.violations() == []

    async def lose_the_response(route: Route) -> None:
        answer = await route.fetch()
        if answer.status == 403:
            # The identity must be confirmed first.
            await route.fulfill(response=answer)
        else:
            await route.abort("connectionreset")

    await page.route("**/resume", lose_the_response, times=2)
    await page.get_by_role("button", name="Resume").click()
    await admin.confirm()
    await expect(page.get_by_text("Complete. 6 of 6 users processed.")).to_be_visible()
    assert await disabled(api, "resumed-") == 6
    for name in names:
        assert (await api.get(f"/admin/users/{name}/revisions")).json()["total"] == 2
    audit = (await api.get("/admin/audit", params={"operation": "resumeUserBatch", "id": batch})).json()["items"]
    assert [entry["actor"] for entry in audit] == ["admin"]


async def test_the_rest_of_an_interrupted_batch_is_cancelled(
    admin: Visitor, api: httpx.AsyncClient, manager: RunningManager
) -> None:
    page = admin.page
    names = await make_users(api, "spared", 6)
    await admin.open(f"/batches/users/{await interrupt_after_two(manager, names)}", "Disable users")
    await page.get_by_role("button", name="Cancel the rest").click()
    await expect(page.get_by_text("Cancelled. 2 of 6 users processed. Changed documents stay changed.")).to_be_visible()
    await expect(page.get_by_role("button", name="Resume")).to_have_count(0)
    assert await disabled(api, "spared-") == 2


@pytest.mark.long
async def test_a_large_batch_completes_while_the_connection_is_lost(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    body = {
        "applications": [
            {"name": f"bulky-{number:03}", "type": "window", "details": {"url": "https://apps.example.com/"}}
            for number in range(250)
        ]
    }
    assert (await api.post("/admin/imports/apps", json=body)).status_code == 200
    await admin.open("/apps?q=bulky-", "Applications")
    await page.get_by_role("checkbox", name="Select all").click()
    await page.get_by_role("region", name="Selection").get_by_role("button", name="Disable").click()
    dialog = page.get_by_role("dialog", name="Disable apps")
    await expect(dialog).to_contain_text("250 apps would change.")

    async def lose(route: Route) -> None:
        await route.abort("internetdisconnected")

    # The page receives the event of the start of the batch, and no later event.
    await page.route(re.compile(r"/api/(?!admin/batches/apps$)"), lose)
    await dialog.get_by_role("button", name="Disable 250 apps").click()
    await expect(page.get_by_text("The manager does not respond.").first).to_be_visible()
    await page.unroute_all(behavior="wait")
    await expect(page.get_by_text("Complete. 250 of 250 apps processed.")).to_be_visible()
    await expect(page.get_by_text("The manager does not respond.")).to_have_count(0)
    listed = (await api.get("/admin/apps", params={"q": "bulky-", "disabled": "true"})).json()
    assert listed["total"] == 250
    for name in ("bulky-000", "bulky-100", "bulky-249"):
        assert (await api.get(f"/admin/apps/{name}/revisions")).json()["total"] == 2
    ids = [f"bulky-{number:03}" for number in range(250)]
    assert (
        await api.post("/admin/batches/apps", json={"key": "no-bulky", "action": "delete", "ids": ids})
    ).status_code == 201
