"""A group of windows: its members, the gaps between them, and its header; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.modes import Feature, require, supports
from rostrum.desktop.windows.geometry import Bounds, Side, box, gaps
from rostrum.desktop.windows.gestures import LongPress, long_press
from rostrum.desktop.windows.web_groups import GroupPage
from rostrum.settings.scope import AppType, Mode

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.window_groups import Group as GroupSettings


GroupType = Literal["Web", "Classic"]
ResizeWay = Literal["Fill", "Proportional"]
"""The effect of dragging an outer border of a group."""
BACKGROUND = "#1e2229"
"""The fill of a group's gaps in the default mode."""
NATIVE = frozenset({AppType.EXE, AppType.CLICKONCE, AppType.CITRIX, AppType.CHILD_WINDOW})
"""Types of apps that draw their own windows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowGroup:
    """Windows that are moved and resized together.

    Attributes:
        windows: The bounds of each instance's window.
        edge: The gap between neighbours, in pixels.
        title: Its title.
        header_visible: Whether it has a bar above it; None uses the settings.
        collapsed: The expanded heights of collapsed windows.
    """

    id: str
    type: GroupType
    windows: Mapping[str, Bounds]
    edge: int = 0
    title: str | None = None
    header_visible: bool | None = None
    collapsed: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_rectangular(self) -> bool:
        """Return whether the windows form a rectangle without holes, except the gaps between them."""
        return not gaps(cells(self.windows, self.edge).values())

    def without(self, instance: str) -> "WindowGroup":
        """Return the group without one of its windows."""
        return replace(
            self,
            windows={one: bounds for one, bounds in self.windows.items() if one != instance},
            collapsed={one: height for one, height in self.collapsed.items() if one != instance},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The bar above a group."""

    title: str
    editable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDrawing:
    """The data with which a host draws a group around its windows.

    Attributes:
        windows: The bounds of each visible window, without hidden tabs.
        edge: The gap between neighbours, in pixels.
        resize: The effect of dragging an outer border.
        resize_alone: Whether ALT resizes only the window whose border is dragged.
        title: The taskbar title.
        unlock: The long press on a caption bar that tears the window out; None for none.
        filled: The gaps that the host fills with ``background``; in the advanced mode they are transparent.
        page: The page that draws header, caption bars and tabs; None if the host draws them.
    """

    id: str
    type: GroupType
    bounds: Bounds
    windows: Mapping[str, Bounds]
    filled: tuple[Bounds, ...]
    background: str
    header: Header | None
    system_buttons: bool
    edge: int = 0
    resize: ResizeWay = "Fill"
    resize_alone: bool = False
    title: str = ""
    unlock: LongPress | None = None
    page: GroupPage | None = None


def cells(windows: Mapping[str, Bounds], edge: int) -> dict[str, Bounds]:
    """Give each window half of the gap to its neighbours, so that neighbours touch."""
    near, far = edge // 2, edge - edge // 2
    return {
        instance: Bounds.between(one.left - near, one.top - near, one.right + far, one.bottom + far)
        for instance, one in windows.items()
    }


def beside(neighbour: Bounds, side: Side, size: Bounds, edge: int, *, align: bool = True) -> Bounds:
    """Place a window next to another, at the distance of the gap; ``align`` gives it the same height or width."""
    height = neighbour.height if align else size.height
    width = neighbour.width if align else size.width
    if side == "right":
        return Bounds(neighbour.right + edge, neighbour.top, size.width, height)
    if side == "left":
        return Bounds(neighbour.left - edge - size.width, neighbour.top, size.width, height)
    if side == "bottom":
        return Bounds(neighbour.left, neighbour.bottom + edge, width, size.height)
    return Bounds(neighbour.left, neighbour.top - edge - size.height, width, size.height)


def join(group: WindowGroup, instance: str, kind: str, bounds: Bounds, mode: Mode) -> WindowGroup:
    """Add a window; raise NotInThisMode for a native window in a mode that does not support it."""
    if kind in NATIVE:
        require(mode, Feature.NATIVE_VISUAL_INTEGRATION)
    if any(bounds.overlaps(one) for other, one in group.windows.items() if other != instance):
        raise DesktopError("another window of the group is in that place")
    return replace(group, windows={**group.windows, instance: bounds})


def moved(group: WindowGroup, instance: str, to: Bounds) -> WindowGroup:
    """Move a whole group so that one of its windows gets a new position."""
    across, down = to.left - group.windows[instance].left, to.top - group.windows[instance].top
    windows = {
        name: Bounds(one.left + across, one.top + down, one.width, one.height) for name, one in group.windows.items()
    }
    return replace(group, windows=windows)


def has_header(group: WindowGroup, settings: "GroupSettings") -> bool:
    """Return whether a group has a bar above it: as set for the group, or by the settings."""
    return not settings.header.hide if group.header_visible is None else group.header_visible


def draw(
    group: WindowGroup,
    settings: "GroupSettings",
    mode: Mode,
    *,
    wants_system_buttons: bool,
    page: GroupPage | None = None,
) -> GroupDrawing:
    """Compute the drawing of a group; only web groups are drawn by a page."""
    title = settings.header.default_title if group.title is None else group.title
    header = Header(title=title, editable=settings.header.edit_title) if has_header(group, settings) else None
    may_have_buttons = group.type == "Web" and supports(mode, Feature.OS_BUTTONS_IN_WEB_GROUPS)
    return GroupDrawing(
        id=group.id,
        type=group.type,
        bounds=box(group.windows.values()),
        windows=group.windows,
        filled=gaps(group.windows.values()) if mode is Mode.DEFAULT else (),
        background=BACKGROUND,
        header=header,
        system_buttons=wants_system_buttons and may_have_buttons,
        edge=group.edge,
        resize=settings.external_resize_mode,
        resize_alone=supports(mode, Feature.RESIZE_GROUP_BORDERS),
        title=title,
        unlock=long_press(settings.unlock_on_long_mouse_press),
        page=page if group.type == "Web" else None,
    )
