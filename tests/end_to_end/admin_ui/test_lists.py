"""Lists: searched, filtered and sorted on the server, and found again by their address."""

import csv
import json
import re

import httpx
import pytest

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor


async def test_search_filters_and_sorting_are_in_the_address(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/apps", "Applications")
    await page.get_by_label("Search", exact=True).fill("order")
    await expect(page.get_by_role("link", name="order-blotter")).to_be_visible()
    await expect(page.get_by_role("link", name="chat-panel")).to_have_count(0)
    await page.get_by_role("button", name="Name").click()
    await expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
    await page.get_by_role("button", name="Name").click()
    await expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
    await page.get_by_role("combobox", name="Type").click()
    await page.get_by_role("option", name="window", exact=True).click()
    await expect(page).to_have_url(f"{admin.root}/admin/apps?q=order&sort=-name&type=window")
    names = page.locator("tbody tr td:nth-child(2) a")
    found = ["order-ticket", "order-flow-studio", "order-blotter"]
    await expect(names).to_have_text(found)

    await admin.open("/apps?q=order&sort=-name&type=window", "Applications")
    await expect(page.get_by_label("Search", exact=True)).to_have_value("order")
    await expect(names).to_have_text(found)

    await page.get_by_label("Search", exact=True).fill("nothing has this name")
    await page.get_by_role("button", name="Show all").click()
    await expect(page).to_have_url(f"{admin.root}/admin/apps?sort=-name")


# Each list with a column that sorts it, what the server calls that, and filters that it has.
LISTS = {
    "/apps": ("Title", "title", "type=window&public=true&disabled=false&accessList=x"),
    "/directories": ("Created", "created", "user=x&group=x&description=x"),
    "/layouts": ("Owner", "owner", "type=Global&owner=x&public=true&default=true&disabled=false&accessList=x"),
    "/preferences": ("User", "user", "app=x&user=x"),
    "/users": ("E-mail", "email", "group=x&app=x&disabled=true&modified=2026-11-01..2026-11-15"),
    "/tokens/-/all": ("Expires", "expires", "user=x&name=x"),
    "/groups": ("Priority", "priority", "expandsTo=x"),
    "/sessions": ("Started", "started", "active=true&user=x&version=x&env=x&region=x&started=2026-11-01..2026-11-15"),
    "/machines": ("Last seen", "lastSeen", "name=x&user=x&lastSeen=2026-11-01..2026-11-15"),
    "/commands": ("Sent", "created", "status=pending&command=x&user=x&created=2026-11-01..2026-11-15"),
    "/command-runs": ("Start", "started", "status=done&command=x&createdBy=x"),
    "/crash-groups": (
        "Last seen",
        "lastSeen",
        "status=open&assignee=x&app=x&product=x&version=x&received=2026-11-01..",
    ),
    "/crashes": (
        "Received",
        "received",
        "reviewed=true&user=x&version=x&processType=x&received=2026-11-01..",
    ),
    "/feedback": ("Received", "received", "status=new&assignee=x&user=x&description=x&received=2026-11-01.."),
    "/audit": ("Time", "at", "actor=x&operation=x&kind=app&id=x&at=2026-11-01..2026-11-15"),
}
INSIDE = {
    "/groups/Trading?tab=members": ("E-mail", "email", "app=x&disabled=true"),
    "/groups/Research?tab=apps": ("Title", "title", "type=window&public=true&disabled=false"),
    "/groups/Trading?tab=layouts": ("Owner", "owner", "type=Global&owner=x&public=true&default=true"),
    "/groups/Research?tab=configs": ("File", "file", "file=x&modifiedBy=x"),
    "/users/ada.birch?tab=sessions": ("Started", "started", "active=true&version=x&env=x&region=x"),
    "/users/ben.calder?tab=machines": ("Last seen", "lastSeen", "name=x"),
    "/users/ada.birch?tab=commands": ("Sent", "created", "status=pending&command=x"),
    "/users/ben.calder?tab=crashes": ("Received", "received", "reviewed=true&version=x&processType=x"),
}


@pytest.mark.long
async def test_every_list_is_searched_filtered_and_sorted_on_the_server_by_its_address(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/", "Dashboard")
    for path, (column, field, filters) in {**LISTS, **INSIDE}.items():
        sign = "&" if "?" in path else "?"
        # Nothing is like this; a filter or an order that the server does not know would be reported as an error.
        async with page.expect_response(re.compile(rf"/api/admin/.*sort=-{field}&")) as answered:
            await admin.go(f"{path}{sign}q=no+such+thing&sort=-{field}&{filters}")
        assert (await answered.value).status == 200, path
        await expect(page.get_by_text("No results")).to_be_visible()
        await expect(page.get_by_label("Search", exact=True)).to_have_value("no such thing")
        await page.get_by_role("button", name="Show all").click()
        header = page.get_by_role("columnheader", name=column, exact=True).or_(page.get_by_text("No ")).first
        await expect(header).to_be_visible()
        await expect(page).to_have_url(f"{admin.root}/admin{path}{sign}sort=-{field}")


@pytest.mark.long
async def test_a_period_of_a_list_is_downloaded(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    (await api.post("/admin/users", json={"id": "downloaded"})).raise_for_status()
    await admin.open("/audit?operation=createUser", "Audit")
    await expect(page.locator("tbody tr").first).to_be_visible()
    await page.get_by_label("Time to").fill("2020-12-31")
    await expect(page.get_by_text("No results")).to_be_visible()
    await page.get_by_label("Time to").fill("")
    await page.get_by_label("Time from").fill("2020-01-01")
    await expect(page).to_have_url(f"{admin.root}/admin/audit?operation=createUser&at=2020-01-01..")
    await expect(page.locator("tbody tr").first).to_be_visible()

    for kind in ("CSV", "JSON"):
        await page.get_by_role("button", name="Download list").click()
        async with page.expect_download() as started:
            await page.get_by_role("menuitem", name=kind).click()
        saved = await started.value
        assert saved.suggested_filename == f"audit.{kind.lower()}"
        text = (await saved.path()).read_text(encoding="utf-8")
        rows = list(csv.DictReader(text.splitlines())) if kind == "CSV" else json.loads(text)
        assert rows
        assert {row["operation"] for row in rows} == {"createUser"}
    assert await admin.violations() == []
    (await api.delete("/admin/users/downloaded")).raise_for_status()


@pytest.mark.long
async def test_what_a_user_gets_and_the_settings_are_found_sorted_and_explained(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/users/ada.birch?tab=apps&q=order&sort=-name&given=true", "ada.birch")
    names = page.get_by_role("region", name="apps").get_by_role("link")
    await expect(names).to_have_text(["order-ticket", "order-flow-studio", "order-blotter"])
    await expect(page.get_by_label("Find apps")).to_have_value("order")
    await page.get_by_role("button", name="Name").click()
    await expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "none")
    await page.get_by_role("button", name="Name").click()
    await expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
    await expect(names).to_have_text(["order-blotter", "order-flow-studio", "order-ticket"])
    await page.get_by_text("Not available").click()
    await expect(page).to_have_url(f"{admin.root}/admin/users/ada.birch?tab=apps&q=order&given=false&sort=name")

    # Why somebody does not see an app is answered in both places.
    await page.get_by_label("Find apps").fill("clearing")
    row = page.get_by_role("row", name="clearing-console")
    await expect(row).to_contain_text("Requires membership in Clearing Transition.")
    await row.get_by_role("link").click()
    field = page.get_by_role("combobox", name="Check a user")
    await field.fill("ada")
    # All users are suggested until the server has answered; then the options move.
    await expect(page.get_by_role("option")).to_have_text(["ada.birch"])
    await page.get_by_role("option", name="ada.birch").click()
    await expect(page.get_by_role("status").filter(has_text="Requires membership in")).to_contain_text("no")

    # Each value of the merged configuration reports its origin.
    await admin.go("/configs?user=ada.birch", "System configuration")
    await page.get_by_label("Setting or section").fill("notifications.toastExpiry")
    row = page.get_by_role("row", name="notifications.toastExpiry")
    await expect(row).to_contain_text("2500")
    await expect(row.get_by_role("link").first).to_have_text("user ada.birch")
    await expect(row).to_contain_text("group Equities Trading")
    await row.get_by_role("link").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("system.json for user ada.birch")

    await admin.go("/configs?group=Trading&file=any&path=notifications&q=env", "System configuration")
    await expect(page.get_by_label("Setting or section")).to_have_value("notifications")
    await expect(page.get_by_role("row", name="notifications.toastExpiry")).to_be_visible()
    tree = page.get_by_role("region", name="Configuration files").get_by_role("link")
    await expect(tree.filter(has_text="system.json")).to_have_count(0)
    await tree.filter(has_text="env.json").first.click()
    await expect(page.get_by_label("Find files")).to_have_value("env")

    await admin.go("/server?q=token.secret&sort=-setting&set=true", "Server")
    await expect(page.get_by_role("table", name="Effective settings").get_by_role("row")).to_have_count(2)
    await expect(page.get_by_role("switch", name="Show only settings that are set explicitly")).to_be_checked()
    await page.get_by_label("Find settings").fill("")
    await expect(page).to_have_url(f"{admin.root}/admin/server?sort=-setting&set=true")


async def test_a_configuration_file_of_a_megabyte_is_opened_changed_and_saved(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    contents = {"customSection": {f"key-{number:05}": "x" * 80 for number in range(11_000)}}
    assert len(json.dumps(contents)) > 1_000_000
    body = {"file": "large.json", "group": "Research", "contents": contents}
    identity = (await api.post("/admin/configs", json=body)).json()["id"]
    await admin.open(f"/configs/{identity}", "large.json for group Research")
    await expect(admin.page.locator(".cm-content")).to_contain_text("key-00000")
    await admin.type_json("Contents", {"small": True})
    await admin.page.get_by_role("button", name="Save").click()
    await admin.notice("Saved.")
    assert (await api.get(f"/admin/configs/{identity}")).json()["contents"] == {"small": True}
    await api.delete(f"/admin/configs/{identity}")


@pytest.mark.long
async def test_everything_is_found_with_the_keyboard_alone(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/", "Dashboard")
    await page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Search everything")
    await expect(dialog.get_by_role("combobox")).to_be_focused()
    await page.keyboard.type("june")
    await expect(dialog.get_by_role("option", name="june.kestrel").first).to_be_visible()
    assert await admin.violations() == []
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("june.kestrel")
    await page.keyboard.press("Control+k")
    await expect(dialog.get_by_role("combobox")).to_be_focused()
    await page.keyboard.type("crash")
    await expect(dialog.get_by_role("option").first).to_contain_text("Crashes")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Crashes")


async def test_colours_are_chosen_and_remembered(admin: Visitor) -> None:
    await admin.open("/", "Dashboard")
    scheme = "document.documentElement.getAttribute('data-mantine-color-scheme')"
    assert await admin.page.evaluate(scheme) == "light"
    await admin.page.get_by_role("button", name="Use dark colours").click()
    assert await admin.page.evaluate(scheme) == "dark"
    await admin.page.reload()
    await expect(admin.page.get_by_role("button", name="Use light colours")).to_be_visible()
    assert await admin.page.evaluate(scheme) == "dark"
