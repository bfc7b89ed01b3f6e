"""Connects to a gateway from another process: the same peer interface as inside it, over a WebSocket."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
from picows import WSCloseCode, WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from rostrum.gateway.errors import CallFailed, NotConnected
from rostrum.gateway.local.peer import LocalPeer
from rostrum.gateway.local.source import Frame, read_frame

_LARGEST_FRAME = 64 * 1024 * 1024
_HELLO = "hello"
# picows logs each connection; relevant errors are reported by exceptions.
_socket_log = logging.getLogger("rostrum.gateway.socket")
_socket_log.setLevel(logging.CRITICAL)


class _Line(WSListener):
    """A connection to a gateway; the local peer receives its messages."""

    def __init__(self) -> None:
        """Start without a transport, which is set with the connection."""
        self.is_open = False
        self.on_frame: Callable[[Frame], None] | None = None
        self.on_end: Callable[[], None] | None = None
        self._transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self.is_open = True

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' shape
        self.is_open = False
        if self.on_end is not None:
            self.on_end()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Process one frame; a gateway sends each message in one."""
        kind = frame.msg_type
        if kind == WSMsgType.TEXT and frame.fin:
            self._take(transport, frame.get_payload_as_bytes())
        elif kind == WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        elif kind != WSMsgType.PONG:
            transport.send_close(WSCloseCode.UNSUPPORTED_DATA)
            transport.disconnect()

    def send(self, frame: Frame) -> None:
        if self._transport is not None:
            self._transport.send(WSMsgType.TEXT, msgspec.json.encode(frame))

    def close(self) -> None:
        if self.is_open and self._transport is not None:
            self._transport.send_close(WSCloseCode.OK)
            self._transport.disconnect()

    async def closed(self) -> None:
        """Wait until the connection is closed."""
        if self._transport is not None:
            await self._transport.wait_disconnected()

    def _take(self, transport: WSTransport, payload: bytes) -> None:
        try:
            message = read_frame(payload)
        except (ValueError, RecursionError):
            transport.send_close(WSCloseCode.INVALID_TEXT)
            transport.disconnect()
            return
        if self.on_frame is not None:
            self.on_frame(message)


@asynccontextmanager
async def connected(
    address: str, *, login: str, secret: str, application: str, timeout_seconds: float = 10.0
) -> AsyncIterator[LocalPeer]:
    """Connect to a gateway with a user's name and secret, without joining domains; disconnect at the end.

    The secret is also sent when connecting: clients that control the gateway may exceed the limit of connections.

    Raises NotConnected if the gateway does not respond, CallFailed if the sign-in is rejected.
    """
    line = await _open(address, secret, timeout_seconds)
    try:
        authentication = {"method": "secret", "login": login, "secret": secret}
        try:
            async with asyncio.timeout(timeout_seconds):
                peer = await _log_in(line, authentication, application)
        except TimeoutError:
            raise _late(address, timeout_seconds) from None
        yield peer
    finally:
        line.close()
        await line.closed()


async def _open(address: str, secret: str, timeout_seconds: float) -> _Line:
    line = _Line()
    try:
        # picows closes the socket of a slow handshake itself; if cancelled, it would leave it open.
        async with asyncio.timeout(2 * timeout_seconds):
            await ws_connect(
                lambda: line,
                address,
                websocket_handshake_timeout=timeout_seconds,
                max_frame_size=_LARGEST_FRAME,
                max_redirects=0,
                extra_headers={"Authorization": f"Bearer {secret}"},
                logger_name=_socket_log,
            )
    except TimeoutError:
        raise _late(address, timeout_seconds) from None
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise NotConnected(f"the gateway at {address} cannot be reached: {reason}") from None
    except (WSError, ValueError):
        raise NotConnected(f"the server at {address} is not a gateway") from None
    return line


def _late(address: str, timeout_seconds: float) -> NotConnected:
    return NotConnected(f"the gateway at {address} did not answer within {timeout_seconds:g} seconds")


async def _log_in(line: _Line, authentication: dict[str, str], application: str) -> LocalPeer:
    admitted: asyncio.Future[LocalPeer] = asyncio.get_running_loop().create_future()

    def heard(frame: Frame) -> None:
        if frame.get("request_id") != _HELLO or admitted.done():
            return
        if frame["type"] == "welcome":
            # Created immediately: the next frame may already be for it.
            admitted.set_result(LocalPeer(line, frame["peer_id"], frame["resolved_identity"]))
        else:
            admitted.set_exception(CallFailed(frame.get("reason_uri"), frame.get("reason")))

    def ended() -> None:
        if not admitted.done():
            admitted.set_exception(NotConnected("the gateway closed the connection"))

    line.on_frame, line.on_end = heard, ended
    identity = {"application": application}
    line.send({"type": _HELLO, "request_id": _HELLO, "identity": identity, "authentication": authentication})
    return await admitted
