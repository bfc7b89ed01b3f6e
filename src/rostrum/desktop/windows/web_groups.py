"""The page that draws web groups: its app, and the layout that it reports; pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.desktop.windows.geometry import Bounds
from rostrum.settings.scope import AppType

BUILTIN_PAGE = "rostrum-page://group/"
"""The address with which a webGroup app selects the platform's own page."""
_LONGEST_WAIT = 3_600_000.0
_LARGEST = 20_000.0
_MOST = 1000
_LONGEST_TEXT = 500
_HIGHEST_HEADER = 300
_AREAS = ("group", "frame", "tabBar")


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPage:
    """The page that draws a group.

    Attributes:
        app: The app of type webGroup.
        timeout: Seconds until the page must be ready.
        retries: Number of retries for a page that cannot be loaded.
        retry_interval: Pause before the first retry in milliseconds; each further pause is longer by the same amount.
    """

    app: str
    url: str
    timeout: float = 30
    retries: int = 5
    retry_interval: float = 1000


def group_page(apps: Mapping[str, Mapping[str, Any]]) -> GroupPage | None:
    """Return the page of the first app of type webGroup, by name; None if there is none."""
    found = sorted(name for name, one in apps.items() if str(one.get("type")).lower() == AppType.WEB_GROUP.lower())
    if not found:
        return None
    details = apps[found[0]].get("details") or {}
    return GroupPage(
        app=found[0],
        url=str(details.get("url") or ""),
        timeout=_amount(details.get("timeout"), 30),
        retries=int(_amount(details.get("retryCount"), 5)),
        retry_interval=_amount(details.get("retryInterval"), 1000),
    )


def _amount(value: Any, default: float) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    return min(float(value), _LONGEST_WAIT) if is_number else default


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveArea:
    """A part of the page by which the user moves a group or a window; ``caption`` is the area of its title."""

    type: str
    id: str
    bounds: Bounds
    caption: Bounds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The layout that a page has drawn, in coordinates of the page.

    Attributes:
        header: Height of the group's header.
        places: Bounds of each place: a window with its caption bar, or tabs.
        insets: Distance of the window from the left, top, right and bottom of its place.
        tabs: The place and the rectangle of each tab.
    """

    header: int
    places: Mapping[str, Bounds]
    insets: Mapping[str, tuple[int, int, int, int]]
    tabs: Mapping[str, tuple[str, Bounds]]
    areas: tuple[MoveArea, ...]

    def index_at(self, place: str, x: float, y: float) -> int | None:
        """Return the tab index for a window that is dropped at a point of a place; None elsewhere."""
        tabs, whole = [one for frame, one in self.tabs.values() if frame == place], self.places.get(place)
        is_across = whole is not None and whole.left <= x < whole.right
        if not is_across or not any(one.top <= y < one.bottom for one in tabs):
            return None
        return sum(one.left + one.width / 2 < x for one in tabs)


def layout_of(arguments: Mapping[str, Any]) -> Layout:
    """Read the layout of a page; raise ValueError if it is invalid."""
    frames, tabs, areas = (arguments.get(one) for one in ("frames", "tabs", "areas"))
    if not isinstance(frames, dict) or not isinstance(tabs, dict) or not isinstance(areas, list):
        raise ValueError("a layout has frames, tabs and areas")  # noqa: TRY004 - the page gets this message
    if max(len(frames), len(tabs), len(areas)) > _MOST:
        raise ValueError(f"a layout has at most {_MOST} frames, tabs and areas")
    return Layout(
        header=min(max(0, round(read_number(arguments, "header"))), _HIGHEST_HEADER),
        places={name: read_bounds(_object(one).get("bounds")) for name, one in frames.items()},
        insets={name: _insets(_object(one)) for name, one in frames.items()},
        tabs={
            name: (read_text(_object(one), "frame"), read_bounds(_object(one).get("bounds")))
            for name, one in tabs.items()
        },
        areas=tuple(_area(_object(one)) for one in areas),
    )


def read_number(arguments: Mapping[str, Any], name: str) -> float:
    """Return a number from a page, limited to screen sizes."""
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{name} must be a number")
    return min(max(float(value), -_LARGEST), _LARGEST)


def read_text(arguments: Mapping[str, Any], name: str) -> str:
    """Return a text from a page."""
    value = arguments.get(name)
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise ValueError(f"{name} must be text of at most {_LONGEST_TEXT} characters")
    return value


def read_bounds(value: Any) -> Bounds:
    """Return a rectangle from a page, in integer pixels."""
    read = _object(value)
    left, top = round(read_number(read, "left")), round(read_number(read, "top"))
    right = round(read_number(read, "left") + read_number(read, "width"))
    bottom = round(read_number(read, "top") + read_number(read, "height"))
    return Bounds(left, top, max(0, right - left), max(0, bottom - top))


def _insets(frame: Mapping[str, Any]) -> tuple[int, int, int, int]:
    whole, slot = read_bounds(frame.get("bounds")), read_bounds(frame.get("slot"))
    left, top = slot.left - whole.left, slot.top - whole.top
    right, bottom = whole.right - slot.right, whole.bottom - slot.bottom
    return max(0, int(left)), max(0, int(top)), max(0, int(right)), max(0, int(bottom))


def _area(written: Mapping[str, Any]) -> MoveArea:
    kind = written.get("type")
    if kind not in _AREAS:
        raise ValueError(f"the type of a move area must be one of {', '.join(_AREAS)}")
    caption = written.get("caption")
    return MoveArea(
        type=kind,
        id=read_text(written, "id"),
        bounds=read_bounds(written.get("bounds")),
        caption=None if caption is None else read_bounds(caption),
    )


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("an object is expected")  # noqa: TRY004 - the page gets this message
    return value
