"""The command itself: help and migration."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from rostrum.cli.main import COMMANDS
from rostrum.manager.database.schema import HEAD
from tests.end_to_end.processes import run
from tests.real_manager import configuration
from tests.tables import add_tables


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), list(COMMANDS)),
        (("manager",), ["init", "serve", "migrate", "user"]),
        (("manager", "user"), ["add", "list", "passwd", "disable", "groups"]),
        (("up",), ["--port", "--dir"]),
        (("manager", "serve"), ["--config"]),
    ],
)
def test_help_names_what_there_is(arguments: tuple[str, ...], words: list[str]) -> None:
    helped = run(*arguments, "--help")

    assert helped.returncode == 0
    assert [word for word in words if word not in helped.stdout] == []
    # Flags take no value, so help texts show no type for them.
    assert "<bool>" not in helped.stdout


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a device that is always full")
@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("config", "schema", "system")])
def test_output_to_a_full_disk_is_an_error_without_a_traceback(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as output:
        ended = subprocess.run(
            [sys.executable, "-m", "rostrum", *arguments], stdout=output, stderr=subprocess.PIPE, text=True, check=False
        )

    assert (ended.returncode, ended.stderr) == (1, "error: data cannot be written: No space left on device\n")


def test_a_misspelt_command_gets_the_nearest_one() -> None:
    refused = run("confg")

    assert refused.returncode == 2
    assert "Did you mean 'config'?" in refused.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        (
            ["config", "check", "{folder}"],
            {
                "asyncio",
                "httpx",
                "litestar",
                "msgspec",
                "rich",
                "rostrum.base.name_conflict",
                "rostrum.cli.manager",
                "sqlalchemy",
            },
        ),
        (
            ["manager", "user", "list", "--config", "{folder}/manager.json"],
            {"granian", "httpx", "litestar", "rostrum.cli.manager_rollouts", "rostrum.manager.app"},
        ),
    ],
)
def test_a_command_loads_nothing_that_it_does_not_need(tmp_path: Path, command: list[str], heavy: set[str]) -> None:
    (tmp_path / "system.json").write_text("{}")
    configuration(tmp_path)
    asyncio.run(add_tables(f"sqlite:///{tmp_path}/rostrum.db"))
    arguments = ["rostrum", *(word.format(folder=tmp_path) for word in command)]
    code = (
        f"import sys; sys.argv = {arguments!r}\n"
        "from rostrum.cli.main import main\n"
        f"try: main()\nfinally: print(sorted({heavy} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.long
def test_migrate_reports_from_where_to_where(tmp_path: Path) -> None:
    run("manager", "init", "--dir", str(tmp_path))
    config = str(tmp_path / "rostrum.json")

    first = run("manager", "migrate", "--config", config)
    second = run("manager", "migrate", "--config", config)

    assert f"migrated from nothing to {HEAD}" in first.stderr
    assert f"the database is at migration {HEAD}" in second.stderr
