"""The page and the manager: live changes, sessions that administrators see, a manager that goes and comes back."""

import asyncio

from playwright.async_api import Browser, Response, expect

from rostrum.manager.server import RunningManager
from tests.end_to_end.platform_ui.conftest import USER, Desk, Firm, at_desk


async def sessions(firm: Firm, *, active: bool = True) -> list[dict[str, object]]:
    found = await firm.admin("GET", f"/admin/sessions?product=browser&user=ann{'&active=true' if active else ''}")
    return [each for each in found["items"] if each["ended"] is None]


async def test_changes_arrive_live_and_administrators_see_the_session_and_its_receipts(
    browser: Browser, firm: Firm
) -> None:
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        await desk.launch("Chart")
        note = (await desk.frame("Chart")).get_by_label("Note")
        await note.fill("kept")
        (session,) = await sessions(firm)
        assert session["user"] == "ann"

        await firm.add_app("Calendar")
        await expect(desk.page.get_by_role("button", name="Notifications, 1 unread")).to_be_visible()
        await desk.page.get_by_role("button", name="Notifications, 1 unread").click()
        await expect(desk.page.get_by_role("list", name="Notifications")).to_contain_text("Calendar")
        assert await desk.violations() == []
        await desk.page.keyboard.press("Escape")
        await desk.launch("Calendar")
        await desk.frame("Calendar")
        address = f"/admin/sessions/receipts?kind=apps&session={session['id']}"
        (before,) = (await firm.admin("GET", address))["items"]

        def confirms_removal(answer: Response) -> bool:
            sent = answer.request.post_data_json if answer.request.method == "PATCH" else None
            return sent is not None and sent["applied"].get("apps", 0) > before["due"]

        async with desk.page.expect_response(confirms_removal) as receipt:
            await firm.admin("DELETE", "/admin/apps/calendar")
        assert (await receipt.value).ok
        (after,) = (await firm.admin("GET", address))["items"]
        assert after["applied"] is True
        assert after["due"] > before["due"]

        # A theme is kept by the manager: another browser of the user has it too.
        async with desk.page.expect_response("**/api/prefs"):
            await desk.page.get_by_role("button", name="Use dark colours").click()
        async with at_desk(browser, firm) as other:
            await other.enter()
            await expect(other.page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
            assert len(await sessions(firm)) == 2

        # A second tab of the same browser is a session of its own, and signs out both.
        tab = Desk(await desk.page.context.new_page(), desk.root)
        await tab.page.goto(f"{desk.root}/platform/")
        await tab.ready()
        await tab.page.get_by_role("button", name="Account of ann").click()
        await tab.page.get_by_role("menuitem", name="Sign out").click()
        await expect(tab.page.get_by_role("form", name="Sign in")).to_be_visible()
        await tab.page.close()
        await desk.page.bring_to_front()
        await desk.page.evaluate("dispatchEvent(new Event('focus'))")
        dialog = desk.page.get_by_role("dialog", name="Your session has ended")
        await expect(dialog).to_be_visible()
        await dialog.get_by_label("Password", exact=True).fill(USER[1])
        await dialog.get_by_role("button", name="Sign in").click()
        await expect(dialog).to_have_count(0)
        assert await note.input_value() == "kept"


async def test_a_manager_that_goes_away_is_named_and_its_return_noticed(browser: Browser, firm: Firm) -> None:
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        await desk.launch("Chart")
        note = (await desk.frame("Chart")).get_by_label("Note")
        await note.fill("kept")
        config = firm.running.config
        await asyncio.to_thread(firm.running.stop)
        banner = desk.page.get_by_text("The manager does not answer.")
        await expect(banner).to_be_visible()
        with await asyncio.to_thread(RunningManager, config):
            await expect(banner).to_have_count(0)
            await desk.launch("News")
            await desk.frame("News")
            assert await note.input_value() == "kept"
            assert firm.site.loads["/chart"] == 2


async def test_a_session_that_an_administrator_ends_leads_to_the_sign_in(browser: Browser, firm: Firm) -> None:
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        (session,) = await sessions(firm)
        await firm.admin("DELETE", f"/admin/sessions/{session['id']}")
        # The next sign of life comes with the receipt of a change.
        await firm.add_app("Calendar")
        await expect(desk.page.get_by_text("Your session was ended by an administrator.")).to_be_visible()
        await desk.fill_log_in(*USER)
        await desk.ready()


async def test_the_launcher_draws_only_what_is_in_sight_of_a_thousand_apps(browser: Browser, firm: Firm) -> None:
    definitions = [
        {
            "name": f"app-{number}",
            "title": f"Title {number}",
            "type": "window",
            "details": {"url": f"{firm.site.address}/x"},
        }
        for number in range(1000)
    ]
    await firm.admin("POST", "/admin/imports/apps", {"applications": definitions, "public": True})
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        await desk.page.keyboard.press("Control+k")
        search = desk.page.get_by_role("combobox", name="Search apps")
        options = desk.page.get_by_role("option")
        await expect(options.first).to_be_visible()
        assert await options.count() < 40
        assert await desk.violations() == []
        for _ in range(3):
            await search.press("PageDown")
        chosen = await search.get_attribute("aria-activedescendant")
        await expect(desk.page.locator(f"#{chosen}")).to_be_in_viewport()
        await search.fill("title 999")
        await expect(options).to_have_count(1)
        await expect(options).to_contain_text("Title 999")
        await search.fill("nothing like this")
        await expect(desk.page.get_by_text("No app matches.")).to_be_visible()
