"""Traces as a collector receives them: real requests, real OTLP over HTTP on loopback."""

import gzip
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from rostrum.base.clock import SettableClock
from rostrum.manager.telemetry import Telemetry, is_wanted, telemetry
from tests.conftest import ADMIN, manager_config, running_api

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
PATIENCE = 30
SENDER = "OtelBatchSpanRecordProcessor"


class Collector:
    """A collector that keeps what it is sent."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.received: Queue[tuple[str, dict[str, str], bytes]] = Queue()

    def spans(self, count: int) -> list[Any]:
        """Wait for as many spans; each with the attributes of what sent it."""
        found: list[Any] = []
        while len(found) < count:
            path, headers, body = self.received.get(timeout=PATIENCE)
            assert path == "/v1/traces"
            assert headers["content-type"] == "application/x-protobuf"
            request = ExportTraceServiceRequest.FromString(
                gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
            )
            for resource in request.resource_spans:
                about = values(resource.resource.attributes)
                found += [(span, about) for scope in resource.scope_spans for span in scope.spans]
        return found


def values(attributes: Any) -> dict[str, Any]:
    return {item.key: getattr(item.value, item.value.WhichOneof("value")) for item in attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            collector.received.put((self.path, headers, body))
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield collector
        server.shutdown()
        thread.join(PATIENCE)


async def test_requests_become_spans_and_no_secret_is_in_them(
    sqlite: str, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    parent = {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
    with collecting() as collector:
        monkeypatch.setenv(ENDPOINT, collector.address)
        monkeypatch.setenv("OTEL_SERVICE_NAME", "the firm's manager")
        monkeypatch.setenv("OTEL_INSTRUMENTATION_HTTP_CAPTURE_HEADERS_SERVER_REQUEST", ".*")
        async with running_api(manager_config(sqlite), clock) as api:
            assert (await api.client().get("/health/ready")).status_code == 200
            asked = await api.admin.get(
                "/admin/users/admin/effective?app=in-the-query", headers={"X-Request-Id": "one", **parent}
            )
            assert asked.status_code == 200
            assert (await api.client(("admin", "a wrong guess")).get("/apps?key=in-the-query")).status_code == 401
        # Ending the server sends what waits.
        spans = collector.spans(2)

    assert {about["service.name"] for _, about in spans} == {"the firm's manager"}
    by_name = {span.name: span for span, _ in spans}
    assert by_name.keys() == {"GET /api/admin/users/{user_id}/effective", "GET /api/apps"}
    span = by_name["GET /api/admin/users/{user_id}/effective"]
    told = values(span.attributes)
    assert (told["http.route"], told["http.status_code"]) == ("/api/admin/users/{user_id}/effective", 200)
    assert told["rostrum.request_id"] == "one"
    assert span.trace_id.hex() == trace
    assert values(by_name["GET /api/apps"].attributes)["http.status_code"] == 401
    said = str(spans)
    for secret in (ADMIN[1], "a wrong guess", "in-the-query", "Basic ", "PLATFORM_SESSION="):
        assert secret not in said


async def test_an_unavailable_collector_has_no_effect(
    sqlite: str, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:1")
    async with running_api(manager_config(sqlite), clock) as api:
        assert (await api.admin.get("/me")).status_code == 200
    # No retries after the server has stopped.
    assert not [thread.name for thread in threading.enumerate() if thread.name in ("last traces", SENDER)]


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({ENDPOINT: ""}, False),
        ({ENDPOINT: "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({ENDPOINT: "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "True"}, False),
        ({ENDPOINT: "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_SERVICE_NAME": "x"}, False),
    ],
)
def test_the_standard_variables_decide(environment: dict[str, str], wanted: bool) -> None:
    assert is_wanted(environment) is wanted


def test_without_the_libraries_the_server_logs_this_and_serves(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # How Python itself marks a module that is not to be had.
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with caplog.at_level(logging.WARNING):
        assert type(telemetry({ENDPOINT: "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"})) is Telemetry
    assert "run `make .venv/.dev`, or set OTEL_SDK_DISABLED=true" in caplog.text
    assert "grpc is not supported" in caplog.text


def test_nothing_is_loaded_until_it_is_requested() -> None:
    program = (
        "import sys, rostrum.manager.telemetry as asked; asked.telemetry({}); "
        "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=120).returncode == 0
