"""The flight recorder: the headers of the last messages, and counts of all of them."""

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from rostrum.gateway.messages.record import Outgoing
from rostrum.gateway.peer import Peer
from rostrum.gateway.wire import Header

LONGEST_PAYLOAD = 2000
LONGEST_NAME = 100
LONGEST_HEADER = 500
MOST_KINDS = 500

Entry = tuple[float, str, str | None, tuple[Any, Any, Any], int, int, bytes]


class Recorder:
    """Stores the latest messages of the gateway; their payloads only if configured.

    Attributes:
        received: Number of received messages, by domain and type.
        sent: Number of sent messages, by domain and type; each counts once, regardless of the receivers.
        frames: Number of sent frames.
    """

    def __init__(self, most: int, time: Callable[[], float], *, keep_payloads: bool = False) -> None:
        """Store the last ``most`` messages; 0 only counts."""
        self._ring: deque[Entry] = deque(maxlen=most)
        self._time = time
        self._keep_payloads = keep_payloads
        self.received: Counter[tuple[str, str]] = Counter()
        self.sent: Counter[tuple[str, str]] = Counter()
        self.received_bytes = 0
        self.frames = 0

    def on_received(self, peer: Peer | None, header: Header, payload: bytes) -> None:
        """Record a received message, with its sender if known."""
        self.received_bytes += len(payload)
        if peer is not None:
            self.received[self._kind(header)] += 1
        kept = payload[:LONGEST_PAYLOAD] if self._keep_payloads else b""
        sender = peer.id if peer is not None else None
        names = _bounded((header.domain, header.type, header.request_id), payload)
        self._ring.append((self._time(), "in", sender, names, len(payload), 1, kept))

    def _kind(self, header: Header) -> tuple[str, str]:
        kind = (str(header.domain or "global")[:LONGEST_NAME], str(header.type)[:LONGEST_NAME])
        # Clients can invent types; those beyond a limit are counted together.
        return kind if kind in self.received or len(self.received) < MOST_KINDS else ("other", "other")

    def on_sent(self, message: Outgoing, tail: bytes | memoryview, receivers: int) -> None:
        """Record a sent message and the number of receivers."""
        kind = str(message.__struct_config__.tag)
        self.sent[message.domain, kind] += 1
        self.frames += receivers
        kept = bytes(tail[:LONGEST_PAYLOAD]) if self._keep_payloads else b""
        names = _bounded((message.domain, kind, getattr(message, "request_id", None)), tail)
        self._ring.append((self._time(), "out", None, names, len(tail), receivers, kept))

    def recent(self, most: int = 100) -> list[dict[str, Any]]:
        """Describe the last messages, the newest last."""
        return [_described(entry) for entry in list(self._ring)[-most:]]


def _described(entry: Entry) -> dict[str, Any]:
    time, direction, peer, names, size, receivers, payload = entry
    domain, kind, request_id = map(_short, names)
    described = {
        "time": time,
        "direction": direction,
        "peer": peer,
        "domain": domain,
        "type": kind,
        "request_id": request_id,
        "bytes": size,
        "receivers": receivers,
    }
    if payload:
        described["payload"] = payload.decode("utf-8", "replace")
    return described


def _bounded(names: tuple[Any, Any, Any], text: bytes | memoryview) -> tuple[Any, Any, Any]:
    """Limit the size of names from clients; only a long message can contain long names."""
    if len(text) <= LONGEST_HEADER:
        return names
    domain, kind, request_id = map(_short, names)
    return domain, kind, request_id


def _short(value: Any) -> Any:
    return value if value is None or isinstance(value, int) else str(value)[:LONGEST_NAME]
