"""The usual tests, the long ones, their shares, and the end of a run after some minutes."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.selection import Shard, names_long_tests, repeats_on_second_database

ROOT = Path(__file__).resolve().parent.parent
CONFTEST = """
import pytest
from tests.processor_limit import ProcessorLimit
from tests.selection import Selection, add_options

def pytest_addoption(parser):
    parser.addoption("--numprocesses")
    add_options(parser)

def pytest_configure(config):
    config.addinivalue_line("markers", "long: long")
    config.addinivalue_line("markers", "usual(count): usual")
    config.pluginmanager.register(Selection(config))
    config.pluginmanager.register(ProcessorLimit())
"""
USUAL = """
import time

_loaded = []

def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass

def test_rests(): pass

def test_works_once():
    if not _loaded:
        _loaded.append(1)
        work(3)
"""
WORKS = """
import pytest, subprocess, sys, time
WORK = "import time\\nwhile time.process_time() < 3: pass"

def test_works():
    subprocess.run([sys.executable, "-ISc", WORK], check=True)

@pytest.mark.long
def test_works_long():
    test_works()

@pytest.fixture(scope="module")
def shared():
    test_works()

def test_shares(shared): pass

@pytest.mark.usual(2)
@pytest.mark.parametrize("case", "abc")
def test_cases(case): pass
"""


def run(folder: Path, *arguments: str) -> str:
    """Run the tests of the folder, and return the output."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-v", "-pno:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_usual.py").write_text(USUAL)
    (tmp_path / "test_works.py").write_text(WORKS)
    return tmp_path


@pytest.mark.long
def test_tests_that_need_much_processor_time_fail_unless_they_are_long(folder: Path) -> None:
    output = run(folder)

    assert "6 passed, 2 deselected, 1 error" in output
    assert "test_works.py::test_works needed" in output
    assert "Make the test cheaper, or mark it with pytest.mark.long." in output


@pytest.mark.long
def test_long_tests_run_when_selected_and_are_not_limited(folder: Path) -> None:
    assert "2 passed, 6 deselected" in run(folder, "-m", "long")
    assert "1 passed" in run(folder, "test_works.py::test_works_long")


@pytest.mark.long
def test_no_test_starts_after_the_last_minute(folder: Path) -> None:
    output = run(folder, "--minutes", "0")

    assert "not started within --minutes: 6 tests" in output
    assert "test_usual.py::test_rests" in output


@pytest.mark.long
def test_an_invalid_share_is_reported(folder: Path) -> None:
    assert '--shard: "6/6" is not a share such as 0/6 to 5/6' in run(folder, "--shard", "6/6")


def test_each_file_belongs_to_one_share() -> None:
    names = [f"tests/test_{number}.py::test_{number % 7}" for number in range(200)]

    owners = [[number for number in range(6) if Shard(number, 6).has(name)] for name in names]

    assert all(len(owner) == 1 for owner in owners)
    assert {owner[0] for owner in owners} == set(range(6))
    assert Shard.parse("5/6") == Shard(5, 6)
    assert Shard(0, 6).has("tests/a.py::one") == Shard(0, 6).has("tests/a.py::two")


@pytest.mark.parametrize("text", ["", "6/6", "1", "a/b", "-1/6", "1/0", "1/6/7", "12345/99999"])
def test_other_shares_are_refused(text: str) -> None:
    with pytest.raises(pytest.UsageError, match="is not a share"):
        Shard.parse(text)


@pytest.mark.parametrize(
    ("mark", "arguments", "named"),
    [
        ("", ["tests"], False),
        ("rule", ["tests/cli"], False),
        ("long", ["tests"], True),
        ("long or not long", ["tests"], True),
        ("", ["tests/a.py::test_one"], True),
    ],
)
def test_long_tests_are_selected_by_mark_or_by_name(mark: str, arguments: list[str], named: bool) -> None:
    config = SimpleNamespace(args=arguments, getoption=lambda _: mark)

    assert names_long_tests(cast("pytest.Config", config)) is named


def repeats(module: str, **parameters: Any) -> bool:
    item = SimpleNamespace(callspec=SimpleNamespace(params=parameters), function=SimpleNamespace(__module__=module))
    return repeats_on_second_database(cast("pytest.Item", item))


def test_repeats_on_the_second_database_are_long_but_for_the_suites() -> None:
    assert repeats("tests.manager.test_app", store="postgresql")
    assert not repeats("tests.manager.test_app", store="sqlite")
    assert not repeats("tests.manager.test_app", value="postgresql")
    assert not repeats("tests.suites.storage", store="postgresql")
    assert not repeats_on_second_database(cast("pytest.Item", SimpleNamespace()))
