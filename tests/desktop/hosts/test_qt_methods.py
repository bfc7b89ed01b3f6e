"""The window process has every method of the port. Read from its source, because Qt need not be installed."""

import ast
from pathlib import Path

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
