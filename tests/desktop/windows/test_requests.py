"""What pages load, and which headers they see."""

from typing import Any

import pytest

from rostrum.desktop.windows.requests import PageRequests, page_requests

POLICY = "default-src 'self'; frame-ancestors 'none'; img-src https:"


def shown(rules: Any, **headers: str) -> dict[str, str]:
    found, problems = page_requests(None, rules)
    assert problems == ()
    return found.shown({name.replace("_", "-"): value for name, value in headers.items()})


def policy(*directives: dict[str, str]) -> str | None:
    return shown({"content-security-policy": {"directives": list(directives)}}, Content_Security_Policy=POLICY).get(
        "Content-Security-Policy"
    )


def test_only_addresses_that_the_filter_matches_are_loaded_and_all_without_one() -> None:
    rules, problems = page_requests(r"^https://([a-z]+\.)?firm\.example/", None)
    assert problems == ()
    assert [rules.passes(f"https://{host}/x") for host in ("firm.example", "a.firm.example", "evil.example")] == [
        True,
        True,
        False,
    ]
    assert page_requests(None, None) == (PageRequests(), ())
    assert PageRequests().passes("https://evil.example/")


@pytest.mark.parametrize("wrong", ["(", 5, ["https://"]])
def test_an_invalid_filter_blocks_everything_and_is_reported(wrong: Any) -> None:
    rules, (problem,) = page_requests(wrong, None)
    assert not rules.passes("https://firm.example/")
    assert "windows.urlFilter cannot be used" in problem


def test_headers_are_taken_away_and_their_directives_are_changed() -> None:
    assert shown({"X-Frame-Options": {"remove": True}}, x_frame_options="DENY", etag="1") == {"etag": "1"}
    append = {"name": "img-src", "action": "append", "value": "data: blob:"}
    assert policy(append) == "default-src 'self'; frame-ancestors 'none'; img-src https: data: blob:"
    remove = {"name": "Frame-Ancestors", "action": "remove"}
    replace = {"name": "default-src", "action": "replace", "value": "*"}
    assert policy(remove, replace) == "default-src *; img-src https:"
    assert (
        policy(*({"name": name, "action": "remove"} for name in ("default-src", "frame-ancestors", "img-src"))) is None
    )
    assert shown({"other": {"remove": True}}, Content_Security_Policy=POLICY) == {"Content-Security-Policy": POLICY}


@pytest.mark.parametrize(
    "wrong",
    [5, {"directives": 5}, {"directives": [5]}, {"directives": [{"name": "a", "action": "burn"}]}],
)
def test_a_header_in_an_unknown_form_is_named_and_the_others_count(wrong: Any) -> None:
    rules, (problem,) = page_requests(None, {"etag": wrong, "server": {"remove": True}})
    assert "windows.responseHeaders.etag must have remove, or directives" in problem
    assert rules.shown({"ETag": "1", "Server": "x"}) == {"ETag": "1"}
    assert page_requests(None, [])[1] == ("windows.responseHeaders must be an object of header names",)
