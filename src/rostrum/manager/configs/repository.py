"""Stores configuration files."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, delete, func, insert, or_, select, update

from rostrum.contracts.system_config import Scope
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.rows import in_slices, stamp_columns, stamp_of
from rostrum.manager.kinds import Kind

_CONFIG = tables.config_files.c


def _in_scope(scope: Scope, target: str) -> ColumnElement[bool]:
    return (_CONFIG.scope == scope.value) & (_CONFIG.target == target)


_LISTING = Listing(
    fields={
        "id": _CONFIG.id,
        "file": _CONFIG.file,
        "scope": _CONFIG.scope,
        "target": _CONFIG.target,
        "created": _CONFIG.created,
        "createdBy": _CONFIG.created_by,
        "modified": _CONFIG.modified,
        "modifiedBy": _CONFIG.modified_by,
    },
    searched=("file", "target"),
    key="id",
    lists={
        "version": lambda name: _in_scope(Scope.VERSION, name),
        "group": lambda name: _in_scope(Scope.GROUP, name),
        "user": lambda name: _in_scope(Scope.USER, name),
    },
)


_ALL = select(tables.config_files)
_ONE = _ALL.where(_CONFIG.id == bindparam("its_id"))
_NAMED = _ALL.where(
    _CONFIG.file == bindparam("its_file"),
    _CONFIG.scope == bindparam("its_scope"),
    _CONFIG.target == bindparam("its_target"),
)
_ADD = insert(tables.config_files)
_PUT = update(tables.config_files).where(_CONFIG.id == bindparam("its_id"))
_REMOVE = delete(tables.config_files).where(_CONFIG.id == bindparam("its_id"))


class ConfigFiles(Documents[ConfigFile]):
    """The configuration files of one transaction."""

    kind = Kind.CONFIG
    key_column = _CONFIG.id
    listing = _LISTING

    async def get(self, config_id: str) -> ConfigFile | None:
        return await self._one(_ONE, its_id=config_id)

    async def find(self, file: str, scope: Scope, target: str) -> ConfigFile | None:
        return await self._one(_NAMED, its_file=file, its_scope=scope.value, its_target=target)

    async def page(self, query: Query) -> Page[ConfigFile]:
        found = await _LISTING.page(self._connection, _ALL, query)
        return found.page(map(_record, found.rows))

    async def in_scopes(self, versions: Iterable[str], groups: Iterable[str], user: str | None) -> list[ConfigFile]:
        """Read the base files, and the files of these versions, groups and this user."""
        targets = {Scope.VERSION: list(versions), Scope.GROUP: list(groups), Scope.USER: [user] if user else []}
        conditions = [_CONFIG.scope == Scope.BASE.value]
        conditions += [
            (_CONFIG.scope == scope.value) & _CONFIG.target.in_(names) for scope, names in targets.items() if names
        ]
        statement = select(tables.config_files).where(or_(*conditions))
        return [_record(row) for row in await self._connection.execute(statement)]

    async def concerning(self, user: str) -> list[ConfigFile]:
        """Read all files except those of other users."""
        statement = select(tables.config_files).where((_CONFIG.scope != Scope.USER.value) | _in_scope(Scope.USER, user))
        return [_record(row) for row in await self._connection.execute(statement)]

    async def everything(self, files: Iterable[str] | None = None) -> list[ConfigFile]:
        """Read the files of all scopes, optionally only those with given names."""
        statement = select(tables.config_files)
        if files is not None:
            statement = statement.where(_CONFIG.file.in_(list(files)))
        rows = (await self._connection.execute(statement)).all()
        return [_record(row) async for row in in_slices(rows)]

    async def count(self, scope: Scope, target: str) -> int:
        """Count the files that belong to one group, user or version."""
        statement = select(func.count()).where(_CONFIG.scope == scope.value, _CONFIG.target == target)
        return await self._connection.scalar(statement) or 0

    async def add(self, config: ConfigFile) -> None:
        self._journal.wrote(config)
        await self._connection.execute(_ADD, _columns(config))

    async def put(self, config: ConfigFile) -> None:
        await self._about_to_change(config.id)
        self._refuse_during_rollout(config)
        self._journal.wrote(config)
        await self._connection.execute(_PUT, {"its_id": config.id, **_columns(config)})

    async def remove(self, config_id: str) -> None:
        await self._forget([config_id])
        await self._connection.execute(_REMOVE, {"its_id": config_id})

    async def remove_of(self, scope: Scope, target: str) -> None:
        """Delete the files of one scope, because its user is deleted."""
        rows = await self._connection.execute(select(tables.config_files).where(_in_scope(scope, target)))
        await self._forget([config.id for config in self._read(map(_record, rows))], implied=True)
        await self._connection.execute(delete(tables.config_files).where(_in_scope(scope, target)))

    async def _one(self, statement: Select[Any], **which: str) -> ConfigFile | None:
        row = (await self._connection.execute(statement, which)).one_or_none()
        return None if row is None else self._read([_record(row)])[0]


def _record(row: Row[Any]) -> ConfigFile:
    return ConfigFile(
        id=row.id,
        file=row.file,
        scope=Scope(row.scope),
        target=row.target,
        contents=row.contents,
        stamp=stamp_of(row),
        rollout=row.rollout,
    )


def _columns(config: ConfigFile) -> dict[str, Any]:
    return {
        "id": config.id,
        "file": config.file,
        "scope": config.scope.value,
        "target": config.target,
        "contents": config.contents,
        **stamp_columns(config.stamp),
    }
