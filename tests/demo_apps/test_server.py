"""The server of the demo's apps: its pages and nothing else, to this machine only, under strict rules."""

import socket
from collections.abc import Iterator

import httpx
import pytest

from rostrum.demo_apps.server import AppServer
from tests.plain_http import NO_TLS


@pytest.fixture(scope="module")
def server() -> Iterator[AppServer]:
    running = AppServer()
    running.start()
    yield running
    running.stop()


@pytest.mark.parametrize(
    "app", ["watch", "chart", "ticket", "blotter", "news", "chat", "research/read", "any/other/app"]
)
def test_every_app_of_the_firm_has_a_page(server: AppServer, app: str) -> None:
    answer = httpx.get(f"{server.origin}/{app}/?x=1", verify=NO_TLS)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<main>" in answer.text


def test_pages_may_use_nothing_but_themselves_and_gateways_of_this_machine(server: AppServer) -> None:
    headers = httpx.get(f"{server.origin}/watch/", verify=NO_TLS).headers
    rules = dict(rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";"))
    assert rules == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "ws://127.0.0.1:* ws://localhost:*",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "http://127.0.0.1:* http://localhost:*",
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "Python" not in headers["server"]


@pytest.mark.parametrize(
    "path", ["/", "/shared", "/watch", "/../server.py", "/%2e%2e/server.py", "/shared/none.js", "/etc/passwd"]
)
def test_there_is_nothing_else(server: AppServer, path: str) -> None:
    with socket.create_connection(("127.0.0.1", int(server.origin.rpartition(":")[2]))) as raw:
        host = server.origin.removeprefix("http://")
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert b"Content-Security-Policy" in answer


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_sent_to_it(server: AppServer, method: str) -> None:
    assert httpx.request(method, f"{server.origin}/watch/", verify=NO_TLS).status_code == 501


def test_other_names_for_this_machine_are_refused(server: AppServer) -> None:
    answer = httpx.get(f"{server.origin}/watch/", headers={"Host": "rebound.example.com"}, verify=NO_TLS)
    assert answer.status_code == 421
    assert "<main>" not in answer.text


def test_a_taken_port_is_left_to_the_program_that_has_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        server = AppServer(taken)
        server.start()
        try:
            assert server.origin != f"http://127.0.0.1:{taken}"
            assert httpx.head(f"{server.origin}/watch/").status_code == 200
        finally:
            server.stop()
            server.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.origin}/watch/", verify=NO_TLS)
