"""Downloads: folders, file names, and the progress bar."""

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWebEngineCore import QWebEngineDownloadRequest, QWebEnginePage
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from rostrum.base.ids import new_id
from rostrum.desktop.hosts.qt.buttons import ToolButton
from rostrum.desktop.hosts.qt.dispatcher import Refused
from rostrum.desktop.hosts.qt.injection import ISOLATED
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.reports import DownloadProgressed
from rostrum.desktop.windows.download_folders import (
    may_be_opened,
    safe_name,
    start_folders,
    why_no_folder,
    why_not_into,
)

_log = logging.getLogger(__name__)

_STATES = {
    QWebEngineDownloadRequest.DownloadState.DownloadInProgress: "progressing",
    QWebEngineDownloadRequest.DownloadState.DownloadCompleted: "completed",
    QWebEngineDownloadRequest.DownloadState.DownloadCancelled: "cancelled",
    QWebEngineDownloadRequest.DownloadState.DownloadInterrupted: "failed",
}


def free_path(folder: Path, name: str) -> Path:
    """Return an unused path in the folder."""
    stem, suffix = Path(name).stem, Path(name).suffix
    path, number = folder / name, 1
    while path.exists():
        path, number = folder / f"{stem} ({number}){suffix}", number + 1
    return path


class Downloads(QObject):
    """The downloads of one window."""

    def __init__(
        self,
        instance: str,
        page: QWebEnginePage,
        pane: Pane,
        settings: Mapping[str, Any],
        platform: Platform,
        *,
        kept_folders: Callable[[], tuple[str, ...]],
        parent: QObject,
    ) -> None:
        """Use the window and ``downloadSettings`` of its definition."""
        super().__init__(parent)
        self._instance = instance
        self._page = page
        self._pane = pane
        self._settings = settings
        self._platform = platform
        self._kept_folders = kept_folders
        self._wanted: dict[str, tuple[Later, Mapping[str, Any]]] = {}

    def start(self, url: str, options: Mapping[str, Any]) -> Later:
        """Download an address that the app names."""
        if urlsplit(url).scheme not in ("http", "https", "data", "blob"):
            raise Refused("only addresses of http, https, data and blob can be downloaded")
        later = Later()
        address = QUrl(url)
        self._wanted[address.toString()] = (later, options)
        self._page.download(address)
        return later

    def accept(self, request: QWebEngineDownloadRequest) -> None:
        """Store a file that the page downloads."""
        by_code = self._wanted.pop(request.url().toString(), None)
        later, options = by_code or (Later(), {})
        try:
            folder = self._folder()
            path = free_path(folder, safe_name(str(options.get("fileName") or request.downloadFileName())))
        except OSError as error:
            later.fail(f"the folder for downloads cannot be used: {error}")
            request.cancel()
            return
        request.setDownloadDirectory(str(folder))
        request.setDownloadFileName(path.name)
        opens = self._opens(path.name, by_user=by_code is None)
        identity = new_id()
        bar = DownloadBar(path.name, request)
        self._pane.add_bar(bar)

        def report(state: str) -> None:
            if state == "completed":
                opens.then(lambda wanted, _: _open(path) if wanted is True else None)
            self._platform.report(
                DownloadProgressed(
                    instance=self._instance,
                    download=identity,
                    url=request.url().toString() if request.url().scheme() != "data" else "data:",
                    path=str(path),
                    received=request.receivedBytes(),
                    total=max(0, request.totalBytes()),
                    state=state,
                )
            )

        def finished() -> None:
            state = _STATES.get(request.state(), "failed")
            report(state)
            if state == "completed":
                later.resolve({"path": str(path), "size": path.stat().st_size if path.exists() else 0})
            else:
                later.fail(request.interruptReasonString() or f"the download was {state}")

        request.receivedBytesChanged.connect(lambda: report("progressing"))
        request.isFinishedChanged.connect(finished)
        report("started")
        request.accept()

    def _opens(self, name: str, *, by_user: bool) -> Later:
        """Return whether the file is opened later: a document that the user has requested in the page."""
        later = Later()
        if by_user and self._settings.get("autoOpenDownload") is True and may_be_opened(name):
            # The user's click counts for a few seconds, so the page is asked now, not at the end of the download.
            self._page.runJavaScript("navigator.userActivation.isActive", ISOLATED.value, later.resolve)
        else:
            later.resolve(False)
        return later

    def _folder(self) -> Path:
        usual = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation)
        written = self._settings.get("path") or os.environ.get("ROSTRUM_DOWNLOADS") or usual
        folder = Path(str(written)).expanduser()
        problem = why_no_folder(folder) or why_not_into(
            folder, (*start_folders(os.environ), *self._kept_folders()), Path.home()
        )
        if problem is not None:
            raise OSError(problem)
        folder.mkdir(parents=True, exist_ok=True)
        return folder.resolve()


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class DownloadBar(QWidget):
    """Shows the progress of a download, and cancels it."""

    def __init__(self, name: str, request: QWebEngineDownloadRequest) -> None:
        """Show a download that has started."""
        super().__init__()
        self.setObjectName("downloadBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(32)
        self.setStyleSheet("#downloadBar { background: #2b3a55; } QLabel { color: #ffffff; }")
        self._request = request
        self._label = QLabel(name, self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._progress = QProgressBar(self)
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(8)
        self._button = ToolButton(self)
        self._button.setText("Cancel")
        self._button.clicked.connect(self._clicked)
        box = QHBoxLayout(self)
        box.setContentsMargins(10, 2, 6, 2)
        box.addWidget(self._label, 1)
        box.addWidget(self._progress, 1)
        box.addWidget(self._button)
        request.receivedBytesChanged.connect(self._changed)
        request.isFinishedChanged.connect(self._finished)
        self._changed()

    def _changed(self) -> None:
        total = self._request.totalBytes()
        self._progress.setRange(0, 100 if total > 0 else 0)
        if total > 0:
            self._progress.setValue(int(self._request.receivedBytes() * 100 / total))

    def _finished(self) -> None:
        done = self._request.state() == QWebEngineDownloadRequest.DownloadState.DownloadCompleted
        self._progress.setRange(0, 100)
        self._progress.setValue(100 if done else 0)
        self._label.setText(f"{self._label.text()}: {'downloaded' if done else 'not downloaded'}")
        self._button.setText("Close")

    def _clicked(self) -> None:
        if self._request.isFinished():
            self.hide()
            self.deleteLater()
        else:
            self._request.cancel()
