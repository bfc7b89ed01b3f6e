"""Calls of pages to the platform, and events for them: built-in pages, dialogs, sign-in pages and web groups."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QUrl

from rostrum.desktop.hosts.qt.injection import script_text
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.page_link import PageLink

_MOST_WAITING = 1000

Handler = Callable[[str, Mapping[str, Any]], Later]
"""Executes a method that a page calls; raises ValueError to reject it."""


class PageBridge(PageLink):
    """The calls of one page.

    The script ``offer`` defines the API of the page with ``call(method, arguments)``, ``on(event, callback)`` and
    ``config``.
    """

    def __init__(
        self,
        page: AppPage,
        is_allowed: Callable[[QUrl], bool],
        handler: Handler,
        offer: str,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        """Offer the API to a page on allowed addresses."""
        super().__init__(page, "page", is_allowed, [("calls", script_text("calls.js").replace("__OFFER__", offer))])
        self._handler = handler
        self._data = config or {}
        self._waiting = 0
        self.requested.connect(self._execute)

    def send(self, name: str, data: Any) -> None:
        """Send an event to the page."""
        self._send({"event": name, "data": data})

    def _config(self) -> Mapping[str, Any]:
        return self._data

    def _execute(self, op: str, arguments: Mapping[str, Any], number: int | None) -> None:
        if op != "call":
            return
        document = self._document
        try:
            later = self._call(str(arguments.get("method")), arguments.get("arguments"))
        except ValueError as error:
            self._answer(number, error=str(error))
            return
        self._waiting += 1

        def finished(value: Any, reason: str | None) -> None:
            self._waiting -= 1
            if document == self._document:
                self._answer(number, **({"result": value} if reason is None else {"error": reason}))

        later.then(finished)

    def _call(self, method: str, arguments: Any) -> Later:
        if self._waiting >= _MOST_WAITING:
            raise ValueError(f"{_MOST_WAITING} calls of this page already wait for an answer")
        if not isinstance(arguments, dict):
            raise ValueError("the arguments must be an object")  # noqa: TRY004 - the page gets this message
        return self._handler(method, arguments)
