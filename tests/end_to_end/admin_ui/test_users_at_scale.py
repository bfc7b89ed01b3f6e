"""Users from a CSV file, links for their passwords, and the end of all sessions."""

from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Request

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, visiting_again


@pytest.mark.long
async def test_forty_users_are_imported_and_three_invalid_rows_are_named(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    rows = [f"scale-{number:02},Scale {number:02},scale{number:02}@example.com,Scale Desk" for number in range(37)]
    rows[5:5] = ["scale-x,Wrong,nonsense,Scale Desk", ",No ID,a@example.com,", "scale-00,Twice,b@example.com,"]
    text = "id,displayName,email,groups\n" + "\n".join(rows) + "\n"
    await admin.open("/users", "Users")
    await page.get_by_role("link", name="Import…").click()
    await expect(page.get_by_role("heading", name="Import users")).to_be_visible()
    files = [{"name": "users.csv", "mimeType": "text/csv", "buffer": text.encode("utf-8-sig")}]
    await page.locator("input[type=file]").set_input_files(files)  # type: ignore[arg-type]
    await expect(page.get_by_label("CSV file")).to_have_value(text)
    assert await admin.violations() == []
    await page.get_by_role("button", name="Preview").click()

    await expect(page.get_by_role("status")).to_contain_text("37 new, 0 changed, 0 unchanged, 3 invalid.")
    invalid = page.get_by_role("table", name="Invalid rows")
    await expect(invalid.get_by_role("row")).to_have_count(4)
    for line, problem in (
        (7, "E-mail: must be an address"),
        (8, "ID: is required"),
        (9, "ID: is already used on line 2"),
    ):
        await expect(
            invalid.get_by_role("row").filter(has=page.get_by_role("cell", name=f"{line}", exact=True))
        ).to_contain_text(problem)
    changed = page.get_by_role("table", name="New and changed users")
    await expect(changed.get_by_role("row").nth(1)).to_contain_text("Display name: Scale 00")
    assert await admin.violations() == []
    # Without a column, its cells are not imported.
    await page.get_by_role("checkbox", name="E-mail").uncheck()
    await expect(changed).not_to_contain_text("scale00@example.com")
    await page.get_by_role("checkbox", name="E-mail").check()
    await expect(changed).to_contain_text("scale00@example.com")
    assert (await api.get("/admin/users", params={"q": "scale-"})).json()["total"] == 0

    await page.get_by_label("Ticket").fill("HR-9")
    await page.get_by_role("button", name="Import 37 users").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Import users")
    await expect(page.get_by_text("Complete. 37 of 37 users processed.")).to_be_visible()
    await expect(page.get_by_text("HR-9")).to_be_visible()
    assert await admin.violations() == []
    assert (await api.get("/admin/users", params={"group": "Scale Desk"})).json()["total"] == 37

    await admin.go("/users?q=scale%2036", "Users")
    row = page.get_by_role("row").filter(has_text="scale-36")
    await expect(row).to_contain_text("Scale 36")
    await row.get_by_role("link", name="scale-36").click()
    await expect(page.get_by_label("Display name")).to_have_value("Scale 36")
    await page.get_by_label("Display name").fill("Scale Thirty-six")
    await page.get_by_role("button", name="Save").click()
    await admin.notice("Saved.")
    assert (await api.get("/admin/users/scale-36")).json()["displayName"] == "Scale Thirty-six"


@pytest.mark.long
async def test_a_link_is_opened_without_a_session_and_works_once(
    admin: Visitor, api: httpx.AsyncClient, browser: Browser, manager: RunningManager
) -> None:
    page = admin.page
    assert (await api.post("/admin/users", json={"id": "linked-user", "displayName": "Lin Ked"})).status_code == 201
    await admin.open("/users/linked-user", "linked-user")
    await page.get_by_role("button", name="Create link…").click()
    dialog = page.get_by_role("dialog", name="Link for linked-user")
    await dialog.get_by_role("button", name="Create link").click()
    await admin.confirm()
    shown = dialog.get_by_label("Link", exact=True)
    await expect(shown).to_contain_text("/admin/set-password#")
    link = (await shown.text_content() or "").strip()
    assert await admin.violations() == []
    await dialog.get_by_role("button", name="Done").click()
    assert link not in await page.content()

    async with visiting_again(browser, manager) as other:
        requests: list[str] = []

        def note(request: Request) -> None:
            requests.append(request.url)

        other.page.on("request", note)
        await other.page.goto(link)
        form = other.page.get_by_role("form", name="Set your password")
        await expect(form).to_contain_text("Lin Ked (linked-user)")
        assert await other.violations() == []
        await form.get_by_label("New password", exact=True).fill("short")
        await form.get_by_label("Repeat new password").fill("short")
        await form.get_by_role("button", name="Set password").click()
        await expect(form).to_contain_text("The password")
        for label in ("New password", "Repeat new password"):
            await form.get_by_label(label, exact=True).fill("a long new password")
        await form.get_by_role("button", name="Set password").click()
        await expect(other.page.get_by_role("status")).to_contain_text("The link cannot be used again.")
        other.page.remove_listener("request", note)
        assert not any(link.split("#")[1] in url.split("#")[0] for url in requests)
        await other.page.get_by_role("link", name="Sign in").click()
        await other.fill_log_in("linked-user", "a long new password")
        await expect(other.page.get_by_role("button", name="Account of linked-user")).to_be_visible()

    async with visiting_again(browser, manager) as third:
        await third.page.goto(link)
        await expect(third.page.get_by_role("alert")).to_contain_text("The link is not valid.")
        assert await third.violations() == []


async def test_links_of_selected_users_are_downloaded_once(
    admin: Visitor, api: httpx.AsyncClient, tmp_path: Path
) -> None:
    page = admin.page
    for name in ("links-a", "links-b"):
        assert (await api.post("/admin/users", json={"id": name})).status_code == 201
    assert (await api.post("/admin/users", json={"id": "links-robot", "service": True})).status_code == 201
    await admin.open("/users?q=links-", "Users")
    await page.get_by_role("checkbox", name="Select all").click()
    await page.get_by_role("button", name="Create password links…").click()
    dialog = page.get_by_role("dialog", name="Links for 3 users")
    await dialog.get_by_role("button", name="Create 3 links").click()
    await admin.confirm()
    await expect(dialog).to_contain_text("links-robot: a service account has no password")
    assert await admin.violations() == []
    async with page.expect_download() as downloading:
        await dialog.get_by_role("button", name="Download as CSV").click()
    await (await downloading.value).save_as(tmp_path / "links.csv")
    text = (tmp_path / "links.csv").read_text()
    assert [line.split(",")[0] for line in text.splitlines()] == ["id", "links-a", "links-b"]
    assert text.count("/admin/set-password#") == 2


@pytest.mark.long
async def test_all_sessions_of_a_user_end_at_once(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    made = await api.post("/admin/users", json={"id": "two-places", "password": PASSWORD, "displayName": "Two Places"})
    assert made.status_code == 201
    async with visiting_again(browser, manager) as first, visiting_again(browser, manager) as second:
        for each in (first, second):
            await each.log_in("two-places", PASSWORD)
        await second.page.get_by_role("button", name="Account of two-places").click()
        await expect(second.page.get_by_role("menu")).to_contain_text("Two Places")
        await second.page.get_by_role("menuitem", name="Your sessions").click()
        dialog = second.page.get_by_role("dialog", name="Your sessions")
        await expect(dialog.get_by_role("table", name="Sign-ins with your password")).to_contain_text("this address")
        assert await second.violations() == []
        await dialog.get_by_role("button", name="Sign out everywhere").click()
        await expect(second.page.get_by_role("button", name="Sign in")).to_be_visible()

        # The page is started again, and asks for the password.
        await first.log_in("two-places", PASSWORD)
        await expect(first.page.get_by_role("button", name="Account of two-places")).to_be_visible()


async def test_an_administrator_signs_out_a_user(
    browser: Browser, manager: RunningManager, admin: Visitor, api: httpx.AsyncClient
) -> None:
    assert (await api.post("/admin/users", json={"id": "lost-laptop", "password": PASSWORD})).status_code == 201
    async with visiting_again(browser, manager) as user:
        await user.log_in("lost-laptop", PASSWORD)
        page = admin.page
        await admin.open("/users/admin", "admin")
        await expect(page.get_by_role("button", name="Set password")).to_be_visible()
        await expect(page.locator("main").get_by_role("button", name="Sign out")).to_have_count(0)
        await admin.open("/users/lost-laptop", "lost-laptop")
        await page.locator("main").get_by_role("button", name="Sign out").click()
        dialog = page.get_by_role("dialog", name="Sign out lost-laptop?")
        await dialog.get_by_label("Comment").fill("Lost laptop")
        assert await admin.violations() == []
        await dialog.get_by_role("button", name="Sign out").click()
        await admin.notice("Signed out lost-laptop. 0 desktops were signed in.")
        # The page is started again, and asks for the password.
        await user.log_in("lost-laptop", PASSWORD)
    entry = (await api.get("/admin/audit", params={"operation": "signOutUser"})).json()["items"][0]
    assert entry["comment"] == "Lost laptop"
