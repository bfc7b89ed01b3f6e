"""rostrum manager commands, as real processes on one database."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SystemClock
from rostrum.base.ids import new_id
from rostrum.cli.manager_parts import require_database, run_with_parts
from rostrum.contracts.sessions import CommandResult, SessionOpening
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.commands.service import CommandService
from rostrum.manager.sessions.service import SessionService
from tests.cli.test_manager_bulk import add_users
from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]


def commands(config: str, *words: str) -> tuple[int, str, str]:
    done = run("manager", "commands", *words, "--config", config)
    return done.returncode, done.stdout.strip(), done.stderr


def commands_json(config: str, *words: str, status: int = 0) -> Any:
    returned, printed, said = commands(config, *words, "--json")
    assert returned == status, said
    return json.loads(printed)


def on_manager(config: str, action: Any) -> Any:
    """Do something with the parts of the manager, as the running one would."""
    return run_with_parts(require_database(Path(config), quiet=True), "test", action)


def connect(config: str, *users: str, version: str = "10.1") -> dict[str, str]:
    async def opened(parts: dict[str, Any]) -> dict[str, str]:
        service: SessionService = parts["sessions"]
        body = SessionOpening(machine={"id": new_id()}, version=version)
        return {user: (await service.open(Identity.of(user, []), body)).session.id for user in users}

    found: dict[str, str] = on_manager(config, opened)
    return found


def answer(config: str, sessions: dict[str, str], **statuses: str) -> None:
    """Let desktops answer, and the manager count it."""

    async def answered(parts: dict[str, Any]) -> None:
        service: CommandService = parts["commands"]
        for user, session in sessions.items():
            identity = Identity.of(user, [])
            for command in await service.fetch(identity, session):
                result = CommandResult.model_validate({"status": statuses.get(user, "done")})
                await service.answer(identity, session, command.id, result)
        await parts["command_runs"].advance_all()

    on_manager(config, answered)


@pytest.mark.long
def test_a_command_is_previewed_sent_in_waves_and_watched(config: str) -> None:
    add_users(config, "ann", "bob", "cid")
    sessions = connect(config, "ann", "bob")
    target = ("--user", "ann", "--user", "bob", "--user", "cid")

    preview = commands_json(config, "send", "Restart", *target, "--waves", "1,100%", "--dry-run")
    assert (preview["total"], preview["ready"], preview["offline"], preview["waves"]) == (3, 2, 1, [1, 2])
    status, printed, said = commands(config, "send", "Restart", "--all", "--dry-run")
    assert status == 0, said
    assert "Dry run. Nothing was sent. 2 desktops: 2 would receive the command" in said
    assert "ann" in printed
    assert commands_json(config, "list") == []

    words = (
        "send",
        "Restart",
        *target,
        "--waves",
        "1,100%",
        "--key",
        "once",
        "--ticket",
        "OPS-1",
        "--max-failures",
        "1",
    )
    started = commands_json(config, *words)
    assert (started["status"], started["sent"], started["pending"]) == ("running", 1, 2)
    assert commands_json(config, *words)["id"] == started["id"]
    answer(config, sessions)
    answer(config, sessions, ann="failed", bob="failed")

    status, printed, said = commands(config, "show", started["id"], "--watch")
    assert status == 1
    assert "1 of 3 done, 1 failed, 1 offline." in said
    assert "failed" in printed
    assert [each["state"] for each in commands_json(config, "show", started["id"])["failures"]] == ["failed"]
    (listed,) = commands_json(config, "list")
    assert (listed["id"], listed["status"], listed["ticket"]) == (started["id"], "done", "OPS-1")
    status, printed, said = commands(config, "list")
    assert (status, "1 of 3" in printed) == (0, True)

    audit = run("manager", "audit", "export", "--config", config).stdout
    assert '"operation":"rostrum manager commands send"' in audit


@pytest.mark.long
def test_a_scheduled_run_is_paused_continued_and_cancelled(config: str) -> None:
    later = (SystemClock().now() + timedelta(days=30)).strftime("%Y-%m-%dT00:00:00Z")
    words = ("--filter", "version=10.1", "--at", later, "--pause", "10m", "--expires", "12h")
    started = commands_json(config, "send", "GetLogs", "--params", '{"days": 2}', *words)
    assert (started["status"], started["pause"], started["params"]) == ("scheduled", 600, {"days": 2})
    assert started["startAt"] == later
    assert started["target"]["filter"]["fields"] == {"version": "10.1"}

    run_id = started["id"]
    found = [commands_json(config, word, run_id)["status"] for word in ("pause", "continue", "cancel")]

    assert found == ["paused", "scheduled", "cancelled"]
    for word in ("pause", "continue", "cancel"):
        status, _, said = commands(config, word, run_id)
        assert (status, "it is cancelled" in said) == (1, True)
    status, _, said = commands(config, "show", "nothing")
    assert (status, "command run" in said) == (1, True)


@pytest.mark.long
def test_wrong_options_are_explained(config: str) -> None:
    def said(*words: str) -> str:
        status, _, text = commands(config, "send", "Restart", *words)
        assert status == 1
        return text

    assert "select desktops with `--group`" in said()
    assert "use `--all` without" in said("--all", "--group", "Desk")
    assert "name=value" in said("--filter", "version")
    assert "time span" in said("--all", "--pause", "soon")
    assert "waves[0]" in said("--all", "--waves", "half")
    assert "waves[1]" in said("--all", "--waves", "50%,10%")
    assert "JSON object" in said("--all", "--params", "[]")
    assert "there is no group 'None'" in said("--group", "None")
    assert "startAt" in said("--all", "--at", "tomorrow")
    assert SYSTEM.user not in said("--all", "--max-failures", "many")
