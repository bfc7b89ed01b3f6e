"""The features that each mode of the platform lacks."""

import os
import sys
from collections.abc import Mapping
from enum import StrEnum

from rostrum.desktop.errors import NotInThisMode, NotOnThisSystem
from rostrum.settings.scope import Mode


class Feature(StrEnum):
    """A feature that only one of the modes has."""

    CLASSIC_GROUPS = "a classic group"
    OS_BUTTONS_IN_WEB_GROUPS = "the use of the system's own buttons in web groups"
    NATIVE_VISUAL_INTEGRATION = "the visual integration of native apps"
    CUSTOM_POPUPS = "a custom popup (use an external popup window: useExternalWindowPopup())"
    SEND_FEEDBACK = "the command SendFeedback"
    HTML_WINDOW_MOVE_AREA = "a move area or buttons of HTML windows"
    FLYDOWN_WINDOWS = "a flydown window"
    JUMP_LISTS = "a jump list"
    WINDOW_STICKINESS = "window stickiness"
    SEARCH_IN_PDF = "the search in PDF pages"
    RESIZE_GROUP_BORDERS = "the resizing of outer group borders with ALT"
    DOUBLE_CLICK_ALIGNMENT = "alignment by double click"


_ONLY_DEFAULT = frozenset({Feature.OS_BUTTONS_IN_WEB_GROUPS})
_MISSING = {
    Mode.DEFAULT: frozenset(Feature) - _ONLY_DEFAULT,
    Mode.ADVANCED: _ONLY_DEFAULT,
}


def supports(mode: Mode, feature: Feature) -> bool:
    """Return whether a mode has a feature."""
    return feature not in _MISSING[mode]


def require(mode: Mode, feature: Feature) -> None:
    """Raise an error that names the mode if it lacks a feature."""
    if not supports(mode, feature):
        raise NotInThisMode(str(feature), mode)


def check_system(
    mode: Mode, system: str = sys.platform, variables: Mapping[str, str] = os.environ, *, headless: bool = False
) -> None:
    """Reject the advanced mode if this system cannot draw its windows; without windows it runs everywhere."""
    if mode is not Mode.ADVANCED or headless or system == "win32":
        return
    if not system.startswith("linux"):
        raise NotOnThisSystem(
            "the advanced mode runs on Linux with X11 and on Windows only; set advancedMode to false, or run headless"
        )
    if not variables.get("DISPLAY"):
        raise NotOnThisSystem(
            "the advanced mode needs X11, and DISPLAY is not set; start the platform in an X11 session, "
            "set advancedMode to false, or run headless"
        )
