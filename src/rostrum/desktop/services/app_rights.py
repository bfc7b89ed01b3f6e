"""The rights that settings give to apps beyond their own windows and data."""

from collections.abc import Callable
from typing import Literal

from pydantic.alias_generators import to_camel

from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.window_registry import WindowRecord, WindowRegistry
from rostrum.settings.sections.app_rights import AppRights as Settings

Right = Literal[
    "hotkeys",
    "navigation",
    "downloads",
    "printing",
    "dev_tools",
    "dialogs",
    "preferences",
    "notifications",
    "notification_clicks",
]
_EVERYONE = "*"
_MOST_OPENERS = 10


class AppRights:
    """Decides by ``appRights`` which apps may do something."""

    def __init__(
        self, settings: Settings, platform: str, registry: WindowRegistry, is_in_memory: Callable[[str], bool]
    ) -> None:
        """Use the settings and the peer of the platform itself; ``is_in_memory`` returns which apps others define."""
        self._registry = registry
        self._settings = settings
        self._platform = platform
        self._is_in_memory = is_in_memory

    def has(self, caller: Caller, right: Right) -> bool:
        """Return whether the settings name a caller, or everyone; the platform itself has all rights."""
        return caller.peer == self._platform or self._names(caller.application, right)

    def require(self, caller: Caller, right: Right, what: str) -> None:
        """Reject a caller without a right."""
        if not self.has(caller, right):
            raise _refused(caller.application or "A program that the platform has not started", right, what)

    def require_named(self, app: str, right: Right, what: str) -> None:
        """Reject an app without a right, for what its definition asks without a call."""
        if not self._names(app, right):
            raise _refused(app, right, what)

    def _names(self, app: str | None, right: Right) -> bool:
        named = getattr(self._settings, right)
        if _EVERYONE in named:
            return True
        # Otherwise, a page would define an app of a name that the settings mention.
        return app is not None and app in named and not self._is_in_memory(app)

    def require_window(self, caller: Caller, window: WindowRecord, right: Right, what: str) -> None:
        """Reject a caller without a right, unless the window belongs to its app, or its instance has opened it."""
        opened: WindowRecord | None = window
        for _ in range(_MOST_OPENERS):
            if opened is None:
                break
            is_own = caller.instance is not None and caller.instance in (opened.id, opened.opener)
            if is_own or (opened.app and opened.app == caller.application):
                return
            opened = None if opened.opener is None else self._registry.get(opened.opener)
        self.require(caller, right, f"{what} windows of other apps")

    def require_app(self, caller: Caller, app: str | None, right: Right, what: str) -> None:
        """Reject a caller without a right, unless something belongs to its own app."""
        if app is None or app != caller.application:
            self.require(caller, right, what)


def _refused(who: str, right: Right, what: str) -> DesktopError:
    return DesktopError(f"{who} may not {what}. The setting appRights.{to_camel(right)} names the apps that may.")
