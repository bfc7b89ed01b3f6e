"""Environment variables in paths and addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.base.placeholders import expand

VARIABLES = {"HOME": "/home/ann", "HOST": "example.com", "EMPTY": "", "A": "%B%", "B": "%A%", "C": "${C}"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%HOME%/config", "/home/ann/config"),
        ("${HOME}/config", "/home/ann/config"),
        ("https://${HOST}/%HOST%", "https://example.com/example.com"),
        ("[%EMPTY%]", "[]"),
        ("50% of 100%", "50% of 100%"),
        ("$HOME", "$HOME"),
        ("", ""),
        ("%HOME%%HOST%", "/home/annexample.com"),
    ],
)
def test_placeholders_are_filled_in(text: str, expected: str) -> None:
    assert expand(text, VARIABLES).text == expected
    assert expand(text, VARIABLES).unknown == ()


def test_every_unknown_name_is_reported_once_and_left_as_it_stands() -> None:
    expanded = expand("%NOPE%/${ALSO_NOT}/%NOPE%/%HOME%", VARIABLES)
    assert expanded.text == "%NOPE%/${ALSO_NOT}/%NOPE%//home/ann"
    assert expanded.unknown == ("NOPE", "ALSO_NOT")


def test_values_that_name_each_other_do_not_loop() -> None:
    assert expand("%A%${B}${C}", VARIABLES).text == "%B%%A%${C}"


def test_escapes_of_an_address_are_not_placeholders() -> None:
    expanded = expand("http://%HOST%/caf%C3%A9%20x%E2%82%AC/%HOST%", VARIABLES)
    assert expanded.text == "http://example.com/caf%C3%A9%20x%E2%82%AC/example.com"
    assert expanded.unknown == ()


def test_a_variable_with_a_name_like_an_escape_still_counts() -> None:
    assert expand("%C3%", {"C3": "x"}).text == "x"


@given(st.text(alphabet="%${}AB1 /", max_size=30))
def test_text_without_known_names_comes_back_unchanged(text: str) -> None:
    assert expand(text, {}).text == text
