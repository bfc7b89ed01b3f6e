"""Which central gateway the clients of a user connect to.

The FDC3 agent of a user is in the memory of one gateway, so all connections of the user must reach this gateway. A load
balancer sees only connections, not users. The manager therefore names the gateway of each user, and gateways refuse
users of other gateways.
"""

from hashlib import sha256

from rostrum.manager.config import ManagerConfig


def gateway_of(config: ManagerConfig, user: str | None) -> str:
    """Return the address of a user's gateway; empty if there is none, or several and nobody is signed in.

    The choice depends on nothing but the user and the list of gateways, so all nodes of the manager make the same one.
    With one gateway more or less, only the users of that gateway move (rendezvous hashing).
    """
    if not config.gateway_nodes:
        return config.gateway_url
    if user is None:
        return ""
    return max(config.gateway_nodes, key=lambda address: sha256(f"{address}\n{user}".encode()).digest())
