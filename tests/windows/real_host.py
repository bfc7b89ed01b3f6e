"""The real window process on a display of the tests, without a platform: calls go in, reports come out."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, TypeVar, cast

from rostrum.desktop.hosts.port import PageAccess, WindowHost, WindowRequest
from rostrum.desktop.hosts.process import ProcessHost
from rostrum.desktop.hosts.reports import REPORTS, Reports
from rostrum.desktop.hosts.start import child_environment
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.snapping import SnapRules
from tests.windows.desk import engine_wanted
from tests.windows.display import Display
from tests.windows.prepared_windows import window_process
from tests.windows.screen import Rectangle

AnyReport = TypeVar("AnyReport")
SNAPPING = SnapRules(distance=50, gap=4, align=False, screen=None)
BLUE = "#0000ff"


def about(instance: str) -> Callable[[Any], bool]:
    """Return a condition that reports about a window fulfil."""
    return lambda report: bool(report.instance == instance)


def equal_to(wanted: object) -> Callable[[object], bool]:
    """Return a condition that equal reports fulfil."""
    return lambda report: report == wanted


@dataclass
class RealHost:
    """A running window process and what it has reported."""

    host: WindowHost
    process: ProcessHost
    reports: Reports
    heard: list[Any] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    instances: set[str] = field(default_factory=set)

    def hear(self, report: Any) -> None:
        self.heard.append(report)
        self.news.set()
        if instance := getattr(report, "instance", None):
            self.instances.add(instance)

    async def close_windows(self) -> None:
        """Close all windows that have reported something, and forget all reports."""
        for instance in self.instances:
            if self.host.bounds(instance) is not None:
                await self.host.close_window(instance)
        self.instances.clear()
        self.forget()

    async def wait_for(
        self, kind: type[AnyReport], fits: Callable[[AnyReport], bool] = lambda _: True, within: float = 30
    ) -> AnyReport:
        """Wait for a report that arrives, or has arrived since the last ``forget``."""
        try:
            async with asyncio.timeout(within):
                while True:
                    for one in self.heard:
                        if isinstance(one, kind) and fits(one):
                            return one
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise AssertionError(f"no {kind.__name__} within {within:g} s; reports: {self.heard}") from None

    async def until(self, ask: Callable[[], Awaitable[Any]], fits: Callable[[Any], bool]) -> Any:
        """Ask again and again until the answer fits; return it."""
        value = None
        for _ in range(1500):
            value = await ask()
            if fits(value):
                return value
            await asyncio.sleep(0.02)
        raise AssertionError(f"the last answer was {value!r}")

    def forget(self) -> None:
        """Forget all reports so far."""
        self.heard.clear()


@asynccontextmanager
async def real_host(display: Display, engine: Engine | None = None, **more: str) -> AsyncIterator[RealHost]:
    """Start the window process in test mode; it is gone at the end."""
    engine_wanted()
    environment = child_environment({**display.environment(), "ROSTRUM_WINDOWS_TEST": "1", **more})
    process = window_process(environment)
    running = RealHost(cast("WindowHost", process), process, Reports())
    for kind in REPORTS.values():
        running.reports.listen(kind, running.hear)
    await process.prepare(engine or Engine(), running.reports)
    try:
        await process.ready()
        yield running
    finally:
        await process.close()


class Site:
    """A web site on this machine."""

    def __init__(self, pages: dict[str, str | bytes], tls: ssl.SSLContext | None = None) -> None:
        self.pages = pages
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                found = site.pages.get(self.path.partition("?")[0])
                body = found if isinstance(found, bytes) else (found or "not found").encode()
                self.send_response(404 if found is None else 200)
                kind = "application/octet-stream" if isinstance(found, bytes) else "text/html; charset=utf-8"
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_port}"
        if tls is not None:
            # A browser that refuses the certificate breaks the handshake off, which is no fault of the server.
            self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def site(pages: dict[str, str | bytes], tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    """Serve pages from memory, over TLS if there is a certificate."""
    running = Site(pages, tls)
    try:
        yield running
    finally:
        running.close()


def window(instance: str, url: str, bounds: Bounds, **more: Any) -> WindowRequest:
    """Return a window with a page of an app whose only origin is that of the page."""
    origin = "/".join(url.split("/")[:3])
    more.setdefault("access", PageAccess(origins=(origin,), gateway="ws://127.0.0.1:1/gw"))
    more.setdefault("snapping", SNAPPING)
    details = {"url": url, **more.pop("details", {})}
    return WindowRequest(
        instance=instance,
        kind="window",
        app=instance,
        title=f"Window {instance}",
        details=details,
        bounds=bounds,
        **more,
    )


def rectangle(bounds: Bounds) -> Rectangle:
    """Convert to what the screen shows."""
    return Rectangle(round(bounds.left), round(bounds.top), round(bounds.width), round(bounds.height))
