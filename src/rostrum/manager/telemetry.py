"""OpenTelemetry traces, configured by the standard variables; without them, no library is loaded."""

import logging
import os
import sys
import threading
from collections.abc import Mapping
from typing import Any

from rostrum import __version__
from rostrum.base.distribution import this_installation

_log = logging.getLogger(__name__)

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_HTTP = "http/protobuf"
_SERVICE = "rostrum-manager"
_NOT_TRACED = "/health/,/metrics$,/events$,(?i:/directory(/|%2f))"
"""Paths without traces: frequent requests, event streams, and addresses that contain a secret."""

_LAST_SECONDS = 3
_SECRET_HEADERS = ["authorization", "cookie", "set-cookie", "proxy-authorization", ".*token.*", ".*secret.*"]
_QUERY = "rostrum.query_string"


class Telemetry:
    """Used if traces are not configured; records nothing."""

    def around(self, app: Any) -> Any:
        """Add a span to each request to an application."""
        return app

    def annotate(self, method: str, route: str | None, request_id: str) -> None:
        """Set the name of the current request's span when its operation is known."""

    def close(self) -> None:
        """Send the remaining spans."""


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Return whether the variables configure traces."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    if environment.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() == "none":
        return False
    return any(environment.get(name, "").strip() for name in _ENDPOINTS)


def telemetry(environment: Mapping[str, str] = os.environ) -> Telemetry:
    """Create the configured tracer. Without the libraries, the server logs a warning and runs without traces."""
    if not is_wanted(environment):
        # If the libraries are installed, the web framework loads them for a plugin that we do not use.
        sys.modules.setdefault("litestar.plugins.opentelemetry", None)  # type: ignore[arg-type]
        return Telemetry()
    protocol = next((environment[name] for name in _PROTOCOLS if environment.get(name)), _HTTP)
    if protocol != _HTTP:
        _log.warning("traces are sent as %s, because %s is not supported", _HTTP, protocol)
    try:
        return _Traces(environment)
    except ImportError as error:
        advice = f"{this_installation().with_extra('telemetry')}, or set OTEL_SDK_DISABLED=true"
        _log.warning("no traces are sent, because %s is missing: %s", error.name, advice)
        return Telemetry()


class _Traces(Telemetry):
    """Sends spans to a collector in batches, from a separate thread."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.asgi import OpenTelemetryMiddleware
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        attributes = {"service.version": __version__}
        if not environment.get("OTEL_SERVICE_NAME") and "service.name=" not in environment.get(
            "OTEL_RESOURCE_ATTRIBUTES", ""
        ):
            attributes["service.name"] = _SERVICE
        self._trace = trace
        self._middleware = OpenTelemetryMiddleware
        self._provider = TracerProvider(resource=Resource.create(attributes), shutdown_on_exit=False)
        self._exporter: Any = OTLPSpanExporter()
        self._provider.add_span_processor(BatchSpanProcessor(self._exporter))

    def around(self, app: Any) -> Any:
        traced = self._middleware(
            _with_query(app),
            excluded_urls=_NOT_TRACED,
            tracer_provider=self._provider,
            http_capture_headers_sanitize_fields=_SECRET_HEADERS,
            exclude_spans=["receive", "send"],
        )

        async def entry(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                # Queries can contain secrets, so spans do not contain queries.
                scope = {**scope, "query_string": b"", _QUERY: scope.get("query_string", b"")}
            await traced(scope, receive, send)

        return entry

    def annotate(self, method: str, route: str | None, request_id: str) -> None:
        span = self._trace.get_current_span()
        if span.is_recording():
            span.set_attribute("rostrum.request_id", request_id)
            if route is not None:
                span.update_name(f"{method} {route}")
                span.set_attribute("http.route", route)

    def close(self) -> None:
        # A collector that does not respond must not prevent the server from stopping.
        last = threading.Thread(target=self._provider.shutdown, name="last traces", daemon=True)
        last.start()
        last.join(_LAST_SECONDS)
        if last.is_alive():
            # It may be waiting to retry. Ending the wait lets its thread end with the server.
            self._exporter.shutdown()
            last.join(_LAST_SECONDS)


def _with_query(app: Any) -> Any:
    async def restored(scope: Any, receive: Any, send: Any) -> None:
        if _QUERY in scope:
            scope = {**scope, "query_string": scope[_QUERY]}
            del scope[_QUERY]
        await app(scope, receive, send)

    return restored
