"""The page that draws a group, below the windows of the group in the same frame.

The page has ``window.webGroupsManager`` (``scripts/web_groups.js``). It is ready when it has called ``init``.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QColor
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from rostrum.desktop.hosts.qt.bridge import PageBridge
from rostrum.desktop.hosts.qt.builtin_pages import is_builtin
from rostrum.desktop.hosts.qt.injection import script_text
from rostrum.desktop.hosts.qt.later import Later, resolved
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.page_window import is_same_origin
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.windows.web_groups import BUILTIN_PAGE, GroupPage


class WebGroupPage(QObject):
    """One page in a frame.

    Attributes:
        failed: Emitted with the reason when the page cannot draw the group; the page is then removed.
    """

    failed = Signal(str)

    def __init__(
        self, frame: QWidget, wanted: GroupPage, shared: Shared, called: Callable[[str, Mapping[str, Any]], None]
    ) -> None:
        """Prepare the page; ``called`` handles its calls, and raises ValueError for invalid ones."""
        super().__init__(frame)
        self._wanted = wanted
        self._url = QUrl(wanted.url)
        self._called = called
        self._is_open = True
        self._is_ready = False
        self._tries = 0
        self._drawing = ""
        self.view = QWebEngineView(frame)
        self._page = AppPage(shared.profile, shared.platform, self.view)
        self._page.setBackgroundColor(QColor(shared.look.border))
        self.view.setPage(self._page)
        self.view.lower()
        sources = (script_text(name) for name in ("web_group_elements.js", "web_groups.js"))
        offer = '(() => { "use strict";\n' + "\n".join(sources) + "\n})();"
        self._bridge = PageBridge(self._page, self._is_allowed, self._call, offer)
        self._page.loadFinished.connect(self._loaded)
        self._page.renderProcessTerminated.connect(lambda *_: self._fail("its page has stopped unexpectedly"))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._timed_out)
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(lambda: self._page.setUrl(self._url))

    def open(self) -> None:
        """Load the page."""
        self.view.show()
        if self._url.scheme() not in ("http", "https") and self._wanted.url != BUILTIN_PAGE:
            self._fail(f"its address must begin with https:// or http://, or be {BUILTIN_PAGE}")
            return
        self._timer.start(round(min(self._wanted.timeout, 86_400) * 1000))
        if is_builtin(self._url):
            self._page.open_builtin(self._url)
        else:
            self._page.setUrl(self._url)

    @property
    def is_ready(self) -> bool:
        """Return whether the page is ready to draw."""
        return self._is_ready

    def draw(self, drawing: Mapping[str, Any]) -> None:
        """Send the page a drawing, unless it has it already."""
        text = json.dumps(drawing)
        if text != self._drawing:
            self._drawing = text
            if self._is_ready:
                self._bridge.send("draw", drawing)

    def send(self, event: str, data: Mapping[str, Any]) -> None:
        """Send the page an event."""
        if self._is_ready:
            self._bridge.send(event, data)

    def close(self) -> None:
        """Remove the page."""
        if self._is_open:
            self._is_open = self._is_ready = False
            self._timer.stop()
            self._retry.stop()
            self.view.hide()
            self._page.deleteLater()
            self.view.deleteLater()
            self.deleteLater()

    def _is_allowed(self, url: QUrl) -> bool:
        if is_builtin(self._url):
            return is_builtin(url) and url.host() == self._url.host()
        return is_same_origin(url, self._url)

    def _call(self, method: str, arguments: Mapping[str, Any]) -> Later:
        if method == "init":
            self._timer.stop()
            self._is_ready = True
            if self._drawing:
                self._bridge.send("draw", json.loads(self._drawing))
        else:
            self._called(method, arguments)
        return resolved(None)

    def _loaded(self, succeeded: bool) -> None:  # noqa: FBT001 - a signal of Qt
        if not self._is_open or (succeeded and self._is_allowed(self._page.url())):
            return
        if succeeded:
            self._fail("it has gone to another address")
        elif self._tries < self._wanted.retries:
            self._tries += 1
            self._retry.start(round(self._tries * self._wanted.retry_interval))
        else:
            self._fail("its page cannot be loaded")

    def _timed_out(self) -> None:
        self._fail(f"its page has not called webGroupsManager.init within {self._wanted.timeout:g} s")

    def _fail(self, reason: str) -> None:
        if self._is_open:
            self.close()
            self.failed.emit(reason)
