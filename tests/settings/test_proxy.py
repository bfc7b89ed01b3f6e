"""The setting proxy: what it may hold, and which switches the browser engine gets."""

from typing import Any

import pytest

from rostrum.settings.parse import parse_early
from rostrum.settings.problems import Severity
from rostrum.settings.proxy import read_proxy


@pytest.mark.parametrize(
    ("written", "switches"),
    [
        ({"mode": "direct"}, (("no-proxy-server", None),)),
        ({"mode": "auto_detect"}, (("proxy-auto-detect", None),)),
        ({"mode": "system"}, ()),
        ({"mode": "pac_script", "pacScript": "https://a/p.pac"}, (("proxy-pac-url", "https://a/p.pac"),)),
        ({"pacScript": "https://a/p.pac", "proxyRules": "b:1"}, (("proxy-pac-url", "https://a/p.pac"),)),
        ({"mode": "fixed_servers", "proxyRules": "b:1"}, (("proxy-server", "b:1"),)),
        (
            {"proxyRules": " http=b:1;socks=c:2 ", "proxyBypassRules": "*.example.com;<local>"},
            (("proxy-server", "http=b:1;socks=c:2"), ("proxy-bypass-list", "*.example.com;<local>")),
        ),
    ],
)
def test_each_mode_becomes_switches_of_the_engine(written: Any, switches: Any) -> None:
    proxy, problems = read_proxy(written)
    assert proxy is not None
    assert (proxy.switches, problems) == (switches, ())


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("proxy:3128", "must be an object with mode"),
        ([], "must be an object with mode"),
        ({}, "mode: must be direct, auto_detect, pac_script, fixed_servers or system"),
        ({"mode": "sometimes"}, "mode: must be direct"),
        ({"mode": 7}, "mode: must be text, not 7"),
        ({"mode": "pac_script"}, "pacScript: must be an address"),
        ({"mode": "pac_script", "pacScript": "file:///etc/proxy.pac"}, "pacScript: must be an address"),
        ({"mode": "pac_script", "pacScript": "http://[/x"}, "pacScript: must be an address"),
        ({"mode": "fixed_servers"}, "proxyRules: must name a proxy"),
        ({"mode": "fixed_servers", "proxyRules": "ann:secret@proxy:1"}, "proxyRules: must not contain a user name"),
        ({"mode": "system", "legacy": {}}, "legacy: not supported; use mode, pacScript, proxyRules, proxyBypassRules"),
    ],
)
def test_what_the_engine_cannot_do_is_named_and_the_proxy_of_the_system_is_used(written: Any, problem: str) -> None:
    proxy, problems = read_proxy(written)
    assert proxy is None
    assert any(one.startswith(problem) for one in problems)
    assert "secret" not in " ".join(problems)


def test_the_check_of_a_configuration_refuses_them_by_name() -> None:
    (problem,) = parse_early({"proxy": {"mode": "pac_script", "legacy": {}}}).problems
    assert (problem.path, problem.severity) == ("proxy", Severity.ERROR)
    assert "legacy: not supported" in problem.message
    assert "pacScript: must be an address" in problem.message


def test_no_setting_is_no_problem() -> None:
    assert read_proxy(None) == (None, ())


def test_files_of_the_platform_are_fetched_through_the_first_fixed_proxy() -> None:
    for rules, server in (
        ("proxy:3128", "http://proxy:3128"),
        ("socks5://proxy:1080,direct://", "socks5://proxy:1080"),
        ("socks=proxy:1080;http=other:80", "socks5://proxy:1080"),
    ):
        proxy, _ = read_proxy({"proxyRules": rules})
        assert proxy is not None
        assert proxy.first_server == server
    script, _ = read_proxy({"pacScript": "https://a/p.pac"})
    assert script is not None
    assert script.first_server == ""
