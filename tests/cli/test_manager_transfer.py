"""rostrum manager export and import, as an operator uses them."""

import asyncio
import json
import stat
from pathlib import Path

import pytest

from tests.end_to_end.processes import run
from tests.real_manager import configuration
from tests.tables import add_tables

TOLD = ("import", "export", "user add")


@pytest.fixture
def here(tmp_path: Path) -> str:
    (tmp_path / "here").mkdir()
    config = configuration(tmp_path / "here")
    asyncio.run(add_tables(f"sqlite:///{tmp_path}/here/rostrum.db"))
    added = run("manager", "user", "add", "bob", "--generate", "--config", config)
    assert added.returncode == 0, added.stderr
    return config


@pytest.mark.long
def test_a_server_moves_to_another_database_in_one_file(tmp_path: Path, here: str) -> None:
    file = tmp_path / "firm.export"
    out = run("manager", "export", str(file), "--config", here)
    assert out.returncode == 0, out.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (tmp_path / "there").mkdir()
    there = configuration(tmp_path / "there")
    asyncio.run(add_tables(f"sqlite:///{tmp_path}/there/rostrum.db"))
    back = run("manager", "import", str(file), "--config", there)
    assert back.returncode == 0, back.stderr
    assert "imported" in back.stderr
    assert "bob" in run("manager", "user", "list", "--config", there).stdout
    # Both are recorded in the continued chain.
    told = json.loads(run("manager", "audit", "list", "--json", "--config", there).stdout)
    assert [entry["operation"] for entry in told[:3]] == [f"rostrum manager {name}" for name in TOLD]
    assert run("manager", "audit", "verify", "--config", there).returncode == 0


@pytest.mark.long
def test_what_cannot_be_used_is_reported_in_words_and_left_alone(tmp_path: Path, here: str) -> None:
    file = tmp_path / "firm.export"
    file.write_text("mine")
    assert "already exists" in run("manager", "export", str(file), "--config", here).stderr
    assert file.read_text() == "mine"
    other = tmp_path / "other.export"
    run("manager", "export", str(other), "--config", here)
    refused = run("manager", "import", str(other), "--config", here)
    assert refused.returncode == 1
    assert "not empty" in refused.stderr
    away = tmp_path / "away" / "firm.export"
    refused = run("manager", "export", str(away), "--config", here)
    assert (refused.returncode, refused.stderr) == (1, f"error: {away}.part: No such file or directory\n")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n")
    refused = run("manager", "import", str(picture), "--config", here)
    assert (refused.returncode, refused.stderr) == (1, "error: the file is not an export of a Rostrum manager\n")
    assert [path.name for path in tmp_path.rglob("*.part")] == []
