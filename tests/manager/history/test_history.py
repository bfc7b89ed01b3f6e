"""The suite of history and audit on every back end."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.audit.chain import Chain, Ends, Fault
from rostrum.manager.audit.repository import Audit
from rostrum.manager.topics import manager_storage
from tests.suites import history as suite


class TestTimeTravel(suite.TimeTravel):
    pass


class TestRetention(suite.Retention):
    pass


class TestLimits(suite.Limits):
    pass


class TestTampering(suite.Tampering):
    pass


def judge(entries: list[Any], ends: Ends) -> Fault | None:
    chain = Chain(ends.start)
    chain.follow(entries)
    chain.finish(ends)
    return chain.fault


@pytest.mark.long
async def test_every_single_alteration_is_found(sqlite: str, clock: SettableClock) -> None:
    storage = manager_storage(sqlite, clock)
    await storage.open()
    await suite.Firm(storage, clock, 5).live(25)
    async with storage.read() as work:
        entries, ends = await work.of(Audit).after(0, 1000), await work.of(Audit).ends()
    await storage.close()
    assert len(entries) > 15
    assert any(others for _, others in entries)
    assert judge(entries, ends) is None

    for place, (entry, others) in enumerate(entries):
        altered = [
            *(replace(entry, **{name: getattr(entry, name) + "x"}) for name in ("actor", "operation", "kind", "key")),
            *(replace(entry, text=text) for text in (entry.text + " ", entry.text[1:], "", "{}")),
            *(replace(entry, text=entry.text.replace(f'"{name}"', '"eve"')) for name in ("(system)", "step 1")),
            replace(entry, at=entry.at + timedelta(milliseconds=1)),
            replace(entry, number=entry.number + 1),
            replace(entry, hash=entry.hash[::-1]),
            replace(entry, revision=(entry.revision or 0) + 1),
        ]
        rows = [(other, others) for other in altered if other != entry]
        rows += [(entry, others | {("app", "x")}), *((entry, others - {one}) for one in others)]
        for row in rows:
            fault = judge([*entries[:place], row, *entries[place + 1 :]], ends)
            assert fault is not None, row
            assert fault.number in (entry.number, entry.number + 1), row
        gone = judge([*entries[:place], *entries[place + 1 :]], ends)
        assert gone is not None
        assert gone.number in (entry.number, entry.number + 1)
        for other in range(place + 1, len(entries)):
            swapped = [*entries]
            swapped[place], swapped[other] = swapped[other], swapped[place]
            assert judge(swapped, ends) is not None
            # Put into each other's place with the numbers set right.
            for name in ("text", "hash"):
                one, two = entries[place][0], entries[other][0]
                swapped[place] = (replace(one, **{name: getattr(two, name)}), entries[place][1])
                swapped[other] = (replace(two, **{name: getattr(one, name)}), entries[other][1])
                assert judge(swapped, ends) is not None
