"""The matcher gives what Python's own gives, but always in time."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base.patterns import BadPattern, compile_pattern
from tests.long_form import cycles

PIECES = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "[a-c]", r"\d", r"\w", r"\.", "1"])
COUNTS = st.sampled_from(["", "*", "+", "?", "{2}", "{1,2}", "{2,}", "{0}", "{0,1}"])
PATTERNS = st.recursive(
    st.builds(str.__add__, PIECES, COUNTS),
    lambda inside: st.one_of(
        st.lists(inside, max_size=3).map("".join),
        st.builds(lambda one, other: f"({one}|{other})", inside, inside),
        st.builds(lambda one, count: f"(?:{one}){count}", inside, COUNTS),
    ),
    max_leaves=6,
)


@settings(max_examples=cycles(80))
@given(PATTERNS, st.text("ab1.\n", max_size=6))
def test_it_agrees_with_the_common_matcher(pattern: str, text: str) -> None:
    assert compile_pattern(pattern).matches(text) == bool(re.fullmatch(pattern, text)), (pattern, text)


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|aa)+$", "(a+)+", "(.*a){12}", "(a?){30}a{30}"])
def test_patterns_that_run_wild_elsewhere_end_here(pattern: str) -> None:
    assert compile_pattern(pattern).matches("a" * 199 + "!") is False


@pytest.mark.parametrize(
    "pattern",
    ["(", ")", "[", "[]", "a**", "*", "+a", "{2}", "a{", "a{x}", "a{3,2}", "a{99999}", "a{50}{9}", "(a{20}){20}",
     r"\b", r"\1",
     "a(?=b)", "(?P<n>a)", "a^b", "a$b", "[b-a]", "\\", "(" * 30 + ")" * 30, "x" * 301],
    ids=lambda pattern: pattern[:12],
)  # fmt: skip
def test_what_it_does_not_know_is_refused(pattern: str) -> None:
    with pytest.raises(BadPattern):
        compile_pattern(pattern)


@pytest.mark.parametrize("pattern", ["^abc$", "^abc", "abc$"])
def test_anchors_at_the_edges_have_no_effect(pattern: str) -> None:
    assert compile_pattern(pattern).matches("abc")
    assert not compile_pattern(pattern).matches("xabc")


def test_a_text_that_is_very_long_fits_nothing() -> None:
    assert compile_pattern(".*").matches("a" * 200)
    assert not compile_pattern(".*").matches("a" * 201)
