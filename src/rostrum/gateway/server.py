"""The WebSocket listener: sockets in, frames to the gateway, its frames out again, none of them waiting for another."""

import asyncio
import logging
import os
from collections.abc import Callable
from http import HTTPStatus
from typing import Protocol

from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_create_server,
)

from rostrum.gateway.errors import CannotListen
from rostrum.gateway.options import GatewayOptions
from rostrum.gateway.origins import is_allowed
from rostrum.gateway.state import Source

__all__ = ["Endpoint", "SocketSource", "WebSocketServer"]

_log = logging.getLogger("rostrum.gateway")
# picows writes lines for each connection, and at the level of errors for what any stranger can send.
_socket_log = logging.getLogger("rostrum.gateway.socket")
_socket_log.setLevel(logging.CRITICAL)

_HIGH_WATER = 256 * 1024
_READ_BUFFER = 2048
_SHARED_FROM = 16 * 1024
_PATIENCE = 5.0
_MOST_REFUSED = 64


class Endpoint(Protocol):
    """What the listener needs of the gateway behind it."""

    def receive(self, source: Source, payload: bytes) -> None:
        """Carry out one frame."""
        ...

    def disconnect(self, source: Source) -> None:
        """Remove everyone who came through a source."""
        ...

    def turn_away(self, source: Source, payload: bytes, text: str) -> None:
        """Answer a log-in that cannot be let in, whoever it is."""
        ...

    def answer(self, path: str, authorization: str) -> tuple[HTTPStatus, bytes]:
        """Answer a plain HTTP request."""
        ...


class SocketSource(Source):
    """One connection: what came in last, what waits to go out."""

    __slots__ = ("_server", "is_closing", "last_seen", "pending", "transport", "was_pinged")

    def __init__(self, server: "WebSocketServer") -> None:
        """Begin without a transport: it comes with the first sign of life."""
        super().__init__("")
        self._server = server
        self.transport: WSTransport | None = None
        self.pending: list[tuple[bytes, bytes]] = []
        self.is_closing = False
        self.was_pinged = False
        self.last_seen = server.now

    def deliver(self, head: bytes, tail: bytes) -> None:
        """Keep a frame until the end of this turn of the loop; a reader that is too slow is cut off."""
        if self.is_closing:
            return
        self.sent += 1
        if self.is_paused:
            self.unread += len(head) + len(tail)
            if self.unread > self._server.options.limits.unread:
                self._server.cut_off(self)
                return
        elif not self.pending:
            self._server.has_frames(self)
        self.pending.append((head, tail))

    def flush(self) -> None:
        """Write everything that waits, in as few pieces as possible."""
        transport, pending = self.transport, self.pending
        if self.is_paused or self.is_closing or transport is None or not pending:
            return
        self.pending = []
        if len(pending) == 1 and len(pending[0][1]) < _SHARED_FROM:
            head, tail = pending[0]
            transport.send(WSMsgType.TEXT, head + tail)
            return
        buffers = _frames(pending)
        if len(buffers) == 1:
            transport.underlying_transport.write(buffers[0])
        else:
            transport.underlying_transport.writelines(buffers)

    def pause(self) -> None:
        """Note that the socket takes no more for now."""
        self.is_paused = True
        if self.transport is not None:
            self.unread = self.transport.underlying_transport.get_write_buffer_size()

    def resume(self) -> None:
        """Go on writing."""
        self.is_paused = False
        self.unread = 0
        self.flush()

    def close(self, code: WSCloseCode, reason: str) -> None:
        """Say farewell with a reason, then close; one that does not listen is closed all the same."""
        if self.is_closing or self.transport is None:
            return
        self.flush()
        self.is_closing = True
        self.pending = []
        self.transport.send_close(code, reason.encode()[:120])
        asyncio.get_running_loop().call_later(self._server.options.limits.farewell, self.transport.disconnect, False)  # noqa: FBT003


class _Connection(WSListener):
    """What picows calls; the work is done by the source and the server."""

    def __init__(self, server: "WebSocketServer", source: SocketSource) -> None:
        self._server = server
        self._source = source
        self._parts: list[bytes] = []
        self._size = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._source.transport = transport
        address = transport.underlying_transport.get_extra_info("peername")
        self._source.machine = str(address[0]) if address else ""
        transport.underlying_transport.set_write_buffer_limits(high=_HIGH_WATER)
        self._server.opened(self._source)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' shape
        self._server.closed(self._source)

    def pause_writing(self) -> None:
        self._source.pause()

    def resume_writing(self) -> None:
        self._source.resume()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        source = self._source
        source.last_seen = self._server.now
        source.was_pinged = False
        kind = frame.msg_type
        if source.is_closing and kind != WSMsgType.CLOSE:
            return
        is_plain = not (frame.rsv1 or frame.rsv2 or frame.rsv3 or self._parts)
        if kind == WSMsgType.TEXT and frame.fin and is_plain:
            self._server.received(source, frame.get_payload_as_bytes())
        elif kind == WSMsgType.CLOSE:
            self._farewell(transport, frame)
        elif kind != WSMsgType.PONG:
            self._piece(frame, kind)

    def _piece(self, frame: WSFrame, kind: WSMsgType) -> None:
        is_first = kind != WSMsgType.CONTINUATION
        if frame.rsv1 or frame.rsv2 or frame.rsv3 or is_first == bool(self._parts):
            self._source.close(WSCloseCode.PROTOCOL_ERROR, "the frames do not fit together")
        elif kind == WSMsgType.BINARY:
            self._source.close(WSCloseCode.UNSUPPORTED_DATA, "messages are text frames")
        else:
            self._size += frame.payload_size
            # An empty piece keeps its place, too: it tells that a message has begun.
            self._parts.append(frame.get_payload_as_bytes())
            if self._size > self._server.options.limits.frame:
                self._source.close(WSCloseCode.MESSAGE_TOO_BIG, "the message is too big")
            elif frame.fin:
                payload, self._parts, self._size = b"".join(self._parts), [], 0
                self._server.received(self._source, payload)

    def _farewell(self, transport: WSTransport, frame: WSFrame) -> None:
        if not self._source.is_closing:
            self._source.flush()
            code = frame.get_close_code()
            transport.send_close(WSCloseCode.OK if code == WSCloseCode.NO_INFO else code)
            self._source.is_closing = True
        transport.disconnect()


class WebSocketServer:
    """Listens, and keeps every connection within bounds.

    Attributes:
        options: The limits in force.
        now: The time of the last tick, close enough to tell who is silent.

    """

    def __init__(self, endpoint: Endpoint, options: GatewayOptions, monotonic: Callable[[], float]) -> None:
        """Take the gateway that the frames are for."""
        self.options = options
        self._endpoint = endpoint
        self._monotonic = monotonic
        self.now = monotonic()
        self._server: asyncio.Server | None = None
        self._ticking: asyncio.Task[None] | None = None
        self.sources: set[SocketSource] = set()
        self._refused: set[SocketSource] = set()
        self._writable: list[SocketSource] = []
        self.port = 0

    async def start(self) -> None:
        """Begin to listen; CannotListen says why not."""
        options = self.options
        try:
            self._server = await ws_create_server(
                self._connection,
                options.host,
                options.port,
                max_frame_size=options.limits.frame,
                read_buffer_init_size=_READ_BUFFER,
                logger_name=_socket_log,
            )
        except OSError as error:
            reason = os.strerror(error.errno).lower() if error.errno else str(error)
            raise CannotListen(options.host, options.port, reason) from None
        self.port = self._server.sockets[0].getsockname()[1]
        self._ticking = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """Say farewell to everyone, and close within a bounded time."""
        if self._server is None:
            return
        self._server.close()
        if self._ticking is not None:
            self._ticking.cancel()
        open_sources = [*self.sources, *self._refused]
        for source in open_sources:
            source.close(WSCloseCode.GOING_AWAY, "the gateway is stopping")
        gone = [source.transport.wait_disconnected() for source in open_sources if source.transport is not None]
        await asyncio.gather(*gone, return_exceptions=True)
        self._server = None

    def has_frames(self, source: SocketSource) -> None:
        """Note that a source has something to write at the end of this turn."""
        if not self._writable:
            asyncio.get_running_loop().call_soon(self._flush)
        self._writable.append(source)

    def received(self, source: SocketSource, payload: bytes) -> None:
        """Hand a whole message on, unless the connection is one too many."""
        if source not in self._refused:
            self._endpoint.receive(source, payload)
            return
        text = f"the gateway has {self.options.limits.connections} connections, the most it may have"
        self._endpoint.turn_away(source, payload, text)
        source.close(WSCloseCode.TRY_AGAIN_LATER, text)

    def opened(self, source: SocketSource) -> None:
        """Count a connection in; one too many is kept until it speaks, to be told why it cannot stay."""
        most = self.options.limits.connections
        if most is not None and len(self.sources) >= most:
            self._refused.add(source)
            _log.warning("connection from %s refused: there are %d, the most allowed", source.machine, most)
            return
        self.sources.add(source)

    def closed(self, source: SocketSource) -> None:
        """Count a connection out."""
        source.is_closing = True
        source.pending = []
        self._refused.discard(source)
        if source in self.sources:
            self.sources.discard(source)
            self._endpoint.disconnect(source)

    def cut_off(self, source: SocketSource) -> None:
        """Close a connection whose reader is too slow; its peers are gone at once."""
        source.pending = []
        waiting = self.options.limits.unread // (1024 * 1024)
        source.close(WSCloseCode.POLICY_VIOLATION, f"reading too slowly: more than {waiting} MiB waited")
        asyncio.get_running_loop().call_soon(self._remove_slow, source)

    def _remove_slow(self, source: SocketSource) -> None:
        names = ", ".join(str(peer.identity.get("application", peer.id)) for peer in source.peers.values())
        _log.warning("cut off %s (%s): it reads too slowly", names or "a connection", source.machine)
        self._endpoint.disconnect(source)

    def _flush(self) -> None:
        writable, self._writable = self._writable, []
        for source in writable:
            source.flush()

    async def _tick(self) -> None:
        limits = self.options.limits
        while True:
            self.now = self._monotonic()
            for source in list(self._refused):
                if self.now - source.last_seen > _PATIENCE:
                    source.close(WSCloseCode.TRY_AGAIN_LATER, "the gateway has too many connections")
            for source in list(self.sources):
                silent = self.now - source.last_seen
                if limits.inactive and silent > limits.inactive:
                    source.close(WSCloseCode.GOING_AWAY, f"silent for {limits.inactive:g} seconds")
                elif silent > limits.ping and not source.was_pinged and source.transport is not None:
                    source.was_pinged = True
                    source.transport.send_ping()
            await asyncio.sleep(min(1.0, limits.ping))

    def _connection(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        headers = request.headers
        if headers.get("Upgrade", "").lower() != "websocket":
            path, _, _ = request.path.decode("latin-1").partition("?")
            return _refusal(*self._endpoint.answer(path, headers.get("Authorization", "")))
        origin = headers.get("Origin")
        if origin is not None and not is_allowed(origin, self.options.origins):
            _log.warning("connection of a page from %.200r refused: its origin is not allowed", origin)
            return _refusal(HTTPStatus.FORBIDDEN, b"pages of this origin may not connect to the gateway\n")
        if len(self._refused) >= _MOST_REFUSED:
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, b"the gateway has too many connections\n")
        if "upgrade" in (token.strip() for token in headers.get("Connection", "").lower().split(",")):
            # Browsers name other things beside it, which picows takes for a wrong header.
            headers["Connection"] = "Upgrade"
        return _Connection(self, SocketSource(self))


def _refusal(status: HTTPStatus, body: bytes) -> WSUpgradeResponseWithListener:
    if status is HTTPStatus.OK:
        response = WSUpgradeResponse.create_ok_response(body, {"Content-Type": "application/json"})
    else:
        response = WSUpgradeResponse.create_error_response(status, body)
    return WSUpgradeResponseWithListener(response, None)


def _frames(pending: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Write frames in as few buffers as possible; a large part that many receivers share is not copied for each."""
    buffers: list[bytes] = []
    pieces: list[bytes] = []
    for head, tail in pending:
        pieces += (_frame_header(len(head) + len(tail)), head)
        if len(tail) < _SHARED_FROM:
            pieces.append(tail)
        else:
            buffers += (b"".join(pieces), tail)
            pieces = []
    if pieces:
        buffers.append(b"".join(pieces))
    return buffers


def _frame_header(size: int) -> bytes:
    """Write the header of a whole, unmasked text frame."""
    if size < 126:
        return bytes((0x81, size))
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2)
    return b"\x81\x7f" + size.to_bytes(8)
