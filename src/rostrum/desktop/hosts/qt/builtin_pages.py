"""The platform's own pages: files of the package, at addresses such as rostrum-page://about/."""

import mimetypes
import re
from importlib.resources import files
from importlib.resources.abc import Traversable

from PySide6.QtCore import QBuffer, QByteArray, QObject, QUrl
from PySide6.QtWebEngineCore import (
    QWebEngineProfile,
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)

SCHEME = "rostrum-page"
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}")
_POLICY = (
    "default-src 'self'; img-src 'self' data: https: http:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def register_scheme() -> None:
    """Register the scheme; must be called before the engine starts."""
    scheme = QWebEngineUrlScheme(SCHEME.encode())
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme | QWebEngineUrlScheme.Flag.CorsEnabled)
    QWebEngineUrlScheme.registerScheme(scheme)


def address_of(page: str) -> QUrl:
    """Return the address of a built-in page."""
    return QUrl(f"{SCHEME}://{page}/")


def is_builtin(url: QUrl) -> bool:
    """Return whether an address is that of a built-in page."""
    return url.scheme() == SCHEME


class BuiltinPages(QWebEngineUrlSchemeHandler):
    """Serves the files of built-in pages to these pages only."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._root = files("rostrum.desktop") / "pages"

    def install(self, profile: QWebEngineProfile) -> None:
        """Serve the pages in a profile."""
        profile.installUrlSchemeHandler(SCHEME.encode(), self)

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        """Respond with the file, or with an error if it does not exist."""
        initiator, url = job.initiator(), job.requestUrl()
        if bytes(job.requestMethod()) != b"GET" or (initiator.isValid() and initiator.scheme() not in ("", SCHEME)):
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
            return
        found = find_file(self._root, url.host(), url.path())
        if found is None:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
        body = QBuffer(job)
        body.setData(found.read_bytes())
        job.setAdditionalResponseHeaders({QByteArray(b"Content-Security-Policy"): [QByteArray(_POLICY.encode())]})
        job.reply(kind.encode(), body)


def find_file(root: Traversable, page: str, path: str) -> Traversable | None:
    """Return the file of a page: its own, or the shared one."""
    if _NAME.fullmatch(page) is None:
        return None
    parts = [part for part in path.split("/") if part]
    if not all(_FILE.fullmatch(part) for part in parts):
        return None
    for names in ((page, *parts), tuple(parts)) if parts else ((f"{page}.html",), (page, "index.html")):
        found = root.joinpath(*names)
        if found.is_file():
            return found
    return None
