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
        self._tags: dict[type[Outgoing], str] = {}
        self._time = time
        self._keep_payloads = keep_payloads
        self.received: Counter[tuple[str, str]] = Counter()
        self.sent: Counter[tuple[str, str]] = Counter()
        self.received_bytes = 0
        self.frames = 0

    def on_received(self, peer: Peer | None, header: Header, payload: bytes) -> None:
        """Record a received message, with its sender if known."""
        self.received_bytes += len(payload)
        domain, kind = header.domain, header.type
        sender = None
        if peer is not None:
            sender = peer.id
            known = (domain or "global", kind)
            # A text can be looked up; anything else that a client sends may have no hash.
            if type(kind) is not str or type(known[0]) is not str or known not in self.received:
                known = self._kind(header)
            self.received[known] += 1
        kept = payload[:LONGEST_PAYLOAD] if self._keep_payloads else b""
        names = (domain, kind, header.request_id)
        if len(payload) > LONGEST_HEADER:
            names = _bounded(names)
        self._ring.append((self._time(), "in", sender, names, len(payload), 1, kept))

    def _kind(self, header: Header) -> tuple[str, str]:
        kind = (str(header.domain or "global")[:LONGEST_NAME], str(header.type)[:LONGEST_NAME])
        # Clients can invent types; those beyond a limit are counted together.
        return kind if kind in self.received or len(self.received) < MOST_KINDS else ("other", "other")

    def on_sent(self, message: Outgoing, tail: bytes | memoryview, receivers: int) -> None:
        """Record a sent message and the number of receivers."""
        kind = self._tags.get(type(message)) or self._tag(type(message))
        self.sent[message.domain, kind] += 1
        self.frames += receivers
        kept = bytes(tail[:LONGEST_PAYLOAD]) if self._keep_payloads else b""
        names = (message.domain, kind, getattr(message, "request_id", None))
        if len(tail) > LONGEST_HEADER:
            names = _bounded(names)
        self._ring.append((self._time(), "out", None, names, len(tail), receivers, kept))

    def _tag(self, record: type[Outgoing]) -> str:
        tag = self._tags[record] = str(record.__struct_config__.tag)
        return tag

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


def _bounded(names: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """Limit the size of names from clients, which only a long message can contain."""
    domain, kind, request_id = map(_short, names)
    return domain, kind, request_id


def _short(value: Any) -> Any:
    return value if value is None or isinstance(value, int) else str(value)[:LONGEST_NAME]
