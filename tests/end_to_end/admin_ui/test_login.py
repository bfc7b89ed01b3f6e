"""Sign-in, sign-out, sessions that end, and the desktop's sign-in page."""

import asyncio
import shutil
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Route

from rostrum.manager.server import RunningManager
from tests.chromium import expect, until
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, config_for, enter, visiting, visiting_again
from tests.plain_http import NO_TLS

ANSWERS_THE_BROWSER = {"username": "admin", "password": PASSWORD}
"""Somebody who types a password wherever the browser itself asks for one, which the manager must never make it do."""


@pytest.mark.long
@pytest.mark.rule("R-1-7")
async def test_on_plain_http_only_the_page_asks_for_the_password_and_signing_out_counts(
    browser: Browser, manager: RunningManager
) -> None:
    async with visiting(browser, manager, host="manager.test", http_credentials=ANSWERS_THE_BROWSER) as visitor:
        page = visitor.page
        await page.goto(f"{visitor.root}/admin/")
        await visitor.fill_log_in("admin", "wrong")
        await expect(page.get_by_role("alert")).to_contain_text("The user name or password is incorrect")
        assert await page.get_by_label("Password", exact=True).input_value() == ""
        await visitor.fill_log_in(None, PASSWORD)
        await expect(page.get_by_role("heading", level=1)).to_have_text("Dashboard")

        # A browser that was asked for the password elsewhere, here by the API itself, adds it to every request.
        await page.context.clear_cookies()
        assert await page.evaluate("fetch('/api/me', {credentials: 'include'}).then(answer => answer.status)") == 200
        await page.context.clear_cookies()
        await page.reload()
        await visitor.fill_log_in("ada.birch", PASSWORD)
        await expect(page.get_by_role("button", name="Account of ada.birch")).to_be_visible()
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_role("form", name="Sign in")).to_be_visible()
        assert await page.context.cookies() == []
        await page.reload()
        await expect(page.get_by_role("form", name="Sign in")).to_be_visible()


async def test_signing_in_leads_to_the_requested_page_and_signing_out_ends_the_session_on_the_server_too(
    visitor: Visitor,
) -> None:
    page = visitor.page
    await page.goto(f"{visitor.root}/admin/apps?q=order&sort=-name")
    await visitor.fill_log_in("admin", PASSWORD)

    await expect(page.get_by_role("heading", level=1)).to_have_text("Applications")
    assert page.url.endswith("/admin/apps?q=order&sort=-name")

    [cookie] = await page.context.cookies()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("form", name="Sign in")).to_be_visible()
    assert await page.context.cookies() == []
    old = {"Cookie": f"{cookie['name']}={cookie['value']}"}
    async with httpx.AsyncClient(verify=NO_TLS) as client:
        assert (await client.get(f"{visitor.root}/api/me", headers=old)).status_code == 401


async def test_the_name_is_painted_before_scripts_are_loaded(visitor: Visitor) -> None:
    held: list[str] = []
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        # Styles are needed for the first paint: those of later pages must come after them.
        if route.request.resource_type != "stylesheet":
            held.append(route.request.resource_type)
            await released.wait()
        await route.continue_()

    page = visitor.page
    await page.route("**/assets/**", hold)
    await page.goto(f"{visitor.root}/admin/", wait_until="commit")
    await until(page, "performance.getEntriesByName('first-contentful-paint').length > 0")
    await expect(page.locator("body")).to_have_text("Rostrum")
    assert "script" in held

    released.set()
    await expect(page.get_by_role("form", name="Sign in")).to_be_visible()
    await expect(page.locator(".before-start")).to_have_count(0)


@pytest.mark.long
async def test_users_change_their_own_password_in_the_account_menu(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    user = {"id": "own.password", "password": PASSWORD}
    assert (await api.post("/admin/users", json=user)).status_code == 201
    async with visiting_again(browser, manager) as visitor:
        page = visitor.page
        await visitor.log_in("own.password")
        await page.get_by_role("button", name="Account of own.password").click()
        await page.get_by_role("menuitem", name="Change password").click()
        form = page.get_by_role("form", name="Change password")

        async def change(current: str, new: str, again: str) -> None:
            await form.get_by_label("Current password").fill(current)
            await form.get_by_label("New password", exact=True).fill(new)
            await form.get_by_label("Repeat new password").fill(again)

        await change(PASSWORD, "a new password", "another password")
        await expect(form.get_by_text("The passwords differ.")).to_be_visible()
        await expect(form.get_by_role("button", name="Change password")).to_be_disabled()
        await change(PASSWORD, "password", "password")
        await form.get_by_role("button", name="Change password").click()
        await expect(form).to_contain_text("The new password must not be one of the most common passwords.")
        await change("wrong", "a new password", "a new password")
        await form.get_by_role("button", name="Change password").click()
        await expect(form.get_by_role("alert")).to_contain_text("The current password is wrong")
        assert await visitor.violations() == []
        await change(PASSWORD, "a new password", "a new password")
        await form.get_by_role("button", name="Change password").click()

        await visitor.notice("Password changed. Your other sessions have ended.")
        await page.reload()
        await expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    async with httpx.AsyncClient(base_url=manager.base_url, verify=NO_TLS) as client:
        assert (await client.get("/me", auth=("own.password", PASSWORD))).status_code == 401
        assert (await client.get("/me", auth=("own.password", "a new password"))).status_code == 200
    assert (await api.delete("/admin/users/own.password")).status_code == 204


async def save_without_session(admin: Visitor) -> None:
    """Save when the session is over; the sign-in may lie over the page before that, as it asks by itself too."""
    button = admin.page.locator("button", has_text="Save")
    await expect(button).to_be_enabled()
    await admin.page.context.clear_cookies()
    await button.evaluate("button => button.click()")


async def first_of(api: httpx.AsyncClient, kind: str) -> str:
    return str((await api.get(f"/admin/{kind}", params={"limit": 1})).json()["items"][0]["id"])


@pytest.mark.long
async def test_when_the_session_ends_what_was_typed_is_kept_on_every_editor(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    words = "typed and not saved"
    # The page, and the field or the JSON editor that is typed into.
    editors = [
        ("/apps/-/new", "Name"),
        ("/apps/order-blotter", "Title"),
        ("/apps/chat-panel", "Definition as JSON"),
        ("/layouts/-/new", "Definition as JSON"),
        (f"/layouts/{await first_of(api, 'layouts')}", "Owner"),
        (f"/preferences/{await first_of(api, 'prefs')}", "Data"),
        ("/configs/-/new?view=json", "Contents"),
        (f"/configs/{await first_of(api, 'configs')}?view=json", "Contents"),
        ("/users/-/new", "Id"),
        ("/users/ada.birch", "E-mail"),
        ("/groups/-/new", "Name"),
        ("/groups/Trading", "Inherits from"),
        ("/groups/Research?tab=members", "Add members"),
        (f"/crashes/{await first_of(api, 'crashes')}", "Comment"),
        (f"/feedback/{await first_of(api, 'feedback')}", "Comment"),
    ]
    options = {"Inherits from": (words, f"Create group “{words}”"), "Add members": ("ben.calder", "ben.calder")}
    await admin.open("/", "Dashboard")
    for path, label in editors:
        await admin.go(path)
        await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        is_json = label in ("Definition as JSON", "Contents", "Data")
        if is_json:
            await admin.type_json(label, {"name": words, "type": "window"})
        elif label in options:
            name, option = options[label]
            await page.get_by_role("textbox", name=label).fill(name)
            await page.get_by_role("option", name=option, exact=True).click()
        else:
            await page.get_by_label(label).first.fill(words)
        await save_without_session(admin)

        dialog = page.get_by_role("dialog", name="Your session has ended")
        await expect(dialog).to_be_visible()
        await expect(page.get_by_text("Not saved. Your changes are still on this page.")).to_be_visible()
        await admin.fill_log_in(None, PASSWORD)
        await expect(dialog).to_have_count(0)
        await expect(page).to_have_url(f"{admin.root}/admin{path}")
        if is_json:
            await expect(page.locator(f'.cm-content[aria-label="{label}"]')).to_contain_text(words)
        elif label in options:
            await expect(page.locator(".mantine-Pill-label").filter(has_text=options[label][0])).to_be_visible()
        else:
            await expect(page.get_by_label(label).first).to_have_value(words)
        await page.get_by_role("button", name="Discard").click()
        await expect(page.get_by_role("button", name="Save")).to_be_disabled()


async def test_escape_closes_no_dialog_below_the_one_for_signing_in(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/tokens", "Your API tokens")
    await page.get_by_role("button", name="New API token").click()
    form = page.get_by_role("form", name="New API token")
    await form.get_by_label("Name").fill("Nightly job")
    await page.context.clear_cookies()
    await form.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible()

    await page.keyboard.press("Escape")
    await admin.fill_log_in(None, PASSWORD)
    await expect(page.get_by_role("dialog", name="Your session has ended")).to_have_count(0)
    await expect(form.get_by_label("Name")).to_have_value("Nightly job")

    # On top again, it closes.
    await form.get_by_label("Name").focus()
    await page.keyboard.press("Escape")
    await expect(form).to_have_count(0)


async def test_another_user_after_the_end_sees_nothing_of_the_first(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/apps/-/new", "New application")
    await page.get_by_label("Name").fill("secret-plan")
    await save_without_session(admin)
    await expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    await admin.fill_log_in("ada.birch", PASSWORD)

    await expect(page.get_by_role("button", name="Account of ada.birch")).to_be_visible()
    await expect(page.get_by_text("secret-plan")).to_have_count(0)


@pytest.mark.long
@pytest.mark.rule("R-2.2-4", "R-2.3-3", "T-3-2")
async def test_the_lifetime_of_a_session_ends_it_under_the_open_page(
    browser: Browser, demo_database: Path, tmp_path: Path
) -> None:
    shutil.copy(demo_database, tmp_path / "rostrum.db")
    config = config_for(f"sqlite:///{tmp_path}/rostrum.db", auth_basic={"sessionLifetime": 1})
    with RunningManager(config) as running:
        async with visiting(browser, running, host="manager.test", http_credentials=ANSWERS_THE_BROWSER) as someone:
            await someone.log_in()
            # Coming back to the window makes the page ask whether it is still signed in.
            dialog = someone.page.get_by_role("dialog", name="Your session has ended")
            for _ in range(200):
                await someone.page.evaluate("window.dispatchEvent(new Event('focus'))")
                if await dialog.is_visible():
                    break
                await someone.page.wait_for_timeout(50)
            await expect(dialog).to_be_visible()


@pytest.mark.long
@pytest.mark.rule("E-4-12", "R-2.4-4")
@pytest.mark.rule("R-5-7")
async def test_the_desktop_page_requires_a_desktop_and_passes_user_and_headers(visitor: Visitor) -> None:
    page = visitor.page
    await page.goto(f"{visitor.root}/admin/gd")
    await expect(page.get_by_role("alert")).to_contain_text("works only in the platform’s own sign-in window")
    await expect(page.get_by_role("form", name="Sign in")).to_have_count(0)
    # A desktop may put its function into the page after it has loaded.
    await page.evaluate("window.authDone = () => undefined")
    await expect(page.get_by_role("form", name="Sign in")).to_be_visible()

    await page.add_init_script("window.authDone = (result) => { window.handed = result; };")
    for path in ("/admin/gd", "/admin/?gd", "/admin/#gd"):
        await page.goto("about:blank")
        await page.goto(f"{visitor.root}{path}")
        await expect(page.get_by_role("navigation")).to_have_count(0)
        await visitor.fill_log_in("ada.birch", PASSWORD)
        await expect(page.get_by_role("status")).to_contain_text("You are signed in as ada.birch")

        handed = await page.evaluate("window.handed")
        assert list(handed) == ["user", "headers"]
        assert handed["user"] == "ada.birch"
        async with httpx.AsyncClient(verify=NO_TLS) as client:
            answer = await client.get(f"{visitor.root}/api/me", headers=handed["headers"])
        assert answer.json()["id"] == "ada.birch"


@pytest.mark.long
@pytest.mark.rule("R-2.3-3")
async def test_without_session_cookies_credentials_stay_in_memory_only(
    browser: Browser, demo_database: Path, tmp_path: Path
) -> None:
    shutil.copy(demo_database, tmp_path / "rostrum.db")
    config = config_for(f"sqlite:///{tmp_path}/rostrum.db", auth_basic={"useSessionCookie": False})
    with RunningManager(config) as running:
        async with visiting(browser, running) as someone:
            await someone.log_in()
            await someone.page.get_by_role("link", name="Applications").first.click()
            await expect(someone.page.get_by_role("link", name="order-blotter")).to_be_visible()
            assert await someone.page.context.cookies() == []
            stored = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
            assert PASSWORD not in await someone.page.evaluate(stored)

            await someone.page.reload()
            await expect(someone.page.get_by_role("form", name="Sign in")).to_be_visible()


@pytest.mark.rule("R-2.3-1")
@pytest.mark.rule("R-5-7")
async def test_another_way_of_signing_in_is_refused_by_name(
    browser: Browser, demo_database: Path, tmp_path: Path
) -> None:
    shutil.copy(demo_database, tmp_path / "rostrum.db")
    config = config_for(f"sqlite:///{tmp_path}/rostrum.db", admin={"auth": "okta"})
    with RunningManager(config) as running:
        async with visiting_again(browser, running) as someone:
            await someone.page.goto(f"{someone.root}/admin/")
            await expect(someone.page.get_by_role("alert")).to_contain_text("okta")
            await expect(someone.page.get_by_role("alert")).to_contain_text("Only basic is supported")


@pytest.mark.rule("R-1-9", "R-1-10")
async def test_a_user_without_rights_sees_only_their_own(browser: Browser, manager: RunningManager) -> None:
    async with visiting_again(browser, manager) as someone:
        await enter(someone.page.context, someone.root, "ada.birch")
        await someone.open("/", "Dashboard")
        await expect(someone.page.get_by_role("navigation").get_by_role("link")).to_have_text(
            ["Dashboard", "API tokens"]
        )
        await expect(someone.page.get_by_text("Order Blotter")).to_be_visible()

        await someone.open("/users")
        await expect(someone.page.get_by_role("alert")).to_contain_text("Permission required")


@pytest.mark.rule("R-1-10")
async def test_rights_in_part_offer_reading_without_writing(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    user = {"id": "reader", "password": PASSWORD, "groups": ["PLATFORM_MANAGER:APPS:READ"]}
    assert (await api.post("/admin/users", json=user)).status_code == 201
    async with visiting_again(browser, manager) as someone:
        await enter(someone.page.context, someone.root, "reader")
        # Of a long list, only the visible rows are in the page.
        await someone.open("/apps?q=order-blotter", "Applications")
        links = someone.page.get_by_role("navigation").get_by_role("link")
        await expect(links).to_have_text(
            ["Dashboard", "Applications", "Directory addresses", "Roll-outs", "API tokens"]
        )
        await expect(someone.page.get_by_role("link", name="New application")).to_have_count(0)

        await someone.page.get_by_role("link", name="order-blotter").click()
        await expect(someone.page.get_by_text("You have read-only access")).to_be_visible()
        await expect(someone.page.get_by_role("button", name="Delete")).to_have_count(0)
        await expect(someone.page.get_by_label("Title")).to_be_disabled()
