"""The methods and streams that the desktop client libraries call, on top of the platform's services."""

from rostrum.desktop.t42 import (
    channels,
    displays,
    hotkeys,
    interception,
    layouts,
    notifications,
    preferences,
    search,
    themes,
    workspaces,
)

__all__ = [
    "channels",
    "displays",
    "hotkeys",
    "interception",
    "layouts",
    "notifications",
    "preferences",
    "search",
    "themes",
    "workspaces",
]
