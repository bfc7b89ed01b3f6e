"""Apps for groups and users: added on the page of a group, and granted next to a "no"."""

import httpx
import pytest
from playwright.async_api import Browser, Locator, Page

from rostrum.manager.server import RunningManager
from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import PASSWORD, Visitor, enter, visiting_again

READING = tuple(f"PLATFORM_MANAGER:{name}:READ" for name in ("APPS", "GROUPS", "USERS"))


async def make_group(api: httpx.AsyncClient, name: str, members: tuple[str, ...] = ()) -> None:
    assert (await api.post("/admin/groups", json={"name": name})).status_code == 201
    for member in members:
        made = await api.post("/admin/users", json={"id": member, "groups": [name]})
        assert made.status_code == 201, made.text


async def make_app(api: httpx.AsyncClient, name: str, access: tuple[str, ...] = (), *, disabled: bool = False) -> None:
    definition = {"name": name, "type": "window", "details": {"url": "https://apps.example.com/"}}
    body = {"definition": definition, "accessList": list(access), "disabled": disabled}
    made = await api.post("/admin/apps", json=body)
    assert made.status_code == 201, made.text


async def access_of(api: httpx.AsyncClient, app: str) -> list[str]:
    return list((await api.get(f"/admin/apps/{app}")).json()["accessList"])


def effect_in(dialog: Locator) -> Locator:
    return dialog.get_by_role("region", name="Effect on users")


async def choose_method(dialog: Locator, name: str) -> None:
    await dialog.get_by_role("radio", name=name).check()


async def choose_group(page: Page, dialog: Locator, name: str) -> None:
    await dialog.get_by_role("combobox", name="Group").click()
    await page.get_by_role("option", name=name, exact=True).click()


@pytest.mark.long
async def test_apps_are_added_to_a_group_in_one_batch_and_revoked_from_it_and_no_other_app_changes(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    await make_group(api, "Curve Desk", ("rates-1", "rates-2"))
    for name in ("rates-curve", "rates-blotter"):
        await make_app(api, name)
    await make_app(api, "rates-news", ("Curve Desk", "Research"))
    await make_app(api, "rates-other", ("Research",))
    await admin.open("/groups/Curve%20Desk?tab=apps", "Curve Desk")
    await page.get_by_role("button", name="Add apps…").click()
    dialog = page.get_by_role("dialog", name="Add apps to Curve Desk")
    apps = dialog.get_by_role("textbox", name="Apps").or_(dialog.get_by_role("combobox", name="Apps"))
    for name in ("rates-curve", "rates-blotter", "rates-news"):
        await apps.fill(name)
        await page.get_by_role("option", name=name, exact=True).click()
    await expect(dialog).to_contain_text("2 apps would change. 1 app is already in this state.")
    await expect(effect_in(dialog)).to_contain_text("Affects 2 of")
    await expect(effect_in(dialog).get_by_role("link", name="rates-1")).to_be_visible()
    await expect(effect_in(dialog)).to_contain_text("Receives the apps rates-blotter, rates-curve.")
    assert await access_of(api, "rates-curve") == []
    assert await admin.violations() == []

    await dialog.get_by_label("Ticket").fill("DESK-12")
    await dialog.get_by_role("button", name="Add 3 apps").click()
    await admin.notice("Added 2 apps to Curve Desk.")
    await expect(page.get_by_role("region", name="Apps of Curve Desk").get_by_role("link")).to_have_text(
        ["rates-blotter", "rates-curve", "rates-news"]
    )
    batches = (await api.get("/admin/batches/apps", params={"ticket": "DESK-12"})).json()["items"]
    assert [(batch["done"], batch["unchanged"]) for batch in batches] == [(2, 1)]
    assert await access_of(api, "rates-curve") == ["Curve Desk"]

    # All apps of the group are revoked from it.
    await page.get_by_role("checkbox", name="Select all").click()
    bar = page.get_by_role("region", name="Selection")
    await expect(bar).to_contain_text("All apps that match are selected")
    await bar.get_by_role("button", name="Revoke from groups").click()
    dialog = page.get_by_role("dialog", name="Revoke apps from groups")
    await expect(dialog).to_contain_text("3 apps would change.")
    await dialog.get_by_role("button", name="Revoke 3 apps from groups").click()
    await expect(page.get_by_text("Complete. 3 of 3 apps processed.")).to_be_visible()
    assert [await access_of(api, f"rates-{name}") for name in ("curve", "blotter", "news", "other")] == [
        [],
        [],
        ["Research"],
        ["Research"],
    ]


@pytest.mark.long
async def test_a_user_joins_a_group_that_has_the_app_and_another_app_is_assigned_to_the_user(
    admin: Visitor, api: httpx.AsyncClient
) -> None:
    page = admin.page
    await make_group(api, "Repo Desk", ("repo-1",))
    await make_group(api, "Repo Visitors", ("repo-2", "repo-3"))
    for name in ("repo-book", "repo-limits"):
        await make_app(api, name, ("Repo Desk",))
    await make_app(api, "repo-pricer")
    await admin.open("/users/repo-2?tab=apps&q=repo-book", "repo-2")
    row = page.get_by_role("row").filter(has_text="repo-book")
    await expect(row).to_contain_text("Requires membership in Repo Desk.")
    await row.get_by_role("button", name="Grant repo-book to repo-2").click()
    dialog = page.get_by_role("dialog", name="Grant repo-book to repo-2")

    # The only group that has the app is chosen already; the group gives more than this app.
    await expect(effect_in(dialog)).to_contain_text("Joins the group Repo Desk.")
    await expect(effect_in(dialog)).to_contain_text("Receives the apps repo-book, repo-limits.")
    assert await admin.violations() == []

    # A group of the user: its other members are affected too.
    await choose_method(dialog, "Grant the app to a group of the user")
    await expect(effect_in(dialog).get_by_role("link", name="repo-3")).to_be_visible()
    await choose_method(dialog, "Add the user to a group that has the app")
    await expect(effect_in(dialog)).to_contain_text("Affects 1 of")
    await expect(effect_in(dialog).get_by_role("link")).to_have_text(["repo-2"])

    await dialog.get_by_role("button", name="Add to Repo Desk").click()
    await admin.notice("Added repo-2 to Repo Desk.")
    await expect(row).to_contain_text("Available to the group Repo Desk.")
    await expect(row.get_by_role("button")).to_have_count(0)
    assert (await api.get("/admin/users/repo-2")).json()["groups"] == ["Repo Desk", "Repo Visitors"]
    assert await access_of(api, "repo-book") == ["Repo Desk"]

    # An app that no group has.
    await page.get_by_label("Find apps").fill("repo-pricer")
    await page.get_by_role("button", name="Grant repo-pricer to repo-2").click()
    dialog = page.get_by_role("dialog", name="Grant repo-pricer to repo-2")
    await choose_method(dialog, "Assign the app to the user")
    await expect(effect_in(dialog).get_by_role("link")).to_have_text(["repo-2"])
    await dialog.get_by_role("button", name="Assign to user").click()
    await admin.notice("Assigned repo-pricer to repo-2.")
    await expect(page.get_by_role("row").filter(has_text="repo-pricer")).to_contain_text(
        "Assigned to the user directly."
    )
    assert (await api.get("/admin/users/repo-2")).json()["apps"] == ["repo-pricer"]


async def test_an_app_is_granted_on_its_own_page(admin: Visitor, api: httpx.AsyncClient) -> None:
    page = admin.page
    await make_group(api, "Swaps Desk", ("swaps-1", "swaps-2"))
    await make_group(api, "Swaps Research", ())
    await api.patch("/admin/users/swaps-1", json={"groups": ["Swaps Desk", "Swaps Research"]})
    await make_app(api, "swaps-pricer", disabled=True)
    await admin.open("/apps/swaps-pricer", "swaps-pricer")
    asked = page.get_by_role("combobox", name="Check a user")
    await asked.fill("swaps-1")
    # All users are suggested until the server has answered; then the options move.
    await expect(page.get_by_role("option")).to_have_text(["swaps-1"])
    await page.get_by_role("option", name="swaps-1").click()
    grant = page.get_by_role("button", name="Grant swaps-pricer to swaps-1")

    # First the app must be enabled.
    await grant.click()
    dialog = page.get_by_role("dialog", name="Grant swaps-pricer to swaps-1")
    await expect(effect_in(dialog)).to_contain_text("Affects no users.")
    await dialog.get_by_role("button", name="Enable app").click()
    await admin.notice("Enabled swaps-pricer.")
    await expect(page.get_by_text("Not public, and not available to any group.")).to_be_visible()

    await grant.click()
    await choose_method(dialog, "Grant the app to a group of the user")
    await expect(dialog.get_by_role("button", name="Grant to group")).to_be_disabled()
    await choose_group(page, dialog, "Swaps Desk")
    await expect(effect_in(dialog).get_by_role("link")).to_have_text(["swaps-1", "swaps-2"])
    await dialog.get_by_role("button", name="Grant to Swaps Desk").click()
    await admin.notice("Granted swaps-pricer to Swaps Desk.")
    await expect(page.get_by_text("Available to the group Swaps Desk.")).to_be_visible()
    await expect(grant).to_have_count(0)
    assert await access_of(api, "swaps-pricer") == ["Swaps Desk"]


@pytest.mark.long
async def test_a_delegated_administrator_is_offered_only_what_is_permitted(
    browser: Browser, manager: RunningManager, api: httpx.AsyncClient
) -> None:
    await make_group(api, "Bonds Desk", ("bonds-1",))
    await make_app(api, "bonds-book", ("Bonds Desk",))
    await api.post("/admin/users", json={"id": "bonds-visitor", "groups": ["Bonds Visitors"]})
    await api.post("/admin/users", json={"id": "bonds-chief", "groups": ["PLATFORM_SERVER_ADMIN", "Bonds Visitors"]})
    await api.post("/admin/users", json={"id": "grants-reader", "password": PASSWORD, "groups": READING})
    sharing = (*READING, "PLATFORM_MANAGER:APPS:WRITE")
    await api.post("/admin/users", json={"id": "sharer", "password": PASSWORD, "groups": sharing})
    people = (*READING, "PLATFORM_MANAGER:USERS:WRITE")
    await api.post("/admin/users", json={"id": "people-admin", "password": PASSWORD, "groups": people})

    async with visiting_again(browser, manager) as visitor:
        page = visitor.page
        await enter(page.context, visitor.root, "grants-reader")
        await visitor.open("/users/bonds-visitor?tab=apps&q=bonds-book", "bonds-visitor")
        grant = page.get_by_role("button", name="Grant bonds-book to bonds-visitor")
        await expect(grant).to_have_attribute("aria-disabled", "true")
        await expect(grant).to_have_accessible_description(
            "Requires the permission to change users. Requires the permission to change apps."
        )
        await grant.click(force=True)
        await expect(page.get_by_role("dialog")).to_have_count(0)
        assert await visitor.violations() == []
        await visitor.go("/groups/Bonds%20Desk?tab=apps", "Bonds Desk")
        await expect(page.get_by_role("button", name="Add apps…")).to_have_accessible_description(
            "Requires the permission to change apps."
        )

    async with visiting_again(browser, manager) as visitor:
        page = visitor.page
        await enter(page.context, visitor.root, "sharer")
        await visitor.open("/users/bonds-visitor?tab=apps&q=bonds-book", "bonds-visitor")
        await page.get_by_role("button", name="Grant bonds-book to bonds-visitor").click()
        dialog = page.get_by_role("dialog", name="Grant bonds-book to bonds-visitor")
        await expect(dialog.get_by_role("radio", name="Assign the app to the user")).to_be_disabled()
        await expect(dialog.get_by_text("Requires the permission to change users.")).to_have_count(2)
        await expect(dialog.get_by_role("radio", name="Grant the app to a group of the user")).to_be_checked()
        assert await visitor.violations() == []

    async with visiting_again(browser, manager) as visitor:
        page = visitor.page
        await enter(page.context, visitor.root, "people-admin")
        await visitor.open("/users/bonds-chief?tab=apps&q=bonds-book", "bonds-chief")
        await expect(page.get_by_role("button", name="Grant bonds-book to bonds-chief")).to_have_accessible_description(
            "Requires permissions that you do not have: PLATFORM_SERVER_ADMIN. Requires the permission to change apps."
        )
