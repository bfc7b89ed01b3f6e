"""A web page, with its permissions."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtWebEngineCore import (
    QWebEngineCertificateError,
    QWebEngineHttpRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineSettings,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QDialog

from rostrum.base.addresses import loaded_address
from rostrum.desktop.hosts.port import WindowRequest
from rostrum.desktop.hosts.qt.builtin_pages import is_builtin
from rostrum.desktop.hosts.qt.injection import ISOLATED
from rostrum.desktop.hosts.qt.later import Later, resolved
from rostrum.desktop.hosts.qt.origins import is_allowed, origin_of, written
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.qt.profile import Profile
from rostrum.desktop.hosts.reports import MayNavigate, PermissionRequested
from rostrum.desktop.windows.console_limit import ConsoleLimit
from rostrum.desktop.windows.page_access import PageSecurity, may_navigate

_log = logging.getLogger(__name__)

_LEVELS = {0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING}
_LONGEST_MESSAGE = 2000
_SCHEMES = frozenset({"http", "https", "data", "blob", "about", "file", "rostrum-page", "chrome-error", "devtools"})
"""Schemes that a page may navigate to; others would start programs of the machine."""
_ALWAYS = (
    QWebEnginePage.NavigationType.NavigationTypeReload,
    QWebEnginePage.NavigationType.NavigationTypeTyped,
)
"""Navigations that the platform itself starts."""
_PERMISSIONS = {
    "MediaAudioCapture": ("microphone",),
    "MediaVideoCapture": ("camera",),
    "MediaAudioVideoCapture": ("camera", "microphone"),
    "DesktopVideoCapture": ("screen",),
    "DesktopAudioVideoCapture": ("screen",),
    "MouseLock": ("mouseLock",),
    "Notifications": ("notifications",),
    "Geolocation": ("geolocation",),
    "ClipboardReadWrite": ("clipboard",),
    "LocalFontsAccess": ("fonts",),
}
"""Permissions of the engine, and their names in ``windows.security.permissions``."""


_ORIGIN_WITHIN_MS = 1000
_NOT_SENT = frozenset({"referer", "host", "content-length", "user-agent"})
"""Headers that the engine sets itself: it would load nothing, or send them with the first request only."""


class AppPage(QWebEnginePage):
    """A page of an app, or one of the platform.

    Attributes:
        guards_navigation: Whether the app has a handler for navigations.
        injection: The scripts of the platform in pages.
        select_scripts: Returns the scripts for the document of an origin that is created now, and their configuration.
        ask_person: Shows a question to the user; set by the host.
    """

    ask_person: Callable[[str, tuple[str, ...]], Later] = staticmethod(lambda _, choices: resolved(choices[0]))

    def __init__(self, profile: Profile, platform: Platform, parent: QObject | None = None) -> None:
        """Create an empty page with safe settings."""
        super().__init__(profile.engine, parent)
        self.injection = profile.injection
        self.select_scripts: Callable[[QUrl], str | None] = lambda _: None
        self.guards_navigation = False
        self.request: WindowRequest | None = None
        self._platform = platform
        self._passed = QUrl()
        self._is_held = self._has_ended = self._is_closing = False
        self._held: QUrl | None = None
        self._holder: QWebEngineView | None = None
        self._is_builtin = False
        self._console_limit = ConsoleLimit()
        self.settings().setAttribute(QWebEngineSettings.WebAttribute.FocusOnNavigationEnabled, False)
        self.certificateError.connect(self._certificate_error)
        self.permissionRequested.connect(self._permission_requested)
        self.registerProtocolHandlerRequested.connect(lambda asked: asked.reject())
        self.fileSystemAccessRequested.connect(lambda asked: asked.reject())

    def hold(self) -> None:
        """Load nothing until the page belongs to a window; for pages that another page opens."""
        self._is_held = True
        # Without a view, Qt would later use an object that it deletes when the page may not load another site.
        self._holder = QWebEngineView()
        self._holder.setPage(self)
        self.setParent(self._holder)
        for ended in (self.windowCloseRequested, self.renderProcessTerminated):
            ended.connect(self._end)

    def move_to(self, view: QWebEngineView) -> None:
        """Show a held page in the view of its window."""
        view.setPage(self)
        self.setParent(view)
        self._forget_holder()

    def discard(self) -> None:
        """Delete a held page."""
        self.end_dialogs(self._delete)

    def _delete(self) -> None:
        self.deleteLater()
        self._forget_holder()

    def end_dialogs(self, then: Callable[[], None]) -> None:
        """End the dialogs of the page, show no further ones, and call ``then``, which may delete the page.

        The engine shows files, colours and messages in dialogs that wait inside one of its calls. If the page is
        deleted before this call has returned, the window process ends.
        """
        self._is_closing = True
        view = QWebEngineView.forPage(self)
        dialogs = [one for one in view.findChildren(QDialog) if one.isVisible()] if view is not None else []
        if not dialogs:
            then()
            return
        for dialog in dialogs:
            dialog.reject()
        QTimer.singleShot(0, lambda: self.end_dialogs(then))

    def chooseFiles(
        self, mode: QWebEnginePage.FileSelectionMode, old: Sequence[str], accepted: Sequence[str]
    ) -> list[str]:
        """Let the user choose files."""
        return [] if self._is_closing else super().chooseFiles(mode, old, accepted)

    def _forget_holder(self) -> None:
        if self._holder is not None:
            self._holder.deleteLater()
            self._holder = None

    @property
    def has_ended(self) -> bool:
        """Return whether the page was closed, or its process has ended, while it was held."""
        return self._has_ended

    def opened_by(self, origins: tuple[str, ...]) -> Later:
        """Return whether a page on one of these origins has opened this one, before it loads an address.

        Its empty document has the origin of the frame that opened it, or none without a connection to this frame.
        """
        later = Later()
        self.runJavaScript("self.origin", ISOLATED.value, lambda origin: later.resolve(origin in origins))
        QTimer.singleShot(_ORIGIN_WITHIN_MS, self, lambda: later.resolve(False))
        return later

    def _end(self) -> None:
        self._has_ended = self._has_ended or self._is_held

    def adopt(self, request: WindowRequest) -> None:
        """Apply the permissions of a window."""
        self.request = request
        security = self._security
        settings, attribute = self.settings(), QWebEngineSettings.WebAttribute
        settings.setAttribute(attribute.AllowRunningInsecureContent, security.allow_insecure_content)
        settings.setAttribute(attribute.NavigateOnDropEnabled, security.navigate_on_drop)

    def release(self) -> bool:
        """Load the address that was requested while the page was held; return whether there was one."""
        held, self._held, self._is_held = self._held, None, False
        if held is not None:
            self._passed = held
            self.setUrl(held)
        return held is not None

    def open_builtin(self, url: QUrl) -> None:
        """Load a page of the platform itself."""
        self._is_builtin = True
        self.setUrl(url)

    @property
    def _security(self) -> PageSecurity:
        access = self.request.access if self.request is not None else None
        return PageSecurity() if access is None else access.security

    @property
    def origins(self) -> tuple[str, ...]:
        """Return the origins of the app."""
        access = self.request.access if self.request is not None else None
        return () if access is None else access.origins

    @property
    def is_own(self) -> bool:
        """Return whether the page is on an origin of its app."""
        return is_allowed(self.url(), self.origins)

    def open(self, address: str, options: Mapping[str, Any] | None = None) -> None:
        """Load an address, with the options of app definitions."""
        url = QUrl(loaded_address(address) or "about:blank")
        self._passed = url
        headers = _headers(_mapping(options))
        if not headers:
            self.setUrl(url)
            return
        request = QWebEngineHttpRequest(url)
        for name, value in headers.items():
            request.setHeader(name.encode(), value.encode())
        self.load(request)

    def acceptNavigationRequest(self, url: QUrl, kind: QWebEnginePage.NavigationType, is_main_frame: bool) -> bool:  # noqa: FBT001
        """Return whether the page may navigate to an address."""
        scheme = url.scheme().lower()
        if scheme not in _SCHEMES:
            # The engine opens what is accepted here.
            return is_main_frame and self.is_own and scheme in self._security.external_schemes
        if is_builtin(url) and not self._is_builtin:
            return False
        if not is_main_frame:
            return True
        if self._is_held and url != QUrl("about:blank"):
            self._held = url
            return False
        if self.request is None or url == self._passed or kind in _ALWAYS:
            return True
        return self._may_go(url)

    def _may_go(self, url: QUrl) -> bool:
        request = self.request
        if request is None:
            return True
        address = written(url)
        if not may_navigate(request.details, address, files=url.scheme() == "file" and self.url().scheme() == "file"):
            _log.warning("%s: navigation.allowed does not allow %.200s", request.app or request.instance, address)
            return False
        if self.guards_navigation:
            self._ask_first(url)
            return False
        return True

    def javaScriptPrompt(self, origin: QUrl | str, message: str, default: str) -> tuple[bool, str]:
        """Answer the question of the platform's own script; ask the user all others."""
        if message != self.injection.question:
            return super().javaScriptPrompt(origin, message, default) if self._is_own(QUrl(origin)) else (False, "")
        selected = self.select_scripts(QUrl(origin))
        return selected is not None, selected or ""

    def javaScriptAlert(self, origin: QUrl | str, message: str) -> None:
        """Show a message of the page."""
        if self._is_own(QUrl(origin)):
            super().javaScriptAlert(origin, message)

    def javaScriptConfirm(self, origin: QUrl | str, message: str) -> bool:
        """Ask the user a question of the page."""
        return self._is_own(QUrl(origin)) and super().javaScriptConfirm(origin, message)

    def _is_own(self, origin: QUrl) -> bool:
        """Return whether a dialog is shown: it must come from the origin of the page.

        The engine shows the address of the page in all dialogs. That of a frame would seem to come from the page.
        """
        url = self.url()
        if self._is_closing:
            return False
        if url.isLocalFile():
            return origin.scheme() == url.scheme()
        return url.scheme() not in ("http", "https") or origin_of(origin) == origin_of(url)

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, line: int, source: str
    ) -> None:
        """Log the console messages of the page."""
        name = self.request.app or self.request.instance if self.request is not None else "page"
        is_written, omitted = self._console_limit.take(time.monotonic())
        if omitted:
            _log.warning("%s: %d console messages were omitted", name, omitted)
        if not is_written:
            return
        _log.log(
            _LEVELS.get(level.value, logging.INFO),
            "%s: %s (%s:%s)",
            name,
            message[:_LONGEST_MESSAGE],
            source[:200],
            line,
        )

    def _ask_first(self, url: QUrl) -> None:
        if self.request is None:
            return

        def answered(allowed: Any, _reason: str | None) -> None:
            if allowed is not False:
                self._passed = url
                self.setUrl(url)

        self._platform.ask(MayNavigate(instance=self.request.instance, url=written(url)), bool).then(answered)

    def _certificate_error(self, error: QWebEngineCertificateError) -> None:
        action, origin = self._security.certificate_errors, origin_of(error.url())
        if not error.isOverridable() or action == "deny":
            _log.warning("the certificate of %s is not valid: %s", origin, error.description())
            error.rejectCertificate()
        elif action == "allow":
            _log.warning("the certificate of %s is not valid; windows.security.onCertificateError allows it", origin)
            error.acceptCertificate()
        else:
            error.defer()
            question = f"The certificate of {origin} is not valid: {error.description()}. Open the page anyway?"
            self.ask_person(question, ("Do not open", "Open")).then(
                lambda answer, _: error.acceptCertificate() if answer == "Open" else error.rejectCertificate()
            )

    def _permission_requested(self, permission: QWebEnginePermission) -> None:
        names = _PERMISSIONS.get(permission.permissionType().name, ())
        if self.request is None or not names or not is_allowed(permission.origin(), self.origins):
            permission.deny()
            return
        self._ask_permission(permission, names)

    def _ask_permission(self, permission: QWebEnginePermission, names: tuple[str, ...]) -> None:
        """Request the permissions one after the other: a video call needs camera and microphone."""
        if self.request is None:
            return
        question = PermissionRequested(
            instance=self.request.instance, origin=origin_of(permission.origin()), permission=names[0]
        )

        def answered(allowed: Any, _reason: str | None) -> None:
            if allowed is not True:
                permission.deny()
            elif len(names) > 1:
                self._ask_permission(permission, names[1:])
            else:
                permission.grant()

        self._platform.ask(question, bool).then(answered)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _headers(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the request headers from lines or an object."""
    written = options.get("extraHeaders")
    lines = written.splitlines() if isinstance(written, str) else ()
    headers = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines) if value}
    if isinstance(written, Mapping):
        headers |= {str(name): str(value) for name, value in written.items()}
    if refused := [name for name in headers if name.lower() in _NOT_SENT]:
        _log.warning("urlLoadOptions.extraHeaders: the browser engine does not send %s", ", ".join(refused))
    return {name: value for name, value in headers.items() if name.lower() not in _NOT_SENT}
