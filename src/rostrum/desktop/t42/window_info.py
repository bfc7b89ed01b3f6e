"""Descriptions of windows for clients."""

from dataclasses import asdict
from typing import Any

from rostrum.desktop.hosts.actions import FrameButton
from rostrum.desktop.services.window_registry import WindowRecord
from rostrum.desktop.t42.composition import Composition
from rostrum.desktop.windows.docking import Docked

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


def window_info(record: WindowRecord, composition: Composition, *, group_visible: bool = True) -> dict[str, Any]:
    """Return the complete description of a window."""
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
        "isActiveTab": composition.selected == record.id,
        "tabIndex": composition.index,
        "isTabHeaderVisible": composition.tab_header,
        "groupHeaderVisible": composition.header,
        "neighbors": composition.neighbour_lists(),
        "settings": {
            **{name: record.details[name] for name in _SHOWN_SETTINGS if name in record.details},
            **limits_info(record),
            "parentInstanceId": record.opener,
        },
        "windowType": "electron",
        "zoomFactor": zoom_info(record),
        "isLocked": record.locked,
        "isSticky": composition.sticky,
        "isPinned": composition.pinned,
        "allowWorkspaceDrop": record.allow_workspace_drop,
        "placementSettings": record.placement,
        "frameButtons": [button_info(one) for one in record.buttons],
        "isGroupVisible": group_visible,
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


def docking_info(docked: Docked | None) -> dict[str, Any]:
    """Describe whether and where a window is docked."""
    if docked is None:
        return {"docked": False}
    return {"docked": True, "position": docked.position, "claimScreenArea": docked.claims}


def limits_info(record: WindowRecord) -> dict[str, float]:
    """Describe the minimum and maximum size of a window, if any."""
    limits = record.limits
    named = {
        "minWidth": limits.min_width,
        "minHeight": limits.min_height,
        "maxWidth": limits.max_width,
        "maxHeight": limits.max_height,
    }
    return {name: value for name, value in named.items() if value is not None}


def zoom_info(record: WindowRecord) -> float:
    """Return the zoom in percent."""
    return round(record.zoom * 100, 2)
