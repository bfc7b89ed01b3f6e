"""Hotkeys of app definitions, which start an app or bring it to the front."""

import asyncio
import logging
from collections.abc import Mapping

from rostrum.base.errors import RostrumError
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.hosts.actions import Focus
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.hotkeys import Hotkey, Hotkeys
from rostrum.desktop.services.instances import Instances

_log = logging.getLogger(__name__)
_OWNER = "shortcut of "
"""Prefix of the owners of these hotkeys, which distinguishes them from peers."""


class AppShortcuts:
    """Updates the hotkeys when definitions (``shortcut``) change."""

    def __init__(
        self,
        hotkeys: Hotkeys,
        host: WindowHost,
        instances: Instances,
        *,
        apps: Apps,
        rights: AppRights,
        background: BackgroundTasks,
    ) -> None:
        self._hotkeys = hotkeys
        self._host = host
        self._instances = instances
        self._apps = apps
        self._rights = rights
        self._background = background
        self._known: dict[str, tuple[str, str]] = {}
        self._refreshing = asyncio.Lock()
        hotkeys.pressed.connect(self._pressed)

    async def refresh(self) -> None:
        """Register the shortcuts of the definitions, and remove those that no longer exist."""
        # A definition can change while the hotkeys of an earlier change are registered.
        async with self._refreshing:
            wanted = self._wanted()
            for name in [name for name, known in self._known.items() if wanted.get(name) != known]:
                del self._known[name]
                await self._hotkeys.unregister_all(_OWNER + name)
            for name, (shortcut, asking) in wanted.items():
                if name not in self._known:
                    self._known[name] = shortcut, asking
                    await self._register(name, shortcut, asking)

    def _wanted(self) -> Mapping[str, tuple[str, str]]:
        """Return the shortcuts by app, each with the app that asks for it."""
        wanted = {}
        for name, definition in self._apps.definitions().items():
            shortcut = definition.get("shortcut")
            if isinstance(shortcut, str) and shortcut:
                wanted[name] = shortcut, self._apps.defined_by(name) or name
        return wanted

    async def _register(self, name: str, shortcut: str, asking: str) -> None:
        try:
            # Administrators write the other definitions.
            if self._apps.is_limited(name):
                self._rights.require_named(asking, "hotkeys", "register hotkeys")
            title = (self._apps.definition(name) or {}).get("title") or name
            await self._hotkeys.register(_OWNER + name, shortcut, app=name, description=f"Open {title}", asking=asking)
        except RostrumError as error:
            _log.warning("the shortcut of the app %s is not available: %s", name, error)

    def _pressed(self, hotkey: Hotkey) -> None:
        if hotkey.owner.startswith(_OWNER):
            self._background.begin(self._open(hotkey.owner.removeprefix(_OWNER)))

    async def _open(self, app: str) -> None:
        running = [one.id for one in self._instances.all if one.app == app and self._host.bounds(one.id) is not None]
        if running:
            await self._host.act(running[-1], Focus())
        else:
            await self._instances.start(app)
