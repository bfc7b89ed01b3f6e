"""The admin UI's own tests of its logic, run with its own tool."""

import subprocess

import pytest

from tests.end_to_end.admin_ui.conftest import ROOT
from tools.node import find_node


@pytest.fixture(scope="module")
def unit_tests() -> subprocess.CompletedProcess[str]:
    """The result of all of them, hundreds of tests: not the cost of a single one."""
    node = find_node()
    return subprocess.run(
        node.command("npm", "run", "--silent", "test", "--", "--no-color"),
        cwd=ROOT / "admin-ui",
        env={**node.environment, "CI": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.rule("R-2.3-1", "R-2.3-2")
def test_the_unit_tests_of_the_admin_ui_pass(unit_tests: subprocess.CompletedProcess[str]) -> None:
    assert unit_tests.returncode == 0, unit_tests.stdout + unit_tests.stderr
