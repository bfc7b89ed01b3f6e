"""How long a small write takes while other users write the largest documents that they may store."""

import base64
import http.client
import json
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bench.firm import ADMIN, Server, firm, served
from bench.postgresql import postgresql
from rostrum.base.memory import without_collecting

ROUNDS = 3
SECONDS = 3
PACE_SECONDS = 0.025
WARM_UP = 20
WRITERS = (0, 1, 3)
GOAL_MS = 100

MIB = 1024 * 1024
ELEMENTS = 249_900
"""Just below the limit on elements, which counts those around the document too."""

Document = Any


def _names(prefix: str, size: int) -> Document:
    """As many members as are allowed, with names that no other document has."""
    least = len(f'"{prefix}123456":[123456],')
    count = min(ELEMENTS // 2 - 10, (size - 200) // least)
    digits = max(6, (size - 200) // count - least + 6)
    return {f"{prefix}{number:0{digits}}": [number] for number in range(count)}


def _arrays(prefix: str, _size: int) -> Document:
    return [[prefix]] + [[] for _ in range(ELEMENTS // 2 - 10)]


def _deep(prefix: str, size: int) -> Document:
    inner: Any = prefix
    for _ in range(90):
        inner = {prefix[0]: inner}
    return [inner] * min(ELEMENTS // 91, (size - 200) // (90 * len('{"a":}') + 10))


def _string(prefix: str, size: int) -> Document:
    # Commas count as elements until it is known that they are inside a string.
    return prefix + "," * (size - 200)


@dataclass(frozen=True, slots=True)
class Shape:
    """A large document: what it is, how it is written, and two versions of it that replace each other."""

    name: str
    make: Callable[[str, int], Document]
    size: int
    kind: str = "preference"

    def bodies(self) -> tuple[bytes, bytes]:
        """Write both requests."""
        return self._body("first"), self._body("other")

    def _body(self, prefix: str) -> bytes:
        document = self.make(prefix, self.size)
        if self.kind == "preference":
            return msgspec.json.encode({"app": "large", "data": document})
        if self.kind == "layout":
            layout = {"name": "large", "type": "Global", "components": [], "metadata": {"all": document}}
            return msgspec.json.encode({"layout": layout})
        return msgspec.json.encode({"contents": {"notifications": document}})


SHAPES = (
    Shape("preference, names and arrays", _names, MIB),
    Shape("preference, empty arrays", _arrays, MIB),
    Shape("preference, 90 levels deep", _deep, MIB),
    Shape("preference, one string", _string, MIB),
    Shape("layout, names and arrays", _names, MIB, "layout"),
    Shape("configuration, names and arrays", _names, 15 * MIB, "configuration"),
)


@dataclass(slots=True)
class Waits:
    """What the small writes took in seconds."""

    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Half of them took longer."""
        return statistics.median(self.seconds) * 1000

    @property
    def p99(self) -> float:
        """One in a hundred took longer."""
        return sorted(self.seconds)[int(len(self.seconds) * 0.99)] * 1000

    @property
    def longest(self) -> float:
        """The longest of them."""
        return max(self.seconds) * 1000

    def __str__(self) -> str:
        return f"{self.median:.0f} / {self.p99:.0f} / {self.longest:.0f} ms"


def report() -> str:
    rows: list[str] = []
    with firm(users=0, apps=5) as config:
        rows += _measured(config, "SQLite", SHAPES)
    with postgresql() as database, firm(users=0, apps=5, store=database.address) as config:
        rows += _measured(config, "PostgreSQL", SHAPES)
    columns = (
        "large document",
        "database",
        "size",
        "parsing",
        "alone",
        "one large writer",
        "three large writers",
        "additional delay, one",
        "additional delay, three",
    )
    return (
        "## Small writes during large writes\n\n"
        f"One user saves a small preference every {PACE_SECONDS * 1000:.0f} ms, while no, one or three other users "
        "save the largest document that they may store, as fast as possible. Each save replaces the document with a "
        "completely different one. The cells show the median, the 99th percentile and the longest time of the small "
        f"writes. Measurements with and without large writes alternate, {ROUNDS} rounds of {SECONDS} s each. Parsing "
        "is the processor time for reading the large request once with msgspec, which nothing can interrupt. The "
        "additional delay is the longest time, minus the longest time alone, minus parsing. The number of large "
        "writes is in parentheses. Goal for documents that regular users may store: an additional delay of at most "
        f"{GOAL_MS} ms with one large writer. The configuration file is written by an administrator; only `maxBody` "
        "limits its size.\n\n"
        f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n" + "\n".join(rows) + "\n"
    )


def _measured(config: Path, database: str, shapes: tuple[Shape, ...]) -> Iterator[str]:
    with served(config) as server:
        admin = _Client(server, *ADMIN)
        for name in ("small", "large0", "large1", "large2"):
            admin.ask("POST", "/admin/users", msgspec.json.encode({"id": name, "password": f"{name}-password"}))
        small = _Client(server, "small", "small-password")
        for shape in shapes:
            yield _row(server, small, shape, database)


def _row(server: Server, small: "_Client", shape: Shape, database: str) -> str:
    bodies = shape.bodies()
    parsing = statistics.median(_parsed(body) for body in bodies * 5)
    writers = [_writer(server, shape, number, bodies) for number in range(max(WRITERS))]
    waits = {count: Waits() for count in WRITERS}
    done = dict.fromkeys(WRITERS, 0)
    for _ in range(WARM_UP):
        small.save(0)
    for _ in range(ROUNDS):
        for count in WRITERS:
            with _writing(writers[:count]) as written:
                waits[count].seconds += _paced(small)
            done[count] += sum(written)
    beyond = [max(0.0, waits[count].longest - waits[0].longest - parsing) for count in WRITERS[1:]]
    cells = [
        shape.name,
        database,
        f"{len(bodies[0]) / MIB:.1f} MiB",
        f"{parsing:.0f} ms",
        *(str(waits[count]) for count in WRITERS),
        *(f"**{each:.0f} ms** ({done[count]})" for each, count in zip(beyond, WRITERS[1:], strict=True)),
    ]
    return f"| {' | '.join(cells)} |"


def _parsed(body: bytes) -> float:
    with without_collecting():
        began = time.process_time()
        msgspec.json.decode(body)
        return (time.process_time() - began) * 1000


def _paced(small: "_Client") -> list[float]:
    """Save a small preference at a steady pace; a late one is followed by the next at once."""
    waits = []
    begin = time.perf_counter()
    for number in range(int(SECONDS / PACE_SECONDS)):
        time.sleep(max(0.0, begin + number * PACE_SECONDS - time.perf_counter()))
        began = time.perf_counter()
        if began > begin + SECONDS:
            break
        small.save(number)
        waits.append(time.perf_counter() - began)
    return waits


@contextmanager
def _writing(writers: "list[Callable[[int], None]]") -> Iterator[list[int]]:
    """Let users write large documents until the block ends."""
    is_over = threading.Event()
    written = [0] * len(writers)

    def run(place: int, write: Callable[[int], None]) -> None:
        while not is_over.is_set():
            write(written[place])
            written[place] += 1

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(writers)]
    for thread in threads:
        thread.start()
    try:
        yield written
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def _writer(server: Server, shape: Shape, number: int, bodies: tuple[bytes, bytes]) -> Callable[[int], None]:
    """Prepare a user who writes large documents, and give what writes the next one."""
    method, path = {"preference": ("POST", "/prefs"), "layout": ("POST", "/layouts")}.get(shape.kind, ("PATCH", ""))
    client = _Client(server, f"large{number}", f"large{number}-password")
    if shape.kind == "configuration":
        client = _Client(server, *ADMIN)
        new = {"file": f"large{number}.json", "contents": {}}
        made = client.ask("POST", "/admin/configs", msgspec.json.encode(new))
        path = f"/admin/configs/{json.loads(made)['id']}"

    def write(turn: int) -> None:
        client.ask(method, path, bodies[turn % 2])

    write(1)
    return write


class _Client:
    """A user with a connection and a session of their own."""

    def __init__(self, server: Server, name: str, password: str) -> None:
        address = urlsplit(server.address)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=300)
        secret = base64.b64encode(f"{name}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {secret}"}
        cookie = self._send("GET", "/me", None).headers["set-cookie"].partition(";")[0]
        origin = f"{address.scheme}://{address.netloc}"
        self._headers = {"Cookie": cookie, "Origin": origin, "Content-Type": "application/json"}

    def save(self, number: int) -> None:
        """Save a small preference."""
        self.ask("POST", "/prefs", b'{"app":"small","data":{"zoom":%d}}' % number)

    def ask(self, method: str, path: str, body: bytes | None) -> bytes:
        """Send a request, and give the body of the answer."""
        self._send(method, path, body)
        return self._content

    def _send(self, method: str, path: str, body: bytes | None) -> http.client.HTTPResponse:
        self._connection.request(method, f"/api{path}", body=body, headers=self._headers)
        answer = self._connection.getresponse()
        self._content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {self._content[:1000]!r}")
        return answer
