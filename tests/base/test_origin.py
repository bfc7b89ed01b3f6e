"""The origin of an address."""

import pytest

from rostrum.base.origin import url_origin


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
