"""Times of day as people put them into addresses."""

from datetime import datetime

_SHORTEST = len("2026-01-31T09:00Z")


def moment(text: str) -> datetime:
    """Read a time with its zone; raise ``ValueError`` with what is wrong."""
    example = "such as 2026-01-31T09:00:00Z"
    if len(text) < _SHORTEST:
        raise ValueError(f"write date, time and zone, {example}")
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"this is no time; write one {example}") from None
    if found.tzinfo is None:
        raise ValueError(f"the time zone is missing; write a time {example}")
    return found
