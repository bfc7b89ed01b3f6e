"""The gateway: the message router that apps connect to."""

from rostrum.gateway.gateway import Gateway
from rostrum.gateway.options import GatewayOptions, Limits, MemoryWatch

__all__ = ["Gateway", "GatewayOptions", "Limits", "MemoryWatch"]
