"""The dashboard: each number is a link to a list with exactly that number of rows."""

import re
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.async_api import Locator

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor

APP = {"name": "dashboard-app", "type": "window", "details": {"url": "https://dashboard.example"}, "title": "Board"}
WHY = {"Change-Comment": "Replaced board", "Change-Ticket": "OPS-92"}


async def follow(admin: Visitor, links: list[tuple[str, str]]) -> None:
    """Open each link; its list has as many rows as the text of the link says."""
    shown = urlsplit(admin.page.url).path
    for text, target in links:
        count = re.match(r"[\d,]+", text)
        assert count, text
        # On the same page, the rows of the previous link would still be shown.
        page = target.partition("?")[0]
        await (admin.open if page == shown else admin.go)(target.removeprefix("/admin"))
        shown = page
        await expect(admin.page.get_by_text(re.compile(rf" of {count[0]}$"))).to_be_visible()


async def targets(links: Locator) -> list[tuple[str, str]]:
    return [(await link.inner_text(), await link.get_attribute("href") or "") for link in await links.all()]


@pytest.mark.long
async def test_every_number_leads_to_its_rows(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    opened = await api.post("/sessions", json={"machine": {"name": "dashboard-pc"}, "version": "10.1"})
    assert (await api.post("/admin/apps", json={"definition": APP, "public": True}, headers=WHY)).status_code == 201
    # The sender of a crash report after the change.
    assert (await api.post("/crashes", files={"ver": (None, "10.2")})).status_code == 200
    await admin.open("/", "Dashboard")
    attention = page.get_by_role("region", name="Needs attention")
    await expect(attention.get_by_role("link", name="1 crash since the last change")).to_be_visible()
    await expect(attention.get_by_text("No stopped command runs")).to_be_visible()
    points = await targets(attention.get_by_role("link"))
    assert any("outdated=apps" in target for _, target in points)
    assert any("status=failed" in target for _, target in points)

    versions = page.get_by_role("region", name="Sessions by version")
    crashes = page.get_by_role("region", name="Crashes and changes")
    for chart in (versions, crashes):
        await chart.get_by_text("Values as a table").click()
        await expect(chart.get_by_role("table")).to_be_visible()
    assert await admin.violations() == []
    of_versions = (await targets(versions.locator("td a[href*='version=']")))[:3]
    of_days = (await targets(crashes.locator("td a[href*='received=']")))[:2]
    assert (len(of_versions), len(of_days)) == (3, 2)
    cells = [of_versions[0], of_days[0], of_versions[1], of_days[1], of_versions[2]]

    # A column of a chart is a link, too.
    bar = crashes.locator("svg a[href*='/crashes']").last
    await bar.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Crashes")
    await expect(page).to_have_url(re.compile(r"\?received=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$"))
    await follow(admin, [*points, *cells])

    await admin.go("/", "Dashboard")
    changes = page.get_by_role("region", name="Recent changes")
    change = changes.get_by_role("listitem").filter(has_text="OPS-92")
    await expect(change).to_contain_text("admin created app dashboard-app")
    await expect(change).to_contain_text("Replaced board")
    await change.get_by_role("link", name=re.compile("^revision ")).click()
    await expect(page.get_by_text(re.compile(r"1–1 of 1$"))).to_be_visible()
    await admin.go("/", "Dashboard")
    await change.get_by_role("link", name="dashboard-app").click()
    history = page.get_by_role("dialog", name="History")
    await expect(history.get_by_role("button", name=re.compile("Revision .* created by admin"))).to_have_attribute(
        "aria-pressed", "true"
    )
    assert (await api.delete("/admin/apps/dashboard-app")).status_code == 204
    assert (await api.delete(f"/sessions/{opened.json()['id']}")).status_code == 204
