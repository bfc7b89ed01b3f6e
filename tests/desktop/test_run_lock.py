"""How many platforms may run."""

import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rostrum.desktop.errors import AlreadyRunning
from rostrum.desktop.run_lock import RunLock, lock_name, running_instance, wait_until_free

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOLD = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from rostrum.desktop.run_lock import RunLock
lock = RunLock(Path(sys.argv[1]), sys.argv[2])
lock.acquire("DEMO-EMEA", datetime(2026, 1, 1, tzinfo=UTC))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.rule("R-2.11-2")
def test_the_pair_or_everything_is_what_excludes_another_instance() -> None:
    assert lock_name("inDifferentEnvRegion", "A-B") != lock_name("inDifferentEnvRegion", "A-C")
    assert lock_name("never", "A-B") == lock_name("never", "A-C")


def test_the_second_start_says_who_runs_and_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path), "platform"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(AlreadyRunning, match=rf"process {holder.pid} for DEMO-EMEA, since 2026-01-01"):
            RunLock(tmp_path, "platform").acquire("X", NOW)
        told = running_instance(tmp_path, "platform")
        assert told is not None
        assert told["pid"] == holder.pid
        assert not wait_until_free(tmp_path, "platform", 0.1)
        other = RunLock(tmp_path, "other")
        other.acquire("X", NOW)
        other.release()
        holder.send_signal(signal.SIGKILL)
        assert wait_until_free(tmp_path, "platform", 30)
        holder.wait(30)
    assert running_instance(tmp_path, "platform") is None
    lock = RunLock(tmp_path, "platform")
    lock.acquire("X", NOW)
    lock.release()


def test_of_two_that_race_one_runs(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path), "platform"]
    racers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(2)
    ]
    try:
        lines = [racer.stdout.readline() for racer in racers if racer.stdout is not None]
        assert sorted(lines) == ["", "held\n"]
    finally:
        for racer in racers:
            racer.communicate(timeout=30)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(AlreadyRunning, match="cannot be told"):
        RunLock(tmp_path / "file", "platform").acquire("X", NOW)
