"""The WebSocket server."""

from rostrum.gateway.server.listener import Endpoint, WebSocketServer

__all__ = ["Endpoint", "WebSocketServer"]
