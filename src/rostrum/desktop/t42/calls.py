"""Helpers of this package: methods with the verified caller, and permissions of apps."""

from datetime import datetime

from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.t42.commands import Command, refusing
from rostrum.gateway import LocalPeer

_MOST_SHOWN = 100


async def offer_method(peer: LocalPeer, callers: Callers, name: str, handler: Command) -> None:
    """Register a method on the gateway; errors of the handler are errors of the call."""
    await peer.methods.register(name, refusing(callers, handler))


class Rights:
    """The permissions in the definition of the calling app."""

    def __init__(self, instances: Instances, apps: Apps) -> None:
        self._instances = instances
        self._apps = apps

    def require(self, caller: Caller, right: str, what: str) -> None:
        """Reject a caller unless its app definition sets a permission to true, at the top level or in details.

        Programs that the platform has not started, and apps that other apps have defined, have no permissions.
        """
        running = self._instances.get(caller.instance) if caller.instance else None
        if running is None:
            raise DesktopError(f"Only apps that the platform has started may {what}.")
        if self._apps.is_in_memory(running.app):
            # By default any app may define apps there, and would grant itself all permissions.
            raise DesktopError(f"{running.app} may not {what}, because another app has defined it.")
        details = running.definition.get("details") or {}
        if running.definition.get(right, details.get(right)) is not True:
            raise DesktopError(f"{running.app} may not {what}. Set {right} to true in its definition to allow it.")


def shown(value: object) -> str:
    """Quote a value of a caller for a message; hostile values may be long."""
    return repr(str(value)[:_MOST_SHOWN])


def date(moment: datetime) -> str:
    """Format a time as the client libraries do."""
    return f"#T42_DATE#{round(moment.timestamp() * 1000)}"
