"""Control of the platform: status, end, feedback, and the stream of changes."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.client.changes import Connection
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.reload import Reloading
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.methods import method
from rostrum.desktop.shutdown import Shutdown
from rostrum.gateway import LocalPeer

_log = logging.getLogger(__name__)


class PlatformControl:
    """Ends, refreshes and describes the platform for users, apps and the manager."""

    def __init__(
        self,
        shutdown: Shutdown,
        guards: Guards,
        layouts: LayoutService,
        apps: Apps,
        *,
        reloading: Reloading,
        manager: Connection | None,
    ) -> None:
        self.shutdown = shutdown
        self._guards = guards
        self._layouts = layouts
        self._apps = apps
        self._reloading = reloading
        self._manager = manager

    async def leave(self, *, restart: bool = False) -> bool:
        """Request the end on behalf of the user: apps may prevent it, and changed layouts may be saved first."""
        if not (await self._guards.may_shut_down(restart=restart) and await self._layouts.confirm_unsaved_changes()):
            return False
        self.shutdown.request(restart=restart)
        return True

    async def save_layout(self) -> None:
        """Save the current layout, if the desktop differs from it."""
        await self._layouts.save_changes()

    async def refresh(self) -> None:
        """Read the app stores of users, and all configuration sources, again."""
        for store in self._apps.users.stores:
            try:
                await store.refresh()
            except RostrumError as error:
                _log.warning("%s: %s", store.name, error)
        await self._reloading.reload()

    async def send_feedback(self, description: str) -> str:
        """Send feedback to the manager; return its id."""
        if self._manager is None:
            raise DesktopError("feedback needs a manager (server.enabled)")
        return await self._manager.client.send_feedback(description)


class PlatformMethods:
    """The platform itself on the gateway."""

    def __init__(self, control: PlatformControl, host: WindowHost, status: Callable[[], dict[str, Any]]) -> None:
        self._control = control
        self._host = host
        self._status = status

    @method("Rostrum.Platform.Status")
    async def status(self, _: Mapping[str, Any]) -> Any:
        """Return the status of the platform."""
        return self._status()

    @method("Rostrum.Platform.Focus")
    async def focus(self, _: Mapping[str, Any]) -> Any:
        """Bring the windows of the platform to the front."""
        await self._host.bring_to_front()
        return {}

    @method("Rostrum.Platform.Exit")
    async def exit(self, arguments: Mapping[str, Any]) -> Any:
        """End the platform, or restart it."""
        restart = arguments.get("restart") is True
        if arguments.get("force") is True:
            self._control.shutdown.request(restart=restart)
            return {"leaving": True}
        return {"leaving": await self._control.leave(restart=restart)}


async def offer_changes(peer: LocalPeer, apps: Apps, instances: Instances) -> None:
    """Register the stream of changes of apps and instances."""
    changes = await peer.methods.stream("Rostrum.Platform.Changes")
    apps.users.changed.connect(lambda _: changes.push({"changed": "apps"}))
    instances.started.connect(lambda one: changes.push({"started": one.id, "app": one.app}))
    instances.ended.connect(lambda one: changes.push({"ended": one.instance.id, "app": one.instance.app}))
    instances.retitled.connect(lambda one: changes.push({"retitled": one.id, "title": one.title}))
