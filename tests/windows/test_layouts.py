"""Layouts and the splash on the screen: no window is ever seen at another place than its own."""

import json
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rostrum.desktop.hosts.actions import Focus, SetState, SetZoom
from rostrum.desktop.hosts.port import Splash
from rostrum.desktop.services.methods import Operation
from rostrum.desktop.windows.geometry import Bounds
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.desk import DeskOfTests, running_desk
from tests.windows.display import Display
from tests.windows.pages import Answer, page, served
from tests.windows.screen import Image, Rectangle, Screen, Window

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGES = {"/one": page("One", "")}
APPS = {name: {"url": "/one", "left": 50, "top": 50, "width": 300, "height": 200} for name in ("one", "two", "three")}
MORNING = LayoutKey("Global", "Morning")
SPLASH = "Rostrum is starting"
BLUE = "#0000ff"
ACCENT = (0x25, 0x63, 0xC9)


@pytest.mark.long
async def test_restored_windows_are_seen_at_their_place_only(desk: DeskOfTests) -> None:
    layouts, instances, host = desk.platform.services.layouts, desk.platform.services.instances, desk.platform.host
    one, two, three = [(await desk.loaded(name))[0] for name in ("one", "two", "three")]
    await host.move_window(one, Bounds(700, 120, 420, 310))
    await host.move_window(two, Bounds(400, 500, 350, 250))
    await desk.act(one, SetZoom(factor=1.5))
    await desk.act(two, SetState(state="maximized"))
    await desk.act(three, SetState(state="minimized"))
    await desk.act(one, Focus())
    await desk.report("StateChanged", three, lambda report: report.state == "minimized")
    registry = desk.platform.services.windows.registry
    await desk.screen.until("the order of the windows", lambda: registry.stacked[-1] == one or None)
    before = {window.title: window for window in desk.windows()}
    saved = await layouts.save("Morning")
    for instance in instances.all:
        await instances.stop(instance.id)
    await desk.screen.until("no window", lambda: not desk.windows() or None)

    with desk.screen.watched() as seen:
        assert await layouts.restore(MORNING) == ()
        await desk.screen.until("the windows", lambda: len(desk.windows()) == 3 or None)
        for instance in instances.all:
            await desk.report("LoadFinished", instance.id)

    again = {window.title: window for window in desk.windows()}
    assert seen[desk.screen.outer(again["one"])] == [before["one"].bounds] == [Rectangle(700, 120, 420, 310)]
    assert again["two"].is_maximized
    assert again["two"].bounds == before["two"].bounds
    assert again["three"].is_minimized
    assert [window.title for window in desk.windows() if window.title != "three"] == ["two", "one"]
    restored = {one.app: one.id for one in instances.all}
    assert registry.find(restored["one"]).zoom == 1.5
    await desk.act(restored["two"], SetState(state="normal"))
    await desk.now(again["two"], "the place before", lambda now: now.bounds == Rectangle(400, 500, 350, 250))
    await desk.act(restored["two"], SetState(state="maximized"))
    await desk.report("StateChanged", restored["two"], lambda report: report.state == "maximized")
    assert [one["state"]["bounds"] for one in (await layouts.save("Morning"))["components"]] == [
        one["state"]["bounds"] for one in saved["components"]
    ]


class AtGateway(logging.Handler):
    """Looks at the screen at the moment when the start of the gateway begins."""

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self.splash: Window | None = None
        self.picture: Image | None = None
        self._screen = screen

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "gateway: running":
            self.splash = self._screen.find(SPLASH)
            if self.splash is not None:
                self.picture = self._screen.image(self.splash.bounds)


def configuration() -> Answer:
    """Answer as a remote source of configuration does."""
    contents = {"build": "of the firm", "uiVersion": "Spring"}
    body = json.dumps({"system.json": {"contents": contents}}).encode()
    return 200, {"Content-Type": "application/json"}, body


@pytest.mark.rule("R-2.8-8", "R-2.13-3", "R-2.15-2")
async def test_splash_and_loader_are_shown_as_configured_locally_and_the_splash_also_at_the_end(
    display: Display, screen: Screen, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    steps, at_gateway = logging.getLogger("rostrum.desktop.steps"), AtGateway(screen)
    seen_at_end: list[str] = []
    caplog.set_level(logging.INFO, steps.name)
    steps.addHandler(at_gateway)
    try:
        with served({**PAGES, "/configuration": configuration, "/loader/ann": page("Loader", color=BLUE)}) as pages:
            settings = {
                # A busy machine needs longer than the usual limit for the start of the window process.
                "splash": {"timeout": 60_000, "width": 350, "height": 233},
                "build": "7",
                "uiVersion": "local",
                "interception": {"enabled": True, "applications": ["one"]},
                "systemConfigurations": {"sources": [{"type": "rest", "source": f"{pages.address}/configuration"}]},
                "layouts": {
                    "splash": {
                        "width": 300,
                        "height": 120,
                        "title": "One moment",
                        "url": f"{pages.address}/loader/%USER%",
                    }
                },
            }
            async with running_desk(tmp_path, display, screen, pages, APPS, settings) as desk:
                assert at_gateway.splash is not None
                assert at_gateway.splash.bounds[2:] == (350, 233)
                await screen.until("no splash", lambda: screen.find(SPLASH) is None)
                await the_splash_had_local_values(desk, at_gateway)
                await the_loader_is_seen(desk)

                async def the_splash_is_seen() -> None:
                    await screen.until("the splash at the end", lambda: screen.find(SPLASH))
                    seen_at_end.append(SPLASH)

                # The parts of the platform are closed while the splash is shown, this one first.
                desk.platform._parts.push_async_callback(the_splash_is_seen)
                await desk.platform.stop()
    finally:
        steps.removeHandler(at_gateway)
    assert seen_at_end == [SPLASH]
    assert screen.find(SPLASH) is None


async def the_splash_had_local_values(desk: DeskOfTests, start: AtGateway) -> None:
    """Compare what was seen at the start with splashes of known contents."""
    status = desk.platform.status()
    assert (status["build"], status["uiVersion"]) == ("of the firm", "Spring")
    values = Splash(
        width=350,
        height=233,
        url=None,
        build="7",
        version="local",
        always_on_top=None,
        in_taskbar=True,
        transparent=True,
    )
    pictures = []

    def has_name(splash: Window) -> bool:
        return desk.screen.image(splash.bounds).count(ACCENT) > 0

    for shown in (values, replace(values, build="of the firm"), replace(values, version="Spring")):
        await desk.platform.host.show_splash(shown)
        window = await desk.screen.until("the splash", lambda: desk.screen.find(SPLASH))
        await desk.screen.until("its name", partial(has_name, window))
        pictures.append(desk.screen.image(window.bounds))
        await desk.platform.host.hide_splash()
        await desk.screen.until("no splash", lambda: desk.screen.find(SPLASH) is None)
    assert [picture == start.picture for picture in pictures] == [True, False, False]


async def the_loader_is_seen(desk: DeskOfTests) -> None:
    """Restore a layout, and look at what is shown meanwhile."""
    await desk.loaded("one")
    layouts = desk.platform.services.layouts
    await layouts.save("Morning")
    await desk.close_all()
    loaders: list[int] = []

    async def after_loader(operation: Operation) -> Operation:
        await desk.screen.until("the page of the loader", lambda: "/loader/ann" in desk.pages.requests or None)
        loader = await desk.screen.until("the loader", lambda: desk.screen.find("One moment"))
        loaders.append(desk.screen.outer(loader))
        return operation

    # The app starts when the loader is on the screen, and not before: it is closed as soon as the app runs.
    desk.platform.services.interceptors.register("one", "Apps", "Start", after_loader, caller="one")
    with desk.screen.watched() as seen:
        await layouts.restore(MORNING)
    (loader,) = loaders
    assert seen[loader] == [Rectangle(650, 390, 300, 120)]
    await desk.screen.until("no loader", lambda: desk.screen.find("One moment") is None)
