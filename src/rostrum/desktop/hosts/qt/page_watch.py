"""Monitors the page of a window: loads, addresses, titles, icons, crashes and unresponsive pages."""

import base64
import os
import signal
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from PySide6.QtCore import QBuffer, QIODevice, QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWebEngineCore import QWebEngineLoadingInfo, QWebEnginePage, QWebEngineSettings

from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.hosts.qt.memory import MemoryWatch
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.qt.test_mode import heartbeat_interval
from rostrum.desktop.hosts.reports import (
    Crashed,
    DocumentTitled,
    IconChanged,
    LoadFailed,
    LoadFinished,
    LoadStarted,
    Navigated,
    RendererStarted,
    Report,
    Responsive,
    Unresponsive,
    Zoomed,
)
from rostrum.desktop.windows.icon_limit import SECONDS

_INTERVAL_MS = 4000
_PATIENCE = 2
"""Number of intervals without a response after which a page is unresponsive."""
_UNREACHABLE = (
    QWebEngineLoadingInfo.ErrorDomain.ConnectionErrorDomain,
    QWebEngineLoadingInfo.ErrorDomain.DnsErrorDomain,
    QWebEngineLoadingInfo.ErrorDomain.CertificateErrorDomain,
)
"""Failures without a page; others are stopped downloads, or error pages of servers."""
_ICONS = "'link[rel~=icon i]'"
_MOST_ICONS = 32
# The engine loads an icon only after a change of an element, and no address again that it has refused.
_LOAD_LAST_ICON = f"for (const one of [...document.querySelectorAll({_ICONS})].slice(-1)) one.href += '#'"
_ICON_PAUSE_MS = round(SECONDS * 1000)
_REASONS = {1: "abnormal end", 2: "crashed", 3: "killed"}


class Heartbeat(QObject):
    """Checks that one page responds; only while it is loaded and visible, because browsers slow down hidden pages."""

    def __init__(
        self, page: QWebEnginePage, lost: Callable[[], None], found: Callable[[], None], parent: QObject
    ) -> None:
        """Start the checks; ``lost`` is called when the page stops responding, ``found`` when it responds again."""
        super().__init__(parent)
        self._page = page
        self._lost = lost
        self._found = found
        self._asked = 0
        self._is_lost = False
        self.paused = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._timer.start(heartbeat_interval() or _INTERVAL_MS)

    def reset(self) -> None:
        """Start again, for another document or if the user chooses to wait."""
        self._asked = 0
        self._is_lost = False

    def stop(self) -> None:
        """Stop the checks."""
        self._timer.stop()

    def _beat(self) -> None:
        if self.paused or not self._page.isVisible() or self._page.renderProcessPid() <= 0:
            self._asked = 0
            return
        if self._asked >= _PATIENCE and not self._is_lost:
            self._is_lost = True
            self._lost()
        if self._asked == 0 or self._is_lost:
            self._page.runJavaScript("1", 1, self._answered)
        self._asked += 1

    def _answered(self, _result: object) -> None:
        self._asked = 0
        if self._is_lost:
            self._is_lost = False
            self._found()


class PageWatch(QObject):
    """The events of one page, and the cover that is shown in its place.

    Attributes:
        icon_changed: Emitted with the icon of the page.
        close_wanted: Emitted when the user closes a crashed or unresponsive page.
        zoom: The zoom factor.
    """

    icon_changed = Signal(QIcon)
    close_wanted = Signal()

    def __init__(
        self,
        request: WindowRequest,
        page: AppPage,
        pane: Pane,
        platform: Platform,
        *,
        is_adopted: bool,
        parent: QObject,
    ) -> None:
        """Monitor a page; an adopted page was opened by another page."""
        super().__init__(parent)
        self._request = request
        self._page = page
        self._pane = pane
        self._platform = platform
        self._instance = request.instance
        self._is_adopted = is_adopted
        self._is_first_load = True
        self._is_closed = False
        self._is_too_large = False
        self._attempts = 0
        self._address = ""
        self._renderer = 0
        self.zoom = request.zoom
        self._heartbeat = Heartbeat(page, self._unresponsive, self._responsive, self)
        if request.memory_limit:
            MemoryWatch(page, request.memory_limit, self._memory_exceeded, self)
        page.loadingChanged.connect(self._loading_changed)
        page.urlChanged.connect(self._url_changed)
        page.titleChanged.connect(self._titled)
        page.iconChanged.connect(self._icon_changed)
        _icon_floods(page).connect(self._icons_flooded)
        page.renderProcessTerminated.connect(self._terminated)
        page.renderProcessPidChanged.connect(lambda _: self._check_renderer())
        if self.zoom != 1:
            page.setZoomFactor(self.zoom)

    def close(self) -> None:
        """Stop reporting."""
        self._is_closed = True
        self._heartbeat.stop()

    def pause_heartbeat(self) -> None:
        """Stop the checks: a page that is stopped at a breakpoint does not respond."""
        self._heartbeat.paused = True

    def report_empty(self) -> None:
        """Report a page without an address: it loads nothing, but its opener waits for the window."""
        self._report(LoadFinished(instance=self._instance, url="about:blank"))

    def reload(self, *, ignore_cache: bool = False) -> None:
        """Load the page again."""
        self._pane.hide_message()
        action = QWebEnginePage.WebAction
        self._page.triggerAction(action.ReloadAndBypassCache if ignore_cache else action.Reload)

    def set_zoom(self, factor: float) -> None:
        """Set the zoom factor."""
        factor = min(max(factor, 0.25), 5.0)
        changed = factor != self.zoom
        self.zoom = factor
        self._page.setZoomFactor(factor)
        if changed:
            self._report(Zoomed(instance=self._instance, factor=factor))

    def _report(self, report: Report) -> None:
        if not self._is_closed:
            self._platform.report(report)

    def _loading_changed(self, info: QWebEngineLoadingInfo) -> None:
        status, url = info.status(), info.url().toString()
        self._check_renderer()
        if status == QWebEngineLoadingInfo.LoadStatus.LoadStartedStatus:
            # A page opened by another page may already have its address.
            self._url_changed(self._page.url())
            self._report(LoadStarted(instance=self._instance, url=url))
            self._page.settings().resetAttribute(QWebEngineSettings.WebAttribute.AutoLoadIconsForPage)
            return
        if status == QWebEngineLoadingInfo.LoadStatus.LoadSucceededStatus:
            # A page opened by another page may have started to load before this window exists.
            self._url_changed(self._page.url())
            self._attempts = 0
            self._pane.hide_message()
            self._load_finished(url)
        elif status == QWebEngineLoadingInfo.LoadStatus.LoadFailedStatus:
            self._pane.hide_loader()
            reason = info.errorString() or f"error {info.errorCode()}"
            self._report(LoadFailed(instance=self._instance, url=url, reason=reason))
            if info.errorDomain() in _UNREACHABLE:
                # Replaces the engine's own error page, which names the engine and offers unsupported actions.
                self._pane.show_message(
                    f"This page cannot be loaded.\n{QUrl(url).host()}: {reason}",
                    [("Reload", self.reload), ("Close", self.close_wanted.emit)],
                )
            self._load_again()

    def _load_finished(self, url: str) -> None:
        loader = self._request.details.get("loader")
        if not (isinstance(loader, Mapping) and loader.get("hideOnLoad") is False):
            self._pane.hide_loader()
        if self._is_first_load:
            self._is_first_load = False
            if not self._is_adopted:
                # Removes the initial empty page from the history.
                self._page.history().clear()
        if self._page.zoomFactor() != self.zoom:
            # Another origin starts with the default zoom.
            self._page.setZoomFactor(self.zoom)
        self._report(LoadFinished(instance=self._instance, url=url))

    def _load_again(self) -> None:
        options = self._request.details.get("reloadOptions")
        if not isinstance(options, Mapping):
            return
        most, timeout = options.get("maxAttempts"), options.get("timeout")
        if not isinstance(most, int) or not isinstance(timeout, int) or self._attempts >= most:
            return
        self._attempts += 1
        QTimer.singleShot(max(100, timeout), self, lambda: self.reload() if not self._is_closed else None)

    def _url_changed(self, url: QUrl) -> None:
        address = url.toString()
        if address and address != self._address:
            self._address = address
            self._report(Navigated(instance=self._instance, url=address))

    def _titled(self, title: str) -> None:
        # The engine reports the address as the title until the page has one.
        if title and not _is_address(title, self._page.url()):
            self._report(DocumentTitled(instance=self._instance, title=title))

    def _icon_changed(self, icon: QIcon) -> None:
        if self._is_closed or icon.isNull():
            return
        self.icon_changed.emit(icon)
        address = self._page.iconUrl().toString()
        self._report(IconChanged(instance=self._instance, address=address or _data_address(icon)))

    def _icons_flooded(self, host: str) -> None:
        """Load no icons for a while: the engine compares all icons of a page for each new one."""
        loads = QWebEngineSettings.WebAttribute.AutoLoadIconsForPage
        if self._is_closed or self._page.url().host() != host or not self._page.settings().testAttribute(loads):
            return
        self._page.settings().setAttribute(loads, False)
        QTimer.singleShot(_ICON_PAUSE_MS, self, self._count_icons)

    def _count_icons(self) -> None:
        if not self._is_closed:
            self._page.runJavaScript(f"document.querySelectorAll({_ICONS}).length", 1, self._icons_counted)

    def _icons_counted(self, number: object) -> None:
        """Load the last icon after a flood; a page with very many loads none until its next document."""
        if self._is_closed or not isinstance(number, (int, float)) or number > _MOST_ICONS:
            return
        self._page.settings().resetAttribute(QWebEngineSettings.WebAttribute.AutoLoadIconsForPage)
        self._page.runJavaScript(_LOAD_LAST_ICON, 1)

    def _check_renderer(self) -> None:
        """Report the process of the page if it has changed; Qt does not always emit its signal."""
        process = self._page.renderProcessPid()
        if process > 0 and process != self._renderer:
            self._renderer = process
            self._report(RendererStarted(instance=self._instance, process=process))

    def _terminated(self, status: QWebEnginePage.RenderProcessTerminationStatus, code: int) -> None:
        if self._is_closed or status == QWebEnginePage.RenderProcessTerminationStatus.NormalTerminationStatus:
            return
        self._heartbeat.reset()
        reason = "memory limit" if self._is_too_large else _REASONS.get(status.value, "ended")
        self._is_too_large = False
        self._report(Crashed(instance=self._instance, reason=reason, code=code))
        self._pane.show_message(
            "This page has stopped unexpectedly.", [("Reload", self.reload), ("Close", self.close_wanted.emit)]
        )
        self._load_again()

    def _memory_exceeded(self) -> None:
        self._is_too_large = True

    def _unresponsive(self) -> None:
        if self._is_closed:
            return
        self._report(Unresponsive(instance=self._instance))
        self._pane.show_message(
            "This page does not respond.",
            [("Wait", self._wait), ("Reload", self._restart), ("Close", self.close_wanted.emit)],
        )

    def _wait(self) -> None:
        self._pane.hide_message()
        self._heartbeat.reset()

    def _restart(self) -> None:
        """Load an unresponsive page again, in another process."""
        self._pane.hide_message()
        self._heartbeat.reset()
        _end_renderer(self._page)

    def _responsive(self) -> None:
        if not self._is_closed:
            self._pane.hide_message()
            self._report(Responsive(instance=self._instance))


def _end_renderer(page: QWebEnginePage) -> None:
    """End the process of an unresponsive page, which then shows that it has stopped."""
    process = page.renderProcessPid()
    if process > 0:
        os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))


def _icon_floods(page: QWebEnginePage) -> Any:
    return page.profile().parent().icons_flooded


def _is_address(title: str, url: QUrl) -> bool:
    address = unquote(url.toString())
    return title in (url.toString(), address, address.partition("://")[2].rstrip("/"))


def _data_address(icon: QIcon) -> str:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    icon.pixmap(32, 32).save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(bytes(buffer.data().data())).decode()
