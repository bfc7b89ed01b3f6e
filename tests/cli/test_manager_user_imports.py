"""rostrum manager user import and link, as real processes on one database."""

import json
from pathlib import Path

import pytest

from tests.cli.test_manager_users import config, empty_manager, users
from tests.end_to_end.processes import run

__all__ = ["config", "empty_manager"]


@pytest.mark.long
def test_users_are_imported_after_a_dry_run_that_names_every_invalid_line(config: str, tmp_path: Path) -> None:
    file = tmp_path / "users.csv"
    file.write_bytes(
        "id;displayName;email;groups\nann;Ann Ä;a@x.org;Desk\nbob;;wrong;\ncid;Cid;;\n".encode("utf-8-sig")
    )
    words = ("manager", "user", "import", str(file), "--config", config)

    dry = run(*words, "--dry-run", "--json")
    preview = json.loads(dry.stdout)
    assert (dry.returncode, preview["new"], preview["invalid"]) == (1, 2, 1)
    assert [(row["line"], row["id"]) for row in preview["problems"]] == [(3, "bob")]
    assert users(config) == {}

    refused = run(*words)
    assert refused.returncode == 1
    assert "line 3: email must be an address" in refused.stderr
    assert users(config) == {}

    done = run(*words, "--skip-invalid", "--json", "--ticket", "HR-1", "--key", "once")
    batch = json.loads(done.stdout)
    assert (done.returncode, batch["action"], batch["done"], batch["ticket"]) == (0, "import", 2, "HR-1")
    assert {name: user["displayName"] for name, user in users(config).items()} == {"ann": "Ann Ä", "cid": "Cid"}
    again = run(*words, "--skip-invalid", "--json", "--ticket", "HR-1", "--key", "once")
    assert json.loads(again.stdout)["id"] == batch["id"]

    added = run("manager", "user", "import", "-", "--add-lists", "--config", config, text="id,groups\nann,Floor\n")
    assert added.returncode == 0, added.stderr
    assert users(config)["ann"]["groups"] == ["Desk", "Floor"]
    shown = run("manager", "user", "import", "-", "--dry-run", "--config", config, text="id,groups\nann,\nnew,X\n")
    assert "1 new, 1 would change, 0 unchanged, 0 invalid rows" in shown.stderr
    assert "groups (none)" in shown.stdout
    latin = run("manager", "user", "import", "-", "--config", config, text="id,displayName\nann,\ufffd\n")
    assert "save the file as UTF-8" in latin.stderr


@pytest.mark.long
def test_links_are_printed_once_and_refused_users_are_named(config: str) -> None:
    for name, option in (("ann", "--generate"), ("robot", "--service")):
        assert run("manager", "user", "add", name, option, "--config", config).returncode == 0
    words = ("manager", "user", "link", "ann", "robot", "--config", config)

    dry = run(*words, "--dry-run")
    assert (dry.returncode, dry.stdout.count("set-password#")) == (1, 0)
    assert "1 users would get a link" in dry.stderr

    made = run(*words, "--url", "https://m.example.com/admin/")
    assert made.returncode == 1
    assert "ann\thttps://m.example.com/admin/set-password#" in made.stdout
    assert "a service account has no password" in made.stdout

    listed = json.loads(run("manager", "user", "link", "-", "--json", "--config", config, text="ann\n").stdout)
    assert [(each["user"], each["result"]) for each in listed] == [("ann", "created")]
    audit = run("manager", "audit", "export", "--config", config).stdout
    assert '"operation":"rostrum manager user link"' in audit
    assert listed[0]["token"] not in audit
