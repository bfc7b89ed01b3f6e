"""Fetches the dictionaries of the configured languages, and enables the spell checker."""

import logging
import os
import re
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, QUrl
from PySide6.QtNetwork import QNetworkAccessManager, QNetworkProxy, QNetworkReply, QNetworkRequest

from rostrum.desktop.hosts.qt.profile import Profile
from rostrum.desktop.windows.pages import Spelling

_log = logging.getLogger(__name__)

_MAGIC = b"BDic"
_LARGEST = 32 * 1024 * 1024
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?")
_TIMEOUT_MS = 30_000


def dictionaries_folder() -> Path:
    """Return the folder in which the engine looks for dictionaries; set before the engine starts."""
    return Path(os.environ["QTWEBENGINE_DICTIONARIES_PATH"])


def dictionary_names(language: str) -> tuple[str, ...]:
    """Return the names under which a dictionary may be stored at its source, as Chromium names them."""
    word = language.lower()
    return f"{word}-10-1.bdic", f"{word}-9-0.bdic", f"{word}-3-0.bdic", f"{word}.bdic", f"{language}.bdic"


class SpellChecker(QObject):
    """Checks spelling in all pages of a profile."""

    def __init__(self, profile: Profile, folder: Path, proxy: str, parent: QObject) -> None:
        super().__init__(parent)
        self._profile = profile
        self._folder = folder
        self._network = QNetworkAccessManager(self)
        if proxy:
            self._network.setProxy(_proxy(QUrl(proxy)))
        self._spelling: Spelling | None = None
        self._ready: set[str] = set()

    def set(self, spelling: Spelling | None) -> None:
        """Apply the settings; missing dictionaries are fetched first."""
        self._spelling = spelling
        self._ready = set()
        self._apply()
        if spelling is None:
            return
        for language in spelling.languages or (QLocale.system().name().replace("_", "-"),):
            if _LANGUAGE.fullmatch(language) is None:
                _log.error("spellchecker.languages: %r is not a language such as en-US", language)
            elif self._has(language):
                self._ready.add(language)
            else:
                self._fetch(spelling, language, dictionary_names(language))
        self._apply()

    def begin(self, spelling: Spelling | None) -> None:
        """Use the settings of the first window; later changes apply to all windows."""
        if self._spelling is None and spelling is not None:
            self.set(spelling)

    def _has(self, language: str) -> bool:
        return (self._folder / f"{language}.bdic").is_file()

    def _apply(self) -> None:
        self._profile.set_spelling(sorted(self._ready))

    def _fetch(self, spelling: Spelling, language: str, names: tuple[str, ...]) -> None:
        if not names:
            _log.error("there is no dictionary of %s at spellchecker.dictionaryDownloadURL", language)
            return
        base = spelling.dictionaries if spelling.dictionaries.endswith("/") else f"{spelling.dictionaries}/"
        request = QNetworkRequest(QUrl(base + names[0]))
        request.setTransferTimeout(_TIMEOUT_MS)
        reply = self._network.get(request)
        reply.downloadProgress.connect(lambda got, _: reply.abort() if got > _LARGEST else None)
        reply.finished.connect(lambda: self._fetched(reply, spelling, language, names))

    def _fetched(self, reply: QNetworkReply, spelling: Spelling, language: str, names: tuple[str, ...]) -> None:
        reply.deleteLater()
        if spelling is not self._spelling:
            return
        failed = reply.error() != QNetworkReply.NetworkError.NoError
        data = b"" if failed else bytes(reply.readAll().data())
        if not data.startswith(_MAGIC):
            self._fetch(spelling, language, names[1:])
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # Written completely or not at all: another process may look for it.
            new = self._folder / f".{language}.new"
            new.write_bytes(data)
            new.replace(self._folder / f"{language}.bdic")
        except OSError as error:
            _log.error("the dictionary of %s cannot be stored: %s", language, error)
            return
        self._ready.add(language)
        self._apply()


def _proxy(address: QUrl) -> QNetworkProxy:
    is_socks = address.scheme().lower().startswith("socks")
    kind = QNetworkProxy.ProxyType.Socks5Proxy if is_socks else QNetworkProxy.ProxyType.HttpProxy
    return QNetworkProxy(kind, address.host(), address.port(1080 if is_socks else 80))
