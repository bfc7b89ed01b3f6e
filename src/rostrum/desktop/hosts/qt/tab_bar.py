"""The tabs of a strip that fit; users select, drag and close them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QTabBar, QWidget

from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.drags import SecondClick, alt_held
from rostrum.desktop.hosts.qt.tab_flash import TabFlash
from rostrum.desktop.windows.tabs import NARROWEST, PINNED, Tab

HEIGHT = 30
_WIDTH = 160
"""All tabs have this width while there is space, so that a new title does not move other tabs."""
_TEAR = 20
"""Distance beyond the strip at which a dragged tab becomes a window."""


class TabBar(QTabBar):
    """The tabs that fit, one of them selected.

    Attributes:
        selected: Emitted with the instance whose tab the user selected; ``closed`` likewise.
        reordered: Emitted with an instance and the new index of its tab, after a drag or by keys.
        torn_out: Emitted with an instance that is dragged out of the strip, the position of the pointer, and the
            position where the tab was grabbed; ``dragged`` and ``drag_ended`` follow.
        grabbed: Emitted with the position where the user grabs the strip itself; ``dragged`` and ``drag_ended`` follow.
        dragged: Emitted with the position of the pointer, and whether ALT is held.
        drag_ended: Emitted with whether ALT was held.
        title_wanted: Emitted with an instance whose title the user wants to edit.
        menu_wanted: Emitted with an instance, and the position for the menu of its tab.
        flashing: The tabs that draw attention.
    """

    selected = Signal(str)
    closed = Signal(str)
    reordered = Signal(str, int)
    torn_out = Signal(str, QPoint, QPoint)
    grabbed = Signal(QPoint)
    dragged = Signal(QPoint, bool)
    drag_ended = Signal(bool)
    title_wanted = Signal(str)
    menu_wanted = Signal(str, QPoint)

    def __init__(self, parent: QWidget) -> None:
        """Make a bar without tabs."""
        super().__init__(parent)
        self._every: tuple[str, ...] = ()
        self._drawn: tuple[Tab, ...] = ()
        self._scrolled_for: tuple[object, ...] = ()
        self._is_filling = False
        self._close_icon = QIcon()
        self._pressed: QPoint | None = None
        self._grabbed: str | None = None
        self._grab_offset = 0.0
        self._is_strip_drag = False
        self._is_torn = False
        self._second_click = SecondClick()
        self._was_moved = False
        self._wanted: Callable[[], None] | None = None
        self.flashing = TabFlash(self)
        self.flashing.changed.connect(self.update)
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
        """Return the index of the tab of an instance."""
        return next((number for number in range(self.count()) if self.instance(number) == instance), None)

    def set_close_icon(self, icon: QIcon) -> None:
        """Draw close buttons with another icon."""
        self._close_icon = icon
        self._drawn = ()

    def flash(self, instance: str, *, on: bool) -> None:
        """Flash a tab until it is selected, or stop; the selected tab does not flash."""
        front = self.currentIndex()
        is_front = front >= 0 and self.instance(front) == instance and not self.property("blank")
        self.flashing.set(instance, on=on and not is_front)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the tabs, and those that flash."""
        super().paintEvent(event)
        tabs = ((self.instance(number), self.tabRect(number)) for number in range(self.count()))
        self.flashing.paint(QPainter(self), tabs)

    def set_every(self, instances: Sequence[str]) -> None:
        """Set all tabs in their order, including those that do not fit."""
        self._every = tuple(instances)

    def fill(
        self, tabs: tuple[Tab, ...], selected: str | None, icons: Mapping[str, QIcon], tooltips: Mapping[str, str]
    ) -> None:
        """Show these tabs, in this order."""
        if self._grabbed is not None and not self._is_torn:
            # During a drag, the order is that of the pointer until the tab is dropped.
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
            self.flashing.keep([one for one in self._every if one != selected])
        finally:
            self._is_filling = False
        self.updateGeometry()
        self._scroll_to_front()

    def tabSizeHint(self, index: int) -> QSize:
        """Return the width of a tab while there is space."""
        return QSize(PINNED if self._is_pinned(index) else _WIDTH, HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return the minimum width of a tab."""
        return QSize(PINNED if self._is_pinned(index) else NARROWEST, HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a tab, and start to drag it."""
        number = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and number >= 0 and self._drawn[number].closable:
            self.closed.emit(self.instance(number))
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._second_click.release()
        self._pressed = event.globalPosition().toPoint()
        self._is_torn = self._was_moved = False
        self._is_strip_drag = number < 0 or len(self._every) == 1
        if self._is_strip_drag:
            # Dragging a single tab moves its window.
            self.grabbed.emit(self._pressed)
            return
        self._grabbed = self.instance(number)
        self._grab_offset = event.position().x() - self.tabRect(number).left()
        if number == self.currentIndex() and self.property("blank"):
            self.selected.emit(self._grabbed)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a tab within the strip, or out of it."""
        place = event.globalPosition().toPoint()
        self._second_click.move(event)
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._end_drag(event)
        elif self._is_strip_drag or self._is_torn:
            self.dragged.emit(place, alt_held(event))
        elif self._grabbed is not None and self._is_outside(event.position().toPoint()):
            self._tear_out(place, event)
        else:
            super().mouseMoveEvent(self._within(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._end_drag(event)
            number = self.tabAt(event.position().toPoint())
            if self._second_click.release() and number >= 0:
                self.title_wanted.emit(self.instance(number))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit the title of a tab at the release, unless the user drags it."""
        self.mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._second_click.press(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of a tab, also by keyboard."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        number = self.currentIndex() if by_key else self.tabAt(event.pos())
        if number >= 0:
            place = self.mapToGlobal(self.tabRect(number).bottomLeft()) if by_key else event.globalPos()
            self.menu_wanted.emit(self.instance(number), place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select with the arrow keys; move with Ctrl, close with Delete, rename with F2."""
        number, key = self.currentIndex(), event.key()
        if number < 0:
            return
        if key == Qt.Key.Key_Delete and self._drawn[number].closable:
            self.closed.emit(self.instance(number))
        elif key == Qt.Key.Key_F2:
            self.title_wanted.emit(self.instance(number))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            step = -1 if key == Qt.Key.Key_Left else 1
            self.reordered.emit(self.instance(number), max(0, self._every.index(self.instance(number)) + step))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the strip has the keyboard focus."""
        super().focusInEvent(event)
        self._set_property("keys", value=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the strip has lost the keyboard focus."""
        super().focusOutEvent(event)
        self._set_property("keys", value=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the selected tab."""
        super().resizeEvent(event)
        self._scroll_to_front()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the selected tab."""
        super().showEvent(event)
        self._scroll_to_front()

    def _scroll_to_front(self) -> None:
        """Scroll from the first tab to the selected one, after a change of tabs, selection or size.

        Qt scrolls from the current position: the same tabs would look different after a restore, and could be
        truncated.
        """
        front = self.currentIndex()
        state = (tuple((tab.instance, tab.pinned) for tab in self._drawn), front, self.size(), self.isVisible())
        if state == self._scrolled_for or self._grabbed is not None or self.count() < 2:
            return
        self._scrolled_for = state
        was_filling, self._is_filling = self._is_filling, True
        try:
            self.setCurrentIndex(0 if front > 0 else self.count() - 1)
            self.setCurrentIndex(front)
        finally:
            self._is_filling = was_filling

    def _set_property(self, name: str, *, value: bool) -> None:
        """Set a property that the style sheet uses."""
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
        if self.tabText(number) != escaped(text):
            self.setTabText(number, escaped(text))
        self.setTabIcon(number, icon)
        self.setTabToolTip(number, tooltip)
        self.setAccessibleTabName(number, tab.title)
        before = self._drawn[number] if number < len(self._drawn) else None
        if before is None or (before.closable, before.pinned) != (tab.closable, tab.pinned):
            self.setTabButton(number, QTabBar.ButtonPosition.RightSide, self._close_button(tab))

    def _close_button(self, tab: Tab) -> ToolButton | None:
        if not tab.closable or tab.pinned:
            return None
        button = ToolButton(self)
        button.setFixedSize(18, 18)
        button.setIconSize(QSize(8, 8))
        button.setIcon(self._close_icon)
        button.setToolTip("Close tab")
        button.setAccessibleName(f"Close {tab.title}")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(partial(self.closed.emit, tab.instance))
        return button

    def _current_changed(self, number: int) -> None:
        if not self._is_filling and number >= 0:
            self.selected.emit(self.instance(number))

    def _tab_moved(self, _: int, __: int) -> None:
        if not self._is_filling:
            self._was_moved = True

    def _within(self, event: QMouseEvent) -> QMouseEvent:
        """Return a move that keeps the dragged tab in the strip: Qt does not move a tab beyond the last one."""
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
        # Ends the drag within the strip; this widget keeps the pointer until the button is released.
        super().mouseReleaseEvent(event)
        self._was_moved = False
        self.torn_out.emit(instance, place, pressed)

    def _end_drag(self, event: QMouseEvent) -> None:
        grabbed, self._grabbed, self._pressed = self._grabbed, None, None
        was_strip_drag, self._is_strip_drag = self._is_strip_drag, False
        was_torn, self._is_torn = self._is_torn, False
        if was_strip_drag or was_torn:
            self.drag_ended.emit(alt_held(event))
        elif grabbed is not None:
            super().mouseReleaseEvent(event)
            if self._was_moved:
                # The next drawing has the new order; the pending one does not.
                self._wanted = None
                self._report_move(grabbed)
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            wanted()

    def _report_move(self, instance: str) -> None:
        """Report the index among all tabs; this bar may show only some of them."""
        order = [self.instance(number) for number in range(self.count())]
        place = order.index(instance)
        others = [one for one in self._every if one != instance]
        before = next((one for one in reversed(order[:place])), None)
        self.reordered.emit(instance, 0 if before is None else others.index(before) + 1)


def escaped(title: str) -> str:
    """Return a title with escaped ampersands, which would be shortcuts."""
    return title.replace("&", "&&")
