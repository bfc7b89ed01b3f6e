"""What the package offers, and what it costs to import."""

import subprocess
import sys

import pytest

import rostrum.contracts.apps
import rostrum.contracts.layouts


@pytest.mark.parametrize("package", [rostrum.contracts.apps, rostrum.contracts.layouts])
def test_everything_exported_exists(package: object) -> None:
    names = package.__all__  # type: ignore[attr-defined]

    assert names == sorted(names, key=lambda name: (not name.isupper(), name.islower(), name))
    assert [name for name in names if not hasattr(package, name)] == []


@pytest.mark.long
def test_importing_builds_no_validator() -> None:
    code = (
        "from rostrum.contracts.apps import AppDefinition\n"
        "from rostrum.contracts.layouts import Layout\n"
        "print(AppDefinition.__pydantic_complete__, Layout.__pydantic_complete__)"
    )

    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert answer.stdout.split() == ["False", "False"]


@pytest.mark.long
def test_a_server_that_starts_loads_no_shapes_of_definitions() -> None:
    code = (
        "import sys, rostrum.manager.app\n"
        "shapes = ('rostrum.contracts.apps', 'rostrum.contracts.layouts')\n"
        "print([name for name in sys.modules if name.startswith(shapes)])"
    )

    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert answer.stdout.strip() == "[]"
