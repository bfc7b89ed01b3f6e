"""Checks for updates: what is asked, what is offered, and what is applied."""

import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.steps import State as StepState
from rostrum.desktop.updates.checker import Update, Updates, applier, feed_path
from rostrum.installation.launcher import State
from rostrum.installation.versions import Installation
from rostrum.settings.parse import parse_system
from rostrum.settings.sections.auto_updater import AutoUpdater
from tests.desktop.test_platform import Desk, desk, until
from tests.desktop.updates.feeds import PUBLIC, Storage, settings
from tests.installation.bundles import bundle
from tests.sources.server import Behaviour, answering, down, running

__all__ = ["desk"]

CONTENT = bytes(range(256)) * 40
UNAVAILABLE = "this build was unpacked from an archive"


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


def updates(chosen: AutoUpdater, folder: Path, person: Person, **options: Any) -> Updates:
    given: dict[str, Any] = {"version": "1.0", "apply": person.apply, "platform": "linux"} | options
    return Updates(chosen, folder=folder, ask=person.ask, **given)


async def checked(storage: Storage, folder: Path, *, kind: str = "StaticStorage", **options: Any) -> tuple[Any, str]:
    """Check once: the versions that were applied, and the summary."""
    person, members = Person(), options.pop("settings", {})
    async with running(storage.answer) as server:
        made = updates(settings(kind, f"http://127.0.0.1:{server.port}", **members), folder, person, **options)
        await made.check()
        await made.stop()
    return [one.version for one in person.applied], made.summary


@pytest.mark.rule("R-2.7-5", "E-4-8")
async def test_a_service_is_asked_by_platform_version_and_channel_and_a_storage_for_its_feed(tmp_path: Path) -> None:
    assert feed_path(settings(), "linux", "1.0") == "/linux/1.0/stable"
    service, static = Storage(CONTENT, packagesUrl="/files/"), Storage(CONTENT)
    assert await checked(service, tmp_path, kind="Service") == (
        ["2.0"],
        "version 2.0 starts with the next start of the platform",
    )
    assert service.asked == ["/linux/1.0/stable", "/files/new.pyz"]
    await checked(static, tmp_path / "static")
    assert static.asked == ["/latest.json", "/new.pyz"]


@pytest.mark.rule("R-2.7-1", "R-2.7-6")
async def test_no_request_is_made_when_updates_are_off_the_build_is_an_archive_or_no_key_is_set(tmp_path: Path) -> None:
    async with running(Storage(CONTENT).answer) as server:
        base = f"http://127.0.0.1:{server.port}"
        off = updates(parse_system({}).settings.auto_updater, tmp_path, Person())
        archive = updates(settings(base=base), tmp_path, Person(), apply=None, unavailable=UNAVAILABLE)
        no_key = updates(settings(base=base, publicKeys=[]), tmp_path, Person())
        for one in (off, archive, no_key):
            one.start()
            await one.check()
            await one.stop()
            assert not one.active
    assert (off.unavailable, off.summary) == (None, "off")
    assert archive.unavailable == archive.summary == UNAVAILABLE
    assert "autoUpdater.publicKeys in the local system.json is empty" in str(no_key.unavailable)
    assert server.requests == []


@pytest.mark.rule("R-2.7-2", "T-D-15")
@pytest.mark.parametrize(
    ("notify", "agrees", "asked", "applied"),
    [(True, True, ["2.0"], [True]), (True, False, ["2.0"], []), (False, False, [], [False])],
)
async def test_the_user_is_asked_right_after_the_download_or_not_at_all(
    tmp_path: Path, notify: bool, agrees: bool, asked: list[str], applied: list[bool]
) -> None:
    person, storage = Person(agrees=agrees), Storage(CONTENT)
    async with running(storage.answer) as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}", notifyUser=notify), tmp_path, person)
        await made.check()
        await made.check()
        await made.stop()
    assert (person.asked, [one.is_confirmed for one in person.applied]) == (asked, applied)
    assert storage.asked.count("/linux/1.0/new.pyz") == 1


@pytest.mark.parametrize(
    ("offered", "running_version", "newest", "is_applied"),
    [
        ("2.0", "1.9.9", "1.9.9", True),
        ("1.10", "1.9", "1.9", True),
        ("1.9", "1.10", "1.10", False),
        ("1.0.0", "1.0", "1.0", False),
        ("1.1rc1", "1.0", "1.0", True),
        ("1.1", "1.0", "1.2", False),
        ("1.2", "1.0", "1.2", True),
    ],
)
async def test_only_versions_that_are_newer_than_all_before_are_applied_unless_configured(
    tmp_path: Path, offered: str, running_version: str, newest: str, is_applied: bool
) -> None:
    state = State(running_version, newest=newest)
    options: Any = {"version": running_version, "state": lambda: state}
    applied, summary = await checked(Storage(CONTENT, offered), tmp_path, **options)
    assert applied == ([offered] if is_applied else [])
    if not is_applied:
        assert "up to date" in summary or f"it is older than version {newest}" in summary
    allowed, _ = await checked(Storage(CONTENT, offered), tmp_path, settings={"allowDowngrade": True}, **options)
    assert allowed == ([] if offered == "1.0.0" else [offered])


async def test_a_version_that_failed_is_not_offered_again(tmp_path: Path) -> None:
    state = State("1.0", failed={"2.0": "it ended with exit code 3"}, newest="2.0")
    applied, summary = await checked(
        storage := Storage(CONTENT), tmp_path, state=lambda: state, settings={"allowDowngrade": True}
    )
    assert (applied, storage.asked) == ([], ["/latest.json"])
    assert summary == "version 2.0 is not offered again, because it did not start: it ended with exit code 3"
    assert await checked(Storage(CONTENT, "2.1"), tmp_path, state=lambda: state) == (
        ["2.1"],
        "version 2.1 starts with the next start of the platform",
    )


async def test_a_release_without_a_package_for_this_machine_is_reported(tmp_path: Path) -> None:
    applied, summary = await checked(Storage(CONTENT), tmp_path, target="plan9-vax-cp311")
    assert (applied, summary) == ([], "version 2.0 has no package for plan9-vax-cp311")


@pytest.mark.rule("R-2.7-3", "L-8-2")
@pytest.mark.parametrize(("members", "seconds"), [({}, 600), ({"updateIntervalMinutes": 5}, 300)])
async def test_the_feed_is_checked_at_the_interval_also_after_a_failure(
    tmp_path: Path, members: Any, seconds: float
) -> None:
    made = updates(settings(**members), tmp_path, Person())
    assert made.interval == seconds
    assert made._poller is not None
    assert (made._poller._interval, made._poller._after_failure) == (seconds, seconds)
    await made.stop()


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (answering(200, b"x" * 1_100_000), "longer than 1,048,576 bytes"),
        (answering(302, b"", "Location: http://127.0.0.1:9/latest.json"), "status 302"),
        (answering(404), "status 404"),
        (answering(200, b"<html>"), "The feed is not JSON"),
        (
            answering(200, json.dumps({"version": "9.0", "url": "/x", "sha256": "0" * 64}).encode()),
            "not a signed release",
        ),
    ],
)
async def test_a_feed_that_cannot_be_used_is_reported_and_nothing_is_downloaded(
    tmp_path: Path, behaviour: Behaviour, words: str
) -> None:
    async with running(behaviour) as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}"), tmp_path / "downloads", Person())
        with pytest.raises(DesktopError, match=words):
            await made.check()
        await made.stop()
    assert not (tmp_path / "downloads").exists()
    assert len(server.requests) == 1


async def test_a_service_without_news_or_without_an_answer_is_no_reason_to_stop(tmp_path: Path) -> None:
    async with running(answering(204)) as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}"), tmp_path, Person())
        await made.check()
        assert made.summary == "version 1.0 is up to date"
        await made.stop()
    async with down() as server:
        made = updates(settings(base=f"http://127.0.0.1:{server.port}"), tmp_path, Person())
        made.start()
        await until(lambda: "cannot be used" in made.summary)
        await made.stop()


@pytest.mark.rule("R-2.7-2", "R-2.7-6")
async def test_the_platform_asks_the_user_and_applies_the_update(desk: Desk) -> None:
    person, storage = Person(), Storage(CONTENT, "999.0")
    async with running(storage.answer) as server:
        source = {"type": "StaticStorage", "baseUrl": f"http://127.0.0.1:{server.port}"}
        desk.system(autoUpdater={"enabled": True, "updateSource": source, "publicKeys": [PUBLIC]})
        desk.host.answers = {"Version 999.0 is ready. Apply it now?": "Now"}
        async with desk.running(apply_update=person.apply) as platform:
            await until(lambda: bool(person.applied))
            await until(lambda: "starts with the next start" in platform.status()["updates"])
        assert person.applied[0].file.read_bytes() == CONTENT
        asked = len(server.requests)
        async with desk.running() as platform:
            (step,) = (one for one in platform.steps.all if one.name == "updates")
            assert (step.state, "was installed as a Python package" in step.note) == (StepState.DEGRADED, True)
            assert "was installed as a Python package" in platform.status()["updates"]
    assert len(server.requests) == asked


async def test_remote_configuration_can_neither_add_a_key_nor_allow_older_versions(desk: Desk) -> None:
    storage = Storage(CONTENT, "999.0")
    remote = {"autoUpdater": {"publicKeys": [PUBLIC], "allowDowngrade": True}}
    answer = json.dumps({"system.json": {"contents": remote}}).encode()
    async with running(storage.answer) as server, running(answering(200, answer)) as source:
        where = {"type": "StaticStorage", "baseUrl": f"http://127.0.0.1:{server.port}"}
        sources = [{"type": "path", "source": "./config", "priority": 1}, {"type": "rest", "source": source.url}]
        desk.system(autoUpdater={"enabled": True, "updateSource": where}, systemConfigurations={"sources": sources})
        async with desk.running(apply_update=Person().apply) as platform:
            assert (platform.settings.auto_updater.public_keys, platform.settings.auto_updater.allow_downgrade) == (
                (),
                False,
            )
            assert "publicKeys in the local system.json is empty" in platform.status()["updates"]
    assert (len(source.requests) > 0, server.requests) == (True, [])


async def test_an_update_becomes_current_and_restarts_only_if_no_work_is_lost(tmp_path: Path) -> None:
    installation = Installation(tmp_path / "rostrum")
    installation.prepare()
    installation.add(bundle(tmp_path, "1.0"))
    installation.switch("1.0", trial=False)
    restarts: list[bool] = []

    async def restart() -> bool:
        restarts.append(True)
        return True

    for idle, confirmed, version, count in ((False, False, "1.1", 0), (True, False, "1.2", 1), (False, True, "1.3", 2)):
        apply = applier(installation, restart, lambda idle=idle: idle)  # type: ignore[misc]
        await apply(Update(version, bundle(tmp_path, version), is_confirmed=confirmed))
        assert (installation.state().version, len(restarts)) == (version, count)
    # Another desktop of this installation has switched already.
    await apply(Update("1.3", tmp_path / "missing", is_confirmed=True))
    with pytest.raises(DesktopError, match="cannot be installed in"):
        await apply(Update("1.4", tmp_path / "missing"))
    assert (installation.state().version, len(restarts)) == ("1.3", 3)
