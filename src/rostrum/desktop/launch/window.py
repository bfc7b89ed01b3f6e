"""Apps that are windows: window, workspaces, webGroup and childWindow go through the port."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.launch.launcher import Launch, Launched
from rostrum.desktop.ports import Bounds, WindowHost, WindowRequest
from rostrum.settings.scope import AppType
from rostrum.settings.sections.windows import Windows

__all__ = ["WindowLauncher", "window_details"]

_WITH_SELECTOR = frozenset(
    kind.value for kind in (AppType.WINDOW, AppType.EXE, AppType.CLICKONCE, AppType.CHILD_WINDOW, AppType.CITRIX)
)
_WITH_SCRIPTS = frozenset(kind.value for kind in (AppType.WINDOW, AppType.WORKSPACES, AppType.WEB_GROUP))


class _Window:
    def __init__(self, host: WindowHost, instance: str) -> None:
        self._host = host
        self._instance = instance

    @property
    def process(self) -> int | None:
        return None

    async def stop(self) -> None:
        await self._host.close_window(self._instance)


class WindowLauncher:
    """Asks the windowing system for a window."""

    def __init__(self, host: WindowHost, settings: Windows) -> None:
        """Take the port, and what the settings say for all windows."""
        self._host = host
        self._settings = settings

    async def launch(self, launch: Launch) -> Launched:
        """Open a window."""
        details = window_details(launch.definition, self._settings)
        request = WindowRequest(
            instance=launch.instance,
            kind=str(launch.definition["type"]),
            title=launch.title,
            details=details,
            bounds=_bounds(details),
            context=launch.context,
        )
        await self._host.open_window(request, lambda: launch.ended(None))
        return _Window(self._host, launch.instance)


def window_details(definition: Mapping[str, Any], settings: Windows) -> dict[str, Any]:
    """Return the details of an app with the settings for all windows below them: what the app says goes first."""
    kind = str(definition["type"])
    written = settings.model_dump(mode="json", by_alias=True, exclude_none=True)
    below: dict[str, Any] = {}
    if kind in _WITH_SELECTOR:
        below["channelSelector"] = written["channelSelector"]
    if kind in _WITH_SCRIPTS and "preloadScripts" in written:
        below["preloadScripts"] = written["preloadScripts"]
    details = dict(definition["details"])
    if isinstance(details.get("channelSelector"), Mapping) and "channelSelector" in below:
        details["channelSelector"] = {**below["channelSelector"], **details["channelSelector"]}
    return {**below, **details}


def _bounds(details: Mapping[str, Any]) -> Bounds | None:
    numbers = [details.get(name) for name in ("left", "top", "width", "height")]
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        return None
    left, top, width, height = (float(number) for number in numbers if number is not None)
    return Bounds(left, top, width, height)
