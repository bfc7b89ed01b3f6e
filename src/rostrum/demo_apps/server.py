"""AppServer: serves the pages of the demo firm's apps, from an origin of their own on this machine."""

import os
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import urlsplit

from rostrum.base.errors import RostrumError

_HOST = "127.0.0.1"
_ANY_APP = "/other/"
"""The page of every app that has none of its own."""
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
_IDLE_SECONDS = 30
# No Cross-Origin-Opener-Policy: an app in a window finds its FDC3 agent through the page that opened it.
_HEADERS = {
    # Sockets only to this machine, and frames only in pages of this machine: the ports of the gateway and of the
    # manager, which serves the browser platform, are not known here.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src ws://127.0.0.1:* ws://localhost:*; base-uri 'none'; form-action 'none'; "
        "frame-ancestors http://127.0.0.1:* http://localhost:*"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


class CannotServe(RostrumError):
    """No port for the demo apps could be opened."""


class AppServer:
    """A server in a thread of the demo's own process, so that no way of ending the demo leaves it behind.

    Attributes:
        origin: Where browsers on this machine find the pages.

    """

    def __init__(self, port: int = 0, host: str = _HOST) -> None:
        """Listen on a port, or on a free one if another program uses it.

        Browsers on this machine reach the pages, whatever the host: a container listens on all of its addresses, and
        forwards a port of its machine.
        """
        self._server = _listen(host, port)
        self.origin = f"http://{_HOST}:{self._server.server_port}"
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._server.serve_forever, name="rostrum-demo-apps", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Windows would let two programs listen on one port; elsewhere it lets a demo start again at once.
    allow_reuse_address = os.name != "nt"

    def __init__(self, host: str, port: int) -> None:
        super().__init__((host, port), _Handler)
        self.pages = _pages()
        self.hosts = frozenset({f"{_HOST}:{self.server_port}", f"localhost:{self.server_port}"})


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "rostrum-demo-apps"
    sys_version = ""
    timeout = _IDLE_SECONDS

    def do_GET(self) -> None:
        if self.headers.get("Host") not in self.server.hosts:
            # A name of somebody else that leads to this machine.
            return self._answer(HTTPStatus.MISDIRECTED_REQUEST, "text/plain", b"This server has another address.\n")
        path = urlsplit(self.path).path
        found = self.server.pages.get(path)
        if found is None and path.endswith("/") and path != "/":
            found = self.server.pages[_ANY_APP]
        if found is None:
            return self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"Page not found.\n")
        return self._answer(HTTPStatus.OK, *found)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _answer(self, status: HTTPStatus, media_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{media_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Write nothing: the terminal of the demo shows the manager."""


def _listen(host: str, port: int) -> _Server:
    try:
        return _Server(host, port)
    except OSError:
        pass
    try:
        return _Server(host, 0)
    except OSError as error:
        raise CannotServe(f"no port for the demo apps can be opened: {error.strerror or error}") from error


def _pages() -> dict[str, tuple[str, bytes]]:
    """Read every page into memory by its address; nothing else can be requested."""
    pages: dict[str, tuple[str, bytes]] = {}

    def add(folder: Traversable, address: str) -> None:
        for entry in folder.iterdir():
            if entry.is_dir():
                add(entry, f"{address}{entry.name}/")
                continue
            media_type = _TYPES.get(entry.name.rpartition(".")[2])
            if media_type is not None:
                pages[address if entry.name == "index.html" else address + entry.name] = media_type, entry.read_bytes()

    add(files(__package__) / "pages", "/")
    return pages
