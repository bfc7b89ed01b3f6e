"""A question of the platform on a custom page (``dialogs.url``)."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, QUrl

from rostrum.desktop.hosts.port import DialogLook
from rostrum.desktop.hosts.qt.bridge import PageBridge
from rostrum.desktop.hosts.qt.later import Later, resolved
from rostrum.desktop.hosts.qt.page_window import PageWindow, is_same_origin
from rostrum.desktop.hosts.qt.placement import centred
from rostrum.desktop.hosts.qt.shared import Shared

_LOAD_MS = 10_000
"""If the page takes longer, the built-in dialog is shown: a question must not wait for a server."""
_OFFER = """const answer = (choice) => call("answer", { choice });
  Object.defineProperty(window, "rostrum", { value: Object.freeze({ dialog: Object.freeze(config), answer }) });
  addEventListener("keydown", (event) => { if (event.key === "Escape") { answer(config.choices[0]); } });"""


class DialogPage(QObject):
    """One question on a page.

    Attributes:
        answer: The user's choice; fails if the page cannot be shown. Closing the window selects the first choice, the
            safe one.
    """

    def __init__(self, question: str, choices: tuple[str, ...], look: DialogLook, shared: Shared) -> None:
        """Prepare the window; it is shown when its page is loaded."""
        super().__init__()
        self.answer = Later()
        self._choices = choices
        self._url = QUrl(look.url or "")
        self._is_open = True
        bounds = centred(shared.screens[0].work_area, look.width, look.height)
        self._window = PageWindow("Rostrum", bounds, shared, mode="frameless")
        self._window.frame.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
        page = self._window.page
        if look.transparent is not True:
            page.setBackgroundColor(shared.look.raised)
        asked = {"question": question, "choices": [*choices], "colorScheme": "dark" if shared.look.dark else "light"}
        self._bridge = PageBridge(page, lambda url: is_same_origin(url, self._url), self._call, _OFFER, asked)
        page.loadFinished.connect(self._loaded)
        page.renderProcessTerminated.connect(lambda *_: self._fail("its page has stopped unexpectedly"))
        self._window.close_wanted.connect(self.close)

    def open(self) -> None:
        """Load the page, and show it."""
        if self._url.scheme() not in ("http", "https"):
            self._fail("the address must begin with https:// or http://")
            return
        self._window.page.setUrl(self._url)
        QTimer.singleShot(_LOAD_MS, self, self._check_loaded)

    def close(self) -> None:
        """Select the first choice, unless the user has chosen."""
        self._finish()
        self.answer.resolve(self._choices[0])

    def _loaded(self, succeeded: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if not succeeded:
            self._fail("the page cannot be loaded")
        elif self._is_open and not self._window.frame.isVisible():
            self._window.frame.open("normal", hidden=False, focus=True)

    def _check_loaded(self) -> None:
        if self._is_open and not self._window.frame.isVisible():
            self._fail(f"the page was not loaded within {_LOAD_MS // 1000} s")

    def _call(self, method: str, arguments: Mapping[str, Any]) -> Later:
        if method != "answer":
            raise ValueError(f"a page of a dialog cannot call {method}")
        choice = arguments.get("choice")
        if choice not in self._choices:
            raise ValueError(f"the choice must be one of {', '.join(self._choices)}")
        self._finish()
        self.answer.resolve(choice)
        return resolved(None)

    def _fail(self, reason: str) -> None:
        if self._is_open:
            self._finish()
            self.answer.fail(reason)

    def _finish(self) -> None:
        if self._is_open:
            self._is_open = False
            self._window.close()
            self.deleteLater()
