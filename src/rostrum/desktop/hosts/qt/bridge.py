"""The private channel between a page and the platform.

Qt provides the channel to the main frame of a page only. Every call is checked against the current address of the page,
so a page that has navigated elsewhere cannot use the channel of the previous page.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QFile, QIODevice, QObject, Signal, Slot
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript

from rostrum.desktop.hosts.qt.later import Later

__all__ = ["PageBridge", "add_script", "channel_library"]

_LARGEST_CALL = 16 * 1024 * 1024
_MOST_WAITING = 1000

Handler = Callable[[str, Mapping[str, Any]], Later]
"""Executes a method that a page calls; raises ValueError to reject it."""


class PageBridge(QObject):
    """The object that a page sees as ``bridge``.

    Attributes:
        answered: Emitted with the number of a call, whether it succeeded, and the result or the message as JSON.
        event: Emitted with the name of an event and its data as JSON.

    """

    answered = Signal(int, bool, str)
    event = Signal(str, str)

    def __init__(self, page: QWebEnginePage, is_allowed: Callable[[], bool], handler: Handler) -> None:
        """Provide the channel to a page; ``is_allowed`` returns whether the page may use it now."""
        super().__init__(page)
        self._is_allowed = is_allowed
        self._handler = handler
        self._waiting = 0
        self._channel = QWebChannel(self)
        self._channel.registerObject("bridge", self)
        page.setWebChannel(self._channel)

    @Slot(int, str, str)
    def call(self, number: int, method: str, arguments: str) -> None:
        """Execute a method for the page."""
        if not self._is_allowed():
            self._answer(number, None, "this page may not call the platform")
            return
        try:
            decoded = self._decoded(arguments)
            later = self._handler(method, decoded)
        except ValueError as error:
            self._answer(number, None, str(error))
            return
        self._waiting += 1
        later.then(lambda value, reason: self._finished(number, value, reason))

    def send(self, name: str, data: Any) -> None:
        """Send an event to the page."""
        if self._is_allowed():
            self.event.emit(name, json.dumps(data))

    def _decoded(self, arguments: str) -> Mapping[str, Any]:
        if len(arguments) > _LARGEST_CALL:
            raise ValueError(f"the arguments are larger than {_LARGEST_CALL} characters")
        if self._waiting >= _MOST_WAITING:
            raise ValueError(f"{_MOST_WAITING} calls of this page already wait for an answer")
        try:
            decoded = json.loads(arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise ValueError(f"the arguments are not JSON: {error}") from error
        if not isinstance(decoded, dict):
            raise ValueError("the arguments must be an object")  # noqa: TRY004 - the page gets this message
        return decoded

    def _finished(self, number: int, value: Any, reason: str | None) -> None:
        self._waiting -= 1
        # The page may have navigated before the response arrived.
        if self._is_allowed():
            self._answer(number, value, reason)

    def _answer(self, number: int, value: Any, reason: str | None) -> None:
        try:
            self.answered.emit(number, reason is None, json.dumps(value if reason is None else reason))
        except RuntimeError:
            # The page was closed in the meantime.
            return


def channel_library() -> str:
    """Return Qt's script with which a page uses the channel."""
    file = QFile(":/qtwebchannel/qwebchannel.js")
    file.open(QIODevice.OpenModeFlag.ReadOnly)
    return bytes(file.readAll().data()).decode()


def add_script(page: QWebEnginePage, name: str, source: str) -> None:
    """Run a script in the main frame of every document of a page, before the scripts of the page itself."""
    script = QWebEngineScript()
    script.setName(name)
    script.setSourceCode(source)
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    script.setWorldId(QWebEngineScript.ScriptWorldId.MainWorld)
    script.setRunsOnSubFrames(False)
    page.scripts().insert(script)
