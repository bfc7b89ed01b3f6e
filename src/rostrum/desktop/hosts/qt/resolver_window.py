"""The list in which the user chooses the app that handles an intent."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QCloseEvent, QColor, QCursor, QGuiApplication, QKeyEvent, QPainter, QScreen
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from rostrum.desktop.hosts.port import AppChoice
from rostrum.desktop.hosts.qt.drags import rect_of
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.look import Look

_WIDTH, _ROW, _HEADING, _REST = 440, 46, 26, 100
"""Sizes in pixels: the window, an option, a heading, and everything outside the list."""
_MOST_HEIGHT = 560
_DETAIL = Qt.ItemDataRole.UserRole
_NUMBER = Qt.ItemDataRole.UserRole + 1


class _Rows(QStyledItemDelegate):
    """Draws options as two lines, and headings."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of a row."""
        return QSize(option.rect.width(), _HEADING if index.data(_NUMBER) is None else _ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a row; the selected one in the colour of the theme."""
        look, area = self.look, option.rect.adjusted(10, 4, -10, -4)
        is_heading = index.data(_NUMBER) is None
        is_selected = index == option.widget.currentIndex() and not is_heading
        painter.save()
        font = painter.font()
        font.setPixelSize(11 if is_heading else 13)
        font.setBold(is_heading)
        painter.setFont(font)
        if is_selected:
            painter.fillRect(option.rect, QColor(look.accent))
        painter.setPen(QColor(look.raised if is_selected else look.muted if is_heading else look.text))
        title, detail = str(index.data()), str(index.data(_DETAIL) or "")
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        line = area if not detail else area.adjusted(0, 0, 0, -area.height() // 2)
        painter.drawText(line, middle, _shortened(painter, title, line.width()))
        if detail:
            font.setPixelSize(11)
            painter.setFont(font)
            painter.setPen(QColor(look.raised if is_selected else look.muted))
            line = area.adjusted(0, area.height() // 2, 0, 0)
            painter.drawText(line, middle, _shortened(painter, detail, line.width()))
        painter.restore()


class ResolverWindow(QWidget):
    """Arrow keys and Enter, or a click, choose an option. Escape, or closing the window, chooses none.

    Attributes:
        answer: The index of the chosen option, or None.
    """

    def __init__(self, choice: AppChoice, look: Look) -> None:
        super().__init__(None, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("resolver")
        self.setWindowTitle(choice.title)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
        self.answer = Later()
        self._list = QListWidget(self)
        self._rows = _Rows(look, self._list)
        self._list.setItemDelegate(self._rows)
        self._list.setAccessibleName(choice.title)
        self._list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fill(choice)
        # Some styles also activate an item by a click; the first of the two signals counts.
        self._list.itemActivated.connect(self._choose)
        self._list.itemClicked.connect(self._choose)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 12)
        box.addWidget(_label(choice.title, "title"))
        if choice.note:
            box.addWidget(_label(choice.note, "note"))
        box.addWidget(self._list, 1)
        box.addWidget(_label("Use the arrow keys and Enter to choose. Escape cancels.", "note"))
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Draw it in other colours."""
        self._rows.look = look
        self.setStyleSheet(
            f"#resolver {{ background: {look.raised}; border: 1px solid {look.border}; }}"
            f"#title {{ color: {look.text}; font-size: 15px; font-weight: 600; }}"
            f"#note {{ color: {look.muted}; font-size: 12px; }}"
            f"QListWidget {{ background: {look.surface}; border: 1px solid {look.border}; outline: 0; }}"
        )

    def open(self, source: Frame | None) -> None:
        """Show it in the middle of the display of the requesting window, or of the pointer if that window is hidden."""
        area = _display(source).availableGeometry()
        rows = sum(self._list.sizeHintForRow(row) for row in range(self._list.count()))
        self.resize(min(_WIDTH, area.width()), min(rows + _REST, _MOST_HEIGHT, area.height()))
        self.move(area.center() - self.rect().center())
        self.show()
        self.raise_()
        self.activateWindow()
        self._list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close without a choice with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Return no choice, unless an option was chosen."""
        self.answer.resolve(None)
        super().closeEvent(event)

    def _fill(self, choice: AppChoice) -> None:
        section, first = None, None
        for number, option in enumerate(choice.options):
            if option.section != section:
                section = option.section
                heading = QListWidgetItem(section, self._list)
                # The keyboard skips disabled items.
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
            item = QListWidgetItem(option.title, self._list)
            item.setData(_DETAIL, option.detail)
            item.setData(_NUMBER, number)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{section}: {option.title}, {option.detail}")
            first = first or item
        if first is not None:
            self._list.setCurrentItem(first)

    def _choose(self, item: QListWidgetItem) -> None:
        number = item.data(_NUMBER)
        if number is not None:
            self.answer.resolve(number)
            self.close()


def _display(source: Frame | None) -> QScreen:
    if source is not None and source.isVisible() and not source.isMinimized():
        # Qt notes the display of a window later than its place, and on a busy machine also the place too late.
        place = source.geometry() if source.state == "maximized" else rect_of(source.bounds)
        return QGuiApplication.screenAt(place.center()) or source.screen()
    return QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()


def _label(text: str, name: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    # Texts come from app directories, which are not trusted.
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def _shortened(painter: QPainter, text: str, width: int) -> str:
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
