"""Actions on an open window, other than opening, moving and closing it.

Each action is a dataclass, so that hosts need no method per action; the name of the class identifies it in messages
between processes. ``WindowHost.act`` returns the results.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.windows.geometry import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState:
    """Minimize, maximize, collapse or restore the window."""

    state: WindowState


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """Bring the window to the front and give it the keyboard focus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Center:
    """Move the window to the middle of its display."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOnTop:
    """Keep the window above all others, or stop; ``in_groups`` also applies to the windows in its group."""

    on_top: bool
    in_groups: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOpacity:
    """Set the opacity of the window; 1 is opaque."""

    opacity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSizeLimits:
    """Limit the size of the window; None removes a limit."""

    min_width: float | None = None
    min_height: float | None = None
    max_width: float | None = None
    max_height: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetModal:
    """Block the parent of the window until the window is closed, or stop."""

    modal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLocked:
    """Lock the window in its place, or unlock it."""

    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEdge:
    """Reserve the part of the display that the window covers at an edge; None releases it."""

    side: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetIcon:
    """Show another icon; ``data`` is a data address of an image."""

    data: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFrameColor:
    """Set the colour of the frame; None is the colour of the theme."""

    color: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameButton:
    """A button that an app adds to the caption bar; ``image`` is Base64."""

    id: str
    tooltip: str = ""
    order: int = 0
    image: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetButtons:
    """Show exactly these added buttons in the caption bar."""

    buttons: tuple[FrameButton, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetStandardButtons:
    """Choose which standard buttons the caption bar has; a window that cannot be minimized has no minimize button."""

    minimize: bool = True
    maximize: bool = True
    close: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTabTooltip:
    """Set the tooltip of the title."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flash:
    """Draw attention to the window until it gets the focus, or stop; ``tab`` applies to its tab only, if it has one."""

    flash: bool = True
    tab: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StartDrag:
    """Let the pointer drag the window until the button is released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetZoom:
    """Set the zoom factor of the page."""

    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Navigate:
    """Load another address."""

    url: str
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reload:
    """Load the page again."""

    ignore_cache: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GoBack:
    """Go back in the history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoForward:
    """Go forward in the history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskHandlers:
    """Call the handlers of pages that may prevent an operation on the window. Result: bool."""

    event: Literal["close", "refresh", "navigate"]
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScript:
    """Run JavaScript in the page. Result: its value as JSON."""

    code: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Highlight a text in the page; an empty text ends the search. Result: ``{"matches": n}``."""

    text: str
    backwards: bool = False
    match_case: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """Capture the window, or the entire group of the window. Result: a PNG file as Base64."""

    group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintToPdf:
    """Write the page to a PDF file. Result: its path."""

    options: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintPage:
    """Print the page."""

    options: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """Download a file. Result: ``{"path": …, "size": …}`` when it is complete."""

    url: str
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowDevTools:
    """Open the developer tools of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowLoader:
    """Cover the page with a loading animation."""

    options: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HideLoader:
    """Remove the loading animation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetCookies:
    """Read cookies of the window's profile. Result: a list of cookies."""

    filter: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCookie:
    """Set a cookie in the window's profile."""

    cookie: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveCookie:
    """Remove a cookie from the window's profile."""

    url: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearCache:
    """Clear the cache of the window's profile, the cache of its host resolver (``hosts``), or both."""

    what: Literal["cache", "hosts", "all"] = "all"


WindowAction = (
    SetState
    | Focus
    | Center
    | SetOnTop
    | SetOpacity
    | SetSizeLimits
    | SetModal
    | SetLocked
    | ClaimEdge
    | SetIcon
    | SetFrameColor
    | SetButtons
    | SetStandardButtons
    | SetTabTooltip
    | Flash
    | StartDrag
    | SetZoom
    | Navigate
    | Reload
    | GoBack
    | GoForward
    | AskHandlers
    | RunScript
    | Find
    | Capture
    | PrintToPdf
    | PrintPage
    | Download
    | ShowDevTools
    | ShowLoader
    | HideLoader
    | GetCookies
    | SetCookie
    | RemoveCookie
    | ClearCache
)

ACTIONS: Mapping[str, type[WindowAction]] = {one.__name__: one for one in WindowAction.__args__}
"""All actions by name, which identifies them in messages between processes."""
