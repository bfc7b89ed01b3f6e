"""The steps of the start and what they say."""

import pytest

from rostrum.desktop.errors import DesktopError, StartFailed
from rostrum.desktop.steps import State, Steps


async def test_a_step_is_done_skipped_degraded_or_failed() -> None:
    steps = Steps(("done", "skipped", "degraded", "failed", "waiting"))
    seen: list[tuple[str, State]] = []
    steps.changed.connect(lambda step: seen.append((step.name, step.state)))

    async def told() -> str | None:
        return "3 apps"

    async def nothing() -> str | None:
        return ""

    async def partly() -> str | None:
        steps.degrade("degraded", "one is away")
        steps.degrade("degraded", "another too")
        return "1 app"

    async def refused() -> str | None:
        raise DesktopError("no")

    for name, action in (("done", told), ("skipped", nothing), ("degraded", partly)):
        await steps.run(name, action)
    with pytest.raises(StartFailed, match="failed: no"):
        await steps.run("failed", refused)
    assert [(one.state, one.note) for one in steps.all] == [
        (State.DONE, "3 apps"),
        (State.SKIPPED, ""),
        (State.DEGRADED, "1 app; one is away; another too"),
        (State.FAILED, "no"),
        (State.WAITING, ""),
    ]
    assert [state for name, state in seen if name == "degraded"] == [State.RUNNING, State.DEGRADED]
