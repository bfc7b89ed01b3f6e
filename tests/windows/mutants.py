"""A broken window process, which the tests of windows must notice: python mutants.py NAME --link …"""

import sys
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__)


def _drop_a_report() -> None:
    from rostrum.desktop.hosts.qt.platform import Platform
    from rostrum.desktop.hosts.reports import Moved

    complete = Platform.report

    def dropping(self: Platform, report: Any) -> None:
        if not isinstance(report, Moved):
            complete(self, report)

    Platform.report = dropping  # type: ignore[method-assign]  # broken deliberately


def _show_before_placing() -> None:
    from PySide6.QtCore import QTimer

    from rostrum.desktop.hosts.qt.drags import rect_of
    from rostrum.desktop.hosts.qt.frame import Frame

    opened = Frame.open

    def early(self: Any, *arguments: Any, **options: Any) -> None:
        place = rect_of(self.bounds)
        self.setGeometry(10, 10, 300, 200)
        opened(self, *arguments, **options)
        QTimer.singleShot(50, self, lambda: self.setGeometry(place))

    Frame.open = early  # type: ignore[method-assign]  # broken deliberately


MUTANTS = {"drops a report": _drop_a_report, "shows a window before placing it": _show_before_placing}

if __name__ == "__main__":
    MUTANTS[sys.argv.pop(1)]()
    from rostrum.desktop.hosts.qt.main import main

    main()
