"""Warnings about rules for addresses that allow more than their authors expect."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base.address_rules import admits, rule_error
from rostrum.base.rule_weaknesses import SHARED, rule_weaknesses
from tests.long_form import cycles

BANK = "https://bank.example"


@pytest.mark.parametrize(
    "rule",
    [
        BANK,
        r"^https://bank\.example",
        r"(?i)^https://[a-z0-9-]+\.bank\.example/.*",
        r"^https://[^/]+\.bank\.example/",
        r"^(https:\/\/a\.example|https://b\.example)/.*",
        r"^https://a\.example/|^https://b\.example/",
        r"^wss://bank[.]example(:\d+)?/",
        r"^(?!https://unknown)https://bank\.example/x.y",
        "^file:///opt/apps/.*",
        r"^file:///(C:/Apps|/files/share)/",
        r"^https://([a-z0-9-]+\.)?bank\.example",
        r"^https://([a-z0-9-]+\.)*bank\.example/app$",
        r"^https://bank\.example/app$",
        r"^https://[a-z0-9-]+\.bank\.co\.uk/",
        r"^https://[a-z0-9-]+\.bank\.com\.au(:8443)?/app/[a-z]+",
        r"^https://[a-z0-9-]+\.corp/",
        r"^https://[a-z0-9-]+\.firm\.internal/",
        r"^https://(paybank|bank)\.example/",
        r"^https://app-[a-z0-9]+\.bank\.example/",
        r"^https://firm-[a-z]+\.azurewebsites\.net/",
        r"^https?://10\.[0-9.]+(:\d+)?/",
        r"^https?://192\.168\.\d+\.\d+/",
        r"^http://127\.0\.0\.1:4357/news/",
        r"^https://203\.0\.113\.[0-9]+/",
        r"^(?!https://old\.)https://[a-z0-9-]+\.bank\.example/",
        r"^http://localhost:\d+/",
    ],
)
def test_rules_for_certain_sites_have_no_weakness(rule: str) -> None:
    assert rule_weaknesses(rule) == ()


@pytest.mark.parametrize(
    ("rule", "weakness"),
    [
        (r"https://bank\.example/.*", "does not begin with ^"),
        (r"bank\.example", "does not begin with ^"),
        (r"^https://a\.example/|evil", "does not begin with ^"),
        ("https://bank.example/*", "does not begin with ^"),
        ("https://bank.example/*", "where it has a dot"),
        ("^https://bank.example/", "where it has a dot"),
        (r"^https:\/\/bank.example\/", "where it has a dot"),
        (r"^https:\/\/.*\.bank\.example\/", "such as https://unknown/.bank.example/;"),
        (r"^https://[^.]+\.bank\.example/", "such as https://unknown/.bank.example/;"),
        (r"^https://\S+\.bank\.example/", "such as https://unknown/.bank.example/;"),
        (r"^https://[a-z0-9-./]+\.bank\.example", "such as https://unknown/.bank.example;"),
        (r"^https://[!-~]+bank\.example", "such as https://unknown/bank.example;"),
        (r"^https://(?:[^/]|/)+bank", "such as https://unknown/bank;"),
        (r"^https://bank\.example/|^https://pay\.[a-z]+/", "such as https://pay.unknown/;"),
        (r"^(?!https://[^/]*\.evil\.)https://.*?\.example/", "such as https://unknown.example/;"),
        ("^(?!x).*", "such as ws://unknown/;"),
        ("^.*", "such as ws://unknown/;"),
        ("^https?://", "such as http://unknown/;"),
        (r"^https://a\.example/|^javascript:", "such as javascript:"),
        (r"^(https://a\.example/|d.*)", "such as data:"),
        (r"^https://[a-z.]*bank\.example", "such as https://unknownbank.example/;"),
        (r"^https://[a-z0-9-.]+bank\.example/app/", "such as https://unknownbank.example/app/;"),
        (r"^https://[a-z-]+-bank[.]example", "such as https://unknown-bank.example/;"),
        (r"^https://([a-z]+\.?)?bank\.example", "such as https://unknownbank.example/;"),
        (r"^https://[a-z0-9-]+\.co\.uk", "such as https://unknown.co.uk/;"),
        (r"^https://([a-z]+\.)+com\.au/app/", "such as https://unknown.com.au/app/;"),
        (r"^https://www\.[a-z]+\.de/", "such as https://www.unknown.de/;"),
        (r"^https://[a-z]+\.[a-z]{2}/", "such as https://unknown.aa/;"),
        (r"^https://[a-z0-9-]+\.github\.io/", "such as https://unknown.github.io/;"),
        (r"^https://[a-z0-9-]+\.azurewebsites\.net/", "such as https://unknown.azurewebsites.net/;"),
        (r"^https?://[0-9.]+/", "such as http://172.40.8.8/;"),
        (r"^https?://(\d{1,3}\.){3}\d{1,3}(:\d+)?", "of other networks"),
        (r"^https?://(10|172|192)\.[0-9.]+/", "of other networks"),
        (r"^https?://10\..*", "such as http://10.unknown/;"),
        (r"^http://192\.168\.[^/]+/", "such as http://192.168.unknown/;"),
        ("^(?!ws)(?!http:).*", "such as https://unknown/;"),
        (r"^(?!https?://[^/]*evil).*", "such as ws://unknown/;"),
        (r"^(?!.*unknown).*", "that its lookaheads do not exclude"),
        (r"^(?=https://bank).*", "that its lookaheads do not exclude"),
        ("^file:", "such as file://unknown/;"),
        ("^file:///", "such as file:///unknown/;"),
        ("^file:///[cC]:/", "such as file:///"),
        ("^file:///home/", "such as file:///home/unknown/;"),
    ],
)
def test_the_weaknesses_of_rules_are_found(rule: str, weakness: str) -> None:
    assert any(weakness in found for found in rule_weaknesses(rule)), rule_weaknesses(rule)


@settings(max_examples=cycles(60))
@given(st.text("ab./:[]^-+*()|\\", max_size=14))
def test_examples_of_weaknesses_are_addresses_that_the_rule_allows(rest: str) -> None:
    rule = f"^https://{rest}"
    if rule_error(rule) is None:
        for found in rule_weaknesses(rule):
            for address in re.findall(r"such as (\S+);", found):
                assert admits(rule, address)


def test_a_rule_can_name_all_endings() -> None:
    endings = "|".join(f"{labels[-1]}|{labels[0]}" for labels in SHARED)

    assert rule_weaknesses(rf"^https://[a-z]+\.({endings[:900].rpartition('|')[0]})/")


def test_the_search_for_weaknesses_of_a_large_rule_ends() -> None:
    rule = "^https://" + "([a-y]|.)*" * 60 + "z{100}$"

    assert rule_error(rule) is None
    assert rule_weaknesses(rule)
