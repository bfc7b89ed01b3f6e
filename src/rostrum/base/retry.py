"""Delays between attempts, and a function that retries with them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

LONGEST_WAIT_MS = 5 * 60 * 1000

Result = TypeVar("Result")
Sleep = Callable[[float], Awaitable[None]]
"""Waits for a number of seconds."""


def waits(factor: float, retries: int) -> Iterator[float]:
    """Yield the delay before each retry in milliseconds: factor × 2^retry, retries counted from 0, capped."""
    wait = max(0.0, float(factor))
    for _ in range(retries):
        yield min(wait, LONGEST_WAIT_MS)
        # Larger exponents would overflow after a thousand retries.
        wait = min(wait * 2, LONGEST_WAIT_MS)


async def attempt(
    action: Callable[[], Awaitable[Result]],
    pauses: Iterable[float],
    again: Callable[[Exception], bool],
    sleep: Sleep = asyncio.sleep,
) -> Result:
    """Call until it succeeds, an error is not worth a retry, or the delays (milliseconds) are used up."""
    for pause in pauses:
        try:
            return await action()
        except Exception as error:
            if not again(error):
                raise
        await sleep(pause / 1000)
    return await action()
