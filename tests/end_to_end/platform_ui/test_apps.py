"""Apps where they can be shown: in frames, in windows, in tabs; and what the page says where the browser refuses."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import config_for
from tests.end_to_end.platform_ui.conftest import ADMIN, USER, AppSite, Firm, at_desk


@pytest.mark.long
async def test_apps_open_as_their_definition_requires_or_the_page_shows_the_reason(
    browser: Browser, firm: Firm
) -> None:
    await firm.add_app("Ticket", openInBrowser="window", width=420, height=300)
    await firm.add_app("Manual", openInBrowser="tab")
    await firm.add_app("Moved", "/moved")
    await firm.add_app("Refuses", "/refuses")
    await firm.add_app("Guarded", "/guarded")
    async with at_desk(browser, firm) as desk:
        # An address opens an app directly, once.
        await desk.sign_in("?app=chart")
        await desk.frame("Chart")
        assert "app=" not in desk.page.url

        async with desk.page.expect_popup() as opened:
            await desk.launch("Ticket")
        ticket = await opened.value
        await expect(ticket.get_by_label("Note")).to_be_visible()
        assert await ticket.evaluate("innerWidth") == 420
        async with desk.page.expect_popup() as opened:
            await desk.launch("Manual")
        await expect((await opened.value).get_by_label("Note")).to_be_visible()

        # A page that leads elsewhere than the directory says is not shown, and can be opened in a window.
        await desk.launch("Moved")
        await expect(desk.page.get_by_role("heading", name='"Moved" cannot be shown here')).to_be_visible()
        assert desk.complaints, "the browser reports what the policy blocks"
        desk.complaints.clear()
        async with desk.page.expect_popup() as opened:
            await desk.page.locator(".app-notice").get_by_role("button", name="Open in a window").click()
        await opened.value
        await desk.notice('"Moved" opens in a window from now on.')
        await desk.tab("Moved").press("Delete")

        # The two ways in which pages refuse frames.
        await desk.launch("Guarded")
        await expect(desk.page.get_by_role("heading", name='"Guarded" cannot be shown here')).to_be_visible()
        desk.complaints.clear()
        await desk.tab("Guarded").press("Delete")
        await desk.launch("Refuses")
        await expect(desk.page.get_by_role("heading", name='"Refuses" cannot be shown here')).to_be_visible()
        assert await desk.violations() == []
        async with desk.page.expect_popup() as opened:
            await desk.page.locator(".app-notice").get_by_role("button", name="Open in a window").click()
        await expect((await opened.value).get_by_label("Note")).to_be_visible()
        # From now on it opens in a window, whatever its definition says.
        await desk.notice('"Refuses" opens in a window from now on.')
        async with desk.page.expect_popup() as opened:
            await desk.launch("Refuses")
        await opened.value

        # An app that was added later is of an origin that this page may not show.
        firm.site.address = firm.site.address.replace("localhost", "later.test")
        await firm.add_app("Later")
        await expect(desk.page.get_by_role("button", name="Notifications, 1 unread")).to_be_visible()
        await desk.launch("Later")
        await expect(desk.page.get_by_role("heading", name="Reload required")).to_be_visible()
        await desk.page.get_by_role("button", name="Reload the page").click()
        await desk.frame("Later")

        await desk.page.goto(f"{desk.root}/platform/?app=nothing")
        await desk.notice('You do not have an app "nothing" that runs in a browser.')

        # A window that the browser blocks is offered again. The light Chromium blocks no windows;
        # test_popup_blocker.py uses one that does.
        await desk.page.add_init_script(
            "window.open = (real => (...a) => window.allowed ? real(...a) : null)(window.open)"
        )
        await desk.page.goto(f"{desk.root}/platform/?app=ticket")
        alert = desk.page.get_by_role("alert").filter(has_text="Allow pop-ups for this site")
        await expect(alert).to_be_visible()
        assert await desk.violations() == []
        await desk.page.evaluate("window.allowed = true")
        async with desk.page.expect_popup() as opened:
            await alert.get_by_role("button", name="Open now").click()
        await expect((await opened.value).get_by_label("Note")).to_be_visible()
        await expect(alert).to_have_count(0)


@pytest.mark.long
async def test_without_session_cookies_apps_open_in_windows(browser: Browser, tmp_path: Path, site: AppSite) -> None:
    users = {"predefinedUsers": [":".join(ADMIN), ":".join(USER)], "useSessionCookie": False}
    config = config_for(f"sqlite:///{tmp_path}/rostrum.db", auth_basic=users)
    with await asyncio.to_thread(RunningManager, config) as running:
        firm = Firm(running, site)
        await firm.add_app("Chart")
        async with at_desk(browser, firm) as desk:
            await desk.sign_in()
            async with desk.page.expect_popup() as opened:
                await desk.launch("Chart")
            await expect((await opened.value).get_by_label("Note")).to_be_visible()
            assert await desk.page.locator("iframe").count() == 0
            # The next user of this tab reads preferences of their own.
            await desk.page.get_by_role("button", name=f"Account of {USER[0]}").click()
            await desk.page.get_by_role("menuitem", name="Sign out").click()
            async with desk.page.expect_request(lambda one: one.method == "GET" and "/prefs" in one.url):
                await desk.fill_log_in(*ADMIN)
            await desk.ready()
            await expect(desk.page.get_by_role("button", name=f"Account of {ADMIN[0]}")).to_be_visible()
