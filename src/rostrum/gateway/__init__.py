"""The gateway: the message router that apps connect to."""

from rostrum.gateway.errors import CallFailed, NotConnected
from rostrum.gateway.gateway import Gateway
from rostrum.gateway.local.peer import LocalPeer
from rostrum.gateway.options import GatewayOptions, Limits, MemoryWatch

__all__ = ["CallFailed", "Gateway", "GatewayOptions", "Limits", "LocalPeer", "MemoryWatch", "NotConnected"]
