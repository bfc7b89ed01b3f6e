"""What can go wrong with a call of a local peer."""

from typing import Any

from rostrum.gateway.errors import GatewayError


class CallFailed(GatewayError):
    """A request was refused, or failed where it was carried out.

    Attributes:
        uri: The reason for programs.
        context: What the other side added.

    """

    def __init__(self, uri: str | None, text: str | None, context: Any = None) -> None:
        super().__init__(text or uri or "the call failed")
        self.uri = uri
        self.context = context


class NotConnected(GatewayError):
    """The peer was closed, or the gateway has stopped."""
