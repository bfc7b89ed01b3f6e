"""Hotkeys of app definitions, which start an app or bring it to the front."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.hosts.actions import Focus
from rostrum.desktop.hosts.port import WindowHost
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
        definitions: Callable[[], Mapping[str, Mapping[str, Any]]],
        background: BackgroundTasks,
    ) -> None:
        self._hotkeys = hotkeys
        self._host = host
        self._instances = instances
        self._definitions = definitions
        self._background = background
        self._known: dict[str, str] = {}
        hotkeys.pressed.connect(self._pressed)

    async def refresh(self) -> None:
        """Register the shortcuts of the definitions, and remove those that no longer exist."""
        written = {name: definition.get("shortcut") for name, definition in self._definitions().items()}
        wanted = {name: shortcut for name, shortcut in written.items() if isinstance(shortcut, str) and shortcut}
        for name in [name for name, shortcut in self._known.items() if wanted.get(name) != shortcut]:
            del self._known[name]
            await self._hotkeys.unregister_all(_OWNER + name)
        for name, shortcut in wanted.items():
            if name not in self._known:
                self._known[name] = shortcut
                try:
                    description = f"Open {self._definitions()[name].get('title') or name}"
                    await self._hotkeys.register(_OWNER + name, shortcut, app=name, description=description)
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
