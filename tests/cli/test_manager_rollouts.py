"""rostrum manager rollouts, as real processes on one database."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_manager_bulk import add_users
from tests.cli.test_manager_commands import on_manager
from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]

APP = {"name": "blotter", "type": "window", "title": "saved", "details": {"url": "https://a.example"}}


def rollouts(config: str, *words: str) -> tuple[int, str, str]:
    done = run("manager", "rollouts", *words, "--config", config)
    return done.returncode, done.stdout.strip(), done.stderr


def rollouts_json(config: str, *words: str) -> Any:
    returned, printed, said = rollouts(config, *words, "--json")
    assert returned == 0, said
    return json.loads(printed)


@pytest.mark.long
def test_a_change_is_previewed_started_halted_and_finished(config: str, tmp_path: Path) -> None:
    from rostrum.contracts.app_entries import AppEntry
    from rostrum.manager.access.identity import SYSTEM

    add_users(config, "ann", "bob")
    on_manager(config, lambda parts: parts["apps"].create(SYSTEM, AppEntry(definition=APP, public=True)))
    file = tmp_path / "blotter.json"
    file.write_text(json.dumps({**APP, "title": "new"}))
    plan = ("apps", "blotter", str(file), "--stage", "10%:2h", "--stage", "100%", "--max-crashes", "5%")

    preview = rollouts_json(config, "start", *plan, "--dry-run")
    assert preview["stages"][1] == {"number": 2, "users": preview["users"], "new": preview["stages"][1]["new"]}
    assert rollouts_json(config, "list", "apps") == []
    started = rollouts_json(config, "start", *plan, "--comment", "new title")
    assert [stage["duration"] for stage in started["stages"]] == [7200, None]
    status, printed, said = rollouts(config, "show", "apps", started["id"])
    assert status == 0
    assert f"Roll-out {started['id']} of blotter: running." in said
    assert "until an administrator continues" in printed
    assert rollouts_json(config, "halt", "apps", started["id"])["status"] == "halted"
    assert rollouts_json(config, "resume", "apps", started["id"])["status"] == "running"
    assert rollouts_json(config, "advance", "apps", started["id"])["stage"] == 2
    assert rollouts_json(config, "finish", "apps", started["id"])["status"] == "finished"
    status, _, said = rollouts(config, "withdraw", "apps", started["id"])
    assert status == 1
    assert "the roll-out has ended: it is finished" in said
    assert "blotter" in rollouts(config, "list", "apps")[1]
    status, _, said = rollouts(config, "start", "apps", "blotter", str(file), "--stage", "10%:soon")
    assert status == 1
    assert "is not a time span" in said


def test_a_file_that_cannot_be_used_is_named_with_the_reason(config: str, tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"name": "blotter"')
    (tmp_path / "picture.json").write_bytes(b"\x89PNG\xff")
    reasons = {
        "missing.json": "No such file or directory",
        "cut.json": "does not contain valid JSON",
        "picture.json": "is not a text file with UTF-8",
    }

    for name, reason in reasons.items():
        status, printed, said = rollouts(config, "start", "apps", "blotter", str(tmp_path / name), "--stage", "10%")

        assert (status, printed) == (2, ""), name
        assert name in said
        assert reason in said
        assert "Errno" not in said
