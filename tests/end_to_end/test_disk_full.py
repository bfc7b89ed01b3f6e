"""The disk is full: writes are refused with the reason, reads go on, and all is well when there is room again."""

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.end_to_end.processes import PATIENCE, Running, serving
from tests.end_to_end.test_serve import ADMIN, environment_of
from tests.long_form import LONG
from tests.plain_http import NO_TLS

MIB = 1024 * 1024
LIMIT = MIB // 4
TEXT = "x" * 50_000
MOST_WRITES = 1000


class FileLimit:
    """Keeps files of the server from growing, as a quota does; it needs no rights, so it runs everywhere."""

    def __init__(self, _folder: Path) -> None:
        pass

    def fill(self, server: Running) -> None:
        self._limit(server, LIMIT)

    def free(self, server: Running) -> None:
        self._limit(server, resource.RLIM_INFINITY)

    @staticmethod
    def _limit(server: Running, size: int) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class SmallDisk:
    """A disk of its own with files on it that leave no room; mounting it takes an administrator."""

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def fill(self, _server: Running) -> None:
        with suppress(OSError), self._ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 4096)

    def free(self, _server: Running) -> None:
        self._ballast.unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(params=[FileLimit, SmallDisk] if LONG else [FileLimit])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A way to take the room away and to give it back, for what is written below the folder of the test."""
    if request.param is SmallDisk:
        with small_disk(tmp_path):
            yield SmallDisk(tmp_path)
    else:
        yield FileLimit(tmp_path)


@pytest.mark.long
def test_on_a_full_disk_writes_are_refused_reads_go_on_and_it_recovers_without_a_restart(
    full: Any, tmp_path: Path
) -> None:
    files, aside = tmp_path / "files", tmp_path / "aside"
    for folder in (files, aside):
        folder.mkdir()
    environment = {
        **environment_of(f"sqlite:///{tmp_path}/rostrum.db"),
        "API_FILES_FOLDER": str(files),
        "TMPDIR": str(aside),
    }
    with (
        serving("manager", "serve", environment=environment) as server,
        httpx.Client(base_url=server.address, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS) as admin,
    ):
        kept = fill_until(lambda answer: answer.status_code == 201, admin, count=3)
        full.fill(server)
        kept += fill_until(lambda answer: answer.status_code == 507, admin, count=MOST_WRITES)
        # Larger than what is taken into memory, and smaller: the one is put aside first, the other kept at once.
        refusals = [write_preference(admin, "refused"), *(send_crash(admin, size) for size in (3 * MIB, MIB // 2))]
        assert [answer.status_code for answer in refusals] == [507, 507, 507]
        messages = [answer.json()["error"]["message"].partition(":")[0] for answer in refusals]
        assert messages[0] == "the disk of the database is full; nothing was changed"
        # Where the system knows another place to put things aside, it is the next step that fails.
        assert messages[1] in ("the disk for temporary files is full; nothing was changed", messages[2])
        assert messages[2] == "the disk of the folder for files is full; nothing was changed"
        assert [path for path in files.rglob("*") if path.is_file()] == []

        assert_kept(admin, kept)
        assert admin.get("/health/ready").status_code == 200
        # Anyone who was not signed in yet gets in, and nothing that is read has to be written first.
        assert httpx.get(f"{admin.base_url}me", auth=ADMIN, timeout=PATIENCE, verify=NO_TLS).status_code == 200

        full.free(server)
        assert write_preference(admin, "after").status_code == 201
        crash = send_crash(admin, 3 * MIB)
        assert crash.status_code == 200
        assert len(admin.get(f"/admin/crashes/{crash.text}/minidump").content) == 3 * MIB
        assert_kept(admin, [*kept, "after"])
        assert admin.get("/admin/audit/verify").json()["ok"] is True
        assert server.stop() == 0
    assert "Traceback" not in "".join(server.messages)


def fill_until(is_end: Callable[[httpx.Response], bool], admin: httpx.Client, *, count: int) -> list[str]:
    """Write preferences until an answer of this kind; the apps of those that were kept."""
    kept = []
    for _ in range(count):
        app = os.urandom(8).hex()
        answer = write_preference(admin, app)
        if answer.status_code == 201:
            kept.append(app)
        if is_end(answer):
            return kept
    raise AssertionError(f"{count} writes, and no such answer: {answer.text}")


def write_preference(admin: httpx.Client, app: str) -> httpx.Response:
    return admin.post("/admin/prefs", json={"user": "admin", "app": app, "data": {"text": TEXT}})


def send_crash(admin: httpx.Client, size: int) -> httpx.Response:
    return admin.post("/crashes", data={"_version": "1"}, files={"upload_file_minidump": os.urandom(size)})


def assert_kept(admin: httpx.Client, apps: list[str]) -> None:
    page = admin.get("/admin/prefs", params={"limit": MOST_WRITES}).json()
    assert sorted(item["app"] for item in page["items"]) == sorted(apps)
    assert {item["data"]["text"] for item in page["items"]} == {TEXT}
