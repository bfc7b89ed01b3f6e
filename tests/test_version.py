"""The version is written in `src/rostrum/__init__.py` alone; everything else reads it from there."""

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import rostrum
from rostrum.manager.app import create_app
from tests.conftest import manager_config
from tests.end_to_end.processes import run

ROOT = Path(__file__).resolve().parent.parent


def test_the_version_is_that_of_a_release() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.dev\d+)?", rostrum.__version__)


def test_the_package_takes_its_version_from_the_module() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert "version" not in pyproject["project"]
    assert "version" in pyproject["project"]["dynamic"]
    assert pyproject["tool"]["hatch"]["version"] == {"path": "src/rostrum/__init__.py"}
    assert version("rostrum-platform") == rostrum.__version__


def test_the_admin_ui_has_no_version_that_could_disagree() -> None:
    package = json.loads((ROOT / "admin-ui/package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "admin-ui/package-lock.json").read_text(encoding="utf-8"))

    assert [document.get("version") for document in (package, lock, lock["packages"][""])] == [None] * 3


def test_the_command_prints_the_version() -> None:
    assert run("--version").stdout.strip() == f"rostrum {rostrum.__version__}"


@pytest.mark.long
def test_diagnostics_name_the_version(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()

    assert run("doctor", cwd=tmp_path).stdout.splitlines()[0] == f"rostrum {rostrum.__version__}"
    assert json.loads(run("doctor", "--json", cwd=tmp_path).stdout)["version"] == rostrum.__version__


@pytest.mark.long
def test_the_description_of_the_http_api_names_the_version(tmp_path: Path) -> None:
    described = create_app(manager_config(f"sqlite:///{tmp_path}/unused.db")).openapi()
    written = json.loads((ROOT / "docs/reference/openapi.json").read_text(encoding="utf-8"))

    assert described["info"]["version"] == written["info"]["version"] == rostrum.__version__
