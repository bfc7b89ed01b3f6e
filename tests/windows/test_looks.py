"""How windows, the splash and the loader are drawn: settings that change what is on the screen."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import RunScript
from rostrum.desktop.hosts.port import Splash, WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import Focused, LoadFinished, PageCall
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.loader import Loader
from rostrum.desktop.windows.surface import Surface
from tests.ports import free_port
from tests.windows.cdp import Cdp
from tests.windows.display import Display
from tests.windows.real_host import RealHost, Site, real_host, site, window
from tests.windows.screen import Image, Rectangle, Screen, Window

GREEN, BLUE, KEY = (0, 255, 0), (0, 0, 255), (0xFD, 0x12, 0xEF)
ACCENT, STRIP = (0x25, 0x63, 0xC9), (0x1F, 0x5F, 0xBF)
BEHIND, FRONT = Bounds(100, 100, 700, 600), Bounds(200, 200, 300, 300)
BOX = "position:absolute;left:0;top:0;width:100px;height:100px;background:#0000ff;-webkit-app-region:drag"
PAGES: dict[str, str | bytes] = {
    "/behind": "<title>Behind</title><style>html{background:#00ff00}</style>",
    "/front": f"<title>Front</title><style>body{{margin:0}}</style><div id=box style='{BOX}'></div>",
}
SPLASH = Splash(
    width=400, height=240, url=None, build="7", version="10.1", always_on_top=True, in_taskbar=True, transparent=False
)
IN_BOX, BESIDE = (250, 250), (450, 250)
"""Points of the screen: in the box of the page in front, and to its right."""


def with_graphics_card(display: Display) -> Display:
    """Return the display for window processes that use OpenGL."""
    return replace(display, has_graphics_card=True)


async def shown_above(running: RealHost, pages: Site, surface: Surface) -> None:
    """Open a transparent window above another one."""
    details = {"mode": "frameless", "transparent": True}
    await running.host.open_window(
        window("front", pages.origin + "/front", FRONT, details=details, surface=surface, snapping=None)
    )
    await running.wait_for(LoadFinished, lambda one: one.instance == "front")


async def seen(screen: Screen, point: tuple[int, int], color: tuple[int, int, int]) -> None:
    await screen.until(f"{color} at {point}", lambda: screen.pixel(*point) == color)


SURFACES = (
    (Surface(transparency="KeyColor", key_color="#FD12EF"), 24),
    (Surface(transparency="Regions"), 32),
    (Surface(accelerated=True, regions="UseRegions"), 32),
    (Surface(accelerated=True, regions="UseAppRegion"), 32),
)
"""Each with the bits of a pixel: 32 with an alpha channel."""


@pytest.mark.long
@pytest.mark.rule("R-2.16-13", "R-2.16-16")
async def test_the_empty_parts_of_a_window_belong_to_what_is_behind_them(display: Display, screen: Screen) -> None:
    with site(PAGES) as pages:
        async with real_host(with_graphics_card(display)) as running:
            host = running.host
            await host.open_window(window("behind", pages.origin + "/behind", BEHIND))
            await seen(screen, BESIDE, GREEN)
            for surface, depth in SURFACES:
                await shown_above(running, pages, surface)
                await seen(screen, IN_BOX, BLUE)
                await seen(screen, BESIDE, GREEN)
                assert screen.depth(screen.window("Window front")) == depth
                # The shape follows the page.
                await host.act("front", RunScript(code="box.style.left = '200px'"))
                await seen(screen, BESIDE, BLUE)
                await seen(screen, IN_BOX, GREEN)
                running.forget()
                screen.click(*IN_BOX)
                await running.wait_for(Focused, lambda one: one.instance == "behind" and one.focused)
                await host.close_window("front")
            # Another colour is cut out when it is the key colour.
            await shown_above(running, pages, Surface(transparency="KeyColor", key_color="#0000ff"))
            await host.act("front", RunScript(code="box.style.background = '#fd12ef'"))
            await seen(screen, IN_BOX, KEY)
            await host.act("front", RunScript(code="box.style.background = '#0000ff'"))
            await seen(screen, IN_BOX, GREEN)
            await host.close_window("front")
            # Blended by the compositor, if there is one: the window has an alpha channel, and no shape.
            await shown_above(running, pages, Surface(transparency="Transparent"))
            await seen(screen, IN_BOX, BLUE)
            assert screen.depth(screen.window("Window front")) == 32
            assert screen.depth(screen.window("Window behind")) == 24


@pytest.mark.long
@pytest.mark.rule("R-2.16-12")
async def test_the_engine_draws_without_the_graphics_card_unless_acceleration_is_on(
    display: Display, screen: Screen
) -> None:
    for accelerated in (True, False):
        port = free_port()
        debugging = {"ROSTRUM_WINDOWS_DEBUGGING": f"127.0.0.1:{port}"}
        engine = Engine(accelerated=accelerated)
        with site(PAGES) as pages:
            async with real_host(with_graphics_card(display), engine, **debugging) as running:
                await running.host.open_window(window("behind", pages.origin + "/behind", BEHIND))
                await seen(screen, BESIDE, GREEN)
                info = await Cdp(port).system_info()
        assert ("--disable-gpu" in info["commandLine"].split()) is not accelerated
        # Without a graphics card it is unavailable, but not disabled.
        assert (info["gpu"]["featureStatus"]["opengl"] == "disabled_off") is not accelerated


async def splash_shown(host: WindowHost, screen: Screen, **members: Any) -> tuple[Window, Image]:
    """Show the splash; return its window and its picture, when it is drawn."""
    await host.hide_splash()
    await screen.until("no splash", lambda: screen.find("Rostrum is starting") is None)
    await host.show_splash(replace(SPLASH, **members))
    window = await screen.until("the splash", lambda: screen.find("Rostrum is starting"))
    await screen.until("its name", lambda: screen.image(window.bounds).count(ACCENT) > 0)
    return window, screen.image(window.bounds)


@pytest.mark.long
@pytest.mark.rule("R-2.8-8")
async def test_the_splash_shows_build_and_version_and_follows_its_settings(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    picture = tmp_path / "splash.png"
    picture.write_bytes(Image(2, 2, bytes(BLUE) * 4).png())
    with site(PAGES) as pages:
        async with real_host(display) as running:
            host = running.host
            first, usual = await splash_shown(host, screen)
            assert first.bounds == Rectangle(600, 330, 400, 240)
            assert "ABOVE" in first.states
            _, again = await splash_shown(host, screen)
            assert again == usual
            _, built = await splash_shown(host, screen, build="8")
            _, versioned = await splash_shown(host, screen, version="10.2")
            _, neither = await splash_shown(host, screen, build=None, version=None)
            assert len({usual, built, versioned, neither}) == 4
            small, _ = await splash_shown(host, screen, width=300, height=150, always_on_top=False)
            assert small.bounds == Rectangle(650, 375, 300, 150)
            assert "ABOVE" not in small.states
            kinds = screen.values(small, "_NET_WM_WINDOW_TYPE")
            hidden, _ = await splash_shown(host, screen, in_taskbar=False)
            assert screen.values(hidden, "_NET_WM_WINDOW_TYPE") != kinds
            assert screen.depth(hidden) == 24
            clear, _ = await splash_shown(host, screen, transparent=True)
            assert screen.depth(clear) == 32
            for url, color in ((str(picture), BLUE), (pages.origin + "/behind", GREEN)):
                await host.show_splash(replace(SPLASH, url=url))
                await seen(screen, (800, 450), color)


@pytest.mark.rule("R-2.13-3")
async def test_the_loader_has_its_size_title_and_page(display: Display, screen: Screen) -> None:
    with site(PAGES) as pages:
        async with real_host(display) as running:
            host = running.host
            await host.show_loader(Loader(width=300, height=100, title="One moment", url=pages.origin + "/behind"))
            loader = await screen.until("the loader", lambda: screen.find("One moment"))
            assert loader.bounds == Rectangle(650, 400, 300, 100)
            await seen(screen, (800, 450), GREEN)
            await host.show_loader(Loader(width=None, height=None, title=None, url=None))
            usual = await screen.until("the usual loader", lambda: screen.find("Restoring the layout"))
            assert usual.bounds == Rectangle(620, 360, 360, 180)
            await host.hide_loader()
            await screen.until("no loader", lambda: not screen.windows())


@pytest.mark.long
@pytest.mark.rule("R-2.15-11")
async def test_an_alert_shows_its_text_and_is_transparent_by_default(display: Display, screen: Screen) -> None:
    async with real_host(with_graphics_card(display)) as running:
        running.reports.handle(PageCall, alert_contents)
        for name, transparent, depth in (("clear", True, 32), ("opaque", False, 24)):
            details = {"mode": "frameless", "transparent": transparent, "focus": False}
            place = Bounds(1200, 20, 380, 90)
            request = WindowRequest(instance=name, kind="alert", title=name, details=details, bounds=place)
            await running.host.open_window(request)
            # The strip at its left edge.
            await seen(screen, (1203, 65), STRIP)
            assert screen.depth(screen.window(name)) == depth
            shown = RunScript(code="document.querySelector('#text').textContent + document.body.className")
            await running.until(
                partial(running.host.act, name, shown), lambda text: text == "Prices are latealert rounded"
            )
            await running.host.close_window(name)
            await screen.until("no alert", lambda: not screen.windows())


async def alert_contents(call: PageCall) -> Any:
    assert call.page == "alert"
    assert call.instance in ("clear", "opaque")
    return {"text": "Prices are late", "rounded": True} if call.method == "Pages.Alert" else {"scheme": "light"}
