"""Why does it work for her and not for him? From the page of a user to the reason."""

import re

import httpx
import pytest

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor


@pytest.mark.long
async def test_two_users_are_compared_with_the_reasons(admin: Visitor, api: httpx.AsyncClient) -> None:
    definition = {"name": "compare-ladder", "type": "window", "details": {"url": "https://ladder.example"}}
    body = {"definition": {**definition, "title": "Price ladder"}, "accessList": ["Compare desk"]}
    assert (await api.post("/admin/apps", json=body)).status_code == 201
    for user, groups in (("compare-her", ["Compare desk"]), ("compare-him", [])):
        assert (await api.post("/admin/users", json={"id": user, "groups": groups})).status_code == 201
    revision = (await api.get("/admin/users/compare-him")).json()["revision"]
    page = admin.page

    await admin.open("/users/compare-her", "compare-her")
    await page.get_by_role("link", name="Compare with…").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    other = page.get_by_role("combobox", name="Second user")
    await other.fill("compare-him")
    await page.get_by_role("option", name="compare-him").click()

    apps = page.get_by_role("table", name="Differences of applications")
    row = apps.get_by_role("row").filter(has_text="Price ladder")
    await expect(row).to_contain_text("available to the group Compare desk")
    await expect(row).to_contain_text("requires membership in Compare desk")
    await expect(page).to_have_url(f"{admin.root}/admin/compare?left=compare-her&right=compare-him")
    assert await admin.violations() == []

    assert (await api.patch("/admin/users/compare-him", json={"groups": ["Compare desk"]})).status_code == 200
    await admin.open(f"/compare?left=compare-him&leftAt={revision}", "Compare")
    await expect(row).to_contain_text("requires membership in Compare desk")
    await expect(apps).to_contain_text(f"compare-him at revision {revision}")
    await expect(page.get_by_label("Revision of the first state")).to_have_value(str(revision))
    await page.get_by_role("combobox", name="First state").click()
    await page.get_by_role("option", name="At a time").click()
    await page.get_by_label("Time of the first state").fill("2020-01-01T00:00")
    await expect(page).to_have_url(re.compile(r"leftAt=20(19|20)-"))
    assert await admin.violations() == []
    await page.get_by_role("combobox", name="First state").click()
    await page.get_by_role("option", name="Now").click()
    await expect(page).not_to_have_url(re.compile("leftAt"))

    await admin.open("/compare?left=compare-her&right=compare-him", "Compare")
    await expect(page.get_by_role("status").filter(has_text="No differences")).to_be_visible()
