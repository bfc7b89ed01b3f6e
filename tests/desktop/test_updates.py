"""Updates from a service and from a static storage."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.steps import State
from rostrum.desktop.updates import Update, Updates, feed_path
from rostrum.settings.parse import parse_system
from rostrum.settings.sections.auto_updater import AutoUpdater
from rostrum.stores.errors import StoreFailed
from tests.desktop.test_platform import Desk, desk, until
from tests.sources.server import Request, down, response, running

__all__ = ["desk"]

CONTENT = bytes(range(256)) * 40
DIGEST = hashlib.sha256(CONTENT).hexdigest()


def settings(kind: str = "Service", base: str = "http://127.0.0.1:9", **members: Any) -> AutoUpdater:
    source = {"type": kind, "baseUrl": base, **({"channel": "stable"} if kind == "Service" else {})}
    parsed = parse_system({"autoUpdater": {"enabled": True, "updateSource": source, **members}})
    assert not parsed.problems
    return parsed.settings.auto_updater


class Storage:
    """Answers a feed and a file, and knows ranges."""

    def __init__(self, **feed: Any) -> None:
        self.feed: Any = {"version": "2.0", "url": "/files/new.bin", "sha256": DIGEST, **feed}

    async def answer(self, request: Request) -> bytes:
        if request.path != "/files/new.bin":
            return response(200, json.dumps(self.feed).encode(), "Content-Type: application/json")
        asked = request.headers.get("range")
        if asked is None:
            return response(200, CONTENT)
        start = int(asked.removeprefix("bytes=").removesuffix("-"))
        if start >= len(CONTENT):
            return response(416)
        return response(206, CONTENT[start:])


class Person:
    def __init__(self, *, agrees: bool = True) -> None:
        self.agrees = agrees
        self.asked: list[str] = []
        self.applied: list[Update] = []

    async def ask(self, update: Update) -> bool:
        self.asked.append(update.version)
        return self.agrees

    async def apply(self, update: Update) -> None:
        self.applied.append(update)


def updates(chosen: AutoUpdater, folder: Path, person: Person, *, running: str = "1.0", apply: bool = True) -> Updates:
    return Updates(
        chosen,
        version=running,
        folder=folder,
        ask=person.ask,
        apply=person.apply if apply else None,
        platform="linux",
    )


@pytest.mark.rule("R-2.7-5", "E-4-8")
def test_a_service_is_asked_by_platform_version_and_channel() -> None:
    assert feed_path(settings(), "linux", "1.0") == "/linux/1.0/stable"
    assert feed_path(settings("StaticStorage"), "linux", "1.0") == "/latest.json"


@pytest.mark.rule("R-2.7-1", "R-2.7-6")
async def test_nothing_is_asked_when_updates_are_off_or_the_build_is_an_archive(tmp_path: Path) -> None:
    async with running(Storage().answer) as server:
        base = f"http://127.0.0.1:{server.port}"
        off = updates(parse_system({}).settings.auto_updater, tmp_path, Person())
        archive = updates(settings(base=base), tmp_path, Person(), apply=False)
        for one in (off, archive):
            one.start()
            await one.look()
            await one.stop()
            assert not one.active
        assert (off.unavailable, "unpacked from an archive" in str(archive.unavailable)) == (None, True)
    assert server.requests == []


@pytest.mark.rule("R-2.7-2", "T-D-15")
@pytest.mark.parametrize(
    ("notify", "agrees", "asked", "applied"),
    [(True, True, ["2.0"], 1), (True, False, ["2.0"], 0), (False, False, [], 1)],
)
async def test_the_user_is_asked_right_after_the_download_or_not_at_all(
    tmp_path: Path, notify: bool, agrees: bool, asked: list[str], applied: int
) -> None:
    person = Person(agrees=agrees)
    async with running(Storage().answer) as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}", notifyUser=notify), tmp_path, person)
        await made.look()
        await made.look()
        await made.stop()
    assert (person.asked, len(person.applied)) == (asked, applied)
    assert server.requests[0].path == "/linux/1.0/stable"
    assert [request.path for request in server.requests].count("/files/new.bin") == 1


async def test_a_download_goes_on_where_it_broke_off(tmp_path: Path) -> None:
    person = Person()
    async with running(Storage().answer) as server:
        made = updates(settings("StaticStorage", f"http://127.0.0.1:{server.port}"), tmp_path, person)
        name = hashlib.sha256(f"2.0 {DIGEST}".encode()).hexdigest()[:16]
        (tmp_path / f"{name}.part").write_bytes(CONTENT[:1000])
        await made.look()
        await made.stop()
    assert server.requests[-1].headers["range"] == "bytes=1000-"
    assert person.applied[0].file.read_bytes() == CONTENT


async def test_a_file_that_is_not_what_the_feed_says_is_thrown_away(tmp_path: Path) -> None:
    person = Person()
    async with running(Storage(sha256="0" * 64).answer) as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}"), tmp_path, person)
        with pytest.raises(DesktopError, match="its sha256 differs"):
            await made.look()
        await made.stop()
    assert (person.applied, list(tmp_path.iterdir())) == ([], [])  # noqa: ASYNC240


async def test_a_feed_without_a_digest_is_refused_and_one_without_news_is_quiet(tmp_path: Path) -> None:
    async with running((storage := Storage(sha256="")).answer) as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}"), tmp_path, Person())
        with pytest.raises(DesktopError, match="no sha256"):
            await made.look()
        for feed in ({}, [], {"version": "1.0", "url": "/x"}):
            storage.feed = feed
            await made.look()
        await made.stop()


@pytest.mark.parametrize(
    ("offered", "running_version", "is_taken"),
    [
        ("2.0", "1.9.9", True),
        ("1.10", "1.9", True),
        ("1.9", "1.10", False),
        ("1.0", "1.0", False),
        ("1.0.1", "1.0", True),
        ("spring", "1.0", True),
        ("", "1.0", True),
    ],
)
async def test_only_a_newer_version_is_taken(
    tmp_path: Path, offered: str, running_version: str, is_taken: bool
) -> None:
    person = Person()
    async with running(Storage(version=offered, name="another").answer) as server:
        base = f"http://127.0.0.1:{server.port}"
        made = updates(settings("StaticStorage", base), tmp_path, person, running=running_version)
        await made.look()
        await made.stop()
    assert [one.version for one in person.applied] == ([offered or "another"] if is_taken else [])


@pytest.mark.rule("R-2.7-3")
@pytest.mark.parametrize(("members", "seconds"), [({}, 600), ({"updateIntervalMinutes": 5}, 300)])
async def test_it_is_looked_for_every_so_often(tmp_path: Path, members: Any, seconds: float) -> None:
    made = updates(settings(**members), tmp_path, Person())
    assert made.every == seconds
    await made.stop()


@pytest.mark.rule("R-2.7-2", "R-2.7-6")
async def test_the_platform_asks_and_hands_an_update_to_what_installed_it(desk: Desk) -> None:
    person = Person()
    async with running(Storage(version="999.0").answer) as server:
        source = {"type": "StaticStorage", "baseUrl": f"http://127.0.0.1:{server.port}"}
        desk.system(autoUpdater={"enabled": True, "updateSource": source})
        desk.host.answers = {"Version 999.0 is ready. Apply it now?": "Now"}
        async with desk.running(apply_update=person.apply):
            await until(lambda: bool(person.applied))
        assert person.applied[0].file.read_bytes() == CONTENT
        asked = len(server.requests)
        async with desk.running() as platform:
            (step,) = (one for one in platform.steps.all if one.name == "updates")
            assert (step.state, "unpacked from an archive" in step.note) == (State.DEGRADED, True)
    assert len(server.requests) == asked


async def test_a_service_that_is_not_there_is_no_reason_to_stop(tmp_path: Path) -> None:
    async with down() as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}"), tmp_path, Person())
        with pytest.raises(StoreFailed, match="no update"):
            await made.look()
        await made.stop()
