"""Every page opens, and axe finds nothing that somebody could not use, in light colours and in dark ones."""

import httpx
import pytest

from tests.chromium import expect
from tests.end_to_end.admin_ui.conftest import Visitor, enter

LISTS = {
    "apps": "Applications",
    "directories": "Directory addresses",
    "layouts": "Layouts",
    "preferences": "Preferences",
    "configs": "System configuration",
    "users": "Users",
    "groups": "Groups",
    "sessions": "Sessions",
    "machines": "Machines",
    "commands": "Commands",
    "command-runs": "Command runs",
    "crash-groups": "Crashes",
    "crashes": "Crashes",
    "feedback": "Feedback",
    "audit": "Audit",
}
FORMS = {
    "apps/-/new": "New application",
    "apps/-/import": "Import applications",
    "layouts/-/new": "New layout",
    "layouts/-/import": "Import layouts",
    "preferences/-/new": "New preference",
    "configs/-/new": "New configuration file",
    "configs/-/files": "Configuration files",
    "tokens": "Your API tokens",
    "tokens/-/all": "API tokens of all users",
    "compare?left=ada.birch&right=ben.calder": "Compare",
    "users/-/new": "New user",
    "groups/-/new": "New group",
    "commands/-/new": "Send a command",
    "command-runs/-/new": "New command run",
    "server": "Server",
}
TABS = ("users/ada.birch", "groups/Trading")
FAULTS = {
    "label": "<input>",
    "button-name": "<button type=button> </button>",
    "link-name": "<a href=#content></a>",
    "list": "<ul><p>Text</p></ul>",
    "heading-order": "<h6>Text</h6>",
    "landmark-no-duplicate-main": "<main>Text</main>",
    "aria-valid-attr-value": "<button type=button aria-expanded=perhaps>Text</button>",
    "aria-hidden-focus": "<p aria-hidden=true><button type=button>Text</button></p>",
}
IN_API = {"preferences": "prefs"}


@pytest.mark.long
@pytest.mark.parametrize("pages", [LISTS, FORMS], ids=["lists", "forms"])
async def test_lists_and_forms(admin: Visitor, pages: dict[str, str]) -> None:
    await admin.open("/", "Dashboard")
    found = {"": await faults(admin)} if pages is LISTS else {}
    for path, heading in pages.items():
        await admin.go(f"/{path}", heading)
        found[path] = await faults(admin)
    assert {path: each for path, each in found.items() if each} == {}


async def test_documents_with_the_name_of_a_page_are_documents(admin: Visitor, api: httpx.AsyncClient) -> None:
    await admin.open("/", "Dashboard")
    for name in ("new", "gd", "-"):
        assert (await api.post("/admin/users", json={"id": name})).status_code == 201
        await admin.go(f"/users/{name}", name)
    await admin.open("/users/gd", "gd")
    for name in ("new", "gd", "-"):
        assert (await api.delete(f"/admin/users/{name}")).status_code == 204


@pytest.mark.long
async def test_one_of_everything(admin: Visitor, api: httpx.AsyncClient) -> None:
    await admin.open("/", "Dashboard")
    found = {}
    # A directory address has no page of its own, and the demo has no command runs.
    for name in LISTS.keys() - {"directories", "command-runs"}:
        items = (await api.get(f"/admin/{IN_API.get(name, name)}", params={"limit": 1})).json()["items"]
        path = f"/{name}/{items[0].get('id') or items[0].get('name') or items[0]['number']}"
        await admin.go(path)
        found[path] = await faults(admin)
    assert {path: each for path, each in found.items() if each} == {}


@pytest.mark.long
async def test_every_tab(admin: Visitor) -> None:
    found = {}
    await admin.open("/", "Dashboard")
    for path in TABS:
        await admin.go(f"/{path}")
        tabs = admin.page.get_by_role("tab")
        await expect(tabs.first).to_be_visible()
        for name in (await tabs.all_inner_texts())[1:]:
            await admin.page.get_by_role("tab", name=name, exact=True).click()
            await expect(admin.page.get_by_role("tab", name=name, exact=True)).to_have_attribute(
                "aria-selected", "true"
            )
            found[f"{path} {name}"] = await faults(admin)
    assert {path: each for path, each in found.items() if each} == {}


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "colour"), [("light", "#c8c8c8"), ("dark", "#383838")])
async def test_a_colour_that_cannot_be_read_is_found_in_each_scheme(admin: Visitor, scheme: str, colour: str) -> None:
    await admin.open("/tokens", "Your API tokens")
    assert await faults(admin) == []
    title = admin.page.get_by_role("heading", level=1)
    for _ in range(2):
        await title.evaluate("(title, colour) => { title.style.color = colour; }", colour)
        [found] = await admin.violations()
        assert found.startswith(f"{scheme}: color-contrast: <h1")
        await title.evaluate("title => { title.style.color = ''; }")
        assert await admin.violations() == []


@pytest.mark.long
async def test_a_link_that_looks_like_the_text_around_it_is_found(admin: Visitor) -> None:
    await admin.open("/tokens", "Your API tokens")
    main = admin.page.locator("main").first
    await main.evaluate("main => main.insertAdjacentHTML('beforeend', '<p>Text with <a href=#content>a link</a>.</p>')")
    assert await faults(admin) == []
    link = main.get_by_text("a link")
    for _ in range(2):
        await link.evaluate("link => Object.assign(link.style, {color: '#333', textDecoration: 'none'})")
        assert any(each.startswith("light: link-in-text-block: <a") for each in await admin.violations())
        await link.evaluate("link => Object.assign(link.style, {color: '', textDecoration: ''})")
        assert await admin.violations() == []
    await main.evaluate("main => main.lastElementChild.remove()")


@pytest.mark.long
async def test_a_fault_is_found_on_a_page_that_was_examined_before(admin: Visitor) -> None:
    every_fault = "".join(FAULTS.values())
    await admin.open("/tokens", "Your API tokens")
    assert await faults(admin) == []
    main = admin.page.locator("main").first
    count = await main.locator("> *").count()
    for _ in range(2):
        await main.evaluate("(main, html) => main.insertAdjacentHTML('beforeend', html)", every_fault)
        found = {each.partition(": ")[0] for each in await admin.violations()}
        assert FAULTS.keys() <= found
        await main.evaluate("(main, count) => [...main.children].slice(count).forEach(each => each.remove())", count)
        assert await admin.violations() == []


async def test_without_motion_controls_change_at_once(admin: Visitor) -> None:
    await admin.open("/users", "Users")
    duration = "() => getComputedStyle(document.querySelector('main input')).transitionDuration"
    assert await admin.page.evaluate(duration) == "0s"
    await admin.page.emulate_media(reduced_motion="no-preference")
    assert await admin.page.evaluate(duration) != "0s"
    await admin.page.emulate_media(reduced_motion="reduce")


@pytest.mark.long
async def test_log_in_and_what_is_not_there(visitor: Visitor) -> None:
    await visitor.page.goto(f"{visitor.root}/admin/")
    await expect(visitor.page.get_by_role("form", name="Sign in")).to_be_visible()
    assert await visitor.violations() == []
    await enter(visitor.page.context, visitor.root)
    await visitor.open("/no/such/page", "Page not found")
    assert await visitor.violations() == []
    for path in ("apps", "layouts", "preferences", "configs", "users", "groups", "sessions", "machines", "commands"):
        await visitor.go(f"/{path}/nothing-of-this-name")
        await expect(visitor.page.get_by_role("alert")).to_contain_text("Not found")


async def test_a_small_screen_has_the_navigation_behind_a_button(admin: Visitor) -> None:
    await admin.page.set_viewport_size({"width": 420, "height": 800})
    await admin.open("/apps", "Applications")
    await expect(admin.page.get_by_role("link", name="Users")).not_to_be_in_viewport()
    await admin.page.get_by_role("button", name="Navigation").click()
    await admin.page.get_by_role("link", name="Users").click()
    await expect(admin.page.get_by_role("heading", level=1)).to_have_text("Users")
    assert await admin.violations() == []


async def faults(visitor: Visitor) -> list[str]:
    """Wait until everything asked for has come, then ask axe."""
    await expect(visitor.page.get_by_role("status", name="Loading")).to_have_count(0)
    return await visitor.violations()
