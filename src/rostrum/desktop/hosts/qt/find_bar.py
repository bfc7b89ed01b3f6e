"""A bar that searches the page for a text."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWebEngineCore import QWebEngineFindTextResult, QWebEnginePage
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.find_text import find_text
from rostrum.desktop.hosts.qt.look import Look


class FindBar(QWidget):
    """A bar below the page: a field, the number of matches, back, forward, close."""

    def __init__(self, page: QWebEnginePage, look: Look) -> None:
        """Make the bar for a page."""
        super().__init__()
        self.setObjectName("findBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(34)
        self._page = page
        self._searches = 0
        self._field = QLineEdit(self)
        self._field.setAccessibleName("Find in page")
        self._field.textChanged.connect(lambda _: self._search())
        self._count = QLabel(self)
        self._buttons: list[ToolButton] = []
        box = QHBoxLayout(self)
        box.setContentsMargins(8, 3, 6, 3)
        box.addWidget(self._field, 1)
        box.addWidget(self._count)
        for text, name, clicked in (
            ("↑", "Previous match", lambda: self._search(backwards=True)),
            ("↓", "Next match", self._search),
            ("×", "Close search", self.leave),
        ):
            button = ToolButton(self)
            button.setText(text)
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.clicked.connect(lambda _, run=clicked: run())
            box.addWidget(button)
            self._buttons.append(button)
        self.setStyleSheet(
            f"#findBar {{ background: {look.surface}; border-top: 1px solid {look.border}; }}"
            f"QLabel {{ color: {look.muted}; }} QToolButton {{ color: {look.text}; border: none; padding: 3px 7px; }}"
            f"QLineEdit {{ color: {look.text}; background: {look.raised}; border: 1px solid {look.border};"
            " border-radius: 3px; padding: 2px 6px; }"
            f"QLineEdit:disabled {{ color: {look.text}; background: {look.surface}; border: none; }}"
        )

    def open(self, refusal: str = "") -> None:
        """Show the bar and focus its field, or show why this page cannot be searched."""
        *steps, close = self._buttons
        for one in (self._field, *steps):
            one.setEnabled(not refusal)
        self._field.setPlaceholderText(refusal or "Find in page")
        self._field.setAccessibleDescription(refusal)
        self.show()
        if refusal:
            self._field.clear()
            close.setFocus()
            return
        self._field.setFocus()
        self._field.selectAll()
        self._search()

    def leave(self) -> None:
        """Hide the bar, and remove the highlighted matches."""
        self._searches += 1
        self._page.findText("")
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Find the next match with Enter and the previous one with Shift+Enter; close with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._search(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _search(self, *, backwards: bool = False) -> None:
        flag = QWebEnginePage.FindFlag.FindBackward if backwards else QWebEnginePage.FindFlag(0)
        self._searches += 1
        number = self._searches
        if self._field.text():
            # Not if the text has changed before the page could be searched.
            find_text(self._page, self._field.text(), flag, self._found, lambda: number == self._searches)
        else:
            self._page.findText("")
            self._count.setText("")

    def _found(self, result: QWebEngineFindTextResult) -> None:
        self._count.setText(f"{result.activeMatch()} of {result.numberOfMatches()}")
