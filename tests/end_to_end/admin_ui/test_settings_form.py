"""Settings are changed in a form by administrators who never write JSON."""

import re
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Locator

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, enter, visiting_again
from tests.end_to_end.admin_ui.test_palette import open_search, search_of
from tests.plain_http import NO_TLS

EXPIRY = "notifications.toastExpiry"
EDGE = "windowManagement.snapping.edgeDistance"


def setting(admin: Visitor, path: str) -> Locator:
    """The row of one setting."""
    return admin.page.locator(f'[id="setting-{path}"]')


async def save(admin: Visitor) -> None:
    await admin.page.get_by_role("button", name="Save").click()
    await admin.notice("Saved.")


async def effective(base_url: str, user: str) -> Any:
    """What the desktop of a user receives."""
    async with httpx.AsyncClient(base_url=base_url, auth=(user, PASSWORD), verify=NO_TLS) as desktop:
        answer = await desktop.get("/systemConfig/get", params={"configs": "system.json"})
    assert answer.status_code == 200, answer.text
    return answer.json()["system.json"]["contents"]


@pytest.mark.long
async def test_a_setting_is_changed_for_a_group_and_reaches_the_desktop(
    admin: Visitor, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    page, base_url = admin.page, manager.base_url
    user = {"id": "form.person", "password": PASSWORD, "groups": ["Form Desk"]}
    assert (await api.post("/admin/groups", json={"name": "Form Desk", "priority": 50})).status_code == 201
    assert (await api.post("/admin/users", json=user)).status_code == 201
    own = {"file": "system.json", "user": "form.person", "contents": {"notifications": {"toastExpiry": 1234}}}
    own_file = (await api.post("/admin/configs", json=own)).json()
    kept = '{"custom":{"ratio":1.0,"id":12345678901234567890},"tray":{"exit":true}}'
    stored = await api.post(
        "/admin/configs",
        content=f'{{"file":"system.json","group":"Form Desk","contents":{kept}}}',
        headers={"content-type": "application/json"},
    )
    identity = stored.json()["id"]

    # The form is the first view; a setting is found by its description and changed.
    await admin.open(f"/configs/{identity}", "system.json for group Form Desk")
    await page.get_by_role("textbox", name="Find settings").fill("toast expiry")
    row = setting(admin, EXPIRY)
    await expect(row).to_contain_text("default: 15000 ms")
    await row.get_by_role("textbox", name="Toast expiry").fill("3000")
    await expect(row).to_contain_text("Effective for group Form Desk: 3000 from this file")
    await expect(row).to_contain_text("Also set for")
    assert await admin.violations() == []

    # For this user another file wins; the explanation is about the draft.
    await page.get_by_role("combobox", name="Effective for user").fill("form.person")
    await page.get_by_role("option", name="form.person", exact=True).click()
    await expect(row).to_contain_text("Effective for user form.person: 1234 from user form.person")
    await expect(row).to_contain_text("overrides 3000 from this file")
    await expect(row).to_contain_text("this file is overridden")
    await expect(page).to_have_url(re.compile("find=toast.expiry.*for=form.person|for=form.person.*find=toast.expiry"))

    # The same problem as in JSON, at the field; and JSON has what the form has written.
    await page.get_by_role("textbox", name="Find settings").fill("snapping.edgeDistance")
    edge = setting(admin, EDGE)
    await edge.get_by_role("textbox", name="Edge distance").fill("50")
    await expect(edge.get_by_text(re.compile("from 2 to 10"))).to_be_visible()
    await expect(edge.get_by_role("textbox", name="Edge distance")).to_have_attribute("aria-invalid", "true")
    await edge.get_by_role("button", name="Remove").click()
    await expect(edge.get_by_role("textbox", name="Edge distance")).to_have_value("")
    # The text is kept if the view is switched before it is in the address.
    await page.get_by_role("textbox", name="Find settings").fill("toast expiry")
    await admin.show_json()
    await expect(page.locator(".cm-content")).to_contain_text('"toastExpiry": 3000')
    await expect(page.locator(".cm-content")).to_contain_text('"id": 12345678901234567890')

    # Text that is not JSON is kept; the form reports it.
    await page.locator('.cm-content[aria-label="Contents"]').press("ControlOrMeta+Home")
    await page.keyboard.type("x")
    await page.get_by_role("radiogroup", name="View").get_by_text("Form").click()
    await expect(page.get_by_text("The form cannot show this text")).to_be_visible()
    await page.get_by_role("button", name="Open the JSON view").click()
    await page.locator('.cm-content[aria-label="Contents"]').press("ControlOrMeta+z")
    await page.get_by_role("radiogroup", name="View").get_by_text("Form").click()
    await expect(row.get_by_role("textbox", name="Toast expiry")).to_have_value("3000")
    await expect(page.get_by_role("textbox", name="Find settings")).to_have_value("toast expiry")
    await expect(edge).to_have_count(0)

    await save(admin)
    raw = (await api.get(f"/admin/configs/{identity}")).text
    assert '"custom":{"ratio":1.0,"id":12345678901234567890},"tray":{"exit":true}' in raw
    assert '"notifications":{"toastExpiry":3000}' in raw
    assert (await effective(base_url, "form.person"))["notifications"]["toastExpiry"] == 1234

    # The link leads to the same setting of the file that wins; without it, the group's value is inherited.
    await row.get_by_role("link", name="user form.person").click()
    await expect(page).to_have_url(re.compile(rf"/configs/{own_file['id']}\?.*setting={EXPIRY}"))
    await expect(row).to_be_focused()
    await row.get_by_role("button", name="Remove").click()
    await expect(row).to_contain_text("Effective for user form.person: 3000 from group Form Desk")
    await save(admin)
    assert (await effective(base_url, "form.person"))["notifications"]["toastExpiry"] == 3000

    # Ctrl+K finds settings, and opens them in the file that is being edited.
    await open_search(admin, "tray.exit")
    await search_of(admin).get_by_role("option", name="Setting in system.json for user form.person").first.click()
    await expect(page).to_have_url(re.compile(rf"/configs/{own_file['id']}\?.*setting=tray\.exit"))
    await expect(setting(admin, "tray.exit")).to_be_focused()
    for path in (f"configs/{own_file['id']}", f"configs/{identity}", "users/form.person", "groups/Form%20Desk"):
        assert (await api.delete(f"/admin/{path}")).status_code == 204


@pytest.mark.long
async def test_two_administrators_change_settings_in_the_form(
    browser: Browser, manager: RunningManager, admin: Visitor, api: httpx.AsyncClient
) -> None:
    contents = {"notifications": {"toastExpiry": 1000}}
    body = {"file": "system.json", "group": "Form Pair", "contents": contents}
    identity = (await api.post("/admin/configs", json=body)).json()["id"]
    path, title = f"/configs/{identity}?setting={EXPIRY}", "system.json for group Form Pair"
    await admin.open(path, title)
    await setting(admin, EXPIRY).get_by_role("textbox").fill("2000")
    async with visiting_again(browser, manager) as other:
        await enter(other.page.context, other.root)
        await other.open(path, title)
        await setting(other, EXPIRY).get_by_role("textbox").fill("3000")
        await other.page.get_by_role("textbox", name="Find settings").fill("tray.exit")
        await setting(other, "tray.exit").get_by_role("switch").click(force=True)
        await save(other)

    await admin.page.get_by_role("button", name="Save").click()
    dialog = admin.page.get_by_role("dialog", name="Another user has changed this document")
    await dialog.get_by_role("radiogroup", name=f"Keep for contents.{EXPIRY}").get_by_text("Mine").click()
    await dialog.get_by_role("button", name="Apply choices").click()
    await expect(setting(admin, EXPIRY).get_by_role("textbox")).to_have_value("2000")
    await save(admin)
    saved = (await api.get(f"/admin/configs/{identity}")).json()["contents"]
    assert saved["notifications"] == {"toastExpiry": 2000}
    assert "exit" in saved["tray"]
    await api.delete(f"/admin/configs/{identity}")


@pytest.mark.long
async def test_a_loaded_revision_keeps_its_numbers_and_the_form_states_what_it_leaves_out(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    assert (await api.post("/admin/groups", json={"name": "Exact Desk"})).status_code == 201
    many = ",".join(f'"value{number}":{number}' for number in range(1000))
    made = await api.post(
        "/admin/configs",
        content=f'{{"file":"system.json","group":"Exact Desk","contents":{{"custom":{{"ratio":1.0,{many}}}}}}}',
        headers={"content-type": "application/json"},
    )
    first = made.json()
    contents = {"custom": {**first["contents"]["custom"], "ratio": 2}}
    changed = await api.patch(f"/admin/configs/{first['id']}", json={"contents": contents})
    assert changed.status_code == 200, changed.text
    explained = await api.get("/admin/configs/explain", params={"group": "Exact Desk", "limit": 1000})
    assert explained.json()["more"] == explained.json()["total"] - 1000 > 0

    await admin.open(f"/configs/{first['id']}?history={first['revision']}", "system.json for group Exact Desk")
    await page.get_by_role("button", name=f"Load revision {first['revision']} into the editor").click()
    note = page.get_by_role("status").filter(has_text="Not all values are shown")
    await expect(note).to_contain_text("Their origin is shown for the first 1,000.")
    assert await admin.violations() == []
    await save(admin)
    assert '"ratio":1.0,' in (await api.get(f"/admin/configs/{first['id']}")).text
