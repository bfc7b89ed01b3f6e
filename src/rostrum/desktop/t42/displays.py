"""T42.Displays: the displays of the desktop."""

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Reports, ScreensChanged
from rostrum.desktop.t42.calls import Rights
from rostrum.desktop.t42.commands import Command, commands, flag, mapping
from rostrum.desktop.windows.geometry import Bounds, Screen, screen_of
from rostrum.gateway import LocalPeer

_METHOD = "T42.Displays.Command"
_APP_METHOD = "T42.Displays.OnEvent"
_LARGEST_SCALE = 4


async def offer(
    peer: LocalPeer, host: WindowHost, reports: Reports, rights: Rights, *, callers: Callers, calls: AppCalls
) -> None:
    """Register the method, and notify apps of displays that were connected, disconnected or changed."""
    methods = _Methods(host, rights)
    await peer.methods.register(_METHOD, commands(callers, _METHOD, methods.commands, data="options"))

    def changed(report: ScreensChanged) -> None:
        event = {"event": "display-changed", "data": {"displays": displays(report.screens)}}
        calls.notify(calls.of_everyone(_APP_METHOD), event)

    reports.listen(ScreensChanged, changed)


class _Methods:
    def __init__(self, host: WindowHost, rights: Rights) -> None:
        self._host = host
        self._rights = rights
        self.commands: dict[str, Command] = {
            "getAll": self._all,
            "get": self._get,
            "getByWindowId": self._by_window,
            "capture": self._capture,
            "captureAll": self._capture_all,
            "getMousePosition": self._pointer,
        }

    async def _all(self, _: Mapping[str, Any], __: Caller) -> Any:
        return {"data": displays(self._host.screens())}

    async def _get(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        number, screen = self._find(arguments)
        return {"data": _display(number, screen)}

    async def _by_window(self, arguments: Mapping[str, Any], _: Caller) -> Any:
        window = text(arguments, "id")
        place = self._host.bounds(window)
        if place is None:
            raise DesktopError(f"there is no window {window!r}")
        screens = self._host.screens()
        found = screen_of(place, screens)
        return {"data": _display(screens.index(found), found)}

    async def _capture(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        self._rights.require(caller, "allowCapture", "take pictures of displays")
        _, screen = self._find(arguments)
        return {"data": await self._host.capture_screen(screen.id, _scale(arguments, screen))}

    async def _capture_all(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        self._rights.require(caller, "allowCapture", "take pictures of displays")
        screens = self._host.screens()
        combined = flag(arguments, "combined") is True
        if combined and len(screens) > 1:
            raise DesktopError("one picture of several displays is not supported; set combined to false")
        pictures = [await self._host.capture_screen(one.id, _scale(arguments, one)) for one in screens]
        return {"data": pictures[0] if combined else pictures}

    async def _pointer(self, _: Mapping[str, Any], __: Caller) -> Any:
        left, top = await self._host.pointer()
        return {"data": {"x": left, "y": top}}

    def _find(self, arguments: Mapping[str, Any]) -> tuple[int, Screen]:
        wanted = arguments.get("id")
        for number, screen in enumerate(self._host.screens()):
            if screen.number == wanted:
                return number, screen
        raise DesktopError(f"there is no display {str(wanted)[:100]}")


def _scale(arguments: Mapping[str, Any], screen: Screen) -> float:
    """Return the scale of a screenshot: given as a factor, or as the size that it must fit into."""
    size = mapping(arguments, "size")
    sides = {"scale": 1.0, "width": screen.whole.width, "height": screen.whole.height}
    factors = []
    for name, whole in sides.items():
        value = size.get(name)
        if value is None:
            continue
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value / whole <= _LARGEST_SCALE:
            raise DesktopError(f"size.{name} must be a number, and the picture at most {_LARGEST_SCALE} times as large")
        factors.append(value / whole)
    return min(factors, default=1)


def displays(screens: Sequence[Screen]) -> list[dict[str, Any]]:
    """Describe displays in the format of the client libraries."""
    return [_display(index, screen) for index, screen in enumerate(screens)]


def _display(index: int, screen: Screen) -> dict[str, Any]:
    whole = screen.whole
    width, height = int(whole.width), int(whole.height)
    divisor = gcd(width, height) or 1
    return {
        "id": screen.number,
        "index": index,
        "name": screen.name or screen.id,
        "isPrimary": screen.primary,
        "bounds": _bounds(whole),
        "workArea": _bounds(screen.work_area),
        "dpi": screen.dpi,
        "scaleFactor": screen.scale,
        "aspectRatio": f"{width // divisor}:{height // divisor}",
    }


def _bounds(bounds: Bounds) -> dict[str, float]:
    return {"left": bounds.left, "top": bounds.top, "width": bounds.width, "height": bounds.height}
