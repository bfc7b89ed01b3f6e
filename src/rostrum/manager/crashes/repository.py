"""Crash reports."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, func, select, update

from rostrum.base import json_text
from rostrum.base.json_text import raw
from rostrum.manager.crash_formats.minidump import DumpSummary
from rostrum.manager.database import tables
from rostrum.manager.files.model import StoredFile
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.records import WITHOUT_COLUMN, converted, listing, stored_as
from rostrum.manager.reports.repository import Reports, stored_file, with_files

_CRASH = tables.crashes.c
_GROUP = tables.crash_groups.c
_ALL = (
    with_files(tables.crashes)
    .outerjoin(tables.crash_groups, _GROUP.id == _CRASH.group_id)
    .add_columns(func.coalesce(_GROUP.signature, "").label("signature"))
)


def dump_text(dump: DumpSummary | None) -> str | None:
    """Return the text that the database stores."""
    return None if dump is None else json_text.dump(dump.as_json()).decode()


def dump_of(text: str | None) -> DumpSummary | None:
    """Read the text that the database stores."""
    return None if text is None else DumpSummary.from_json(json_text.parse(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """A crash report.

    Attributes:
        fields: The JSON object that the reporter sent.
        app: The app that crashed; empty if the report concerns the platform.
        machine: The machine of the session, or the ID that the crash reporter of the machine has.
        group: The ID of the group of reports with the same app, version and signature.
        dump: The summary of the minidump; ``None`` if there is no file, or if it was not read yet.

    """

    id: str
    user: str | None = field(metadata=stored_as("user_id"))
    product: str
    version: str
    platform: str
    process_type: str
    fields: str = field(metadata={"json": raw})
    minidump: StoredFile | None = field(default=None, metadata=stored_file())
    app: str = ""
    machine: str | None = field(default=None, metadata=stored_as("machine_id"))
    group: str = field(default="", metadata=stored_as("group_id"))
    signature: str = field(default="", metadata=WITHOUT_COLUMN)
    dump: DumpSummary | None = field(
        default=None, metadata=converted(dump_of, dump_text, lambda dump: dump and dump.as_json())
    )
    received: datetime
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    revision: int = 0


class Crashes(Reports[Crash]):
    """The crash reports of one transaction."""

    kind = Kind.CRASH
    table = tables.crashes
    record = Crash
    file = "minidump"
    listing = listing(
        Crash, tables.crashes, "id", "user", "product", "version", without=("minidump", "comment", "revision")
    )
    audited = ("user", "product", "version", "platform", "process_type")

    def select(self) -> Select[Any]:
        """Return a statement that also reads the signature of the group."""
        return _ALL

    def _completed(self, report: Any, row: Row[Any]) -> Crash:
        return replace(super()._completed(report, row), signature=row.signature)

    async def unreviewed(self, group_id: str) -> int:
        """Count the reports of a group that are not marked as reviewed."""
        statement = select(func.count()).where(_CRASH.group_id == group_id, _CRASH.reviewed.is_(False))
        return await self._connection.scalar(statement) or 0

    async def review_group(self, group_id: str, reviewed_by: str, revision: int, most: int, key: str = "*") -> None:
        """Mark the reports of a group as reviewed, the newest first; the audit has one entry with their number.

        ``key`` is the ID in the audit; a transaction that does this for several groups gives each a different one.
        """
        newest = (
            select(_CRASH.id)
            .where(_CRASH.group_id == group_id, _CRASH.reviewed.is_(False))
            .order_by(_CRASH.received.desc(), _CRASH.id)
            .limit(most)
        )
        marked = await self._connection.execute(
            update(tables.crashes)
            .where(_CRASH.id.in_(newest))
            .values(reviewed=True, reviewed_by=reviewed_by, revision=revision)
        )
        if marked.rowcount:
            after = {"group": group_id, "reviewed": True, "count": marked.rowcount}
            self._journal.noted(Kind.CRASH, key, Action.CHANGED, after=after)
