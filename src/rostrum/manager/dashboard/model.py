"""The days of the dashboard, and the changes that it shows."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from msgspec import Struct

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.kinds import Action, Kind

MOST_DAYS = 62
_DEFAULT_DAYS = 30
_DAY = timedelta(days=1)
_SHORTEST, _LONGEST = timedelta(hours=20), timedelta(hours=28)


class Days(Struct, frozen=True):
    """Consecutive days of a time zone, stored as their beginnings. The last day is the current one.

    The zone itself is not needed: the page sends the beginnings, which it also uses in the filters of lists. Both
    therefore agree on each day, even if the server has older rules about daylight saving time, or none.
    """

    starts: Sequence[datetime]

    @classmethod
    def parse(cls, text: str) -> "Days":
        """Parse the beginnings of days, separated by commas."""
        try:
            starts = [_moment(one) for one in text.split(",")]
        except (ValueError, OverflowError):
            starts = []
        is_in_order = all(_SHORTEST <= after - before <= _LONGEST for before, after in pairwise(starts))
        if not 1 <= len(starts) <= MOST_DAYS or not is_in_order:
            message = (
                f"must be the beginnings of 1 to {MOST_DAYS} consecutive days, separated by commas, such as "
                "2026-11-14T23:00:00Z,2026-11-15T23:00:00Z"
            )
            raise Invalid("invalid days", [Problem(path="days", message=message)])
        return cls(tuple(starts))

    @classmethod
    def until(cls, now: datetime) -> "Days":
        """Return the last 30 days in UTC, including today."""
        today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return cls(tuple(today - number * _DAY for number in reversed(range(_DEFAULT_DAYS))))

    def last(self, number: int) -> datetime:
        """Return the beginning of the last ``number`` days, or of all days if there are fewer."""
        return self.starts[max(0, len(self.starts) - number)]

    def each(self) -> list[tuple[int, datetime, datetime]]:
        """Return the number, the beginning and the end of each day."""
        # The last day is extended by a day, because the clock of the page that sent the days may be slow.
        ends = (*self.starts[1:], self.starts[-1] + 2 * _DAY)
        return [(number, *bounds) for number, bounds in enumerate(zip(self.starts, ends, strict=True))]


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("must have a time zone")
    return moment.astimezone(UTC)


class RecentChange(Struct, frozen=True, kw_only=True):
    """A revision, with the number of changed documents and the first of them."""

    revision: int
    at: datetime
    actor: str
    operation: str
    comment: str
    ticket: str
    changed: int
    kind: Kind
    key: str
    name: str
    action: Action

    def as_json(self) -> dict[str, Any]:
        return {
            "revision": self.revision,
            "at": self.at,
            "actor": self.actor,
            "operation": self.operation,
            "comment": self.comment,
            "ticket": self.ticket,
            "changed": self.changed,
            "document": {"kind": self.kind, "id": self.key, "name": self.name, "action": self.action},
        }


class Versions(Struct, frozen=True, kw_only=True):
    """The sessions of each day: with each of the most frequent versions, and with others."""

    names: Sequence[str]
    counts: Sequence[Sequence[int]]
    others: Sequence[int]

    def as_json(self) -> dict[str, Any]:
        return {"names": self.names, "counts": self.counts, "others": self.others}
