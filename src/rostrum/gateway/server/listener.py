"""The listener: admission and limits of connections, and writing of queued frames."""

import asyncio
import hmac
import logging
import os
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import Protocol

from picows import (
    WSCloseCode,
    WSListener,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_create_server,
)

from rostrum.base.memory_pages import free_at_once
from rostrum.gateway.costs import MESSAGE, SMALL, Costs
from rostrum.gateway.errors import CannotListen
from rostrum.gateway.options import GatewayOptions
from rostrum.gateway.origins import is_allowed, may_sign_in
from rostrum.gateway.peer import Source
from rostrum.gateway.server.connection import Connection
from rostrum.gateway.server.listening_socket import Arrivals, ListeningSocket, open_sockets
from rostrum.gateway.server.sign_in_guard import WaitingRoom
from rostrum.gateway.server.source import SocketSource
from rostrum.gateway.server.turns import Turns
from rostrum.gateway.wire import Opened

_log = logging.getLogger("rostrum.gateway")
# picows logs each connection, and logs errors for input that any client can send.
_socket_log = logging.getLogger("rostrum.gateway.socket")
_socket_log.setLevel(logging.CRITICAL)

_READ_BUFFER = 2048
_LARGE_MEMORY = 2 * 1024 * 1024
"""Pieces of memory of this size are given back as soon as they are unused."""
_LONGEST_COOKIES = 32_768
_REFUSED_SECONDS = 5.0
_MOST_REFUSED = 64
_LONG_AT_ONCE = 4
"""Connections with long queues that are written to in one turn."""
_MOST_CONTROLLING = 32
"""Connections that control the gateway and do not count; limited as well, in case they leak."""


class Endpoint(Protocol):
    """The functions of the gateway that the listener uses."""

    def receive(self, source: Source, payload: bytes, opened: Opened | None = None) -> None:
        """Process one frame, whose header may have been read before."""
        ...

    def disconnect(self, source: Source) -> None:
        """Remove all peers of a source."""
        ...

    def turn_away(self, source: Source, payload: bytes, text: str) -> None:
        """Reject a sign-in without checking its user."""
        ...

    def answer(self, path: str, authorization: str) -> tuple[HTTPStatus, bytes]:
        """Respond to a plain HTTP request."""
        ...


class WebSocketServer:
    """Accepts connections, and enforces their limits.

    Attributes:
        limits: The effective limits.
        now: The time of the last tick, precise enough to find silent connections.
        turn: The number of the current turn of the event loop, in which each user may cause limited costs.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        options: GatewayOptions,
        monotonic: Callable[[], float],
        new_costs: Callable[[], Costs],
    ) -> None:
        """Prepare a server; ``new_costs`` counts the costs of a connection without a sign-in."""
        self._options = options
        self.limits = options.limits
        self._endpoint = endpoint
        self._receive: Callable[[SocketSource, bytes], None] = endpoint.receive
        self._monotonic = monotonic
        self.now = monotonic()
        self._servers: list[asyncio.Server] = []
        self._ticking: asyncio.Task[None] | None = None
        self.sources: set[SocketSource] = set()
        self._controlling: set[SocketSource] = set()
        self._refused: set[SocketSource] = set()
        self._unsigned: WaitingRoom[SocketSource] = WaitingRoom(options.limits.unsigned_connections)
        self._unsigned_pages: WaitingRoom[SocketSource] = WaitingRoom(options.limits.unsigned_pages)
        self._arrivals = Arrivals(options.limits.unsigned_connections, self._count_eviction)
        self._evicted = 0
        self.new_costs = new_costs
        self._turns = Turns(self._process)
        self.turn = 0
        self._writable: list[SocketSource] = []
        self._long: deque[SocketSource] = deque()
        self.port = 0

    async def start(self) -> None:
        """Start to listen; raise CannotListen if that fails."""
        free_at_once(_LARGE_MEMORY)
        options = self._options
        sockets: list[ListeningSocket] = []
        try:
            sockets = await open_sockets(options.host, options.port, self._arrivals)
            for each in sockets:
                server = await ws_create_server(
                    self._connection,
                    sock=each,
                    # A frame above the limit is refused with the reason; far above it, before its content arrives.
                    max_frame_size=2 * options.limits.frame,
                    # Answers to pings are output, which is limited.
                    enable_auto_pong=False,
                    read_buffer_init_size=_READ_BUFFER,
                    logger_name=_socket_log,
                )
                self._servers.append(server)
        except OSError as error:
            self._close_servers()
            for each in sockets:
                each.close()
            reason = os.strerror(error.errno).lower() if error.errno else str(error)
            raise CannotListen(options.host, options.port, reason) from None
        self.port = sockets[0].getsockname()[1]
        self._ticking = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """Send the reason to all clients, and close within a time limit."""
        if not self._servers:
            return
        self._close_servers()
        if self._ticking is not None:
            self._ticking.cancel()
        open_sources = [*self.sources, *self._refused]
        for source in open_sources:
            source.close(WSCloseCode.GOING_AWAY, "the gateway is stopping")
        gone = [source.transport.wait_disconnected() for source in open_sources if source.transport is not None]
        await asyncio.gather(*gone, return_exceptions=True)

    def _close_servers(self) -> None:
        for server in self._servers:
            server.close()
        self._servers = []

    def has_frames(self, source: SocketSource) -> None:
        """Record that a source has queued frames to write at the end of this iteration."""
        if not self._writable and not self._long:
            asyncio.get_running_loop().call_soon(self._flush)
        self._writable.append(source)

    def received(self, source: SocketSource, payload: bytes) -> None:
        """Process a complete message, unless messages of the user must wait."""
        size = len(payload)
        costs = source.costs
        if size > SMALL or costs.room < 0 or source.is_queued:
            self._defer(source, payload)
        else:
            costs.room -= size + MESSAGE
            self._receive(source, payload)

    def must_wait(self, costs: Costs) -> bool:
        """Return whether further messages of a user must wait for a later turn."""
        if costs.turn != self.turn:
            costs.turn = self.turn
            costs.renew()
        return costs.must_wait

    def _defer(self, source: SocketSource, payload: bytes) -> None:
        if source.is_queued or self.must_wait(source.costs):
            source.put(payload)
            self.queue(source)
        else:
            self._process(source, payload)

    def queue(self, source: SocketSource) -> None:
        """Continue with a connection in a later turn, and read nothing from it until then."""
        if not source.is_queued and not source.is_closing:
            source.is_queued = True
            source.stop_reading()
            self._turns.add(source)

    def _process(self, source: SocketSource, payload: bytes, opened: Opened | None = None) -> None:
        if source not in self._refused:
            source.costs.received(len(payload))
            self._endpoint.receive(source, payload, opened)
            if len(payload) > SMALL and opened is None:
                source.received_large()
            return
        text = f"the gateway has {self.limits.connections} connections, the most it may have"
        self._endpoint.turn_away(source, payload, text)
        source.close(WSCloseCode.TRY_AGAIN_LATER, text)

    def opened(self, source: SocketSource) -> None:
        """Count a connection; one above the limit stays open until its first message, to receive the reason."""
        most = self.limits.connections
        if source.is_controlling and len(self._controlling) < _MOST_CONTROLLING:
            self._controlling.add(source)
        elif most is not None and len(self.sources) - len(self._controlling) >= most and not self._evict_page():
            self._refused.add(source)
            self._receive = self._process
            _log.warning("connection from %s refused: there are %d, the most allowed", source.machine, most)
            return
        self.sources.add(source)
        self.waits(source)

    def waits(self, source: SocketSource) -> None:
        """Give a connection a few seconds to sign in; one above the limit closes another."""
        self._end_evicted(self._room(source).enter(source, self.now - source.unsigned_seconds))

    def _evict_page(self) -> bool:
        """Close a connection of a page, so that web sites cannot block apps by connecting without a token."""
        return self._end_evicted(self._unsigned_pages.evict())

    def _end_evicted(self, evicted: SocketSource | None) -> bool:
        if evicted is None:
            return False
        self._count_eviction()
        evicted.close(WSCloseCode.TRY_AGAIN_LATER, "too many connections without sign-in", at_once=True)
        return True

    def _room(self, source: SocketSource) -> WaitingRoom[SocketSource]:
        return self._unsigned_pages if source.needs_binding else self._unsigned

    def _count_eviction(self) -> None:
        self._evicted += 1

    def upgraded(self, descriptor: int) -> None:
        """Record that a connection was upgraded to a WebSocket."""
        self._arrivals.upgraded(descriptor)

    def waits_no_longer(self, source: SocketSource) -> None:
        """Stop the time of a connection: credentials are being checked, or a peer has signed in."""
        since = self._room(source).leave(source)
        if since is not None:
            source.unsigned_seconds = self.now - since

    def closed(self, source: SocketSource) -> None:
        source.ended()
        self._refused.discard(source)
        if not self._refused:
            self._receive = self._endpoint.receive
        self._controlling.discard(source)
        self._room(source).leave(source)
        if source in self.sources:
            self.sources.discard(source)
            self._endpoint.disconnect(source)

    def cut_off(self, source: SocketSource) -> None:
        """Close a connection whose reader is too slow; its peers are removed immediately."""
        waiting = self.limits.unread // (1024 * 1024)
        source.close(WSCloseCode.POLICY_VIOLATION, f"reading too slowly: more than {waiting} MiB waited")
        asyncio.get_running_loop().call_soon(self._remove_slow, source)

    def _remove_slow(self, source: SocketSource) -> None:
        names = ", ".join(str(peer.identity.get("application", peer.id)) for peer in source.peers.values())
        _log.warning("disconnected %s (%s): it reads too slowly", names or "a connection", source.machine)
        self._endpoint.disconnect(source)

    def _flush(self) -> None:
        self.turn += 1
        writable, self._writable = self._writable, []
        for source in writable:
            if not source.is_special:
                source.flush()
            elif not source.has_long_queue:
                source.flush_special()
            elif source not in self._long:
                self._long.append(source)
        if self._long:
            self._flush_long()

    def _flush_long(self) -> None:
        # Long queues take turns, so that short messages of other users do not wait for them.
        for _ in range(min(len(self._long), _LONG_AT_ONCE)):
            source = self._long.popleft()
            if source.flush_special():
                self._long.append(source)
        if self._long and not self._writable:
            asyncio.get_running_loop().call_soon(self._flush)

    async def _tick(self) -> None:
        limits = self.limits
        while True:
            self.now = self._monotonic()
            for source in list(self._refused):
                if self.now - source.last_seen > _REFUSED_SECONDS:
                    source.close(WSCloseCode.TRY_AGAIN_LATER, "the gateway has too many connections")
            self._end_unsigned()
            for source in list(self.sources):
                source.look()
                silent = self.now - source.last_seen
                if limits.inactive and silent > limits.inactive:
                    source.close(WSCloseCode.GOING_AWAY, f"silent for {limits.inactive:g} seconds")
                elif silent > limits.ping and not source.was_pinged:
                    source.ping()
            await asyncio.sleep(limits.tick)

    def _end_unsigned(self) -> None:
        seconds = self.limits.unsigned_seconds
        late = self.now - seconds
        for source in (*self._unsigned.take_late(late), *self._unsigned_pages.take_late(late)):
            source.close(WSCloseCode.POLICY_VIOLATION, f"no sign-in within {seconds:g} seconds", at_once=True)
        if self._evicted:
            # One line for all, so that mass connections do not fill the log.
            _log.warning(
                "closed %d connections without sign-in: more than %d at a time, or %d of web pages",
                self._evicted,
                self.limits.unsigned_connections,
                self.limits.unsigned_pages,
            )
            self._evicted = 0

    def _connection(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        headers = request.headers
        if headers.get("Upgrade", "").lower() != "websocket":
            path, _, _ = request.path.decode("latin-1").partition("?")
            return _refusal(*self._endpoint.answer(path, headers.get("Authorization", "")))
        origin = headers.get("Origin")
        needs_binding = origin is not None and not is_allowed(origin, self._options.origins)
        if needs_binding and not is_allowed(origin or "", self._options.bound_origins):
            _log.warning("connection of a page from %.200r refused: its origin is not allowed", origin)
            return _refusal(HTTPStatus.FORBIDDEN, b"pages of this origin may not connect to the gateway\n")
        is_controlling = self._knows_control_key(headers.get("Authorization", ""))
        if len(self._refused) >= _MOST_REFUSED and not is_controlling:
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, b"the gateway has too many connections\n")
        if "upgrade" in (token.strip() for token in headers.get("Connection", "").lower().split(",")):
            # Browsers send additional values, which picows treats as an invalid header.
            headers["Connection"] = "Upgrade"
        source = SocketSource(self, is_controlling=is_controlling, needs_binding=needs_binding)
        if origin is not None and may_sign_in(origin, headers.get("Host", ""), self._options.origins):
            source.cookies = headers.get("Cookie", "")[:_LONGEST_COOKIES]
        return Connection(self, source)

    def _knows_control_key(self, authorization: str) -> bool:
        key = self._options.control_key
        expected = f"Bearer {key}".encode()
        return bool(key) and hmac.compare_digest(expected, authorization.encode("utf-8", "replace"))


def _refusal(status: HTTPStatus, body: bytes) -> WSUpgradeResponseWithListener:
    if status is HTTPStatus.OK:
        response = WSUpgradeResponse.create_ok_response(body, {"Content-Type": "application/json"})
    else:
        response = WSUpgradeResponse.create_error_response(status, body)
    return WSUpgradeResponseWithListener(response, None)
