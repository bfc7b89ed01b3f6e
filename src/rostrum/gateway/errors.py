"""What can go wrong around a gateway.

RostrumError
└── GatewayError
    ├── CannotListen     the port is taken, or may not be used
    ├── CallFailed       a call of this process was refused, or failed where it was carried out
    └── NotConnected     the gateway, or this peer of it, has ended
"""

from typing import Any

from rostrum.base.errors import RostrumError


class GatewayError(RostrumError):
    """Something a gateway refuses or cannot do."""


class CannotListen(GatewayError):
    """The port is taken, or may not be used."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"cannot listen on {host}:{port}: {reason}; port 0 takes a free one")
        self.host = host
        self.port = port


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
