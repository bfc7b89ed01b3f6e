"""The steps of the start and what they say."""

import pytest

from rostrum.desktop.errors import DesktopError, StartFailed
from rostrum.desktop.steps import Progress, State, Steps


async def test_a_step_is_done_skipped_degraded_or_failed() -> None:
    steps = Steps(("done", "skipped", "degraded", "failed", "waiting"))
    seen: list[tuple[str, State]] = []
    steps.changed.connect(lambda step: seen.append((step.name, step.state)))

    async def noted(step: Progress, apps: int) -> int:
        step.note(f"{apps} apps")
        return apps

    async def nothing(step: Progress) -> None:
        step.skip()

    async def partly(step: Progress) -> None:
        step.note("1 app")
        step.degrade("one is away")
        step.degrade("another too")

    async def refused(_: Progress) -> None:
        raise DesktopError("no")

    assert await steps.run("done", noted, 3) == 3
    await steps.run("skipped", nothing)
    await steps.run("degraded", partly)
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
