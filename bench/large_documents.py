"""How long others wait while somebody works on a large document: the longest wait of a client that polls meanwhile."""

import http.client
import json
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bench.firm import Server, firm, served
from bench.polling import basic

SIZE = 1_500_000
ROUNDS = 3
PAUSE = 0.001

SHAPES: dict[str, Callable[[int], dict[str, Any]]] = {
    "stores": lambda count: {
        "appStores": [
            {"type": "rest", "details": {"url": f"https://apps.example.com/{number}", "pollInterval": 60000}}
            for number in range(count)
        ]
    },
    "unknown names": lambda count: {f"notificatons{number}": number for number in range(count)},
}


def report() -> str:
    rows = []
    with firm(users=0, apps=5) as config, served(config) as server:
        for name, make in SHAPES.items():
            document = _grown(make)
            bare = statistics.median(_bare(document) for _ in range(ROUNDS * 3))
            for what, waits in _measured(server, document).items():
                longest, took = (statistics.median(each) for each in zip(*waits, strict=True))
                rows.append(
                    f"| {name} | {what} | {took * 1000:.0f} ms | {longest * 1000:.0f} ms | **{longest / bare:.1f} ×** |"
                )
            rows.append(f"| {name} | bare: parsed and written | {bare * 1000:.0f} ms | {bare * 1000:.0f} ms | 1 × |")
    return (
        "## Large documents\n\n"
        f"A configuration file of {SIZE / 1_000_000:.1f} MB in two variants: `stores` contains valid settings, "
        "`unknown names` contains only unknown names. While one client performs an operation with the file, another "
        f"client polls. The longest poll is the median of {ROUNDS} rounds. The last column compares it with parsing "
        "and writing the same file with msgspec, which nothing can interrupt.\n\n"
        "| file | operation | duration | longest poll | longest poll ÷ bare |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def _grown(make: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    few = len(json.dumps(make(1000)))
    return make(1000 * SIZE // few)


def _bare(document: dict[str, Any]) -> float:
    text = json.dumps(document).encode()
    began = time.perf_counter()
    msgspec.json.encode(msgspec.json.decode(text))
    return time.perf_counter() - began


def _measured(server: Server, document: dict[str, Any]) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(ROUNDS):
        made = _ask(server, "POST", "/admin/configs", {"file": "system.json", "contents": document})
        address = f"/admin/configs/{made['id']}"
        change = {"contents": {**document, "more": True}}
        proposal = {"changes": [{"action": "change", "key": made["id"], "document": {"contents": {}}}]}
        for what, method, path, body in (
            ("saved", "PATCH", address, change),
            ("opened", "GET", address, None),
            ("fetched by a client", "GET", "/systemConfig/get", None),
            ("explained", "GET", "/admin/configs/explain?user=admin", None),
            ("compared", "GET", f"{address}/revisions/compare", None),
            ("previewed: emptied", "POST", "/admin/previews/configs", proposal),
            ("deleted", "DELETE", address, None),
        ):
            found.setdefault(what, []).append(_beside(server, method, path, body))
    return found


def _beside(server: Server, method: str, path: str, body: Any) -> tuple[float, float]:
    """Give the longest poll while something is done, and how long that took."""
    text = None if body is None else json.dumps(body).encode()
    polling = _Polling(server)
    began = time.perf_counter()
    _ask(server, method, path, text)
    took = time.perf_counter() - began
    return polling.end(), took


class _Polling:
    """A client that asks for its apps all the time, and finds nothing new."""

    def __init__(self, server: Server) -> None:
        self._connection = _connected(server)
        self._headers = basic()
        answer = self._poll()
        cookie = answer.headers["set-cookie"].partition(";")[0]
        self._headers = {"Cookie": cookie, "If-None-Match": answer.headers["etag"]}
        self._longest = 0.0
        self._is_over = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> float:
        self._is_over = True
        self._thread.join()
        return self._longest

    def _run(self) -> None:
        while not self._is_over:
            began = time.perf_counter()
            self._poll()
            self._longest = max(self._longest, time.perf_counter() - began)
            time.sleep(PAUSE)

    def _poll(self) -> http.client.HTTPResponse:
        self._connection.request("GET", "/api/apps", headers=self._headers)
        answer = self._connection.getresponse()
        answer.read()
        return answer


def _ask(server: Server, method: str, path: str, body: Any) -> Any:
    text = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    connection = _connected(server)
    headers = {**basic(), "Content-Type": "application/json"}
    connection.request(method, f"/api{path}", body=text, headers=headers)
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status < 300, content[:1000]
    return json.loads(content) if method == "POST" else None


def _connected(server: Server) -> http.client.HTTPConnection:
    address = urlsplit(server.address)
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=300)
