"""rostrum manager audit, as real processes on one database."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.end_to_end.processes import run


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A manager in which two things were done."""
    folder = tmp_path_factory.mktemp("audit")
    assert run("manager", "init", "--dir", str(folder)).returncode == 0
    path = str(folder / "rostrum.json")
    assert run("manager", "migrate", "--config", path).returncode == 0
    for arguments in (("add", "ann", "--generate"), ("disable", "ann")):
        assert run("manager", "user", *arguments, "--config", path).returncode == 0
    return path


@pytest.mark.long
def test_what_commands_did_is_listed(config: str) -> None:
    listed = run("manager", "audit", "list", "--json", "--config", config)
    entries = json.loads(listed.stdout)

    assert [(entry["operation"], entry["actor"]) for entry in entries] == [
        ("rostrum manager user disable", "(system)"),
        ("rostrum manager user add", "(system)"),
    ]
    assert "@" in entries[0]["origin"]["address"]
    assert entries[0]["changes"][0]["diff"] == [{"op": "replace", "path": "/disabled", "before": False, "after": True}]
    table = run("manager", "audit", "list", "--kind", "user", "--id", "ann", "--limit", "1", "--config", config)
    assert "user disable" in table.stdout
    assert "user add" not in table.stdout
    wrong = run("manager", "audit", "list", "--from", "yesterday", "--config", config)
    assert wrong.returncode == 2
    assert "--from must have a date, a time and a time zone" in wrong.stderr


@pytest.mark.long
def test_an_intact_audit_is_verified_and_a_broken_one_is_located(config: str, tmp_path: Path) -> None:
    fine = run("manager", "audit", "verify", "--config", config)
    assert fine.returncode == 0, fine.stderr
    assert "2 entries in order" in fine.stderr
    head = fine.stdout.strip()
    exported = tmp_path / "audit.jsonl"
    exported.write_text(run("manager", "audit", "export", "--config", config).stdout)
    whole = run("manager", "audit", "verify", "--file", str(exported), "--head", head, "--json")
    assert json.loads(whole.stdout) == {"ok": True, "entries": 2, "head": head, "fault": None}

    exported.write_text(exported.read_text().replace("ann", "eve"))
    with closing(sqlite3.connect(Path(config).parent / "rostrum.db")) as database, database:
        database.execute("UPDATE audit SET actor = 'eve' WHERE number = 2")
    for arguments, number in ((("--file", str(exported)), 1), (("--config", config), 2)):
        broken = run("manager", "audit", "verify", "--json", *arguments)
        assert broken.returncode == 1
        assert json.loads(broken.stdout)["fault"]["number"] == number
        assert f"entry {number}:" in broken.stderr


@pytest.mark.long
def test_a_known_head_that_is_gone_is_reported(config: str) -> None:
    gone = run("manager", "audit", "verify", "--head", f"7:{'0' * 64}", "--config", config)

    assert gone.returncode == 1
    wrong = run("manager", "audit", "verify", "--head", "7", "--config", config)
    assert (wrong.returncode, "number of an entry" in wrong.stderr) == (2, True)
