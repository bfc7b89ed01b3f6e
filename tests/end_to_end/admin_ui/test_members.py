"""The members of a group on its page, in a firm of ten thousand."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Locator, Route

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, copied, enter, visiting_again
from tests.plain_http import NO_TLS

PEOPLE = 10_000
PAGE = "/groups/Research?tab=members"


@pytest.fixture(scope="module")
def firm(demo_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningManager]:
    """A manager with ten thousand clerks, all of them in Research."""
    folder = tmp_path_factory.mktemp("firm")
    config = copied(demo_database, folder)
    with closing(sqlite3.connect(folder / "rostrum.db")) as database, database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(users)") if row[1] != "id"]
        numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PEOPLE})"
        identity = "printf('clerk.%05d', i)"
        database.execute(
            "INSERT INTO users (id, {0}) {1} SELECT {2}, {0} FROM n, users WHERE users.id = 'gil.harrow'".format(
                ", ".join(columns), numbers, identity
            )
        )
        links = [row[1] for row in database.execute("PRAGMA table_info(user_groups)")]
        values = {"user_id": identity, "group_name": "'Research'"}
        database.execute(
            f"INSERT INTO user_groups ({', '.join(links)}) {numbers} "
            f"SELECT {', '.join(values.get(name, '0') for name in links)} FROM n"
        )
    with RunningManager(config) as running:
        yield running


def adding(admin: Visitor) -> Locator:
    return admin.page.get_by_role("textbox", name="Add members").or_(
        admin.page.get_by_role("combobox", name="Add members")
    )


async def groups_of(api: httpx.AsyncClient, user: str) -> list[str]:
    return list((await api.get(f"/admin/users/{user}")).json()["groups"])


@pytest.mark.long
async def test_members_are_found_added_and_removed_with_a_visible_effect(
    browser: Browser, firm: RunningManager
) -> None:
    async with (
        visiting_again(browser, firm) as admin,
        httpx.AsyncClient(base_url=firm.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
    ):
        page = admin.page
        await enter(page.context, admin.root)
        await admin.open(PAGE, "Research")
        members = page.get_by_role("region", name="Members of Research")
        await expect(members.get_by_role("status")).to_contain_text("of 10,0")
        await page.get_by_label("Search", exact=True).fill("clerk.070")
        await expect(members.get_by_role("status")).to_contain_text("of 100")
        await expect(page).to_have_url(f"{admin.root}/admin/groups/Research?tab=members&q=clerk.070")
        before = await groups_of(api, "clerk.07000")

        # With the keyboard alone: somebody comes, somebody goes.
        await adding(admin).focus()
        await page.keyboard.type("ada.b")
        await expect(page.get_by_role("option", name="ada.birch")).to_be_visible()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Escape")
        await members.get_by_role("button", name="Remove clerk.07000").press("Enter")
        await expect(members.get_by_role("button", name="Keep clerk.07000")).to_be_focused()
        await expect(page.get_by_text("Members to remove: clerk.07000")).to_be_visible()
        effect = page.get_by_role("status", name="Effect")
        await expect(effect).to_contain_text("Affects 2 of 10,0")
        await page.get_by_role("button", name="Show details").click()
        dialog = page.get_by_role("dialog", name="Effect of this change")
        await expect(dialog).to_contain_text("Joins the group Research")
        await expect(dialog).to_contain_text("Leaves the group Research")
        assert await admin.violations() == []
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        assert await groups_of(api, "clerk.07000") == before

        # Another tab keeps what was chosen, and another page asks first.
        await page.get_by_role("tab", name="General").click()
        await expect(page.get_by_label("Priority")).to_be_visible()
        await page.get_by_role("link", name="Users").click()
        await page.get_by_role("dialog").get_by_role("button", name="Stay").click()
        await page.get_by_role("tab", name="Members").click()
        await expect(page.get_by_text("Members to remove: clerk.07000")).to_be_visible()

        # Somebody else changes the same person between reading and writing: both changes count.
        writes: list[str] = []

        async def meanwhile(route: Route) -> None:
            if route.request.method == "PATCH":
                writes.append(route.request.url)
                if len(writes) == 1:
                    await api.patch("/admin/users/ada.birch", json={"email": "ada@elsewhere.example.com"})
            await route.continue_()

        await page.route("**/admin/users/ada.birch", meanwhile)
        await page.keyboard.press("Control+s")
        await admin.notice("Saved.")
        ada = (await api.get("/admin/users/ada.birch")).json()
        assert len(writes) == 2
        assert "Research" in ada["groups"]
        assert ada["email"] == "ada@elsewhere.example.com"
        assert await groups_of(api, "clerk.07000") == [name for name in before if name != "Research"]
        await expect(page.get_by_role("button", name="Save")).to_be_disabled()
        await page.get_by_label("Search", exact=True).fill("ada")
        await expect(members.get_by_role("link", name="ada.birch")).to_be_visible()


@pytest.mark.long
async def test_effective_members_are_shown_with_the_way_each_became_one(browser: Browser, firm: RunningManager) -> None:
    async with (
        visiting_again(browser, firm) as admin,
        httpx.AsyncClient(base_url=firm.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
    ):
        page = admin.page
        await enter(page.context, admin.root)
        for name, further in (("Building", []), ("Floor 2", ["Building"]), ("Desk 7", ["Floor 2"])):
            made = await api.post("/admin/groups", json={"name": name, "expandsTo": further})
            assert made.status_code == 201, made.text
        await admin.open("/groups/Building?tab=members", "Building")
        await expect(page.get_by_text("This group has no members, neither directly nor through")).to_be_visible()
        for user, groups in (("sits.far", ["Desk 7"]), ("sits.near", ["Building", "Floor 2"])):
            assert (await api.post("/admin/users", json={"id": user, "groups": groups})).status_code == 201
        await admin.open("/groups/Building?tab=members", "Building")
        members = page.get_by_role("region", name="Members of Building")
        await expect(members.get_by_role("row", name="sits.far")).to_contain_text("Through Desk 7 → Floor 2")
        await expect(members.get_by_role("row", name="sits.near")).to_contain_text("Direct; also through Floor 2")
        await expect(members.get_by_role("button", name="Remove sits.far")).to_have_count(0)
        await expect(members.get_by_role("button", name="Remove sits.near")).to_be_visible()
        await page.set_viewport_size({"width": 820, "height": 800})
        assert await admin.violations() == []
        await members.get_by_role("link", name="sits.far").click()
        await page.get_by_role("tab", name="Groups").click()
        effective = page.get_by_role("table", name="Effective groups")
        await expect(effective.get_by_role("row", name="Building")).to_contain_text("Through Desk 7 → Floor 2")
        await expect(effective.get_by_role("row", name="Desk 7 Direct")).to_be_visible()
        assert await admin.violations() == []


@pytest.mark.long
async def test_users_who_could_not_be_changed_stay_on_the_page(browser: Browser, firm: RunningManager) -> None:
    async with (
        visiting_again(browser, firm) as admin,
        httpx.AsyncClient(base_url=firm.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
    ):
        page = admin.page
        await enter(page.context, admin.root)
        assert (await api.post("/admin/users", json={"id": "short.lived"})).status_code == 201
        await admin.open(f"{PAGE}&q=clerk.0900", "Research")
        for name in ("short.lived", "ben.calder"):
            await adding(admin).fill(name)
            await page.get_by_role("option", name=name).click()
        await page.get_by_role("button", name="Remove clerk.09001").click()
        await expect(page.get_by_role("status", name="Effect")).to_contain_text("Affects 3 of")
        await api.delete("/admin/users/short.lived")
        await page.get_by_role("button", name="Save").click()
        alert = page.get_by_role("alert")
        await expect(alert).to_contain_text("Not saved. Your changes are still on this page.")
        await expect(alert).to_contain_text("1 person could not be changed. The others are changed.")
        await expect(alert).to_contain_text("short.lived")
        chosen = page.locator(".mantine-Pill-label")
        await expect(chosen).to_contain_text(["short.lived"])
        assert "Research" in await groups_of(api, "ben.calder")
        assert "Research" not in await groups_of(api, "clerk.09001")
        await expect(page.get_by_role("status", name="Effect")).not_to_contain_text("Cannot save")
        await page.get_by_role("button", name="Discard").click()
        await expect(chosen).to_have_count(0)

        # No manager, no change; and nothing chosen is lost.
        await page.get_by_role("button", name="Remove clerk.09002").click()
        await page.route("**/api/admin/users/**", lambda route: route.abort())
        await page.get_by_role("button", name="Save").click()
        await expect(alert).to_contain_text("The manager does not respond")
        await expect(page.get_by_text("Members to remove: clerk.09002")).to_be_visible()
        await page.unroute("**/api/admin/users/**")
        await page.get_by_role("button", name="Save").click()
        await admin.notice("Saved.")
        assert "Research" not in await groups_of(api, "clerk.09002")


async def test_those_who_may_only_read_see_members_and_change_none(browser: Browser, firm: RunningManager) -> None:
    rights = ["PLATFORM_MANAGER:USERS:READ", "PLATFORM_MANAGER:GROUPS:READ", "PLATFORM_MANAGER:GROUPS:WRITE"]
    async with (
        visiting_again(browser, firm) as someone,
        httpx.AsyncClient(base_url=firm.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
    ):
        user = {"id": "reads.only", "password": PASSWORD, "groups": rights}
        assert (await api.post("/admin/users", json=user)).status_code == 201
        await enter(someone.page.context, someone.root, "reads.only")
        await someone.open(PAGE, "Research")
        await expect(someone.page.get_by_role("link", name="clerk.00001")).to_be_visible()
        await expect(someone.page.get_by_text("You have read-only access")).to_be_visible()
        await expect(someone.page.get_by_role("button", name="Remove")).to_have_count(0)
        await expect(adding(someone)).to_have_count(0)
