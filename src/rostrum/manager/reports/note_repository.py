"""Notes about crash groups and feedback. They are added and never changed."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Select, delete, func, insert, select

from rostrum.base.ids import new_id
from rostrum.manager.database import tables
from rostrum.manager.database.paging import Page
from rostrum.manager.database.transaction import Repository
from rostrum.manager.errors import Conflict
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.reports.model import Note

MOST_NOTES = 200
"""The maximum number of notes about one subject; one page contains all of them."""

_NOTE = tables.report_notes.c


class Notes(Repository):
    """The notes of one transaction."""

    async def page(self, kind: Kind, key: str) -> Page[Note]:
        """Read all notes about a subject, oldest first."""
        statement = select(tables.report_notes).where(_NOTE.kind == kind, _NOTE.key == key)
        rows = (await self._connection.execute(statement.order_by(_NOTE.created, _NOTE.id))).all()
        notes = tuple(Note(id=row.id, text=row.text, created=row.created, created_by=row.created_by) for row in rows)
        return Page(items=notes, total=len(notes))

    async def add(self, kind: Kind, key: str, text: str, author: str, now: datetime) -> Note:
        """Add a note; the audit records its text."""
        statement = select(func.count()).select_from(tables.report_notes).where(_NOTE.kind == kind, _NOTE.key == key)
        if (await self._connection.scalar(statement) or 0) >= MOST_NOTES:
            raise Conflict(f"there are {MOST_NOTES} notes already, which is the maximum")
        note = Note(id=new_id(), text=text, created=now, created_by=author)
        self._journal.noted(kind, key, Action.CHANGED, after={"note": text})
        values = {"id": note.id, "kind": kind.value, "key": key, "text": text, "created": now, "created_by": author}
        await self._connection.execute(insert(tables.report_notes).values(values))
        return note

    async def remove(self, kind: Kind, keys: Iterable[str] | Select[tuple[str]]) -> None:
        """Delete the notes about subjects that are deleted."""
        wanted = keys if isinstance(keys, Select) else list(keys)
        await self._connection.execute(delete(tables.report_notes).where(_NOTE.kind == kind, _NOTE.key.in_(wanted)))
