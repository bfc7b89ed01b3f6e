"""rostrum config, as a person and as a program use it."""

import json
from pathlib import Path

import pytest

from rostrum.cli.schemas import Document, schema_of
from tests.end_to_end.processes import run


def test_problems_are_printed_with_file_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "system.json"
    file.write_text('{"splash": {"width": "wide"}}')

    checked = run("config", "check", str(file))

    assert checked.returncode == 1
    assert f"{file}:1:13: error: splash.width: must be a number" in checked.stdout


def test_what_terminals_obey_is_not_printed(tmp_path: Path) -> None:
    (tmp_path / "system.json").write_text('{"\\u001b[2J": 1, "splash": {"url": 5, "x\\ny": 1}}')

    checked = run("config", "check", str(tmp_path))

    assert "\x1b" not in checked.stdout
    assert "\N{REPLACEMENT CHARACTER}[2J" in checked.stdout
    assert len(checked.stdout.splitlines()) == 3


def test_programs_get_json_and_the_default_is_the_config_folder(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "system.json").write_text('{"splsh": {}}')

    checked = run("config", "check", "--json", cwd=tmp_path)
    strict = run("config", "check", "--json", "--strict", cwd=tmp_path)

    assert checked.returncode == 0
    answer = json.loads(checked.stdout)
    assert answer["ok"] is True
    assert set(answer["problems"][0]) == {"path", "file", "line", "column", "severity", "message", "suggestion"}
    assert answer["problems"][0]["suggestion"] == "splash"
    assert strict.returncode == 1
    assert json.loads(strict.stdout)["ok"] is False


def test_a_path_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    refused = run("config", "check", str(tmp_path / "none"))

    assert refused.returncode == 2
    assert "none does not exist" in refused.stderr


@pytest.mark.parametrize("document", [Document.SYSTEM, Document.MANAGER])
def test_a_schema_is_printed(document: Document) -> None:
    assert json.loads(run("config", "schema", document, "--json").stdout) == schema_of(document)
