"""Errors of gateways.

RostrumError
└── GatewayError
    ├── CannotListen     the port is taken, or may not be used
    ├── CallFailed       a call was rejected or failed
    └── NotConnected     the gateway, or this peer of it, has ended
"""

from typing import Any

from rostrum.base.errors import RostrumError


class GatewayError(RostrumError):
    """An operation that a gateway rejects or cannot perform."""


class CannotListen(GatewayError):
    """The port is in use, or not permitted."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"cannot listen on {host}:{port}: {reason}; port 0 takes a free one")
        self.host = host
        self.port = port


class CallFailed(GatewayError):
    """A request was rejected or failed.

    Attributes:
        uri: Identifies the reason.
        context: Details from the other peer.
    """

    def __init__(self, uri: str | None, text: str | None, context: Any = None) -> None:
        super().__init__(text or uri or "the call failed")
        self.uri = uri
        self.context = context


class NotConnected(GatewayError):
    """The peer was closed, or the gateway has stopped."""
