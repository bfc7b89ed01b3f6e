"""One suite for every place where files of reports may be kept: a folder, and a bucket on a real server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.ids import new_id
from rostrum.manager.doctor.surroundings import check_bucket
from rostrum.manager.errors import Unavailable
from rostrum.manager.files.bucket import Bucket
from rostrum.manager.files.file_place import FilePlace, file_place
from rostrum.manager.files.folder import Folder
from tests.conftest import manager_config, running_api
from tests.manager.files.test_folder import DUMP, dump_of, send
from tests.seaweed import SECRET, Seaweed, seaweed

PIECE = 1024 * 1024
LARGE = [bytes([number]) * PIECE for number in range(12)]
"""More than one part of an upload."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seaweed]:
    with seaweed(tmp_path_factory.mktemp("seaweed")) as running:
        yield running


@pytest.fixture
def bucket(server: Seaweed, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the address of a place in a bucket that no other test uses."""
    for name, value in server.variables().items():
        monkeypatch.setenv(name, value)
    return f"s3://dumps/{new_id()}"


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> FilePlace:
    if request.param == "folder":
        return Folder(tmp_path, young=timedelta(0))
    return Bucket(request.getfixturevalue("bucket"), young=timedelta(0))


async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def read(place: FilePlace, file_id: str) -> bytes | None:
    found = b""
    while True:
        part = await place.piece(file_id, len(found), PIECE)
        if part is None:
            return None
        if not part:
            return found
        found += part


async def nothing_known(_ids: list[str]) -> set[str]:
    return set()


@pytest.mark.parametrize(
    "parts", [(), (b"",), (b"one",), (b"one", b"two"), LARGE], ids=["none", "empty", "1", "2", "12"]
)
async def test_what_is_kept_is_read_again(place: FilePlace, parts: tuple[bytes, ...]) -> None:
    whole = b"".join(parts)

    assert await place.save("file-aB", pieces(*parts)) == len(whole)

    assert await read(place, "file-aB") == whole
    assert await place.piece("file-aB", len(whole) + PIECE, PIECE) == b""


async def test_a_file_that_is_not_there_is_none(place: FilePlace) -> None:
    assert await place.piece("nobody-aa", 0, PIECE) is None


@pytest.mark.parametrize("before", [(b"begun",), LARGE], ids=["short", "long"])
async def test_what_ends_badly_is_not_kept(place: FilePlace, before: tuple[bytes, ...]) -> None:
    async def broken() -> AsyncIterator[bytes]:
        async for part in pieces(*before):
            yield part
        raise RuntimeError("the sender went away")

    with pytest.raises(RuntimeError, match="went away"):
        await place.save("half-aa", broken())

    assert await place.piece("half-aa", 0, PIECE) is None
    assert await place.sweep(nothing_known) == 0


async def test_many_are_kept_at_once(place: FilePlace) -> None:
    names = [f"file-{number:02}" for number in range(12)]

    await asyncio.gather(*(place.save(name, pieces(name.encode())) for name in names))

    assert [await read(place, name) for name in names] == [name.encode() for name in names]


async def test_removing_takes_what_is_there(place: FilePlace) -> None:
    for name in ("one-aa", "two-bb", "three-bb"):
        await place.save(name, pieces(b"x"))

    await place.remove(["one-aa", "nobody-aa", "two-bb"])

    assert [await read(place, name) for name in ("one-aa", "two-bb", "three-bb")] == [None, None, b"x"]


async def test_unreferenced_files_are_removed(place: FilePlace) -> None:
    for name in ("known-aa", "left-aa", "left-bb"):
        await place.save(name, pieces(b"x"))

    async def known(ids: list[str]) -> set[str]:
        return set(ids) & {"known-aa"}

    assert await place.sweep(known) == 2
    assert [await read(place, name) for name in ("known-aa", "left-aa", "left-bb")] == [b"x", None, None]


@pytest.mark.parametrize("kind", ["folder", "bucket"])
async def test_what_is_young_may_be_under_way_and_stays(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder, bucket = (tmp_path, None) if kind == "folder" else (None, request.getfixturevalue("bucket"))
    place = file_place(folder, bucket)
    assert place is not None
    await place.save("young-aa", pieces(b"x"))

    assert await place.sweep(nothing_known) == 0
    assert await read(place, "young-aa") == b"x"


def test_without_a_place_the_database_keeps_files() -> None:
    assert file_place(None, None) is None


@pytest.mark.long
async def test_nodes_that_share_a_bucket(bucket: str, postgresql: str, clock: SettableClock) -> None:
    config = manager_config(postgresql, files={"bucket": bucket})
    async with running_api(config, clock) as one, running_api(config, clock) as other:
        crash = await send(one)
        assert await dump_of(other, crash) == DUMP
        exported = await other.admin.get("/admin/export")
        assert exported.status_code == 200
        assert (await other.admin.delete(f"/admin/crashes/{crash}")).status_code == 204
    assert await Bucket(bucket, young=timedelta(0)).sweep(nothing_known) == 0


async def test_a_bucket_that_refuses_the_keys_is_reported_without_showing_them(
    bucket: str, server: Seaweed, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in server.variables(secret="hunter2-hunter2").items():
        monkeypatch.setenv(name, value)
    place = Bucket(bucket)

    with pytest.raises(Unavailable, match="refuses our keys"):
        await place.save("file-aa", pieces(b"x"))
    with pytest.raises(Unavailable, match="refuses our keys"):
        await place.look()

    assert "SignatureDoesNotMatch" in caplog.text
    assert "hunter2" not in caplog.text
    assert SECRET not in caplog.text


async def test_the_doctor_asks_the_bucket(bucket: str, server: Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    await Bucket(bucket).save("file-aa", pieces(b"x"))

    assert (await check_bucket(bucket)).verdict == "ok"

    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    found = await check_bucket(bucket)
    assert (found.verdict, found.check) == ("error", "file store")
    assert "refuses our keys" in found.message


async def test_a_bucket_that_is_away_refuses_files_and_nothing_else(
    sqlite: str, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in Seaweed("http://127.0.0.1:1").variables().items():
        monkeypatch.setenv(name, value)
    async with running_api(manager_config(sqlite, files={"bucket": "s3://dumps"}), clock) as api:
        answer = await api.admin.post("/crashes", data={"_version": "1"}, files={"upload_file_minidump": b"x"})
        assert answer.status_code == 503
        assert "bucket" in answer.json()["error"]["message"]
        assert "127.0.0.1" not in answer.text
        assert (await api.admin.get("/admin/crashes")).json()["total"] == 0
