"""Moves, shows, focuses, closes and changes open windows, for all interfaces of apps."""

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from rostrum.base.shown_text import shown_text
from rostrum.contracts.addresses import why_not_opened
from rostrum.desktop.arguments import choice, number, text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Focus, Navigate, Reload, SetSizeLimits, SetState, SetZoom, WindowAction
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import MayNavigate, Reports, WindowState
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_questions import Asked, WindowQuestions
from rostrum.desktop.services.window_registry import WindowRecord, WindowRegistry
from rostrum.desktop.services.windows import WindowManager
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.geometry import Bounds

LONGEST_TITLE = 1000
ZOOM_STEPS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0)
_FARTHEST = 100_000
_BOUNDS = ("left", "top", "width", "height")
_STATES: tuple[WindowState, ...] = ("normal", "minimized", "maximized", "collapsed")
_SETTLE = 2.0
"""Time limit in seconds for the window manager; it may refuse, so the end of the limit is not an error."""
_LOAD = 60.0
_CLOSE = 10.0
_MOST_MEMBERS = 1000


class WindowControl:
    """Operations on open windows. A call returns when the host has reported the change, or after a time limit."""

    def __init__(
        self,
        registry: WindowRegistry,
        host: WindowHost,
        reports: Reports,
        instances: Instances,
        *,
        groups: WindowGroups,
        manager: WindowManager,
        guards: Guards,
        questions: WindowQuestions,
        background: BackgroundTasks,
        tabs: TabGroups | None = None,
    ) -> None:
        self._registry = registry
        self._host = host
        self._reports = reports
        self._instances = instances
        self._groups = groups
        self._manager = manager
        self._guards = guards
        self._questions = questions
        self._background = background
        self._tabs = tabs
        registry.closed.connect(self._close_children)

    async def act(self, window: str, action: WindowAction) -> Any:
        """Perform an action on an open window."""
        self._registry.find(window)
        return await self._host.act(window, action)

    async def move(self, window: str, **wanted: float) -> None:
        """Move or resize a window to the given ``left``, ``top``, ``width`` and ``height``."""
        record = self._registry.find(window)
        for name, value in wanted.items():
            if not math.isfinite(value) or abs(value) > _FARTHEST:
                raise DesktopError(f"{name} must be between -{_FARTHEST} and {_FARTHEST} pixels.")
            if name in ("width", "height") and value < 1:
                raise DesktopError(f"{name} must be at least 1 pixel.")
        if record.state == "minimized" and self._groups.of(window) is None:
            # Hosts restore a minimized window at its new position, so that it never appears at the old one.
            await self._host.move_window(window, _limited(replace(record.bounds, **wanted), record.limits))
        if record.state != "normal":
            await self.set_state(window, "normal")
            record = self._registry.find(window)
        bounds = _limited(replace(record.bounds, **wanted), record.limits)
        if bounds == record.bounds:
            return
        if self._groups.of(window) is not None:
            await self._groups.place(window, bounds)
        else:
            await self._host.move_window(window, bounds)
        await self._registry.until(window, lambda one: one.bounds == bounds, _SETTLE)

    async def set_state(self, window: str, state: WindowState) -> None:
        """Minimize, maximize, collapse or restore a window."""
        record = self._registry.find(window)
        for forbidden, member in (("maximized", "maximizable"), ("minimized", "minimizable")):
            if state == forbidden and record.details.get(member) is False:
                raise DesktopError(f"The window cannot be {state}: its definition sets {member} to false.")
        if self._groups.of(window) is not None and (state == "collapsed" or record.collapsed):
            await self._collapse_or_expand(window, collapsed=state == "collapsed")
            return
        await self._host.act(window, SetState(state=state))
        await self._registry.until(window, lambda one: _shown_state(one) == state, _SETTLE)

    async def focus(self, window: str) -> None:
        """Bring a window to the front, and give it the keyboard focus."""
        record = self._registry.find(window)
        if self._tabs is not None and window in self._groups.covered:
            await self._tabs.select(window)
        if not record.visible:
            await self.show(window)
        if record.state == "minimized":
            await self.set_state(window, "normal")
        await self._host.act(window, Focus())
        await self._registry.until(window, lambda one: one.focused, _SETTLE)

    async def show(self, window: str, *, focus: bool = True) -> None:
        """Show a hidden window; without ``focus``, the keyboard focus does not change."""
        await self._host.show_window(window, self._registry.find(window).bounds, focus)
        await self._registry.until(window, lambda one: one.visible, _SETTLE)

    async def hide(self, window: str) -> None:
        """Hide a window; it stays open."""
        self._registry.find(window)
        await self._host.hide_window(window)
        await self._registry.until(window, lambda one: not one.visible, _SETTLE)

    async def close(self, window: str, *, ask: bool = True) -> bool:
        """Close a window; return False if an app prevents this. Without ``ask``, handlers are not called."""
        self._registry.find(window)
        if ask and not await self._guards.may_close(window):
            return False
        await self.close_at_once(window)
        await self._registry.until(window, lambda _: False, _CLOSE)
        return True

    async def close_at_once(self, window: str) -> None:
        """Close a window without calling handlers; its instance ends."""
        if self._instances.get(window) is not None:
            await self._instances.stop(window)
        else:
            await self._host.close_window(window)

    async def set_title(self, window: str, title: str) -> None:
        """Set the title of a window."""
        self._registry.find(window)
        if len(title) > LONGEST_TITLE:
            raise DesktopError(f"title must have at most {LONGEST_TITLE} characters.")
        title = shown_text(title)
        if self._instances.get(window) is not None:
            await self._manager.retitle(window, title, TitledBy.CODE)
        else:
            await self._host.set_title(window, title)
            self._registry.update(window, title=title)

    def set_context(self, window: str, context: Mapping[str, Any], *, replace_all: bool) -> None:
        """Change the context of a window and of its instance: some members, or all."""
        record = self._registry.find(window)
        changed = dict(context) if replace_all else {**record.context, **context}
        if len(changed) > _MOST_MEMBERS:
            raise DesktopError(f"context must have at most {_MOST_MEMBERS} members.")
        self._instances.set_context(window, changed)
        self._registry.update(window, context=changed)

    async def set_limits(self, window: str, limits: SetSizeLimits) -> None:
        """Limit the size of a window, and resize it if necessary."""
        record = self._registry.find(window)
        for least, most, name in (
            (limits.min_width, limits.max_width, "Width"),
            (limits.min_height, limits.max_height, "Height"),
        ):
            if least is not None and most is not None and least > most:
                raise DesktopError(f"min{name} must not be larger than max{name}.")
        await self._host.act(window, limits)
        self._registry.update(window, limits=limits)
        if record.state == "normal" and (bounds := _limited(record.bounds, limits)) != record.bounds:
            await self.move(window, width=bounds.width, height=bounds.height)

    async def set_zoom(self, window: str, factor: float) -> None:
        """Set the zoom factor of a window's page; 1 is the default."""
        self._registry.find(window)
        if not ZOOM_STEPS[0] <= factor <= ZOOM_STEPS[-1]:
            raise DesktopError(f"The zoom must be between {ZOOM_STEPS[0]:.0%} and {ZOOM_STEPS[-1]:.0%}.")
        await self._host.act(window, SetZoom(factor=factor))
        await self._registry.until(window, lambda one: math.isclose(one.zoom, factor), _SETTLE)

    async def navigate(self, window: str, url: str, options: Mapping[str, Any] | None = None) -> None:
        """Load another address in a window; raise DesktopError if that is not allowed or fails."""
        record = self._registry.find(window)
        problem = why_not_opened(url, files=False)
        if problem is not None:
            raise DesktopError(f"url {problem}.")
        # The rules of the app and the handlers apply to navigations by users, pages and other apps.
        if not await self._reports.ask(MayNavigate(instance=window, url=url)):
            raise DesktopError(
                "The window may not go to this address: navigation.allowed of its app, or another app, prevents it."
            )
        await self._load(record, Navigate(url=url, options=options or {}))

    async def reload(self, window: str, *, ignore_cache: bool = False) -> None:
        """Reload the page of a window."""
        record = self._registry.find(window)
        if not await self._questions.may(Asked.REFRESHING, window):
            raise DesktopError("An app prevents the page from being loaded again.")
        await self._load(record, Reload(ignore_cache=ignore_cache))

    async def go(self, window: str, action: WindowAction) -> None:
        """Go back or forward in the history of a window, if possible."""
        await self.act(window, action)

    async def _load(self, record: WindowRecord, action: WindowAction) -> None:
        await self._host.act(record.id, action)
        loaded = await self._registry.until(record.id, lambda one: one.loads > record.loads, _LOAD)
        after = self._registry.find(record.id)
        if not loaded:
            raise DesktopError(f"The page was not loaded within {_LOAD:g} s.")
        if after.load_error:
            raise DesktopError(f"The page could not be loaded: {after.load_error}")

    async def _collapse_or_expand(self, window: str, *, collapsed: bool) -> None:
        """Collapse a window of a group to its title bar, or expand it: adjacent windows are resized."""
        await (self._groups.collapse(window) if collapsed else self._groups.expand(window))
        if self._groups.is_collapsed(window) is not collapsed:
            raise DesktopError("Windows in groups collapse in classic groups only, and if they are high enough.")
        self._registry.update(window, collapsed=collapsed)

    def _close_children(self, closed: WindowRecord) -> None:
        for window in self._registry.all:
            if window.parent == closed.id:
                self._background.begin(self.close_at_once(window.id))


class WindowControlMethods:
    """Open windows on the gateway."""

    def __init__(self, control: WindowControl, registry: WindowRegistry, rights: AppRights) -> None:
        self._control = control
        self._registry = registry
        self._rights = rights

    @method("Rostrum.Windows.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the open windows."""
        return {"windows": [_view(one) for one in self._registry.all]}

    @method("Rostrum.Windows.Move")
    async def move(self, arguments: Mapping[str, Any]) -> Any:
        """Move or resize a window to the given left, top, width and height."""
        wanted = {name: number(arguments, name) for name in _BOUNDS if name in arguments}
        await self._control.move(text(arguments, "instance"), **wanted)
        return {}

    @method("Rostrum.Windows.SetState")
    async def set_state(self, arguments: Mapping[str, Any]) -> Any:
        """Minimize, maximize, collapse or restore a window."""
        await self._control.set_state(text(arguments, "instance"), choice(arguments, "state", _STATES))
        return {}

    @method("Rostrum.Windows.Focus")
    async def focus(self, arguments: Mapping[str, Any]) -> Any:
        """Bring a window to the front."""
        await self._control.focus(text(arguments, "instance"))
        return {}

    @method("Rostrum.Windows.Show")
    async def show(self, arguments: Mapping[str, Any]) -> Any:
        """Show a hidden window."""
        await self._control.show(text(arguments, "instance"))
        return {}

    @method("Rostrum.Windows.Hide")
    async def hide(self, arguments: Mapping[str, Any]) -> Any:
        """Hide a window."""
        await self._control.hide(text(arguments, "instance"))
        return {}

    @method("Rostrum.Windows.Navigate")
    async def navigate(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Load another address in a window."""
        window = self._registry.find(text(arguments, "instance"))
        self._rights.require_window(caller, window, "navigation", "load pages in")
        await self._control.navigate(text(arguments, "instance"), text(arguments, "url"))
        return {}

    @method("Rostrum.Windows.SetContext")
    async def set_context(self, arguments: Mapping[str, Any]) -> Any:
        """Change the context of a window and of its instance: the given members, or with ``replace`` all."""
        context = arguments.get("context")
        if not isinstance(context, Mapping):
            raise DesktopError("context must be an object")
        replace_all = arguments.get("replace") is True
        self._control.set_context(text(arguments, "instance"), context, replace_all=replace_all)
        return {}


def _view(record: WindowRecord) -> dict[str, Any]:
    return {
        "instance": record.id,
        "app": record.app,
        "name": record.name,
        "title": record.title,
        "url": record.url,
        "bounds": asdict(record.bounds),
        "state": _shown_state(record),
        "visible": record.visible,
        "focused": record.focused,
        "context": record.context,
    }


def _shown_state(record: WindowRecord) -> str:
    return "collapsed" if record.collapsed else record.state


def _limited(bounds: Bounds, limits: SetSizeLimits) -> Bounds:
    return replace(
        bounds,
        width=_between(bounds.width, limits.min_width, limits.max_width),
        height=_between(bounds.height, limits.min_height, limits.max_height),
    )


def _between(value: float, least: float | None, most: float | None) -> float:
    value = value if most is None else min(value, most)
    return value if least is None else max(value, least)
