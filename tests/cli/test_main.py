"""The command itself: help, version, migration."""

from pathlib import Path

import pytest

import rostrum
from tests.end_to_end.processes import run


def test_the_version_is_told() -> None:
    assert run("--version").stdout.strip() == f"rostrum {rostrum.__version__}"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ["up", "manager"]),
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


def test_migrate_tells_from_where_to_where(tmp_path: Path) -> None:
    run("manager", "init", "--dir", str(tmp_path))
    config = str(tmp_path / "rostrum.json")

    first = run("manager", "migrate", "--config", config)
    second = run("manager", "migrate", "--config", config)

    assert "migrated from nothing to 0001" in first.stderr
    assert "the database is at 0001" in second.stderr
