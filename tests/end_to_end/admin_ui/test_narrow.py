"""Narrow screens, names that are too long for their column, and parts of the UI that cannot be loaded."""

import re

import httpx
import pytest
from playwright.async_api import Page, Route

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor

LISTS = {
    "/apps": "Applications",
    "/layouts": "Layouts",
    "/preferences": "Preferences",
    "/groups": "Groups",
    "/sessions": "Sessions",
    "/machines": "Machines",
    "/commands": "Commands",
    "/crash-groups": "Crashes",
    "/crashes": "Crashes",
    "/feedback": "Feedback",
    "/audit": "Audit",
}
LONG = "long.name." + "-".join(["department"] * 12)


async def focused(page: Page) -> str:
    return str(await page.evaluate("document.activeElement.textContent || document.activeElement.ariaLabel"))


@pytest.mark.long
async def test_at_820_pixels_the_pages_are_in_a_menu_that_works_with_the_keyboard(admin: Visitor) -> None:
    page = admin.page
    await page.set_viewport_size({"width": 820, "height": 800})
    await admin.open("/users", "Users")
    pages = page.get_by_role("navigation", name="Pages")
    button = page.get_by_role("button", name="Navigation")
    await expect(button).to_have_attribute("aria-expanded", "false")
    await expect(page.locator("#navigation")).to_have_js_property("inert", value=True)
    main = await page.locator("main").bounding_box()
    heading = await page.get_by_role("heading", level=1).bounding_box()
    assert main is not None
    assert heading is not None
    assert (main["x"], main["width"]) == (0, 820)
    assert heading["x"] < 40
    assert await admin.violations() == []

    await button.focus()
    await page.keyboard.press("Enter")
    await expect(pages.get_by_role("link", name="Users")).to_be_focused()
    await expect(page.locator("main")).to_have_js_property("inert", value=True)
    assert await admin.violations() == []
    await page.keyboard.press("Escape")
    await expect(button).to_be_focused()
    await expect(page.locator("main")).to_have_js_property("inert", value=False)

    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    assert await focused(page) == "Groups"
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Groups")
    await expect(page.locator("main")).to_be_focused()
    await expect(page.locator("#navigation")).to_have_js_property("inert", value=True)

    await page.set_viewport_size({"width": 1280, "height": 800})
    await expect(button).not_to_be_visible()
    await expect(pages.get_by_role("link", name="Users")).to_be_in_viewport()
    await expect(page.locator("#navigation")).to_have_js_property("inert", value=False)


@pytest.mark.long
async def test_at_820_pixels_the_columns_of_every_list_fit_and_the_others_are_named_and_can_be_shown(
    admin: Visitor,
) -> None:
    page = admin.page
    await page.set_viewport_size({"width": 820, "height": 800})
    await admin.open("/users", "Users")
    region = page.get_by_role("region", name="Users")
    changed = page.get_by_role("columnheader", name="Changed")
    await expect(region).to_contain_text("Hidden columns: Assigned apps, Changed")
    await expect(changed).to_have_count(0)
    assert await region.evaluate("area => area.scrollWidth <= area.clientWidth")
    await expect(page.get_by_role("link", name="ada.birch")).to_be_visible()

    await page.get_by_role("button", name="Show all columns").click()
    await expect(changed).to_have_count(1)
    assert await region.evaluate("area => area.scrollWidth > area.clientWidth")
    await page.get_by_role("button", name="E-mail").click()
    await expect(page.get_by_role("columnheader", name="E-mail")).to_have_attribute("aria-sort", "ascending")
    await expect(changed).to_have_count(1)
    await page.get_by_role("button", name="Fit columns").click()
    await expect(changed).to_have_count(0)

    await page.set_viewport_size({"width": 1280, "height": 800})
    await expect(changed).to_be_visible()
    await expect(region).not_to_contain_text("Hidden columns")

    # The columns of every list fit.
    await page.set_viewport_size({"width": 820, "height": 800})
    region = page.locator("section:has(table)")
    too_wide = []
    for path, heading in LISTS.items():
        await admin.go(path, heading)
        await expect(region.locator("tbody tr").first).to_be_visible()
        too_wide += [
            (path, text)
            for text in await region.evaluate(
                """area => [area, ...area.querySelectorAll("th")]
                    .filter(part => part.scrollWidth > part.clientWidth)
                    .map(part => part.ariaLabel ?? part.textContent)"""
            )
        ]
    assert too_wide == []


async def test_a_name_that_is_cut_off_is_complete_under_the_pointer_and_with_the_keyboard(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    body = {"id": LONG, "email": f"{LONG}@example.com"}
    assert (await api.post("/admin/users", json=body)).status_code == 201
    await admin.open("/users?q=long.name", "Users")
    link = page.get_by_role("link", name=LONG)
    complete = page.get_by_role("tooltip")
    row = page.locator("tbody tr")
    box = await row.bounding_box()
    assert box is not None
    assert box["height"] == 44
    await link.hover()
    await expect(complete).to_have_text(LONG)
    await page.get_by_role("heading", level=1).hover()
    await expect(complete).to_have_count(0)

    await link.focus()
    await expect(complete.locator("div")).to_have_text([f"User: {LONG}", f"E-mail: {LONG}@example.com"])
    assert await admin.violations() == []
    await page.keyboard.press("Escape")
    await expect(complete).to_have_count(0)
    await api.delete(f"/admin/users/{LONG}")


async def lose(page: Page, files: re.Pattern[str]) -> None:
    """Lose the connection for the files with these names, and for the API."""

    async def drop(route: Route) -> None:
        await route.abort("internetdisconnected")

    await page.route(files, drop)
    await page.route("**/api/**", drop)


async def violations_of_standing_page(admin: Visitor) -> list[str]:
    """Ask axe while the connection banner, which never stands still, is shown."""
    await admin.page.evaluate("document.getAnimations().forEach(animation => animation.pause())")
    return await admin.violations()


@pytest.mark.long
async def test_pages_and_the_search_show_a_message_if_they_cannot_be_loaded_until_the_manager_is_back(
    admin_in_own_window: Visitor,
) -> None:
    admin = admin_in_own_window
    page = admin.page
    await admin.open("/users/-/new", "New user")
    await page.get_by_role("link", name="Users").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Users")
    await lose(page, re.compile(r"/assets/.*\.js"))
    await page.get_by_role("link", name="Audit").click()
    problem = page.get_by_role("alert").filter(has_text="This page could not be loaded")
    await expect(problem).to_be_visible()
    await expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    await expect(page.get_by_text("The manager does not respond.")).to_be_visible()
    assert await violations_of_standing_page(admin) == []
    await problem.get_by_role("button", name="Try again").click()
    await expect(problem.get_by_role("button", name="Try again")).to_be_enabled()
    # A page that is loaded already works without the manager.
    await page.get_by_role("link", name="Users").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Users")
    await page.get_by_role("link", name="Audit").click()
    await expect(problem).to_be_visible()

    await page.unroute_all(behavior="wait")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Audit")
    await expect(page.get_by_role("region", name="Audit")).to_be_visible()
    await expect(page.get_by_text("The manager does not respond.")).to_have_count(0)

    # A search that cannot be loaded leaves the page as it is.
    await admin.go("/users/ada.birch", "ada.birch")
    await page.get_by_label("E-mail").fill("typed@example.com")
    await lose(page, re.compile(r"/assets/search-dialog.*\.js"))
    await page.get_by_role("button", name="Search").click()
    dialog = page.get_by_role("dialog", name="Search everything")
    await expect(dialog.get_by_role("alert")).to_contain_text("The search could not be loaded")
    await expect(page.get_by_text("The manager does not respond.")).to_be_visible()
    assert await violations_of_standing_page(admin) == []
    await page.keyboard.press("Escape")
    await expect(page.get_by_label("E-mail")).to_have_value("typed@example.com")

    await page.get_by_role("button", name="Search").click()
    await expect(dialog.get_by_role("alert")).to_be_visible()
    await page.unroute_all(behavior="wait")
    await expect(dialog.get_by_role("combobox")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_label("E-mail")).to_have_value("typed@example.com")
