"""PostgreSQL stops under load and restarts: the server reports it, continues, and nothing is lost or done twice."""

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Self

import httpx
import pytest

from tests.end_to_end.live_stream import live_stream
from tests.end_to_end.processes import PATIENCE, serving
from tests.end_to_end.test_serve import ADMIN, environment_of
from tests.plain_http import NO_TLS
from tests.postgresql import running_postgresql

WRITERS = 3


@pytest.fixture
def own_postgresql() -> Iterator[Any]:
    """A PostgreSQL that this test may kill."""
    with running_postgresql() as server:
        yield server


class Load:
    """Writers that make one group after the other, and remember the responses."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._stopping = threading.Event()
        self.statuses: Counter[int] = Counter()
        self.acknowledged: list[str] = []
        self.tried: list[str] = []
        self._threads = [threading.Thread(target=self._write, args=(number,)) for number in range(WRITERS)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _write(self, writer: int) -> None:
        number = 0
        with httpx.Client(base_url=self._address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS) as client:
            while not self._stopping.is_set():
                name = f"load {writer} {number}"
                number += 1
                self.tried.append(name)
                status = client.post("/admin/groups", json={"name": name}).status_code
                self.statuses[status] += 1
                if status == 201:
                    self.acknowledged.append(name)
                else:
                    self._stopping.wait(0.05)

    def goes_on(self) -> None:
        """Wait until more has been acknowledged than now."""
        before = len(self.acknowledged)
        until(lambda: len(self.acknowledged) > before + WRITERS)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.long
def test_a_database_that_dies_under_load_and_comes_back(own_postgresql: Any) -> None:
    environment = environment_of(own_postgresql.get_uri())
    with serving("manager", "serve", environment=environment) as server:
        address = server.address
        ready, live = f"{address}/health/ready", f"{address}/health/live"
        with live_stream(address, auth=ADMIN) as stream, Load(address) as load:
            stream.until("ready")
            load.goes_on()
            # What `pg_ctl stop -m immediate` does.
            os.kill(own_postgresql.get_pid(), signal.SIGQUIT)
            until(lambda: httpx.get(ready, verify=NO_TLS).status_code == 503)
            assert httpx.get(live, verify=NO_TLS).status_code == 200
            assert httpx.get(f"{address}/me", auth=ADMIN, verify=NO_TLS).status_code == 503
            own_postgresql.start()
            until(lambda: httpx.get(ready, verify=NO_TLS).status_code == 200)
            load.goes_on()
            with httpx.Client(base_url=address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS) as admin:
                made = admin.post("/admin/prefs", json={"user": "admin", "app": "after", "data": {}})
                # The stream was open all the time, and misses nothing of what came after.
                assert stream.until("prefs") == made.json()["revision"]
        with httpx.Client(base_url=address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS) as admin:
            kept = [group["name"] for group in read_all(admin, "/admin/groups", q="load ")]
            entries = read_all(admin, "/admin/audit", operation="createGroup")
        assert server.stop() == 0

    # Refused while the database was away, and nothing else: no error of the server's own.
    assert set(load.statuses) == {201, 503}
    assert Counter(kept) == Counter(set(kept))
    assert set(load.acknowledged) <= set(kept) <= set(load.tried)
    assert Counter(entry["changes"][0]["id"] for entry in entries) == Counter(kept)
    assert "Traceback" not in "".join(server.messages)


def read_all(admin: httpx.Client, path: str, **query: str) -> list[Any]:
    """Read a list to its end."""
    found: list[Any] = []
    while True:
        page = admin.get(path, params={**query, "limit": 1000, "offset": len(found)}).json()
        found += page["items"]
        if len(found) >= page["total"]:
            return found
