"""Workspaces: what the page of a workspaces frame is asked to do, never for longer than the settings allow."""

import asyncio
from collections.abc import Mapping
from typing import Any

from rostrum.base.retry import Sleep
from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError, OperationTimedOut
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.timeouts import answer_within
from rostrum.desktop.windows.gestures import takes_part
from rostrum.settings.scope import AppType
from rostrum.settings.sections.window_management import WindowManagement

__all__ = ["WorkspaceMethods", "Workspaces"]


class Workspaces:
    """Passes operations to the frames that run."""

    def __init__(
        self, settings: WindowManagement, host: WindowHost, instances: Instances, *, sleep: Sleep = asyncio.sleep
    ) -> None:
        """Take the settings, the port and the running apps."""
        self._seconds = settings.workspaces.operation_timeout / 1000
        self._alternate = settings.alternate_behavior
        self._host = host
        self._instances = instances
        self._sleep = sleep

    async def drop(self, instance: str, frame: str, *, alt: bool = False) -> bool:
        """Let a dragged window go on a frame; say whether it went in."""
        dropped = self._instances.get(instance)
        if dropped is None:
            raise DesktopError(f"there is no instance {instance!r}")
        allowed = dropped.definition.get("allowWorkspaceDrop") is not False
        if not allowed or not takes_part("drop in a workspace", self._alternate, alt=alt):
            return False
        await self.run(frame, "addWindow", {"windowId": instance})
        return True

    async def run(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Let a frame do something; raise OperationTimedOut when it does not answer in time."""
        instance = self._instances.get(frame)
        if instance is None or instance.type.lower() != AppType.WORKSPACES:
            raise DesktopError(f"there is no workspaces frame {frame!r}")
        work = self._host.change_workspaces(frame, operation, arguments)
        try:
            return await answer_within(work, self._seconds, self._sleep)
        except TimeoutError:
            raise OperationTimedOut(operation, self._seconds) from None


class WorkspaceMethods:
    """Workspaces on the gateway."""

    def __init__(self, workspaces: Workspaces) -> None:
        """Take the workspaces."""
        self._workspaces = workspaces

    @method("Rostrum.Workspaces.Change")
    async def change(self, arguments: Mapping[str, Any]) -> Any:
        """Let a workspaces frame do something."""
        given = arguments.get("arguments", {})
        if not isinstance(given, Mapping):
            raise DesktopError("arguments must be an object")
        frame, operation = text(arguments, "frame"), text(arguments, "operation")
        return {"result": await self._workspaces.run(frame, operation, given)}
