"""How values are named in a sentence."""

import pytest

from rostrum.contracts.wording import alternatives, kind_of, shown


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("", '""'),
        ("word", '"word"'),
        ("x" * 61, f'"{"x" * 60}…"'),
        ("a\0\nb", '"a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"'),
        ("\ud800", '"\N{REPLACEMENT CHARACTER}"'),
        (7, "7"),
        (7.5, "7.5"),
        (10**80, "1" + "0" * 59 + "…"),
        ([1, 2], "a list"),
        ({"a": 1}, "an object"),
        ((1, 2), "a Python tuple"),
    ],
)
def test_values_are_shown_short_and_printable(value: object, words: str) -> None:
    assert shown(value) == words


def test_a_number_too_long_to_write_is_not_written() -> None:
    assert shown(10**5000) == "a very long number"


@pytest.mark.parametrize(
    ("value", "kind"),
    [(None, None), (True, "boolean"), ("", "text"), (1, "number"), (1.5, "number"), ([], "list"), ({}, "object")],
)
def test_kinds_are_those_of_json(value: object, kind: str | None) -> None:
    assert kind_of(value) == kind


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_alternatives_are_read_out(words: list[str], text: str) -> None:
    assert alternatives(words) == text
