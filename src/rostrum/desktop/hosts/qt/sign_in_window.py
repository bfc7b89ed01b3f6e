"""The window of the sign-in page."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QUrl

from rostrum.desktop.hosts.port import LoginScreen
from rostrum.desktop.hosts.qt.bridge import PageBridge
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.page_window import PageWindow, is_same_origin
from rostrum.desktop.hosts.qt.placement import centred
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.reports import CredentialsEntered

_OFFER = """const object = window.glue42gd || {};
  object.authDone = (details) => call("authDone", details);
  window.glue42gd = window.iodesktop = object;
  window.authDone = object.authDone;"""
"""A sign-in page can only report that it has finished."""
_SIZE = 400


class SignInWindow(QObject):
    """The window of the sign-in page, which reports with ``authDone`` that it has finished."""

    def __init__(self, screen: LoginScreen, shared: Shared) -> None:
        """Prepare the window, in the mode of the settings."""
        super().__init__()
        self._platform = shared.platform
        bounds = centred(shared.screens[0].work_area, screen.width or _SIZE, screen.height or _SIZE)
        self._window = PageWindow("Sign in", bounds, shared, mode=(screen.mode or "flat").lower())
        self._url = QUrl.fromUserInput(screen.url)
        page = self._window.page
        self._bridge = PageBridge(page, lambda url: is_same_origin(url, self._url), self._call, _OFFER)
        self._window.close_wanted.connect(self._cancelled)

    def open(self) -> None:
        """Show the page."""
        self._window.page.setUrl(self._url)
        self._window.frame.open("normal", hidden=False, focus=True)

    def close(self) -> None:
        """Close the window."""
        self._window.close()
        self.deleteLater()

    def _call(self, method: str, arguments: Mapping[str, Any]) -> Later:
        if method != "authDone":
            raise ValueError(f"a sign-in page cannot call {method}")
        user = arguments.get("user") or arguments.get("username") or ""
        details = {name: value for name, value in arguments.items() if name != "password"}
        if not details:
            raise ValueError("authDone needs a user name with a password or headers, or a token")
        password = str(arguments.get("password") or "")
        return self._platform.ask(CredentialsEntered(user=str(user), password=password, details=details))

    def _cancelled(self) -> None:
        """Report that the user has cancelled the sign-in."""
        self._platform.ask(CredentialsEntered(user=""))
