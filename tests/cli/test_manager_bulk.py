"""rostrum manager bulk, as real processes on one database."""

import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.cli.manager_parts import require_database, run_with_parts
from rostrum.contracts.batches import NewBatch
from rostrum.contracts.sessions import SessionOpening
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.batches.model import LARGE_PART
from rostrum.manager.kinds import Kind
from tests.cli.test_manager_users import config, empty_manager, users
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]


def bulk(config: str, *words: str, text: str = "") -> tuple[int, str, str]:
    done = run("manager", "bulk", *words, "--config", config, text=text)
    return done.returncode, done.stdout.strip(), done.stderr


def bulk_json(config: str, *words: str, text: str = "") -> Any:
    status, printed, said = bulk(config, *words, "--json", text=text)
    assert status == 0, said
    return json.loads(printed)


def add_users(config: str, *names: str) -> None:
    for name in names:
        assert run("manager", "user", "add", name, "--generate", "--config", config).returncode == 0


def disabled(config: str) -> set[str]:
    return {name for name, user in users(config).items() if user["disabled"]}


@pytest.mark.long
def test_users_are_disabled_after_a_dry_run_and_once_for_each_key(config: str) -> None:
    add_users(config, "ann", "bob", "cid")

    preview = bulk_json(config, "apply", "users", "disable", "ann", "bob", "--dry-run")
    assert (preview["total"], preview["done"], preview["refused"]) == (2, 2, 0)
    assert disabled(config) == set()
    status, printed, said = bulk(config, "apply", "users", "disable", "-", "--dry-run", text="ann\nnobody\n")
    assert status == 0, said
    assert "Dry run. Nothing was changed. Users: 1 would change, 0 already in this state, 1 would be refused." in said
    assert "would be refused" in printed

    words = ("apply", "users", "disable", "--query", "b", "--exclude", "cid", "--key", "once", "--ticket", "HR-7")
    batch = bulk_json(config, *words)
    assert (batch["status"], batch["done"], batch["ticket"]) == ("done", 1, "HR-7")
    assert disabled(config) == {"bob"}
    again = bulk_json(config, *words)
    assert again["id"] == batch["id"]
    assert [each["id"] for each in bulk_json(config, "list", "users")] == [batch["id"]]
    assert bulk_json(config, "show", "users", batch["id"])["refusals"] == []

    audit = run("manager", "audit", "export", "--config", config).stdout
    assert '"operation":"rostrum manager bulk apply"' in audit


@pytest.mark.long
def test_refusals_are_listed_and_fail_the_command(config: str) -> None:
    add_users(config, "ann")
    status, printed, said = bulk(config, "apply", "users", "addToGroups", "ann", "nobody", "--group", "Desk")
    assert status == 1
    assert "Users: 1 changed, 0 already in this state, 1 refused." in said
    assert "nobody" in printed
    assert users(config)["ann"]["groups"] == ["Desk"]
    (batch,) = bulk_json(config, "list", "users")
    for word in ("resume", "cancel"):
        status, _, said = bulk(config, word, "users", batch["id"])
        assert (status, "has ended" in said) == (1, True)


def interrupted(config: str, key: str) -> str:
    """Start a batch of two parts in a process that ends before it runs them; return the ID of the batch."""
    ids = [f"app {number}" for number in range(LARGE_PART + 1)]
    body = NewBatch.model_validate({"action": "delete", "ids": ids, "key": key})

    async def start(parts: dict[str, Any]) -> str:
        batch, _ = await parts["batches"].create(SYSTEM, Kind.APP, body)
        return str(batch.id)

    return run_with_parts(require_database(Path(config), quiet=True), "bulk apply", start)


@pytest.mark.long
def test_an_interrupted_bulk_change_is_resumed_or_cancelled(config: str) -> None:
    status, printed, said = bulk(config, "resume", "apps", interrupted(config, "first"), "--json")
    resumed = json.loads(printed)
    # None of the apps exists, so every one is refused.
    assert (status, resumed["status"], resumed["refused"]) == (1, "done", LARGE_PART + 1), said

    status, printed, said = bulk(config, "cancel", "apps", interrupted(config, "second"), "--json")
    cancelled = json.loads(printed)
    assert (status, cancelled["status"], cancelled["refused"]) == (0, "cancelled", 0), said


@pytest.mark.long
def test_a_bulk_change_needs_documents_and_a_known_action(config: str) -> None:
    for words, reason in (
        (("users", "disable"), "name documents, or select them"),
        (("users", "disable", "ann", "--query", "a"), "but not both"),
        (("users", "disable", "--filter", "group"), "must be written as name=value"),
        (("users", "explode", "ann"), "must be one of enable, disable"),
        (("groups", "disable", "Desk"), "must be one of delete"),
        (("users", "addToGroups", "ann"), "is required for addToGroups"),
    ):
        status, printed, said = bulk(config, "apply", *words)
        assert (status, printed) == (1, ""), words
        assert reason in said, said


@pytest.mark.long
def test_records_of_desktops_are_ended_and_deleted(config: str) -> None:
    add_users(config, "ann")

    async def open_sessions(parts: dict[str, Any]) -> list[str]:
        ann = Identity.of("ann", ())
        opened = [
            await parts["sessions"].open(ann, SessionOpening.model_validate({"machine": {"name": name}}))
            for name in ("DESK-1", "DESK-2")
        ]
        return [each.session.id for each in opened]

    first, second = run_with_parts(require_database(Path(config), quiet=True), "bulk apply", open_sessions)
    preview = bulk_json(config, "apply", "sessions", "end", first, "--dry-run")
    assert (preview["done"], preview["refused"]) == (1, 0)
    batch = bulk_json(config, "apply", "sessions", "end", "--filter", "active=true", "--exclude", second)
    assert (batch["status"], batch["done"], batch["unchanged"]) == ("done", 1, 0)
    again = bulk_json(config, "apply", "sessions", "end", first, second)
    assert (again["done"], again["unchanged"]) == (1, 1)

    deleted = bulk_json(config, "apply", "machines", "delete", "--query", "DESK")
    assert deleted["done"] == 2
    for kind in ("crashes", "feedback", "directories", "commands", "tokens"):
        action = "revoke" if kind in ("directories", "tokens") else "delete"
        status, _, said = bulk(config, "apply", kind, action, "nothing")
        assert status == 1, said
        (refused,) = bulk_json(config, "list", kind)
        assert refused["refused"] == 1
