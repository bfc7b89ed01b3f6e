"""The data with which a page draws a group: its title, and the caption bar and tabs of each of its windows."""

import base64
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPixmap

from rostrum.desktop.hosts.qt.caption import CaptionBar
from rostrum.desktop.hosts.qt.drags import bounds_of, rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.tab_places import TabPlace
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.groups import GroupDrawing

_NO_CHANNEL: Mapping[str, Any] = {
    "visible": False,
    "mode": "single",
    "selected": [],
    "restrictions": None,
    "label": "",
}


def group_drawing(
    drawing: GroupDrawing,
    frame: Frame,
    windows: Mapping[str, tuple[AppWindow, TabPlace | None]],
    places: Mapping[str, Bounds],
    *,
    dark: bool,
) -> dict[str, Any]:
    """Return the drawing; positions are relative to the frame."""
    header = drawing.header
    shown = [_frame(window, tabs, places[name], frame) for name, (window, tabs) in windows.items()]
    focused = next((frame_id(window, tabs) for window, tabs in windows.values() if window.pane is frame.current), None)
    return {
        "group": {
            "id": drawing.id,
            "caption": drawing.title if header is None else header.title,
            "visible": header is not None,
            "editable": header is not None and header.editable,
            # The buttons of the window manager are in its title bar.
            "buttons": [] if drawing.system_buttons else _buttons(("minimize", "maximize", "close"), frame),
        },
        "focused": focused if frame.isActiveWindow() else None,
        "theme": "dark" if dark else "light",
        "frames": shown,
    }


def frame_id(window: AppWindow, tabs: TabPlace | None) -> str:
    """Return the page's id of a window, or of the tabs of a cell."""
    return window.instance if tabs is None or tabs.drawing is None else tabs.drawing.id


def _frame(window: AppWindow, tabs: TabPlace | None, place: Bounds, frame: Frame) -> dict[str, Any]:
    caption = window.caption
    has_tabs = tabs is not None and tabs.drawing is not None and tabs.drawing.has_strip
    mode = "tab" if has_tabs else "html" if caption is None else "flat"
    exact = bounds_of(rect_of(place))
    return {
        "id": frame_id(window, tabs),
        "mode": mode,
        "bounds": {"left": exact.left, "top": exact.top, "width": exact.width, "height": exact.height},
        "selected": window.instance,
        "caption": window.pane.title,
        "editable": caption is not None and caption.title_editable,
        "buttons": [] if caption is None else _buttons(caption.buttons, frame),
        "custom": [] if caption is None else _added(caption),
        "channel": _channel(caption),
        "overflow": has_tabs and tabs is not None and tabs.drawing is not None and tabs.drawing.overflow,
        "tabs": _tabs(tabs, window) if has_tabs and tabs is not None else [],
    }


def _tabs(tabs: TabPlace, front: AppWindow) -> list[dict[str, Any]]:
    if tabs.drawing is None:
        return []
    return [
        {
            "id": tab.instance,
            "caption": tab.title,
            "selected": tab.instance == front.instance,
            "pinned": tab.pinned,
            "closable": tab.closable,
            "editable": tabs.members[tab.instance].request.chrome.title_editable,
            "tooltip": tabs.members[tab.instance].tab_tooltip or tab.title,
            "channel": _channel(tabs.members[tab.instance].caption),
        }
        for tab in tabs.drawing.tabs
        if tab.header and tab.instance in tabs.members
    ]


def _buttons(shown: tuple[str, ...], frame: Frame) -> list[str]:
    if frame.state != "maximized":
        return [*shown]
    return ["restore" if name == "maximize" else name for name in shown]


def _channel(caption: CaptionBar | None) -> Mapping[str, Any]:
    if caption is None or caption.selector.isHidden():
        return _NO_CHANNEL
    selector = caption.selector
    kind, joined, access = selector.selector.type, selector.joined, selector.access
    is_directional = kind.startswith("directional")
    restrictions = {"read": any(one.read for one in access), "write": any(one.write for one in access)}
    return {
        "visible": True,
        "mode": "multi" if "multi" in kind.lower() else "single",
        "selected": [{"name": name, "color": color} for name, color in joined],
        "restrictions": restrictions if is_directional and joined else None,
        "label": joined[0][0] if is_directional and len(joined) == 1 else "",
    }


def _added(caption: CaptionBar) -> list[dict[str, str]]:
    return [{"buttonId": one.id, "tooltip": one.tooltip, "imageData": _data_url(one.image)} for one in caption.added]


def _data_url(image: QPixmap) -> str:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return f"data:image/png;base64,{base64.b64encode(buffer.data().data()).decode()}"
