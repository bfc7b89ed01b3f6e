"""The window process has every method of the port. Read from its source, because Qt need not be installed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rostrum.desktop.hosts
from rostrum.desktop.hosts.actions import ACTIONS
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.wire import operations

QT = Path(rostrum.desktop.hosts.__file__).parent / "qt"


def test_every_method_of_the_port_is_served() -> None:
    tree = ast.parse((QT / "host.py").read_text(encoding="utf-8"))
    (host,) = [one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == "QtHost"]
    methods = {one.name for one in host.body if isinstance(one, ast.FunctionDef)}
    # The engine is prepared before there is a host.
    assert operations(WindowHost).keys() - methods == {"prepare"}


def test_every_action_is_executed() -> None:
    tree = ast.parse((QT / "window_actions.py").read_text(encoding="utf-8"))
    named = {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)}
    assert ACTIONS.keys() <= named


@pytest.mark.long
def test_the_window_process_starts_without_the_libraries_of_the_settings() -> None:
    # The splash waits for it: these libraries take longer to load than Qt.
    code = "import sys, rostrum.desktop.hosts.wire, rostrum.desktop.hosts.port; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
