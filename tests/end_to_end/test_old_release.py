"""The newest release runs beside the current code on one database, before and after it, and after a roll-back."""

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from rostrum import __version__
from tests.end_to_end.old_release import NEXT, imported_from, unpacked_wheel, with_migration
from tests.end_to_end.processes import PATIENCE, Running, run, serving
from tests.end_to_end.test_database_restart import read_all
from tests.end_to_end.test_serve import ADMIN, environment_of
from tests.long_form import LONG
from tests.plain_http import NO_TLS
from tools.releases import Release, read_releases

# In the long form, all releases from which a direct upgrade is promised, and older ones.
RELEASES = read_releases() if LONG else read_releases()[-1:]
WRITERS = 3 if LONG else 1
ROUNDS = 5 if LONG else 1
"""How many rounds of requests each writer completes in each state of the nodes."""
_PAUSE_SECONDS = 0.1 if LONG else 0.5
EXPANDING = (
    "CREATE TABLE notices (id VARCHAR PRIMARY KEY, text VARCHAR NOT NULL)",
    "ALTER TABLE preferences ADD COLUMN device VARCHAR",
    "ALTER TABLE apps ADD COLUMN weight INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE sessions ADD COLUMN device VARCHAR",
    "CREATE INDEX ix_sessions_device ON sessions (device)",
    "ALTER TABLE users ADD COLUMN locale VARCHAR NOT NULL DEFAULT 'en'",
)
CONTRACTING = ("ALTER TABLE apps DROP COLUMN title",)
READ_EVERYTHING = """
import asyncio, json, sys
from sqlalchemy import inspect, select
from rostrum.manager.database.engine import Database
from rostrum.manager.database.tables import metadata

async def main():
    database = Database(sys.argv[1])
    async with database.read() as connection:
        for table in metadata.sorted_tables:
            await connection.execute(select(table).limit(1))
        def required(synchronous):
            found = inspect(synchronous)
            return [
                f"{table.name}.{column['name']}"
                for table in metadata.sorted_tables
                for column in found.get_columns(table.name)
                if column["name"] not in table.c and not column["nullable"] and column["default"] is None
            ]
        unknown = await connection.run_sync(required)
    await database.close()
    print(json.dumps({"tables": len(metadata.sorted_tables), "required": unknown}))

asyncio.run(main())
"""
"""Run with the code of the release: reads all its columns, and lists others without which rows cannot be added."""


@pytest.fixture(scope="module", params=RELEASES, ids=lambda release: release.version)
def release(request: pytest.FixtureRequest) -> Release:
    found: Release = request.param
    return found


@pytest.fixture(scope="module")
def old(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_wheel(release, tmp_path_factory.mktemp("old"))


def command(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(*arguments, **environment, **imported_from(folder))


class Writer(threading.Thread):
    """One user of one node, who polls and saves until the node is drained."""

    def __init__(self, name: str, address: str, written: dict[str, int], statuses: Counter[int]) -> None:
        super().__init__(name=name, daemon=True)
        self._address, self._written, self._statuses = address, written, statuses
        self._rounds = threading.Semaphore(0)
        self._stopping = threading.Event()
        self._problem: str | None = None

    def run(self) -> None:
        options: dict[str, Any] = {"base_url": self._address, "timeout": PATIENCE, "verify": NO_TLS}
        user = (self.name, password(self.name))
        try:
            with httpx.Client(**options) as client, httpx.Client(auth=ADMIN, **options) as admin:
                opened = client.post("/sessions", json={"machine": {"name": self.name}}, auth=user)
                session = self._noted(opened).json()
                client.headers["Authorization"] = f"Bearer {session['token']}"
                number = 0
                while not self._stopping.is_set():
                    number += 1
                    self._work(client, admin, session["id"], number)
                    self._rounds.release()
                    # People pause; without it, the load would take all processor time while a node starts.
                    self._stopping.wait(_PAUSE_SECONDS)
        except (httpx.HTTPError, AssertionError) as error:
            self._problem = repr(error)
            self._rounds.release(10 * ROUNDS)

    def _work(self, client: httpx.Client, admin: httpx.Client, session: str, number: int) -> None:
        for path in ("/apps", "/layouts", "/prefs?app=chart", "/me"):
            self._noted(client.get(path))
        self._noted(client.post("/systemConfig/get", json={}))
        self._noted(client.patch(f"/sessions/{session}", json={}))
        changed = {"definition": app(self.name, number), "public": True}
        self._noted(admin.put(f"/admin/apps/{self.name}", json=changed))
        self._noted(admin.patch(f"/admin/users/{self.name}", json={"email": f"{number}@example.com"}))
        self._noted(client.post("/prefs", json={"app": "chart", "data": {"number": number}}))
        self._written[self.name] = number

    def _noted(self, answer: httpx.Response) -> httpx.Response:
        self._statuses[answer.status_code] += 1
        request = answer.request
        assert answer.status_code < 400, f"{request.method} {request.url.path}: {answer.status_code} {answer.text}"
        return answer

    def complete(self, rounds: int) -> None:
        """Wait until the user has completed some rounds from now on."""
        while self._rounds.acquire(blocking=False):
            pass
        for _ in range(rounds):
            assert self._rounds.acquire(timeout=PATIENCE)
        assert self._problem is None

    def finish(self) -> None:
        self._stopping.set()
        self.join(PATIENCE)
        assert not self.is_alive()
        assert self._problem is None


class Node:
    """A manager, and the people who work on it."""

    def __init__(
        self, server: Running, written: dict[str, int], statuses: Counter[int], numbers: Iterator[int]
    ) -> None:
        self._server = server
        self.address = server.address
        with self.admin() as admin:
            names = [f"user{number}" for number in islice(numbers, WRITERS)]
            for name in names:
                assert admin.post("/admin/users", json={"id": name, "password": password(name)}).status_code == 201
                assert admin.post("/admin/apps", json={"definition": app(name, 0)}).status_code == 201
        self._writers = [Writer(name, self.address, written, statuses) for name in names]
        for writer in self._writers:
            writer.start()

    def admin(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS)

    @property
    def migration(self) -> str:
        with self.admin() as admin:
            found: str = admin.get("/admin/server").json()["database"]["migration"]
        return found

    def work(self) -> None:
        """Wait until everybody has completed some rounds from now on."""
        for writer in self._writers:
            writer.complete(ROUNDS)

    def drain(self) -> None:
        """Let nobody work here any more, as a load balancer does before a node is stopped."""
        for writer in self._writers:
            writer.finish()
        self._writers.clear()

    def stop(self) -> None:
        self.drain()
        assert self._server.stop() == 0, "".join(self._server.messages)


class Firm:
    """The nodes of one database, and what was acknowledged to people."""

    def __init__(self, store: str, stack: ExitStack) -> None:
        self.statuses: Counter[int] = Counter()
        self._environment = environment_of(store)
        self._stack = stack
        self._written: dict[str, int] = {}
        self._numbers = count(1)

    def start(self, folder: Path) -> Node:
        """Start a node with the code of a folder, and let people work on it."""
        environment = {**self._environment, **imported_from(folder)}
        server = self._stack.enter_context(serving("manager", "serve", environment=environment))
        return Node(server, self._written, self.statuses, self._numbers)

    def end(self, *nodes: Node) -> None:
        """Let nobody work any more, and check what each node returns and how all requests were answered."""
        for node in nodes:
            node.drain()
        for node in nodes:
            self._assert_nothing_lost(node)
            node.stop()
        assert set(self.statuses) <= {200, 201, 204}

    def _assert_nothing_lost(self, node: Node) -> None:
        """Check that a node returns all that was acknowledged, and that the audit has each change once."""
        with node.admin() as admin:
            for name, number in self._written.items():
                user = (name, password(name))
                preferences = httpx.get(f"{node.address}/prefs?app=chart", auth=user, verify=NO_TLS).json()
                assert preferences["data"] == {"number": number}
                assert admin.get(f"/admin/apps/{name}").json()["definition"] == app(name, number)
                assert admin.get(f"/admin/users/{name}").json()["email"] == f"{number}@example.com"
            entries = read_all(admin, "/admin/audit")
        assert sum(entry["operation"] == "savePreferences" for entry in entries) == sum(self._written.values())
        revisions = sorted(entry["revision"] for entry in entries if entry["revision"] is not None)
        assert revisions == list(range(1, len(revisions) + 1))


def password(name: str) -> str:
    return f"{name}-password"


def app(name: str, number: int) -> dict[str, object]:
    return {"name": name, "type": "window", "details": {"url": f"https://apps.example.com/{number}"}}


@pytest.mark.long
def test_a_release_works_beside_the_current_code_on_a_newer_database(
    release: Release, old: Path, tmp_path: Path, postgresql: str
) -> None:
    new = with_migration(tmp_path, oldest_reader=release.schema, statements=EXPANDING)
    with ExitStack() as stack:
        firm = Firm(postgresql, stack)
        nodes = [firm.start(new), firm.start(old)]
        for node in nodes:
            node.work()
            assert node.migration == NEXT
        firm.end(*nodes)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_release_and_the_current_code_serve_one_database_without_errors_and_lose_nothing(
    release: Release, old: Path, tmp_path: Path, postgresql: str
) -> None:
    new = with_migration(tmp_path, oldest_reader=release.schema, statements=EXPANDING)
    assert command(old, "--version").stdout.strip() == f"rostrum {release.version}"
    with ExitStack() as stack:
        firm = Firm(postgresql, stack)
        # The release is there first. The current code migrates the database while people work.
        first = firm.start(old)
        first.work()
        assert first.migration == release.schema
        second = firm.start(new)
        assert (first.migration, second.migration) == (NEXT, NEXT)
        first.work()
        second.work()
        # A node of the release is restarted, on the newer database.
        first.stop()
        third = firm.start(old)
        second.work()
        third.work()
        # Roll-back: only the release is left.
        second.stop()
        third.work()
        nodes = [third, firm.start(new)]
        for node in nodes:
            node.work()
        firm.end(*nodes)
    verified = command(old, "manager", "audit", "verify", **environment_of(postgresql))
    assert verified.returncode == 0, verified.stderr
    found = subprocess.run(
        [sys.executable, "-c", READ_EVERYTHING, postgresql],
        env=imported_from(old),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(found.stdout)["required"] == []


@pytest.mark.long
def test_a_release_that_a_migration_does_not_support_states_which_version_to_install(old: Path, tmp_path: Path) -> None:
    store = environment_of(f"sqlite:///{tmp_path}/rostrum.db")
    new = with_migration(tmp_path / "new", oldest_reader=NEXT, statements=CONTRACTING)
    assert command(new, "manager", "migrate", **store).returncode == 0

    refused = command(old, "manager", "serve", **store)

    assert refused.returncode == 1
    assert f"migration {NEXT}" in refused.stderr.splitlines()[-1]
    assert f"install Rostrum {__version__} or newer" in refused.stderr.splitlines()[-1]
