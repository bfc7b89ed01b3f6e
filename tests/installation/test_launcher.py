"""The launcher: the first start of a new version is a trial, and what does not become ready is rolled back."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rostrum.installation.launcher import State, _Trial, read_state, write_state
from rostrum.installation.versions import Installation
from tests.installation.bundles import READY, bundle, run, start


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    made = Installation(tmp_path / "rostrum")
    made.prepare(ready_seconds=30)
    made.add(bundle(tmp_path, "1.0"))
    made.switch("1.0", trial=False)
    return made


def update(installation: Installation, tmp_path: Path, code: str, version: str = "1.1") -> None:
    installation.add(bundle(tmp_path, version, code))
    installation.switch(version)


@pytest.mark.long
def test_a_version_that_becomes_ready_is_kept(installation: Installation, tmp_path: Path) -> None:
    update(installation, tmp_path, READY)
    assert run(installation.root, "desktop", "--headless")[:2] == (0, "1.1 desktop --headless\n")
    assert read_state(installation.root) == State("1.1", previous="1.0", newest="1.1")


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("sys.exit(3)", "it ended with exit code 3 before it was ready"),
        ("os.kill(os.getpid(), 11)", "it ended with exit code 139 before it was ready"),
    ],
)
def test_a_version_that_ends_before_it_is_ready_is_rolled_back_and_recorded(
    installation: Installation, tmp_path: Path, code: str, reason: str
) -> None:
    update(installation, tmp_path, code)
    done, out, messages = run(installation.root, "desktop")
    assert (done, out) == (0, "1.1 desktop\n1.0 desktop\n")
    assert f"Version 1.1 does not start: {reason}. Rolling back to version 1.0." in messages
    assert read_state(installation.root) == State("1.0", failed={"1.1": reason}, newest="1.1")


@pytest.mark.long
def test_a_version_that_hangs_is_ended_and_rolled_back(installation: Installation, tmp_path: Path) -> None:
    update(installation, tmp_path, "time.sleep(600)")
    settings = installation.root / "installation.json"
    settings.unlink()
    os.mkfifo(settings)
    with start(installation.root, "desktop") as process:
        # The previous version, which starts after it, has enough time.
        settings.write_text('{"readySeconds": 0.05}')
        assert process.stderr is not None
        assert "Rolling back" in process.stderr.readline()
        settings.write_text('{"readySeconds": 60}')
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out.endswith("1.0 desktop\n")) == (0, True)
    assert read_state(installation.root).failed == {"1.1": "it was not ready within 0.05 s"}


def test_the_time_in_which_the_user_is_asked_something_does_not_count(installation: Installation) -> None:
    installation.prepare(ready_seconds=0.05)
    reader, writer = os.pipe()
    os.write(writer, b"waiting\n")
    answered = f"import os, time; time.sleep(0.3); os.write({writer}, b'starting\\nready\\n')"
    with subprocess.Popen([sys.executable, "-c", answered], pass_fds=[writer]) as process:
        os.close(writer)
        write_state(installation.root, State("1.0", trial=True))
        trial = _Trial(installation.root, State("1.0", trial=True), [])
        assert trial._follow(process, reader) == ""
    os.close(reader)
    assert read_state(installation.root) == State("1.0", newest="1.0")


@pytest.mark.long
def test_if_the_previous_version_does_not_start_either_the_new_one_is_not_to_blame(
    installation: Installation, tmp_path: Path
) -> None:
    update(installation, tmp_path, "sys.exit(3)")
    main = installation.root / "versions" / "1.0" / "lib" / "rostrum" / "cli" / "main.py"
    main.write_text(main.read_text().replace(READY, "sys.exit(4)"))
    code, out, _ = run(installation.root, "desktop")
    assert (code, out) == (4, "1.1 desktop\n1.0 desktop\n")
    assert read_state(installation.root) == State("1.0", newest="1.1")


@pytest.mark.long
def test_a_trial_that_is_killed_with_its_launcher_is_repeated_once(installation: Installation, tmp_path: Path) -> None:
    update(installation, tmp_path, "time.sleep(600)")
    for attempt in (1, 2):
        with start(installation.root, "desktop") as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "1.1 desktop\n"
            os.killpg(process.pid, signal.SIGKILL)
        assert read_state(installation.root).attempts == attempt
    code, out, messages = run(installation.root, "desktop")
    assert (code, out) == (0, "1.0 desktop\n")
    assert "it was not ready after 2 starts" in messages


@pytest.mark.long
def test_a_user_who_ends_the_start_does_not_fail_the_version(installation: Installation, tmp_path: Path) -> None:
    update(installation, tmp_path, "time.sleep(600)")
    with start(installation.root, "desktop") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1.1 desktop\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert read_state(installation.root) == State("1.1", previous="1.0", trial=True, newest="1.1")


@pytest.mark.long
def test_commands_are_no_trial(installation: Installation, tmp_path: Path) -> None:
    update(installation, tmp_path, "report('inconclusive'); sys.exit(1)")
    for arguments in (("config", "check"), ("desktop", "status")):
        assert run(installation.root, *arguments)[1] == f"1.1 {' '.join(arguments)}\n"
    assert read_state(installation.root) == State("1.1", previous="1.0", trial=True, newest="1.1")


@pytest.mark.long
def test_a_version_that_asks_for_a_restart_is_followed_by_the_current_one(
    installation: Installation, tmp_path: Path
) -> None:
    update(installation, tmp_path, f"{READY}; input(); report('restart')")
    with start(installation.root, "desktop") as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "1.1 desktop\n"
        for _ in range(3000):
            if not read_state(installation.root).trial:
                break
            time.sleep(0.02)
        update(installation, tmp_path, READY, "1.2")
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1.2 desktop\n"
        assert process.wait(60) == 0
    assert read_state(installation.root) == State("1.2", previous="1.1", newest="1.2")


def test_without_room_for_the_state_the_previous_version_starts(installation: Installation, tmp_path: Path) -> None:
    update(installation, tmp_path, READY)
    before = (installation.root / "current.json").read_bytes()
    limited = f"ulimit -f 0; trap '' XFSZ; exec '{installation.root}/bin/rostrum' desktop"
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "1.0 desktop\n"
    assert "cannot be written" in done.stderr
    assert (installation.root / "current.json").read_bytes() == before


@pytest.mark.long
def test_an_installation_that_other_users_could_replace_does_not_start(
    installation: Installation, tmp_path: Path
) -> None:
    root = installation.root
    for folder, mode in ((tmp_path, 0o777), (root, 0o707)):
        folder.chmod(mode)
        done, out, messages = run(root, "desktop")
        folder.chmod(0o755)
        assert (done, out) == (1, "")
        assert f"all users of this machine can write to {folder}" in messages
    # As in /tmp: users can add files there, but replace only their own.
    tmp_path.chmod(0o1777)
    assert run(root, "desktop")[0] == 0
