"""The pages of the platform itself: their files in ``rostrum.desktop.pages``, and their windows; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

PANEL = "notifications"
"""The page that lists notifications."""
ALERT = "alert"
"""The page of an alert, which is also the kind of its window."""
PLACEHOLDER = "placeholder"
"""The page for an app that could not be started, which is also the kind of its window."""
WORKSPACES = "workspaces"
"""The page of a workspaces frame, which is also the type of its app."""
_LIGHT = ("light", "day")
_DARK = ("dark", "night")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """A page of the platform, shown at ``rostrum-page://<name>/``.

    Attributes:
        name: The page; its file is ``<name>.html``. All pages share the other files of the folder.
        placement: Position of its window: at an edge of the work area, or in the middle.
    """

    name: str
    title: str
    width: int = 720
    height: int = 560
    placement: Literal["center", "left", "right"] = "center"


OWN_PAGES: Mapping[str, OwnPage] = {
    page.name: page
    for page in (
        OwnPage(name="launcher", title="Launcher", width=400, height=680, placement="left"),
        OwnPage(name="notifications", title="Notifications", width=380, height=680, placement="right"),
        OwnPage(name="layouts", title="Layouts", width=560),
        OwnPage(name="themes", title="Themes", width=420, height=360),
        OwnPage(name="hotkeys", title="Keyboard shortcuts", width=520, height=480),
        OwnPage(name="feedback", title="Send feedback", width=480, height=400),
        OwnPage(name="settings", title="Settings", width=860, height=640),
        OwnPage(name="logs", title="Logs", width=860, height=600),
        OwnPage(name="diagnostics", title="Diagnostics", width=760, height=640),
        OwnPage(name="about", title="About Rostrum", width=560, height=600),
    )
}
WINDOW_PAGES: Mapping[str, OwnPage] = {
    page.name: page
    for page in (
        OwnPage(name=ALERT, title="Alert", width=400, height=82),
        OwnPage(name=PLACEHOLDER, title="App not started", width=400, height=300),
        OwnPage(name=WORKSPACES, title="Workspaces", width=1200, height=800),
    )
}
"""Pages in windows that are opened like those of apps: several at once, each at its own position."""
_TRAY_NAMES = {"open": "launcher", "info": "settings", "diagnostic": "diagnostics"}
"""Tray menu entries whose setting has another name than the page."""


def own_page(name: str) -> OwnPage | None:
    """Return a page by its name, or by its tray menu entry; None if there is no such page."""
    return OWN_PAGES.get(_TRAY_NAMES.get(name, name))


def window_page(kind: str, details: Mapping[str, Any]) -> OwnPage | None:
    """Return the platform page of a kind of window; None if it shows the page of an app.

    Workspaces frames show the page of the platform, even if their definition names that of another platform.
    """
    return WINDOW_PAGES.get(kind) if kind == WORKSPACES or not details.get("url") else None


def color_scheme(theme: str | None, properties: Mapping[str, Any] | None = None) -> Literal["light", "dark"] | None:
    """Return the colour scheme of a theme: from its ``colorScheme`` or its name; None follows the system."""
    written = str((properties or {}).get("colorScheme") or theme or "").casefold()
    if any(word in written for word in _DARK):
        return "dark"
    return "light" if any(word in written for word in _LIGHT) else None
