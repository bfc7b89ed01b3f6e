"""Crash reports: written, sent once, kept while the manager is away."""

import asyncio
import errno
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.private_files import read_private
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.desktop.crash_reports import CrashReports, reporter_id
from rostrum.desktop.services.instances import Ended, Instance
from rostrum.stores.errors import StoreFailed
from tests.sources.server import Request, Server, answering, response, running


class Receiver:
    def __init__(self) -> None:
        self.status = 200
        self.server: Server

    async def answer(self, _: Request) -> bytes:
        return response(self.status, b"report-1", "Content-Type: text/plain")

    @property
    def bodies(self) -> list[str]:
        return [request.body.decode() for request in self.server.requests]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    async with running(made.answer) as server:
        made.server = server
        yield made


@pytest.fixture
async def client(receiver: Receiver) -> AsyncIterator[ManagerClient]:
    async with Service(f"http://127.0.0.1:{receiver.server.port}/api") as service:
        yield ManagerClient(service)


def reports(folder: Path) -> CrashReports:
    return CrashReports(folder, {"prod": "rostrum-desktop", "ver": "1"}, SettableClock())


def bad_end(code: int = 3, *, wanted: bool = False) -> Ended:
    return Ended(Instance(id="1", app="clock", type="exe", index=1, title="x"), code, wanted)


def test_the_id_of_the_reporter_is_the_same_at_the_next_start(tmp_path: Path) -> None:
    first = reporter_id(tmp_path / "crashes")
    assert first
    assert reporter_id(tmp_path / "crashes") == first
    (tmp_path / "crashes" / "reporter.json").write_text("damaged")
    second = reporter_id(tmp_path / "crashes")
    assert second not in ("", first)
    assert reporter_id(tmp_path / "crashes") == second
    assert reports(tmp_path / "crashes").waiting == ()


@pytest.mark.rule("R-2.4-3")
async def test_errors_and_dead_processes_are_sent_to_the_manager(
    tmp_path: Path, receiver: Receiver, client: ManagerClient
) -> None:
    made = reports(tmp_path)
    try:
        raise ValueError("the reason")
    except ValueError as error:
        made.error(error)
    made.ended(bad_end())
    made.ended(bad_end(0))
    made.ended(bad_end(wanted=True))
    made.start(client)
    await asyncio.gather(*(made.send() for _ in range(3)))
    await made.stop()
    assert [request.path for request in receiver.server.requests] == ["/api/crashes"] * 2
    assert "ValueError: the reason" in receiver.bodies[0] + receiver.bodies[1]
    assert "clock ended with 3" in receiver.bodies[0] + receiver.bodies[1]
    assert made.waiting == ()


@pytest.mark.parametrize("status", [503, 401])
async def test_reports_wait_while_the_manager_is_offline_or_no_user_is_signed_in_and_are_sent_once(
    tmp_path: Path, receiver: Receiver, client: ManagerClient, status: int
) -> None:
    receiver.status = status
    made = reports(tmp_path)
    made._client = client
    made.ended(bad_end())
    with pytest.raises(StoreFailed):
        await made.send()
    assert len(made.waiting) == 1
    receiver.status = 200
    again = reports(tmp_path)
    again._client = client
    await again.send()
    await again.send()
    assert (len(receiver.server.requests), again.waiting) == (2, ())


async def test_a_report_that_was_under_way_at_the_end_is_kept_for_people_and_not_sent_again(
    tmp_path: Path, receiver: Receiver, client: ManagerClient
) -> None:
    made = reports(tmp_path)
    made.ended(bad_end())
    (path,) = made.waiting
    path.rename(path.with_suffix(".sending"))
    again = reports(tmp_path)
    again.start(client)
    await again.send()
    await again.stop()
    assert receiver.server.requests == []
    assert [one.suffix for one in sorted(tmp_path.iterdir())] == [".damaged-1"]  # noqa: ASYNC240


async def test_the_end_waits_for_the_answer_to_a_report_that_is_under_way(tmp_path: Path) -> None:
    may_answer = asyncio.Event()

    async def slow(_: Request) -> bytes:
        await may_answer.wait()
        return response(200, b"report-1", "Content-Type: text/plain")

    async with running(slow) as server, Service(f"http://127.0.0.1:{server.port}/api") as service:
        made = reports(tmp_path)
        made.ended(bad_end())
        made.start(ManagerClient(service))
        await asyncio.wait_for(server.asked.wait(), 30)
        ending = asyncio.create_task(made.stop())
        may_answer.set()
        await ending
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240


async def test_a_report_without_an_answer_may_have_arrived_and_is_not_sent_again(tmp_path: Path) -> None:
    async def hang_up(_: Request) -> bytes:
        return b""

    async with running(hang_up) as server, Service(f"http://127.0.0.1:{server.port}") as service:
        made = reports(tmp_path)
        made._client = ManagerClient(service)
        made.ended(bad_end())
        await made.send()
        await made.send()
    assert (len(server.requests), made.waiting) == (1, ())
    assert [one.suffix for one in sorted(tmp_path.iterdir())] == [".damaged-1"]  # noqa: ASYNC240


@pytest.mark.parametrize("status", [400, 413])
async def test_a_refused_report_is_set_aside_and_does_not_block_the_others(
    tmp_path: Path, client: ManagerClient, status: int
) -> None:
    async with running(answering(status)) as server, Service(f"http://127.0.0.1:{server.port}") as service:
        made = reports(tmp_path)
        made._client = ManagerClient(service)
        made.ended(bad_end())
        made.ended(bad_end(4))
        await made.send()
    assert (len(server.requests), made.waiting) == (2, ())


async def test_an_error_in_a_background_task_is_reported(tmp_path: Path) -> None:
    made = reports(tmp_path)
    loop = asyncio.get_running_loop()
    stop = made.install(loop)
    loop.call_soon(lambda: 1 / 0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    stop()
    assert "ZeroDivisionError" in made.waiting[0].read_text()


@pytest.mark.long
async def test_the_number_of_waiting_reports_is_bounded_and_a_damaged_one_is_set_aside(
    tmp_path: Path, receiver: Receiver, client: ManagerClient
) -> None:
    made = reports(tmp_path)
    for _ in range(205):
        made.ended(bad_end())
    assert len(made.waiting) == 200
    for path in made.waiting[1:]:
        path.unlink()
    made.waiting[0].write_bytes(b"{")
    made._client = client
    await made.send()
    assert (made.waiting, receiver.server.requests) == ((), [])


def planted(folder: Path, content: str, number: int = 1) -> Path:
    """Write a file with the name of an older report than all others."""
    path = folder / f"20200101T000000{number:06}-planted.crash.json"
    path.write_text(content)
    path.chmod(0o600)
    return path


def as_file(data: object) -> str:
    return json.dumps({"version": 1, "data": data})


def a_link(path: Path) -> None:
    secret = path.parent.parent / "key.json"
    secret.write_text(as_file({"secret": "of the user"}))
    secret.chmod(0o600)
    path.symlink_to(secret)


def a_large_file(path: Path) -> None:
    # Sparse: it needs no space.
    with path.open("wb") as file:
        file.truncate(1 << 40)
    path.chmod(0o600)


HOSTILE: dict[str, Callable[[Path], object]] = {
    "link": a_link,
    "link without end": lambda path: path.symlink_to(path),
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "pipe": lambda path: os.mkfifo(path, 0o600),
    "folder": lambda path: path.mkdir(),
    "large": a_large_file,
    "names": lambda path: planted(path.parent, as_file({'a"\r\nContent-Length: 5': "x"})),
    "values": lambda path: planted(path.parent, as_file({"reason": ["planted"]})),
    "members": lambda path: planted(path.parent, as_file({f"m{number}": "planted" for number in range(5000)})),
    "no object": lambda path: planted(path.parent, as_file(["planted"])),
    "levels": lambda path: planted(path.parent, "[" * 100_000),
}


@pytest.mark.skipif(sys.platform == "win32", reason="such files and permissions do not exist there")
@pytest.mark.parametrize("kind", HOSTILE)
async def test_a_file_that_the_platform_has_not_written_is_neither_sent_nor_stops_the_reports(
    tmp_path: Path, receiver: Receiver, client: ManagerClient, kind: str
) -> None:
    folder = tmp_path / "crashes"
    folder.mkdir()
    HOSTILE[kind](folder / "20200101T000000000001-planted.crash.json")
    made = reports(folder)
    made.ended(bad_end())
    made._client = client
    await asyncio.wait_for(made.send(), 30)
    assert len(receiver.server.requests) == 1
    assert "clock ended with 3" in receiver.bodies[0]
    assert made.waiting == ()


async def test_reports_do_not_wait_for_a_file_that_cannot_be_read(
    tmp_path: Path, receiver: Receiver, client: ManagerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    unreadable = planted(tmp_path, as_file({"reason": "planted"}))

    def read(path: Path, **options: Any) -> bytes:
        if path == unreadable:
            raise PermissionError(errno.EACCES, "Permission denied")
        return read_private(path, **options)

    monkeypatch.setattr("rostrum.base.json_file.read_private", read)
    made = reports(tmp_path)
    made.ended(bad_end())
    made._client = client
    await made.send()
    assert (len(receiver.server.requests), made.waiting) == (1, ())


@pytest.mark.skipif(sys.platform == "win32", reason="such files do not exist there")
@pytest.mark.parametrize("kind", ["pipe", "link", "large", "link to a device"])
async def test_the_start_does_not_read_a_hostile_file_as_the_id_of_the_reporter(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "crashes"
    folder.mkdir()
    HOSTILE[kind](folder / "reporter.json")
    reporter = await asyncio.wait_for(asyncio.to_thread(reporter_id, folder), 30)
    assert reporter == reporter_id(folder)


def test_the_id_of_the_reporter_has_a_limited_length(tmp_path: Path) -> None:
    first = reporter_id(tmp_path)
    (tmp_path / "reporter.json").write_text(as_file({"guid": "x" * 10_000}))
    assert len(reporter_id(tmp_path)) == len(first)


@pytest.mark.long
async def test_thousands_of_files_are_neither_sent_at_once_nor_kept(
    tmp_path: Path, receiver: Receiver, client: ManagerClient
) -> None:
    made = reports(tmp_path)
    made._client = client
    receiver.status = 400
    for number in range(450):
        planted(tmp_path, as_file({"reason": "planted"}), number)
    # Other names are not those of reports, and are left alone.
    (tmp_path / f"{'x' * 240}.crash.json").write_text("{}")
    await made.send()
    assert len(receiver.server.requests) == 200
    for _ in range(3):
        await made.send()
    assert len(list(tmp_path.glob("*.damaged-*"))) == 200  # noqa: ASYNC240
    made.ended(bad_end())
    assert len(made.waiting) == 1
