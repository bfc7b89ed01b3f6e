"""Untrusted JSON: accepted and rejected input, with the messages."""

import importlib
import json
import pkgutil
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base import json_text
from rostrum.base.errors import Invalid, TooLarge
from rostrum.base.problems import MAX_DEPTH
from tests.long_form import cycles

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=8,
)


def nested(levels: int, innermost: str = "", opening: str = "[", closing: str = "]") -> bytes:
    return (opening * levels + innermost + closing * levels).encode()


@pytest.mark.long
@settings(max_examples=cycles(100))
@given(values)
def test_what_was_written_is_read_back(value: Any) -> None:
    assert json_text.parse(json_text.dump(value)) == value
    assert json_text.parse(json.dumps(value)) == value
    assert json.loads(json_text.dump(value)) == value


@settings(max_examples=cycles(150))
@given(st.one_of(st.binary(max_size=30), st.text('[]{}",:0123456789.eE-+truefalsn\\u d8\ufeff\0', max_size=20)))
def test_any_input_is_a_value_that_can_be_written_or_a_refusal(text: bytes | str) -> None:
    try:
        value = json_text.parse(text)
    except Invalid:
        return
    json_text.dump(value)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"{",
        b'{"a"',
        b'{"a":1',
        b'{"a":1,}',
        b"[1,]",
        b"{} {}",
        b"{}x",
        b"1 2",
        b"01",
        b"+1",
        b".5",
        b"1.",
        b"NaN",
        b"nan",
        b"Infinity",
        b"-Infinity",
        b"1e999",
        b"-1e999",
        b"1" * 5000,
        b"'a'",
        b"{a:1}",
        b"// c\n1",
        b'"\n"',
        b'"\0"',
        b"\0",
        b'"\\x41"',
        b"True",
        b"undefined",
    ],
)
def test_what_is_not_json_is_refused(text: bytes) -> None:
    with pytest.raises(Invalid, match="not JSON"):
        json_text.parse(text)


@pytest.mark.parametrize("text", [b'"\xff"', b'{"a":"\xc3"}', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"\xc0\x80"'])
def test_bytes_that_are_not_utf8_are_refused(text: bytes) -> None:
    with pytest.raises(Invalid, match="not UTF-8"):
        json_text.parse(text)


@pytest.mark.parametrize(
    "text", ['"\\ud800"', '"\\udc00"', '"\\ud800x"', '"\\udc00\\ud800"', '{"\\ud83d":1}', '"\ud800"', '{"\udfff":1}']
)
def test_half_of_a_surrogate_pair_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        json_text.parse(text)


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert json_text.parse(b'"\\ud83d\\ude42"') == "🙂"


def test_a_nul_may_be_escaped_and_stays_escaped() -> None:
    assert json_text.parse(b'"a\\u0000b"') == "a\0b"
    assert json_text.dump("a\0b") == b'"a\\u0000b"'


@pytest.mark.parametrize("text", [b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
def test_a_byte_order_mark_before_the_value_is_passed_over(text: bytes) -> None:
    assert json_text.parse(text + b'{"a":1}') == {"a": 1}
    assert json_text.parse((text + b'{"a":1}').decode()) == {"a": 1}


@pytest.mark.parametrize(
    "text", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf{}", b"{}\xef\xbb\xbf", b" \xef\xbb\xbf{}", b"\xef\xbb{}"]
)
def test_a_byte_order_mark_anywhere_else_is_refused(text: bytes) -> None:
    with pytest.raises(Invalid):
        json_text.parse(text)


def test_a_byte_order_mark_inside_a_text_is_kept() -> None:
    assert json_text.parse('"\ufeff"') == "\ufeff"


@pytest.mark.parametrize("innermost", ["", "1", '"x"', "1,2"])
def test_the_deepest_document_that_is_taken_has_the_same_depth_whatever_is_in_it(innermost: str) -> None:
    json_text.parse(nested(MAX_DEPTH, innermost))
    with pytest.raises(Invalid, match=f"deeper than {MAX_DEPTH} levels"):
        json_text.parse(nested(MAX_DEPTH + 1, innermost))


@pytest.mark.parametrize("levels", [101, 200, 1000, 100_000, 1_000_000])
@pytest.mark.parametrize(
    ("opening", "innermost", "closing"), [("[", "", "]"), ('{"a":', "1", "}"), ('[{"a":', "1", "}]")]
)
def test_deep_documents_are_refused_whether_or_not_they_end(
    levels: int, opening: str, innermost: str, closing: str
) -> None:
    with pytest.raises(Invalid, match="deeper"):
        json_text.parse(nested(levels, innermost, opening, closing))
    with pytest.raises(Invalid):
        json_text.parse(opening.encode() * levels)


def test_a_wide_document_is_not_a_deep_one() -> None:
    assert len(json_text.parse(b"[" + b"[[]]," * 100_000 + b"0]")) == 100_001


def test_numbers_keep_their_value() -> None:
    assert json_text.parse(b"[123456789012345678901234567890, -0.5, 1e308, 1e-400]") == [
        123456789012345678901234567890,
        -0.5,
        1e308,
        0.0,
    ]
    assert json_text.dump(2**100) == str(2**100).encode()


@pytest.mark.parametrize("text", ["1e308", "1.7976931348623157e308", "1e-320", "5e-324", "-0.0", "1e23", "0.1"])
def test_numbers_of_any_size_have_their_exact_value(text: str) -> None:
    assert json_text.parse(text) == float(text)
    assert str(json_text.parse(text)) == str(float(text))


@pytest.mark.parametrize("text", ["1e309", "-1e309", "[1e999]"])
def test_numbers_beyond_the_range_are_refused(text: str) -> None:
    with pytest.raises(Invalid, match="out of range"):
        json_text.parse(text)


@pytest.mark.parametrize("package", ["rostrum.gateway", "rostrum.agents", "rostrum.base"])
def test_decoders_of_any_value_are_fast_for_all_numbers(package: str) -> None:
    """By itself, the library takes a hundred times as long for some numbers."""
    folder = importlib.import_module(package).__path__
    modules = [each.name for each in pkgutil.walk_packages(folder, package + ".")]
    found = [
        (name, value)
        for name in modules
        for value in vars(importlib.import_module(name)).values()
        if isinstance(value, msgspec.json.Decoder) and "Any" in str(value.type)
    ]

    assert [name for name, each in found if each.float_hook is None] == []
    assert found


def test_the_last_of_two_equal_names_counts() -> None:
    assert json_text.parse(b'{"a":1,"a":2}') == {"a": 2}


def test_ready_texts_are_joined_as_they_are() -> None:
    assert json_text.array([]) == b"[]"
    assert json_text.array([b'{"a":1}', b"2"]) == b'[{"a":1},2]'


def elements(value: Any) -> int:
    """Count what the limit counts, in a value that was read."""
    if not isinstance(value, (dict, list)):
        return 0
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max(0, len(value) - 1) + sum(map(elements, inside))


@pytest.mark.long
@settings(max_examples=cycles(80))
@given(
    st.recursive(values | st.text('[]{},:"\\\\', max_size=8), lambda inner: st.lists(inner, max_size=4), max_leaves=20)
)
def test_exactly_the_elements_outside_strings_are_counted(value: Any) -> None:
    text, count = json.dumps(value).encode(), elements(value)

    assert json_text.parse(text, max_elements=count) == value
    assert json_text.parse(text.decode(), max_elements=count) == value
    if count:
        with pytest.raises(TooLarge, match=f"more than {count - 1} elements"):
            json_text.parse(text, max_elements=count - 1)


@pytest.mark.parametrize(
    "text", [b'"' * 100, b'"\\"' * 100, b'"' + b'\\"' * 100, b'["' + b",[{" * 100, b"," * 100 + b'"']
)
def test_text_that_is_no_json_is_refused_with_a_limit_too(text: bytes) -> None:
    with pytest.raises(Invalid):
        json_text.parse(text, max_elements=10)


def test_many_elements_are_refused_before_an_object_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "_decoder", None)

    with pytest.raises(TooLarge, match="more than 1000 elements"):
        json_text.parse(b"[" + b"[]," * 4_000_000 + b"[]]", max_elements=1000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (rb'"a\ud83d"', rb'"a\ufffd"'),
        (rb'"\ude00\ud83d"', rb'"\ufffd\ufffd"'),
        (rb'"\ud83d\ude00 \\ud83d \n"', rb'"\ud83d\ude00 \\ud83d \n"'),
    ],
)
def test_half_characters_are_replaced_and_complete_ones_are_not(text: bytes, expected: bytes) -> None:
    assert json_text.replace_half_characters(text) == expected
