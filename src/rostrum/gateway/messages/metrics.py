"""Messages of the metrics domain: accepted and discarded, without a response."""

from typing import ClassVar

from msgspec import Raw

from rostrum.gateway.messages.record import NULL, Incoming


class DefineMetrics(Incoming, frozen=True, kw_only=True, tag="define"):
    """Declare metrics that will be published."""

    forwards: ClassVar[bool] = True

    metrics: Raw = NULL


class PublishMetrics(Incoming, frozen=True, kw_only=True, tag="publish"):
    """Publish values of metrics."""

    forwards: ClassVar[bool] = True

    values: Raw = NULL
