"""The rights that settings give to apps beyond their own windows and data."""

from collections.abc import Callable
from typing import Literal

from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.settings.sections.app_rights import AppRights as Settings

__all__ = ["AppRights", "Right"]

Right = Literal["hotkeys"]
_EVERYONE = "*"


class AppRights:
    """Decides by ``appRights`` which apps may do something."""

    def __init__(self, settings: Settings, platform: str, is_in_memory: Callable[[str], bool]) -> None:
        """Use the settings and the peer of the platform itself; ``is_in_memory`` returns which apps others define."""
        self._settings = settings
        self._platform = platform
        self._is_in_memory = is_in_memory

    def has(self, caller: Caller, right: Right) -> bool:
        """Return whether the settings name a caller, or everyone; the platform itself has all rights."""
        named, app = getattr(self._settings, right), caller.application
        if caller.peer == self._platform or _EVERYONE in named:
            return True
        # Otherwise, a page would define an app of a name that the settings mention.
        return app is not None and app in named and not self._is_in_memory(app)

    def require(self, caller: Caller, right: Right, what: str) -> None:
        """Reject a caller without a right."""
        if not self.has(caller, right):
            who = caller.application or "A program that the platform has not started"
            raise DesktopError(f"{who} may not {what}. The setting appRights.{right} names the apps that may.")
