"""WebSocket frames as bytes, many of them at once."""

SHARED_FROM = 16 * 1024
"""Parts of this size are not copied for each of those who receive them."""


def frames(pending: list[tuple[bytes, bytes]]) -> list[bytes]:
    """Write frames in as few buffers as possible; a large part that many receivers share is not copied for each."""
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
    """Write the header of a whole, unmasked text frame."""
    if size < 126:
        return bytes((0x81, size))
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2)
    return b"\x81\x7f" + size.to_bytes(8)
