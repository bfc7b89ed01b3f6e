"""The callbacks of the WebSocket library for one connection: assembles messages from frames."""

from typing import Final

from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from rostrum.gateway.costs import MOST_BUFFERED, SMALL
from rostrum.gateway.server.large_messages import LARGE, Fragments
from rostrum.gateway.server.partial_reads import LARGE_READ
from rostrum.gateway.server.source import Server, SocketSource

# Members of an enumeration are found slowly, and needed for each frame.
_TEXT: Final = WSMsgType.TEXT
_CLOSE: Final = WSMsgType.CLOSE


class Connection(WSListener):
    """The callbacks of picows, which delegate to the source and the server."""

    def __init__(self, server: Server, source: SocketSource) -> None:
        self._server = server
        self._source = source
        self._fragments = Fragments()
        self._most = server.limits.frame

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._source.connected(transport)
        self._server.opened(self._source)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' shape
        self._take_fragments()
        self._server.closed(self._source)

    def pause_writing(self) -> None:
        self._source.pause()

    def resume_writing(self) -> None:
        self._source.resume()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002 - picows' shape
        """Process one frame, usually a complete message."""
        source = self._source
        source.last_seen = self._server.now
        kind = frame.msg_type
        if source.is_closing and kind is not _CLOSE:
            source.ignored()
            return
        is_plain = not (self._fragments.count or frame.rsv1 or frame.rsv2 or frame.rsv3)
        if kind is _TEXT and is_plain and frame.fin and frame.payload_size <= self._most:
            if frame.payload_size > LARGE:
                source.received_frame(frame.get_payload_as_memoryview())
            else:
                self._server.received(source, frame.get_payload_as_bytes())
        elif kind is _CLOSE:
            code = frame.get_close_code()
            source.leave(WSCloseCode.OK if code == WSCloseCode.NO_INFO else code)
        else:
            source.count_control()
            if kind == WSMsgType.PING:
                source.pinged(frame.get_payload_as_bytes())
            elif kind != WSMsgType.PONG:
                self._fragment(frame, kind)

    def _fragment(self, frame: WSFrame, kind: WSMsgType) -> None:
        limits, source, fragments = self._server.limits, self._source, self._fragments
        is_first = kind != WSMsgType.CONTINUATION
        if frame.rsv1 or frame.rsv2 or frame.rsv3 or is_first == bool(fragments.count):
            source.close(WSCloseCode.PROTOCOL_ERROR, "the frames do not fit together")
            return
        if kind == WSMsgType.BINARY:
            source.close(WSCloseCode.UNSUPPORTED_DATA, "messages are text frames")
            return
        # Empty fragments are counted as well.
        if fragments.count == limits.fragments:
            self._refuse(f"a message has more than {limits.fragments} fragments")
        elif len(fragments) + frame.payload_size > self._most:
            self._refuse("the message is too big")
        else:
            fragments.add(frame.get_payload_as_memoryview())
            source.buffer(frame.payload_size)
            is_crowded = source.costs.buffered > MOST_BUFFERED
            if len(fragments) > (SMALL if is_crowded else LARGE_READ):
                source.receive_large()
            if frame.fin:
                source.received_fragments(self._take_fragments())

    def _take_fragments(self) -> Fragments:
        fragments, self._fragments = self._fragments, Fragments()
        self._source.buffer(-len(fragments))
        return fragments

    def _refuse(self, reason: str) -> None:
        self._take_fragments()
        self._source.close(WSCloseCode.MESSAGE_TOO_BIG, reason)
