"""Request metrics in the Prometheus format. The labels are limited in number and name no user."""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any

_BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0)
_NOWHERE = "(none)"

Gauges = dict[str, tuple[str, Callable[[], float]]]


class Metrics:
    """Counts all requests with little overhead."""

    def __init__(self, gauges: Gauges | None = None) -> None:
        """Start counting; ``gauges`` are read when metrics are requested: a text and a function by name."""
        self._requests: dict[tuple[str, str, int], int] = {}
        self._times: dict[str, tuple[list[int], list[float]]] = {}
        self._gauges = gauges or {}
        self._started = time.time()

    def count(self, method: str, route: str | None, status: int, seconds: float) -> None:
        """Count one request; a route is a template, never an address with names in it."""
        route = route or _NOWHERE
        key = (method, route, status)
        self._requests[key] = self._requests.get(key, 0) + 1
        known = self._times.get(route)
        if known is None:
            known = self._times[route] = ([0] * (len(_BUCKETS) + 1), [0.0])
        known[0][bisect_left(_BUCKETS, seconds)] += 1
        known[1][0] += seconds

    def text(self) -> tuple[bytes, str]:
        """Write all metrics in the Prometheus format, and name its media type."""
        # The library contains a web server, and most managers are asked for metrics rarely or never.
        from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
        from prometheus_client.registry import CollectorRegistry

        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        return generate_latest(registry), CONTENT_TYPE_LATEST

    def collect(self) -> Iterator[Any]:
        """Yield each metric family."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        requests = CounterMetricFamily("rostrum_requests", "Requests answered.", labels=("method", "route", "status"))
        for (method, route, status), number in self._requests.items():
            requests.add_metric((method, route, str(status)), number)
        yield requests
        times = HistogramMetricFamily("rostrum_request_seconds", "Time to answer.", labels=("route",))
        for route, (numbers, total) in self._times.items():
            times.add_metric((route,), _cumulative(numbers), sum_value=total[0])
        yield times
        yield GaugeMetricFamily("rostrum_started_seconds", "When this process began.", value=self._started)
        for name, (text, value) in self._gauges.items():
            yield GaugeMetricFamily(f"rostrum_{name}", text, value=value())


def _cumulative(numbers: list[int]) -> list[tuple[str, float]]:
    buckets: list[tuple[str, float]] = []
    total = 0
    for bound, number in zip((*_BUCKETS, float("inf")), numbers, strict=True):
        total += number
        buckets.append(("+Inf" if bound == float("inf") else str(bound), total))
    return buckets
