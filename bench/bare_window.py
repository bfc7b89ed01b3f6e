"""A bare browser window of the same engine, as a peer of the window process: one line in, one line out.

``open ADDRESS`` opens a window, and answers with the milliseconds until its page is loaded. ``again ADDRESS`` loads a
page in the newest window, ``close`` closes it.
"""

import sys
import time
from typing import Any

from PySide6.QtCore import QSocketNotifier, Qt, QUrl
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication

views: list[Any] = []


def main() -> None:
    application = QApplication(sys.argv)
    application.setQuitOnLastWindowClosed(False)
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: do(application, sys.stdin.readline().split()))
    print("ready", flush=True)
    application.exec()


def do(application: QApplication, words: list[str]) -> None:
    if not words:
        application.quit()
    elif words[0] == "close":
        view = views.pop()
        view.close()
        view.deleteLater()
        print("closed", flush=True)
    else:
        began = time.perf_counter()
        is_new = words[0] == "open"
        if is_new:
            views.append(QWebEngineView())
        view = views[-1]
        view.loadFinished.connect(
            lambda: print((time.perf_counter() - began) * 1e3, flush=True), Qt.ConnectionType.SingleShotConnection
        )
        if is_new:
            view.setGeometry(100, 100, 600, 400)
        view.load(QUrl(words[1]))
        if is_new:
            view.show()


if __name__ == "__main__":
    main()
