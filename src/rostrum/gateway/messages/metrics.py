"""Messages of the metrics domain: accepted, counted, never answered."""

from typing import ClassVar

from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming

__all__ = ["DefineMetrics", "PublishMetrics"]


class MetricsIncoming(Incoming, frozen=True, kw_only=True):
    """A message from a peer to the metrics domain."""

    domains: ClassVar[tuple[str, ...]] = ("metrics",)


class DefineMetrics(MetricsIncoming, frozen=True, kw_only=True, tag="define"):
    """Name metrics that will be published."""

    metrics: Raw = NULL


class PublishMetrics(MetricsIncoming, frozen=True, kw_only=True, tag="publish"):
    """Publish values of metrics."""

    values: Raw = NULL
