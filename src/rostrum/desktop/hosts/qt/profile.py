"""The browser profile: cookies and storage of pages, and the requests that they may send."""

import logging
import re
import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWebEngineCore import (
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)

from rostrum.desktop.hosts.qt.builtin_pages import SCHEME, BuiltinPages
from rostrum.desktop.hosts.qt.injection import Injection
from rostrum.desktop.hosts.qt.origins import written
from rostrum.desktop.windows.icon_limit import IconLimit
from rostrum.desktop.windows.requests import PageRequests

_log = logging.getLogger(__name__)

_ALWAYS = re.compile(rf"(data|blob|about|qrc|devtools|chrome|chrome-extension|{SCHEME}):", re.IGNORECASE)
"""Schemes that are not filtered, because they load nothing from a network."""


class _Filter(QWebEngineUrlRequestInterceptor):
    """Blocks addresses that the settings do not allow, and floods of icons; called for every request.

    Attributes:
        icons_flooded: Emitted with the host of a page that names too many icons.
    """

    icons_flooded = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rules = PageRequests()
        self._icons = IconLimit()

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        if info.resourceType() == QWebEngineUrlRequestInfo.ResourceType.ResourceTypeFavicon:
            site = info.firstPartyUrl().host() or info.requestUrl().host()
            if not self._icons.take(site, time.monotonic()):
                info.block(True)
                self.icons_flooded.emit(site)
                return
        if self.rules.allowed is None:
            return
        address = written(info.requestUrl())
        if _ALWAYS.match(address) is None and not self.rules.passes(address):
            _log.warning("windows.urlFilter blocks %s", address[:300])
            info.block(True)


class Profile(QObject):
    """The profile of all pages."""

    def __init__(self, folder: str, parent: QObject) -> None:
        """Open the profile in a folder; without a folder, nothing is stored."""
        super().__init__(parent)
        self.engine = QWebEngineProfile("rostrum", self) if folder else QWebEngineProfile(self)
        if folder:
            self.engine.setPersistentStoragePath(str(Path(folder) / "storage"))
            self.engine.setCachePath(str(Path(folder) / "cache"))
            self.engine.setPersistentCookiesPolicy(QWebEngineProfile.PersistentCookiesPolicy.AllowPersistentCookies)
        # Checked each time: permissions that an administrator removes must not stay granted.
        self.engine.setPersistentPermissionsPolicy(QWebEngineProfile.PersistentPermissionsPolicy.StoreInMemory)
        self.injection = Injection(self.engine)
        self._filter = _Filter(self)
        self.icons_flooded = self._filter.icons_flooded
        self.engine.setUrlRequestInterceptor(self._filter)
        self._builtin = BuiltinPages(self)
        self._builtin.install(self.engine)
        self._set_safe_defaults()

    def set_requests(self, rules: PageRequests) -> None:
        """Set the rules for requests of pages."""
        self._filter.rules = rules
        for name in rules.headers:
            _log.error(
                "windows.responseHeaders.%s has no effect: the browser engine cannot change headers of responses", name
            )

    def set_spelling(self, languages: list[str]) -> None:
        """Check the spelling in these languages; their dictionaries must already exist."""
        self.engine.setSpellCheckLanguages(languages)
        self.engine.setSpellCheckEnabled(bool(languages))

    def _set_safe_defaults(self) -> None:
        settings, attribute = self.engine.settings(), QWebEngineSettings.WebAttribute
        for name, value in (
            (attribute.JavascriptCanOpenWindows, True),
            (attribute.JavascriptCanAccessClipboard, True),
            (attribute.JavascriptCanPaste, False),
            (attribute.LocalContentCanAccessRemoteUrls, False),
            (attribute.LocalContentCanAccessFileUrls, False),
            (attribute.AllowRunningInsecureContent, False),
            (attribute.AllowGeolocationOnInsecureOrigins, False),
            (attribute.AllowWindowActivationFromJavaScript, False),
            # The only plugin is the PDF viewer.
            (attribute.PluginsEnabled, True),
            (attribute.PdfViewerEnabled, True),
            (attribute.ScreenCaptureEnabled, False),
            (attribute.NavigateOnDropEnabled, False),
            (attribute.WebRTCPublicInterfacesOnly, True),
            (attribute.PlaybackRequiresUserGesture, False),
            (attribute.FullScreenSupportEnabled, True),
            (attribute.ScrollAnimatorEnabled, False),
        ):
            settings.setAttribute(name, value)
        # The engine asks the page about addresses for other programs, but only after input of the user.
        policy = QWebEngineSettings.UnknownUrlSchemePolicy.AllowUnknownUrlSchemesFromUserInteraction
        settings.setUnknownUrlSchemePolicy(policy)
