"""A large message that has arrived: copied and examined in small steps, because all at once would delay others."""

import codecs
import io
from typing import Protocol

from rostrum.base.memory_pages import free_pages
from rostrum.gateway.wire import NotJson

LARGE = 256 * 1024
"""Messages above this size take several turns of the event loop."""
DENSE = 4 * 1024 * 1024
"""Messages above this size may not have very many elements: each pass over them would be one long step."""
MOST_ELEMENTS = 1_000_000
"""Commas, objects and arrays of such a message, including those inside texts. Escapes, and spaces beside each other,
take a third of the time and count as a third."""

_STEP = 256 * 1024
_MOVED = 64 * 1024
"""More than what the library writes to the beginning of its buffer after its callback: what follows the message."""
_SPACES = bytes.maketrans(b"\t\n\r", b"   ")


class Memory(Protocol):
    """The memory that contains the message. Apart from its beginning, it does not change until the end."""

    def give_back(self, start: int, end: int) -> None:
        """Free the memory between two positions of the message, about."""
        ...


class LargeMessage:
    """A message that is still in the memory in which it was received.

    Attributes:
        error: Why it is no text, if this is known already.
    """

    def __init__(self, view: memoryview, memory: Memory) -> None:
        """Copy the beginning, and keep the object that owns the memory."""
        self._view = view
        self._memory = memory
        self._copy = io.BytesIO(bytes(len(view)))
        self._copy.write(view[:_MOVED])
        self._examined = 0
        self._elements = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.error: NotJson | None = None

    def __len__(self) -> int:
        return len(self._view)

    @property
    def is_complete(self) -> bool:
        """Return whether all was copied and examined."""
        return self._examined == len(self._view)

    @property
    def is_dense(self) -> bool:
        """Return whether it has too many elements."""
        return self._elements > MOST_ELEMENTS

    @property
    def text(self) -> bytes:
        """Return the copied message."""
        return self._copy.getvalue()

    def step(self) -> None:
        """Copy and examine a part."""
        start, end = self._examined, min(self._examined + _STEP, len(self._view))
        self._copy.write(self._view[max(start, _MOVED) : end])
        self._copy.seek(start)
        part = self._copy.read(end - start)
        self._memory.give_back(start, end)
        if self.error is None:
            self._decode(part, start, is_last=end == len(self._view))
        if len(self._view) > DENSE:
            self._elements += _elements(part)
        self._examined = end

    def _decode(self, part: bytes, start: int, *, is_last: bool) -> None:
        pending, _ = self._decoder.getstate()
        if part.isascii() and not pending:
            return
        try:
            self._decoder.decode(part, is_last)
        except UnicodeDecodeError as error:
            self.error = NotJson(f"it is not UTF-8: {error.reason} at byte {start - len(pending) + error.start}")


def _elements(part: bytes) -> int:
    lighter = part.count(b"\\") + 2 * part.translate(_SPACES).count(b"  ")
    return len(part) - len(part.translate(None, b",[{")) + lighter // 3


class Fragments:
    """The fragments of a message.

    Attributes:
        text: Their bytes.
        count: Their number; fragments may be empty.
    """

    def __init__(self) -> None:
        self.text = bytearray()
        self.count = 0

    def __len__(self) -> int:
        return len(self.text)

    def add(self, fragment: memoryview) -> None:
        self.text += fragment
        self.count += 1

    def give_back(self, start: int, end: int) -> None:
        """Free the memory between two positions."""
        free_pages(memoryview(self.text)[start:end])
