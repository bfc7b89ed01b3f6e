"""How many platforms may run."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rostrum.desktop.errors import AlreadyRunning
from rostrum.desktop.run_lock import RunLock, running_instance, wait_until_free

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOLD = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from rostrum.desktop.run_lock import RunLock
lock = RunLock(Path(sys.argv[1]), sys.argv[2])
lock.acquire(Path("data"), datetime(2026, 1, 1, tzinfo=UTC))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def running(folder: Path, pair: str, *, never: bool = False) -> Iterator[None]:
    lock = RunLock(folder, pair, never=never)
    lock.acquire(folder / pair, NOW)
    try:
        yield
    finally:
        lock.release()


@pytest.mark.rule("R-2.11-2")
def test_an_instance_excludes_others_of_its_pair_and_never_excludes_every_other(tmp_path: Path) -> None:
    with running(tmp_path, "A-B"):
        with running(tmp_path, "A-C"):
            for pair in ("A-B", "A-C"):
                with pytest.raises(AlreadyRunning, match=f"for {pair}, since"), running(tmp_path, pair):
                    pass
        for pair in ("A-B", "A-C"):
            with pytest.raises(AlreadyRunning, match="for A-B, since"), running(tmp_path, pair, never=True):
                pass
        # Who was refused holds nothing.
        with running(tmp_path, "A-C"):
            pass
    with running(tmp_path, "A-B", never=True):
        for never in (False, True):
            with pytest.raises(AlreadyRunning, match="for A-B, since") as caught, running(tmp_path, "", never=never):
                pass
            assert caught.value.user_data == tmp_path / "A-B"
        assert [running_instance(tmp_path, pair) is None for pair in ("A-B", "A-C")] == [False, False]
    assert running_instance(tmp_path, "A-B") is None


@pytest.mark.long
def test_the_second_start_names_the_running_instance_and_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path), "DEMO-EMEA"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(AlreadyRunning, match=rf"process {holder.pid} for DEMO-EMEA, since 2026-01-01"):
            RunLock(tmp_path, "DEMO-EMEA").acquire(tmp_path, NOW)
        told = running_instance(tmp_path, "DEMO-EMEA")
        assert told is not None
        assert told["pid"] == holder.pid
        assert not wait_until_free(tmp_path, "DEMO-EMEA", 0.1)
        with running(tmp_path, "other"):
            pass
        holder.send_signal(signal.SIGKILL)
        assert wait_until_free(tmp_path, "DEMO-EMEA", 30)
        holder.wait(30)
    assert running_instance(tmp_path, "DEMO-EMEA") is None
    with running(tmp_path, "DEMO-EMEA"):
        pass


@pytest.mark.long
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
    with pytest.raises(AlreadyRunning, match="cannot check whether"):
        RunLock(tmp_path / "file", "platform").acquire(tmp_path, NOW)
