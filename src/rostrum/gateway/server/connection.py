"""One connection: assembles incoming messages, and queues outgoing ones separately from other connections."""

import asyncio
from typing import Protocol, cast

from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from rostrum.gateway.options import Limits
from rostrum.gateway.peer import Source
from rostrum.gateway.server.sign_in_guard import SignInGuard

SHARED_FROM = 16 * 1024
"""Parts of this size are not copied for each receiver."""
_HIGH_WATER = 256 * 1024


def frames(pending: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Write frames into as few buffers as possible; large shared parts are not copied for each receiver."""
    buffers: list[bytes] = []
    pieces: list[bytes] = []
    for head, tail in pending:
        pieces += (frame_header(len(head) + len(tail)), head)
        if len(tail) < SHARED_FROM:
            pieces.append(tail)
        else:
            buffers += (b"".join(pieces), tail)
            pieces = []
    if pieces:
        buffers.append(b"".join(pieces))
    return buffers


def frame_header(size: int) -> bytes:
    """Write the header of a complete, unmasked text frame."""
    if size < 126:
        return bytes((0x81, size))
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2)
    return b"\x81\x7f" + size.to_bytes(8)


class Server(Protocol):
    """The functions of the listener that a connection uses.

    Attributes:
        limits: The effective limits.
        now: The time of the last tick, precise enough to find silent connections.
    """

    limits: Limits
    now: float

    def opened(self, source: "SocketSource") -> None: ...

    def closed(self, source: "SocketSource") -> None: ...

    def received(self, source: "SocketSource", payload: bytes) -> None:
        """Process a complete message."""
        ...

    def has_frames(self, source: "SocketSource") -> None:
        """Record that a source has queued frames to write at the end of this iteration."""
        ...

    def cut_off(self, source: "SocketSource") -> None:
        """Close a connection whose reader is too slow."""
        ...

    def waits(self, source: "SocketSource") -> None:
        """Record that a connection has not signed in."""
        ...

    def upgraded(self, descriptor: int) -> None:
        """Record that a connection was upgraded to a WebSocket."""
        ...

    def waits_no_longer(self, source: "SocketSource") -> None:
        """Record that credentials are being checked, or that a peer has signed in."""
        ...


class SocketSource(Source):
    """One connection, with its partial input and queued output.

    Attributes:
        unsigned_seconds: Time without a sign-in, excluding the time for checking credentials.
        is_controlling: Whether the client controls the gateway, so that the limit of connections does not apply.
        needs_binding: Whether the client is a page of a foreign origin, which must have a token bound to an app.
    """

    __slots__ = (
        "_checks",
        "_guard",
        "_server",
        "cookies",
        "is_closing",
        "is_controlling",
        "last_seen",
        "needs_binding",
        "pending",
        "transport",
        "unsigned_seconds",
        "was_pinged",
    )

    def __init__(self, server: Server, *, is_controlling: bool = False, needs_binding: bool = False) -> None:
        """Start without a transport, which is set when the connection is made."""
        super().__init__("")
        self.is_controlling = is_controlling
        self.needs_binding = needs_binding
        self.cookies = ""
        self._server = server
        self.transport: WSTransport | None = None
        self.pending: list[tuple[bytes, bytes]] = []
        self.is_closing = False
        self.was_pinged = False
        self.last_seen = server.now
        self._guard: SignInGuard | None = None
        self._checks = 0
        self.unsigned_seconds = 0.0

    def connected(self, transport: WSTransport) -> None:
        """Start with the limits of a connection without a sign-in."""
        self.transport = transport
        socket = transport.underlying_transport
        address = socket.get_extra_info("peername")
        self.machine = str(address[0]) if address else ""
        self._server.upgraded(socket.get_extra_info("socket").fileno())
        socket.set_write_buffer_limits(high=_HIGH_WATER)
        protocol = cast("asyncio.BufferedProtocol", socket.get_protocol())
        self._guard = SignInGuard(protocol, self._server.limits.unsigned_bytes, self._said_too_much)
        socket.set_protocol(self._guard)

    def revoke(self, reason: str) -> None:
        """Close the connection with the reason; later input is ignored."""
        self.close(WSCloseCode.POLICY_VIOLATION, reason)

    def check_begins(self) -> None:
        """Stop the client's time: the gateway is checking credentials."""
        self._checks += 1
        self._server.waits_no_longer(self)

    def check_ends(self, *, is_signed_in: bool) -> None:
        """Remove the limits after a sign-in; otherwise the client's time continues."""
        self._checks -= 1
        if is_signed_in:
            self.cookies = ""
        if is_signed_in and self._guard is not None and self.transport is not None:
            # From here on the WebSocket library reads from the socket directly, without overhead.
            self.transport.underlying_transport.set_protocol(self._guard.protocol)
            self._guard = None
        if self._guard is not None and not self._checks and not self.is_closing:
            self._server.waits(self)

    def _said_too_much(self) -> None:
        most = self._server.limits.unsigned_bytes
        self.close(WSCloseCode.MESSAGE_TOO_BIG, f"more than {most} bytes before sign-in")

    def deliver(self, head: bytes, tail: bytes) -> None:
        """Queue a frame until the end of this iteration of the loop; a reader that is too slow is disconnected."""
        if self.is_closing:
            return
        self.sent += 1
        if self.is_paused:
            self.unread += len(head) + len(tail)
            if self.unread > self._server.limits.unread:
                self._server.cut_off(self)
                return
        elif not self.pending:
            self._server.has_frames(self)
        self.pending.append((head, tail))

    def flush(self) -> None:
        """Write all queued frames, in as few pieces as possible."""
        transport, pending = self.transport, self.pending
        if self.is_paused or self.is_closing or transport is None or not pending:
            return
        self.pending = []
        if len(pending) == 1 and len(pending[0][1]) < SHARED_FROM:
            head, tail = pending[0]
            transport.send(WSMsgType.TEXT, head + tail)
            return
        buffers = frames(pending)
        if len(buffers) == 1:
            transport.underlying_transport.write(buffers[0])
        else:
            transport.underlying_transport.writelines(buffers)

    def pause(self) -> None:
        """Record that the socket accepts no more data for now."""
        self.is_paused = True
        if self.transport is not None:
            self.unread = self.transport.underlying_transport.get_write_buffer_size()

    def resume(self) -> None:
        self.is_paused = False
        self.unread = 0
        self.flush()

    def close(self, code: WSCloseCode, reason: str, *, at_once: bool = False) -> None:
        """Send a close frame with the reason, then close; ``at_once`` does not wait for the client's close frame."""
        if self.is_closing or self.transport is None:
            return
        self.flush()
        self.is_closing = True
        self.pending = []
        self.transport.send_close(code, reason.encode()[:120])
        if at_once:
            self.transport.disconnect()
        else:
            delay = self._server.limits.farewell
            asyncio.get_running_loop().call_later(delay, self.transport.disconnect, False)  # noqa: FBT003


class Connection(WSListener):
    """The callbacks of picows, which delegate to the source and the server."""

    def __init__(self, server: Server, source: SocketSource) -> None:
        self._server = server
        self._source = source
        self._parts: list[bytes] = []
        self._size = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._source.connected(transport)
        self._server.opened(self._source)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' shape
        self._server.closed(self._source)

    def pause_writing(self) -> None:
        self._source.pause()

    def resume_writing(self) -> None:
        self._source.resume()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Process one frame, usually a complete message."""
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
            # An empty part is kept as well: it marks the start of a message.
            self._parts.append(frame.get_payload_as_bytes())
            if self._size > self._server.limits.frame:
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
