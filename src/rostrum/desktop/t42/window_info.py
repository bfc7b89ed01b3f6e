"""What clients learn of a window: all of it, and its place among the other windows of its group."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rostrum.desktop.hosts.actions import FrameButton
from rostrum.desktop.hosts.port import Bounds
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_registry import WindowRecord
from rostrum.desktop.windows.geometry import Side
from rostrum.desktop.windows.groups import cells

__all__ = ["Composition", "button_info", "composition_of", "limits_info", "window_info", "zoom_info"]

_SIDES: tuple[Side, ...] = ("top", "left", "right", "bottom")
_SHOWN_SETTINGS = (
    "allowClose",
    "allowCollapse",
    "allowLockUnlock",
    "allowMaximize",
    "allowMinimize",
    "allowExtract",
    "hasSizeAreas",
    "hasMoveAreas",
    "isChild",
    "onTop",
    "showInTaskbar",
    "startLocation",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Where a window is among others.

    Attributes:
        group: The id of its group; the id of the window if it is alone.
        frame: The id of its tab group; the id of the window if it has no tabs beside it.
        neighbours: The ids of the windows that it touches, by side.

    """

    group: str
    frame: str
    index: int = -1
    active: bool = True
    sticky: bool = True
    neighbours: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def data(self, window: str) -> dict[str, Any]:
        """Return the data of the event CompositionChanged."""
        return {
            "windowId": window,
            "groupId": self.group,
            "frameId": self.frame,
            "neighbors": _neighbours(self.neighbours),
            "index": self.index,
        }


def composition_of(window: str, groups: WindowGroups, tabs: TabGroups) -> Composition:
    """Work out where a window is among others."""
    group, found = groups.of(window), tabs.of(window)
    frame, index, active = window, -1, True
    if found is not None:
        frame, index, active = found[0], found[1].tabs.index(window), found[1].selected == window
        # Only the selected tab takes part in a group.
        group = group or (groups.of(found[1].selected) if found[1].selected else None)
    return Composition(
        group=group.id if group else window,
        frame=frame,
        index=index,
        active=active,
        sticky=groups.is_sticky(window),
        neighbours=_touching(window, cells(group.windows, group.edge)) if group and window in group.windows else {},
    )


def window_info(record: WindowRecord, composition: Composition) -> dict[str, Any]:
    """Return everything that clients know of a window."""
    return {
        "id": record.id,
        "name": record.name,
        "applicationName": record.app,
        "url": record.url,
        "title": record.title,
        "context": record.context,
        "bounds": asdict(record.bounds),
        "mode": record.mode,
        "state": record.state,
        "isVisible": record.visible,
        "isFocused": record.focused,
        "isCollapsed": record.collapsed,
        "frameColor": record.frame_color,
        "groupId": composition.group,
        "frameId": composition.frame,
        "isActiveTab": composition.active,
        "tabIndex": composition.index,
        "isTabHeaderVisible": record.details.get("hideTabHeader") is not True,
        "groupHeaderVisible": record.details.get("hideGroupHeader") is not True,
        "neighbors": _neighbours(composition.neighbours),
        "settings": {
            **{name: record.details[name] for name in _SHOWN_SETTINGS if name in record.details},
            **limits_info(record),
            "parentInstanceId": record.opener,
        },
        "windowType": "electron",
        "zoomFactor": zoom_info(record),
        "isLocked": record.locked,
        "isSticky": composition.sticky,
        "isPinned": False,
        "allowWorkspaceDrop": record.allow_workspace_drop,
        "placementSettings": record.placement,
        "frameButtons": [button_info(one) for one in record.buttons],
        "isGroupVisible": record.visible,
        "isGroupHibernated": False,
    }


def button_info(button: FrameButton) -> dict[str, Any]:
    """Describe a button that an app has added to a caption bar."""
    return {
        "buttonId": button.id,
        "tooltip": button.tooltip,
        "order": button.order,
        "imageBase64": button.image,
    }


def limits_info(record: WindowRecord) -> dict[str, float]:
    """Describe the smallest and the largest size of a window, as far as there are any."""
    limits = record.limits
    named = {
        "minWidth": limits.min_width,
        "minHeight": limits.min_height,
        "maxWidth": limits.max_width,
        "maxHeight": limits.max_height,
    }
    return {name: value for name, value in named.items() if value is not None}


def zoom_info(record: WindowRecord) -> float:
    """Return the zoom in percent, as clients know it."""
    return round(record.zoom * 100, 2)


def _neighbours(found: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {side: list(found.get(side, ())) for side in _SIDES}


def _touching(window: str, places: Mapping[str, Bounds]) -> dict[str, tuple[str, ...]]:
    own = places[window]
    others = [(one, place) for one, place in places.items() if one != window]
    return {
        "top": tuple(one for one, place in others if place.bottom == own.top and place.above_or_below(own)),
        "bottom": tuple(one for one, place in others if place.top == own.bottom and place.above_or_below(own)),
        "left": tuple(one for one, place in others if place.right == own.left and place.beside(own)),
        "right": tuple(one for one, place in others if place.left == own.right and place.beside(own)),
    }
