"""T42.Displays: the displays of the desktop."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from math import gcd
from typing import Any

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import Reports, ScreensChanged
from rostrum.desktop.t42.commands import Command, commands
from rostrum.desktop.windows.geometry import Bounds, Screen, screen_of
from rostrum.gateway import LocalPeer

__all__ = ["display_id", "displays", "offer"]

_METHOD = "T42.Displays.Command"
_APP_METHOD = "T42.Displays.OnEvent"


async def offer(
    peer: LocalPeer,
    screens: Callable[[], Sequence[Screen]],
    bounds: Callable[[str], Bounds | None],
    *,
    reports: Reports,
    callers: Callers,
    calls: AppCalls,
) -> None:
    """Offer the method, and tell apps of displays that were connected, disconnected or changed."""

    async def get_all(_: Mapping[str, Any], __: Caller) -> Any:
        return {"data": displays(screens())}

    async def get(arguments: Mapping[str, Any], _: Caller) -> Any:
        wanted = arguments.get("id")
        for one in displays(screens()):
            if one["id"] == wanted and not isinstance(wanted, bool):
                return {"data": one}
        raise DesktopError(f"there is no display {wanted!r}")

    async def by_window(arguments: Mapping[str, Any], _: Caller) -> Any:
        window = text(arguments, "id")
        place = bounds(window)
        if place is None:
            raise DesktopError(f"there is no window {window!r}")
        found = screen_of(place, screens())
        return {"data": next(one for one in displays(screens()) if one["id"] == display_id(found))}

    def refused(reason: str) -> Command:
        async def refuse(_: Mapping[str, Any], __: Caller) -> Any:
            raise DesktopError(reason)

        return refuse

    capture = refused("the platform takes no pictures of whole displays; capture a window instead")
    known = {
        "getAll": get_all,
        "get": get,
        "getByWindowId": by_window,
        "capture": capture,
        "captureAll": capture,
        "getMousePosition": refused("the position of the pointer is not known outside windows of the platform"),
    }
    await peer.methods.register(_METHOD, commands(callers, _METHOD, known, data="options"))

    def changed(report: ScreensChanged) -> None:
        event = {"event": "display-changed", "data": {"displays": displays(report.screens)}}
        calls.notify(calls.of_everyone(_APP_METHOD), event)

    reports.listen(ScreensChanged, changed)


def displays(screens: Sequence[Screen]) -> list[dict[str, Any]]:
    """Describe displays as the client libraries know them."""
    return [_display(index, screen) for index, screen in enumerate(screens)]


def display_id(screen: Screen) -> int:
    """Return the number of a display: the same as long as the host names it the same."""
    return zlib.crc32(screen.id.encode())


def _display(index: int, screen: Screen) -> dict[str, Any]:
    whole = screen.whole
    width, height = int(whole.width), int(whole.height)
    divisor = gcd(width, height) or 1
    return {
        "id": display_id(screen),
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
