"""Flydowns: windows that are shown while the pointer is on a zone of another window, in modes that support them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base.clock import Clock
from rostrum.base.errors import RostrumError
from rostrum.base.retry import Sleep
from rostrum.desktop.arguments import bounds, choice, number, text
from rostrum.desktop.background_tasks import BackgroundTasks, answer_within
from rostrum.desktop.callers import Caller, Callers
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import SetOnTop
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Moved, PointerMoved, Reports, WindowClosed
from rostrum.desktop.modes import Feature, require
from rostrum.desktop.services.methods import method
from rostrum.desktop.windows.flydowns import FlydownWatch, Zone
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.popups import LOCATIONS, place_beside
from rostrum.gateway.local.methods import RemoteMethod
from rostrum.settings.scope import Mode
from rostrum.settings.sections.window_management import FlydownWindows

_log = logging.getLogger(__name__)
MOST_ZONES = 64
_INTERVAL = 0.04
"""Seconds between two checks of the pointer."""
_LONGEST_PAUSE = 0.1
"""Maximum time between two checks in seconds: meanwhile, the pointer may have caused another action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneAnswer:
    """The response of an app for a zone: another size, or no flydown."""

    show: bool = True
    width: float | None = None
    height: float | None = None


AskAboutZone = Callable[[Zone, Bounds], Awaitable[ZoneAnswer]]
"""Calls the app for a zone, with the rectangle of its flydown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flydown:
    """The flydown of an app's zones.

    Attributes:
        owner: The window that has the zones.
        active: The part of the owner's window in which the pointer keeps a flydown shown; None for none.
        offset: Offset to the right and down from the default position.
        ask: Calls the app before a flydown is shown for another zone; None for no call.
    """

    owner: str
    zones: tuple[Zone, ...]
    active: Bounds | None = None
    offset: tuple[float, float] = (0, 0)
    ask: AskAboutZone | None = None

    @property
    def windows(self) -> tuple[str, ...]:
        """Return the flydown windows."""
        return tuple(dict.fromkeys(one.window for one in self.zones))


class Flydowns:
    """The flydowns of running apps, one for each owner. The host reports the pointer only while flydowns exist."""

    def __init__(
        self,
        settings: FlydownWindows,
        mode: Mode,
        host: WindowHost,
        *,
        reports: Reports,
        background: BackgroundTasks,
        clock: Clock,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._mode = mode
        self._host = host
        self._background = background
        self._clock = clock
        self._sleep = sleep
        self._flydowns: dict[str, tuple[Flydown, FlydownWatch]] = {}
        self._looking: set[str] = set()
        self._pointer: PointerMoved | None = None
        reports.listen(PointerMoved, self._pointer_moved)
        reports.listen(Moved, self._window_moved)
        reports.listen(WindowClosed, lambda closed: self._forget(closed.instance))

    async def set(self, flydown: Flydown) -> None:
        """Set the flydown of an owner, replacing its earlier one; rejected in a mode without flydowns."""
        require(self._mode, Feature.FLYDOWN_WINDOWS)
        for window in (flydown.owner, *flydown.windows):
            if self._host.bounds(window) is None:
                raise DesktopError(f"there is no window {window!r}")
        if flydown.owner in flydown.windows:
            raise DesktopError("a window cannot be the flydown of its own zones")
        await self.remove(flydown.owner)
        self._flydowns[flydown.owner] = (flydown, FlydownWatch(self._settings, flydown.zones, flydown.active))
        for window in flydown.windows:
            await self._host.act(window, SetOnTop(on_top=True))
            await self._host.hide_window(window)
        await self._host.watch_pointer(_INTERVAL)

    async def remove(self, owner: str) -> None:
        """Remove the flydown of an owner."""
        found = self._flydowns.pop(owner, None)
        if found is not None:
            await self._put_away(found[0])

    async def _put_away(self, flydown: Flydown) -> None:
        for window in flydown.windows:
            if self._host.bounds(window) is not None:
                await self._host.hide_window(window)
        await self._watch_pointer()

    def pointer(self, owner: str, x: float, y: float, *, covered: bool = False) -> float | None:
        """Process a move of the pointer; return the seconds until the next check, None if none is needed.

        ``covered`` means that something else is in front of the owner there: its zones do not apply.
        """
        found, place = self._flydowns.get(owner), self._host.bounds(owner)
        if found is None or place is None:
            return None
        now = self._clock.monotonic()
        found[1].move(x, y, now, (place.left, place.top), covered=covered)
        return found[1].pause(now)

    async def look(self, owner: str) -> float | None:
        """Show or hide the flydown if it is time; return the seconds until the next check."""
        found = self._flydowns.get(owner)
        if found is None:
            return None
        flydown, watch = found
        before = watch.shown
        turn = watch.turn(self._clock.monotonic())
        if turn is not None and turn.what == "hide":
            await self._host.hide_window(turn.zone.window)
        elif turn is not None:
            await self._show(flydown, watch, turn.zone)
            if before is not None and before.window != turn.zone.window and watch.shown == turn.zone:
                await self._host.hide_window(before.window)
        return watch.pause(self._clock.monotonic())

    async def _show(self, flydown: Flydown, watch: FlydownWatch, zone: Zone) -> None:
        owner = self._host.bounds(flydown.owner)
        if owner is None:
            return
        place = self._place(flydown, owner, zone, zone.width, zone.height)
        answer = await self._answer(flydown, zone, place)
        if not answer.show:
            watch.decline(zone)
            return
        place = self._place(flydown, owner, zone, answer.width or zone.width, answer.height or zone.height)
        if self._flydowns.get(flydown.owner) != (flydown, watch):
            # It was removed while the app was called.
            return
        watch.showing(zone, place, self._clock.monotonic())
        await self._host.show_window(zone.window, place, False)  # noqa: FBT003 - calls travel by position

    def _place(self, flydown: Flydown, owner: Bounds, zone: Zone, width: float, height: float) -> Bounds:
        inside = zone.bounds
        anchor = Bounds(owner.left + inside.left, owner.top + inside.top, inside.width, inside.height)
        return place_beside(anchor, zone.location, (width, height), self._host.screens(), flydown.offset)

    async def _answer(self, flydown: Flydown, zone: Zone, place: Bounds) -> ZoneAnswer:
        """Call the app for another zone; without a response in time, the flydown is shown."""
        if flydown.ask is None:
            return ZoneAnswer()
        seconds = self._settings.zone_change_callback_timeout / 1000
        try:
            answer: ZoneAnswer = await answer_within(flydown.ask(zone, place), seconds, self._sleep)
        except TimeoutError:
            _log.info("the app of %s did not answer within %g s; its flydown is shown", flydown.owner, seconds)
        except RostrumError as error:
            _log.warning("the app of %s failed: %s; its flydown is shown", flydown.owner, error)
        else:
            return answer
        return ZoneAnswer()

    def _window_moved(self, moved: Moved) -> None:
        # The zones of the window have moved, while the pointer may not have.
        if self._pointer is not None and moved.instance in self._flydowns:
            self._pointer_moved(self._pointer)

    def _pointer_moved(self, moved: PointerMoved) -> None:
        self._pointer = moved
        for owner in [*self._flydowns]:
            pause = self.pointer(owner, moved.left, moved.top, covered=moved.over != owner)
            if pause is not None and owner not in self._looking:
                self._looking.add(owner)
                self._background.begin(self._keep_looking(owner, pause))

    async def _keep_looking(self, owner: str, pause: float | None) -> None:
        try:
            while pause is not None:
                await self._sleep(min(pause, _LONGEST_PAUSE))
                pause = await self.look(owner)
        finally:
            self._looking.discard(owner)

    def _forget(self, window: str) -> None:
        gone = [owner for owner, (one, _) in self._flydowns.items() if window == owner or window in one.windows]
        for flydown, _ in [self._flydowns.pop(owner) for owner in gone]:
            self._background.begin(self._put_away(flydown))

    async def _watch_pointer(self) -> None:
        if not self._flydowns:
            await self._host.watch_pointer(0)


class FlydownMethods:
    """Flydowns on the gateway."""

    def __init__(self, flydowns: Flydowns, callers: Callers, call: Callable[..., Awaitable[Any]]) -> None:
        self._flydowns = flydowns
        self._callers = callers
        self._call = call

    @method("Rostrum.Flydowns.Set")
    async def set_(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Set the flydown of an instance; its method must be registered by the caller."""
        zones = arguments.get("zones")
        if not isinstance(zones, list) or not 0 < len(zones) <= MOST_ZONES:
            raise DesktopError(
                f"zones must be an array of 1 to {MOST_ZONES} objects of id, left, top, width and height"
            )
        asked = text(arguments, "method") if "method" in arguments else None
        owner = text(arguments, "instance")
        flydown = Flydown(
            owner=owner,
            zones=tuple(_zone(one, arguments) for one in zones),
            ask=None if asked is None else self._ask(owner, self._callers.method(caller.peer, asked)),
        )
        await self._flydowns.set(flydown)
        return {}

    @method("Rostrum.Flydowns.Remove")
    async def remove(self, arguments: Mapping[str, Any]) -> Any:
        """Remove the flydown of an instance."""
        await self._flydowns.remove(text(arguments, "instance"))
        return {}

    def _ask(self, owner: str, app_method: RemoteMethod) -> AskAboutZone:
        async def ask(zone: Zone, _: Bounds) -> ZoneAnswer:
            question = {"owner": owner, "window": zone.window, "zone": zone.id}
            answer = await self._call(app_method, question)
            found = answer if isinstance(answer, Mapping) else {}
            return ZoneAnswer(
                show=found.get("show") is not False,
                width=pixels(found.get("width")),
                height=pixels(found.get("height")),
            )

        return ask


def pixels(value: Any) -> float | None:
    """Return a size from the response of an app; None if it is invalid."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and 0 < value < 100_000 else None


def _zone(written: Any, arguments: Mapping[str, Any]) -> Zone:
    if not isinstance(written, Mapping):
        raise DesktopError("a zone must be an object of id, left, top, width and height")
    return Zone(
        id=text(written, "id"),
        bounds=bounds(written),
        window=text(arguments, "window"),
        location=choice(arguments, "location", LOCATIONS) if "location" in arguments else "bottom",
        width=max(1, number(arguments, "width")),
        height=max(1, number(arguments, "height")),
    )
