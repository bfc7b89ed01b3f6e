"""rostrum manager config, as real processes on one database."""

import json
from typing import Any

import pytest

from tests.cli.test_manager_users import config, empty_manager
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]


@pytest.mark.long
def test_one_setting_is_set_and_removed(config: str) -> None:
    def manager(*words: str) -> tuple[int, str, str]:
        done = run("manager", "config", *words, "--config", config)
        return done.returncode, done.stdout, done.stderr

    def edited(*words: str) -> Any:
        status, out, said = manager(*words, "--json")
        assert status == 0, said
        return json.loads(out)

    tried = edited("set", "system.json", "notifications.toastExpiry", "3000", "--group", "Desk", "--dry-run")
    assert (tried["before"], tried["after"], tried["saved"], tried["id"]) == (None, 3000, False, None)

    made = edited("set", "system.json", "notifications.toastExpiry", "3000", "--group", "Desk")
    assert (made["group"], made["saved"], made["problems"]) == ("Desk", True, [])
    # A setting of the type text takes the value literally.
    text = edited("set", "system.json", "region", "10", "--group", "Desk")
    assert (text["id"], text["after"]) == (made["id"], "10")
    again = edited("set", "system.json", "notifications.toastExpiry", "3000", "--group", "Desk")
    assert (again["changed"], again["saved"]) == (False, False)

    wrong = edited("set", "system.json", "notifications.toastExpiry", "soon", "--group", "Desk", "--dry-run")
    assert [problem["path"] for problem in wrong["problems"]] == ["notifications.toastExpiry"]
    assert (
        "3000 -> not set (saved)" in manager("unset", "system.json", "notifications.toastExpiry", "--group", "Desk")[2]
    )
    gone = edited("unset", "system.json", "notifications.toastExpiry", "--group", "Desk")
    assert (gone["before"], gone["changed"]) == (None, False)

    status, _, said = manager("set", "system", "a", "1", "--group", "Desk", "--user", "ann")
    assert (status, "belongs to one scope only" in said or "file" in said) == (1, True)
