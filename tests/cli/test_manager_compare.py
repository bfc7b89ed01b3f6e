"""rostrum manager compare, as real processes on one database."""

import json

import pytest

from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]


@pytest.mark.long
def test_users_groups_and_revisions_are_compared(config: str) -> None:
    def manager(*words: str) -> tuple[int, str, str]:
        done = run("manager", *words, "--config", config)
        return done.returncode, done.stdout, done.stderr

    assert manager("user", "add", "ann", "--generate", "--group", "Desk")[0] == 0
    assert manager("user", "add", "bob", "--generate")[0] == 0

    found = json.loads(manager("compare", "users", "ann", "bob", "--json")[1])
    assert [(item["key"], item["left"]["text"], item["right"]["text"]) for item in found["groups"]["items"]] == [
        ("Desk", "direct member", "not a member")
    ]
    shown = manager("compare", "users", "ann", "bob")[1]
    assert ("yes: direct member" in shown, "no: not a member" in shown) == (True, True)
    assert manager("user", "groups", "ann", "--add", "Floor")[0] == 0
    groups = json.loads(manager("compare", "groups", "Desk", "Floor", "--json")[1])
    assert {item["key"] for item in groups["groups"]["items"]} == {"Desk", "Floor"}
    earlier = json.loads(manager("compare", "users", "ann", "--at", str(found_revision(manager)), "--json")[1])
    assert [item["key"] for item in earlier["groups"]["items"]] == ["Floor"]
    edits = json.loads(manager("compare", "revisions", "users", "ann", "--json")[1])["diff"]
    assert [edit["path"] for edit in edits] == ["/groups/1"]
    status, _, said = manager("compare", "users", "ann", "nobody")
    assert (status, said.count("there is no user 'nobody'")) == (1, 1)
    assert "no differences" in manager("compare", "users", "ann", "ann")[2]


def found_revision(manager: object) -> int:
    """The revision before the newest change of ann."""
    compared = json.loads(manager("compare", "revisions", "users", "ann", "--json")[1])  # type: ignore[operator]
    return int(compared["before"]["revision"])
