"""Limits how many console messages of a page are written to the log."""

MOST = 200
SECONDS = 10.0


class ConsoleLimit:
    """Counts the messages of one page: each is written at once, and a flood would delay the operations of others."""

    def __init__(self) -> None:
        self._since = float("-inf")
        self._count = 0

    def take(self, now: float) -> tuple[bool, int]:
        """Count a message; return whether it is written, and how many were omitted in the interval before."""
        omitted = 0
        if now - self._since >= SECONDS:
            omitted = max(0, self._count - MOST)
            self._since, self._count = now, 0
        self._count += 1
        return self._count <= MOST, omitted
