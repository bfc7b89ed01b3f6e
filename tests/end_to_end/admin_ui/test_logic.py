"""The admin UI's own tests of its logic, run with its own tool."""

import subprocess

import pytest

from tests.end_to_end.admin_ui.conftest import ROOT
from tools.node import find_node


@pytest.mark.rule("R-2.3-1", "R-2.3-2")
def test_the_unit_tests_of_the_admin_ui_pass() -> None:
    node = find_node()
    done = subprocess.run(
        node.command("npm", "run", "--silent", "test", "--", "--no-color"),
        cwd=ROOT / "admin-ui",
        env={**node.environment, "CI": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
