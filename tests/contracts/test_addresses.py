"""Which addresses of pages a definition may have."""

from typing import Any

import pytest

from rostrum.base.addresses import loaded_address
from rostrum.contracts.addresses import origin_of, why_not_opened
from rostrum.contracts.apps import check_app

OPENED = [
    "https://page.example/app?x=1#y",
    "HTTP://127.0.0.1:8080",
    "data:text/html,<p>hello</p>",
    "about:blank",
    "%HOST%/app.html",
    "localhost:3000/app",
    "127.0.0.1:3000",
    "%HOST%:3000/app",
    "app.html?at=10:30",
]
FILES = [
    "file:///etc/passwd",
    " FILE:/etc/passwd",
    "/etc/passwd",
    "\n /etc/passwd",
    "/app/a:b",
    "//host/share/page.html",
    "\\\\host\\share",
    "\\etc",
]
REFUSED = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "vbscript:x",
    "view-source:https://page.example",
    "chrome://settings",
    "about:config",
    "C:\\apps\\app.html",
    "javascript:1//",
    "javascript:1/alert(1)",
    "some.scheme:1",
]


def definitions(url: str) -> list[dict[str, Any]]:
    return [
        {"name": "app", "type": "window", "details": {"url": url}},
        {"name": "app", "type": "webGroup", "details": {"url": url}},
        {"name": "app", "type": "workspaces", "details": {"url": url}},
        {"name": "app", "type": "clickonce", "details": {"url": url}},
        {"appId": "app", "name": "app", "title": "App", "type": "web", "details": {"url": url}},
    ]


@pytest.mark.parametrize("url", OPENED)
def test_addresses_of_pages_are_opened(url: str) -> None:
    assert [problem for app in definitions(url) for problem in check_app(app)] == []
    assert why_not_opened(url, files=False) is None


@pytest.mark.parametrize("url", FILES)
def test_files_are_recognized_however_they_are_written(url: str) -> None:
    assert loaded_address(url).lower().startswith("file:")
    assert why_not_opened(url, files=False) is not None


def test_an_address_without_a_scheme_is_completed_in_one_way() -> None:
    assert loaded_address("\\\\host\\share") == loaded_address("//host/share") == "file://host/share"
    assert loaded_address("/etc/passwd") == "file:///etc/passwd"
    assert loaded_address(" localhost:3000/app ") == "http://localhost:3000/app"
    assert loaded_address("page.example") == "http://page.example"
    assert loaded_address("data:text/html,/") == "data:text/html,/"
    assert loaded_address("") == ""


@pytest.mark.parametrize("url", REFUSED)
def test_addresses_that_run_code_or_open_the_browser_itself_are_refused(url: str) -> None:
    for app in definitions(url):
        (problem,) = check_app(app)
        assert (problem.path, problem.message) == ("details.url", "must be the address of a page: https, http or data")
    assert why_not_opened(url, files=True) is not None


@pytest.mark.parametrize("url", ["file:///etc/passwd", "FILE://server/share/app.html", r"\\server\share\app.html"])
def test_files_are_opened_for_apps_of_this_machine_only(url: str) -> None:
    assert why_not_opened(url, files=True) is None
    assert "must not be a file" in (why_not_opened(url, files=False) or "")


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Page.Example:443/app?x=1#y", "https://page.example"),
        ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080"),
        ("localhost:3000/app", "http://localhost:3000"),
        ("https://user:secret@page.example/", "https://page.example"),
        ("https://[0:0::1]:9/", "https://[::1]:9"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("file:///apps/my app.html?x#y", "file:///apps/my%20app.html"),
    ],
)
def test_the_origin_of_a_page_is_written_as_browsers_write_it(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "about:blank",
        "data:text/html,x",
        "javascript:alert(1)",
        "/app.html",
        "%HOST%/app.html",
        "https://other.example\\@page.example/",
        "https://page example/",
        "https://page.example:99999/",
        "https://[::x]/",
        "file://server/share/app.html",
        "https://",
        "rostrum-page://launcher/",
    ],
)
def test_an_address_without_an_origin_of_its_own_has_none(url: Any) -> None:
    assert origin_of(url) is None


def test_only_groups_are_drawn_by_the_page_of_the_platform_for_them() -> None:
    def problems(kind: str, url: str) -> int:
        return len(check_app({"name": "app", "type": kind, "details": {"url": url}}))

    assert problems("webGroup", "rostrum-page://group/") == 0
    assert problems("webGroup", "rostrum-page://launcher/") > 0
    assert problems("window", "rostrum-page://group/") > 0
