"""Addresses of clients, and origins of URLs."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.base.addresses import parse_address, sign_address, url_origin, verify_address

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SECRET = "s" * 32
CREDENTIALS = "Basic YWxpY2U6c2VjcmV0"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        (" 203.0.113.7 ", "203.0.113.7"),
        ("203.0.113.7:4711", "203.0.113.7"),
        ('"203.0.113.7:4711"', "203.0.113.7"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("2001:0DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("[::ffff:203.0.113.7]:4711", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::1"),
    ],
)
def test_one_client_is_one_address_however_it_is_written(text: str, address: str) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "unknown",
        "_hidden",
        "203.0.113.7:",
        "203.0.113.7:x",
        "[::1",
        "[::1]x",
        "[::1]:",
        "1.2.3",
        "a:b:c",
        "1.2.3.4:５",
    ],
)
def test_anything_else_is_no_address(text: str) -> None:
    assert parse_address(text) is None


@given(st.text(max_size=80))
def test_reading_an_address_never_fails(text: str) -> None:
    found = parse_address(text)
    assert found is None or parse_address(found) == found


@given(st.text(max_size=250))
def test_no_text_passes_for_a_signed_address(text: str) -> None:
    assert verify_address(SECRET, text, CREDENTIALS, NOW) is None


def test_a_signed_address_counts_for_its_credentials_and_for_two_minutes() -> None:
    value = sign_address(SECRET, "203.0.113.7", CREDENTIALS, NOW)

    assert verify_address(SECRET, value, CREDENTIALS, NOW) == "203.0.113.7"
    assert verify_address(SECRET, value, CREDENTIALS, NOW + timedelta(seconds=119)) == "203.0.113.7"
    assert verify_address(SECRET, value, CREDENTIALS, NOW + timedelta(seconds=121)) is None
    assert verify_address(SECRET, value, CREDENTIALS, NOW - timedelta(seconds=121)) is None
    assert verify_address("t" * 32, value, CREDENTIALS, NOW) is None
    assert verify_address(SECRET, value, "Basic b3RoZXI6c2VjcmV0", NOW) is None
    assert verify_address(SECRET, value.replace("113.7", "113.8"), CREDENTIALS, NOW) is None


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Manager.Example.com/api", "https://manager.example.com"),
        ("https://manager.example.com:443", "https://manager.example.com"),
        ("http://manager.example.com:443/", "http://manager.example.com:443"),
        ("HTTP://[::1]:4356/api?x#y", "http://[::1]:4356"),
        ("https://manager.example.com@evil.example/api", "https://evil.example"),
        ("https://manager.example.com./api", "https://manager.example.com"),
    ],
)
def test_addresses_of_one_origin_have_one_spelling(url: str, origin: str) -> None:
    assert url_origin(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        None,
        5,
        "",
        "manager.example.com",
        "//manager.example.com/api",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https://evil.example\\@manager.example.com/",
        "https://evil\t.example/",
        "https://manager.example.com /",
        "https://manager.example.com:99999/",
        "https://[::1/",
        "https://mänager.example.com/",
    ],
)
def test_what_programs_may_read_in_different_ways_has_no_origin(url: object) -> None:
    assert url_origin(url) is None
