"""The Makefile: every listed verb can run, and each installs what it needs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
VERBS = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def steps(verb: str, environment: Path) -> str:
    """Return the commands that a verb would run in a fresh clone; none of them is run."""
    make = shutil.which("make")
    assert make is not None
    variables = [f"VENV={environment}", f"PEERS={environment}-peers", "UI_MODULES=never-installed"]
    done = subprocess.run(
        [make, "-n", verb, *variables], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_listed_verb_has_commands(verb: str, tmp_path: Path) -> None:
    assert steps(verb, tmp_path / "venv").strip()


@pytest.mark.parametrize("verb", ["run", "test", "check", "bench", "dist", "lock"])
def test_an_environment_gets_the_locked_pip_before_anything_else(verb: str, tmp_path: Path) -> None:
    installed = re.findall(r"requirements/([a-z-]+\.txt)", steps(verb, tmp_path / "venv"))

    assert installed[0] == "pip.txt"


def test_the_distribution_with_the_earlier_name_is_removed_before_the_new_one_is_installed(tmp_path: Path) -> None:
    commands = steps("run", tmp_path / "venv")

    assert commands.index("pip uninstall -qq -y rostrum\n") < commands.index("--no-build-isolation -e .")


def test_benchmarks_install_the_servers_that_they_compare_with(tmp_path: Path) -> None:
    commands = steps("bench", tmp_path / "venv")

    assert commands.index("bench-peers.txt") < commands.index("-m bench")


def test_packages_are_built_after_the_admin_ui(tmp_path: Path) -> None:
    commands = steps("dist", tmp_path / "venv")

    assert commands.index("tools/admin_ui.py build") < commands.index("hatchling build")


def test_locks_are_written_for_python_and_npm_and_then_checked(tmp_path: Path) -> None:
    commands = steps("lock", tmp_path / "venv")
    locks = {path.name for path in (ROOT / "requirements").glob("*.txt")}
    checked = commands.index("tools/locks.py --registry")

    assert {name for name in locks if f"-o requirements/{name}" not in commands[:checked]} == set()
    for folder in ("admin-ui", "tests/gateway/node", "tests/fdc3/node", "tests/agents/node", "tests/windows/groups_ui"):
        assert re.search(rf"--package-lock-only --omit-lockfile-registry-resolved .*--prefix {folder}\n", commands)
