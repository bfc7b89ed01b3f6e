"""The account menu of the browser platform: password, sessions and the end of all of them."""

import httpx
import pytest
from playwright.async_api import Browser, Response

from tests.chromium import expect
from tests.end_to_end.platform_ui.conftest import USER, Desk, Firm, at_desk
from tests.plain_http import NO_TLS


async def open_menu(desk: Desk, item: str) -> None:
    await desk.page.get_by_role("button", name=f"Account of {USER[0]}").click()
    await desk.page.get_by_role("menuitem", name=item).click()


async def status(firm: Firm, password: str) -> int:
    async with httpx.AsyncClient(base_url=firm.running.base_url, auth=(USER[0], password), verify=NO_TLS) as client:
        return (await client.get("/me")).status_code


def opens_session(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/api/sessions")


async def open_sessions(firm: Firm, password: str) -> list[str]:
    async with httpx.AsyncClient(base_url=firm.running.base_url, auth=(USER[0], password), verify=NO_TLS) as client:
        return [each["id"] for each in (await client.get("/me/sessions")).json()["desktops"]]


@pytest.mark.long
async def test_users_change_their_password_and_sign_out_everywhere(browser: Browser, firm: Firm) -> None:
    password = "another long password"
    async with at_desk(browser, firm) as desk, at_desk(browser, firm) as other:
        await desk.enter()
        opened: list[Response] = []
        desk.page.on("response", lambda answer: opened.append(answer) if opens_session(answer) else None)

        # A new password: this page continues with a new session, and the old password is refused.
        await open_menu(desk, "Change password")
        dialog = desk.page.get_by_role("dialog", name="Change password")
        await expect(dialog).to_contain_text("This page then reloads. Save your work in apps first.")
        await dialog.get_by_label("Current password").fill("not the password")
        await dialog.get_by_label("New password", exact=True).fill(password)
        await dialog.get_by_label("Repeat new password").fill(password)
        await dialog.get_by_role("button", name="Change password").click()
        await expect(dialog.get_by_role("alert")).to_contain_text("current password is wrong")
        assert await desk.violations() == []
        await dialog.get_by_label("Current password").fill(USER[1])
        async with desk.page.expect_event("load"), desk.page.expect_response(opens_session):
            await dialog.get_by_role("button", name="Change password").click()
        await desk.ready()
        assert [await status(firm, each) for each in (USER[1], password)] == [401, 200]

        # The sessions of both browsers are listed, and end together.
        await other.page.goto(f"{other.root}/platform/")
        await other.fill_log_in(USER[0], password)
        await other.ready()
        await open_menu(desk, "Your sessions")
        sessions = desk.page.get_by_role("dialog", name="Your sessions")
        listed = sessions.get_by_role("table", name="Desktops and browser platforms").get_by_role("row")
        ids = await open_sessions(firm, password)
        assert len(ids) >= 2
        await expect(listed).to_have_count(len(ids) + 1)
        # The session of this page is marked, and no other. The old page may have opened one before it was loaded again.
        await expect(listed.filter(has_text="this one")).to_have_count(1)
        own = (await opened[-1].json())["id"]
        await expect(listed.nth(ids.index(own) + 1)).to_contain_text("this one")
        await expect(sessions.get_by_role("table", name="Sign-ins with your password")).to_contain_text("this address")
        assert await desk.violations() == []
        await sessions.get_by_role("button", name="Sign out everywhere").click()
        await expect(desk.page.get_by_role("form", name="Sign in")).to_be_visible()
        await other.page.reload()
        await expect(other.page.get_by_role("form", name="Sign in")).to_be_visible()
        await other.fill_log_in(USER[0], password)
        await other.ready()
