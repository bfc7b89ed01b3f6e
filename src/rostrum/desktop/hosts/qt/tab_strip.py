"""TabStrip: the tabs of windows that share one place, drawn above the page of the selected one.

The strip shows what it is given and reports what people do. It moves tabs within the strip by itself while a person
drags them, because the pointer must not wait; everything else waits for the next drawing.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QIcon, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QTabBar, QToolButton, QWidget

from rostrum.desktop.hosts.qt.caption import TitleEditor, menu_style, symbol
from rostrum.desktop.hosts.qt.drags import alt_held
from rostrum.desktop.hosts.qt.look import Look
from rostrum.desktop.windows.tabs import NARROWEST, PINNED, Tab, shown

__all__ = ["HEIGHT", "TabStrip"]

HEIGHT = 30
_WIDTH = 160
"""Tabs are all this wide while there is room, so that a new title moves no other tab."""
_MENU = 28
"""The width of the button that opens the menu of tabs without room."""
_TEAR = 20
"""How far beyond the strip a dragged tab becomes a window of its own."""
_LONGEST_TITLE = 500


class TabStrip(QWidget):
    """The tabs of one place.

    Attributes:
        selected: Emitted with the instance whose tab a person has selected; ``closed`` likewise.
        moved: Emitted with an instance and the index that a person has dragged its tab to.
        pinned: Emitted with an instance, and whether it is to be pinned.
        titled: Emitted with an instance and the title that a person has entered for it.
        detached: Emitted with an instance that a person moves to a window of its own, without a drag.
        torn_out: Emitted with an instance that is dragged out of the strip, the place of the pointer, and the place
            at which the tab was grabbed; ``dragged`` and ``drag_ended`` follow.
        grabbed: Emitted with the place at which a person grabs the strip itself; ``dragged`` and ``drag_ended`` follow.
        dragged: Emitted with the place of the pointer, and whether ALT is held.
        drag_ended: Emitted with whether ALT was held.
        menu_wanted: Emitted with the place at which the menu of the platform is wanted.

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
        self._bar = _Bar(self)
        self._more = QToolButton(self)
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
        """Return all tabs, also those without room."""
        return self._tabs

    @property
    def is_editing(self) -> bool:
        """Say whether a person is entering a title."""
        return self._editor is not None

    @property
    def has_keys(self) -> bool:
        """Say whether keys go to the strip."""
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
        """Show these texts where the pointer rests on a tab; without one, its whole title."""
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
        self._bar.set_close_icon(symbol("close", look.text))
        self._fill()

    def index_at(self, place: QPoint) -> int | None:
        """Return the index that a window dropped at a place of the strip gets; None outside the strip."""
        if not self.isVisible() or not self.rect().contains(place):
            return None
        drawn = [tab.instance for tab in self._tabs]
        for number in range(self._bar.count()):
            if place.x() < self._bar.tabRect(number).center().x():
                return drawn.index(self._bar.instance(number))
        return len(drawn)

    def show_mark(self, place: QPoint | None) -> None:
        """Show where a window dropped at a place of the strip becomes a tab."""
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
        """Let a person enter another title for a tab."""
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
        """Show as many tabs as there is room for."""
        super().resizeEvent(event)
        self._fill()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab the strip where no tab is."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.grabbed.emit(event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what was grabbed."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.globalPosition().toPoint(), alt_held(event))
        else:
            # The window manager may keep the release to itself.
            self.drag_ended.emit(alt_held(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let it rest."""
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
        self._bar.fill(strip, self._front, self._icons, self._tooltips)

    def _open_more(self) -> None:
        menu = self._menu()
        for tab in self._menu_tabs:
            action = menu.addAction(self._icons.get(tab.instance, QIcon()), _escaped(tab.title))
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


class _Bar(QTabBar):
    """The tabs that have room, one of them selected."""

    def __init__(self, strip: TabStrip) -> None:
        super().__init__(strip)
        self._strip = strip
        self._drawn: tuple[Tab, ...] = ()
        self._is_filling = False
        self._close_icon = QIcon()
        self._pressed: QPoint | None = None
        self._grabbed: str | None = None
        self._grab_offset = 0.0
        self._is_strip_drag = False
        self._is_torn = False
        self._was_moved = False
        self._wanted: Callable[[], None] | None = None
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setIconSize(QSize(16, 16))
        self.setFixedHeight(HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Tabs")
        self.currentChanged.connect(self._current_changed)
        self.tabMoved.connect(self._tab_moved)

    def instance(self, number: int) -> str:
        """Return the instance of a tab."""
        return str(self.tabData(number) or "")

    def find(self, instance: str) -> int | None:
        """Return the number of the tab of an instance."""
        return next((number for number in range(self.count()) if self.instance(number) == instance), None)

    def set_close_icon(self, icon: QIcon) -> None:
        """Draw close buttons with another icon."""
        self._close_icon = icon
        self._drawn = ()

    def fill(
        self, tabs: tuple[Tab, ...], selected: str | None, icons: Mapping[str, QIcon], tooltips: Mapping[str, str]
    ) -> None:
        """Show these tabs, in this order."""
        if self._grabbed is not None and not self._is_torn:
            # The order is that of the pointer until the tab is dropped.
            self._wanted = partial(self.fill, tabs, selected, icons, tooltips)
            return
        self._is_filling = True
        try:
            if [tab.instance for tab in tabs] != [self.instance(number) for number in range(self.count())]:
                self._set_instances([tab.instance for tab in tabs])
                self._drawn = ()
            for number, tab in enumerate(tabs):
                self._set_tab(number, tab, icons.get(tab.instance, QIcon()), tooltips.get(tab.instance) or tab.title)
            self._drawn = tabs
            front = None if selected is None else self.find(selected)
            if front is not None and front != self.currentIndex():
                self.setCurrentIndex(front)
            self._set_property("blank", value=front is None)
        finally:
            self._is_filling = False
        self.updateGeometry()

    def tabSizeHint(self, index: int) -> QSize:
        """Return how wide a tab is while there is room."""
        return QSize(PINNED if self._is_pinned(index) else _WIDTH, HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return how narrow a tab may become."""
        return QSize(PINNED if self._is_pinned(index) else NARROWEST, HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a tab, and begin to drag it."""
        number = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and number >= 0 and self._drawn[number].closable:
            self._strip.closed.emit(self.instance(number))
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = event.globalPosition().toPoint()
        self._is_torn = self._was_moved = False
        self._is_strip_drag = number < 0 or len(self._strip.tabs) == 1
        if self._is_strip_drag:
            # A single tab stands for its window.
            self._strip.grabbed.emit(self._pressed)
            return
        self._grabbed = self.instance(number)
        self._grab_offset = event.position().x() - self.tabRect(number).left()
        if number == self.currentIndex() and self.property("blank"):
            self._strip.selected.emit(self._grabbed)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a tab within the strip, or out of it."""
        place = event.globalPosition().toPoint()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._end_drag(event)
        elif self._is_strip_drag or self._is_torn:
            self._strip.dragged.emit(place, alt_held(event))
        elif self._grabbed is not None and self._is_outside(event.position().toPoint()):
            self._tear_out(place, event)
        else:
            super().mouseMoveEvent(self._within(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the tab rest."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._end_drag(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit the title of a tab."""
        number = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and number >= 0:
            self._strip.edit_title(self.instance(number))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of a tab, also by a key."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        number = self.currentIndex() if by_key else self.tabAt(event.pos())
        if number >= 0:
            place = self.mapToGlobal(self.tabRect(number).bottomLeft()) if by_key else event.globalPos()
            self._strip.open_menu(self.instance(number), place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select with the arrow keys; move with Ctrl, close with Delete, rename with F2."""
        number, key = self.currentIndex(), event.key()
        if number < 0:
            return
        if key == Qt.Key.Key_Delete and self._drawn[number].closable:
            self._strip.closed.emit(self.instance(number))
        elif key == Qt.Key.Key_F2:
            self._strip.edit_title(self.instance(number))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            step = -1 if key == Qt.Key.Key_Left else 1
            drawn = [tab.instance for tab in self._strip.tabs]
            self._strip.moved.emit(self.instance(number), max(0, drawn.index(self.instance(number)) + step))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that keys go to the strip."""
        super().focusInEvent(event)
        self._set_property("keys", value=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that they go elsewhere."""
        super().focusOutEvent(event)
        self._set_property("keys", value=False)

    def _set_property(self, name: str, *, value: bool) -> None:
        """Set what the style sheet asks for."""
        if bool(self.property(name)) is not value:
            self.setProperty(name, value)
            self.style().unpolish(self)
            self.style().polish(self)

    def _is_pinned(self, index: int) -> bool:
        return bool(self.property(f"pinned {self.instance(index)}"))

    def _set_instances(self, instances: Sequence[str]) -> None:
        for number in reversed(range(self.count())):
            if self.instance(number) not in instances:
                self.removeTab(number)
        for number, instance in enumerate(instances):
            found = self.find(instance)
            if found is None:
                self.insertTab(number, "")
                self.setTabData(number, instance)
            elif found != number:
                self.moveTab(found, number)

    def _set_tab(self, number: int, tab: Tab, icon: QIcon, tooltip: str) -> None:
        name = f"pinned {tab.instance}"
        if bool(self.property(name)) is not tab.pinned:
            self.setProperty(name, tab.pinned)
        text = "" if tab.pinned and not icon.isNull() else tab.title[:1] if tab.pinned else tab.title
        if self.tabText(number) != _escaped(text):
            self.setTabText(number, _escaped(text))
        self.setTabIcon(number, icon)
        self.setTabToolTip(number, tooltip)
        self.setAccessibleTabName(number, tab.title)
        before = self._drawn[number] if number < len(self._drawn) else None
        if before is None or (before.closable, before.pinned) != (tab.closable, tab.pinned):
            self.setTabButton(number, QTabBar.ButtonPosition.RightSide, self._close_button(tab))

    def _close_button(self, tab: Tab) -> QToolButton | None:
        if not tab.closable or tab.pinned:
            return None
        button = QToolButton(self)
        button.setFixedSize(18, 18)
        button.setIconSize(QSize(8, 8))
        button.setIcon(self._close_icon)
        button.setToolTip("Close tab")
        button.setAccessibleName(f"Close {tab.title}")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(partial(self._strip.closed.emit, tab.instance))
        return button

    def _current_changed(self, number: int) -> None:
        if not self._is_filling and number >= 0:
            self._strip.selected.emit(self.instance(number))

    def _tab_moved(self, _: int, __: int) -> None:
        if not self._is_filling:
            self._was_moved = True

    def _within(self, event: QMouseEvent) -> QMouseEvent:
        """Return a move that keeps the dragged tab among the others: Qt moves nothing for one beyond the last tab."""
        number = self.find(str(self._grabbed))
        if number is None:
            return event
        last = self.tabRect(self.count() - 1).right() - self.tabRect(number).width() + self._grab_offset
        x = min(max(event.position().x(), self._grab_offset), last)
        place = QPointF(x, event.position().y())
        return QMouseEvent(
            event.type(),
            place,
            QPointF(self.mapToGlobal(place)),
            event.button(),
            event.buttons(),
            event.modifiers(),
            event.pointingDevice(),
        )

    def _is_outside(self, place: QPoint) -> bool:
        return not self.rect().adjusted(-_TEAR, -_TEAR, _TEAR, _TEAR).contains(place)

    def _tear_out(self, place: QPoint, event: QMouseEvent) -> None:
        instance, pressed = self._grabbed, self._pressed
        if instance is None or pressed is None:
            return
        self._is_torn = True
        # Ends the drag within the strip; the pointer stays with this widget until the button is released.
        super().mouseReleaseEvent(event)
        self._was_moved = False
        self._strip.torn_out.emit(instance, place, pressed)

    def _end_drag(self, event: QMouseEvent) -> None:
        grabbed, self._grabbed, self._pressed = self._grabbed, None, None
        was_strip_drag, self._is_strip_drag = self._is_strip_drag, False
        was_torn, self._is_torn = self._is_torn, False
        if was_strip_drag or was_torn:
            self._strip.drag_ended.emit(alt_held(event))
        elif grabbed is not None:
            super().mouseReleaseEvent(event)
            if self._was_moved:
                # The next drawing has the new order; the one that waits does not.
                self._wanted = None
                self._report_move(grabbed)
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            wanted()

    def _report_move(self, instance: str) -> None:
        """Report the index among all tabs, of which this bar may show a part."""
        order = [self.instance(number) for number in range(self.count())]
        place = order.index(instance)
        others = [tab.instance for tab in self._strip.tabs if tab.instance != instance]
        before = next((one for one in reversed(order[:place])), None)
        self._strip.moved.emit(instance, 0 if before is None else others.index(before) + 1)


def _escaped(title: str) -> str:
    """Return a title whose ampersands are no shortcuts."""
    return title.replace("&", "&&")
