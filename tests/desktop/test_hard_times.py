"""Clocks that jump, disks that are full, folders that cannot be written, platforms that race."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.desktop.errors import StartFailed
from rostrum.stores.apps.kept_answer import KeptAnswer
from rostrum.stores.errors import StoreFailed
from tests.desktop.test_platform import APPS, Desk, program

DAY = 24 * 3600
SLEEPS = "import time; time.sleep(600)"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk")


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there no process can be told that its disk is full")
def test_a_full_disk_is_said_loses_nothing_and_is_over_when_there_is_room_again(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "system.json").write_text(json.dumps({"gw": {"configuration": {"port": 0}}}))
    command = [sys.executable, "-m", "tests.desktop.full_disk", str(tmp_path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    files, outboxes = told["files"], told["outboxes"]
    assert [reason.rpartition(": ")[2] for reason in files["refused"]] == ["File too large"] * 2
    assert all("cannot be written" in reason for reason in files["refused"] + outboxes["refused"])
    assert (files["kept"], files["names"]) == ({"zone": "Oslo"}, ["Morning"])
    assert (files["accepted"], files["crashes"]) == (["done", "done"], 1)
    assert "a crash report cannot be written: File too large" in done.stderr
    assert (outboxes["shown"], outboxes["sent"], outboxes["waiting"]) == (["Before"], ["Before"], 0)
    assert (outboxes["accepted"], outboxes["preferences"]) == ("done", {"clock": {"x": 2}})
    # Nothing half-written is left, and every file can be read.
    assert not list(tmp_path.rglob("*.tmp"))
    for path in tmp_path.rglob("*.json"):
        json.loads(path.read_text())


@pytest.mark.parametrize("days", [1, -1])
async def test_a_clock_that_jumps_by_a_day_disturbs_nothing(desk: Desk, days: int) -> None:
    clock = SettableClock()
    desk.write_app("tool", **program(SLEEPS))
    desk.system(**APPS)
    async with desk.running(clock=clock) as platform:
        first = await platform.services.instances.start("tool")
        platform.crashes.error(ValueError("before"))
        await platform.services.layouts.save("Before")
        client = await platform.gateway.local_peer("client", "ann")
        clock.jump(days * DAY)
        platform.crashes.error(ValueError("after"))
        await platform.services.layouts.save("After")
        assert [one.id for one in platform.services.instances.all] == [first.id]
        assert len((await client.methods.call("Rostrum.Layouts.List"))["layouts"]) == 2
        assert len(platform.crashes.waiting) == 2
        assert platform.services.tokens.token(first.id)
        with pytest.raises(StartFailed, match="already runs"):
            await Desk(desk.root).platform(clock=clock).start()
    async with desk.running(clock=clock) as platform:
        assert {key.name for key in platform.stores.layouts.layouts()} == {"Before", "After"}


@pytest.mark.parametrize(("days", "age"), [(1, DAY), (-1, 0)])
def test_a_kept_answer_of_the_future_is_as_good_as_new(tmp_path: Path, days: int, age: float) -> None:
    clock = SettableClock()
    kept = KeptAnswer(tmp_path, "https://apps.example", "ann", clock)
    kept.save([1])
    clock.jump(days * DAY)
    assert kept.load() == ([1], age)


async def test_folders_that_cannot_be_written_are_said_and_the_platform_runs(desk: Desk) -> None:
    data = desk.root / "UserData"
    data.mkdir(parents=True)
    taken = [data / name for name in ("layouts", "prefs", "crashes", "logs")]
    for path in taken:
        path.write_text("a file where a folder should be")
    desk.write_app(
        "tool",
        **program(SLEEPS),
    )
    noisy = program(SLEEPS)
    noisy["details"]["logging"] = True
    desk.write_app("noisy", **noisy)
    desk.system(**APPS)
    async with desk.running() as platform:
        with pytest.raises(StoreFailed, match="layouts cannot be written: "):
            await platform.services.layouts.save("Morning")
        with pytest.raises(StoreFailed, match="prefs cannot be written: "):
            await platform.stores.preferences.set("clock", {"x": 1})
        platform.crashes.error(ValueError("nobody can keep this"))
        with pytest.raises(Exception, match="cannot be started"):
            await platform.services.instances.start("noisy")
        await platform.services.instances.start("tool")
        assert (platform.stores.layouts.layouts(), await platform.stores.preferences.get("clock")) == ({}, {})
        for path in taken:
            path.unlink()
        await platform.services.layouts.save("Morning")
        await platform.stores.preferences.set("clock", {"x": 1})
        platform.crashes.error(ValueError("this one is kept"))
        assert len(platform.crashes.waiting) == 1


async def test_user_data_that_cannot_be_written_at_all_stops_the_start_with_the_reason(desk: Desk) -> None:
    (desk.root / "UserData").write_text("a file where a folder should be")
    with pytest.raises(StartFailed, match="run control: cannot check whether the platform already runs"):
        await desk.platform().start()


async def test_of_two_platforms_that_race_one_runs_and_the_other_reports_it(desk: Desk) -> None:
    platforms = [desk.platform() for _ in range(2)]
    started = await asyncio.gather(*(one.start() for one in platforms), return_exceptions=True)
    assert sorted(str(type(result)) for result in started) == sorted([str(type(None)), str(StartFailed)])
    (refused,) = (result for result in started if result is not None)
    assert "the platform already runs" in str(refused)
    for one in platforms:
        await one.stop()
    await (again := desk.platform()).start()
    await again.stop()
