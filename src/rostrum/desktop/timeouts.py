"""Waiting for somebody else's answer, with a limit that tests can let pass."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from rostrum.base.retry import Sleep

__all__ = ["answer_within"]


async def answer_within(work: Awaitable[Any], seconds: float, sleep: Sleep) -> Any:
    """Wait for an answer; give up with a TimeoutError, and end the work, after some seconds."""
    asked = asyncio.ensure_future(work)
    limit = asyncio.ensure_future(sleep(seconds))
    try:
        await asyncio.wait({asked, limit}, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            return asked.result()
        raise TimeoutError
    finally:
        asked.cancel()
        limit.cancel()
        await asyncio.gather(asked, limit, return_exceptions=True)
