"""Objects and callbacks that all windows of the window process share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.port import ChannelColor
from rostrum.desktop.hosts.qt.cell import Cell
from rostrum.desktop.hosts.qt.cookies import Cookies
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.look import LIGHT, Look
from rostrum.desktop.hosts.qt.page_api import PageApis
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.qt.profile import Profile
from rostrum.desktop.hosts.qt.window_pool import WindowPool
from rostrum.desktop.windows.geometry import Bounds, Screen, Side


@dataclass(slots=True)
class Shared:
    """Objects and callbacks that all windows share.

    Attributes:
        apis: The API of the platform in pages of apps.
        kept_folders: The folders that no download goes into.
        look: The colours of the selected theme.
        neighbours: Returns the rectangles of all windows of other frames that a dragged frame may snap to.
        open_menu: Opens the menu of the platform at a position.
        claim_edge: Reserves the area of a native window at an edge, or releases it.
        tabs_at: Returns the window whose tabs a dragged frame is over, and its index among them.
        workspaces_at: Returns the frame of workspaces that a dragged frame is over.
        tabs_dragged_over: Shows where a dragged frame becomes a tab; None hides this.
        tab_place: Returns the windows that share a cell as tabs.
        tab_changed: Updates the icon or tooltip of a window's tab.
        leave_group: Removes a window from its drawn group, because it becomes a tab.
    """

    platform: Platform
    profile: Profile
    pool: WindowPool
    cookies: Cookies
    apis: PageApis
    look: Look = LIGHT
    channels: tuple[ChannelColor, ...] = ()
    screens: tuple[Screen, ...] = ()
    kept_folders: tuple[str, ...] = ()
    sticky: Mapping[str, Any] = field(default_factory=dict)
    neighbours: Callable[[Frame], tuple[Bounds, ...]] = lambda _: ()
    open_menu: Callable[[QPoint], None] = lambda _: None
    claim_edge: Callable[[QWidget, Side | None], None] = lambda _, __: None
    tabs_at: Callable[[QPoint, Frame], tuple[str, int] | None] = lambda *_: None
    workspaces_at: Callable[[QPoint, Frame], str | None] = lambda *_: None
    tabs_dragged_over: Callable[[QPoint | None, Frame], None] = lambda *_: None
    tab_place: Callable[[Cell], Any] = lambda _: None
    tab_changed: Callable[[str], None] = lambda _: None
    leave_group: Callable[[str], None] = lambda _: None
