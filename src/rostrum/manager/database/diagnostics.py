"""Queries for diagnostics: the integrity of the database, the age of its data, and its administrators."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import Column, Table, exists, func, select, text

from rostrum.manager.database import tables
from rostrum.manager.database.transaction import Repository
from rostrum.manager.files.repository import Files

_MOST_FILES = 1000

_REFERENCES: tuple[tuple[Column[str], Column[str]], ...] = (
    (tables.user_groups.c.user_id, tables.users.c.id),
    (tables.user_groups.c.group_name, tables.groups.c.name),
    (tables.user_apps.c.user_id, tables.users.c.id),
    (tables.user_layouts.c.user_id, tables.users.c.id),
    (tables.group_expansions.c.group_name, tables.groups.c.name),
    (tables.group_expansions.c.expands_to, tables.groups.c.name),
    (tables.app_access.c.app_name, tables.apps.c.name),
    (tables.app_access.c.group_name, tables.groups.c.name),
    (tables.layout_access.c.layout_id, tables.layouts.c.id),
    (tables.layout_access.c.group_name, tables.groups.c.name),
    (tables.preferences.c.user_id, tables.users.c.id),
    (tables.known_addresses.c.user_id, tables.users.c.id),
    (tables.directory_addresses.c.user_id, tables.users.c.id),
    (tables.directory_addresses.c.group_name, tables.groups.c.name),
    (tables.file_chunks.c.file_id, tables.files.c.id),
    (tables.crashes.c.file_id, tables.files.c.id),
    (tables.feedback.c.file_id, tables.files.c.id),
)
"""Columns that refer to a row of another table, which must exist."""

_AGES: dict[str, tuple[Table, Column[datetime]]] = {
    "sessions": (tables.sessions, tables.sessions.c.last_seen),
    "commands": (tables.commands, tables.commands.c.created),
    "crashes": (tables.crashes, tables.crashes.c.received),
    "feedback": (tables.feedback, tables.feedback.c.received),
}


class Diagnostics(Repository):
    """Diagnostic queries in one transaction."""

    async def damage(self) -> list[str]:
        """Return problems that SQLite finds in its pages and references; PostgreSQL detects them itself."""
        if self._connection.dialect.name != "sqlite":
            return []
        pages = [str(row[0]) for row in await self._connection.execute(text("PRAGMA quick_check(10)"))]
        references = (await self._connection.execute(text("PRAGMA foreign_key_check"))).all()
        broken = [
            f"row {row[1]} of the table {row[0]} refers to a row of {row[2]} that does not exist"
            for row in references[:10]
        ]
        return [*(page for page in pages if page != "ok"), *broken]

    async def dangling(self) -> list[str]:
        """Describe references to rows that do not exist, with their number in each table."""
        found = []
        for column, target in _REFERENCES:
            missing = column.is_not(None) & ~exists().where(target == column)
            count = await self._connection.scalar(select(func.count()).select_from(column.table).where(missing))
            if count:
                found.append(
                    f"{count} rows of the table {column.table.name} refer to {target.table.name} that do not exist"
                )
        return found

    async def lost_files(self) -> int:
        """Count the files of the newest reports whose content cannot be read."""
        file = tables.files.c
        newest = select(file.id).where(file.size > 0).order_by(file.id.desc()).limit(_MOST_FILES)
        rows = await self._connection.execute(newest)
        return sum([not await self._work.of(Files).piece(row.id, 0) for row in rows.all()])

    async def oldest(self) -> Mapping[str, datetime]:
        """Read the time of the oldest record of each kind that is purged."""
        found = {name: await self._connection.scalar(select(func.min(age))) for name, (_, age) in _AGES.items()}
        return {name: age for name, age in found.items() if age is not None}

    async def newest_entry(self) -> datetime | None:
        """Read the time of the newest entry of the audit log."""
        newest: datetime | None = await self._connection.scalar(select(func.max(tables.audit.c.at)))
        return newest

    async def now(self) -> datetime | None:
        """Read the clock of a PostgreSQL server; ``None`` for SQLite, which has the clock of this machine."""
        if self._connection.dialect.name == "sqlite":
            return None
        seconds = await self._connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())::float8"))
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=float(seconds or 0))

    async def administrators(self, group: str) -> list[str]:
        """List the direct members of a group who have a password and are not disabled."""
        user, link = tables.users.c, tables.user_groups.c
        statement = (
            select(user.id)
            .join_from(tables.users, tables.user_groups, link.user_id == user.id)
            .where(link.group_name == group, ~user.disabled, user.password_hash.is_not(None))
            .order_by(user.id)
        )
        return list((await self._connection.execute(statement)).scalars())
