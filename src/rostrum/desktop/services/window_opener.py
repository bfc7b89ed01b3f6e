"""Opens windows for apps, with the options that callers may set."""

from collections.abc import Callable, Mapping
from typing import Any

from rostrum.base.ids import new_id
from rostrum.base.shown_text import shown_text
from rostrum.contracts.addresses import origin_of, why_not_opened
from rostrum.contracts.apps.definition import check_app
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.launch.window import window_state
from rostrum.desktop.services.instances import Instance, Instances
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.windows.geometry import Bounds, Screen, Side
from rostrum.desktop.windows.groups import beside
from rostrum.desktop.windows.page_access import allowed_origins

_MOST_WINDOWS, _MOST_OF_APP = 500, 100
"""Open windows, and those of them that one app has opened: each has a process, and others must be able to open some."""
_LONGEST_NAME = 1000
_MOST_PROBLEMS = 3
_SIZE = 400
_STEP = 30
_SIDES: tuple[Side, ...] = ("right", "left", "top", "bottom")
_PLACES = ("left", "top", "width", "height", "windowState", "hidden", "startLocation", "placement", "docking", "name")
WINDOW_OPTIONS = frozenset(
    {
        "left",
        "top",
        "width",
        "height",
        "minWidth",
        "minHeight",
        "maxWidth",
        "maxHeight",
        "mode",
        "title",
        "hidden",
        "focus",
        "windowState",
        "isCollapsed",
        "collapseHeight",
        "isChild",
        "onTop",
        "allowClose",
        "allowCollapse",
        "allowLockUnlock",
        "allowMaximize",
        "allowMinimize",
        "allowExtract",
        "allowTabClose",
        "allowUnstick",
        "maximizable",
        "minimizable",
        "frameColor",
        "borderColor",
        "backgroundColor",
        "stickyFrameColor",
        "useRandomFrameColor",
        "showTitleBar",
        "hasSizeAreas",
        "hasMoveAreas",
        "moveAreaThickness",
        "moveAreaLeftMargin",
        "moveAreaTopMargin",
        "moveAreaRightMargin",
        "moveAreaBottomMargin",
        "sizeAreaThickness",
        "buttonsVisibility",
        "icon",
        "tabTooltip",
        "tabToolTip",
        "tabTitle",
        "tabGroupId",
        "tabIndex",
        "tabSelected",
        "tabWidth",
        "hideTabHeader",
        "hideGroupHeader",
        "showInTaskbar",
        "startLocation",
        "placement",
        "isSticky",
        "autoSnap",
        "autoAlign",
        "snappingEdges",
        "stickyGroup",
        "loader",
        "channelSelector",
        "channelId",
        "allowChannels",
        "readOnlyChannelSelector",
        "transparent",
        "roundedCorners",
        "relativeTo",
        "relativeDirection",
        "cascade",
        "allowWorkspaceDrop",
        "disableTransitions",
    }
)
"""The details of a window that a caller may set. Permissions of the page are not among them."""


def chosen_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a caller may set, as details of a definition; raise DesktopError if invalid."""
    chosen = {name: value for name, value in options.items() if name in WINDOW_OPTIONS and value is not None}
    checked = {"name": "window", "type": "window", "details": {"url": "https://example.com", **chosen}}
    problems = check_app(checked)
    if problems:
        listed = "; ".join(str(problem).removeprefix("details.") for problem in problems[:_MOST_PROBLEMS])
        raise DesktopError(f"The window options are invalid: {listed}")
    return chosen


class WindowOpener:
    """Opens windows for apps.

    A page of the opener's own origin becomes another instance of its app. Any other page gets a window without access
    to the platform.
    """

    def __init__(
        self,
        registry: WindowRegistry,
        instances: Instances,
        screens: Callable[[], tuple[Screen, ...]],
        definition: Callable[[str], Mapping[str, Any] | None],
    ) -> None:
        self._registry = registry
        self._instances = instances
        self._screens = screens
        self._definition = definition
        self._openers: dict[str, str] = {}
        self._opening: set[str] = set()

    async def open(self, caller: Caller, name: str, url: str, options: Mapping[str, Any]) -> str:
        """Open a window; return its id."""
        problem = why_not_opened(url, files=False)
        if problem is not None:
            raise DesktopError(f"url {problem}.")
        if not name or len(name) > _LONGEST_NAME:
            raise DesktopError(f"name must be text of at most {_LONGEST_NAME} characters.")
        if len(self._registry.all) >= _MOST_WINDOWS:
            raise DesktopError(f"{_MOST_WINDOWS} windows are open, which is the limit. Close some of them first.")
        self._check_number(caller.application or "")
        context = options.get("context")
        if context is not None and not isinstance(context, Mapping):
            raise DesktopError("context must be an object.")
        details = chosen_options(options)
        details |= {"url": url, "name": name} | self._place(details)
        title = str(details.get("title") or name)
        opener = self._instances.get(caller.instance) if caller.instance else None
        if opener is not None and self._is_own_page(opener, url):
            inherited = {key: value for key, value in opener.definition["details"].items() if key not in _PLACES}
            opened = await self._instances.open_window(opener.id, title, {**inherited, **details}, context or {})
            return opened.id
        return await self._open_plain(caller.instance, title, details, context or {}, caller.application or "")

    def _check_number(self, application: str) -> None:
        """Refuse further windows of an app that has opened many; programs outside are not apps."""
        open_now = {one.id for one in self._registry.all}
        # Windows that are being opened are not in the registry yet.
        self._openers = {one: app for one, app in self._openers.items() if one in open_now or one in self._opening}
        if application and sum(app == application for app in self._openers.values()) >= _MOST_OF_APP:
            raise DesktopError(f"{application} has opened {_MOST_OF_APP} windows, which is the limit for an app.")

    async def clone(self, window: str, options: Mapping[str, Any]) -> str:
        """Open the page of a window again, at an offset to the right and down; return the id of the new window."""
        record = self._registry.find(window)
        context, offset = options.get("context"), options.get("offset")
        if context is not None and not isinstance(context, Mapping):
            raise DesktopError("context must be an object.")
        across, down = (_number(offset, side) for side in ("left", "top"))
        details = {
            **record.details,
            "url": record.url,
            "left": record.bounds.left + across,
            "top": record.bounds.top + down,
            "width": record.bounds.width,
            "height": record.bounds.height,
        }
        context = record.context if context is None else context
        running = self._instances.get(window)
        if running is not None and self._is_own_page(running, record.url):
            return (await self._instances.open_window(window, record.title, details, context)).id
        return await self._open_plain(record.opener, record.title, details, context)

    def _is_own_page(self, instance: Instance, url: str) -> bool:
        # The definition decides, not the details of one window of the app.
        definition = self._definition(instance.app)
        return definition is not None and origin_of(url) in allowed_origins(definition["details"])

    async def _open_plain(
        self,
        opener: str | None,
        title: str,
        details: Mapping[str, Any],
        context: Mapping[str, Any],
        application: str = "",
    ) -> str:
        identity = new_id()
        request = WindowRequest(
            instance=identity,
            kind="window",
            name=str(details["name"]),
            title=shown_text(title),
            details=details,
            bounds=Bounds(*(float(details[name]) for name in ("left", "top", "width", "height"))),
            state=window_state(details),
            hidden=details.get("hidden") is True,
            context=context,
            opener=opener,
            parent=opener if details.get("isChild") is True else None,
        )
        self._openers[identity] = application
        self._opening.add(identity)
        try:
            await self._registry.open(request)
        finally:
            self._opening.discard(identity)
        return identity

    def _place(self, details: Mapping[str, Any]) -> dict[str, Any]:
        """Return the bounds of a window: relative to another one, as given, or centred."""
        size = Bounds(0, 0, float(details.get("width", _SIZE)), float(details.get("height", _SIZE)))
        if details.get("relativeTo"):
            neighbour = self._registry.find(str(details["relativeTo"])).bounds
            side = str(details.get("relativeDirection") or "right")
            found = beside(neighbour, next((one for one in _SIDES if one == side), "right"), size, 0)
            return {"left": found.left, "top": found.top, "width": found.width, "height": found.height}
        area = self._screens()[0].work_area
        # Several windows must not cover each other completely.
        step = _STEP * (len(self._registry.all) % 10)
        return {
            "left": details.get("left", area.left + max(0, area.width - size.width) / 2 + step),
            "top": details.get("top", area.top + max(0, area.height - size.height) / 2 + step),
            "width": size.width,
            "height": size.height,
        }


def _number(offset: object, side: str) -> float:
    value = offset.get(side, _STEP) if isinstance(offset, Mapping) else _STEP
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 100_000:
        raise DesktopError(f"offset.{side} must be a number of pixels.")
    return float(value)
