"""Messages of the metrics domain: accepted, counted, never answered."""

from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming


class DefineMetrics(Incoming, frozen=True, kw_only=True, tag="define"):
    """Name metrics that will be published."""

    metrics: Raw = NULL


class PublishMetrics(Incoming, frozen=True, kw_only=True, tag="publish"):
    """Publish values of metrics."""

    values: Raw = NULL
