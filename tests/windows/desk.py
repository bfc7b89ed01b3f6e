"""A desk of tests: the platform in this process, the real window process on a display, and pages from loopback."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.engine_libraries import missing_libraries
from rostrum.desktop.hosts.engines import installed_version
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.process import ProcessHost
from rostrum.desktop.hosts.reports import REPORTS, Report
from rostrum.desktop.hosts.start import child_environment
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.desktop.windows.geometry import Bounds
from rostrum.sources.load import Start
from tests.ports import free_port
from tests.windows import processes
from tests.windows.cdp import Cdp
from tests.windows.display import Display
from tests.windows.pages import Pages
from tests.windows.prepared_windows import COMMAND, window_process
from tests.windows.screen import WAIT, Rectangle, Screen, Window

SETTINGS: dict[str, Any] = {
    "gw": {"configuration": {"port": 0}},
    "appStores": [{"type": "path", "details": {"path": "apps"}}],
}
BORDER, CAPTION = 4, 30
"""The border of a window, and the height of its caption bar."""
_BUTTON, _STEP = 15, 30
_OWN = ("Rostrum menu", "Launcher", "Channel selector", "Restoring the layout")
"""The titles of windows of the platform itself."""


def engine_wanted() -> None:
    """These tests run wherever `make test` could install the engine; elsewhere they say what is missing."""
    problem = _engine_problem()
    if problem is not None:
        pytest.skip(problem)


@cache
def _engine_problem() -> str | None:
    if installed_version() is None:
        return "the browser engine is not installed: make test says why"
    missing = missing_libraries(child_environment(os.environ))
    if missing:
        return f"the browser engine needs {', '.join(missing)}: make test says how to install them"
    return None


def caption(window: Window) -> tuple[int, int]:
    """Return a point of the caption bar at which a window is grabbed."""
    return window.bounds.x + window.bounds.width // 2, window.bounds.y + BORDER + CAPTION // 2


def button(window: Window, name: str) -> tuple[int, int]:
    """Return the middle of the button close, maximize or minimize."""
    number = ("close", "maximize", "minimize").index(name)
    return window.bounds.right - BORDER - _BUTTON - number * _STEP, window.bounds.y + BORDER + CAPTION // 2


def page_area(window: Window) -> Rectangle:
    """Return where the page of a window is."""
    x, y, width, height = window.bounds
    return Rectangle(x + BORDER, y + BORDER + CAPTION, width - 2 * BORDER, height - 2 * BORDER - CAPTION)


class DeskOfTests:
    """A running platform with windows.

    Attributes:
        reported: What the window process has reported so far.

    """

    def __init__(self, platform: Platform, screen: Screen, cdp: Cdp, pages: Pages, root: Path) -> None:
        self.platform = platform
        self.screen = screen
        self.cdp = cdp
        self.pages = pages
        self.root = root
        self.reported: list[Report] = []
        for kind in REPORTS.values():
            platform.reports.listen(cast("type[Any]", kind), self.reported.append)

    @property
    def host(self) -> ProcessHost:
        """The window process, as the platform knows it."""
        return cast("ProcessHost", self.platform.host)

    def windows(self) -> list[Window]:
        """Return the windows of apps, the lowest first."""
        return [window for window in self.screen.windows() if window.title not in _OWN]

    async def divide(self, *monitors: tuple[str, Rectangle]) -> None:
        """Divide the screen into monitors, and wait until the platform knows exactly these."""
        self.screen.set_monitors(*monitors)
        places = [Bounds(*place) for _, place in monitors]
        await self.screen.until("the displays", lambda: [one.bounds for one in self.host.screens()] == places)

    async def start(self, app: str, **options: Any) -> tuple[str, Window]:
        """Start an app; return its instance and its window, when it is on the screen."""
        before = {window.id for window in self.windows()}
        instance = await self.platform.services.instances.start(app, **options)
        window = await self.screen.until(
            f"a window of {app}", lambda: next((w for w in self.windows() if w.id not in before), None)
        )
        return instance.id, window

    async def loaded(self, app: str, **options: Any) -> tuple[str, Window]:
        """Start an app, and wait until its page is loaded."""
        instance, window = await self.start(app, **options)
        await self.report("LoadFinished", instance)
        return instance, window

    async def focused(self, app: str, **options: Any) -> tuple[str, Window]:
        """Start an app, and wait until its window has the focus: people do not use it before."""
        instance, window = await self.start(app, **options)
        await self.report("Focused", instance, lambda one: one.focused)
        return instance, window

    async def drawn(self, address: str) -> None:
        """Wait until a page has drawn its text."""
        await self.cdp.drawn(address)

    async def report(self, name: str, instance: str, condition: Callable[[Any], bool] = lambda _: True) -> Any:
        """Wait for a report about a window."""
        kind = REPORTS[name]

        def found() -> Any:
            fits = (one for one in self.reported if isinstance(one, kind) and getattr(one, "instance", "") == instance)
            return next((one for one in fits if condition(one)), None)

        return await self.screen.until(f"the report {name}", found)

    async def act(self, instance: str, action: Any) -> Any:
        """Do something with a window."""
        return await self.platform.host.act(instance, action)

    async def now(self, window: Window, what: str, condition: Callable[[Window], bool]) -> Window:
        """Wait until a window is as a condition says."""

        def found() -> Window | None:
            seen = self.screen.if_open(window)
            return seen if seen is not None and condition(seen) else None

        return await self.screen.until(what, found)

    def _is_empty(self) -> bool:
        """Close pages of the platform that a failed test has left open, as a person does."""
        for window in self.windows():
            self.screen.ask_to_close(window)
        return not self.windows()

    async def close_all(self) -> None:
        """Close every window."""
        for instance in self.platform.services.instances.all:
            with suppress(DesktopError):
                await self.platform.services.instances.stop(instance.id)
        for record in self.platform.services.windows.registry.all:
            # Pages of other origins, which belong to no app.
            await self.platform.host.close_window(record.id)
        await self.screen.until("no window of an app", self._is_empty)
        self.reported.clear()


def write_desk(root: Path, apps: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any], origin: str) -> None:
    """Write the configuration of a desk; addresses that begin with / are those of pages.

    Apps may have a type and intents; everything else is a detail. Those of type web are FDC3 directory records.
    """
    (root / "config").mkdir(parents=True, exist_ok=True)
    (root / "config" / "system.json").write_text(json.dumps({**SETTINGS, **settings}))
    (root / "apps").mkdir(exist_ok=True)
    for name, details in apps.items():
        kind, own = str(details.get("type", "window")), {one: value for one, value in details.items() if one != "type"}
        top: dict[str, Any] = {one: own.pop(one) for one in ("intents", "interop") if one in own}
        if kind in ("window", "web"):
            address = str(details.get("url") or "/")
            own["url"] = f"{origin}{address}" if address.startswith("/") else address
        key = "appId" if kind == "web" else "name"
        definition: dict[str, Any] = {key: name, "type": kind, "title": name, "details": own, **top}
        (root / "apps" / f"{name}.json").write_text(json.dumps(definition))


def window_environment(display: Display, root: Path, port: int) -> dict[str, str]:
    """Return the environment of a window process of tests."""
    kept = {name: value for name, value in display.environment().items() if not name.startswith(("ROSTRUM_", "XDG_"))}
    return {
        **kept,
        "HOME": str(root),
        "ROSTRUM_WINDOWS_TEST": "1",
        "ROSTRUM_WINDOWS_DEBUGGING": f"127.0.0.1:{port}",
    }


async def _close_launcher(screen: Screen) -> None:
    """Close the launcher as a person does: it would cover windows of tests."""
    launcher = await screen.until("the launcher", lambda: screen.find("Launcher"))
    screen.ask_to_close(launcher)
    await screen.until("no launcher", lambda: screen.find("Launcher") is None)


@asynccontextmanager
async def running_desk(
    root: Path,
    display: Display,
    screen: Screen,
    pages: Pages,
    apps: Mapping[str, Mapping[str, Any]],
    settings: Mapping[str, Any] | None = None,
    command: Sequence[str] = COMMAND,
) -> AsyncIterator[DeskOfTests]:
    """Start a platform with windows; it is gone at the end, and so are all its processes."""
    write_desk(root, apps, settings or {}, pages.address)
    port = free_port()
    host = window_process(child_environment(window_environment(display, root, port)), command)

    async def ask(_: str) -> Login | None:
        return None

    start = Start(root=root, variables={"PATH": os.environ["PATH"], "USER": "ann", "DISPLAY": display.name})
    platform = Platform(start, cast("WindowHost", host), ask, headless=False)
    with processes.none_left():
        await platform.start()
        try:
            async with asyncio.timeout(WAIT):
                await host.ready()
            await _close_launcher(screen)
            yield DeskOfTests(platform, screen, Cdp(port), pages, root)
        finally:
            await platform.stop()
