"""Other distributions with the name `rostrum`: how they are found, and what the messages say."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rostrum
from rostrum.base.name_check import metadata_paths, warn_about_conflict
from rostrum.base.name_conflict import NameConflict, find_conflict

ROOT = Path(__file__).resolve().parents[2]
OWN = "[console_scripts]\nrostrum = rostrum.cli.main:main\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the environment in which Python searches modules; its programs are the first on the PATH."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    return tmp_path


def metadata(folder: Path, name: str, **files: str) -> Path:
    path = folder / name
    path.mkdir()
    for file, text in {"METADATA": "Name: rostrum\nVersion: 0.1.0\n", **files}.items():
        (path / file.replace("_json", ".json").replace("_txt", ".txt")).write_text(text)
    return path


def conflict() -> NameConflict:
    found = find_conflict()
    assert found is not None
    return found


@pytest.mark.parametrize(
    "name", ["rostrum-0.1.0.dist-info", "Rostrum-0.1.0.dist-info", "rostrum-0.1.0-py3.11.egg-info", "rostrum.egg-info"]
)
def test_another_project_is_named_with_version_and_folder(folder: Path, name: str) -> None:
    metadata(folder, name)

    found = conflict()

    assert f"The distribution rostrum 0.1.0 in {folder} is another project than rostrum-platform." in found.problem
    assert "Both install the package `rostrum` and the command `rostrum`" in found.problem
    assert found.advice.startswith("run `pip uninstall rostrum`, then run `pip install ")
    assert found.replaced == ()


def test_metadata_in_one_file_is_read(folder: Path) -> None:
    (folder / "rostrum-2.0.egg-info").write_text("Name: rostrum\nVersion: 2.0\n")

    assert "The distribution rostrum 2.0 in" in conflict().problem


def test_another_project_outside_the_environment_cannot_be_uninstalled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata(folder, "rostrum-0.1.0.dist-info")
    monkeypatch.setattr(sys, "prefix", str(folder / "environment"))

    assert conflict().advice == f"remove {folder} from PYTHONPATH"


def test_another_project_with_unreadable_metadata_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = metadata(folder, "rostrum-0.1.0.dist-info") / "METADATA"
    # Root can read every file.
    readable = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != file and readable(path, mode))
    monkeypatch.setattr(Path, "read_text", refusing(file))

    assert f"The distribution rostrum in {folder} is another project" in conflict().problem


def refusing(file: Path) -> Callable[..., str]:
    read = Path.read_text

    def read_text(path: Path, *arguments: str, **options: str) -> str:
        if path == file:
            raise PermissionError
        return read(path, *arguments, **options)

    return read_text


def test_metadata_that_links_to_itself_and_records_that_are_too_long_are_ignored(folder: Path) -> None:
    (folder / "rostrum-1.dist-info").symlink_to(folder / "rostrum-1.dist-info")
    metadata(folder, "rostrum-2.dist-info", RECORD="x" * 200_000)

    assert len(conflict().others) == 1


def test_a_replaced_package_without_a_record_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(rostrum, "PLATFORM_VERSION")

    assert conflict().replaced == ("rostrum/__init__.py",)
    assert conflict().advice.startswith("run `pip install ")


def test_a_warning_that_cannot_be_written_does_not_end_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata(folder, "rostrum-0.1.0.dist-info")
    with Path(os.devnull).open(encoding="utf-8") as unwritable:
        monkeypatch.setattr(sys, "stderr", unwritable)
        warn_about_conflict()
        with pytest.raises(OSError, match="not writable"):
            unwritable.write("warning")


def test_control_characters_of_the_other_project_are_not_printed(folder: Path) -> None:
    metadata(folder, "rostrum-0.1.0.dist-info", METADATA="Name: rostrum\nVersion: 1\x1b[2J\n")

    assert "\x1b" not in str(conflict())


@pytest.mark.parametrize(
    "name", ["rostrum_platform-0.1.0.dist-info", "rostrum_x-1.dist-info", "rostrum", "rostrum.py", "astrum-1.dist-info"]
)
def test_other_names_are_no_conflict(folder: Path, name: str) -> None:
    metadata(folder, name)

    assert metadata_paths() == []


def test_a_folder_without_metadata_is_no_conflict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rostrum-0.1.0.dist-info").mkdir()
    warn_about_conflict()

    assert find_conflict() is None
    assert capsys.readouterr() == ("", "")


def test_the_same_metadata_on_two_paths_is_reported_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata(folder, "rostrum-0.1.0.dist-info")
    monkeypatch.setattr(sys, "path", [*sys.path, f"{folder}/../{folder.name}"])

    assert len(conflict().others) == 1


def test_an_earlier_installation_of_this_product_is_distinguished(folder: Path) -> None:
    metadata(folder, "rostrum-0.1.0.dist-info", entry_points_txt=OWN)

    assert "is an earlier installation of rostrum-platform." in str(conflict())


def test_an_editable_installation_of_another_source_tree_is_reported(folder: Path) -> None:
    url = json.dumps({"url": folder.as_uri(), "dir_info": {"editable": True}})
    metadata(folder, "rostrum-0.1.0.dist-info", entry_points_txt=OWN, direct_url_json=url)

    assert "is an earlier installation of rostrum-platform." in str(conflict())


def test_the_editable_installation_of_this_source_tree_is_harmless(folder: Path) -> None:
    url = json.dumps({"url": ROOT.as_uri(), "dir_info": {"editable": True}})
    metadata(folder, "rostrum-0.1.0.dist-info", entry_points_txt=OWN, direct_url_json=url)

    assert find_conflict() is None


def test_a_start_without_a_conflict_loads_no_library_for_it() -> None:
    code = (
        "import sys; from rostrum.base import distribution, name_check\n"
        "name_check.stop_if_replaced(); name_check.warn_about_conflict()\n"
        "print({'csv', 'hashlib', 'importlib.metadata', 'json', 'rostrum.base.name_conflict'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"


def test_the_warning_is_printed_on_stderr(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metadata(folder, "rostrum-0.1.0.dist-info")

    warn_about_conflict()

    assert capsys.readouterr() == ("", f"warning: {conflict()}\n")


def executed(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "option"), [("rostrum.cli.main", "--version"), ("rostrum.desktop.hosts.qt.main", "--help")]
)
def test_each_program_warns_when_it_starts(tmp_path: Path, module: str, option: str) -> None:
    metadata(tmp_path, "rostrum-0.1.0.dist-info")

    started = executed(f"import sys; sys.argv[1:] = [{option!r}]; from {module} import main; main()", tmp_path)

    assert (started.returncode, started.stdout != "") == (0, True)
    assert started.stderr.startswith(f"warning: The distribution rostrum 0.1.0 in {tmp_path} is another project")


@pytest.mark.parametrize("module", ["rostrum.cli", "rostrum.desktop.hosts.qt"])
def test_each_program_stops_if_its_package_was_overwritten(tmp_path: Path, module: str) -> None:
    started = executed(f"import rostrum; del rostrum.PLATFORM_VERSION; import {module}", tmp_path)

    assert (started.returncode, started.stdout) == (1, "")
    assert started.stderr.startswith("error: Files of rostrum-platform were overwritten or removed: ")
