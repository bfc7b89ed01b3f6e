"""The platform's own pages: what they show and do, by keyboard too, in light and dark, and offline."""

import pytest
from playwright.async_api import expect

from rostrum import __version__
from rostrum.desktop.hosts.actions import Focus
from rostrum.desktop.windows.own_pages import OWN_PAGES
from tests.desktop.pages.conftest import OpenPages, violations


@pytest.mark.long
async def test_every_page_can_be_used_by_everybody_in_light_and_dark(pages: OpenPages) -> None:
    await pages.platform.services.instances.start("watch")
    await pages.platform.services.layouts.save("Morning")
    await pages.platform.services.notifications.raise_("watch", "Price reached", "112.65", "High")
    for name in OWN_PAGES:
        async with pages.page(name) as page:
            await page.wait_for_selector('body[aria-busy="false"]')
            await expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert await violations(page) == [], name
            fits = await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert fits, f"{name} is wider than its window"


@pytest.mark.long
async def test_the_launcher_starts_an_app_by_keyboard_alone(pages: OpenPages) -> None:
    async with pages.page("launcher") as page:
        await expect(page.get_by_role("option")).to_have_count(3)
        await page.keyboard.type("pri")
        results = page.get_by_role("listbox", name="Search results")
        await expect(results.get_by_role("option")).to_have_count(2)
        await page.keyboard.press("ArrowDown")
        await expect(results.get_by_role("option", selected=True)).to_contain_text("Market Watch")
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Price Chart is starting.")).to_be_visible()
    assert [one.app for one in pages.platform.services.instances.all] == ["chart"]


@pytest.mark.long
async def test_the_launcher_shows_what_runs_its_channel_and_closes_it(pages: OpenPages) -> None:
    async with pages.page("launcher") as page:
        first = await pages.platform.services.instances.start("watch")
        await page.get_by_role("tab", name="Running (1)").click()
        channel = page.get_by_role("combobox", name="Channel of Market Watch")
        await channel.select_option("Blue")
        await expect(channel).to_have_value("Blue")
        assert pages.platform.services.channels.of(first.id) == ("Blue",)
        pages.platform.services.channels.join(first.id, "Red")
        await expect(channel).to_have_value("Red")
        await page.get_by_role("button", name="Show Market Watch").click()
        await expect(page.get_by_role("alert")).to_be_empty()
        await page.get_by_role("button", name="Close Market Watch").click()
        await expect(page.get_by_text("No apps are running.")).to_be_visible()
    assert pages.platform.services.instances.all == ()
    assert [one for one in pages.host.calls if one[0] == "act" and Focus() in one[1]]


@pytest.mark.long
async def test_the_launcher_restores_layouts_and_reports_failures(pages: OpenPages) -> None:
    await pages.platform.services.instances.start("notes")
    await pages.platform.services.layouts.save("Morning")
    for one in pages.platform.services.instances.all:
        await pages.platform.services.instances.stop(one.id)
    async with pages.page("launcher") as page:
        await page.get_by_role("tab", name="Layouts").click()
        await page.get_by_role("option", name="Morning").click()
        await expect(page.get_by_role("tab", name="Running (1)")).to_be_visible()
        await pages.platform.services.layouts.remove(next(iter(pages.platform.stores.layouts.layouts())))
        await expect(page.get_by_role("listbox", name="Layouts").get_by_text("No layouts yet.")).to_be_visible()


@pytest.mark.long
async def test_layouts_are_saved_made_default_and_deleted_only_when_confirmed(pages: OpenPages) -> None:
    await pages.platform.services.instances.start("notes")
    async with pages.page("layouts") as page:
        await page.get_by_label("Name of the layout").fill("Morning")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Morning is saved.")).to_be_visible()
        await page.get_by_role("button", name="Set as default Morning").click()
        await expect(page.get_by_role("button", name="Clear default Morning")).to_be_visible()
        default = pages.platform.stores.layouts.default()
        assert default is not None
        assert default.name == "Morning"
        remove = page.get_by_role("button", name="Delete Morning")
        await remove.click()
        await expect(remove).to_have_text("Delete?")
        await page.get_by_label("Name of the layout").focus()
        await expect(remove).to_have_text("Delete")
        assert [key.name for key in pages.platform.stores.layouts.layouts()] == ["Morning"]
        await remove.click()
        await remove.click()
        await expect(page.get_by_text("No layouts yet.")).to_be_visible()
    assert list(pages.platform.stores.layouts.layouts()) == []


@pytest.mark.long
async def test_the_panel_follows_notifications_and_counts_them(pages: OpenPages) -> None:
    async with pages.page("notifications") as page, pages.page("launcher") as launcher:
        await expect(page.get_by_text("No notifications.")).to_be_visible()
        first = await pages.platform.services.notifications.raise_("watch", "<b>Price</b> reached", "112.65", "High")
        await pages.platform.services.notifications.raise_("watch", "Second", severity="Low")
        await expect(page).to_have_title("Notifications (2)")
        await expect(launcher.get_by_role("button", name="Notifications 2")).to_be_visible()
        await expect(page.get_by_text("<b>Price</b> reached")).to_be_visible()
        await page.get_by_role("button", name="Snooze Second").click()
        await expect(page.get_by_text("1 notification", exact=True)).to_be_visible()
        await page.get_by_role("button", name="Close all").click()
        await expect(page.get_by_text("No notifications.")).to_be_visible()
    assert first.id not in {one.id for one in pages.platform.services.notifications.all}


@pytest.mark.long
async def test_a_selected_theme_changes_every_open_page(pages: OpenPages) -> None:
    async with pages.page("themes") as page, pages.page("about") as other:
        await expect(page.get_by_label("Day")).to_be_checked()
        await page.get_by_label("Day").focus()
        await page.keyboard.press("ArrowDown")
        await expect(page.get_by_label("Night")).to_be_checked()
        await expect(other.locator("html")).to_have_attribute("data-theme", "dark")
        assert pages.platform.services.themes.selected == "night"
        await pages.platform.services.themes.select("day")
        await expect(page.get_by_label("Day")).to_be_checked()
        await expect(other.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.long
async def test_settings_logs_diagnostics_and_versions_are_shown(pages: OpenPages) -> None:
    logs = pages.platform.local.early.folders.user_data / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    (logs / "application.log").write_text("first line\nlast line <script>\n")
    async with pages.page("settings") as page:
        await page.get_by_label("Filter settings").fill("channelSelector.enabled")
        row = page.get_by_role("row", name="windows.channelSelector.enabled true")
        await expect(row).to_contain_text("system.json")
        await page.get_by_label("Filter settings").fill("no such setting")
        await expect(page.get_by_role("status")).to_contain_text("0 of")
    async with pages.page("logs") as page:
        await page.get_by_label("Log file", exact=True).select_option("application.log")
        await expect(page.get_by_role("region")).to_contain_text("last line <script>")
        await expect(page.get_by_text(str(logs))).to_be_visible()
    async with pages.page("diagnostics") as page:
        await expect(page.get_by_role("row", name="gateway done")).to_be_visible()
        await page.get_by_role("button", name="Logs").click()
        await expect(page.get_by_role("alert")).to_be_empty()
    assert ("own page", "logs") in pages.host.calls
    async with pages.page("about") as page:
        await expect(page.get_by_text(__version__, exact=True).first).to_be_visible()
        await expect(page.get_by_role("row", name="httpx").first).to_contain_text("BSD")


@pytest.mark.long
async def test_feedback_without_a_manager_states_why_it_is_not_sent(pages: OpenPages) -> None:
    async with pages.page("feedback") as page:
        await page.get_by_label("Description").fill("The chart is late.")
        await page.get_by_role("button", name="Send").click()
        await expect(page.get_by_role("alert")).to_contain_text("feedback needs a manager")
        await expect(page.get_by_label("Description")).to_have_value("The chart is late.")


@pytest.mark.long
async def test_the_user_sees_whose_a_hotkey_is_and_removes_it(pages: OpenPages) -> None:
    hotkeys = pages.platform.services.hotkeys
    await hotkeys.register("p1", "ctrl+k", app="watch", description="Search")
    async with pages.page("hotkeys") as page:
        row = page.get_by_role("listitem").filter(has_text="ctrl+k")
        await expect(row).to_contain_text("Search")
        await expect(row).to_contain_text("watch")
        await page.get_by_role("button", name="Remove ctrl+k").click()
        await expect(page.get_by_text("No app has registered a keyboard shortcut.")).to_be_visible()
    assert hotkeys.all == {}
