"""Calls of a group's page for clicks, drags and input."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QMenu

from rostrum.desktop.hosts.qt.drags import rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.look import menu_style
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.tab_places import TabPlace
from rostrum.desktop.hosts.qt.web_group_page import WebGroupPage
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.windows.web_groups import read_bounds, read_number, read_text


class Members(Protocol):
    """The windows of a group, by their ids in the page."""

    @property
    def page(self) -> WebGroupPage | None:
        """Return the page."""
        ...

    def find(self, identity: str) -> tuple[AppWindow, TabPlace | None]:
        """Return the visible window of a place; raise ValueError if there is none."""
        ...

    def find_tab(self, instance: str) -> TabPlace:
        """Return the place of a tab; raise ValueError if there is none."""
        ...

    def open_menu(self) -> None:
        """Open the menu of the platform at the pointer."""
        ...


class PageCalls:
    """Executes user actions in the page of a group."""

    def __init__(self, frame: Frame, members: Members, shared: Shared, retitle: Callable[[str], None]) -> None:
        """Use the frame of the group; ``retitle`` sets the title of the group."""
        self._frame = frame
        self._members = members
        self._shared = shared
        self._retitle_group = retitle
        self._dragged: TabPlace | None = None
        self._methods: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "button": self._button,
            "customButton": self._custom_button,
            "select": lambda given: self._tab(given).strip.selected.emit(given["id"]),
            "closeTab": lambda given: self._tab(given).strip.closed.emit(given["id"]),
            "reorder": self._reorder,
            "tearOut": self._tear_out,
            "grab": self._grab,
            "drag": self._drag,
            "drop": self._drop,
            "channels": self._channels,
            "retitle": self._retitle,
            "editor": self._editor,
            "focus": self._focus,
            "overflow": self._overflow,
            "menu": lambda _: self._members.open_menu(),
        }

    def execute(self, method: str, arguments: Mapping[str, Any]) -> None:
        """Execute a call of the page; raise ValueError for unknown calls."""
        found = self._methods.get(method)
        if found is None:
            raise ValueError(f"the page of a group cannot call {method[:100]}")
        found(arguments)
        if method in ("button", "customButton", "select", "closeTab", "reorder"):
            # The keyboard focus stays in the window, not in the page around it.
            self._focus({"target": "group"})

    def _tab(self, arguments: Mapping[str, Any]) -> TabPlace:
        return self._members.find_tab(read_text(arguments, "id"))

    def _button(self, arguments: Mapping[str, Any]) -> None:
        target, button = read_text(arguments, "target"), read_text(arguments, "button")
        if target == "group":
            self._group_button(button)
            return
        window, tabs = self._members.find(read_text(arguments, "id"))
        caption = window.caption
        if button == "overflow" and tabs is not None:
            self._open_tabs(tabs, QCursor.pos())
        elif caption is not None and button in ("minimize", "maximize", "restore", "close"):
            shown = caption.buttons
            if ("maximize" if button == "restore" else button) not in shown:
                return
            {
                "minimize": caption.minimize_clicked,
                "maximize": caption.maximize_clicked,
                "restore": caption.maximize_clicked,
                "close": caption.close_clicked,
            }[button].emit()

    def _group_button(self, button: str) -> None:
        if button == "close":
            self._frame.close_wanted.emit()
        elif button == "minimize":
            self._frame.set_state("minimized")
        elif button in ("maximize", "restore"):
            self._frame.set_state("normal" if self._frame.state == "maximized" else "maximized")

    def _custom_button(self, arguments: Mapping[str, Any]) -> None:
        window, _ = self._members.find(read_text(arguments, "id"))
        if window.caption is not None and any(one.id == arguments.get("button") for one in window.caption.added):
            window.caption.button_clicked.emit(read_text(arguments, "button"))

    def _reorder(self, arguments: Mapping[str, Any]) -> None:
        self._tab(arguments).strip.moved.emit(arguments["id"], round(read_number(arguments, "index")))

    def _grab(self, arguments: Mapping[str, Any]) -> None:
        self._dragged = self._tab(arguments)
        self._dragged.strip.grabbed.emit(self._pressed(arguments))

    def _tear_out(self, arguments: Mapping[str, Any]) -> None:
        self._dragged = self._tab(arguments)
        self._dragged.strip.torn_out.emit(arguments["id"], QCursor.pos(), self._pressed(arguments))

    def _pressed(self, arguments: Mapping[str, Any]) -> QPoint:
        """Return where the drag started."""
        return QCursor.pos() - QPoint(round(read_number(arguments, "across")), round(read_number(arguments, "down")))

    def _drag(self, _: Mapping[str, Any]) -> None:
        if self._dragged is not None:
            self._dragged.strip.dragged.emit(QCursor.pos(), _alt_now())

    def _drop(self, _: Mapping[str, Any]) -> None:
        dragged, self._dragged = self._dragged, None
        if dragged is not None:
            alt = _alt_now()
            dragged.strip.dragged.emit(QCursor.pos(), alt)
            dragged.strip.drag_ended.emit(alt)

    def _channels(self, arguments: Mapping[str, Any]) -> None:
        identity = read_text(arguments, "id")
        if arguments.get("target") == "tab":
            window = self._members.find_tab(identity).members[identity]
        else:
            window, _ = self._members.find(identity)
        if window.caption is not None and not window.caption.selector.isHidden():
            window.caption.selector.open_at(self._below(arguments))

    def _below(self, arguments: Mapping[str, Any]) -> QPoint:
        return self._frame.mapToGlobal(rect_of(read_bounds(arguments)).bottomLeft())

    def _retitle(self, arguments: Mapping[str, Any]) -> None:
        target, title = read_text(arguments, "target"), read_text(arguments, "text").strip()
        if not title:
            return
        if target == "group":
            self._retitle_group(title)
            return
        identity = read_text(arguments, "id")
        if target == "tab":
            window = self._members.find_tab(identity).members[identity]
        else:
            window, _ = self._members.find(identity)
        if window.request.chrome.title_editable and window.caption is not None and title != window.pane.title:
            window.caption.title_entered.emit(title)

    def _editor(self, arguments: Mapping[str, Any]) -> None:
        self._focus({"target": "page" if arguments.get("visible") is True else "group"})

    def _focus(self, arguments: Mapping[str, Any]) -> None:
        target, page, current = arguments.get("target"), self._members.page, self._frame.current
        if target == "page" and page is not None:
            page.view.setFocus()
        elif target == "frame":
            window, _ = self._members.find(read_text(arguments, "id"))
            window.focus()
        elif target == "group" and current is not None:
            current.setFocus()

    def _overflow(self, arguments: Mapping[str, Any]) -> None:
        _, tabs = self._members.find(read_text(arguments, "id"))
        place = QPoint(round(read_number(arguments, "left")), round(read_number(arguments, "top")))
        if tabs is not None:
            self._open_tabs(tabs, self._frame.mapToGlobal(place))

    def _open_tabs(self, tabs: TabPlace, place: QPoint) -> None:
        """Show all tabs in a menu."""
        menu = QMenu(self._frame)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setStyleSheet(menu_style(self._shared.look))
        for tab in () if tabs.drawing is None else tabs.drawing.tabs:
            if tab.header and tab.instance in tabs.members:
                action = menu.addAction(tab.title)
                action.triggered.connect(lambda _, one=tab.instance: tabs.strip.selected.emit(one))
        menu.popup(place)


def _alt_now() -> bool:
    return bool(QApplication.queryKeyboardModifiers() & Qt.KeyboardModifier.AltModifier)
