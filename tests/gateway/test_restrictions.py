"""The language of restrictions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.gateway.restrictions import BadRestriction, parse_restriction
from tests.long_form import cycles

OWN = {"application": "own", "tag": "t", "level": 3, "flag": True}
OTHER = {"application": "specA", "tag": "t", "lvl": "low", "level": 3.0, "flag": 1, "price": -1.5}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("$application == 'specA'", True),
        ("$application=='specA'", True),
        ("  $application == 'specB'", False),
        ("$application != 'specB'", True),
        ("#application == 'own'", True),
        ("$tag == #tag", True),
        ("$level == 3", True),
        ("$level == #level", True),
        ("$price == -1.5", True),
        ("$flag == #flag", False),
        ("$missing == 'x'", False),
        ("$missing != 'x'", True),
        ("$missing == #missing", True),
        ("$application ? 'spec.*'", True),
        ("$application ? 'spec'", False),
        ("$missing ? '.*'", False),
        ("'abc' ? '[a-c]+'", True),
        ("($tag == #tag) && ($lvl != 'low' || $application ? 'spec.*')", True),
        ("$tag == 'x' && $tag == 'x' || $tag == 't'", True),
        ("$tag == 't' || $tag == 'x' && $tag == 'x'", False),
        ("$tag == 't' || ($tag == 'x' && $tag == 'x')", True),
        ("(($tag == 't'))", True),
    ],
)
def test_what_holds(text: str, holds: bool) -> None:
    restriction = parse_restriction(text)

    assert restriction is not None
    assert restriction.allows(OWN, OTHER) is holds


@pytest.mark.parametrize("text", [None, ""])
def test_an_empty_restriction_allows_all_peers(text: str | None) -> None:
    assert parse_restriction(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "$$$", "(((", "$a", "$a ==", "== 'x'", "$a == ''", '$a == "x"', "$a == 'x' ", "!$a == 'x'", "$a = 'x'",
        "$a1 == 'x'",
        "$a == 'x' &&", "$a == 'x' and $b == 'y'", "($a == 'x'", "$a == 'x')", "$a ? '('", "$a ? '(?=x)'", "7", "'x'",
        "(" * 60 + "$a == 'x'" + ")" * 60, "$a == '" + "x" * 5000 + "'",
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadRestriction):
        parse_restriction(text)


def test_a_pattern_from_an_identity_that_cannot_be_read_fits_nothing() -> None:
    restriction = parse_restriction("$application ? #pattern")

    assert restriction is not None
    assert restriction.allows({"pattern": "spec."}, OTHER)
    assert not restriction.allows({"pattern": "("}, OTHER)


@settings(max_examples=cycles(60))
@given(st.text("$#ab '=!&|?()1.-", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        restriction = parse_restriction(text)
    except BadRestriction:
        return
    if restriction is not None:
        restriction.allows(OWN, OTHER)
