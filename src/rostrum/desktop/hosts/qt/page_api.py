"""The platform's API in pages: the scripts of a page, and its requests to the window host.

A page and the window host communicate over a QWebChannel in an isolated world of the page's main frame. The script
there (``scripts/bridge.js``) runs only on the origins of the app, adds the origin to each message, and connects the
page's own world (``scripts/api.js``) with a message port, before any script of the page runs. Frames inside the page,
and pages of other origins, have no access to the channel, so a token cannot reach them, whenever a response arrives.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import QWebEngineScript, qWebEngineChromiumVersion

from rostrum.desktop.hosts.port import PageAccess, WindowRequest
from rostrum.desktop.hosts.qt.bridge import channel_library
from rostrum.desktop.hosts.qt.gateway_sockets import GatewaySockets
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.origins import is_allowed, origin_of
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.reports import TokenWanted
from rostrum.desktop.windows.page_access import PageScript
from rostrum.desktop.windows.pages import script_before_page

__all__ = ["Announced", "PageApi", "PageApis"]

_log = logging.getLogger(__name__)

_EVENTS = ("close", "refresh", "navigate")
_BRIDGE_EVENT = "rostrum-bridge"
_LARGEST_MESSAGE = 32 * 1024 * 1024
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


class PageApi(QObject):
    """The API in one page, until the page is closed."""

    sent = Signal(str)

    def __init__(self, page: AppPage, instance: str, access: PageAccess, platform: Platform) -> None:
        """Give a page its scripts and the channel, before its first document is created."""
        super().__init__(page)
        self.page = page
        self.instance = instance
        self.access = access
        self.handlers: Counter[tuple[str, str]] = Counter()
        self._announced: list[Announced] = []
        self._opening: list[tuple[QUrl, Later]] = []
        self._platform = platform
        self._document = ""
        self._asked: dict[int, Callable[[bool], None]] = {}
        self._last = 0
        self._sockets = GatewaySockets(access.gateway, self._tell_socket, self)
        self._channel = QWebChannel(self)
        self._channel.registerObject("page", self)
        page.setWebChannel(self._channel, QWebEngineScript.ScriptWorldId.ApplicationWorld.value)
        for name, source, world in _scripts(access):
            page.scripts().insert(_script(name, source, world))
        page.urlChanged.connect(self._moved)
        page.renderProcessTerminated.connect(lambda *_: self._leave_document())

    @Slot(str)
    def receive(self, text: str) -> None:
        """Process a message of the page; anything else is ignored."""
        if len(text) > _LARGEST_MESSAGE:
            _log.warning("%s: a message of %d characters from the page was ignored", self.instance, len(text))
            return
        try:
            message = msgspec.json.decode(text, type=dict[str, Any])
        except msgspec.DecodeError:
            return
        origin, document, op = message.get("origin"), message.get("document"), message.get("op")
        if origin not in self.access.origins or origin != origin_of(self.page.url()) or not isinstance(document, str):
            # The page has left the document before its message arrived.
            return
        if document != self._document:
            self._leave_document()
            self._document = document
        arguments = message.get("args")
        number = message.get("n")
        self._execute(
            str(op), arguments if isinstance(arguments, dict) else {}, number if isinstance(number, int) else None
        )

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

    def _moved(self, url: QUrl) -> None:
        if not is_allowed(url, self.access.origins):
            self._leave_document()

    def _leave_document(self) -> None:
        self._document = ""
        self.handlers.clear()
        self.page.guards_navigation = False
        self._announced.clear()
        for _, later in [*self._opening]:
            later.resolve(Announced())
        self._sockets.close()
        asked, self._asked = self._asked, {}
        for answered in asked.values():
            answered(True)

    def _tell_socket(self, event: dict[str, Any]) -> None:
        self._send(event)

    def _answer(self, number: int | None, **answer: Any) -> None:
        if number is not None:
            self._send({"n": number, **answer})

    def _send(self, message: dict[str, Any]) -> None:
        if self._document:
            self.sent.emit(msgspec.json.encode({**message, "document": self._document}).decode())


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


def _scripts(access: PageAccess) -> list[tuple[str, str, QWebEngineScript.ScriptWorldId]]:
    isolated, main = QWebEngineScript.ScriptWorldId.ApplicationWorld, QWebEngineScript.ScriptWorldId.MainWorld
    config: dict[str, Any] = {"origins": access.origins, "event": _BRIDGE_EVENT}
    bridge = _source("bridge.js", config)
    info = {**access.info, "chromium": qWebEngineChromiumVersion()}
    api = _source("api.js", {**config, "gateway": access.gateway, "info": info})
    scripts = [("bridge", bridge, isolated), ("api", api, main)]
    # The engine runs scripts in the order of their insertion.
    scripts += [(one.name, _guarded(one, access.origins), main) for one in access.scripts]
    return scripts


def _guarded(script: PageScript, origins: tuple[str, ...]) -> str:
    """Return a script of the configuration that runs only on the origins of the app."""
    source = script_before_page([script.source], as_base64=script.as_element)
    allowed = msgspec.json.encode(origins).decode()
    here = 'location.protocol === "file:" ? "file://" + location.pathname : self.origin'
    return f"if ({allowed}.includes({here})) {{\n{source}\n}}"


def _source(name: str, config: Mapping[str, Any]) -> str:
    return _text(name).replace("__CONFIG__", msgspec.json.encode(config).decode())


@cache
def _text(name: str) -> str:
    text = files(__package__).joinpath("scripts", name).read_text("utf-8")
    return text.replace("__QWEBCHANNEL__", channel_library())


def _script(name: str, source: str, world: QWebEngineScript.ScriptWorldId) -> QWebEngineScript:
    script = QWebEngineScript()
    script.setName(f"rostrum: {name}")
    script.setSourceCode(source)
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    script.setWorldId(world.value)
    script.setRunsOnSubFrames(False)
    return script
