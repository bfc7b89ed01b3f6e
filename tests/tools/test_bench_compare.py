"""Two states of a product are measured in pairs, and a slower state is detected."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import product as combinations
from pathlib import Path

import pytest

import rostrum
from bench.__main__ import BENCHMARKS
from bench.compare import __main__ as program
from bench.compare.__main__ import comparable, main
from bench.compare.intervals import Comparison, Verdict, confidence, cost_ratio, interval_rank
from bench.compare.pairs import interleaved
from bench.compare.states import State, UsageError, built_files, commit_of, default_revision
from bench.effort import Effort, costs, own_efforts, started_processes
from bench.figures import Figure, Sample
from tools.releases import ROOT, Release

# Its figures are numbers of the product, so that they never differ by chance.
PLANTED = """
import os, subprocess, sys
from rostrum import work
from bench.figures import Figure

def sample():
    assert os.environ["PYTHONHASHSEED"] == "0"
    return {"steps": Figure(work.STEPS, "steps"), "rate": Figure(1000 / work.STEPS, "/s", is_rate=True),
            "same": Figure(5, "steps")}
"""
BROKEN = """
import os, pathlib, subprocess, sys

def sample():
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", "print(1, flush=True); input()"], stdin=pipe, stdout=pipe)
    process.stdout.readline()
    pathlib.Path("started").write_text(str(process.pid))
    from rostrum import not_in_this_state
"""


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Ada Birch", "-c", "user.email=ada@example.com"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose newest commit takes 100 steps, and a folder for temporary files beside it."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    folder = tmp_path / "product"
    (folder / "src/rostrum/page").mkdir(parents=True)
    (folder / "src/rostrum/__init__.py").touch()
    (folder / "src/rostrum/work.py").write_text("STEPS = 100\n")
    (folder / "src/rostrum/page/built.js").write_text("built\n")
    (folder / "bench").mkdir()
    for name in ("__init__.py", "figures.py"):
        shutil.copy(ROOT / "bench" / name, folder / "bench")
    shutil.copytree(ROOT / "bench/compare", folder / "bench/compare", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bench/planted.py").write_text(PLANTED)
    (folder / "bench/broken.py").write_text(BROKEN)
    (folder / "bench/report_only.py").write_text("def report():\n    pass\n")
    (folder / "pyproject.toml").write_text('[tool.hatch.build]\nartifacts = ["/src/rostrum/page/"]\n')
    (folder / "releases.toml").touch()
    (folder / ".gitignore").write_text("__pycache__/\n/src/rostrum/page/\n/started\n")
    git(tmp_path, "init", "-q", str(folder))
    commit(folder)
    return folder


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Change")
    return git(folder, "rev-parse", "HEAD")


def left_over(folder: Path) -> list[Path]:
    return list((folder.parent / "temporary").iterdir())


def compared(*ratios: float) -> Comparison:
    return Comparison(benchmark="gateway", figure="calls", unit="ms", base=1, current=1, ratios=ratios)


@pytest.mark.parametrize(
    ("count", "rank"), [(7, 1), (8, 1), (9, 2), (10, 2), (11, 2), (12, 3), (13, 3), (14, 3), (15, 4)]
)
def test_intervals_are_the_narrowest_with_enough_confidence(count: int, rank: int) -> None:
    assert interval_rank(count) == rank
    assert confidence(count, rank) >= 0.95 > confidence(count, rank + 1)


def test_the_confidence_is_the_share_of_cases_in_which_the_interval_contains_the_median() -> None:
    """Each value is below the true median with a probability of one half, so all cases are equally likely."""
    below = [sum(case) for case in combinations((0, 1), repeat=9)]

    for rank in range(1, 5):
        contained = sum(rank <= each <= 9 - rank for each in below)
        assert confidence(9, rank) == pytest.approx(contained / 2**9)


def test_five_values_have_no_interval() -> None:
    with pytest.raises(ValueError, match="too few"):
        interval_rank(5)


@pytest.mark.parametrize(
    ("ratios", "interval", "verdict"),
    [
        ([0.5, 1.04, 1.05, 1.05, 1.06, 1.07, 1.08, 1.09, 2], (1.04, 1.09), Verdict.SLOWER),
        ([0.5, 1.03, 1.05, 1.05, 1.06, 1.07, 1.08, 1.09, 2], (1.03, 1.09), Verdict.SLIGHTLY_SLOWER),
        ([0.5, 0.99, 1.05, 1.05, 1.06, 1.07, 1.08, 1.09, 2], (0.99, 1.09), Verdict.NOT_SHOWN),
        ([1.0] * 9, (1, 1), Verdict.NOT_SHOWN),
        ([0.5, 0.7, 0.8, 0.8, 0.8, 0.9, 0.9, 0.99, 2], (0.7, 0.99), Verdict.FASTER),
        ([1.04, 2, 2, 2, 2, 2, 2], (1.04, 2), Verdict.SLOWER),
    ],
)
def test_the_interval_decides_and_not_the_median(
    ratios: Sequence[float], interval: tuple[float, float], verdict: Verdict
) -> None:
    comparison = compared(*reversed(ratios))

    assert comparison.interval == interval
    assert comparison.verdict is verdict


def test_a_ratio_above_one_is_slower_for_costs_and_rates() -> None:
    assert cost_ratio(Figure(10, "ms"), Figure(12, "ms")) == pytest.approx(1.2)
    assert cost_ratio(Figure(12, "/s", is_rate=True), Figure(10, "/s", is_rate=True)) == pytest.approx(1.2)


def test_the_states_take_turns_to_be_first() -> None:
    assert interleaved(5) == [(0, 1), (1, 0), (0, 1), (1, 0), (0, 1)]


def test_instructions_are_a_figure_only_if_the_machine_counts_them() -> None:
    assert costs("start", [Effort(0.25, 4e6), Effort(0.5, 5e6), Effort(0.75, 9e6)]) == {
        "start": Figure(500, "ms"),
        "start: instructions": Figure(5, "million"),
    }
    assert costs("start", [Effort(0.5, None)]) == {"start": Figure(500, "ms")}


def test_the_effort_of_an_action_is_divided_by_its_repetitions() -> None:
    assert Effort(3.0, 50.0).since(Effort(1.0, 10.0)).divided(4) == Effort(0.5, 10.0)
    assert Effort(3.0, None).since(Effort(1.0, 10.0)).divided(4) == Effort(0.5, None)


def test_more_work_is_more_effort() -> None:
    [little], [much] = own_efforts(lambda: sum(range(1000)), 1), own_efforts(lambda: sum(range(1_000_000)), 1)

    assert 0 < little.seconds < much.seconds
    if little.instructions is not None and much.instructions is not None:
        assert 0 < little.instructions < much.instructions


def test_instructions_of_started_processes_are_counted() -> None:
    with started_processes() as read:
        before = read()
        subprocess.run([sys.executable, "-S", "-c", "sum(range(1_000_000))"], check=True)
        after = read()

    if before is None or after is None:
        pytest.skip("this machine does not count instructions")
    assert after - before > 1_000_000


def test_the_listed_benchmarks_that_can_be_compared() -> None:
    found = comparable(ROOT)

    assert set(found) <= {each.name for each in BENCHMARKS}
    assert {"gateway", "polling", "startup", "settings"} <= set(found)


@pytest.mark.long
def test_a_slower_working_tree_fails(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (product / "src/rostrum/work.py").write_text("STEPS = 104\n")

    assert main(["planted", "--base", "HEAD", "--pairs", "7", "--json"], product) == 1

    captured = capsys.readouterr()
    printed = json.loads(captured.out)
    assert printed["base"] == git(product, "rev-parse", "HEAD")
    assert {each["figure"]: (each["verdict"], each["interval"]) for each in printed["figures"]} == {
        "steps": ("slower", [1.04, 1.04]),
        "rate": ("slower", [pytest.approx(1.04), pytest.approx(1.04)]),
        "same": ("no difference shown", [1, 1]),
    }
    assert [len(each["ratios"]) for each in printed["figures"]] == [7, 7, 7]
    base = f"planted, base {printed['base'][:10]}"
    assert captured.err.splitlines()[:4] == [
        f"pair 1 of 7: {base}",
        "pair 1 of 7: planted, working tree",
        "pair 2 of 7: planted, working tree",
        f"pair 2 of 7: {base}",
    ]
    assert left_over(product) == []


@pytest.mark.long
def test_the_same_state_passes(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["planted", "--base", "HEAD", "--pairs", "7"], product) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "The median of the ratios lies in the interval with a probability of 98.4 %."
    assert lines[4].split() == ["figure", "base", "current", "ratio", "interval", "verdict"]
    assert re.split(" {2,}", lines[5]) == [
        "steps",
        "100 steps",
        "100 steps",
        "1.000",
        "1.000 to 1.000",
        "no difference shown",
    ]
    assert lines[-1] == "Slower than allowed (interval above 1.03): 0 of 3 figures."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "No benchmark was named. These can be compared: broken, planted."),
        (["report_only"], "The benchmark 'report_only' does not exist or cannot be compared. These can be compared:"),
        (["planted", "--base", "nonsense"], "The revision 'nonsense' does not exist in this clone."),
        (["planted", "--base=--all"], "The revision '--all' does not exist"),
        (["planted", "--pairs", "6"], "6 pairs are too few: an interval needs at least 7."),
    ],
)
def test_wrong_usage_is_refused(
    product: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments, product) == 2

    assert f"error: {message}" in capsys.readouterr().err
    assert left_over(product) == []


def test_a_state_that_cannot_be_measured_is_reported_and_its_processes_are_ended(
    product: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["broken", "--base", "HEAD"], product) == 3

    error = capsys.readouterr().err
    assert f"error: broken cannot be measured with the base {git(product, 'rev-parse', 'HEAD')[:10]}." in error
    assert "ImportError: cannot import name 'not_in_this_state' from 'rostrum'" in error
    status = Path(f"/proc/{(product / 'started').read_text()}/stat")
    # A killed process that the system has not removed yet is a zombie.
    assert not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"
    assert left_over(product) == []


def test_a_measurement_that_takes_too_long_is_reported(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["planted", "--base", "HEAD"], product, seconds=0) == 3

    assert "did not end within 0 seconds." in capsys.readouterr().err
    assert left_over(product) == []


def test_a_state_must_not_be_replaced_by_the_installed_package(
    product: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(product, "mv", "src/rostrum", "src/renamed")
    commit(product)

    assert main(["planted", "--base", "HEAD"], product) == 3

    assert f"load {rostrum.__file__} instead of " in capsys.readouterr().err


def test_an_interrupted_comparison_leaves_no_files(product: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> None:
        assert left_over(product) != []
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_progress", interrupt)

    with pytest.raises(KeyboardInterrupt):
        main(["planted", "--base", "HEAD"], product)
    assert left_over(product) == []


def test_built_files_of_the_working_tree_are_in_both_states(product: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []

    def measured(_: object, states: Sequence[State], *__: object) -> dict[str, list[tuple[Sample, Sample]]]:
        found.extend((state.source / "rostrum/page/built.js").read_text() for state in states)
        sample = {"steps": Figure(1, "steps")}
        return {"planted": [(sample, sample)] * 7}

    monkeypatch.setattr(program, "measure_pairs", measured)

    assert main(["planted", "--base", "HEAD", "--pairs", "7"], product) == 0
    assert found == ["built\n", "built\n"]
    assert "src/rostrum/manager/admin_page/build" in built_files(ROOT)


def test_without_a_base_the_newest_release_is_the_base(product: Path) -> None:
    release = Release("0.1.0", git(product, "rev-parse", "HEAD"), "0021")
    (product / "releases.toml").write_text(release.entry())

    assert default_revision(product) == release.commit


def test_without_releases_the_newest_commit_with_another_package_is_the_base(product: Path) -> None:
    first = git(product, "rev-parse", "HEAD")
    (product / "src/rostrum/work.py").write_text("STEPS = 101\n")
    assert commit_of(product, default_revision(product)) == first

    commit(product)
    (product / "notes.txt").touch()
    commit(product)
    assert commit_of(product, default_revision(product)) == first


def test_a_history_with_one_package_has_no_default_base(product: Path) -> None:
    with pytest.raises(UsageError, match="does not exist in this clone"):
        commit_of(product, default_revision(product))
