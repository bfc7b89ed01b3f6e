"""The tabs of windows that share a cell, above the page of the selected one.

The strip shows the given tabs and reports user actions. It moves tabs within the strip itself during a drag, because
the pointer must not wait; all other changes wait for the next drawing.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QWidget

from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.caption import TitleEditor, symbol
from rostrum.desktop.hosts.qt.drags import alt_held
from rostrum.desktop.hosts.qt.look import Look, menu_style
from rostrum.desktop.hosts.qt.tab_bar import HEIGHT, TabBar, escaped
from rostrum.desktop.windows.tabs import Tab, shown

_MENU = 28
"""The width of the button that opens the menu of tabs that do not fit."""
_LONGEST_TITLE = 500


class TabStrip(QWidget):
    """The tabs of one cell.

    Attributes:
        selected: Emitted with the instance whose tab the user selected; ``closed`` likewise.
        moved: Emitted with an instance and the new index of its tab.
        pinned: Emitted with an instance, and whether it is to be pinned.
        titled: Emitted with an instance and the title that the user entered.
        detached: Emitted with an instance that the user moves to its own window, without a drag.
        torn_out: Emitted with an instance that is dragged out of the strip, the position of the pointer, and the
            position where the tab was grabbed; ``dragged`` and ``drag_ended`` follow.
        grabbed: Emitted with the position where the user grabs the strip itself; ``dragged`` and ``drag_ended`` follow.
        dragged: Emitted with the position of the pointer, and whether ALT is held.
        drag_ended: Emitted with whether ALT was held.
        menu_wanted: Emitted with the position for the menu of the platform.
    """

    selected = Signal(str)
    closed = Signal(str)
    moved = Signal(str, int)
    pinned = Signal(str, bool)
    titled = Signal(str, str)
    detached = Signal(str)
    torn_out = Signal(str, QPoint, QPoint)
    grabbed = Signal(QPoint)
    dragged = Signal(QPoint, bool)
    drag_ended = Signal(bool)
    menu_wanted = Signal(QPoint)

    def __init__(self, look: Look) -> None:
        """Make a strip without tabs."""
        super().__init__()
        self.setObjectName("tabs")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.titles_editable: Callable[[str], bool] = lambda _: False
        self._look = look
        self._tabs: tuple[Tab, ...] = ()
        self._front: str | None = None
        self._overflow = False
        self._menu_tabs: tuple[Tab, ...] = ()
        self._icons: dict[str, QIcon] = {}
        self._tooltips: dict[str, str] = {}
        self._editor: TitleEditor | None = None
        self._bar = TabBar(self)
        bar = self._bar
        bar.selected.connect(self.selected)
        bar.closed.connect(self.closed)
        bar.reordered.connect(self.moved)
        bar.torn_out.connect(self.torn_out)
        bar.grabbed.connect(self.grabbed)
        bar.dragged.connect(self.dragged)
        bar.drag_ended.connect(self.drag_ended)
        bar.title_wanted.connect(self.edit_title)
        bar.menu_wanted.connect(self.open_menu)
        self._more = ToolButton(self)
        self._more.setObjectName("more")
        self._more.setFixedSize(_MENU - 2, 24)
        self._more.setToolTip("More tabs")
        self._more.setAccessibleName("More tabs")
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.clicked.connect(self._open_more)
        self._more.hide()
        self._mark = QFrame(self)
        self._mark.hide()
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._bar)
        box.addWidget(self._more)
        box.addStretch(1)
        self.set_look(look)

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """Return all tabs, including those that do not fit."""
        return self._tabs

    @property
    def is_editing(self) -> bool:
        """Return whether the user is entering a title."""
        return self._editor is not None

    @property
    def has_keys(self) -> bool:
        """Return whether the strip has the keyboard focus."""
        return self._bar.hasFocus() or self._editor is not None

    def set_tabs(self, tabs: Sequence[Tab], selected: str | None, *, overflow: bool) -> None:
        """Show these tabs."""
        self._tabs, self._front, self._overflow = tuple(tabs), selected, overflow
        self._fill()

    def set_icons(self, icons: Mapping[str, QIcon]) -> None:
        """Show these icons, by instance."""
        self._icons = dict(icons)
        self._fill()

    def set_tooltips(self, tooltips: Mapping[str, str]) -> None:
        """Set the tooltips of tabs; the default is the complete title."""
        self._tooltips = dict(tooltips)
        self._fill()

    def set_look(self, look: Look) -> None:
        """Draw the strip in other colours."""
        self._look = look
        self._mark.setStyleSheet(f"background: {look.accent};")
        self._more.setIcon(symbol("more", look.text))
        self.setStyleSheet(
            f"#tabs {{ background: {look.surface}; }}"
            "QTabBar { background: transparent; border: none; }"
            f"QTabBar::tab {{ background: {look.surface}; color: {look.muted}; border: none;"
            f" border-right: 1px solid {look.border}; border-top: 2px solid transparent; padding: 0 6px; }}"
            f"QTabBar::tab:hover {{ color: {look.text}; }}"
            f"QTabBar::tab:selected {{ background: {look.raised}; color: {look.text};"
            f" border-top: 2px solid {look.accent}; }}"
            f"QTabBar[keys=true]::tab:selected {{ border-bottom: 2px solid {look.accent}; }}"
            # Qt always has a current tab, also if the strip does not show the selected one.
            f"QTabBar[blank=true]::tab:selected {{ background: {look.surface}; border-top: 2px solid transparent; }}"
            "QToolButton { border: none; background: transparent; }"
            f"QToolButton:hover, QToolButton:focus {{ background: {look.border}; }}"
            f"QLineEdit {{ color: {look.text}; background: {look.raised}; border: 1px solid {look.accent}; }}"
        )
        self._bar.flashing.color = QColor(look.accent)
        self._bar.set_close_icon(symbol("close", look.text))
        self._fill()

    def flash(self, instance: str, *, on: bool) -> bool:
        """Draw attention to a tab until it is selected, or stop; return whether the strip has it."""
        if not any(tab.instance == instance and tab.header for tab in self._tabs):
            return False
        self._bar.flash(instance, on=on)
        return True

    def index_at(self, place: QPoint) -> int | None:
        """Return the index for a window that is dropped at a position of the strip; None outside the strip."""
        if not self.isVisible() or not self.rect().contains(place):
            return None
        drawn = [tab.instance for tab in self._tabs]
        for number in range(self._bar.count()):
            if place.x() < self._bar.tabRect(number).center().x():
                return drawn.index(self._bar.instance(number))
        return len(drawn)

    def show_mark(self, place: QPoint | None) -> None:
        """Show where a window that is dropped at a position of the strip becomes a tab."""
        if place is None or self.index_at(place) is None:
            self._mark.hide()
            return
        edges = [self._bar.tabRect(number).left() for number in range(self._bar.count())]
        edges.append(self._bar.tabRect(self._bar.count() - 1).right() + 1)
        nearest = min(edges, key=lambda edge: abs(edge - place.x()))
        self._mark.setGeometry(QRect(max(0, nearest - 1), 2, 3, HEIGHT - 4))
        self._mark.show()
        self._mark.raise_()

    def edit_title(self, instance: str) -> None:
        """Let the user edit the title of a tab."""
        number = self._bar.find(instance)
        if number is None or self._editor is not None or not self.titles_editable(instance):
            return
        editor = TitleEditor(self._title(instance), self)
        editor.setMaxLength(_LONGEST_TITLE)
        editor.setGeometry(self._bar.tabRect(number).adjusted(2, 3, -2, -3))
        editor.finished.connect(lambda text: self._titled(instance, text))
        self._editor = editor
        editor.show()
        editor.selectAll()
        editor.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many tabs as fit."""
        super().resizeEvent(event)
        self._fill()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a drag of the strip at its empty part."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.grabbed.emit(event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue the drag."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.globalPosition().toPoint(), alt_held(event))
        else:
            # The window manager may not forward the release.
            self.drag_ended.emit(alt_held(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.drag_ended.emit(alt_held(event))

    def _title(self, instance: str) -> str:
        return next((tab.title for tab in self._tabs if tab.instance == instance), "")

    def _titled(self, instance: str, text: str | None) -> None:
        editor, self._editor = self._editor, None
        if editor is None:
            return
        editor.deleteLater()
        if text is not None and text.strip() and text.strip() != self._title(instance):
            self.titled.emit(instance, text.strip())

    def _fill(self) -> None:
        room = self.width() - (_MENU if self._overflow else 0)
        strip, self._menu_tabs = shown(self._tabs, self._front, room, overflow=self._overflow)
        self._more.setVisible(bool(self._menu_tabs))
        self._bar.setMaximumWidth(max(1, room))
        self._bar.set_every([tab.instance for tab in self._tabs])
        self._bar.fill(strip, self._front, self._icons, self._tooltips)

    def _open_more(self) -> None:
        menu = self._menu()
        for tab in self._menu_tabs:
            action = menu.addAction(self._icons.get(tab.instance, QIcon()), escaped(tab.title))
            action.triggered.connect(partial(self.selected.emit, tab.instance))
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def open_menu(self, instance: str, place: QPoint) -> None:
        """Open the menu of a tab at a place of the screen."""
        tab = next((one for one in self._tabs if one.instance == instance), None)
        if tab is None:
            return
        menu = self._menu()
        menu.addAction("Unpin tab" if tab.pinned else "Pin tab").triggered.connect(
            lambda: self.pinned.emit(instance, not tab.pinned)
        )
        if len(self._tabs) > 1:
            menu.addAction("Move to own window").triggered.connect(lambda: self.detached.emit(instance))
        if tab.closable:
            menu.addSeparator()
            menu.addAction("Close tab").triggered.connect(lambda: self.closed.emit(instance))
        menu.popup(place)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setStyleSheet(menu_style(self._look))
        return menu
