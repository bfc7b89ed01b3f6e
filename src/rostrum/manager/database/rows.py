"""Reads many rows in slices or by their keys, and converts stamps from and to columns."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace
from sqlalchemy import Column, Row, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.document import Stamp

Item = TypeVar("Item")

_SLICE = 1000


async def in_slices(rows: Sequence[Item]) -> AsyncIterator[Item]:
    """Yield rows one by one, and let other tasks run regularly."""
    for start in range(0, len(rows), _SLICE):
        for row in rows[start : start + _SLICE]:
            yield row
        await asyncio.sleep(0)


_BATCH = 500


async def texts(connection: AsyncConnection, key: Column[Any], text: Column[Any], keys: Iterable[str]) -> list[str]:
    """Read a text for each key, in the order of the keys; missing rows are omitted."""
    wanted = list(keys)
    found: dict[str, str] = {}
    for start in range(0, len(wanted), _BATCH):
        statement = select(key, text).where(key.in_(wanted[start : start + _BATCH]))
        found.update((row[0], row[1]) for row in await connection.execute(statement))
    return [found[name] for name in wanted if name in found]


def stamp_of(row: Row[Any]) -> Stamp:
    return Stamp(
        revision=row.revision,
        created=row.created,
        created_by=row.created_by,
        modified=row.modified,
        modified_by=row.modified_by,
    )


def later(before: Stamp, change: Stamp) -> Stamp:
    """Return the stamp of a document after an indirect change."""
    return replace(before, revision=change.revision, modified=change.modified, modified_by=change.modified_by)


def stamp_columns(stamp: Stamp) -> dict[str, Any]:
    return {
        "revision": stamp.revision,
        "created": stamp.created,
        "created_by": stamp.created_by,
        "modified": stamp.modified,
        "modified_by": stamp.modified_by,
    }
