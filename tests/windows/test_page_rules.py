"""Rules for pages in real windows: certificates, windows that pages open, downloads, permissions, headers, loaders."""

import asyncio
from pathlib import Path
from threading import Event

import pytest

from rostrum.desktop.hosts.actions import Reload
from rostrum.desktop.hosts.port import PageAccess, WindowRequest
from rostrum.desktop.hosts.reports import LoadFailed, LoadFinished
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.page_access import PageSecurity
from tests.certificates import self_signed
from tests.windows.desk import DeskOfTests, button, page_area
from tests.windows.display import Display
from tests.windows.pages import Answer, page
from tests.windows.real_host import real_host, site, window
from tests.windows.screen import Screen, Window

pytestmark = pytest.mark.asyncio(loop_scope="module")

GREEN, MAGENTA = (0, 255, 0), (255, 0, 255)
SLOW = Event()


def slow() -> Answer:
    SLOW.wait(60)
    return page("Slow")


PAGES = {
    "/one": page("One", "<a id=file href=/file download=report.bin>file</a>"),
    "/two": page("Two"),
    "/slow": slow,
    "/file": (200, {"Content-Type": "application/octet-stream"}, b"content"),
}
PLACE = {"left": 200, "top": 150, "width": 500, "height": 400}
APPS = {
    "open": {"url": "/one", **PLACE, "windowOpen": {"allowed": "^http://[^/]+/two$"}},
    "closed": {"url": "/one", **PLACE, "nativeWindowOpen": "off"},
    "slow": {"url": "/slow", **PLACE, "loader": {"enabled": True, "background": "#ff00ff"}},
    "headers": {
        "url": "/one",
        **PLACE,
        "urlLoadOptions": {"extraHeaders": "X-Desk: 7\nReferer: https://firm.example/"},
    },
}
SETTINGS = {"windows": {"security": {"permissions": ["geolocation"]}}}
PERMISSION = """new Promise((done) => navigator.geolocation.getCurrentPosition(
  () => done("found"), (error) => done(error.code === error.PERMISSION_DENIED ? "denied" : "granted"), { timeout: 1 }
))"""


@pytest.mark.long
async def test_an_invalid_certificate_is_refused_unless_the_settings_or_the_person_accept_it(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    with site({"/": "<title>Secret</title>"}, tls=self_signed(tmp_path)) as pages:

        def request(name: str, origin: str, security: PageSecurity) -> WindowRequest:
            access = PageAccess(origins=(origin,), gateway="ws://127.0.0.1:1/gw", security=security)
            return window(name, origin + "/", Bounds(100, 120, 500, 400), access=access)

        async with real_host(display) as running:
            host, origin = running.host, pages.origin
            await host.open_window(request("denied", origin, PageSecurity()))
            await running.wait_for(LoadFailed, lambda one: one.instance == "denied")
            await host.open_window(request("asked", origin, PageSecurity(certificate_errors="ask")))
            await screen.until("the question", lambda: (one := screen.active()) and one.title == "Rostrum")
            screen.key("Escape")
            await running.wait_for(LoadFailed, lambda one: one.instance == "asked")
            assert pages.asked == []
            await screen.until("no question", lambda: screen.find("Rostrum") is None)
            # The second button accepts it.
            await host.act("asked", Reload())
            await screen.until("the question", lambda: (one := screen.active()) and one.title == "Rostrum")
            screen.key("Tab")
            screen.key("space")
            await running.wait_for(LoadFinished, lambda one: one.instance == "asked")
            other = origin.replace("127.0.0.1", "localhost")
            await host.open_window(request("allowed", other, PageSecurity(certificate_errors="allow")))
            await running.wait_for(LoadFinished, lambda one: one.instance == "allowed")


async def test_pages_open_only_the_windows_that_their_definition_allows(desk: DeskOfTests) -> None:
    await desk.loaded("closed")
    registry = desk.platform.services.windows.registry
    async with desk.cdp.page("/one") as inside:
        await inside.evaluate("void (window.opened = window.open('/two'))")
        await inside.until("!opened || opened.closed")
        assert len(registry.all) == 1
    await desk.close_all()
    await desk.loaded("open")
    async with desk.cdp.page("/one") as inside:
        await inside.evaluate("void (window.opened = window.open('/one?other'))")
        await inside.until("!opened || opened.closed")
        await inside.evaluate("void window.open('/two')")
        async with desk.cdp.page("/two") as other:
            await other.until("document.title === 'Two'")
    assert sorted(one.url.rpartition("/")[2] for one in registry.all) == ["one", "two"]


async def test_files_are_stored_in_the_folder_of_the_definition(desk: DeskOfTests, tmp_path: Path) -> None:
    instance, _ = await desk.loaded("closed", details={"downloadSettings": {"path": str(tmp_path / "files")}})
    async with desk.cdp.page("/one") as inside:
        await inside.evaluate("document.getElementById('file').click()")
    done = await desk.report("DownloadProgressed", instance, lambda one: one.state == "completed")
    assert done.path == str(tmp_path / "files" / "report.bin")
    assert (tmp_path / "files" / "report.bin").read_bytes() == b"content"


async def test_pages_get_the_permissions_of_the_settings_and_no_others(desk: DeskOfTests) -> None:
    await desk.loaded("open")
    async with desk.cdp.page("/one") as inside:
        assert await inside.evaluate(PERMISSION) == "granted"
        assert await inside.evaluate("Notification.requestPermission()") == "denied"
        camera = "navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'granted', (error) => error.name)"
        assert await inside.evaluate(camera) in ("NotAllowedError", "NotFoundError")


async def test_the_headers_of_the_definition_are_sent_with_the_first_request(desk: DeskOfTests) -> None:
    await desk.loaded("headers")
    sent = desk.pages.headers["/one"]
    # A referrer with which the engine would load nothing is left out.
    assert (sent["X-Desk"], sent.get("Referer")) == ("7", None)


async def test_a_loader_covers_the_page_until_it_is_loaded(desk: DeskOfTests) -> None:
    SLOW.clear()
    instance, window_of_app = await desk.start("slow")
    place = page_area(window_of_app)
    corner = place.x + 5, place.y + 5
    try:
        await desk.screen.until("the loader", lambda: desk.screen.pixel(*corner) == MAGENTA)
        covered = desk.screen.pixel(*corner), any(isinstance(one, LoadFinished) for one in desk.reported)
    finally:
        SLOW.set()
    assert covered == (MAGENTA, False)
    await desk.report("LoadFinished", instance)
    assert await desk.screen.until("the page", lambda: desk.screen.pixel(*corner) == GREEN)


@pytest.mark.rule("R-2.15-12")
async def test_a_person_decides_about_a_window_whose_app_prevents_its_closing_or_the_shutdown(
    desk: DeskOfTests,
) -> None:
    screen, guards = desk.screen, desk.platform.services.windows.guards

    async def question(app: str) -> tuple[str, Window]:
        instance, shown = await desk.loaded(app)
        guards.hold("close", instance, "an order is not sent")
        await screen.until("the focus", lambda: (one := screen.active()) and one.id == shown.id)
        screen.click(*button(shown, "close"))
        await screen.until("the question", lambda: (one := screen.active()) and one.title == "Rostrum")
        return instance, shown

    _, stays = await question("open")
    screen.key("Escape")
    await screen.until("no question", lambda: screen.find("Rostrum") is None)
    # The second button closes the window.
    instance, goes = await question("closed")
    screen.key("Tab")
    screen.key("space")
    await desk.report("WindowClosed", instance)
    await screen.until("the window is gone", lambda: screen.if_open(goes) is None)
    assert screen.if_open(stays) is not None
    # Nobody is asked about the layout, which has changed: that question is off by default.
    layouts = desk.platform.services.layouts
    await layouts.save("Morning")
    instance, _ = await desk.loaded("closed")
    assert layouts.changed
    assert await layouts.confirm_unsaved_changes()
    guards.hold("shutdown", instance, "an order is not sent")
    leaving = asyncio.create_task(desk.platform.services.control.leave())
    await screen.until("the question", lambda: (one := screen.active()) and one.title == "Rostrum")
    screen.key("Escape")
    assert await leaving is False
    await screen.until("no question", lambda: screen.find("Rostrum") is None)
    assert not desk.platform.shutdown.requested.is_set()
