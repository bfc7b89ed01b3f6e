"""Every way to write, each checked behind the page."""

import json
import re
from contextlib import suppress
from typing import Any

import httpx
import pytest
from playwright.async_api import Dialog
from playwright.async_api import TimeoutError as NotClicked

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor
from tests.plain_http import NO_TLS


async def of(api: httpx.AsyncClient, path: str) -> Any:
    answer = await api.get(f"/admin/{path}")
    return answer.json() if answer.status_code == 200 else answer.status_code


async def delete_with(admin: Visitor, word: str = "Delete") -> None:
    await admin.page.get_by_role("button", name=word, exact=True).click()
    await admin.page.get_by_role("dialog").get_by_role("button", name=word, exact=True).click()


async def save(admin: Visitor) -> None:
    await admin.page.get_by_role("button", name="Save").click()
    await admin.notice("Saved.")


async def choose(admin: Visitor, label: str, name: str) -> None:
    """Type into a field with suggestions and take the one of this name."""
    field = admin.page.get_by_role("combobox", name=label).or_(admin.page.get_by_role("textbox", name=label)).first
    await field.click()
    await field.fill(name)
    await admin.page.get_by_role("option", name=name, exact=True).click()
    await field.press("Escape")


@pytest.mark.long
async def test_an_app_is_made_by_form_changed_by_json_disabled_and_deleted_with_a_way_back(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    await admin.open("/apps/-/new", "New application")
    await page.get_by_label("Name").fill("fx-rates")
    await page.get_by_label("Title").fill("FX Rates")
    await page.get_by_label("Address").fill("https://apps.example.com/fx")
    await choose(admin, "Available to groups", "Trading")
    await save(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("fx-rates")
    made = await of(api, "apps/fx-rates")
    assert made["definition"] == {
        "name": "fx-rates",
        "type": "window",
        "title": "FX Rates",
        "details": {"url": "https://apps.example.com/fx"},
    }
    assert (made["accessList"], made["public"]) == (["Trading"], False)

    await admin.type_json("Definition as JSON", {**made["definition"], "title": "Rates", "customProperties": {"a": 1}})
    await expect(page.get_by_label("Title")).to_have_value("Rates")
    await page.get_by_role("switch", name="Disabled").check()
    await expect(page.get_by_text("Disabled: not available to any user").first).to_be_visible()
    await save(admin)
    changed = await of(api, "apps/fx-rates")
    assert (changed["definition"]["customProperties"], changed["disabled"]) == ({"a": 1}, True)

    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Applications")
    assert await of(api, "apps/fx-rates") == 404
    await page.get_by_role("button", name="Undo").click()
    await admin.notice("Undone.")
    assert (await of(api, "apps/fx-rates"))["definition"] == changed["definition"]
    await api.delete("/admin/apps/fx-rates")


async def test_a_rejected_save_shows_every_problem_and_keeps_the_input(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/apps/-/new", "New application")
    await admin.type_json("Definition as JSON", {"name": "bad", "type": "window", "details": {"url": 7, "width": "x"}})
    await page.get_by_role("button", name="Save").click()
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("Not saved. Your changes are still on this page.")
    await expect(alert).to_contain_text("Correct the marked fields.")
    # Each problem is at its field, once, and the keyboard is at the first of them.
    for label in ("Address", "Width"):
        field = page.get_by_role("textbox", name=label, exact=True)
        await expect(field).to_have_attribute("aria-invalid", "true")
        assert await field.evaluate(
            "field => document.getElementById(field.getAttribute('aria-describedby'))?.innerText"
        )
    await expect(page.get_by_role("textbox", name="Address", exact=True)).to_be_focused()
    assert await admin.violations() == []
    await expect(page.get_by_label("Name")).to_have_value("bad")
    assert await of(api, "apps/bad") == 404

    # A problem without a field is at its line in the editor, also before saving.
    await admin.type_json(
        "Definition as JSON",
        {"name": "bad", "type": "window", "details": {"url": "https://apps.example.com", "minWidth": "x"}},
    )
    await expect(page.get_by_role("list", name="Problems in Definition as JSON")).to_contain_text(
        "Line 6, details.minWidth"
    )
    await expect(page.get_by_role("status", name="Effect")).to_have_text("Cannot save: correct the marked fields.")
    await expect(alert).to_have_count(0)


async def test_text_that_is_not_json_is_kept_and_cannot_be_saved(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/apps/order-blotter", "order-blotter")
    await admin.type_json("Definition as JSON", '{"name": "order-blotter", "ty')
    await expect(page.get_by_text("Invalid JSON").first).to_be_visible()
    await expect(page.get_by_label("Title")).to_be_disabled()
    await expect(page.get_by_role("button", name="Save")).to_be_disabled()
    await expect(page.locator(".cm-content")).to_contain_text('"ty')
    await admin.type_json("Definition as JSON", "[1, 2]")
    await expect(page.get_by_text("This must be an object").first).to_be_visible()


@pytest.mark.long
async def test_leaving_with_unsaved_changes_asks_first(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/apps/order-blotter", "order-blotter")
    await page.get_by_label("Title").fill("Something else")
    await page.get_by_role("link", name="Users").click()
    await page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    await expect(page.get_by_label("Title")).to_have_value("Something else")

    asked: list[str] = []

    async def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        await dialog.accept()

    page.once("dialog", accept)
    await page.reload()
    assert asked == ["beforeunload"]
    await page.get_by_label("Title").fill("Something else")
    await page.get_by_role("button", name="Discard").click()
    await expect(page.get_by_label("Title")).to_have_value("Order Blotter")
    await page.get_by_role("link", name="Users").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Users")


@pytest.mark.long
async def test_apps_are_imported_reviewed_and_exported(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    definitions = [
        {"name": f"import-{number}", "type": "window", "details": {"url": "https://apps.example.com/"}}
        for number in range(3)
    ]
    await admin.open("/apps/-/import", "Import applications")
    await page.get_by_label("Definitions of applications as JSON").fill("[{]")
    await expect(page.get_by_text("Invalid JSON")).to_be_visible()
    await page.get_by_label("Definitions of applications as JSON").fill(json.dumps({"applications": definitions}))
    await page.get_by_role("button", name="Next").click()
    await page.get_by_role("switch", name="Public").check()
    await page.get_by_role("button", name="Next").click()
    await expect(page.get_by_role("cell", name="import-2")).to_be_visible()
    await expect(page.get_by_role("status", name="Effect")).to_have_text(re.compile(r"^Affects \d+ of \d+ users\.$"))
    await page.get_by_role("button", name="Import 3").click()
    await expect(page.get_by_role("status").filter(has_text="3 new applications")).to_be_visible()
    assert (await of(api, "apps/import-1"))["public"] is True

    await page.get_by_role("link", name="Show the list").click()
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Export all").click()
    exported = json.loads((await (await download.value).path()).read_text())
    assert {"import-0", "order-blotter"} <= {app["name"] for app in exported["applications"]}
    for number in range(3):
        await api.delete(f"/admin/apps/import-{number}")


async def test_a_rejected_import_changes_nothing_and_states_the_reason(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/apps/-/import", "Import applications")
    good = {"name": "import-good", "type": "window", "details": {"url": "https://apps.example.com/"}}
    await page.get_by_label("Definitions of applications as JSON").fill(
        json.dumps([good, {"type": "window"}, {"name": "import-bad", "type": 7}])
    )
    await page.get_by_role("button", name="Next").click()
    await page.get_by_role("button", name="Next").click()
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("Nothing was imported: 2 rows have problems")
    await expect(alert).to_contain_text("Row 2, name")
    await expect(alert).to_contain_text("Row 3 (import-bad), type")
    await expect(page.get_by_role("button", name="Import 3")).to_be_disabled()
    # Without a preview, the import itself lists the problems of all rows.
    await page.get_by_role("switch", name="Replace existing definitions").check()
    await page.get_by_role("button", name="Import 3").click()
    await expect(alert).to_contain_text("Nothing was imported: 2 rows have problems")
    assert await of(api, "apps/import-good") == 404


@pytest.mark.long
async def test_a_layout_is_made_shared_made_default_and_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    definition = {
        "name": "Two Halves",
        "type": "Global",
        "token": "",
        "components": [
            {
                "type": "window",
                "componentType": "application",
                "application": name,
                "state": {"bounds": {"left": left, "top": 0, "width": 900, "height": 1000}},
            }
            for name, left in (("chat-panel", 0), ("news-wire", 900))
        ],
    }
    await admin.open("/layouts/-/new", "New layout")
    await admin.type_json("Definition as JSON", definition)
    await expect(page.get_by_role("img", name="Two Halves: chat-panel, news-wire")).to_be_visible()
    await choose(admin, "Available to groups", "Research")
    await save(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Two Halves")
    identity = page.url.rsplit("/", 1)[1]
    assert (await of(api, f"layouts/{identity}"))["accessList"] == ["Research"]

    await page.get_by_label("Owner").fill("ben.calder")
    await save(admin)
    assert (await of(api, f"layouts/{identity}"))["owner"] == "ben.calder"
    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Layouts")
    assert await of(api, f"layouts/{identity}") == 404


async def test_layouts_are_imported(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    layout = {"name": "Imported One", "type": "Global", "token": "", "components": []}
    await admin.open("/layouts/-/import", "Import layouts")
    await page.get_by_label("Definitions of layouts as JSON").fill(json.dumps([layout]))
    await page.get_by_role("button", name="Next").click()
    await page.get_by_role("button", name="Next").click()
    await page.get_by_role("button", name="Import 1").click()
    await expect(page.get_by_role("status").filter(has_text="1 new layout")).to_be_visible()
    [found] = (await api.get("/admin/layouts", params={"name": "Imported One"})).json()["items"]
    assert found["owner"] == "*"
    await api.delete(f"/admin/layouts/{found['id']}")


async def test_a_preference_is_made_changed_and_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/preferences/-/new", "New preference")
    await choose(admin, "User", "eli.farrow")
    await choose(admin, "App", "news-wire")
    await admin.type_json("Data", {"sound": True})
    await save(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("news-wire for eli.farrow")
    identity = page.url.rsplit("/", 1)[1]
    await admin.type_json("Data", {"sound": False})
    await save(admin)
    assert (await of(api, f"prefs/{identity}"))["data"] == {"sound": False}
    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Preferences")
    assert await of(api, f"prefs/{identity}") == 404


@pytest.mark.rule("R-1-13", "R-5-6")
async def test_a_user_is_made_changed_given_a_password_and_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/users/-/new", "New user")
    await page.get_by_role("textbox", name="Id", exact=True).fill("new/person ä")
    await page.get_by_label("Password", exact=True).fill("first-password")
    await choose(admin, "Groups", "Research")
    await page.get_by_role("button", name="Save").click()
    await admin.confirm()
    await admin.notice("Saved.")
    await expect(page.get_by_role("heading", level=1)).to_have_text("new/person ä")
    assert (await of(api, "users/new%2Fperson%20%C3%A4"))["groups"] == ["Research"]

    await page.get_by_label("E-mail").fill("new.person@example.com")
    await choose(admin, "Groups", "PLATFORM_SERVER_ADMIN")
    await save(admin)
    assert (await of(api, "users/new%2Fperson%20%C3%A4"))["groups"] == ["PLATFORM_SERVER_ADMIN", "Research"]
    await page.get_by_role("button", name="Set password").click()
    await page.get_by_label("New password").fill(PASSWORD)
    await page.get_by_role("dialog").get_by_role("button", name="Set password").click()
    await admin.notice("Password changed.")
    me = await api.get("/me", auth=("new/person ä".encode(), PASSWORD.encode()))
    assert me.json()["email"] == "new.person@example.com"
    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Users")
    assert await of(api, "users/new%2Fperson%20%C3%A4") == 404


async def test_a_group_is_made_changed_and_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/groups/-/new", "New group")
    await page.get_by_role("textbox", name="Name", exact=True).fill("Night Desk")
    await save(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Night Desk")
    await page.get_by_label("Priority").fill("7")
    await choose(admin, "Inherits from", "Trading")
    await save(admin)
    group = await of(api, "groups/Night%20Desk")
    assert (group["priority"], group["expandsTo"]) == (7, ["Trading"])
    await page.get_by_role("tab", name="Apps").click()
    await expect(page.get_by_text("No app is available to this group")).to_be_visible()
    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Groups")
    assert await of(api, "groups/Night%20Desk") == 404


@pytest.mark.long
async def test_a_configuration_file_is_made_changed_and_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/configs/-/new", "New configuration file")
    await page.get_by_text("group", exact=True).click()
    await choose(admin, "Group", "Research")
    await admin.show_json()
    await admin.type_json("Contents", {"notifications": {"toastExpiry": 1000}})
    await save(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("system.json for group Research")
    identity = page.url.rsplit("/", 1)[1]
    await admin.type_json("Contents", {"notifications": {"toastExpiry": 2000}, "notificatons": {}})
    # The text in the editor is validated, not the saved file; each problem has its line.
    validation = page.get_by_role("status", name="Validation")
    await expect(validation).to_have_text("Validation (text in the editor, not saved): 1 problem.")
    problems = page.get_by_role("list", name="Problems in Contents")
    await expect(problems).to_contain_text("Line 5, notificatons")
    await expect(page.locator(".cm-lintRange")).to_have_count(1)
    assert (await of(api, f"configs/{identity}"))["contents"]["notifications"] == {"toastExpiry": 1000}
    await problems.get_by_role("button", name="Go to line 5").click()
    await expect(page.locator('.cm-content[aria-label="Contents"]')).to_be_focused()
    await save(admin)
    assert (await of(api, f"configs/{identity}"))["contents"]["notifications"] == {"toastExpiry": 2000}
    await expect(validation).to_have_text("Validation (saved text): 1 problem.")
    await admin.type_json("Contents", {"notifications": {"toastExpiry": 2000}})
    await expect(validation).to_have_text("Validation (text in the editor, not saved): no problems.")
    await expect(problems).to_have_count(0)
    await admin.type_json("Contents", '{"notifications"')
    await expect(validation).to_contain_text("checking the text in the editor")
    await page.get_by_role("button", name="Discard").click()
    await expect(problems).to_contain_text("notificatons")
    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("System configuration")
    assert await of(api, f"configs/{identity}") == 404


@pytest.mark.long
async def test_the_editor_completes_names_and_reports_what_they_do(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/configs/-/new?view=json", "New configuration file")
    await admin.type_json("Contents", '{"splash": {}}')
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Control+Space")
    await expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text('"timeout"')
    await page.keyboard.type("timeo")
    found = page.locator(".cm-tooltip-autocomplete li").filter(has_text='"timeout"')
    for _ in range(20):
        # The editor ignores a click while it still searches for the text that was typed.
        with suppress(NotClicked):
            await found.click(timeout=1000)
        if not await found.count():
            break
    await expect(page.locator(".cm-content")).to_contain_text('"timeout": ')
    await page.locator(".cm-content").get_by_text('"timeout"').hover()
    await expect(page.locator(".schema-note").first).to_contain_text("Type: ")


@pytest.mark.long
async def test_a_command_goes_to_the_chosen_desktops_and_its_answer_is_shown(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    async with httpx.AsyncClient(base_url=str(api.base_url), auth=("ben.calder", PASSWORD), verify=NO_TLS) as desktop:
        opening = {"machine": {"name": "DESK-9"}, "version": "10.1", "commands": ["GetLogs", "Restart"]}
        session = (await desktop.post("/sessions", json=opening)).json()["id"]
        await admin.open("/commands/-/new", "Send a command")
        await page.get_by_label("Find desktops").fill(session)
        await page.get_by_role("checkbox", name="Select ben.calder on DESK-9").check()
        await page.get_by_role("combobox", name="Command").fill("GetLogs")
        await admin.type_json("Parameters", {"lines": 5})
        await page.get_by_role("button", name="Send to 1 desktop").click()
        await admin.notice("Sent to 1 desktop.")

        [sent] = (await desktop.get(f"/sessions/{session}/commands")).json()["commands"]
        assert (sent["command"], sent["params"]) == ("GetLogs", {"lines": 5})
        answer = {"status": "done", "data": {"log": "all is well"}}
        await desktop.post(f"/sessions/{session}/commands/{sent['id']}/result", json=answer)
        await admin.go(f"/commands/{sent['id']}", "GetLogs")
        await expect(page.get_by_text("all is well")).to_be_visible()
        await delete_with(admin)
        await expect(page.get_by_role("heading", level=1)).to_have_text("Commands")

        await admin.go(f"/sessions/{session}")
        await delete_with(admin, "End")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Sessions")
        assert (await of(api, f"sessions/{session}"))["ended"] is not None
        [machine] = (await api.get("/admin/machines", params={"name": "DESK-9"})).json()["items"]
        await admin.go(f"/machines/{machine['id']}", "DESK-9")
        await delete_with(admin)
        await expect(page.get_by_role("heading", level=1)).to_have_text("Machines")
        assert await of(api, f"machines/{machine['id']}") == 404


async def test_a_crash_is_reviewed_downloaded_and_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    dump = {"upload_file_minidump": ("x.dmp", b"MDMP dump")}
    sent = await api.post("/crashes", data={"_version": "10.1", "_productName": "desk"}, files=dump)
    identity = sent.text.strip('"')
    await admin.open(f"/crashes/{identity}")
    await page.get_by_role("switch", name="Reviewed").check()
    await page.get_by_label("Comment").fill("known")
    await save(admin)
    crash = await of(api, f"crashes/{identity}")
    assert (crash["reviewed"], crash["comment"], crash["reviewedBy"]) == (True, "known", "admin")
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Dump").click()
    assert (await (await download.value).path()).read_bytes() == b"MDMP dump"
    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Crashes")
    assert await of(api, f"crashes/{identity}") == 404


@pytest.mark.long
async def test_feedback_is_reviewed_downloaded_and_deleted(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    file = {"attachment": ("note.txt", b"more words")}
    await api.post("/feedback", data={"description": "slow since Monday"}, files=file)
    [item] = (await api.get("/admin/feedback", params={"q": "slow since Monday"})).json()["items"]
    await admin.open(f"/feedback/{item['id']}", "Feedback of admin")
    await page.get_by_label("Comment").fill("thanks")
    await save(admin)
    assert (await of(api, f"feedback/{item['id']}"))["comment"] == "thanks"
    async with page.expect_download() as download:
        await page.get_by_role("button", name="note.txt").click()
    assert (await (await download.value).path()).read_bytes() == b"more words"
    await delete_with(admin)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Feedback")


@pytest.mark.long
async def test_what_would_be_refused_is_disabled_with_the_reason(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/users/admin", "admin")
    delete = page.get_by_role("button", name="Delete")
    await expect(delete).to_have_attribute("aria-disabled", "true")
    await expect(delete).to_have_accessible_description(
        "You cannot delete your own account. Ask another administrator."
    )
    await expect(page.get_by_role("switch", name="Disabled: cannot sign in")).to_be_disabled()
    await delete.focus()
    await delete.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert await admin.violations() == []
    await admin.go("/groups/PLATFORM_SERVER_ADMIN", "PLATFORM_SERVER_ADMIN")
    await expect(delete).to_have_accessible_description("The administrator group cannot be deleted.")
    await admin.go("/users/ada.birch", "ada.birch")
    await expect(page.get_by_role("switch", name="Disabled: cannot sign in")).to_be_enabled()
    await delete.click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("To undo this, select “Roll back”")
    await expect(dialog).not_to_contain_text("cannot be undone")
    await dialog.get_by_role("button", name="Cancel").click()
