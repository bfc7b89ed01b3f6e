"""The versions of an installation: added completely, switched atomically, removed only when unused."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rostrum.installation.build import InstallationError
from rostrum.installation.launcher import State, read_state
from rostrum.installation.versions import Installation
from tests.installation.bundles import bundle, run, start


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    made = Installation(tmp_path / "a folder" / "rostrum")
    made.prepare()
    made.add(bundle(tmp_path, "1.0"))
    made.switch("1.0", trial=False)
    return made


@pytest.mark.long
def test_a_version_is_added_beside_the_others_and_counts_from_the_switch_on(
    installation: Installation, tmp_path: Path
) -> None:
    assert installation.add(bundle(tmp_path, "1.1"), "1.1").version == "1.1"
    assert run(installation.root, "--help")[1] == "1.0 --help\n"
    installation.switch("1.1")
    assert run(installation.root, "--help")[1] == "1.1 --help\n"
    assert read_state(installation.root) == State("1.1", previous="1.0", trial=True, newest="1.1")
    assert installation.versions == ["1.0", "1.1"]


def test_a_package_that_cannot_be_used_changes_nothing(installation: Installation, tmp_path: Path) -> None:
    before = sorted(installation.root.rglob("*"))
    for package, version, words in (
        (bundle(tmp_path, "1.1"), "1.2", "contains version 1.1, not 1.2"),
        (bundle(tmp_path, "1.2", launcher=99), "1.2", "requires its installer to be run"),
        (bundle(tmp_path, "1.3", target="plan9-vax-cp311"), "1.3", "is for plan9-vax-cp311"),
    ):
        with pytest.raises(InstallationError, match=words):
            installation.add(package, version)
        with pytest.raises(InstallationError, match="is not installed"):
            installation.switch(version)
    assert [path for path in sorted(installation.root.rglob("*")) if path.name != ".lock"] == [
        path for path in before if path.name != ".lock"
    ]
    assert installation.state().version == "1.0"


def test_what_a_killed_update_leaves_is_replaced(installation: Installation, tmp_path: Path) -> None:
    versions = installation.root / "versions"
    (versions / ".new-killed" / "unpacked" / "lib").mkdir(parents=True)
    # Complete, but not switched to: the process was killed in between.
    (versions / "1.1" / "lib").mkdir(parents=True)
    (versions / "1.1" / "build.json").write_text("{}")
    (installation.root / ".current.json.abc").write_text('{"vers')
    installation.add(bundle(tmp_path, "1.1"), "1.1")
    installation.switch("1.1")
    assert run(installation.root, "--help")[1] == "1.1 --help\n"
    assert [path.name for path in versions.iterdir() if path.name.startswith(".")] == []
    assert not (installation.root / ".current.json.abc").exists()


KILLED = """
import os, shutil, sys
from pathlib import Path
from rostrum.installation.launcher import read_state
from rostrum.installation.versions import Installation
installation, package = Installation(Path(sys.argv[1])), Path(sys.argv[2])

def update(left):
    def counted(real):
        def call(*arguments, **options):
            nonlocal left
            for step in (None, real):
                left -= 1
                if left == 0:
                    os._exit(9)
                result = step and step(*arguments, **options)
            return result
        return call
    for owner, name in ((shutil, "copyfileobj"), (Path, "rename"), (Path, "replace"), (Path, "mkdir"), (os, "fsync")):
        setattr(owner, name, counted(getattr(owner, name)))
    installation.add(package, "1.1")
    installation.switch("1.1")
    os._exit(0)

for point in range(1, 200):
    pid = os.fork()
    if pid == 0:
        update(point)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    version = read_state(installation.root).version
    main = installation.root / "versions" / version / "lib" / "rostrum" / "cli" / "main.py"
    print(code, version, f'print("{version}"' in main.read_text(), flush=True)
    if code == 0:
        break
"""


@pytest.mark.long
def test_wherever_the_process_is_killed_the_old_or_the_new_version_is_current_and_complete(
    installation: Installation, tmp_path: Path
) -> None:
    arguments = [sys.executable, "-c", KILLED, str(installation.root), str(bundle(tmp_path, "1.1"))]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True, timeout=60)
    *killed, finished = done.stdout.splitlines()
    assert finished == "0 1.1 True"
    assert len(killed) > 10
    # Killed after the replacement of current.json, the new version counts already.
    assert set(killed) == {"9 1.0 True", "9 1.1 True"}


def test_a_full_disk_refuses_the_update_and_keeps_the_old_version(installation: Installation, tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from pathlib import Path
from rostrum.installation.versions import Installation
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
try:
    Installation(Path(sys.argv[1])).add(Path(sys.argv[2]), "1.1")
except OSError as error:
    print(error.strerror)
"""
    arguments = [sys.executable, "-c", code, str(installation.root), str(bundle(tmp_path, "1.1"))]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "File too large\n"
    assert installation.versions == ["1.0"]
    assert list((installation.root / "versions").glob(".*")) == []


@pytest.mark.long
def test_unused_versions_are_removed_but_not_those_that_run(installation: Installation, tmp_path: Path) -> None:
    with start(installation.root, "stay") as running:
        for version in ("1.1", "1.2", "1.3"):
            code = "input()" if version == "1.1" else "pass"
            installation.add(bundle(tmp_path, version, code))
        running.communicate(timeout=60)
    installation.switch("1.1", trial=False)
    channel = {"ROSTRUM_TRIAL_CHANNEL": "1"}
    with start(installation.root, "stay", environment=channel) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "1.1 stay\n"
        installation.switch("1.2", trial=False)
        installation.switch("1.3", trial=False)
        assert installation.remove_unused() == ["1.0"]
        os.killpg(running.pid, 9)
        running.communicate(timeout=60)
    assert installation.remove_unused() == ["1.1"]
    assert installation.versions == ["1.2", "1.3"]


def test_a_manual_rollback_is_not_undone_by_the_feed_until_requested(
    installation: Installation, tmp_path: Path
) -> None:
    with pytest.raises(InstallationError, match=r"no version before 1\.0"):
        installation.roll_back("unwanted")
    installation.add(bundle(tmp_path, "1.1"))
    installation.switch("1.1")
    assert installation.roll_back("unwanted") == "1.0"
    assert installation.state() == State("1.0", failed={"1.1": "unwanted"}, newest="1.1")
    with pytest.raises(InstallationError, match=r"Recorded versions: 1\.1"):
        installation.forget_failure("7.0")
    installation.forget_failure("1.1")
    assert installation.state().failed == {}


def test_a_foreign_folder_is_not_taken_over(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("")
    with pytest.raises(InstallationError, match="is not empty and not an installation"):
        Installation(tmp_path).prepare()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("state", ["", "[]", '{"version": "../../etc"}', '{"version": 1}'])
def test_an_unreadable_state_states_what_to_do(installation: Installation, state: str) -> None:
    (installation.root / "current.json").write_text(state)
    code, _, messages = run(installation.root, "--help")
    assert (code, "Run the installer again" in messages) == (1, True)
    with pytest.raises(InstallationError, match="is not a usable installation"):
        installation.state()


def test_a_version_that_is_missing_is_replaced_by_the_previous_one(installation: Installation, tmp_path: Path) -> None:
    document = json.loads((installation.root / "current.json").read_text())
    (installation.root / "current.json").write_text(json.dumps(document | {"version": "7.0", "previous": "1.0"}))
    code, out, messages = run(installation.root, "--help")
    assert (code, out, "Version 7.0 is missing" in messages) == (0, "1.0 --help\n", True)
