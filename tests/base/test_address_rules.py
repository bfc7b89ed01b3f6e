"""Which addresses a rule allows: attacks on plain addresses and on patterns."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base.address_rules import LONGEST_ADDRESS, admits, is_same, rule_error
from tests.long_form import cycles

BANK = "https://bank.example"


@pytest.mark.parametrize(
    ("rule", "address"),
    [
        (BANK, "https://bank.example/"),
        (BANK, "https://bank.example"),
        (BANK, "HTTPS://BANK.example:443/pay?to=1#x"),
        (BANK, r"https://bank.example/?a=b\c"),
        (f"{BANK}:8443/", "https://bank.example:8443/x"),
        (f"{BANK}/app", "https://bank.example/app"),
        (f"{BANK}/app", "https://bank.example/app?x=/../y"),
        (f"{BANK}/app", "https://bank.example/app/%C3%BC"),
        (f"{BANK}/ü", "https://bank.example/%C3%BC/x"),
        (f"{BANK}/app/", "https://bank.example/app/x"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example/"),
        ("http://[::1]:8080/", "http://[::1]:8080/x"),
        (r"^https://bank\.example", "https://bank.example/login?x"),
        (r"^https://bank\.example/", "https://bank.example/login"),
        (r"https://bank\.example/.*", "https://bank.example/login"),
        (r"^https:\/\/([a-z]+\.)?bank\.example\/", "https://pay.bank.example/x"),
        (r"^(https://a\.example/|https://b\.example/)", "https://b.example/"),
        (r"^https://a\.example/|^https://b\.example/", "https://b.example/x"),
        (r"(?i)^https://bank\.example/PAY$", "https://bank.example/pay"),
        (r"^(?!https://[^/]*\.evil\.)https://.*?\.example/", "https://bank.example/"),
        ("^https://", "https://any.example/"),
        (".*", "https://any.example/"),
        ("^wss://bank[.]example", "wss://bank.example/gw"),
    ],
)
def test_rules_allow_their_own_addresses(rule: str, address: str) -> None:
    assert rule_error(rule) is None
    assert admits(rule, address)


@pytest.mark.parametrize(
    ("rule", "address"),
    [
        (BANK, "https://bank.example.evil.example/"),
        (BANK, "https://bank.example@evil.example/"),
        (BANK, "https://bank.example:443@evil.example/"),
        (BANK, r"https://bank.example\@evil.example/"),
        (BANK, r"https://bank.example\.evil.example/"),
        (BANK, "https://bank.example\t.evil.example/"),
        (BANK, "https://bank.example:8443/"),
        (BANK, "https://bank.example../"),
        (BANK, "https://bank.examplе/"),
        (BANK, "https://bankxexample/"),
        (BANK, "http://bank.example/"),
        (BANK, "wss://bank.example/"),
        (BANK, "https:bank.example/"),
        (BANK, "https:///bank.example/"),
        (BANK, "https://evil.example/?https://bank.example"),
        (BANK, "https://evil.example/#https://bank.example"),
        (BANK, "javascript:https://bank.example"),
        (f"{BANK}/app", "https://bank.example/application"),
        (f"{BANK}/app", "https://bank.example/app.evil"),
        (f"{BANK}/app", "https://bank.example/app/../admin"),
        (f"{BANK}/app", "https://bank.example/app/%2e%2E/admin"),
        (f"{BANK}/app", "https://bank.example/app/..%2fadmin"),
        (f"{BANK}/app", "https://bank.example/app/..%5Cadmin"),
        (f"{BANK}/app", r"https://bank.example/app/..\admin"),
        (f"{BANK}/app", "https://bank.example/?/app"),
        (r"^https://bank\.example", "https://bank.example.evil.example/"),
        (r"^https://bank\.example", "https://bank.example@evil.example/"),
        (r"^https://bank\.example", "https://bank.example:443@evil.example/"),
        (r"bank\.example", "https://evil.example/bank.example"),
        (r"https://bank\.example/.*", "https://evil.example/?https://bank.example/"),
        (r"^https://bank\.example/app", "https://bank.example/app/../admin"),
        (r"^https://bank\.example/app", "https://bank.example/application"),
        (r"^https://[^/]*\.bank\.example/", "https://evil.example?x.bank.example/"),
        (r"^https://[^/]*\.bank\.example/", "https://evil.example#x.bank.example/"),
        (r"^https://[^/]*\.bank\.example/", r"https://evil.example\x.bank.example/"),
        (r"^https://[^/]*@bank\.example/", "https://user@bank.example@evil.example/"),
        (r"^(?!https://[^/]*\.evil\.)https://.*?\.example/", "https://a.evil.example/"),
        (r"^https://a\.example/$|^https://b\.example/", "https://a.example/x"),
        ("(?!)", "https://bank.example/"),
        ("https://strasse.example", "https://straße.example/"),
    ],
)
def test_no_address_slips_past_a_rule(rule: str, address: str) -> None:
    assert rule_error(rule) is None
    assert not admits(rule, address)


@pytest.mark.parametrize(
    "rule",
    [
        "(",
        5,
        None,
        ["https://x"],
        "x" * 5000,
        r"\bx",
        r"^https://(a)\1/",
        "a(?<=a)b",
        "^(?!a)b|c",
        "https://./",
        "https://straße.example",
    ],
)
def test_a_rule_that_cannot_be_used_allows_nothing(rule: object) -> None:
    assert rule_error(rule)
    assert not admits(rule, "https://bank.example/")


@pytest.mark.parametrize("rule", ["^https://(a+)+$", "^https://(a|aa)+$", "^https://(a*)*b", "^https://(.*a){12}b"])
def test_nested_repetitions_take_no_longer_than_others(rule: str) -> None:
    # A backtracking matcher takes seconds for 30 letters, and years for these.
    assert not admits(rule, f"https://{'a' * 4000}!")
    assert not admits(rule, f"https://{'a' * LONGEST_ADDRESS}")


@settings(max_examples=cycles(60))
@given(st.text("ab./:@?#\\%e2", max_size=12))
def test_an_address_is_allowed_only_if_browsers_go_to_the_origin(rest: str) -> None:
    if admits(BANK, f"{BANK}{rest}"):
        # A dot after the name, or an empty port, is the same host.
        assert re.match(r"\.?:?([/?#]|$)", rest)


def test_addresses_are_compared_as_browsers_request_them() -> None:
    assert is_same("https://x/a b/../ü", "HTTPS://X:443/a%20b/%2E./%C3%BC")
    assert not is_same("https://x\\y", "https://x\\@y")
    assert not is_same(None, "https://x")
