"""Writes WebSocket frames of a server."""

from collections.abc import Iterable

SHARED_FROM = 16 * 1024
"""Parts of this size are not copied for each receiver."""
PING, PONG = 0x89, 0x8A


def frames(pending: Iterable[tuple[bytes, bytes | memoryview]]) -> list[bytes | memoryview]:
    """Write frames into as few buffers as possible; large shared parts are not copied for each receiver."""
    buffers: list[bytes | memoryview] = []
    pieces: list[bytes | memoryview] = []
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


def control_frame(kind: int, payload: bytes) -> bytes:
    """Write a ping or pong, whose payload has at most 125 bytes."""
    return bytes((kind, len(payload))) + payload
