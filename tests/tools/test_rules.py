"""Every rule of the specification's sections 2.6 to 2.17 names the tests that show it."""

from pathlib import Path

import pytest

from tools.rules import SECTIONS, Shown, faults, page, rules, shown


def test_every_rule_has_a_test() -> None:
    assert list(faults(rules(), shown())) == []
    assert sum(rule["section"] in SECTIONS for rule in rules()) == 144


def test_every_rule_has_a_row() -> None:
    written = page()
    assert [rule["id"] for rule in rules() if rule["section"] in SECTIONS and f"| {rule['id']} |" not in written] == []


def test_marks_are_found_without_running_anything(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "test_it.py").write_text(
        "import nothing_there\n"
        "@pytest.mark.parametrize('a', [1])\n@pytest.mark.rule('R-1', 'R-2')\ndef test_one(): ...\n"
        "class TestMore:\n    @pytest.mark.part_of_rule('R-2')\n    async def test_two(self): ...\n"
    )
    assert shown(tmp_path) == {
        "R-1": Shown(tests=["inner/test_it.py::test_one"]),
        "R-2": Shown(tests=["inner/test_it.py::test_one"], part_tests=["inner/test_it.py::test_two"]),
    }


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"R-9.9-9": Shown(tests=["a"])}, "R-9.9-9: there is no such rule"),
        ({"R-2.6-1": Shown(part_tests=["a"])}, "R-2.6-1: no test is marked with it"),
    ],
)
def test_what_is_wrong_with_marks_is_told(found: dict[str, Shown], said: str) -> None:
    assert any(fault.startswith(said) for fault in faults(rules(), found))
