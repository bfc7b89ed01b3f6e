"""Updates the times of recorded activity of the demo."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, case, literal, update

from rostrum.manager.commands.model import Command
from rostrum.manager.crashes.repository import Crash
from rostrum.manager.database import tables
from rostrum.manager.database.transaction import Repository
from rostrum.manager.feedback.repository import Feedback
from rostrum.manager.machines.topic import Machine
from rostrum.manager.sessions.model import Session

ActivityRecord = Session | Command | Crash | Feedback | Machine

_SESSION = tables.sessions.c
_COMMAND = tables.commands.c


class ActivityTimes(Repository):
    """The times of sessions, commands, reports and machines in one transaction. Only times are changed."""

    async def set(self, record: ActivityRecord) -> None:
        """Set the times of the stored record with this ID, if it exists; times that are empty stay empty."""
        match record:
            case Session():
                values: dict[str, Any] = {
                    "started": record.started,
                    "last_seen": record.last_seen,
                    "ended": _if_set(_SESSION.ended, record.last_seen),
                }
                statement = update(tables.sessions).where(_SESSION.id == record.id).values(values)
            case Command():
                values = {
                    "created": record.created,
                    "delivered": _if_set(_COMMAND.delivered, record.delivered or record.created),
                    "finished": _if_set(_COMMAND.finished, record.finished or record.created),
                }
                statement = update(tables.commands).where(_COMMAND.id == record.id).values(values)
            case Machine():
                seen = {"first_seen": record.first_seen, "last_seen": record.last_seen}
                statement = update(tables.machines).where(tables.machines.c.id == record.id).values(seen)
            case Crash() | Feedback():
                table = tables.crashes if isinstance(record, Crash) else tables.feedback
                statement = update(table).where(table.c.id == record.id).values(received=record.received)
        await self._connection.execute(statement)


def _if_set(column: ColumnElement[datetime | None], value: datetime) -> ColumnElement[datetime | None]:
    return case((column.is_not(None), literal(value, column.type)), else_=None)
