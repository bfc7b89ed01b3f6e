"""One connection: what it has sent and is not processed yet, and what is queued for it."""

import asyncio
from collections import deque
from typing import Final, Protocol, cast

from picows import WSCloseCode, WSMsgType, WSTransport

from rostrum.gateway.costs import CONTROL, SMALL, Costs, OneByOne
from rostrum.gateway.options import Limits
from rostrum.gateway.peer import Source
from rostrum.gateway.server.frames import PING, PONG, SHARED_FROM, control_frame, frames
from rostrum.gateway.server.large_messages import LARGE, Fragments, LargeMessage
from rostrum.gateway.server.partial_reads import DiscardedReads, PartialReads
from rostrum.gateway.server.sign_in_guard import SignInGuard
from rostrum.gateway.wire import Opened

_TEXT: Final = WSMsgType.TEXT
_HIGH_WATER = 64 * 1024
_PART = 128 * 1024
"""Bytes of a long queue that are written in one turn; the rest is written in later turns."""
_UNCOUNTED = 256
"""Small frames at the beginning of the queue that are not counted: at most a megabyte."""
_OUTPUT, _TURN, _LARGE = 1, 2, 4
"""Reasons for not reading: the client does not read, its user has used up the turn, or another connection of the user
receives a large message."""
_MOST_IGNORED = 64
"""Frames that are read after a connection was closed, to find the close frame of the client."""


class Server(Protocol):
    """The functions of the listener that a connection uses.

    Attributes:
        limits: The effective limits.
        now: The time of the last tick, precise enough to find silent connections.
        turn: The number of the current turn of the event loop, in which each user may cause limited costs.
    """

    limits: Limits
    now: float
    turn: int

    def new_costs(self) -> Costs:
        """Create the costs of a connection without a sign-in."""
        ...

    def opened(self, source: "SocketSource") -> None: ...

    def closed(self, source: "SocketSource") -> None: ...

    def received(self, source: "SocketSource", payload: bytes) -> None:
        """Process a complete message, or queue it."""
        ...

    def must_wait(self, costs: Costs) -> bool:
        """Return whether further messages of a user must wait for a later turn."""
        ...

    def queue(self, source: "SocketSource") -> None:
        """Record that a source must wait for a later turn."""
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
    """One connection, with its queued input and output.

    Attributes:
        costs: The costs of its user; those of this connection until a peer has signed in.
        inbox: Messages that wait for a later turn; while there are some, nothing is read.
        opened: The first of them, if its header was read already.
        is_special: Whether there is more to write than a few small frames.
        is_queued: Whether the listener will continue with it in a later turn.
        unsigned_seconds: Time without a sign-in, excluding the time for checking credentials.
        is_controlling: Whether the client controls the gateway, so that the limit of connections does not apply.
        needs_binding: Whether the client is a page of a foreign origin, which must have a token bound to an app.
    """

    __slots__ = (
        "_buffered",
        "_checks",
        "_control",
        "_counted",
        "_guard",
        "_ignored",
        "_large",
        "_parts",
        "_pinged_at",
        "_reads",
        "_server",
        "_stops",
        "_stuck",
        "_to_write",
        "cookies",
        "farewell",
        "inbox",
        "is_closing",
        "is_controlling",
        "is_queued",
        "is_special",
        "last_seen",
        "needs_binding",
        "opened",
        "pending",
        "transport",
        "unsigned_seconds",
    )

    costs: Costs

    def __init__(self, server: Server, *, is_controlling: bool = False, needs_binding: bool = False) -> None:
        """Start without a transport, which is set when the connection is made."""
        super().__init__("")
        self.costs = server.new_costs()
        self.is_controlling = is_controlling
        self.needs_binding = needs_binding
        self.cookies = ""
        self._server = server
        self.transport: WSTransport | None = None
        self.pending: list[tuple[bytes, bytes | memoryview]] = []
        self._parts: deque[memoryview] = deque()
        self._control: dict[int, bytes] = {}
        self.is_special = False
        self._stops = 0
        self._stuck = 0
        self._ignored = 0
        self._large: OneByOne[SocketSource] | None = None
        self._reads: PartialReads | None = None
        self._to_write = 0
        self.inbox: deque[bytes | LargeMessage] = deque()
        self._buffered = 0
        self._counted = self.costs
        self.opened: Opened | None = None
        self.is_queued = False
        self.farewell: WSCloseCode | None = None
        self.is_closing = False
        self.last_seen = server.now
        self._pinged_at = -1.0
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
        """Replace the limits after a sign-in; otherwise the client's time continues."""
        self._checks -= 1
        if is_signed_in:
            self.cookies = ""
        if is_signed_in and self._guard is not None and self.transport is not None:
            self._reads = PartialReads(self._guard.protocol, self)
            self.transport.underlying_transport.set_protocol(self._reads)
            self._guard = None
        if self._guard is not None and not self._checks and not self.is_closing:
            self._server.waits(self)

    def _said_too_much(self) -> None:
        most = self._server.limits.unsigned_bytes
        self.close(WSCloseCode.MESSAGE_TOO_BIG, f"more than {most} bytes before sign-in")

    def stop_reading(self) -> None:
        """Read nothing until ``continue_reading``: messages wait for a later turn."""
        self._stop(_TURN)

    def continue_reading(self) -> None:
        """Read again, unless the client has to read first."""
        self._start(_TURN)

    @property
    def is_reading(self) -> bool:
        """Return whether data of the client is read."""
        return not self._stops

    def buffer(self, size: int) -> None:
        """Count bytes of messages that are not processed yet; a negative number subtracts them."""
        if self.is_closing:
            return
        if self._counted is not self.costs:
            # Another user has signed in on the same connection.
            self._counted.buffered -= self._buffered
            self._counted = self.costs
            self.costs.buffered += self._buffered
        self._buffered += size
        self.costs.buffered += size

    def put(self, message: bytes) -> None:
        """Store a message for a later turn."""
        self.inbox.append(message)
        self.buffer(len(message))

    def take(self) -> None:
        """Remove the first stored message, which is processed now."""
        first = self.inbox.popleft()
        if isinstance(first, bytes):
            self.buffer(-len(first))

    def receive_large(self) -> None:
        """Receive a large message, or wait until the user's other connections have received theirs."""
        if self.is_closing:
            self.ignored()
            return
        self._large = self.costs.large
        if not self._large.enter(self):
            self._stop(_LARGE)

    def received_frame(self, payload: memoryview) -> None:
        """Process a large message later; nothing more is read until then, so that the payload stays unchanged."""
        if self._reads is not None:
            self.inbox.append(LargeMessage(payload, self._reads))
            self._server.queue(self)

    def received_fragments(self, fragments: Fragments) -> None:
        """Process a complete message."""
        if len(fragments) > LARGE:
            self.inbox.append(LargeMessage(memoryview(fragments.text), fragments))
            self._server.queue(self)
        else:
            self._server.received(self, bytes(fragments.text))

    def received_large(self) -> None:
        """Let another connection of the user receive a large message: this one is processed."""
        if self._large is not None:
            large, self._large = self._large, None
            following = large.leave(self)
            if following is not None:
                following._start(_LARGE)  # noqa: SLF001 - another object of the same class

    def ignored(self) -> None:
        """Count what the client sends after the connection was closed: a frame, or a part that would have to wait."""
        self._ignored += 1
        if self._ignored == _MOST_IGNORED and self._reads is not None and self.transport is not None:
            socket = self.transport.underlying_transport
            socket.set_protocol(DiscardedReads(self._reads.protocol, socket))

    def _stop(self, reason: int) -> None:
        if not self._stops and self.transport is not None:
            self.transport.underlying_transport.pause_reading()
        self._stops |= reason

    def _start(self, reason: int) -> None:
        if not self._stops & reason:
            return
        self._stops &= ~reason
        self.last_seen = self._server.now
        if not self._stops and self.transport is not None:
            self.transport.underlying_transport.resume_reading()

    def look(self) -> None:
        """Count progress as activity while nothing is read: what the client has sent is not seen."""
        if not self._stops or self.transport is None:
            return
        left = self.transport.underlying_transport.get_write_buffer_size()
        if left < self._to_write or not self._stops & _OUTPUT:
            self.last_seen = self._server.now
        self._to_write = left

    def deliver(self, head: bytes, tail: bytes | memoryview) -> None:
        """Queue a frame until the end of this iteration of the loop; a reader that is too slow is disconnected."""
        if self.is_closing:
            return
        self.sent += 1
        pending = self.pending
        if not pending:
            self._server.has_frames(self)
        elif (self.is_paused or len(pending) > _UNCOUNTED) and not self._count(len(head) + len(tail)):
            return
        pending.append((head, tail))

    def deliver_large(self, head: bytes, tail: bytes | memoryview) -> None:
        """Queue a large frame: its bytes always count. A few small ones are not counted, which would take long."""
        if self.is_closing or not self._count(len(head) + len(tail)):
            return
        self.sent += 1
        if not self.pending:
            self._server.has_frames(self)
        self.pending.append((head, tail))

    def _count(self, size: int) -> bool:
        """Count queued bytes; return whether the reader is fast enough."""
        self.unread += size
        self.is_special = True
        if self.is_paused:
            self._get_stuck(size)
        else:
            self.costs.queued += size
        if self._is_too_slow():
            self._server.cut_off(self)
        return not self.is_closing

    def _is_too_slow(self) -> bool:
        if self.is_paused and self._is_user_too_slow():
            return True
        # One message may exceed the limit, such as the data of a large context.
        is_first = not self.pending and not self._parts
        size = 0 if self.transport is None else self.transport.underlying_transport.get_write_buffer_size()
        return not is_first and self.unread + size + SMALL * _UNCOUNTED > self._server.limits.unread

    def _is_user_too_slow(self) -> bool:
        """Return whether the connections of the user that do not read store more together than one may store."""
        return self.costs.unread > max(self._server.limits.unread, self._stuck)

    def _get_stuck(self, size: int) -> None:
        self._stuck += size
        self.costs.unread += size

    def pinged(self, payload: bytes) -> None:
        """Answer a ping, together with those that arrive before the answer is written."""
        self._add_control(PONG, payload)

    @property
    def was_pinged(self) -> bool:
        """Return whether nothing has arrived since the last ping."""
        return self._pinged_at > self.last_seen

    def ping(self) -> None:
        """Check whether the client still responds."""
        self._pinged_at = self._server.now
        self._add_control(PING, b"")

    def count_control(self) -> None:
        """Count a frame that is not a message; after many of them, nothing more is read in this turn."""
        self.costs.room -= CONTROL
        if self.costs.room < 0 and not self.is_queued:
            self.must_wait()

    def must_wait(self) -> bool:
        """Return whether the user has used up the turn; if so, nothing more is read in it."""
        if not self._server.must_wait(self.costs):
            return False
        if self.is_closing:
            self.ignored()
        else:
            self._server.queue(self)
        return True

    def _add_control(self, kind: int, payload: bytes) -> None:
        if not self.is_closing:
            if not self._control and not self.pending and not self._parts:
                self._server.has_frames(self)
            self._control[kind] = control_frame(kind, payload)
            self.is_special = True

    @property
    def has_long_queue(self) -> bool:
        """Return whether the queue is written in several turns."""
        return self.unread > _PART or bool(self._parts)

    def flush(self) -> None:
        """Write a few small frames, in as few pieces as possible."""
        transport, pending = self.transport, self.pending
        if not pending or self.is_paused or transport is None:
            return
        self.pending = []
        if len(pending) == 1 and len(pending[0][1]) < SHARED_FROM:
            head, tail = pending[0]
            transport.send(_TEXT, head + tail)
            return
        buffers = frames(pending)
        if len(buffers) == 1:
            transport.underlying_transport.write(buffers[0])
        else:
            transport.underlying_transport.writelines(buffers)

    def flush_special(self) -> bool:
        """Write a part of a long queue, or all of a short one; return whether there is more for a later turn."""
        if self.is_paused or self.is_closing or self.transport is None:
            return False
        if self.has_long_queue:
            return self._flush_part(self.transport.underlying_transport)
        self._write_control(self.transport.underlying_transport)
        self._wrote(self.unread)
        self.is_special = False
        self.flush()
        return False

    def _flush_part(self, transport: asyncio.Transport) -> bool:
        left = _PART
        while left > 0 and not self.is_paused:
            if not self._parts:
                self._write_control(transport)
                if not self._take_frames():
                    break
            part = self._parts.popleft()
            if len(part) > left:
                self._parts.appendleft(part[left:])
                part = part[:left]
            left -= len(part)
            self._wrote(min(self.unread, len(part)))
            # A paused socket gets no more, so that the transport never has to store much.
            transport.write(part)
        return bool(self._parts or self.pending) and not self.is_paused

    def _wrote(self, size: int) -> None:
        self.unread -= size
        self.costs.queued -= size

    def _take_frames(self) -> bool:
        """Prepare the first frames of the queue for writing."""
        count = size = 0
        for head, tail in self.pending:
            count += 1
            size += len(head) + len(tail)
            if size >= _PART:
                break
        self._parts.extend(map(memoryview, frames(self.pending[:count])))
        del self.pending[:count]
        return bool(self._parts)

    def _write_control(self, transport: asyncio.Transport) -> None:
        if self._control:
            transport.write(b"".join(self._control.values()))
            self._control.clear()

    def pause(self) -> None:
        """Record that the socket accepts no more data for now; nothing more is read until the client reads."""
        if not self.is_paused:
            self.costs.queued -= self.unread
        self.is_paused = True
        if self.transport is not None:
            self._to_write = self.transport.underlying_transport.get_write_buffer_size()
            self._get_stuck(self._to_write + self.unread)
        self._stop(_OUTPUT)
        # What was queued before counts as well: many connections may stop reading after one message.
        if self._stuck and self._is_user_too_slow():
            self._server.cut_off(self)

    def resume(self) -> None:
        if self.is_paused:
            self.costs.queued += self.unread
        self.is_paused = False
        self._get_stuck(-self._stuck)
        self._start(_OUTPUT)
        if self.pending or self._parts or self._control:
            self._server.has_frames(self)

    def leave(self, code: WSCloseCode) -> None:
        """Answer the client's close frame, and close."""
        if self.inbox:
            # The client's messages come first.
            self.farewell = code
            return
        if not self.is_closing and self.transport is not None:
            self._write_rest()
            self._end_queues()
            self.transport.send_close(code)
        if self.transport is not None:
            self.transport.disconnect()

    def close(self, code: WSCloseCode, reason: str, *, at_once: bool = False) -> None:
        """Send a close frame with the reason, then close; ``at_once`` does not wait for the client's close frame."""
        if self.is_closing or self.transport is None:
            return
        self._write_rest()
        self._end_queues()
        self.transport.send_close(code, reason.encode()[:120])
        if at_once:
            self.transport.disconnect()
        else:
            self._start(_OUTPUT | _TURN | _LARGE)
            delay = self._server.limits.farewell
            asyncio.get_running_loop().call_later(delay, self.transport.disconnect, False)  # noqa: FBT003

    def ended(self) -> None:
        """Forget everything that is queued: the connection has ended."""
        self._end_queues()
        # Their buffers would stay until the collection of cycles.
        self._guard = self._reads = self.transport = None

    def _write_rest(self) -> None:
        """Write what must precede a close frame: the rest of a frame that has begun, and short queues completely."""
        if self.transport is None:
            return
        if self._parts:
            self.transport.underlying_transport.writelines(list(self._parts))
            self._parts.clear()
        if not self.is_paused and self.unread <= _PART:
            self.flush_special()

    def _end_queues(self) -> None:
        self.is_closing = True
        self._get_stuck(-self._stuck)
        self.received_large()
        self.pending = []
        self._parts.clear()
        self._control.clear()
        self.inbox.clear()
        self._counted.buffered -= self._buffered
        self._buffered = 0
        self.opened = None
        if not self.is_paused:
            self.costs.queued -= self.unread
        self.unread = 0
