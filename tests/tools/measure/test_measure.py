"""`make measure` prints the selected figures, for people and for programs."""

import json
from pathlib import Path

import pytest

from tests.manager.test_new_kind import SOURCE, changed_files, created_files
from tools.measure import tests
from tools.measure.__main__ import TOPICS, main

RECORD = {
    "date": "2026-11-19T10:00:00+00:00",
    "commit": "0123456789abcdef",
    "has_changes": False,
    "processes": 3,
    "tests": 12003,
    "failed": 0,
    "wall_seconds": 400.4,
    "processor_seconds": 960.2,
    "modules": {"tests/windows/test_tabs.py": 31.25, "tests/test_docs.py": 2},
}


def test_selected_figures_are_printed_with_their_headings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fields", "lines"]) == 0
    printed, messages = capsys.readouterr()
    lines, fields = printed.split("\n\n")

    assert lines.splitlines()[0] == "Lines and files of each package"
    assert any(row.split()[0] == "src/rostrum/manager" for row in lines.splitlines())
    assert fields.splitlines()[0] == "Declarations of each field of a record"
    # Only slow figures report their progress.
    assert messages == ""


def test_programs_get_all_values_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "lines", "new-kind"]) == 0
    printed = json.loads(capsys.readouterr().out)

    assert printed.keys() == {"lines", "new-kind"}
    manager = printed["lines"]["packages"]["src/rostrum/manager"]
    assert manager["lines"] > manager["files"] > 10
    assert manager["budget"] > 0
    parts = [one for name, one in printed["lines"]["packages"].items() if name.startswith("src/rostrum")]
    assert printed["lines"]["src/rostrum"]["lines"] == sum(one["lines"] for one in parts)


def test_an_unknown_figure_is_refused_with_the_names_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["circles"])

    assert ended.value.code == 2
    message = capsys.readouterr().err
    assert "unknown figure 'circles'" in message
    assert [topic.name for topic in TOPICS if topic.name not in message] == []


def test_help_lists_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])

    printed = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    assert [topic.heading for topic in TOPICS if topic.heading not in printed] == []


def test_the_files_of_a_new_kind_are_those_of_the_recipe(capsys: pytest.CaptureFixture[str]) -> None:
    main(["new-kind", "--json"])
    values = json.loads(capsys.readouterr().out)["new-kind"]

    assert values["files"] == len(values["created"]) + len(values["changed"])
    assert (values["created"], values["changed"]) == (created_files(), changed_files())
    assert [name for name in values["changed"] if not (SOURCE / name).is_file()] == []
    assert [name for name in values["created"] if (SOURCE / name).exists()] == []


def test_the_time_of_the_newest_complete_test_run_is_printed(tmp_path: Path) -> None:
    assert tests.measure(tmp_path).lines == ["no complete `make test` has run here; run `make test`"]

    file = tmp_path / tests.FILE
    file.parent.mkdir()
    file.write_text(json.dumps(RECORD))
    assert tests.measure(tmp_path).lines == [
        "16 min 0 s of processor time, 6 min 40 s elapsed, 12,003 tests, 3 processes",
        "2026-11-19T10:00:00+00:00, commit 0123456789",
        "modules with the most processor time in the processes of the tests, in seconds:",
        "tests/windows/test_tabs.py  31.2",
        "tests/test_docs.py           2.0",
    ]
    file.write_text(json.dumps({**RECORD, "failed": 2, "has_changes": True}))
    first, second, *_ = tests.measure(tmp_path).lines
    assert "12,003 tests, 2 failed, 3 processes" in first
    assert second.endswith("commit 0123456789 with changes")
