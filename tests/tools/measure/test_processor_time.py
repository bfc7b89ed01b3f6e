"""A complete test run records its processor time, with that of workers and of the processes that tests start."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from tests.processor_time import FILE, runs_all_tests
from tools.measure.sources import ROOT

CONFTEST = """
from tests.processor_time import ProcessorTime

def pytest_configure(config):
    config.pluginmanager.register(ProcessorTime(config))
"""
WORKS = """
import subprocess, sys, time

WORK = "import time\\nwhile time.process_time() < 0.2: pass"

def test_works_in_this_process():
    end = time.process_time() + 0.1
    while time.process_time() < end: pass

def test_works_in_another_process():
    subprocess.run([sys.executable, "-ISc", WORK], check=True)
"""
RESTS = "def test_fails(): assert False\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "tests/test_works.py").write_text(WORKS)
    (tmp_path / "tests/test_rests.py").write_text(RESTS)
    return tmp_path


def run(project: Path, *arguments: str) -> dict[str, Any] | None:
    """Run the tests of a project, and return its record."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-pno:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert "1 failed" in done.stdout, done.stdout + done.stderr
    file = project / FILE
    record: dict[str, Any] | None = json.loads(file.read_text()) if file.exists() else None
    return record


@pytest.mark.long
def test_a_complete_run_with_workers_is_recorded_and_a_selection_is_not(project: Path) -> None:
    assert run(project, "-krests") is None

    record = run(project, "-pxdist", "-n1")

    assert record is not None
    assert (record["tests"], record["failed"], record["processes"]) == (3, 1, 1)
    assert record["processor_seconds"] > 0.25
    assert (record["commit"], record["has_changes"]) == ("", False)
    assert [*record["modules"]] == ["tests/test_works.py", "tests/test_rests.py"]
    assert record["modules"]["tests/test_works.py"] > 0.25 > record["modules"]["tests/test_rests.py"]


class Parsed:
    """The configuration of a run of all tests with some arguments."""

    def __init__(self, config: pytest.Config, *arguments: str) -> None:
        options = config._parser.parse(arguments)
        self.args = options.file_or_dir or self.getini("testpaths")
        self.getoption = partial(getattr, options)

    def getini(self, name: str) -> list[str]:
        return {"testpaths": ["tests"]}[name]


def is_complete(config: pytest.Config, *arguments: str, **environment: str) -> bool:
    return runs_all_tests(cast("pytest.Config", Parsed(config, *arguments)), environment)


@pytest.fixture(autouse=True)
def no_coverage(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may run while coverage is measured."""
    monkeypatch.delitem(sys.modules, "coverage", raising=False)


@pytest.mark.parametrize("arguments", [(), ("-n3",), ("tests",), ("-v", "--failed-first")])
def test_runs_of_all_tests_are_complete(arguments: tuple[str, ...], pytestconfig: pytest.Config) -> None:
    assert is_complete(pytestconfig, *arguments)


@pytest.mark.parametrize(
    "argument",
    ["tests/tools", "-kone", "-mrule", "-x", "--lf", "--ignore=tests/windows", "--deselect=tests/a.py", "--co"],
)
def test_options_that_select_tests_make_a_run_incomplete(argument: str, pytestconfig: pytest.Config) -> None:
    assert not is_complete(pytestconfig, argument)


@pytest.mark.parametrize("variable", ["ENGINE", "FDC3_CONFORMANCE", "GATEWAY", "LONG"])
def test_variables_that_change_the_tests_make_a_run_incomplete(variable: str, pytestconfig: pytest.Config) -> None:
    assert not is_complete(pytestconfig, **{variable: "1"})


def test_a_run_that_measures_coverage_is_incomplete(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring = SimpleNamespace(Coverage=SimpleNamespace(current=object))
    monkeypatch.setitem(sys.modules, "coverage", cast("ModuleType", measuring))

    assert not is_complete(pytestconfig)
