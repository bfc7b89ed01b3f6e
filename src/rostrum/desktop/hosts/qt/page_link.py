"""The connection between a page and the window process.

It is a QWebChannel in an isolated world of the page's main frame. The script there (``scripts/bridge.js``) does nothing
unless the page is on an address that may use the connection. It adds origin and document to each message, and connects
scripts in the page's own world with a message port, before any script of the page runs. Frames inside the page, and
pages of other origins, have no access to the channel, so an answer cannot reach them, whenever it arrives.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtWebChannel import QWebChannel

from rostrum.base.json_text import decoder
from rostrum.desktop.hosts.qt.injection import ISOLATED
from rostrum.desktop.hosts.qt.origins import origin_of
from rostrum.desktop.hosts.qt.page import AppPage

_log = logging.getLogger(__name__)
_LARGEST_MESSAGE = 32 * 1024 * 1024


class _Sent(msgspec.Struct, kw_only=True):
    """Some messages of a document."""

    origin: str
    document: str
    messages: list[Any]


_decoder = decoder(_Sent)


class PageLink(QObject):
    """The connection of one page, until the page is deleted.

    Attributes:
        requested: Emitted with each operation that the page requests, its arguments, and its number or None.
    """

    sent = Signal(str)
    requested = Signal(str, object, object)

    def __init__(
        self, page: AppPage, name: str, is_allowed: Callable[[QUrl], bool], scripts: Sequence[tuple[str, str]]
    ) -> None:
        """Connect a page, before its first document is created; ``scripts`` run where ``is_allowed`` returns True."""
        super().__init__(page)
        self.page = page
        self._name = name
        self._is_allowed = is_allowed
        self._document = ""
        self._channel = QWebChannel(self)
        self._channel.registerObject("page", self)
        page.setWebChannel(self._channel, ISOLATED.value)
        injection = page.injection
        names = self._scripts = injection.use(scripts)
        page.destroyed.connect(lambda: injection.release(names))
        page.select_scripts = self._selected
        page.urlChanged.connect(self._moved)
        page.renderProcessTerminated.connect(lambda *_: self._leave_document())

    # The result is the response for which the script waits before it sends further messages.
    @Slot(str, result=bool)
    def receive(self, text: str) -> bool:
        """Process some messages of the page; anything else is ignored."""
        if len(text) > _LARGEST_MESSAGE:
            _log.warning("%s: a message of %d characters from the page was ignored", self._name, len(text))
            return False
        try:
            sent = _decoder.decode(text)
        except msgspec.DecodeError:
            return False
        if not self._is_allowed(self.page.url()) or sent.origin != origin_of(self.page.url()):
            # The page has left the document before its messages arrived.
            return False
        if sent.document != self._document:
            self._leave_document()
            self._document = sent.document
        for message in sent.messages:
            if self._document == sent.document and isinstance(message, dict):
                self._request(message)
        return True

    def _request(self, message: Mapping[str, Any]) -> None:
        arguments, number = message.get("args"), message.get("n")
        self.requested.emit(
            str(message.get("op")),
            arguments if isinstance(arguments, dict) else {},
            number if isinstance(number, int) else None,
        )

    def _config(self) -> Mapping[str, Any]:
        """Return what the scripts in the page's own world need."""
        return {}

    def _selected(self, origin: QUrl) -> str | None:
        """Return the scripts for the document that is created now, and what they need, as JSON."""
        url = self.page.url()
        is_same = origin.scheme() == url.scheme() if url.isLocalFile() else origin_of(origin) == origin_of(url)
        if not is_same or not self._is_allowed(url):
            return None
        return msgspec.json.encode({"scripts": self._scripts, "config": self._config()}).decode()

    def _moved(self, url: QUrl) -> None:
        if not self._is_allowed(url):
            self._leave_document()

    def _leave_document(self) -> None:
        self._document = ""

    def _answer(self, number: int | None, **answer: Any) -> None:
        if number is not None:
            self._send({"n": number, **answer})

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._document:
            self.sent.emit(msgspec.json.encode({**message, "document": self._document}).decode())
