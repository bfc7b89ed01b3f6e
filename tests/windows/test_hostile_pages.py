"""Attacks by the page of an app on the machine and on a page of another site, in real windows."""

import json
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import PrintToPdf
from rostrum.desktop.hosts.reports import DownloadProgressed, LoadFinished
from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests
from tests.windows.pages import Pages, page
from tests.windows.test_services import library

pytestmark = pytest.mark.asyncio(loop_scope="module")

START = """<script src="/library.js"></script><script>
  IODesktop({ appManager: "full" }).then((io) => { window.io = io; });
</script><a id=file href=/file download=pwn.json>file</a>"""
PAGES = {
    "/hostile": page("Hostile", START),
    "/victim": page("Victim", START),
    "/library.js": library,
    "/file": (200, {"Content-Type": "application/octet-stream"}, b"content"),
}
PLACE = {"left": 100, "top": 100, "width": 500, "height": 400}
APPS: dict[str, dict[str, Any]] = {
    "hostile": {"url": "/hostile", **PLACE},
    "victim": {"url": "/victim", **PLACE, "left": 700},
}
SETTINGS = {
    "appStores": [{"type": "path", "details": {"path": "apps"}}, {"type": "in-memory"}],
    # Other rules than the right to navigate are attacked.
    "appRights": {"navigation": ["hostile"]},
}
PROGRAM = '{"name": "pwn", "type": "exe", "details": {"command": "/bin/true"}}'


REFUSED = """(async () => {
  try { %s } catch (error) { return error instanceof Error ? error.message : JSON.stringify(error); }
  return "";
})()"""


async def refused(page: Page, call: str) -> str:
    """Return the reason for which a call of a page is refused; empty if it is not."""
    return str(await page.evaluate(REFUSED % f"await {call}"))


async def start_on_other_site(desk: DeskOfTests, evil: Pages, name: str = "evil") -> str:
    """Start an app whose page is on another site than those of the other apps."""
    evil.answers["/evil"] = page("Evil", START)
    evil.answers["/library.js"] = library
    known = desk.platform.services.apps.definition
    definition = {"name": name, "type": "window", "details": {"url": f"{evil.address}/evil", **PLACE}}
    (desk.root / "apps" / "evil.json").write_text(json.dumps(definition))
    await desk.screen.until("the app on the other site", lambda: known(name) == definition)
    instance, _ = await desk.loaded(name)
    return instance


async def test_a_definition_of_a_page_reaches_neither_the_machine_nor_another_site(
    desk: DeskOfTests, evil: Pages
) -> None:
    evil.answers["/bank"] = page("Bank", "<script>document.cookie = 'session=1'</script>")
    await desk.loaded("hostile")
    async with desk.cdp.page("/hostile") as inside:
        await inside.until("!!window.io")
        for name, details in (
            ("download", {"url": f"{desk.pages.address}/file", "downloadSettings": {"path": str(desk.root / "apps")}}),
            ("script", {"url": f"{evil.address}/bank", "preloadScripts": [f"{desk.pages.address}/library.js"]}),
        ):
            definition = json.dumps({"name": name, "type": "window", "details": {**details, "hidden": True}})
            reason = await refused(inside, f"io.appManager.inMemory.import([{definition}], 'merge')")
            assert "reaches further than its page" in reason
    assert not {"download", "script"} & desk.platform.services.apps.definitions().keys()


OTHER_PATHS = ("//127.0.0.2/share", "\\\\127.0.0.2\\share", " /etc/hostname")


@pytest.mark.parametrize(
    "address", ["/etc/hostname", *(pytest.param(one, marks=pytest.mark.long) for one in OTHER_PATHS)]
)
async def test_a_page_shows_no_files_however_their_address_is_written(desk: DeskOfTests, address: str) -> None:
    victim, _ = await desk.loaded("victim")
    await desk.loaded("hostile")
    written = json.dumps(address)
    async with desk.cdp.page("/hostile") as inside:
        await inside.until("!!window.io")
        definition = f"{{ name: 'file', type: 'window', details: {{ url: {written} }} }}"
        for call in (
            f"io.windows.open('file', {written})",
            f"io.windows.my().navigate({written})",
            f"io.windows.findById('{victim}').navigate({written})",
            f"io.appManager.inMemory.import([{definition}], 'merge')"
            ".then(() => io.appManager.application('file').start())",
        ):
            assert "must " in await refused(inside, call), call
        await inside.evaluate("io.appManager.inMemory.clear()")
    assert all(one.url.startswith("http://") for one in desk.platform.services.windows.registry.all)
    assert not [one for one in desk.reported if isinstance(one, LoadFinished) and not one.url.startswith("http://")]


async def test_a_page_does_not_receive_what_the_user_types_into_another_app(desk: DeskOfTests, evil: Pages) -> None:
    await start_on_other_site(desk, evil)
    _, window = await desk.loaded("victim")
    keys = [*"secret7", "Enter", "shift+s", "ctrl+c", "alt+f4", "shift+tab"]
    async with desk.cdp.page("/evil") as inside, desk.cdp.page("/victim") as victim:
        await inside.until("!!window.io")
        await inside.evaluate("window.heard = []")
        for key in keys:
            written = json.dumps(key)
            call = f"io.hotkeys.register({written}, () => heard.push({written}))"
            assert "because users" in await refused(inside, call), key
        assert desk.platform.services.hotkeys.all == {}
        await victim.evaluate("document.body.append(Object.assign(document.createElement('input'), { id: 'secret' }))")
        desk.screen.activate(window)
        await victim.until("document.hasFocus() && (document.getElementById('secret').focus(), true)")
        for key in "secret7":
            desk.screen.key(key)
        await victim.until("document.getElementById('secret').value === 'secret7'")
        assert await inside.evaluate("heard") == []


@pytest.mark.long
async def test_a_page_does_nothing_in_the_name_of_an_app_on_another_site(desk: DeskOfTests, evil: Pages) -> None:
    victim, _ = await desk.loaded("victim")
    await start_on_other_site(desk, evil)
    async with desk.cdp.page("/evil") as inside, desk.cdp.page("/victim") as other:
        await inside.until("!!window.io")
        await other.until("!!window.io")
        window = f"io.windows.findById('{victim}')"
        for call, right in (
            (f"{window}.navigate('{evil.address}/evil')", "navigation"),
            (f"{window}.download('data:text/plain,x', {{ silent: true }})", "downloads"),
            (f"{window}.printToPDF()", "printing"),
            (f"{window}.showDevTools()", "devTools"),
        ):
            assert f"appRights.{right}" in await refused(inside, call), call
        # A click that the evil page wants is not one by the platform.
        await other.evaluate(
            "window.paidBy = []; io.interop.register('Pay', (_, by) => { paidBy.push(by.application); })"
        )
        await inside.until("io.interop.methods({ name: 'Pay' }).length")
        raised = "{ title: 'News', clickInterop: { method: 'Pay', arguments: { amount: 7 } } }"
        await inside.evaluate(f"io.notifications.raise({raised}).then((one) => io.notifications.click(one.id))")
        await other.until("paidBy.length")
        assert await other.evaluate("paidBy") == ["evil"]
        raised = await other.evaluate("io.notifications.raise({ title: 'Transfer?' }).then((one) => one.id)")
        assert "notificationClicks" in await refused(inside, f"io.notifications.click('{raised}')")
    assert not [one for one in desk.reported if isinstance(one, DownloadProgressed)]


@pytest.mark.long
async def test_the_name_of_an_app_does_not_move_a_printed_file_to_another_folder(
    desk: DeskOfTests, evil: Pages
) -> None:
    instance = await start_on_other_site(desk, evil, f"../{desk.root.name}/apps/away")
    written = Path(await desk.act(instance, PrintToPdf(options={})))
    assert (written.parent, written.name.startswith("away-")) == (Path(gettempdir()), True)
    written.unlink()  # noqa: ASYNC240 - a test may wait for the disk


@pytest.mark.parametrize(
    "folder",
    ["apps", *(pytest.param(one, marks=pytest.mark.long) for one in ("config", ".config/autostart", "link/autostart"))],
)
async def test_downloads_never_go_into_folders_that_run_programs(desk: DeskOfTests, folder: str) -> None:
    if not (link := desk.root / "link").is_symlink():
        (desk.root / ".config").mkdir(exist_ok=True)
        link.symlink_to(desk.root / ".config")
    before = set(desk.root.rglob("pwn*"))
    details = {"downloadSettings": {"path": str(desk.root / folder)}}
    await desk.loaded("hostile", details=details)
    async with desk.cdp.page("/hostile") as inside:
        await inside.until("!!window.io")
        await inside.evaluate("document.getElementById('file').click()")
        reason = await refused(
            inside, f"io.windows.my().download('data:application/json,{PROGRAM}', {{ name: 'pwn.json', silent: true }})"
        )
    assert "the folder for downloads cannot be used" in reason
    assert not [one for one in desk.reported if isinstance(one, DownloadProgressed)]
    assert set(desk.root.rglob("pwn*")) == before
    assert desk.platform.services.apps.definition("pwn") is None


async def test_a_click_on_a_notification_calls_the_method_as_the_app_that_raised_it(
    desk: DeskOfTests, evil: Pages
) -> None:
    await desk.loaded("victim")
    await start_on_other_site(desk, evil)
    async with desk.cdp.page("/evil") as inside, desk.cdp.page("/victim") as other:
        await inside.until("!!window.io")
        await other.until("!!window.io")
        await other.evaluate(
            "window.paidBy = []; io.interop.register('Pay', (_, by) => { paidBy.push(by.application); })"
        )
        await inside.until("io.interop.methods({ name: 'Pay' }).length")
        raised = "{ title: 'News', clickInterop: { method: 'Pay', arguments: { amount: 7 } } }"
        await inside.evaluate(f"io.notifications.raise({raised}).then((one) => {{ window.raised = one.id; }})")
        # The user, and not the page, clicks on the toast.
        await desk.platform.services.notifications.click(await inside.evaluate("raised"))
        await other.until("paidBy.length")
        assert await other.evaluate("paidBy") == ["evil"]


async def test_a_page_changes_no_definition_that_a_page_of_another_site_has_added(
    desk: DeskOfTests, evil: Pages
) -> None:
    await desk.loaded("victim")
    await start_on_other_site(desk, evil)

    def definition(url: str) -> str:
        return f"[{{ name: 'shared', type: 'window', details: {{ url: '{url}' }} }}]"

    own = f"{desk.pages.address}/victim"
    async with desk.cdp.page("/evil") as inside, desk.cdp.page("/victim") as other:
        await inside.until("!!window.io")
        await other.until("!!window.io")
        await other.evaluate(f"io.appManager.inMemory.import({definition(own)}, 'merge').then(() => 1)")
        for mode in ("merge", "replace"):
            call = f"io.appManager.inMemory.import({definition(f'{evil.address}/evil')}, '{mode}')"
            assert "another app has defined it" in await refused(inside, call)
        await refused(inside, "io.appManager.inMemory.remove('shared')")
        await refused(inside, "io.appManager.inMemory.clear()")
        assert await inside.evaluate("io.appManager.inMemory.export().then((all) => all.length)") == 0
        await inside.evaluate("io.appManager.application('shared').start().then(() => 1)")
        known = desk.platform.services.apps.definition("shared")
        assert known is not None
        assert known["details"]["url"] == own
        await other.evaluate("io.appManager.inMemory.clear().then(() => 1)")


CLICKS = "<a id=file href=/file download=NAME>file</a><script>document.getElementById('file').click()</script>"
EMBEDS = """new Promise((done) => {
  document.body.append(Object.assign(document.createElement("iframe"), { src: "ADDRESS", onload: () => done(1) }));
})"""


@pytest.mark.long
@pytest.mark.parametrize(("folder", "is_allowed"), [("apps", False), ("files", True)])
async def test_a_frame_of_another_origin_downloads_only_where_its_page_may(
    desk: DeskOfTests, evil: Pages, folder: str, is_allowed: bool
) -> None:
    evil.answers["/file"] = 200, {"Content-Type": "application/octet-stream"}, b"content"
    evil.answers["/frame"] = page("Frame", CLICKS.replace("NAME", "framed.json"))
    details = {"downloadSettings": {"path": str(desk.root / folder)}}
    await desk.loaded("hostile", details=details)
    async with desk.cdp.page("/hostile") as inside:
        await inside.until("!!window.io")
        await inside.evaluate(EMBEDS.replace("ADDRESS", f"{evil.address}/frame"))
        if is_allowed:
            file = desk.root / folder / "framed.json"
            await desk.screen.until("the file", lambda: file.exists() or None)
            return
        await desk.screen.until("the request", lambda: "/file" in evil.requests or None)
        # The download of the frame is decided before this one.
        later = "io.windows.my().download('data:text/plain,x', { name: 'later.txt', silent: true })"
        assert "cannot be used" in await refused(inside, later)
    assert not [one for one in desk.reported if isinstance(one, DownloadProgressed)]
    assert [*desk.root.rglob("framed*")] == []
