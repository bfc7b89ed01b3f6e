"""Counts the changes of each topic in the transaction that makes them."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rostrum.manager.content_versions import Marks, Topic
from rostrum.manager.database import tables

FEEDS: dict[str, Topic] = {
    tables.users.name: Topic.PEOPLE,
    tables.user_groups.name: Topic.PEOPLE,
    tables.user_apps.name: Topic.PEOPLE,
    tables.user_layouts.name: Topic.PEOPLE,
    tables.groups.name: Topic.PEOPLE,
    tables.group_expansions.name: Topic.PEOPLE,
    tables.apps.name: Topic.APPS,
    tables.app_access.name: Topic.APPS,
    tables.layouts.name: Topic.LAYOUTS,
    tables.layout_access.name: Topic.LAYOUTS,
    tables.default_layouts.name: Topic.LAYOUTS,
    tables.preferences.name: Topic.PREFERENCES,
    tables.config_files.name: Topic.CONFIGS,
}
"""The topic that a table's rows are part of; other tables feed no answer that is kept ready."""

TOPIC_OPTION = "topic"
"""The execution option of a statement that changes another topic than its table says, or ``None`` for none."""

READ_MARKS = "SELECT id, value FROM revision"

_TOUCHED = "touched topics"
_COUNT = text(
    "INSERT INTO revision (id, value) VALUES (:id, 1) ON CONFLICT (id) DO UPDATE SET value = revision.value + 1"
)


def notice_changes(engine: AsyncEngine) -> None:
    """Note beside each connection which topics its statements change, so that no writer can forget to say it."""

    @event.listens_for(engine.sync_engine, "before_execute")
    def note(connection: Any, statement: Any, _many: Any, _one: Any, options: Any) -> None:
        if getattr(statement, "is_dml", False):
            topic = options.get(TOPIC_OPTION, FEEDS.get(statement.table.name))
            if topic is not None:
                connection.info.setdefault(_TOUCHED, set()).add(topic)


def begin_counting(connection: AsyncConnection) -> None:
    """Forget what a transaction before this one, which came to nothing, has touched."""
    connection.info.pop(_TOUCHED, None)


async def count_changes(connection: AsyncConnection) -> None:
    """Count what the transaction has touched; the last statement before it is kept."""
    touched = connection.info.pop(_TOUCHED, None)
    if touched:
        # Always in the same order, so that two transactions never wait for each other.
        await connection.execute(_COUNT, [{"id": int(topic)} for topic in sorted(touched)])


def marks_of(rows: Iterable[Sequence[int]]) -> Marks:
    """Make marks of the rows that ``READ_MARKS`` finds; topics that never changed have none."""
    found = {row[0]: row[1] for row in rows}
    return Marks(tuple(found.get(number, 0) for number in range(max(Topic) + 1)))
