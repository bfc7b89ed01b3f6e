"""Commands in messages that install the package again or add an extra, for each kind of installation."""

import json
import os
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from rostrum.base import distribution
from rostrum.base.distribution import DISTRIBUTION, PackageInstallation, installed_from, this_installation

ROOT = Path(__file__).resolve().parents[2]
WHEEL = "rostrum_platform-1.2.0-py3-none-any.whl"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REINSTALL = "--force-reinstall --no-deps"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are quoted for another shell there")


@pytest.fixture(autouse=True)
def is_activated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is the first on the PATH, as after its activation."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, direct_url: object) -> PackageInstallation:
    """Describe an installation outside a source tree, with the metadata that pip writes."""
    metadata = folder / "site-packages" / "rostrum_platform-1.2.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: 1.2.0\n")
    if direct_url is not None:
        (metadata / "direct_url.json").write_text(json.dumps(direct_url))
    monkeypatch.syspath_prepend(metadata.parent)
    monkeypatch.setattr(distribution, "__file__", str(metadata.parent / "rostrum" / "base" / "distribution.py"))
    return this_installation()


def test_the_name_is_that_of_the_distribution() -> None:
    assert PROJECT["name"] == DISTRIBUTION


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_a_source_tree_has_a_make_command_for_each_extra(extra: str) -> None:
    program, target = this_installation().with_extra(extra).command.split()

    assert program == "make"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(VENV)", ".venv")
    assert f"\n{target}:" in makefile


def test_a_source_tree_builds_files_with_make_and_installs_itself() -> None:
    here = this_installation()

    assert here.with_built_files("make admin-ui").command == "make admin-ui"
    assert here.again().command == f"pip install --no-deps --no-build-isolation -e {ROOT}"


def test_an_environment_that_is_not_on_the_path_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.defpath)

    words = shlex.split(this_installation().again().command)

    assert words[:4] == [sys.executable, "-m", "pip", "install"]


def test_the_wheel_that_was_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "my wheels" / WHEEL
    wheel.parent.mkdir()
    wheel.touch()

    found = installed(tmp_path, monkeypatch, {"url": wheel.as_uri(), "archive_info": {}})

    assert shlex.split(found.with_extra("windows").command) == ["pip", "install", f"{wheel}[windows]"]
    assert found.with_built_files("make admin-ui").command == f"pip install {REINSTALL} '{wheel}'"
    assert str(found.again()) == f"run `pip install {REINSTALL} '{wheel}'`"


@pytest.mark.parametrize(
    "direct_url",
    [
        None,
        {"url": "https://reader:secret@example.test/rostrum_platform-1.2.0-py3-none-any.whl?token=secret"},
        {"url": f"file://reader:secret@server/{WHEEL}"},
        {"url": f"file:///no/such/folder/secret/{WHEEL}"},
        {"url": "file:secret"},
        {"url": f"file:///usr/secret%C2%A0folder/../../{sys.executable}"},
        {"url": ["secret"]},
        ["secret"],
    ],
)
def test_without_a_local_file_only_the_name_of_the_wheel_and_the_guide_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, direct_url: object
) -> None:
    found = installed(tmp_path, monkeypatch, direct_url)

    place = 'in the folder with this wheel (see "Install the package" in docs/guide/deployment.md)'
    assert str(found.with_extra("kerberos")) == f"run `pip install './{WHEEL}[kerberos]'` {place}"
    assert str(found.again()) == f"run `pip install {REINSTALL} ./{WHEEL}` {place}"
    assert "## Install the package" in (ROOT / "docs/guide/deployment.md").read_text(encoding="utf-8")


def test_a_damaged_record_of_the_file_is_ignored() -> None:
    assert installed_from("{") is None


def test_a_copy_without_metadata_has_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "__file__", str(tmp_path / "lib" / "rostrum" / "base" / "distribution.py"))
    monkeypatch.setattr(distribution, "DISTRIBUTION", "rostrum-nowhere")

    assert "./rostrum_nowhere-" in this_installation().again().command
