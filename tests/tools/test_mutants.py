"""The planted faults fit the sources, and the verb finds out which of them the tests find."""

import ast
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tools.measure.sources import ROOT
from tools.mutants import FILE, Mutant, is_found, main, planted, read_mutants

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


@pytest.mark.long
def test_the_tests_find_a_fault_or_not(project: Path) -> None:
    (mutant,) = read_mutants(project)

    assert is_found(mutant, project)
    assert not is_found(Mutant(mutant.file, mutant.before, mutant.after, ["test_blind.py"]), project)
    with pytest.raises(ValueError, match="the tests did not run"):
        is_found(Mutant(mutant.file, mutant.before, mutant.after, ["test_absent.py"]), project)


def test_a_file_without_faults_is_a_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["no/such/file"])

    assert end.value.code == 2
    assert "no fault is planted in such a file" in capsys.readouterr().err
