"""Every numbered statement of the specification names the tests that show it, or what it waits for."""

from collections import Counter
from pathlib import Path

import pytest

from tools.rules import (
    Entry,
    Facts,
    Shown,
    UnreadableMark,
    catalogue,
    changed_settings,
    facts,
    faults,
    page,
    setting_faults,
    settings,
    shown,
)

TITLES = {"1": "What the product does"}


@pytest.mark.long
def test_every_statement_has_tests_or_waits_for_windows_or_the_browser_platform() -> None:
    known = facts()
    entries = catalogue(known)

    assert list(faults(entries, shown(), known)) == []
    assert Counter(one.id[0] for one in entries) == {"R": 215, "E": 12, "X": 23, "L": 32, "T": 20}


def test_every_statement_has_one_row_in_its_section() -> None:
    known = facts()
    written, entries = page(), catalogue(known)

    for section, title in known.sections.items():
        rows = written.split(f"\n## {section} {title}\n")[1].split("\n## ")[0].splitlines()
        ids = [one.id for one in entries if one.section == section]
        assert [row.split(" | ")[0].removeprefix("| ") for row in rows if row[:4] not in ("", "| Id", "|---")] == ids


def test_marks_are_found_without_running_anything(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "suite.py").write_text(
        "import nothing_there\n"
        "@pytest.mark.parametrize('a', [1])\n@pytest.mark.rule('R-1', 'X-2')\ndef test_one(): ...\n"
        "class TestMore:\n    @pytest.mark.part_of_rule('X-2')\n    async def test_two(self): ...\n"
    )

    assert shown(tmp_path) == {
        "R-1": Shown(tests=["inner/suite.py::test_one"]),
        "X-2": Shown(tests=["inner/suite.py::test_one"], part_tests=["inner/suite.py::test_two"]),
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pytestmark = pytest.mark.rule('R-1')\n", "test_it.py:1: pytest.mark.rule counts only as a decorator"),
        ("@pytest.mark.rule('R-1')\nclass TestIt: ...\n", "test_it.py:1: pytest.mark.rule counts only"),
        ("one = pytest.param(1, marks=pytest.mark.part_of_rule('R-1'))\n", "test_it.py:1: pytest.mark.part_of_rule"),
        ("@pytest.mark.rule\ndef test_it(): ...\n", "test_it.py:1: pytest.mark.rule counts only"),
        ("@pytest.mark.rule(*IDS)\ndef test_it(): ...\n", "test_it.py:1: write each id as a string"),
        ("@pytest.mark.rule(2.8)\ndef test_it(): ...\n", "test_it.py:1: write each id as a string"),
    ],
)
def test_a_mark_that_would_not_count_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "test_it.py").write_text(text)

    with pytest.raises(UnreadableMark) as refused:
        shown(tmp_path)

    assert str(refused.value).startswith(reason)


def test_each_setting_of_windows_and_behaviour_names_the_tests_that_change_it(tmp_path: Path) -> None:
    (tmp_path / "suite.py").write_text("@pytest.mark.setting('splash.width', 'splash.high')\ndef test_one(): ...\n")
    known, changed = settings(), changed_settings(tmp_path)

    assert changed == {key: ["suite.py::test_one"] for key in ("splash.width", "splash.high")}
    assert {"splash.width", "windowManagement.snapping.enabled", "channels.definitions"} <= known.keys()
    # Neither objects that only contain settings, nor settings of other sections.
    assert not known.keys() & {"splash", "windowManagement", "windowManagement.group.tabs", "autoUpdater.enabled"}
    assert [*setting_faults(["splash.width", "splash.height"], changed)] == [
        "splash.height: no test that changes it is marked with @pytest.mark.setting",
        "splash.high: a test is marked with it, but sections 2.15, 2.16, 2.17 have no such setting",
    ]
    assert "| `splash.width` | [It is shown as the settings say](../../tests/desktop/test_splash.py) |" in page()


FULL, PART = Shown(tests=["a.py::test_it"]), Shown(part_tests=["a.py::test_it"])


@pytest.mark.parametrize(
    ("found", "known", "reported"),
    [
        ({"R-1-1": FULL}, Facts(sections=TITLES), None),
        ({"R-1-1": PART}, Facts(sections=TITLES, needs={"R-1-1": "windows"}), None),
        ({}, Facts(sections=TITLES, needs={"R-1-1": "browser platform"}), None),
        ({}, Facts(sections=TITLES), "R-1-1: no test is marked with it"),
        (
            {"R-1-1": Shown(FULL.tests, PART.part_tests)},
            Facts(sections=TITLES),
            "R-1-1: a.py::test_it is marked with part_of_rule, which is for statements listed under [needs]",
        ),
        ({"R-1-1": FULL, "R-1-2": PART}, Facts(sections=TITLES), "R-1-2: a.py::test_it is marked with it, but the"),
        (
            {"R-1-1": FULL},
            Facts(sections=TITLES, needs={"R-1-1": "windows"}),
            "R-1-1: tests/data/rules.toml says that it needs windows, but a.py::test_it shows it",
        ),
        (
            {},
            Facts(sections=TITLES, needs={"R-1-1": "patience"}),
            "R-1-1: tests/data/rules.toml says that it needs 'pa",
        ),
        (
            {"R-1-1": FULL},
            Facts(sections=TITLES, needs={"R-7-7": "windows"}),
            "R-7-7: tests/data/rules.toml lists it under [needs], but the catalogue has no such id",
        ),
        (
            {"R-1-1": FULL},
            Facts(sections=TITLES, statements={"R-7-7": "New."}),
            "R-7-7: tests/data/rules.toml lists it under [statements], but the catalogue has no such id",
        ),
        ({"R-1-1": FULL}, Facts(), "1: tests/data/rules.toml has no title for this section"),
    ],
)
def test_what_is_wrong_is_reported_with_what_to_do(found: dict[str, Shown], known: Facts, reported: str | None) -> None:
    messages = list(faults([Entry("R-1-1", "1", "It works.")], found, known))

    assert [message.startswith(reported or "") for message in messages] == [True] * (reported is not None)


def test_a_statement_in_words_is_required() -> None:
    messages = list(faults([Entry("L-1-1", "1", "")], {"L-1-1": FULL}, Facts(sections=TITLES)))

    assert messages == ["L-1-1: tests/data/rules.toml has no statement for it"]
