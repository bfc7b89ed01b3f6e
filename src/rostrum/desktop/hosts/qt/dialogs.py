"""Questions to the user."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rostrum.desktop.hosts.port import DialogLook
from rostrum.desktop.hosts.qt.buttons import PushButton
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.look import Look


class QuestionDialog(QWidget):
    """A question with a button for each choice; closing it or Escape selects the first choice, the safe one."""

    def __init__(self, question: str, choices: tuple[str, ...], look: DialogLook | None, colors: Look) -> None:
        super().__init__(None, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("dialog")
        self.setWindowTitle("Rostrum")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
        self.answer = Later()
        self._safe = choices[0]
        self._text = QLabel(question, self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for number, choice in enumerate(choices):
            button = PushButton(choice, self)
            button.setAutoDefault(True)
            button.setDefault(number == 0)
            button.clicked.connect(lambda _, chosen=choice: self._choose(chosen))
            buttons.addWidget(button)
            if number == 0:
                button.setFocus()
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.addWidget(self._text, 1)
        box.addLayout(buttons)
        self.setStyleSheet(
            f"#dialog {{ background: {colors.raised}; border: 1px solid {colors.border}; }}"
            f"QLabel {{ color: {colors.text}; font-size: 13px; }}"
            f"QPushButton {{ color: {colors.text}; background: {colors.surface}; border: 1px solid {colors.border};"
            " border-radius: 4px; padding: 6px 16px; }"
            f"QPushButton:focus {{ border: 2px solid {colors.accent}; }}"
        )
        width, height = (look.width, look.height) if look is not None else (420, 160)
        area = QGuiApplication.primaryScreen().availableGeometry()
        self.resize(round(min(width, area.width())), round(min(height, area.height())))
        self.move(area.center() - self.rect().center())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Treat Escape as the safe choice."""
        if event.key() == Qt.Key.Key_Escape:
            self._choose(self._safe)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Treat a closed dialog as the safe choice."""
        self.answer.resolve(self._safe)
        super().closeEvent(event)

    def _choose(self, choice: str) -> None:
        self.answer.resolve(choice)
        self.close()
