"""Parts of pages that are created when they are used for the first time, and work as if they had always existed."""

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor


async def test_on_the_page_of_a_user_dialogs_return_the_focus_and_names_are_suggested(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/users/ada.birch", "ada.birch")
    assert await page.get_by_role("dialog", include_hidden=True).count() == 0
    for name, title in (("History", "History"), ("Delete", "Delete the user ada.birch?")):
        opener = page.get_by_role("main").get_by_role("button", name=name, exact=True)
        for _ in range(2):
            await opener.focus()
            await page.keyboard.press("Enter")
            await expect(page.get_by_role("dialog", name=title)).to_be_visible()
            await expect(opener).not_to_be_focused()
            await page.keyboard.press("Escape")
            await expect(page.get_by_role("dialog", name=title)).to_have_count(0)
            await expect(opener).to_be_focused()

    # Suggested names, at the first focus.
    groups = page.get_by_role("textbox", name="Groups")
    await expect(groups).to_be_visible()
    assert await page.get_by_role("option", include_hidden=True).count() == 0
    await groups.focus()
    await expect(page.get_by_role("option").first).to_be_visible()
    controlled = page.locator(f"#{await groups.get_attribute('aria-controls')}")
    await expect(controlled.get_by_role("option").first).to_be_visible()


async def test_in_lists_choices_open_and_the_box_for_all_rows_shows_that_some_are_selected(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/apps", "Applications")
    assert await page.get_by_role("option", include_hidden=True).count() == 0
    public = page.get_by_role("combobox", name="Public")
    await public.focus()
    await page.keyboard.press("ArrowDown")
    await expect(public).to_have_attribute("aria-expanded", "true")
    assert await page.locator(f"#{await public.get_attribute('aria-controls')}").get_by_role("option").count() == 2
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(public).not_to_have_value("")
    await expect(public).to_have_attribute("aria-expanded", "false")

    kind = page.get_by_role("combobox", name="Type")
    await kind.click()
    await expect(kind).to_have_attribute("aria-expanded", "true")
    await page.get_by_role("option").first.click()
    await expect(kind).not_to_have_value("")

    # The box for all rows.
    await admin.go("/users", "Users")
    every = page.get_by_role("checkbox", name="Select all")
    one = page.get_by_role("checkbox", name="Select ada.birch")
    await one.check()
    await expect(every).to_be_checked(indeterminate=True)
    await every.click()
    await expect(one).not_to_be_checked()
    await expect(every).to_be_checked(checked=False)
    await every.click()
    await expect(one).to_be_checked()
    await expect(every).to_be_checked()
