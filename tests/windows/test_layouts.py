"""Layouts and the splash on the screen: no window is ever seen at another place than its own."""

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from rostrum.desktop.hosts.actions import Focus, SetState, SetZoom
from rostrum.desktop.hosts.port import Bounds
from rostrum.stores.layouts.store import LayoutKey
from tests.windows.desk import DeskOfTests, running_desk
from tests.windows.display import Display
from tests.windows.pages import page, served
from tests.windows.screen import Rectangle, Screen, Window

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGES = {"/one": page("One", "")}
APPS = {name: {"url": "/one", "left": 50, "top": 50, "width": 300, "height": 200} for name in ("one", "two", "three")}
MORNING = LayoutKey("Global", "Morning")
SPLASH = (350, 233)


class Watch:
    """Everything that was on the screen for a while: looked at all the time, on a connection of its own."""

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
        self.splashes: list[Window] | None = None
        self._screen = screen

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "gateway: running":
            self.splashes = splashes(self._screen.windows())


def splashes(windows: Iterable[Window]) -> list[Window]:
    return [one for one in windows if (one.bounds.width, one.bounds.height) == SPLASH]


async def test_the_splash_is_seen_before_the_gateway_listens_until_all_is_ready_and_at_the_end(
    display: Display, screen: Screen, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    steps, at_gateway = logging.getLogger("rostrum.desktop.steps"), AtGateway(screen)
    caplog.set_level(logging.INFO, steps.name)
    steps.addHandler(at_gateway)
    try:
        with served(PAGES) as pages:
            # A busy machine needs longer than the usual limit for the start of the window process.
            patient = {"splash": {"timeout": 60_000}}
            async with running_desk(tmp_path, display, screen, pages, APPS, patient) as desk:
                assert len(at_gateway.splashes or ()) == 1
                await screen.until("no splash", lambda: not splashes(screen.windows()) or None)
                with watching(display) as watch:
                    await desk.platform.stop()
    finally:
        steps.removeHandler(at_gateway)
    assert any(splashes(windows) for windows in watch.seen)
    assert splashes(screen.windows()) == []
