"""Connections to the gateway for pages whose content security policy forbids WebSockets.

The page sends and receives over its channel to the window host, which has the socket. The page signs in with its own
token, as over its own socket, and the limits of the gateway apply.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtNetwork import QAbstractSocket, QNetworkProxy
from PySide6.QtWebSockets import QWebSocket

_MOST_SOCKETS = 8
_MOST_WAITING = 32 * 1024 * 1024
"""Maximum number of queued characters in either direction; a page that exceeds it is disconnected."""
_MOST_TOGETHER, _MOST_CHARACTERS = 64, 256 * 1024
"""Messages that are passed to the page together, and their characters, above which no further ones are added."""
_TOO_MUCH = 1013
_ABNORMAL = 1006
_LONGEST_REASON = 123


class _Socket:
    """One connection, with the characters that the page has not read yet.

    Attributes:
        inbox: Messages that have not been passed to the page.
        sent: Characters that were sent, which the page has not been informed about.
    """

    def __init__(self, socket: QWebSocket) -> None:
        self.socket = socket
        self.unread = 0
        self.inbox: deque[str] = deque()
        self.sent = 0
        self.is_open = False
        self.code: int | None = None
        self.reason = ""


class GatewaySockets(QObject):
    """The sockets of one document."""

    def __init__(self, gateway: str, tell: Callable[[dict[str, Any]], None], parent: QObject) -> None:
        super().__init__(parent)
        self._gateway = QUrl(gateway)
        self._tell = tell
        self._sockets: dict[int, _Socket] = {}
        # One call of the page for many messages: each call takes much longer than the message, and would delay the
        # operations of all other pages.
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._pass_on)

    def execute(self, op: str, arguments: Mapping[str, Any]) -> None:
        """Execute a request of the page: ``socket.open``, ``socket.send``, ``socket.read`` or ``socket.close``."""
        number = arguments.get("id")
        if not isinstance(number, int):
            return
        if op == "socket.open":
            self._open(number)
            return
        found = self._sockets.get(number)
        if found is None:
            return
        data, length = arguments.get("data"), arguments.get("length")
        if op == "socket.send" and isinstance(data, str) and isinstance(length, int):
            self._send(found, data, length)
        elif op == "socket.read" and isinstance(length, int):
            found.unread -= max(0, length)
        elif op == "socket.close":
            found.socket.close()

    def close(self) -> None:
        """Close all connections, because the document has ended."""
        sockets, self._sockets = self._sockets, {}
        for found in sockets.values():
            found.socket.abort()
            found.socket.deleteLater()

    def _open(self, number: int) -> None:
        if number in self._sockets or len(self._sockets) >= _MOST_SOCKETS:
            self._tell({"socket": number, "event": "close", "code": _ABNORMAL, "reason": "too many connections"})
            return
        socket = QWebSocket(parent=self)
        socket.setProxy(QNetworkProxy(QNetworkProxy.ProxyType.NoProxy))
        found = self._sockets[number] = _Socket(socket)
        socket.connected.connect(lambda: self._opened(number, found))
        socket.textMessageReceived.connect(lambda text: self._received(found, text))
        socket.stateChanged.connect(lambda state: self._changed(number, found, state))
        socket.open(self._gateway)

    def _opened(self, number: int, found: _Socket) -> None:
        found.is_open = True
        self._tell({"socket": number, "event": "open"})

    def _send(self, found: _Socket, data: str, length: int) -> None:
        if found.socket.bytesToWrite() > _MOST_WAITING:
            self._give_up(found, "the page sends more than the gateway reads")
            return
        found.socket.sendTextMessage(data)
        found.sent += length
        self._turn.start()

    def _received(self, found: _Socket, text: str) -> None:
        found.unread += len(text)
        if found.unread > _MOST_WAITING:
            self._give_up(found, "the page does not read what is sent to it")
            return
        found.inbox.append(text)
        self._turn.start()

    def _pass_on(self) -> None:
        for number, found in list(self._sockets.items()):
            self._tell_some(number, found)
            if found.inbox:
                # Other pages and the platform have their turn first.
                self._turn.start()

    def _tell_some(self, number: int, found: _Socket) -> None:
        sent, found.sent = found.sent, 0
        if sent:
            self._tell({"socket": number, "event": "sent", "length": sent})
        texts: list[str] = []
        while found.inbox and len(texts) < _MOST_TOGETHER and sum(map(len, texts)) < _MOST_CHARACTERS:
            texts.append(found.inbox.popleft())
        if texts:
            self._tell({"socket": number, "event": "messages", "data": texts, "length": sum(map(len, texts))})

    def _give_up(self, found: _Socket, reason: str) -> None:
        found.code, found.reason = _TOO_MUCH, reason
        found.socket.abort()

    def _changed(self, number: int, found: _Socket, state: QAbstractSocket.SocketState) -> None:
        if state != QAbstractSocket.SocketState.UnconnectedState or self._sockets.get(number) is not found:
            return
        while found.inbox and found.code is None:
            self._tell_some(number, found)
        del self._sockets[number]
        code = found.code
        if code is None:
            code = int(found.socket.closeCode().value) if found.is_open else _ABNORMAL
        reason = (found.reason or found.socket.closeReason())[:_LONGEST_REASON]
        self._tell({"socket": number, "event": "close", "code": code, "reason": reason})
        found.socket.deleteLater()
