"""Layouts and the splash on the screen: no window is ever seen at another place than its own."""

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rostrum.desktop.hosts.actions import Focus, SetState, SetZoom
from rostrum.desktop.hosts.port import Bounds, Splash
from rostrum.desktop.services.methods import Operation
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


class Watch:
    """Everything that was on the screen for a while, polled on a separate connection."""

    def __init__(self, display: str) -> None:
        self.seen: list[tuple[Window, ...]] = []
        self._display = display
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch of the screen")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def places(self, title: str) -> set[Rectangle]:
        return {window.bounds for windows in self.seen for window in windows if window.title == title}

    def _look(self) -> None:
        with closing(Screen(self._display)) as screen:
            while not self._done.wait(0.002):
                self.seen.append(tuple(screen.windows()))


@contextmanager
def watching(display: Display) -> Iterator[Watch]:
    watch = Watch(display.name)
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()


async def test_restored_windows_are_seen_at_their_place_only(desk: DeskOfTests, display: Display) -> None:
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

    with watching(display) as watch:
        assert await layouts.restore(MORNING) == ()
        await desk.screen.until("the windows", lambda: len(desk.windows()) == 3 or None)
        for instance in instances.all:
            await desk.report("LoadFinished", instance.id)

    assert watch.places("one") == {before["one"].bounds} == {Rectangle(700, 120, 420, 310)}
    again = {window.title: window for window in desk.windows()}
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
                await the_loader_is_seen(desk, display)

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


async def the_loader_is_seen(desk: DeskOfTests, display: Display) -> None:
    """Restore a layout, and look at what is shown meanwhile."""
    await desk.loaded("one")
    layouts = desk.platform.services.layouts
    await layouts.save("Morning")
    await desk.close_all()

    async def after_loader(operation: Operation) -> Operation:
        await desk.screen.until("the page of the loader", lambda: "/loader/ann" in desk.pages.requests or None)
        await desk.screen.until("the loader", lambda: desk.screen.find("One moment"))
        return operation

    # The app starts when the loader is on the screen, and not before: it is closed as soon as the app runs.
    desk.platform.services.interceptors.register("one", "Apps", "Start", after_loader, caller="one")
    with watching(display) as watch:
        await layouts.restore(MORNING)
    assert watch.places("One moment") == {Rectangle(650, 390, 300, 120)}
    await desk.screen.until("no loader", lambda: desk.screen.find("One moment") is None)
