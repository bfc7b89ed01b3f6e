"""Sockets; only this package uses the WebSocket library."""

from rostrum.gateway.server.listener import Endpoint, WebSocketServer

__all__ = ["Endpoint", "WebSocketServer"]
