"""A connection of the window process that asks for something while an event waits: python x_events.py

It ends with 0 if the event is still reported.
"""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from Xlib import display

from rostrum.desktop.hosts.qt.x11 import CARDINAL, PROPERTY, X11, XEvent

_NAME = "_ROSTRUM_TEST"
_PATIENCE_MS = 20_000


def main() -> int:
    application = QGuiApplication(sys.argv[:1])

    def happened(event: XEvent) -> None:
        if event.kind == PROPERTY and event.atom == connection.atom(_NAME):
            application.exit(0)

    connection = X11(happened)
    connection.watch(connection.root, children=True)
    connection.values(connection.root, _NAME)

    def change() -> None:
        """Let another program change a property, and ask for it before the event loop sees the event."""
        other = display.Display()
        other.screen().root.change_property(other.get_atom(_NAME), CARDINAL, 32, [1])
        other.sync()
        assert connection.values(connection.root, _NAME) == [1]
        other.close()

    QTimer.singleShot(0, change)
    QTimer.singleShot(_PATIENCE_MS, lambda: application.exit(1))
    result: int = application.exec()
    connection.close()
    return result


if __name__ == "__main__":
    sys.exit(main())
