"""rostrum manager directory, as real processes on one database."""

import json
from pathlib import Path

import pytest

from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]


def directory(config: str, *words: str) -> tuple[int, str, str]:
    done = run("manager", "directory", *words, "--config", config)
    return done.returncode, done.stdout.strip(), done.stderr


@pytest.mark.long
def test_an_address_is_created_listed_and_revoked(config: str) -> None:
    assert run("manager", "user", "add", "ann", "--generate", "--group", "Desk", "--config", config).returncode == 0

    status, address, said = directory(config, "create", "--group", "Desk", "--description", "Sail")
    assert status == 0, said
    assert address.startswith("http")
    key = address.split("/directory/")[1].removesuffix("/v2/apps")
    assert len(key) >= 43
    (listed,) = json.loads(directory(config, "list", "--json")[1])
    assert (listed["user"], listed["group"], listed["description"]) == (None, "Desk", "Sail")
    shown = directory(config, "list")[1]
    assert "group Desk" in shown
    assert key not in shown
    stored = b"".join(path.read_bytes() for path in Path(config).parent.rglob("*") if path.is_file())
    assert key.encode() not in stored

    assert directory(config, "revoke", listed["id"])[0] == 0
    assert json.loads(directory(config, "list", "--json")[1]) == []
    status, _, said = directory(config, "revoke", listed["id"])
    assert (status, "there is no directory address" in said) == (1, True)


@pytest.mark.long
def test_an_address_needs_one_user_or_group_that_exists(config: str) -> None:
    either = "name either a user (`--user`) or a group (`--group`)"
    for words, reason in (
        ((), either),
        (("--user", "ann", "--group", "Desk"), either),
        (("--user", "nobody"), "there is no user 'nobody'"),
        (("--group", "Nothing"), "there is no group 'Nothing'"),
    ):
        status, address, said = directory(config, "create", *words)
        assert (status, address) == (1, ""), words
        assert reason in said
