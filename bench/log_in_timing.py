"""Whether the time of a refused sign-in reveals that a user exists."""

import asyncio
import statistics
import tempfile
import time
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bench.firm import document
from rostrum.base.clock import SettableClock
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.caller import Credentials
from rostrum.manager.config import read_config
from rostrum.manager.errors import Unauthenticated
from rostrum.manager.manager import Manager
from rostrum.manager.sign_in.methods import sign_in_methods

ATTEMPTS = 1000
LEAST = 0.01


def report() -> str:
    with tempfile.TemporaryDirectory() as folder:
        times = asyncio.run(_times(Path(folder)))
    known, unknown = (statistics.median(each) * 1e3 for each in times)
    return (
        "## Refused sign-ins\n\n"
        f"{ATTEMPTS:,} wrong passwords for an existing user, in turn with as many for an unknown user. The response "
        "time must not reveal whether a user exists. The probability is that of a difference as large as the "
        "measured one if both have the same distribution (Mann–Whitney test).\n\n"
        "| existing user | unknown user | probability | goal |\n|---|---|---|---|\n"
        f"| {known:.2f} ms | {unknown:.2f} ms | **{_chance(*times):.2f}** | > {LEAST} |\n"
    )


async def _times(folder: Path) -> tuple[list[float], list[float]]:
    clock = SettableClock()
    manager = Manager.of(read_config(document(folder), {}).config, clock)
    await manager.open()
    authenticator = Authenticator(
        manager.storage.revisions,
        sign_in_methods(manager.storage, manager.tokens, manager.passwords, clock),
        most_known=0,
    )
    times: tuple[list[float], list[float]] = ([], [])
    try:
        for number in range(-10, ATTEMPTS):
            # Who comes first takes turns as well: whatever slows the machine down meets both.
            for which in sorted((0, 1), reverse=number % 2 == 0):
                clock.advance(3600)
                text = f"{('admin', 'nobody')[which]}:guess {number}"
                credentials = Credentials(authorization=f"Basic {b64encode(text.encode()).decode()}")
                begun = time.perf_counter()
                with suppress(Unauthenticated):
                    await authenticator.authenticate(credentials)
                if number >= 0:
                    times[which].append(time.perf_counter() - begun)
    finally:
        await manager.close()
    return times


def _chance(one: Sequence[float], other: Sequence[float]) -> float:
    ranks = {value: rank for rank, value in enumerate(sorted([*one, *other]), 1)}
    count, others = len(one), len(other)
    surplus = sum(ranks[value] for value in one) - count * (count + others + 1) / 2
    deviation = (count * others * (count + others + 1) / 12) ** 0.5
    return 2 * (1 - statistics.NormalDist().cdf(abs(surplus) / deviation))
