"""Only `serve`, `migrate` and `up` create a database; every other command refuses a missing one."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from rostrum.cli.main import app
from rostrum.cli.settings_file import ConfigOption
from tests.conftest import ORIGIN, SECRET
from tests.tables import add_tables_at_once

CREATE = {"manager serve", "manager migrate"}
WITHOUT_DATABASE = {"manager init", "manager api"}


def leaves(group: Any, *above: str) -> Iterator[tuple[str, Any]]:
    for name in group.commands:
        command = group.get_command(None, name)
        if hasattr(command, "commands") and command.commands:
            yield from leaves(command, *above, name)
        else:
            yield " ".join([*above, name]), command


def takes_settings(command: Any) -> bool:
    return any(getattr(one, "help", None) == get_args(ConfigOption)[1].help for one in command.params)


COMMANDS = dict(leaves(get_command(app)))
OPENING = {name: command for name, command in COMMANDS.items() if takes_settings(command) and name not in CREATE}
# These need something that exists; tests of these commands read their output.
WITH_BATCH = {
    *(f"manager bulk {word}" for word in ("show", "resume", "cancel")),
    *(f"manager commands {word}" for word in ("show", "pause", "continue", "cancel")),
    *(f"manager rollouts {word}" for word in ("start", "show", "advance", "halt", "resume", "finish", "withdraw")),
    *(f"manager proposals {word}" for word in ("show", "approve", "reject")),
    *(f"manager crashes {word}" for word in ("show", "status", "assign", "note")),
    "manager tokens revoke",
    "manager views delete",
    "manager compare groups",
}
WITH_JSON = [
    name
    for name, command in OPENING.items()
    if any(one.name == "json" for one in command.params) and name not in WITH_BATCH
]
_numbers = count(1)
GIVEN = {
    "file": "given",
    "document": "own.json",
    "kind": "users",
    "action": "disable",
    "command": "Restart",
    "staged": "apps",
    "status": "resolved",
}
"""Values of required arguments; others are names of users."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run commands in another folder than that of the configuration."""
    for name in ("ROSTRUM_CONFIG", "API_STORE", "API_AUTH_METHOD"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration that does not set `store`."""
    document = {
        "auth_method": "basic",
        "port": 0,
        "token": {"secret": SECRET},
        "cors": {"credentials": True, "origin": ORIGIN},
    }
    file = tmp_path / "manager" / "rostrum.json"
    file.parent.mkdir()
    file.write_text(json.dumps(document))
    file.chmod(0o600)
    return file


def call(name: str, *options: str) -> Any:
    """Run a command with its required arguments."""
    words = name.split()
    for one in COMMANDS[name].params:
        if one.param_type_name == "argument" and one.required:
            words.append(GIVEN.get(one.name, "ann"))
        elif one.name == "generate":
            words.append("--generate")
    if name == "manager import":
        Path("given").touch()
    if name == "manager user import":
        Path("given").write_text("id\nann\n")
    if name == "manager rollouts start":
        Path("given").write_text("{}")
    if name == "manager bulk apply":
        words.append("ann")
    if name == "manager tokens create":
        # A name of its own for each call, because a user's tokens have different names.
        words += ["--name", f"token {next(_numbers)}"]
    if name == "manager commands send":
        words.append("--all")
    return CliRunner().invoke(app, [*words, *options], env={"NO_COLOR": "1"})


def tables(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]


def test_the_commands_that_open_a_database_are_found() -> None:
    assert {"manager user list", "manager audit verify", "manager import", "manager doctor", "doctor"} <= set(OPENING)
    others = {name for name in COMMANDS if name.startswith("manager ")} - set(OPENING)
    # A new command of the manager takes the same option, or does without a database.
    assert others == CREATE | WITHOUT_DATABASE


@pytest.mark.usual(14)
@pytest.mark.parametrize("name", OPENING)
def test_a_missing_database_is_refused_by_name_and_not_created(name: str, config: Path, elsewhere: Path) -> None:
    database = config.parent / "rostrum.db"

    refused = call(name, "--config", str(config))

    assert refused.exit_code == 1, refused.output
    assert f"The database {database} does not exist." in refused.output
    assert f"manager migrate --config {config}`" in refused.output
    assert list(config.parent.iterdir()) == [config]
    assert {path.name for path in elsewhere.iterdir()} <= {"given"}


@pytest.mark.usual(11)
@pytest.mark.parametrize("name", OPENING)
def test_an_empty_file_is_no_database(name: str, config: Path) -> None:
    database = config.parent / "rostrum.db"
    database.touch(mode=0o600)

    refused = call(name, "--config", str(config))

    assert refused.exit_code == 1, refused.output
    assert "has no tables" in refused.output
    assert f"manager migrate --config {config}`" in refused.output
    assert tables(database) == []


@pytest.mark.usual(12)
@pytest.mark.parametrize("name", [*OPENING, "manager serve", "manager migrate"])
def test_a_database_at_the_place_of_earlier_versions_is_named_and_never_replaced_by_an_empty_one(
    name: str, config: Path, elsewhere: Path
) -> None:
    (elsewhere / "rostrum.db").write_text("the data of years")

    refused = call(name, "--config", str(config))

    assert refused.exit_code == 1, refused.output
    assert f"There is a database at {elsewhere / 'rostrum.db'}" in refused.output
    assert list(config.parent.iterdir()) == [config]


@pytest.mark.long
@pytest.mark.parametrize("store", [None, "sqlite:///rostrum.db", "sqlite:///data/firm.db"])
@pytest.mark.parametrize("by_variable", [False, True])
def test_one_rule_for_the_place_of_the_database(
    config: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, store: str | None, by_variable: bool
) -> None:
    if store is not None and by_variable:
        monkeypatch.setenv("API_STORE", store)
    elif store is not None:
        config.write_text(json.dumps({**json.loads(config.read_text()), "store": store}))

    assert call("manager migrate", "--config", str(config)).exit_code == 0

    relative = "rostrum.db" if store is None else store.removeprefix("sqlite:///")
    assert tables(config.parent / relative)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.long
def test_without_a_file_the_database_lies_in_the_current_folder(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("API_AUTH_METHOD", "basic"),
        ("API_TOKEN_SECRET", SECRET),
        ("API_CORS_OPTIONS", json.dumps({"credentials": True, "origin": ORIGIN})),
    ):
        monkeypatch.setenv(name, value)

    assert call("manager migrate").exit_code == 0

    assert tables(elsewhere / "rostrum.db")


@pytest.mark.usual(1)
@pytest.mark.parametrize("name", WITH_JSON)
def test_with_json_nothing_is_said_about_the_configuration(
    name: str, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(config.parent)
    add_tables_at_once(f"sqlite:///{config.parent / 'rostrum.db'}")
    assert call("manager user add").exit_code == 0

    answered = call(name, "--json")

    json.loads(answered.stdout)
    assert "using the" not in answered.stderr
    owner = "manager's " if name == "doctor" else ""
    assert f"using the {owner}configuration rostrum.json" in call(name).stderr
