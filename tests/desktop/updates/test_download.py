"""Downloads of packages: resumed, bounded, and discarded unless they are what was signed."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.updates import download
from rostrum.desktop.updates.download import DownloadFailed, download_package
from tests.desktop.updates.feeds import Storage
from tests.sources.server import Behaviour, Request, Server, answering, down, response, running

CONTENT = bytes(range(256)) * 80


def address(server: Any) -> str:
    return f"http://127.0.0.1:{server.port}/new.pyz"


async def failure(behaviour: Behaviour, folder: Path, **members: Any) -> str:
    package = replace(Storage(CONTENT).package, **members)
    async with running(behaviour) as server:
        with pytest.raises(DownloadFailed) as failed:
            await download_package(address(server), package, folder)
    return str(failed.value)


async def test_a_download_continues_where_it_was_interrupted_and_is_made_once(tmp_path: Path) -> None:
    storage = Storage(CONTENT)
    (tmp_path / f"{storage.package.sha256}.part").write_bytes(CONTENT[:1000])
    # Of an older release.
    (tmp_path / f"{'0' * 64}.package").write_bytes(b"old")
    async with running(storage.answer) as server:
        for _ in range(2):
            file = await download_package(address(server), storage.package, tmp_path)
            assert file.read_bytes() == CONTENT
    assert [request.headers["range"] for request in server.requests] == ["bytes=1000-"]
    assert [path.name for path in tmp_path.iterdir()] == [file.name]  # noqa: ASYNC240


async def test_a_server_without_ranges_starts_again_and_an_interrupted_body_is_kept(tmp_path: Path) -> None:
    storage = Storage(CONTENT)

    async def cut(_: Request) -> bytes:
        return response(200, CONTENT)[:-5000]

    assert "failed" in await failure(cut, tmp_path)
    part = tmp_path / f"{storage.package.sha256}.part"
    assert part.stat().st_size == len(CONTENT) - 5000
    async with running(answering(200, CONTENT)) as server:
        file = await download_package(address(server), storage.package, tmp_path)
    assert file.read_bytes() == CONTENT


async def test_what_is_not_the_signed_file_is_discarded(tmp_path: Path) -> None:
    other = answering(200, b"x" * len(CONTENT))
    assert "was discarded: its size or digest differs" in await failure(other, tmp_path)
    assert "was discarded" in await failure(answering(200, CONTENT[:-1]), tmp_path)
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240


async def test_no_more_is_stored_than_was_signed(tmp_path: Path) -> None:
    assert "is larger than" in await failure(answering(200, CONTENT * 50), tmp_path)
    (part,) = tmp_path.iterdir()  # noqa: ASYNC240
    assert part.stat().st_size <= len(CONTENT)


async def test_redirects_errors_and_silence_are_failures_in_words(tmp_path: Path) -> None:
    async with running(Storage(CONTENT).answer) as elsewhere:
        for status in (301, 302, 307, 308):
            moved = answering(status, b"", f"Location: http://127.0.0.1:{elsewhere.port}/new.pyz")
            assert "redirects are not followed" in await failure(moved, tmp_path)
        assert elsewhere.requests == []
    assert "status 404" in await failure(answering(404), tmp_path)
    assert "status 500" in await failure(answering(500), tmp_path)
    async with down() as server:
        with pytest.raises(DownloadFailed, match="failed"):
            await download_package(address(server), Storage(CONTENT).package, tmp_path)


async def test_a_slow_download_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "SECONDS", 0.05)
    servers: list[Server] = []

    async def wait(_: Request) -> bytes:
        await servers[0].until.wait()
        return b""

    async with running(wait) as server:
        servers.append(server)
        with pytest.raises(DownloadFailed, match=r"took longer than 0\.05 s"):
            await download_package(address(server), Storage(CONTENT).package, tmp_path)
        server.until.set()
        for _ in range(5):
            # The server closes its connection.
            await asyncio.sleep(0)


async def test_a_full_disk_is_reported_and_nothing_keeps_it_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = tmp_path / f"{Storage(CONTENT).package.sha256}.part"
    part.symlink_to("/dev/full")
    assert f"cannot be stored in {tmp_path}" in await failure(answering(200, CONTENT), tmp_path)
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240
    monkeypatch.setattr(download, "_ROOM", 10**15)
    assert "not enough free space" in await failure(answering(200, CONTENT), tmp_path)
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240
