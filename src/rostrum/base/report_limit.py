"""Limits log entries that clients can cause at will."""

from rostrum.base.clock import Clock

_MINUTE = 60.0
_MOST_OF_SUBJECT = 20


class ReportLimit:
    """Allows each event of a subject once per minute, and limited numbers of subjects and of events for each.

    Attributes:
        omitted: The events that were not allowed in the minute before, although they were new.
    """

    def __init__(self, clock: Clock, *, subjects: int = 500) -> None:
        self.omitted = 0
        self._clock = clock
        self._subjects = subjects
        self._since = clock.monotonic()
        self._reported: dict[str, set[str]] = {}
        self._refused = 0

    def allows(self, subject: str, event: str) -> bool:
        """Return whether an event is to be reported, and count it."""
        self.omitted = 0
        now = self._clock.monotonic()
        if now - self._since >= _MINUTE:
            self._since, self.omitted, self._refused = now, self._refused, 0
            self._reported.clear()
        known = self._reported.get(subject)
        if known is not None and event in known:
            return False
        if len(self._reported) >= self._subjects if known is None else len(known) >= _MOST_OF_SUBJECT:
            self._refused += 1
            return False
        self._reported.setdefault(subject, set()).add(event)
        return True
