"""Sockets: the only place that knows the WebSocket library."""

from rostrum.gateway.server.listener import Endpoint, WebSocketServer

__all__ = ["Endpoint", "WebSocketServer"]
