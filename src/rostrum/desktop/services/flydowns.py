"""Flydowns: windows that show while the pointer rests on a zone of another one, in the mode that has them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base.clock import Clock
from rostrum.base.errors import RostrumError
from rostrum.base.retry import Sleep
from rostrum.desktop.arguments import bounds, number, text
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.modes import Feature, require
from rostrum.desktop.services.instances import Ended, Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.timeouts import answer_within
from rostrum.desktop.windows.flydowns import FlydownWatch, Zone
from rostrum.desktop.windows.popups import Popup, place_popup
from rostrum.gateway.local.methods import RemoteMethod
from rostrum.settings.scope import Mode
from rostrum.settings.sections.window_management import FlydownWindows

__all__ = ["AskApp", "Flydown", "FlydownMethods", "Flydowns"]

_log = logging.getLogger(__name__)
_MOST_ZONES = 64

AskApp = Callable[[RemoteMethod, Mapping[str, Any]], Awaitable[Any]]
"""Calls a method that an app offers on the gateway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flydown:
    """What an app wants to show when the pointer rests on its zones.

    Attributes:
        owner: The instance whose window has the zones.
        window: The instance whose window flies down.
        method: Asked before the flydown is shown for another zone; it may answer with a size, or refuse.

    """

    owner: str
    window: str
    zones: tuple[Zone, ...]
    width: float
    height: float
    method: RemoteMethod | None = None


class Flydowns:
    """The flydowns of running apps, one for each owner; the host reports the pointer and looks when told to."""

    def __init__(
        self,
        settings: FlydownWindows,
        mode: Mode,
        host: WindowHost,
        instances: Instances,
        *,
        ask: AskApp,
        clock: Clock,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Take the delays, the port, the running apps, and how they are asked."""
        self._settings = settings
        self._mode = mode
        self._host = host
        self._instances = instances
        self._ask = ask
        self._clock = clock
        self._sleep = sleep
        self._flydowns: dict[str, tuple[Flydown, FlydownWatch]] = {}
        instances.ended.connect(self._forget)

    async def set(self, flydown: Flydown) -> None:
        """Give an owner a flydown in place of the one it had; refused in a mode that has none."""
        require(self._mode, Feature.FLYDOWN_WINDOWS)
        for instance in (flydown.owner, flydown.window):
            if self._instances.get(instance) is None or self._host.bounds(instance) is None:
                raise DesktopError(f"there is no window {instance!r}")
        self._flydowns[flydown.owner] = (flydown, FlydownWatch(self._settings, flydown.zones))
        await self._host.hide_window(flydown.window)

    async def remove(self, owner: str) -> None:
        """Take the flydown of an owner away."""
        found = self._flydowns.pop(owner, None)
        if found is not None and self._host.bounds(found[0].window) is not None:
            await self._host.hide_window(found[0].window)

    def pointer(self, owner: str, x: float, y: float) -> float | None:
        """Hear where the pointer is; return after how many seconds to look, None when there is nothing to wait for."""
        found = self._flydowns.get(owner)
        if found is None:
            return None
        now = self._clock.monotonic()
        found[1].move(x, y, now)
        return found[1].pause(now)

    async def look(self, owner: str) -> float | None:
        """Show or hide the flydown where that is due; return after how many seconds to look again."""
        found = self._flydowns.get(owner)
        if found is None:
            return None
        flydown, watch = found
        turn = watch.turn(self._clock.monotonic())
        if turn is not None and turn.what == "hide":
            await self._host.hide_window(flydown.window)
        elif turn is not None:
            await self._show(flydown, watch, turn.zone)
        return watch.pause(self._clock.monotonic())

    async def _show(self, flydown: Flydown, watch: FlydownWatch, zone: Zone) -> None:
        answer = await self._answer(flydown, zone)
        if answer.get("show") is False:
            watch.decline(zone)
            return
        popup = Popup(
            kind="external",
            anchor=zone.bounds,
            width=_pixels(answer.get("width"), flydown.width),
            height=_pixels(answer.get("height"), flydown.height),
        )
        bounds = place_popup(popup, self._host.screens(), self._mode)
        watch.showing(zone, bounds)
        await self._host.show_window(flydown.window, bounds)

    async def _answer(self, flydown: Flydown, zone: Zone) -> Mapping[str, Any]:
        """Ask the app about another zone; one that says nothing in time, or fails, has nothing against it."""
        if flydown.method is None:
            return {}
        seconds = self._settings.zone_change_callback_timeout / 1000
        question = {"owner": flydown.owner, "window": flydown.window, "zone": zone.id}
        try:
            answer = await answer_within(self._ask(flydown.method, question), seconds, self._sleep)
        except TimeoutError:
            _log.info("%s did not answer within %g s; the flydown is shown as it is", flydown.method.name, seconds)
            return {}
        except RostrumError as error:
            _log.warning("%s: %s; the flydown is shown as it is", flydown.method.name, error)
            return {}
        return answer if isinstance(answer, Mapping) else {}

    def _forget(self, ended: Ended) -> None:
        instance = ended.instance.id
        for owner in [owner for owner, (one, _) in self._flydowns.items() if instance in (owner, one.window)]:
            del self._flydowns[owner]


def _pixels(value: Any, usual: float) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 100_000 else usual


class FlydownMethods:
    """Flydowns on the gateway."""

    def __init__(self, flydowns: Flydowns, callers: Callers) -> None:
        """Take the flydowns, and who is behind a call."""
        self._flydowns = flydowns
        self._callers = callers

    @method("Rostrum.Flydowns.Set")
    async def set_(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Give an instance a flydown; the method that is asked about it must be the caller's own."""
        zones = arguments.get("zones")
        if not isinstance(zones, list) or not 0 < len(zones) <= _MOST_ZONES:
            raise DesktopError(
                f"zones must be an array of 1 to {_MOST_ZONES} objects of id, left, top, width and height"
            )
        asked = text(arguments, "method") if "method" in arguments else None
        flydown = Flydown(
            owner=text(arguments, "instance"),
            window=text(arguments, "window"),
            zones=tuple(_zone(one) for one in zones),
            width=max(1, number(arguments, "width")),
            height=max(1, number(arguments, "height")),
            method=None if asked is None else self._callers.method(caller.peer, asked),
        )
        await self._flydowns.set(flydown)
        return {}

    @method("Rostrum.Flydowns.Remove")
    async def remove(self, arguments: Mapping[str, Any]) -> Any:
        """Remove the flydown of an instance."""
        await self._flydowns.remove(text(arguments, "instance"))
        return {}


def _zone(written: Any) -> Zone:
    if not isinstance(written, Mapping):
        raise DesktopError("a zone must be an object of id, left, top, width and height")
    return Zone(text(written, "id"), bounds(written))
