"""rostrum manager export and import, as an operator uses them."""

import stat
from pathlib import Path

import pytest

from tests.end_to_end.processes import run
from tests.real_manager import configuration


@pytest.fixture
def here(tmp_path: Path) -> str:
    (tmp_path / "here").mkdir()
    config = configuration(tmp_path / "here")
    added = run("manager", "user", "add", "bob", "--generate", "--config", config)
    assert added.returncode == 0, added.stderr
    return config


def test_a_server_moves_to_another_database_in_one_file(tmp_path: Path, here: str) -> None:
    file = tmp_path / "firm.export"
    out = run("manager", "export", str(file), "--config", here)
    assert out.returncode == 0, out.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (tmp_path / "there").mkdir()
    there = configuration(tmp_path / "there")
    back = run("manager", "import", str(file), "--config", there)
    assert back.returncode == 0, back.stderr
    assert "imported" in back.stderr
    assert "bob" in run("manager", "user", "list", "--config", there).stdout


def test_a_file_that_is_there_is_not_overwritten_and_a_full_database_not_touched(tmp_path: Path, here: str) -> None:
    file = tmp_path / "firm.export"
    file.write_text("mine")
    assert "is there already" in run("manager", "export", str(file), "--config", here).stderr
    assert file.read_text() == "mine"
    other = tmp_path / "other.export"
    run("manager", "export", str(other), "--config", here)
    refused = run("manager", "import", str(other), "--config", here)
    assert refused.returncode == 1
    assert "not empty" in refused.stderr


def test_a_file_that_cannot_be_used_is_told_in_words(tmp_path: Path, here: str) -> None:
    away = tmp_path / "away" / "firm.export"
    refused = run("manager", "export", str(away), "--config", here)
    assert (refused.returncode, refused.stderr) == (1, f"error: {away}.part: No such file or directory\n")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n")
    refused = run("manager", "import", str(picture), "--config", here)
    assert (refused.returncode, refused.stderr) == (1, "error: the file is not an export of a Rostrum manager\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "picture.png"]
