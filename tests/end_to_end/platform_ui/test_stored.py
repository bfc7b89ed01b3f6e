"""What the page stores at the manager: layouts, preferences, sessions with receipts, and the end of a session.

These tests run on PostgreSQL, all other tests of the page on SQLite. Some of those store layouts, preferences and
sessions, too. The page sees nothing of the database but the answers of the API, whose own tests run on both.
"""

import asyncio

import pytest
from playwright.async_api import Browser, Response, Route

from tests.chromium import expect
from tests.end_to_end.platform_ui.conftest import ON_POSTGRESQL, USER, Desk, Firm, at_desk


async def sessions(firm: Firm, *, active: bool = True) -> list[dict[str, object]]:
    found = await firm.admin("GET", f"/admin/sessions?product=browser&user=ann{'&active=true' if active else ''}")
    return [each for each in found["items"] if each["ended"] is None]


async def receive_changes(desk: Desk, firm: Firm, session: object) -> None:
    """Add and remove an app: the page shows the change, and its session confirms it."""
    await firm.add_app("Calendar")
    await expect(desk.page.get_by_role("button", name="Notifications, 1 unread")).to_be_visible()
    await desk.page.get_by_role("button", name="Notifications, 1 unread").click()
    await expect(desk.page.get_by_role("list", name="Notifications")).to_contain_text("Calendar")
    assert await desk.violations() == []
    await desk.page.keyboard.press("Escape")
    await desk.launch("Calendar")
    await desk.frame("Calendar")
    address = f"/admin/sessions/receipts?kind=apps&session={session}"
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


async def save_default_layout(desk: Desk) -> None:
    """Save the workspace with a floating group, and choose it for the start of the page."""
    await desk.tab("News").press("Control+Shift+ArrowRight")
    await desk.page.get_by_role("button", name="Float this group").last.click()
    await desk.save_layout("Morning")
    await desk.notice('Layout "Morning" was saved.')
    assert await desk.violations() == []
    await desk.page.get_by_role("button", name="Make default Morning").click()
    await desk.notice('"Morning" opens when you open this page.')
    # A layout that was deleted by mistake comes back, as the default that it was.
    await desk.page.get_by_role("button", name="Delete Morning").click()
    deleted = desk.page.locator(".mantine-Notification-root").filter(has_text='Layout "Morning" was deleted.')
    await expect(desk.page.get_by_text("No layouts of workspaces have been saved yet.")).to_be_visible()
    await deleted.get_by_role("button", name="Undo").click()
    await expect(desk.page.get_by_role("button", name="Clear default Morning")).to_be_visible()
    await desk.page.keyboard.press("Escape")


async def reload_while_saving(desk: Desk) -> None:
    """Load the page again after the manager has stored a layout, and before the page gets the answer; save it again."""
    stored = asyncio.Event()

    async def keep_answer(route: Route) -> None:
        if route.request.method == "POST":
            await route.fetch()
            stored.set()
        else:
            await route.continue_()

    await desk.page.route("**/api/layouts", keep_answer)
    await desk.save_layout("Half done")
    async with asyncio.timeout(30):
        await stored.wait()
    await desk.page.unroute("**/api/layouts")
    await desk.page.reload()
    await desk.frame("Chart")
    await desk.save_layout("Half done")
    await desk.notice('Layout "Half done" was saved.')
    saved = desk.page.get_by_role("list", name="Saved layouts").get_by_role("listitem")
    await expect(saved).to_have_count(2)
    await expect(saved.filter(has_text="Half done")).to_have_count(1)


@pytest.mark.long
@ON_POSTGRESQL
async def test_layouts_and_themes_reach_every_browser_and_administrators_see_sessions_with_receipts(
    browser: Browser, firm: Firm
) -> None:
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        for title in ("Chart", "News"):
            await desk.launch(title)
            await desk.frame(title)
        note = (await desk.frame("Chart")).get_by_label("Note")
        await note.fill("kept")
        (session,) = await sessions(firm)
        assert session["user"] == "ann"
        await save_default_layout(desk)
        layouts = (await firm.admin("GET", "/admin/layouts"))["items"]
        (layout,) = [each for each in layouts if each["name"] == "Morning"]
        assert (layout["type"], layout["owner"]) == ("Workspace", "ann")
        await receive_changes(desk, firm, session["id"])

        # Another browser has the theme and starts with the layout that the user chose, floating group included.
        async with desk.page.expect_response("**/api/prefs"):
            await desk.page.get_by_role("button", name="Use dark colours").click()
        async with at_desk(browser, firm) as other:
            await other.enter()
            await expect(other.page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
            await expect(other.page.get_by_role("tab", name="Morning")).to_be_visible()
            await expect(other.page.get_by_role("button", name="Dock this group")).to_be_visible()
            for title in ("Chart", "News"):
                await other.frame(title)
            (second,) = [each["id"] for each in await sessions(firm) if each["id"] != session["id"]]

            # A session that an administrator ends leads to the sign-in. The next heartbeat contains the receipt of a
            # change.
            await firm.admin("DELETE", f"/admin/sessions/{second}")
            await firm.add_app("Calendar")
            await expect(other.page.get_by_text("Your session was ended by an administrator.")).to_be_visible()
            await other.fill_log_in(*USER)
            await other.ready()

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
        await desk.tab("Calendar").press("Delete")
        await reload_while_saving(desk)
