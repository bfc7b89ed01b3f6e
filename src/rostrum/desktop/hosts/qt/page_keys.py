"""Keys of a window that its page does not receive: reload, zoom, find, developer tools, back and forward."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWebEngineCore import QWebEnginePage

from rostrum.desktop.hosts.qt.context_menu import show_context_menu
from rostrum.desktop.hosts.qt.find_bar import FindBar
from rostrum.desktop.hosts.qt.window import AppWindow

_NO_SEARCH_IN_PDF = "The search in PDF pages is not supported in the default mode."
_STEPS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5)


class PageKeys(QObject):
    """The keys of one window, as its definition allows them."""

    def __init__(self, window: AppWindow) -> None:
        """Add the keys to a window."""
        super().__init__(window)
        self._window = window
        self._bar: FindBar | None = None
        details, page = window.request.details, window.page
        if details.get("disableRefreshOnF5") is not True:
            self._add(("F5", "Ctrl+R"), window.ask_reload)
            self._add(("Ctrl+Shift+R", "Ctrl+F5"), lambda: window.reload(ignore_cache=True))
        if _enabled(details, "zoom", otherwise=True):
            self._add(("Ctrl++", "Ctrl+="), lambda: self._zoom(1))
            self._add(("Ctrl+-",), lambda: self._zoom(-1))
            self._add(("Ctrl+0",), lambda: window.set_zoom(1))
            self._watch_wheel()
        if window.request.page is not None and window.request.page.search:
            self._add(("Ctrl+F",), self._find)
        if details.get("devToolsEnable") is not False:
            self._add(("F12", "Ctrl+Shift+I"), window.show_dev_tools)
        if details.get("historyNavigationEnabled") is True:
            self._add(("Alt+Left",), lambda: page.triggerAction(QWebEnginePage.WebAction.Back))
            self._add(("Alt+Right",), lambda: page.triggerAction(QWebEnginePage.WebAction.Forward))
        self._set_context_menu(details)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Zoom with the wheel while Ctrl is held."""
        if event.type() == QEvent.Type.Wheel and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom(1 if event.angleDelta().y() > 0 else -1)
            return True
        return super().eventFilter(watched, event)

    def _watch_wheel(self) -> None:
        inner = self._window.view.focusProxy()
        if inner is not None:
            inner.installEventFilter(self)

    def _zoom(self, step: int) -> None:
        now = self._window.zoom
        larger = [one for one in _STEPS if one > now + 0.001]
        smaller = [one for one in _STEPS if one < now - 0.001]
        if step > 0 and larger:
            self._window.set_zoom(larger[0])
        elif step < 0 and smaller:
            self._window.set_zoom(smaller[-1])

    def _find(self) -> None:
        """Search the page.

        Whether PDF files can be searched depends on the mode; only the page knows its content type.
        """
        self._window.page.runJavaScript("document.contentType", self._find_in)

    def _find_in(self, content_type: object) -> None:
        rules = self._window.request.page
        if rules is None:
            return
        if self._bar is None:
            self._bar = FindBar(self._window.page, self._window.shared.look)
            self._window.pane.add_bar(self._bar)
        self._bar.open("" if rules.opens_search("Ctrl+F", str(content_type)) else _NO_SEARCH_IN_PDF)

    def _set_context_menu(self, details: Mapping[str, Any]) -> None:
        view = self._window.view
        older = details.get("contextMenuEnabled") is True
        if not _enabled(details, "contextMenu", otherwise=older):
            # The page also receives the event, and can show its own menu.
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
            return
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(lambda place: show_context_menu(self._window, place))

    def _add(self, keys: tuple[str, ...], pressed: Callable[[], object]) -> None:
        for one in keys:
            shortcut = QShortcut(QKeySequence(one), self._window.pane)
            # Another window of the same frame has its own keys.
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda: pressed())


def _enabled(details: Mapping[str, Any], name: str, *, otherwise: bool) -> bool:
    written = details.get(name)
    value = written.get("enabled") if isinstance(written, Mapping) else None
    return value if isinstance(value, bool) else otherwise
