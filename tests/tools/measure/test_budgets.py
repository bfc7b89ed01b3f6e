"""`make check` refuses packages above their budget, and higher budgets without a reason."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.measure.budgets import FILE, BudgetError, main, problems, read_budgets, rounded_up
from tools.measure.sources import package_sizes

REASON = "Raise the budget\n\nBudget: a new kind of documents\n"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Ada Birch", "-c", "user.email=ada@example.com"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def set_budgets(root: Path, **budgets: int) -> None:
    entries = "".join(f'"src/rostrum/{name}" = {budget}\n' for name, budget in budgets.items())
    (root / FILE).write_text(f"# A comment\n\n[lines]\n{entries}")


def commit(root: Path, message: str = "Change something", **budgets: int) -> None:
    set_budgets(root, **budgets)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """A product with two packages of ten lines and a budget for each, without a history."""
    root = tmp_path / "product"
    for name in ("base", "manager"):
        (root / "src/rostrum" / name).mkdir(parents=True)
        (root / "src/rostrum" / name / "code.py").write_text("1\n" * 10)
    set_budgets(root, base=10, manager=10)
    return root


@pytest.fixture
def clone(export: Path) -> Path:
    """The same in a repository, after two commits."""
    git(export, "init", "-q")
    commit(export, base=10, manager=20)
    commit(export, "Lower the budget", base=10, manager=10)
    return export


def test_packages_within_their_budgets_pass(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], clone) == 0
    assert capsys.readouterr() == ("", "")


def test_one_line_above_the_budget_fails_with_the_solution(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clone / "src/rostrum/manager/code.py").write_text("1\n" * 11)

    assert main([], clone) == 1
    assert capsys.readouterr().err == (
        "src/rostrum/manager: 11 lines, but its budget is 10. Delete or move code, or raise the budget in "
        'budgets.toml, in a commit whose message has the line "Budget: <reason>".\n'
    )


def test_a_package_without_a_budget_and_a_budget_without_a_package_fail(
    export: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_budgets(export, base=10, cli=10)

    assert main([], export) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert "src/rostrum/cli has a budget, but no source files" in first
    assert "src/rostrum/manager has no budget. Add one: it has 10 lines" in second


@pytest.mark.parametrize("text", ["[lines", "", "[lines]\n[other]\n", "lines = 1\n", '[lines]\n"tests" = "10"\n'])
def test_an_invalid_file_is_refused(export: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (export / FILE).write_text(text)

    assert main([], export) == 1
    assert FILE in capsys.readouterr().err
    with pytest.raises(BudgetError):
        read_budgets(export)


def test_a_commit_that_raises_a_budget_without_a_reason_fails(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(clone, "Raise the budget\n\nBudget:\n", base=10, manager=30)
    commit(clone, "Budget: another package\n", base=20, manager=30)
    commit(clone, base=20, manager=30)

    assert main([], clone) == 1
    (problem,) = capsys.readouterr().err.splitlines()
    assert re.search(
        r'the commit [0-9a-f]{10} \("Raise the budget"\) raises src/rostrum/manager from 10 to 30', problem
    )


def test_a_commit_that_raises_a_budget_with_a_reason_passes(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(clone, REASON, base=10, manager=30)

    assert main([], clone) == 0
    assert capsys.readouterr() == ("", "")


def test_a_published_commit_without_a_reason_is_repaired_by_lowering_the_budget(clone: Path) -> None:
    commit(clone, base=10, manager=30)
    commit(clone, base=10, manager=15)
    assert main([], clone) == 1

    commit(clone, base=10, manager=10)
    assert main([], clone) == 0

    commit(clone, REASON, base=10, manager=30)
    assert main([], clone) == 0


def test_a_merge_needs_a_reason_only_for_a_budget_above_those_of_both_branches(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "branch")
    commit(clone, REASON, base=10, manager=30)
    git(clone, "checkout", "-q", "-")
    commit(clone, REASON, base=20, manager=10)
    git(clone, "merge", "-q", "-s", "ours", "--no-commit", "branch")
    commit(clone, "Merge the branch", base=20, manager=30)

    assert git(clone, "log", "-1", "--format=%P").count(" ") == 1
    assert main([], clone) == 0


def test_a_higher_budget_that_is_not_committed_is_only_noted(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_budgets(clone, base=10, manager=11)

    assert main([], clone) == 0
    assert capsys.readouterr().out == (
        "budgets.toml: src/rostrum/manager is raised from 10 to 11. The message of the commit must have the line "
        '"Budget: <reason>".\n'
    )


def test_a_package_can_be_divided_without_a_reason(clone: Path) -> None:
    (clone / "src/rostrum/cli").mkdir()
    (clone / "src/rostrum/manager/code.py").rename(clone / "src/rostrum/cli/code.py")
    (clone / "src/rostrum/manager/rest.py").write_text("1\n")
    commit(clone, base=10, manager=1, cli=10)

    assert main([], clone) == 0


def test_a_shallow_clone_checks_the_commits_that_it_has(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(clone, base=10, manager=30)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", clone.as_uri(), str(shallow))

    assert main([], shallow) == 0
    assert "the history is not complete here" in capsys.readouterr().out


def test_without_a_history_reasons_are_not_checked(
    export: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main([], export) == 0
    assert "no history is available here" in capsys.readouterr().out

    # Neither is git needed for a clone.
    git(export, "init", "-q")
    monkeypatch.setenv("PATH", str(export))
    assert shutil.which("git") is None
    assert main([], export) == 0
    assert "no history is available here" in capsys.readouterr().out


def test_budgets_are_set_to_the_lines_rounded_up(export: Path) -> None:
    (export / "tests").mkdir()
    (export / "tests/test_code.py").write_text("1\n")

    assert main(["--write"], export) == 0
    assert (export / FILE).read_text() == (
        '# A comment\n\n[lines]\n"src/rostrum/base" = 100\n"src/rostrum/manager" = 100\n"tests" = 500\n'
    )
    assert [rounded_up("src/rostrum/base", lines) for lines in (0, 1, 100, 101)] == [0, 100, 100, 200]


def test_this_repository_has_a_budget_for_each_package() -> None:
    # Whether the packages are within their budgets is a part of `make check`.
    wrong = [problem for problem in problems(package_sizes(), read_budgets()) if "its budget is" not in problem]

    assert wrong == []
