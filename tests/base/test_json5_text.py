"""JSON5 as people write it, and mistakes shown where they are."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base import json5_text
from rostrum.base.errors import Invalid
from rostrum.base.json5_text import BadSyntax, locate, parse, positions
from rostrum.base.problems import MAX_DEPTH
from tests.long_form import cycles

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
values = st.recursive(
    scalars,
    lambda child: (
        st.lists(child, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), child, max_size=4)
    ),
    max_leaves=12,
)

DOCUMENT = """// first line
{
  "env": "DEMO", /* why */
  windows: { 'title': "a: {b}, //c", },
  "list": [1, {deep: true}, [],],
}
"""


def test_comments_trailing_commas_and_bare_names_are_read() -> None:
    assert parse(DOCUMENT).value == {
        "env": "DEMO",
        "windows": {"title": "a: {b}, //c"},
        "list": [1, {"deep": True}, []],
    }
    assert parse(DOCUMENT).warnings == ()


@pytest.mark.parametrize("text", [DOCUMENT.replace("\n", "\r\n"), "\ufeff" + DOCUMENT, DOCUMENT.replace("\n", "\r")])
def test_line_ends_and_byte_order_marks_change_nothing(text: str) -> None:
    assert parse(text.encode()).value == parse(DOCUMENT).value
    assert locate(text, ("windows",)) == locate(DOCUMENT, ("windows",)) == (4, 3)


@pytest.mark.long
@given(values, st.sampled_from([None, 1]), st.booleans())
def test_all_of_json_is_read_the_same(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parsed = parse(text)
    assert parsed.value == json.loads(text)
    assert parsed.warnings == ()


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('{\n  "a": ,\n}', 2, 8, "a value is missing before ','"),
        ('{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, "a comma is missing before '\"b\"'"),
        ("{\r  a 1}", 2, 5, "a colon is missing before '1'"),
        ("{a: hello}", 1, 5, "'hello' is not a value; text needs quotation marks"),
        ("{a: 1}}", 1, 7, "'}' comes after the end of the document"),
        ('{"a": "x\ny"}', 1, 7, "this text is not closed"),
        ("{}\n/* x", 2, 1, "this comment is not closed"),
        ("{a: {b: 1}", 1, 1, "this object is not closed"),
        ("[1, 2", 1, 1, "this array is not closed"),
        ("{a: 1,", 1, 1, "this object is not closed"),
        ("{,}", 1, 2, "a name is missing before ','"),
        ("[1}", 1, 3, "a comma is missing before '}'"),
        ("", 1, 1, "a value is missing before the end of the text"),
        ("{a: / }", 1, 5, "'/' does not belong here"),
        ("{a: NaN}", 1, 5, "NaN is not a valid number"),
        ("{a: -Infinity}", 1, 5, "-Infinity is not a valid number"),
        ("{a: 1e999}", 1, 5, "this cannot be read"),
        ("\ufeff{a: ?}", 1, 5, "'?' is not a value"),
    ],
)
def test_a_mistake_is_shown_where_it_is(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(BadSyntax) as caught:
        parse(text)
    assert caught.value.place == (line, column)
    assert caught.value.reason.startswith(reason)
    assert str(caught.value).startswith(f"line {line}, column {column}: {reason}")


def test_the_message_shows_the_line_with_a_mark_under_the_place() -> None:
    with pytest.raises(BadSyntax) as caught:
        parse('{\n\t"a": oops\n}')
    assert str(caught.value).splitlines()[1:] == ['     "a": oops', "          ^"]


@pytest.mark.long
def test_of_a_very_long_line_only_a_part_is_shown() -> None:
    with pytest.raises(BadSyntax) as caught:
        parse("[" + "1," * 100_000 + "oops" + ",1" * 100_000 + "]")
    shown, mark = str(caught.value).splitlines()[1:]
    assert len(shown) <= 110
    assert shown[mark.index("^") :].startswith("oops")


def test_a_member_given_twice_is_a_warning_and_the_last_one_counts() -> None:
    parsed = parse('{"a": 1, "b": {"c": 1, c: 2},\n "\\u0061": 3, "d": [{"a": 1}, {"a": 1}]}')
    assert parsed.value == {"a": 3, "b": {"c": 2}, "d": [{"a": 1}, {"a": 1}]}
    assert [str(warning) for warning in parsed.warnings] == [
        "b.c: is repeated in line 1, column 24; the last one counts",
        "a: is repeated in line 2, column 2; the last one counts",
    ]


def test_nesting_is_bounded() -> None:
    assert parse("[" * MAX_DEPTH + "]" * MAX_DEPTH).warnings == ()
    for depth in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(Invalid, match="nested deeper than 100 levels"):
            parse("[" * depth + "]" * depth)


def test_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json5_text, "MAX_BYTES", 10)
    with pytest.raises(Invalid, match="longer than"):
        parse(b" " * 11)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": "\xe4"}', "not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "is UTF-16; save it as UTF-8"),
        ('{"a": "\ud800"}', "half of a surrogate pair"),
        (rb'{"a": ["\ud800"]}', "cannot be read .an escape"),
        (rb'{"\udc00": 1}', "an escape that cannot be read"),
    ],
)
def test_what_is_not_utf_8_is_refused(content: bytes | str, message: str) -> None:
    with pytest.raises(Invalid, match=message):
        parse(content)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (2, 1)),
        (("env",), (3, 3)),
        (("windows", "title"), (4, 14)),
        (("list", 1, "deep"), (5, 16)),
        (("list", 2), (5, 29)),
        (("windows", "missing", "deeper"), (4, 3)),
        (("missing",), (2, 1)),
    ],
)
def test_a_member_is_found_by_its_path_or_else_what_is_around_it(
    path: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    assert locate(DOCUMENT, path) == place


def test_of_equal_members_the_one_that_counts_is_found() -> None:
    assert locate('{"a": {"x": 1},\n"a": {"y": 1}}', ("a",)) == (2, 1)
    assert locate('{"a": {"x": 1},\n"a": {"y": 1}}', ("a", "x")) == (2, 1)


def members(value: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {path}.union(*(members(child, (*path, step)) for step, child in children))


@given(values, st.sampled_from([None, 2]))
def test_every_member_has_a_place_and_it_is_its_own(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    found = positions(text)
    assert set(found) == members(value)
    assert len(set(found.values())) >= len(found) - 1
    for path, place in found.items():
        assert locate(text, path) == place
        if path and isinstance(path[-1], str):
            line = text.split("\n")[place.line - 1]
            assert line[place.column - 1 :].startswith(json.dumps(path[-1]))


@settings(max_examples=cycles(100))
@given(st.text(alphabet="{}[]:,\"'/*\\ \n\r01eE.+-_aNutrl\ufeff", max_size=25))
def test_any_text_is_a_value_or_a_mistake_with_a_place_inside_it(text: str) -> None:
    try:
        value, places = parse(text).value, [*positions(text).values()]
    except BadSyntax as error:
        value, places = None, [error.place]
    for place in places:
        assert 1 <= place.line <= 1 + text.count("\n") + text.count("\r")
        assert 1 <= place.column <= len(text) + 1
    assert not isinstance(value, float) or math.isfinite(value)
