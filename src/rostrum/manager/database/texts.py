"""The JSON texts of many documents, read by their keys."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Column, select
from sqlalchemy.ext.asyncio import AsyncConnection

_BATCH = 500


async def texts(connection: AsyncConnection, key: Column[Any], text: Column[Any], keys: Iterable[str]) -> list[str]:
    """Read a text for each key, in the order of the keys; those that are gone are left out."""
    wanted = list(keys)
    found: dict[str, str] = {}
    for start in range(0, len(wanted), _BATCH):
        statement = select(key, text).where(key.in_(wanted[start : start + _BATCH]))
        found.update((row[0], row[1]) for row in await connection.execute(statement))
    return [found[name] for name in wanted if name in found]
