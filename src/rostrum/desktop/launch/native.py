"""Apps of type clickonce and citrix: the windowing system starts them where it can, else they say where they run."""

from rostrum.desktop.errors import NotOnThisSystem
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import Reports
from rostrum.desktop.launch.launcher import Launch, Launched
from rostrum.desktop.launch.window import OpenWindows
from rostrum.desktop.windows.chrome import chrome_of
from rostrum.settings.scope import Mode
from rostrum.settings.settings import Settings

__all__ = ["NativeLauncher"]

_REASONS = {
    "clickonce": "ClickOnce apps run on Windows only",
    "citrix": "Citrix apps need the Citrix receiver and a desktop with windows, on Windows only",
}


class NativeLauncher:
    """Asks the windowing system for a native app, with its channel selector."""

    def __init__(self, host: WindowHost, reports: Reports, settings: Settings, mode: Mode = Mode.DEFAULT) -> None:
        """Take the port, and what the settings say for all windows."""
        self._host = host
        self._windows = OpenWindows(host, reports)
        self._settings = settings
        self._mode = mode

    async def launch(self, launch: Launch) -> Launched:
        """Start the app; raise NotOnThisSystem where such apps do not run."""
        kind = str(launch.definition["type"])
        request = WindowRequest(
            instance=launch.instance,
            kind=kind,
            title=launch.title,
            details=launch.details,
            context=launch.context,
            chrome=chrome_of(launch.definition, self._settings, self._mode),
        )
        with self._windows.opening(launch) as opened:
            if not await self._host.open_native(request):
                raise NotOnThisSystem(f"{launch.definition['name']}: {_REASONS[kind.lower()]}")
        return opened
