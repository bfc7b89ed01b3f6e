"""Cookies of a profile: the engine reports each change, but cannot list them."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QDateTime, QUrl
from PySide6.QtNetwork import QNetworkCookie
from PySide6.QtWebEngineCore import QWebEngineProfile

from rostrum.desktop.hosts.qt.dispatcher import Refused

_MOST = 10_000
_SAME_SITE = {
    "no_restriction": QNetworkCookie.SameSite.None_,
    "lax": QNetworkCookie.SameSite.Lax,
    "strict": QNetworkCookie.SameSite.Strict,
}


class Cookies:
    """Tracks all cookies of a profile.

    The store is not kept: the library has considered the object deleted although the profile existed.
    """

    def __init__(self, profile: QWebEngineProfile) -> None:
        """Start to listen; the engine then reports the existing cookies."""
        self._profile = profile
        self._known: dict[tuple[str, str, str], QNetworkCookie] = {}
        store = profile.cookieStore()
        store.cookieAdded.connect(self._added)
        store.cookieRemoved.connect(lambda cookie: self._known.pop(_key(cookie), None))
        store.loadAllCookies()

    def matching(self, wanted: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the cookies that a filter of name, domain, path, url, secure and session matches."""
        return [cookie for cookie in map(_described, self._known.values()) if _matches(cookie, wanted)]

    def set(self, cookie: Mapping[str, Any]) -> None:
        """Set a cookie."""
        url, name = QUrl(str(cookie.get("url") or "")), str(cookie.get("name") or "")
        if url.scheme() not in ("http", "https") or not name:
            raise Refused("a cookie needs a name, and a url of http or https")
        made = QNetworkCookie(name.encode(), str(cookie.get("value") or "").encode())
        if cookie.get("domain"):
            made.setDomain(str(cookie["domain"]))
        made.setPath(str(cookie.get("path") or "/"))
        made.setSecure(cookie.get("secure") is True)
        made.setHttpOnly(cookie.get("httpOnly") is True)
        same_site = _SAME_SITE.get(str(cookie.get("sameSite")))
        if same_site is not None:
            made.setSameSitePolicy(same_site)
        expires = cookie.get("expirationDate")
        if isinstance(expires, (int, float)) and not isinstance(expires, bool):
            made.setExpirationDate(QDateTime.fromMSecsSinceEpoch(int(expires * 1000)))
        self._profile.cookieStore().setCookie(made, url)

    def remove(self, url: str, name: str) -> None:
        """Remove the cookies with a name that belong to the host of an address."""
        for cookie in [*self._known.values()]:
            if bytes(cookie.name().data()).decode(errors="replace") == name and _for_host(cookie, QUrl(url).host()):
                self._profile.cookieStore().deleteCookie(cookie)

    def _added(self, cookie: QNetworkCookie) -> None:
        if len(self._known) < _MOST or _key(cookie) in self._known:
            self._known[_key(cookie)] = QNetworkCookie(cookie)


def _key(cookie: QNetworkCookie) -> tuple[str, str, str]:
    return cookie.domain(), cookie.path(), bytes(cookie.name().data()).decode(errors="replace")


def _for_host(cookie: QNetworkCookie, host: str) -> bool:
    domain = cookie.domain().lstrip(".")
    return bool(host) and (host == domain or host.endswith("." + domain))


def _described(cookie: QNetworkCookie) -> Mapping[str, Any]:
    described = {
        "name": bytes(cookie.name().data()).decode(errors="replace"),
        "value": bytes(cookie.value().data()).decode(errors="replace"),
        "domain": cookie.domain(),
        "hostOnly": not cookie.domain().startswith("."),
        "path": cookie.path(),
        "secure": cookie.isSecure(),
        "httpOnly": cookie.isHttpOnly(),
        "session": cookie.isSessionCookie(),
    }
    if not cookie.isSessionCookie():
        described["expirationDate"] = cookie.expirationDate().toSecsSinceEpoch()
    return described


def _matches(cookie: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    for name in ("name", "path", "secure", "session"):
        if wanted.get(name) is not None and cookie[name] != wanted[name]:
            return False
    host = str(cookie["domain"]).lstrip(".")
    domain, url = wanted.get("domain"), wanted.get("url")
    if domain and host != str(domain).lstrip(".") and not host.endswith("." + str(domain).lstrip(".")):
        return False
    asked = QUrl(str(url)).host() if url else host
    return asked == host or (not cookie["hostOnly"] and asked.endswith("." + host))
