"""Files of an environment and region, and variables set by files."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.sources.environment import Pair, assign, pair_file
from rostrum.sources.errors import BadPair


@pytest.mark.parametrize(
    ("pair", "name"),
    [(Pair("DEMO", "EMEA"), "DEMO-EMEA"), (Pair("DEMO"), "DEMO"), (Pair("", "EMEA"), "EMEA"), (Pair(), "")],
)
def test_a_pair_is_named_by_what_is_there(pair: Pair, name: str) -> None:
    assert pair.name == name


@pytest.mark.parametrize("part", ["..", ".", "a/b", "a\\b", "C:", "a\0b", "a\nb", "*"])
def test_a_pair_that_leads_out_of_a_folder_is_refused(part: str) -> None:
    with pytest.raises(BadPair, match="file names"):
        Pair(part, "EMEA")
    with pytest.raises(BadPair, match="file names"):
        Pair("DEMO", part)


def test_the_file_of_a_pair_is_found_in_any_case_and_the_exact_one_wins() -> None:
    pair = Pair("DEMO", "EMEA")
    assert pair_file(["system.json", "system-demo-emea.json"], pair) == "system-demo-emea.json"
    assert pair_file(["system-demo-emea.json", "system-DEMO-EMEA.json"], pair) == "system-DEMO-EMEA.json"
    assert pair_file(["system-UAT-EMEA.json"], pair) is None
    assert pair_file(["system-DEMO-EMEA.json"], Pair("DEMO")) is None
    assert pair_file(["gilding-Demo-Emea.json"], pair, "gilding") == "gilding-Demo-Emea.json"


@pytest.mark.rule("R-2.9-16", "R-2.9-17")
def test_values_override_and_an_empty_string_removes() -> None:
    variables = {"KEEP": "1", "CHANGE": "1", "REMOVE": "1"}
    document = {"set": {"CHANGE": "2", "REMOVE": "", "NEW": "3", "ABSENT": ""}}
    assert assign(variables, document) == ({"KEEP": "1", "CHANGE": "2", "NEW": "3"}, ())
    assert variables == {"KEEP": "1", "CHANGE": "1", "REMOVE": "1"}


def test_numbers_and_booleans_become_text() -> None:
    assert assign({}, {"set": {"A": 1, "B": 1.5, "C": True, "D": False}})[0] == {
        "A": "1",
        "B": "1.5",
        "C": "true",
        "D": "false",
    }


@pytest.mark.rule("R-2.9-15")
def test_the_variables_of_gilding_json_are_found_where_they_are() -> None:
    assert assign({}, {"envVars": {"set": {"A": "1"}}}, ("envVars", "set"))[0] == {"A": "1"}


@pytest.mark.parametrize("document", [{}, {"set": None}, [], None, {"set": {}}])
def test_a_document_without_assignments_changes_nothing(document: Any) -> None:
    assert assign({"A": "1"}, document) == ({"A": "1"}, ())


def test_wrong_assignments_are_reported_and_the_others_count() -> None:
    variables, problems = assign({}, {"set": {"A": [], "B": None, "": "x", "C=D": "x", "E": "a\0b", "F": "ok"}})
    assert variables == {"F": "ok"}
    assert [problem.path for problem in problems] == ["set.A", "set.B", "set.", "set.C=D", "set.E"]
    assert str(assign({}, {"set": 1})[1][0]) == "set: must be an object of variable names and values"


@pytest.mark.long
@given(
    st.dictionaries(st.text("AB", min_size=1), st.text("xy")), st.dictionaries(st.text("AB", min_size=1), st.text("xy"))
)
def test_what_is_set_is_what_is_there_afterwards(variables: dict[str, str], assignments: dict[str, str]) -> None:
    result, problems = assign(variables, {"set": assignments})
    assert result == {
        name: value for name, value in (variables | assignments).items() if value or name not in assignments
    }
    assert problems == ()
