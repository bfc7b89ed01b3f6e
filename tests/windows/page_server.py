"""Pages of apps, served from loopback with the unmodified client libraries of npm."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LIBRARIES = Path(__file__).parents[1] / "gateway" / "node" / "node_modules"
LIBRARY = {
    "/interopio.js": LIBRARIES / "@interopio" / "desktop" / "dist" / "desktop.umd.js",
    "/glue42.js": LIBRARIES / "@glue42" / "desktop" / "dist" / "desktop.umd.js",
}


@dataclass
class PageServer:
    """A server with pages that tests write.

    Attributes:
        pages: The body of each path; what begins with ``//`` is a script.
        headers: Further headers of the response of a path.
        requests: The paths that were requested.

    """

    origin: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    headers: dict[str, Mapping[str, str]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def answer(self, path: str) -> tuple[str, bytes] | None:
        if path in LIBRARY:
            return "text/javascript", LIBRARY[path].read_bytes()
        body = self.pages.get(path)
        if body is None:
            return None
        return "text/javascript" if body.startswith("//") else "text/html; charset=utf-8", body.encode()


@contextmanager
def serving_pages(**pages: str) -> Iterator[PageServer]:
    """Serve pages by their names, such as ``index``, until the end of the block."""
    served = PageServer(pages={f"/{name}": body for name, body in pages.items()})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            served.requests.append(self.path)
            found = served.answer(path)
            self.send_response(404 if found is None else 200)
            kind, body = found or ("text/plain", b"not found")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in served.headers.get(path, {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Write nothing: a page that is left in the middle of a response is nothing to report."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Write nothing, for the same reason."""

    server = Server(("127.0.0.1", 0), Handler)
    served.origin = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
