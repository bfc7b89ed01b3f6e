"""The platform's API in pages of apps: its scripts, and the requests of pages to the window host."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtWebEngineCore import qWebEngineChromiumVersion

from rostrum.desktop.hosts.port import PageAccess, WindowRequest
from rostrum.desktop.hosts.qt.gateway_sockets import GatewaySockets
from rostrum.desktop.hosts.qt.injection import script_text
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.origins import is_allowed, origin_of
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.page_link import PageLink
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.reports import TokenWanted
from rostrum.desktop.windows.pages import script_before_page

_EVENTS = ("close", "refresh", "navigate")
_MOST_HANDLERS = 1000
_MOST_ASKED = 100
_MOST_ANNOUNCED = 20
_ANNOUNCED_WITHIN_MS = 1000
_LONGEST_NAME = 200
_LONGEST_FEATURES = 2000
_BLANK = QUrl("about:blank")


@dataclass(frozen=True, slots=True)
class Announced:
    """A window that a page is about to open: the data that the engine does not report."""

    url: str = ""
    name: str = ""
    features: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> "Announced":
        """Read the arguments of ``window.open``."""
        url, name, features = (str(arguments.get(member, "")) for member in ("url", "name", "features"))
        pairs = [part.partition("=") for part in features[:_LONGEST_FEATURES].split(",")]
        wanted = {key.strip().lower(): value.strip() for key, _, value in pairs if key.strip()}
        return cls(url, name[:_LONGEST_NAME], wanted)

    def is_for(self, url: QUrl) -> bool:
        """Return whether it announces a window with an address; no address means a blank page."""
        return (QUrl(self.url) if self.url else _BLANK) == (_BLANK if url.isEmpty() else url)


class PageApi(PageLink):
    """The API in one page, until the page is closed."""

    def __init__(self, page: AppPage, instance: str, access: PageAccess, platform: Platform) -> None:
        """Give a page its scripts and the channel, before its first document is created."""
        scripts = [(one.name, script_before_page([one.source], as_base64=one.as_element)) for one in access.scripts]
        super().__init__(
            page, instance, lambda url: is_allowed(url, access.origins), [("api", script_text("api.js")), *scripts]
        )
        self.instance = instance
        self.access = access
        self.handlers: Counter[tuple[str, str]] = Counter()
        self._announced: list[Announced] = []
        self._opening: list[tuple[QUrl, Later]] = []
        self._platform = platform
        self.requested.connect(self._execute)
        self._asked: dict[int, Callable[[bool], None]] = {}
        self._last = 0
        self._sockets = GatewaySockets(access.gateway, self._send, self)

    def ask_handlers(
        self, event: str, window: str, details: Mapping[str, Any], answered: Callable[[bool], None]
    ) -> None:
        """Call the page's handlers for an operation on a window; the result is True if the page navigates."""
        if not self.handlers[event, window] or not self._document:
            answered(True)
            return
        self._last += 1
        self._asked[self._last] = answered
        if len(self._asked) > _MOST_ASKED:
            # The page does not respond: the oldest call has expired.
            self._asked.pop(min(self._asked))(True)
        self._send({"ask": self._last, "event": event, "window": window, "args": dict(details)})

    def announced(self, url: QUrl) -> Later:
        """Return the page's announcement of the window that it opens now (``Announced``), empty if there is none.

        The engine requests the window independently of the announcement, so either may arrive first.
        """
        later = Later()
        found = next((one for one in self._announced if one.is_for(url)), None)
        if found is not None:
            self._announced.remove(found)
            later.resolve(found)
            return later
        self._opening.append((url, later))
        # If the user opens a page with the middle button, for example, there is no announcement.
        QTimer.singleShot(_ANNOUNCED_WITHIN_MS, self, lambda: later.resolve(Announced()))
        later.then(lambda _, __: self._opening.remove((url, later)))
        return later

    def set_monitors(self, monitors: list[dict[str, Any]]) -> None:
        """Update the displays that the page can read."""
        info = {**self.access.info, "monitors": monitors}
        self.access = replace(self.access, info=info)
        self._send({"monitors": monitors})

    def close(self) -> None:
        """Release the resources of the page."""
        self._leave_document()

    def _config(self) -> Mapping[str, Any]:
        info = {**self.access.info, "chromium": qWebEngineChromiumVersion()}
        return {"gateway": self.access.gateway, "info": info}

    def _execute(self, op: str, arguments: Mapping[str, Any], number: int | None) -> None:
        if op == "token":
            document = self._document
            question = TokenWanted(instance=self.instance, origin=origin_of(self.page.url()))
            self._platform.ask(question).then(lambda token, _: self._give_token(document, number, token))
        elif op.startswith("socket."):
            self._sockets.execute(op, arguments)
        elif op in ("handlerAdded", "handlerRemoved"):
            self._count_handler(arguments, 1 if op == "handlerAdded" else -1)
        elif op == "answer":
            self._answered(arguments)
        elif op == "opening":
            self._announce(arguments)
            self._answer(number, result=None)
        elif op == "clearCache":
            self._clear_cache(number)
        elif op != "hello":
            self._answer(number, error=f"{op[:40]} is not available with this browser engine.")

    def _give_token(self, document: str, number: int | None, token: Any) -> None:
        if document != self._document:
            return
        if isinstance(token, str):
            self._answer(number, result=token)
        else:
            self._answer(number, error="The platform gives this page no token: see allowedOrigins of its definition.")

    def _count_handler(self, arguments: Mapping[str, Any], step: int) -> None:
        event, window = arguments.get("event"), arguments.get("window")
        if event in _EVENTS and isinstance(window, str) and (step < 0 or self.handlers.total() < _MOST_HANDLERS):
            self.handlers[str(event), window] = max(0, self.handlers[str(event), window] + step)
            self.page.guards_navigation = self.handlers["navigate", self.instance] > 0

    def _answered(self, arguments: Mapping[str, Any]) -> None:
        answered = self._asked.pop(arguments.get("ask", 0), None)
        result = arguments.get("result")
        if answered is not None:
            answered(not (isinstance(result, dict) and result.get("prevented") is True))

    def _announce(self, arguments: Mapping[str, Any]) -> None:
        announced = Announced.of(arguments)
        waiting = next((later for url, later in self._opening if announced.is_for(url)), None)
        if waiting is not None:
            waiting.resolve(announced)
        else:
            self._announced.append(announced)
            del self._announced[:-_MOST_ANNOUNCED]

    def _clear_cache(self, number: int | None) -> None:
        if self.access.info.get("allowClearingCache") is not True:
            self._answer(number, error="The definition of the app does not allow it (allowClearingCache).")
            return
        self.page.profile().clearHttpCache()
        self._answer(number, result=None)

    def _leave_document(self) -> None:
        super()._leave_document()
        self.handlers.clear()
        self.page.guards_navigation = False
        self._announced.clear()
        for _, later in [*self._opening]:
            later.resolve(Announced())
        self._sockets.close()
        asked, self._asked = self._asked, {}
        for answered in asked.values():
            answered(True)


class PageApis:
    """The API of all pages of the window process."""

    def __init__(self) -> None:
        self._apis: dict[str, PageApi] = {}

    def attach(self, page: AppPage, request: WindowRequest, platform: Platform) -> None:
        """Give the page of a window its API, before it loads its first document."""
        if request.access is not None:
            self._apis[request.instance] = PageApi(page, request.instance, request.access, platform)

    def detach(self, instance: str) -> None:
        """Remove the page of a closed window."""
        api = self._apis.pop(instance, None)
        if api is not None:
            api.close()

    def of(self, instance: str) -> PageApi | None:
        """Return the API of a window's page, or None."""
        return self._apis.get(instance)

    def set_monitors(self, monitors: list[dict[str, Any]]) -> None:
        """Update the displays that all pages can read."""
        for api in self._apis.values():
            api.set_monitors(monitors)

    def may_happen(self, event: str, window: str, details: Mapping[str, Any]) -> Later:
        """Call the handlers of all pages for an operation on a window.

        The result is False as soon as one page prevents it, or True when all have responded or the time limit of the
        window's definition is over.
        """
        later = Later()
        seconds = _seconds(self._apis.get(window), event)
        asked = [api for api in self._apis.values() if api.handlers[event, window]]
        if seconds is None or not asked:
            later.resolve(True)
            return later
        waiting = len(asked)

        def count(may: bool) -> None:  # noqa: FBT001 - an answer
            nonlocal waiting
            waiting -= 1
            if not may or waiting == 0:
                later.resolve(may)

        timer = QTimer()
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: later.resolve(True))
        timer.start(int(seconds * 1000))
        later.then(lambda _, __: timer.stop())
        for api in asked:
            api.ask_handlers(event, window, details, count)
        return later


def _seconds(api: PageApi | None, event: str) -> float | None:
    if api is None:
        return 60.0
    return api.access.close_timeout if event == "close" else api.access.refresh_timeout
