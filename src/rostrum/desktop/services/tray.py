"""The icon in the notification area, its menu, and the actions of its entries."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Protocol

from rostrum.desktop.arguments import text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import TrayEntry, WindowHost
from rostrum.desktop.services.methods import method
from rostrum.settings.sections.user_interface import Tray as TraySettings

_TITLES = {
    "open": "Open",
    "applications": "Applications",
    "notifications": "Notifications",
    "themes": "Themes",
    "hotkeys": "Keyboard shortcuts",
    "feedback": "Send feedback",
    "info": "Information",
    "diagnostic": "Diagnostics",
    "about": "About",
    "restart": "Restart",
    "exit": "Exit",
}
"""The entries in their order; each has a setting of the same name."""
_APP = "applications/"
_OFFLINE = "offline"


class Leave(Protocol):
    """Ends the platform on behalf of the user, or restarts it."""

    async def __call__(self, *, restart: bool = False) -> object: ...


def tray_menu(
    settings: TraySettings, apps: Mapping[str, Mapping[str, Any]], *, is_offline: bool = False
) -> tuple[TrayEntry, ...]:
    """Return the menu; empty if the icon is disabled. Offline, the first entry states this."""
    if not settings.enabled:
        return ()
    notice = (TrayEntry(id=_OFFLINE, title="Offline: the manager cannot be reached"),) if is_offline else ()
    below = {"applications": tuple(_apps(apps))}
    return notice + tuple(
        TrayEntry(id=name, title=title, entries=below.get(name, ()))
        for name, title in _TITLES.items()
        if getattr(settings, name)
    )


class Tray:
    """Shows the icon, and executes selected entries."""

    def __init__(
        self,
        settings: TraySettings,
        host: WindowHost,
        apps: Callable[[], Mapping[str, Mapping[str, Any]]],
        *,
        start: Callable[[str], Awaitable[object]],
        leave: Leave,
        is_offline: Callable[[], bool] = lambda: False,
        background: BackgroundTasks | None = None,
    ) -> None:
        self._background = background or BackgroundTasks("the tray cannot be shown")
        self._settings = settings
        self._host = host
        self._apps = apps
        self._start = start
        self._leave = leave
        self._is_offline = is_offline

    @property
    def menu(self) -> tuple[TrayEntry, ...]:
        """Return the current menu."""
        return tray_menu(self._settings, self._apps(), is_offline=self._is_offline())

    async def show(self) -> None:
        """Show the icon with the current menu, if enabled."""
        if self._settings.enabled:
            await self._host.show_tray(self.menu)

    def refresh(self) -> None:
        """Schedule an update of the menu, because apps or the connection to the manager have changed."""
        self._background.begin(self.show())

    async def choose(self, entry: str) -> None:
        """Execute an entry of the menu."""
        lines = {line.id: line for line in self.menu}
        lines |= {below.id: below for line in lines.values() for below in line.entries}
        if entry not in lines or lines[entry].entries or entry == "applications":
            raise DesktopError(f"there is nothing to choose at {entry!r} in the menu of the tray")
        if entry.startswith(_APP):
            await self._start(entry.removeprefix(_APP))
        elif entry in ("restart", "exit"):
            await self._leave(restart=entry == "restart")
        else:
            await self._host.show_own(entry)


def _apps(apps: Mapping[str, Mapping[str, Any]]) -> Iterator[TrayEntry]:
    shown = {
        name: str(definition.get("title") or name)
        for name, definition in apps.items()
        if not definition.get("hidden") and not definition.get("disabled")
    }
    for name, title in sorted(shown.items(), key=lambda each: (each[1].casefold(), each[0])):
        yield TrayEntry(id=_APP + name, title=title)


class TrayMethods:
    """The tray on the gateway."""

    def __init__(self, tray: Tray) -> None:
        self._tray = tray

    @method("Rostrum.Tray.Menu")
    async def menu(self, _: Mapping[str, Any]) -> Any:
        """Return the current menu."""
        return {"entries": [asdict(entry) for entry in self._tray.menu]}

    @method("Rostrum.Tray.Choose")
    async def choose(self, arguments: Mapping[str, Any]) -> Any:
        """Execute an entry of the menu."""
        await self._tray.choose(text(arguments, "entry"))
        return {}
