"""Which origins get the API, what pages read from it, and what they may do."""

from typing import Any

import pytest

from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.desktop.windows.page_access import (
    PageIdentity,
    PageSecurity,
    allowed_origins,
    handler_timeout,
    legacy_version,
    may_navigate,
    page_info,
    security_of,
    version_number,
    window_open_mode,
    window_open_problem,
)
from rostrum.settings.sections.windows import Handlers, Windows
from tests.desktop.test_services_without_windows import settings

HERE = "https://firm.example"


def windows(**members: Any) -> Windows:
    return settings(windows=members).windows


def test_the_origins_of_an_app_are_those_of_its_address_and_of_its_definition_without_files() -> None:
    assert allowed_origins({"url": f"{HERE}/app"}) == (HERE,)
    added = ["https://eu.firm.example/login", f"{HERE}:443", "file:///etc/passwd", "data:text/html,x", 5]
    assert allowed_origins({"url": f"{HERE}/app", "allowedOrigins": added}) == (HERE, "https://eu.firm.example")
    assert allowed_origins({"url": "file:///apps/a.html"}) == ("file:///apps/a.html",)
    assert allowed_origins({"url": "data:text/html,x", "allowedOrigins": "*"}) == ()


def test_the_security_of_an_app_counts_only_if_its_store_is_trusted() -> None:
    own = {
        "security": {
            "allowRunningInsecureContent": True,
            "permissions": ["camera"],
            "onCertificateError": {"action": "allow"},
            "allowedExternalURISchemes": ["tel"],
        }
    }
    strict = windows().security
    assert security_of(own, strict, trusted=False) == PageSecurity()
    assert security_of(own, strict, trusted=True) == PageSecurity(
        allow_insecure_content=True, permissions=("camera",), certificate_errors="allow", external_schemes=("tel",)
    )
    firm = windows(security={"permissions": ["notifications"], "navigateOnDragDrop": True}).security
    expected = PageSecurity(permissions=("notifications",), navigate_on_drop=True)
    assert security_of(own, firm, trusted=False) == expected
    odd = {"security": {"permissions": "all", "navigateOnDragDrop": "no", "onCertificateError": {"action": "maybe"}}}
    assert security_of(odd, firm, trusted=True) == expected


def test_the_time_limit_of_page_handlers_is_from_the_definition_or_the_settings() -> None:
    usual = Handlers()
    assert handler_timeout({}, "closeHandlers", usual) == 60
    assert handler_timeout({"closeHandlers": {"timeout": 500}}, "closeHandlers", usual) == 0.5
    assert handler_timeout({"closeHandlers": {"enabled": False}}, "closeHandlers", usual) is None
    off = Handlers(enabled=False)
    assert handler_timeout({}, "closeHandlers", off) is None
    assert handler_timeout({"closeHandlers": {"enabled": True, "timeout": -5}}, "closeHandlers", off) == 60


@pytest.mark.parametrize(
    ("rule", "url", "allowed"),
    [
        (None, "https://other.example/", True),
        ({"allowed": "^https://firm[.]example/"}, f"{HERE}/x", True),
        ({"allowed": "^https://firm[.]example/"}, "https://other.example/", False),
        ({"allowed": HERE}, f"{HERE}/x", True),
        ({"allowed": HERE}, f"{HERE}.evil.example/x", False),
        ({"allowed": HERE}, f"https://evil.example/?{HERE}", False),
        ({"allowed": "^https://(a+)+$"}, f"https://{'a' * 60}!", False),
        ({"allowed": "("}, f"{HERE}/x", False),
        ({"allowed": "x" * 5000}, f"{HERE}/x", False),
        ({"allowed": 5}, f"{HERE}/x", False),
        (None, "file:///etc/passwd", False),
        (None, "javascript:alert(1)", False),
    ],
)
def test_pages_go_and_open_windows_only_where_their_rules_say(rule: Any, url: str, allowed: bool) -> None:
    details = {"url": "https://start.example/", "navigation": rule, "windowOpen": rule}
    assert may_navigate(details, url) is allowed
    assert may_navigate(details, "https://start.example/")
    assert (window_open_problem(details, url) is None) is allowed
    assert window_open_problem(details, "about:blank") is None


def test_window_open_follows_the_app_then_the_settings() -> None:
    assert window_open_mode({}, windows()) == "window"
    assert window_open_mode({}, windows(nativeWindowOpen="off")) == "off"
    assert window_open_mode({}, windows(nativeWindowOpen={"mode": "browser"})) == "browser"
    assert window_open_mode({"nativeWindowOpen": "window"}, windows(nativeWindowOpen="off")) == "window"
    assert window_open_mode({"nativeWindowOpen": {"mode": "browser"}}, windows()) == "browser"


def test_pages_read_who_and_where_they_are() -> None:
    screens = [Screen("one", Bounds(0, 30, 800, 570), primary=True)]
    identity = PageIdentity(user="ann", environment="PROD", region="EMEA", version="10.1", machine="desk-7", process=5)
    definition = {"name": "clock", "details": {"pagePerformanceMetric": {"enabled": True}, "consoleLogLevel": "warn"}}
    info = page_info("i-1", definition, identity, context={"a": 1}, channel="Red", screens=screens)
    assert (info["windowId"], info["appInstanceId"], info["pid"]) == ("i-1", "i-1", 5)
    assert {info[name] for name in ("application", "applicationName", "appName", "windowName")} == {"clock"}
    assert (info["env"]["env"], info["env"]["region"], info["env"]["machineName"]) == ("PROD", "EMEA", "desk-7")
    assert (info["user"], info["initialChannel"], info["context"]) == ("ann", "Red", {"a": 1})
    assert info["monitors"][0]["workingAreaHeight"] == 570
    assert info["metrics"] == {"pagePerformanceMetrics": {"enabled": True}}
    assert info["consoleLogLevel"] == "warn"
    assert "token" not in str(info).lower()


def test_versions_are_written_so_that_every_client_library_uses_its_present_protocol() -> None:
    assert [version_number(one) for one in ("3.12.0", "10.1", "9.0.5", "x")] == [31200, 100100, 90005, 0]
    assert [legacy_version(one) for one in ("9.0", "10.1")] == ["9.0", "9.99.0"]
