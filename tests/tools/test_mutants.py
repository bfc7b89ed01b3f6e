"""The planted faults fit the sources, and the verb finds out which of them the tests find."""

import ast
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tools.measure.sources import ROOT
from tools.mutants import FILE, Mutant, NotRunError, is_found, main, planted, read_mutants

MUTANTS = read_mutants()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: f"{each.file}-{each.after}")
def test_each_fault_can_be_planted_and_names_tests(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")

    changed = mutant.applied_to(text)

    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text))
    assert mutant.tests
    assert [test for test in mutant.tests if not (ROOT / test).is_file()] == []


def test_every_package_has_faults() -> None:
    planted_in = Counter(mutant.file.split("/")[2] for mutant in MUTANTS)
    packages = {path.parent.name for path in (ROOT / "src/rostrum").glob("*/__init__.py")}

    assert len({(mutant.file, mutant.before, mutant.after) for mutant in MUTANTS}) == len(MUTANTS) >= 60
    assert packages - set(planted_in) == set()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "code.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "test_found.py").write_text("text = open('code.py').read()\ndef test_it(): assert '2 * x' in text\n")
    (tmp_path / "test_blind.py").write_text("def test_nothing(): pass\n")
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(
        '[[mutant]]\nfile = "code.py"\nbefore = "return 2 * x"\nafter = "return 3 * x"\ntests = ["test_found.py"]\n'
    )
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "code.py"], [*author, "commit", "-qm1"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def test_a_fault_is_planted_and_the_line_restored(project: Path) -> None:
    (mutant,) = read_mutants(project)

    with planted(mutant, project):
        assert (project / "code.py").read_text() == "def double(x):\n    return 3 * x\n"

    assert (project / "code.py").read_text() == "def double(x):\n    return 2 * x\n"


def test_a_file_with_changes_is_refused(project: Path) -> None:
    (project / "code.py").write_text("def double(x):\n    return 2 * x\n\n")

    (mutant,) = read_mutants(project)

    with pytest.raises(ValueError, match="has changes that are not committed"), planted(mutant, project):
        pass


@pytest.mark.parametrize("before", ["return 4 * x", "return"])
def test_a_line_that_does_not_occur_once_is_reported(project: Path, before: str) -> None:
    mutant = Mutant("code.py", before, "pass", [])

    with pytest.raises(ValueError, match="the line occurs 0 times"), planted(mutant, project):
        pass


def test_compiled_modules_with_the_fault_are_not_used_again(project: Path) -> None:
    (mutant,) = read_mutants(project)
    before = (project / "code.py").stat().st_mtime_ns

    with planted(mutant, project):
        os.utime(project / "code.py", ns=(before + 1, before + 1))

    assert (project / "code.py").stat().st_mtime_ns == before


@pytest.mark.long
def test_the_tests_find_a_fault_or_not(project: Path) -> None:
    (mutant,) = read_mutants(project)

    assert is_found(mutant, project)
    assert not is_found(replace(mutant, tests=["test_blind.py"]), project)
    with pytest.raises(NotRunError, match="file or directory not found"):
        is_found(replace(mutant, tests=["test_absent.py"]), project)


@pytest.mark.long
def test_a_test_that_fails_without_the_fault_too_shows_nothing(project: Path) -> None:
    (project / "test_broken.py").write_text("def test_nothing(): assert False\n")
    (mutant,) = read_mutants(project)

    with pytest.raises(NotRunError, match="a test fails without the fault too"):
        is_found(replace(mutant, tests=["test_broken.py"]), project)


PROGRAM = """
import sys; from pathlib import Path; from tools.mutants import main; sys.exit(main(sys.argv[2:], Path(sys.argv[1])))
"""


def run(project: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Run the tool on a project, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(project), *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


@pytest.fixture
def two_faults(project: Path) -> Path:
    """A project with a fault whose tests are missing, followed by one that is found."""
    found = (project / FILE).read_text()
    (project / FILE).write_text(found.replace("test_found.py", "test_absent.py") + found)
    return project


@pytest.mark.long
def test_faults_after_one_whose_tests_could_not_run_are_planted_too(two_faults: Path) -> None:
    process = run(two_faults)
    lines = process.communicate(timeout=60)[0].splitlines()

    assert process.returncode == 2
    assert [line.partition(" in ")[0] for line in lines[:2]] == ["1: tests could not run", "2: found"]
    assert lines[2] == "1: tests could not run: code.py: return 3 * x"
    assert lines[-1] == "1 of 2 faults found"


@pytest.mark.long
def test_faults_are_selected_by_number(two_faults: Path) -> None:
    process = run(two_faults, "--from", "2", "--json")
    document = json.loads(process.communicate(timeout=60)[0])

    assert process.returncode == 0
    assert (document["planted"], document["found"]) == (1, 1)
    assert [(each["number"], each["result"]) for each in document["results"]] == [(2, "found")]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_line_is_restored_if_the_tool_is_ended(project: Path, number: signal.Signals) -> None:
    (project / "test_found.py").write_text(
        "import os, pathlib, time\n"
        "def test_it():\n"
        "    pathlib.Path('writing').write_text(str(os.getpid()))\n"
        "    os.rename('writing', 'running')\n"
        "    time.sleep(60)\n"
    )
    process = run(project)
    end = time.monotonic() + 60
    while not (project / "running").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert (project / "code.py").read_text() == "def double(x):\n    return 3 * x\n"

    process.send_signal(number)
    process.communicate(timeout=60)

    assert process.returncode == 128 + number
    assert (project / "code.py").read_text() == "def double(x):\n    return 2 * x\n"
    with pytest.raises(ProcessLookupError):
        os.kill(int((project / "running").read_text()), 0)


def test_a_file_without_faults_is_a_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["no/such/file"])

    assert end.value.code == 2
    assert "no fault is planted in such a file" in capsys.readouterr().err
