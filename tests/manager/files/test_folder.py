"""Files that come with reports, kept in a folder that several nodes share."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.config import ConfigInvalid
from rostrum.manager.files.repository import Files
from rostrum.manager.purge import purge
from tests.conftest import Api, manager_config, running_api

DUMP = bytes(range(256)) * 10_000
"""More than two pieces."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    return made


@pytest.fixture
async def api(store: str, folder: Path, clock: SettableClock) -> AsyncIterator[Api]:
    async with running_api(manager_config(store, files={"folder": str(folder)}), clock) as running:
        yield running


async def send(api: Api, dump: bytes = DUMP) -> str:
    answer = await api.admin.post("/crashes", data={"_version": "1"}, files={"upload_file_minidump": dump})
    assert answer.status_code == 200, answer.text
    return answer.text


async def dump_of(api: Api, crash: str) -> bytes:
    return (await api.admin.get(f"/admin/crashes/{crash}/minidump")).content


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_a_file_is_kept_in_the_folder_and_goes_with_its_report(api: Api, folder: Path) -> None:
    crash = await send(api)

    assert [path.read_bytes() for path in files(folder)] == [DUMP]
    assert files(folder)[0].stat().st_mode & 0o077 == 0
    assert await dump_of(api, crash) == DUMP
    async with api.app._manager.storage.read() as work:
        rows = await work.of(Files)._connection.exec_driver_sql("SELECT count(*) FROM file_chunks")
        assert rows.scalar_one() == 0
    assert (await api.admin.delete(f"/admin/crashes/{crash}")).status_code == 204
    assert files(folder) == []


async def test_every_node_that_sees_the_folder_reads_and_deletes(
    postgresql: str, folder: Path, clock: SettableClock
) -> None:
    config = manager_config(postgresql, files={"folder": str(folder)})
    async with AsyncExitStack() as stack:
        one, other = [await stack.enter_async_context(running_api(config, clock)) for _ in range(2)]
        crash = await send(one)
        assert await dump_of(other, crash) == DUMP
        assert (await other.admin.delete(f"/admin/crashes/{crash}")).status_code == 204
        assert files(folder) == []


async def test_what_was_kept_in_the_database_is_still_found(store: str, folder: Path, clock: SettableClock) -> None:
    async with running_api(manager_config(store), clock) as before:
        old = await send(before)
    async with running_api(manager_config(store, files={"folder": str(folder)}), clock) as after:
        new = await send(after, b"")
        assert await dump_of(after, old) == DUMP
        assert await dump_of(after, new) == b""
        assert len(files(folder)) == 1
        assert (await after.admin.delete(f"/admin/crashes/{old}")).status_code == 204


async def test_retention_deletes_files_and_what_crashes_left_behind(
    api: Api, folder: Path, clock: SettableClock
) -> None:
    await send(api)
    clock.advance(91 * 24 * 60 * 60)
    kept = await send(api, b"new")
    left = folder / "aa" / "left-behind-aa"
    part = left.with_name("x.part")
    young = left.with_name("under-way-aa")
    left.parent.mkdir(exist_ok=True)
    for path in (left, part, young):
        path.write_bytes(b"x")
    for path in [*files(folder)]:
        if path != young:
            os.utime(path, (0, 0))

    gone = await purge(api.app._manager.storage, api.config)

    assert (gone["crashes"], gone["files left behind"]) == (1, 2)
    assert sorted(path.read_bytes() for path in files(folder)) == [b"new", b"x"]
    assert young.exists()
    assert await dump_of(api, kept) == b"new"


async def test_a_folder_that_is_gone_refuses_files_and_nothing_else(api: Api, folder: Path) -> None:
    crash = await send(api)
    shutil.rmtree(folder)

    answer = await api.admin.post("/crashes", data={"_version": "1"}, files={"upload_file_minidump": b"x"})

    assert answer.status_code == 503
    assert "folder" in answer.json()["error"]["message"]
    assert (await api.admin.get(f"/admin/crashes/{crash}")).status_code == 200
    assert (await api.admin.get("/admin/crashes")).json()["total"] == 1
    folder.mkdir()  # noqa: ASYNC240
    await send(api)


@pytest.mark.parametrize("what", ["missing", "file", ""])
def test_the_folder_must_be_there_at_the_start(tmp_path: Path, what: str) -> None:
    (tmp_path / "file").touch()
    given = str(tmp_path / what) if what else ""

    with pytest.raises(ConfigInvalid, match="folder"):
        manager_config(f"sqlite:///{tmp_path}/rostrum.db", files={"folder": given})
