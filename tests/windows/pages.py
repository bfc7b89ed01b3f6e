"""Small pages of apps, served from loopback."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Answer = tuple[int, Mapping[str, str], bytes]
SITE, OTHER_SITE = "127.0.0.1", "127.0.0.2"
"""Hosts of two sites. Two ports of one host are the same site, for which browsers use one process and fewer rules."""
Served = Answer | Callable[[], Answer]


def page(title: str, body: str = "", color: str = "#00ff00", head: str = "") -> Answer:
    """Return a page that fills its window with a colour."""
    style = f"<style>html{{background:{color}}} body{{margin:0}}</style>"
    text = f"<!doctype html><meta charset=utf-8><title>{title}</title>{style}{head}<body>{body}"
    return 200, {"Content-Type": "text/html"}, text.encode()


def pdf(*lines: str) -> Answer:
    """Return a PDF file with one page of text."""
    text = b" 0 -40 Td ".join(b"(%s) Tj" % line.encode() for line in lines)
    content = b"BT /F1 24 Tf 40 700 Td %s ET" % text
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    )
    file, places = b"%PDF-1.4\n", b""
    for number, one in enumerate(objects, 1):
        places += b"%010d 00000 n \n" % len(file)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, places)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(file))
    return 200, {"Content-Type": "application/pdf"}, file + table + end


@dataclass
class Pages:
    """A web server.

    Attributes:
        address: Its origin.
        answers: What is served at each path, or what makes the answer.
        requests: The paths that were requested.
        headers: The headers of the last request for each path.
        queries: The query of the last request for each path.

    """

    address: str
    answers: dict[str, Served]
    requests: list[str] = field(default_factory=list)
    headers: dict[str, Mapping[str, str]] = field(default_factory=dict)
    queries: dict[str, str] = field(default_factory=dict)


@contextmanager
def served(answers: Mapping[str, Served], host: str = SITE) -> Iterator[Pages]:
    """Serve pages until the end of the block."""
    found = Pages("", dict(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            found.queries[path] = query
            found.requests.append(path)
            found.headers[path] = dict(self.headers)
            answer = found.answers.get(path, (404, {}, b"no such page"))
            status, headers, body = answer() if callable(answer) else answer
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), "Cache-Control": "no-store", **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((host, 0), Handler)
    server.daemon_threads = True
    # A window that closes while its page loads ends the connection.
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    found.address = f"http://{host}:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join(60)
