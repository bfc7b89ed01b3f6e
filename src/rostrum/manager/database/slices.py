"""Many rows, a slice at a time, so that other requests go on meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

_SLICE = 1000


async def in_slices(rows: Sequence[Item]) -> AsyncIterator[Item]:
    """Yield rows one by one, letting others have a turn every so often."""
    for start in range(0, len(rows), _SLICE):
        for row in rows[start : start + _SLICE]:
            yield row
        await asyncio.sleep(0)
