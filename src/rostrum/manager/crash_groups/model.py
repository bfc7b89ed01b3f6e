"""Groups of crash reports."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec import Struct

from rostrum.manager.reports.model import TriageStatus

DAYS = 14
"""The number of days, up to today, for which the reports of each day are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrashGroup:
    """The reports with the same product, app, version and signature.

    Attributes:
        first_seen: The time of the first report, even if that report was deleted.
        count: The number of reports, in lists only of those in the requested period.
        days: The number of reports on each of the last days in UTC; the last one is today.

    """

    id: str
    product: str
    app: str
    version: str
    signature: str
    status: TriageStatus
    assignee: str | None = None
    first_seen: datetime
    last_seen: datetime
    changed: datetime | None = None
    changed_by: str | None = None
    revision: int = 0
    count: int = 0
    users: int = 0
    machines: int = 0
    days: tuple[int, ...] = (0,) * DAYS

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "product": self.product,
            "app": self.app,
            "version": self.version,
            "signature": self.signature,
            "status": self.status.value,
            "assignee": self.assignee,
            "firstSeen": self.first_seen,
            "lastSeen": self.last_seen,
            "count": self.count,
            "users": self.users,
            "machines": self.machines,
            "days": list(self.days),
            "changed": self.changed,
            "changedBy": self.changed_by,
            "revision": self.revision,
        }


class CrashGroupDetail(Struct, frozen=True, kw_only=True):
    """A group with the users who sent most of its reports.

    Attributes:
        unreviewed: The number of reports that are not marked as reviewed.

    """

    group: CrashGroup
    affected: "tuple[Affected, ...]"
    unreviewed: int

    def as_json(self) -> dict[str, Any]:
        affected = [each.as_json() for each in self.affected]
        return {**self.group.as_json(), "affected": affected, "unreviewed": self.unreviewed}


class Affected(Struct, frozen=True, kw_only=True):
    """A user who sent reports of a group; ``None`` for reports without a known user."""

    user: str | None
    count: int
    last_seen: datetime

    def as_json(self) -> dict[str, Any]:
        return {"user": self.user, "count": self.count, "lastSeen": self.last_seen}
