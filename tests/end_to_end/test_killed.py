"""The server is killed while it writes: acknowledged writes are stored, and others completely or not at all."""

import random
import signal
import sqlite3
import threading
from contextlib import closing

import httpx
import pytest

from tests.end_to_end.processes import PATIENCE, Running, serving
from tests.end_to_end.test_database_restart import read_all
from tests.end_to_end.test_serve import ADMIN, environment_of
from tests.long_form import cycles
from tests.plain_http import NO_TLS

WRITERS = 3
KILLS = cycles(3)
MOST_WRITES = 20
LENGTH = 60_000
"""Letters of a document: more than a page of either database, so that a part of it could be there."""


def document(number: int) -> dict[str, object]:
    return {"number": number, "text": f"{number} " * (LENGTH // len(f"{number} "))}


class Writer:
    """Writes one document over and over, and remembers the responses."""

    def __init__(self, number: int) -> None:
        self.app = f"app {number}"
        self.tried = 0
        self.acknowledged = 0
        self.count = 0

    def write(self, address: str, told: threading.Semaphore) -> None:
        """Write until nobody is there any more."""
        with httpx.Client(base_url=address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS) as client:
            try:
                while True:
                    self.tried += 1
                    number = self.tried
                    answer = client.post("/prefs", json={"app": self.app, "data": document(number)})
                    assert answer.status_code == 201
                    self.acknowledged = number
                    self.count += 1
                    told.release()
            except httpx.TransportError:
                return


@pytest.mark.long
@pytest.mark.timeout(300 + 10 * KILLS)
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def test_a_server_that_is_killed_while_it_writes_loses_nothing_that_it_acknowledged(
    kind: str, request: pytest.FixtureRequest
) -> None:
    store = request.getfixturevalue(kind)
    luck = random.Random(5)
    writers = [Writer(number) for number in range(WRITERS)]
    for _ in range(KILLS):
        with serving("manager", "serve", environment=environment_of(store)) as server:
            address = server.address
            assert_whole(address, writers)
            kill_under_load(server, address, writers, after=luck.randint(1, MOST_WRITES))

    with serving("manager", "serve", environment=environment_of(store)) as server:
        address = server.address
        assert_whole(address, writers)
        with httpx.Client(base_url=address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS) as admin:
            entries = read_all(admin, "/admin/audit")
        assert server.stop() == 0
    # Not a revision is missing or there twice, and each write that was kept has left its entry.
    revisions = sorted(entry["revision"] for entry in entries if entry["revision"] is not None)
    assert revisions == list(range(1, len(revisions) + 1))
    saved = sum(entry["operation"] == "savePreferences" for entry in entries)
    assert sum(writer.count for writer in writers) <= saved <= sum(writer.tried for writer in writers)
    if kind == "sqlite":
        with closing(sqlite3.connect(store.removeprefix("sqlite:///"))) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def kill_under_load(server: Running, address: str, writers: list[Writer], *, after: int) -> None:
    """Kill the server when it has acknowledged so many writes, and others are under way."""
    told = threading.Semaphore(0)
    threads = [threading.Thread(target=writer.write, args=(address, told)) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        for _ in range(after):
            assert told.acquire(timeout=PATIENCE)
    finally:
        server.process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join(PATIENCE)
    assert server.process.wait(PATIENCE) == -signal.SIGKILL


def assert_whole(address: str, writers: list[Writer]) -> None:
    """Every document is one that was written, no older than the last one that was acknowledged; the audit holds."""
    with httpx.Client(base_url=address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS) as client:
        kept = {item["app"]: item["data"] for item in client.get("/prefs/all").json()}
        assert client.get("/admin/audit/verify").json()["ok"] is True
    for writer in writers:
        found = kept.get(writer.app)
        if found is None:
            assert writer.acknowledged == 0
        else:
            assert writer.acknowledged <= found["number"] <= writer.tried
            assert found == document(found["number"])
