"""Two administrators at once, a manager that goes away, history, and a second database."""

import asyncio
from urllib.parse import quote

import httpx
import pytest
from playwright.async_api import Browser

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import (
    PASSWORD,
    Visitor,
    config_for,
    enter,
    fill_with_demo,
    visiting,
    visiting_again,
)
from tests.plain_http import NO_TLS


async def make_app(api: httpx.AsyncClient, name: str, **members: object) -> None:
    definition = {"name": name, "type": "window", "title": "First", "details": {"url": "https://apps.example.com/"}}
    assert (await api.post("/admin/apps", json={"definition": definition, **members})).status_code == 201


@pytest.mark.long
async def test_two_administrators_choose_place_by_place(
    browser: Browser, manager: RunningManager, admin: Visitor, api: httpx.AsyncClient
) -> None:
    await make_app(api, "shared-work")
    mine = admin.page
    await admin.open("/apps/shared-work", "shared-work")
    await mine.get_by_label("Title").fill("Mine")
    await mine.get_by_label("Caption").fill("my caption")
    async with visiting_again(browser, manager) as other:
        await enter(other.page.context, other.root)
        await other.open("/apps/shared-work", "shared-work")
        await other.page.get_by_label("Title").fill("Theirs")
        await other.page.get_by_role("switch", name="Public").check()
        await other.page.get_by_role("button", name="Save").click()
        await other.notice("Saved.")

    await mine.get_by_role("button", name="Save").click()
    dialog = mine.get_by_role("dialog", name="Another user has changed this document")
    await expect(dialog).to_contain_text("definition.title")
    await expect(dialog.get_by_text('"Theirs"')).to_be_visible()
    await dialog.get_by_role("radiogroup", name="Keep for definition.title").get_by_text("Mine").click()
    await dialog.get_by_role("button", name="Apply choices").click()
    await expect(mine.get_by_label("Title")).to_have_value("Mine")
    await expect(mine.get_by_role("switch", name="Public")).to_be_checked()
    assert (await api.get("/admin/apps/shared-work")).json()["definition"]["title"] == "Theirs"

    await mine.get_by_role("button", name="Save").click()
    await admin.notice("Saved.")
    saved = (await api.get("/admin/apps/shared-work")).json()
    assert (saved["definition"]["title"], saved["definition"]["caption"]) == ("Mine", "my caption")
    assert saved["public"] is True
    await api.delete("/admin/apps/shared-work")


async def test_what_others_delete_meanwhile_is_reported_and_nothing_typed_is_lost(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    await make_app(api, "short-lived")
    await admin.open("/apps/short-lived", "short-lived")
    await admin.page.get_by_label("Title").fill("Typed")
    await api.delete("/admin/apps/short-lived")
    await admin.page.get_by_role("button", name="Save").click()
    await expect(admin.page.get_by_role("alert")).to_contain_text("Not saved. Your changes are still on this page.")
    await expect(admin.page.get_by_label("Title")).to_have_value("Typed")


@pytest.mark.long
async def test_an_older_revision_is_compared_and_brought_back(admin: Visitor, api: httpx.AsyncClient) -> None:
    await make_app(api, "long-lived")
    await api.patch("/admin/apps/long-lived", json={"public": True})
    page = admin.page
    await admin.open("/apps/long-lived", "long-lived")
    await page.get_by_role("button", name="History").click()
    drawer = page.get_by_role("dialog", name="History")
    await drawer.get_by_role("button", name="created by admin").click()
    await expect(drawer.get_by_role("row", name="public")).to_contain_text("false")
    assert await admin.violations() == []
    await drawer.get_by_role("button", name="into the editor").click()
    await expect(page.get_by_role("switch", name="Public")).not_to_be_checked()
    await page.get_by_role("button", name="Save").click()
    await admin.notice("Saved.")
    assert (await api.get("/admin/apps/long-lived")).json()["public"] is False

    await admin.open("/audit", "Audit")
    await page.get_by_label("ID or name").fill("long-lived")
    await expect(page.get_by_role("row")).to_have_count(4)
    await page.locator("tbody").get_by_role("link").first.click()
    await expect(page.get_by_role("row", name="public")).to_contain_text("true")
    await api.delete("/admin/apps/long-lived")


@pytest.mark.long
async def test_while_the_manager_is_offline_the_page_shows_a_banner_and_continues_afterwards(
    browser: Browser, own_manager: RunningManager
) -> None:
    async with visiting(browser, own_manager) as admin:
        page = admin.page
        await enter(page.context, admin.root)
        await admin.open("/apps/order-blotter", "order-blotter")
        await page.get_by_label("Title").fill("Typed before")
        # A list in another window, which nobody touches meanwhile.
        window = await page.context.new_page()
        async with window.expect_response(lambda answer: answer.url.endswith("/api/events")):
            await window.goto(f"{admin.root}/admin/users")
        await expect(window.get_by_role("link", name="ada.birch")).to_be_visible()
        await asyncio.to_thread(own_manager.stop)
        away = window.get_by_text("The manager does not respond. The data on this page may be outdated")
        await expect(away).to_be_visible()
        await expect(window.get_by_role("link", name="ada.birch")).to_be_visible()
        await page.get_by_role("button", name="Save").click()
        await expect(
            page.get_by_text("The manager does not respond. The data on this page may be outdated")
        ).to_be_visible()
        await expect(page.get_by_role("alert").filter(has_text="Not saved")).to_be_visible()
        await expect(page.get_by_label("Title")).to_have_value("Typed before")

        with await asyncio.to_thread(RunningManager, own_manager.config) as back:
            await expect(
                page.get_by_text("The manager does not respond. The data on this page may be outdated")
            ).to_have_count(0)
            await page.get_by_role("button", name="Save").click()
            await admin.notice("Saved.")
            async with httpx.AsyncClient(base_url=back.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api:
                app = (await api.get("/admin/apps/order-blotter")).json()
                await api.post("/admin/users", json={"id": "ada.after"})
            assert app["definition"]["title"] == "Typed before"
            await expect(away).to_have_count(0)
            await window.get_by_label("Search", exact=True).fill("ada.a")
            await expect(window.get_by_role("link", name="ada.after")).to_be_visible()


@pytest.mark.long
async def test_the_same_on_postgresql(browser: Browser, postgresql: str) -> None:
    config = config_for(postgresql)
    await fill_with_demo(config)
    with await asyncio.to_thread(RunningManager, config) as running:
        async with visiting_again(browser, running) as admin:
            page = admin.page
            await admin.log_in()
            await page.get_by_role("link", name="Applications").first.click()
            await page.get_by_label("Search", exact=True).fill("blotter")
            await expect(page.get_by_role("link", name="chat-panel")).to_have_count(0)
            await page.get_by_role("link", name="order-blotter").click()
            await page.get_by_label("Title").fill("Blotter")
            await page.get_by_role("button", name="Save").click()
            await admin.notice("Saved.")
            await page.get_by_role("link", name="Users").click()
            await page.get_by_role("link", name="ada.birch").click()
            await page.get_by_role("tab", name="Applications").click()
            await expect(page.get_by_role("row", name="order-blotter")).to_contain_text("yes")
            for path in ("layouts", "configs", "groups", "sessions", "commands", "crashes", "feedback", "audit"):
                await admin.go(f"/{path}")
                await expect(page.get_by_role("alert")).to_have_count(0)


ODD = ("a/b c 50% & more?#", "ünï-çødé 漢字 '\"{{7*7}}<img src=x onerror=alert(1)>")


@pytest.mark.long
async def test_odd_names_and_hostile_words_are_only_words(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/", "Dashboard")
    for name in ODD:
        evil = f"{name}`<script>window.hurt = 1</script><b onmouseover=x>javascript:alert(1)"
        await make_app(api, name, accessList=[name])
        app = (await api.get("/admin/apps", params={"name": name})).json()["items"][0]
        definition = {**app["definition"], "title": evil, "icon": "javascript:alert(1)"}
        path = f"/admin/apps/{quote(name, safe='')}"
        await api.patch(path, json={"definition": definition})
        await admin.go("/apps", "Applications")
        await page.get_by_label("Search", exact=True).fill(name)
        await expect(page.get_by_role("link", name="chat-panel")).to_have_count(0)
        await page.get_by_role("link", name=name, exact=True).click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(name)
        await expect(page.get_by_label("Title")).to_have_value(evil)
        await page.get_by_label("Caption").fill(evil)
        await page.get_by_role("button", name="Save").click()
        await admin.notice("Saved.")
        assert (await api.get(path)).json()["definition"]["caption"] == evil
        await page.get_by_role("link", name=name, exact=True).first.click()
        await expect(page.get_by_role("tab").first).to_be_visible()
        await expect(page.get_by_role("heading", level=1)).to_have_text(name)
        await expect(page.locator("img[onerror], b[onmouseover]")).to_have_count(0)
        await api.delete(path)
        await api.delete(path.replace("/apps/", "/groups/"))
    assert await page.evaluate("window.hurt") is None


HOSTILE = "<img src=x onerror='window.hurt=1'><script>window.hurt=1</script>"


@pytest.mark.long
async def test_hostile_words_in_every_kind_of_document_are_only_words(
    browser: Browser, second_manager: RunningManager
) -> None:
    async with (
        visiting_again(browser, second_manager) as admin,
        httpx.AsyncClient(base_url=second_manager.base_url, auth=("admin", PASSWORD), verify=NO_TLS) as api,
    ):
        page = admin.page
        await enter(page.context, admin.root)
        layout = {"name": HOSTILE, "type": "Global", "token": HOSTILE, "components": []}
        opening = {
            "machine": {"name": HOSTILE, "os": HOSTILE, "cpu": HOSTILE, HOSTILE: HOSTILE},
            "version": "10.1",
            "env": HOSTILE,
            "region": HOSTILE,
            "product": HOSTILE,
        }
        made = {
            "groups": await api.post("/admin/groups", json={"name": HOSTILE}),
            "users": await api.post("/admin/users", json={"id": HOSTILE, "groups": [HOSTILE], "apps": [HOSTILE]}),
            "layouts": await api.post("/admin/layouts", json={"definition": layout, "owner": "*", "public": True}),
            "preferences": await api.post(
                "/admin/prefs", json={"user": "eli.farrow", "app": HOSTILE, "data": {HOSTILE: HOSTILE}}
            ),
            "configs": await api.post(
                "/admin/configs", json={"file": "words.json", "contents": {HOSTILE: HOSTILE}, "group": HOSTILE}
            ),
            "sessions": await api.post("/sessions", json=opening),
        }
        assert {kind: answer.status_code for kind, answer in made.items()} == dict.fromkeys(made, 201)
        session = made["sessions"].json()["id"]
        command = {"session": session, "command": "GetLogs", "params": {HOSTILE: HOSTILE}}
        await api.post("/admin/commands", json=command)
        [sent] = (await api.get("/admin/commands", params={"session": session})).json()["items"]
        result = {"status": "failed", "data": {HOSTILE: HOSTILE}}
        await api.post(f"/sessions/{session}/commands/{sent['id']}/result", json=result)
        await api.post("/feedback", data={"description": HOSTILE})
        dump = {"upload_file_minidump": ("x.dmp", b"MDMP dump")}
        await api.post("/crashes", data={"_version": HOSTILE, "_productName": HOSTILE, HOSTILE: HOSTILE}, files=dump)

        await admin.open("/", "Dashboard")
        for path in ("groups", "users", "layouts", "preferences", "configs", "sessions", "machines"):
            await admin.go(f"/{path}")
        for path in ("commands", "feedback", "crashes", "audit"):
            await admin.go(f"/{path}")
            await expect(page.locator("tbody").get_by_role("link").first).to_be_visible()
        for kind, answer in made.items():
            body = answer.json()
            await admin.go(f"/{kind}/{quote(body['name'] if kind == 'groups' else body['id'], safe='')}")
            await expect(page.get_by_role("alert")).to_have_count(0)
        # What is typed into fields, what tabs, dialogs and entries of the audit show.
        user = quote(HOSTILE, safe="")
        await admin.go(f"/users/{user}", HOSTILE)
        for tab, shown in (("Applications", "Reason"), ("Layouts", "Reason"), ("Configuration", "Effective value")):
            await page.get_by_role("tab", name=tab).click()
            await expect(page.get_by_role("columnheader", name=shown)).to_be_visible()
        await admin.go(f"/groups/{user}?tab=members", HOSTILE)
        await page.get_by_role("button", name="Remove ").click()
        await page.get_by_role("button", name="Show details").click()
        await expect(page.get_by_role("dialog")).to_contain_text(f"Leaves the group {HOSTILE}.")
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Discard").click()
        for kind in ("crashes", "feedback"):
            [report] = (await api.get(f"/admin/{kind}", params={"limit": 1, "sort": "-received"})).json()["items"]
            await admin.go(f"/{kind}/{report['id']}")
            await page.get_by_label("Comment").fill(HOSTILE)
            await page.get_by_role("button", name="Save").click()
            await admin.notice("Saved.")
            await expect(page.get_by_label("Comment")).to_have_value(HOSTILE)
        [entry] = (await api.get("/admin/audit", params={"limit": 1, "sort": "-number"})).json()["items"]
        await admin.go(f"/audit/{entry['number']}", f"Entry {entry['number']}")
        await expect(page.get_by_text("window.hurt").first).to_be_visible()
        await page.keyboard.press("Control+k")
        await page.get_by_role("dialog").get_by_role("combobox").fill(HOSTILE)
        await expect(page.get_by_role("option").filter(has_text=HOSTILE).first).to_be_visible()
        await page.keyboard.press("Escape")
        await admin.go(f"/users?q={user}&group={user}&sort=id", "Users")
        await expect(page.get_by_role("link", name=HOSTILE, exact=True)).to_be_visible()
        await admin.go(f"/commands/{sent['id']}", "GetLogs")
        await expect(page.get_by_text("window.hurt").first).to_be_visible()
        assert await page.evaluate("window.hurt") is None
        await expect(page.locator("img[onerror]")).to_have_count(0)


async def test_changes_by_others_are_visible_immediately(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    async with visiting(browser, manager) as admin:
        page = admin.page
        await enter(page.context, admin.root)
        async with page.expect_response(lambda answer: answer.url.endswith("/api/events")):
            await admin.open("/apps?q=live-", "Applications")
        await expect(page.get_by_text("No results")).to_be_visible()
        # All windows with the same cookies have this clock.
        await page.clock.install()
        await make_app(api, "live-one")
        # The clock of the page stands still: only the stream can have announced it.
        await expect(page.get_by_role("link", name="live-one")).to_be_visible()
        await api.delete("/admin/apps/live-one")


async def test_what_a_change_would_do_is_reported_before_saving(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await admin.open("/apps/clearing-console", "clearing-console")
    await page.get_by_role("switch", name="Public").check()
    await page.get_by_role("button", name="Show details").click()
    dialog = page.get_by_role("dialog", name="Effect of this change")
    await expect(dialog).to_contain_text("Affects ")
    await expect(dialog).to_contain_text("Receives the app clearing-console.")
    assert await admin.violations() == []
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Discard").click()
    assert (await api.get("/admin/apps/clearing-console")).json()["public"] is False


async def test_the_chain_of_the_audit_is_verified(admin: Visitor) -> None:
    page = admin.page
    await admin.open("/audit", "Audit")
    await page.get_by_role("button", name="Verify audit log").click()
    verdict = page.get_by_role("dialog").get_by_role("status")
    await expect(verdict).to_contain_text("No entry was modified or deleted")
