"""Operations of workspaces, and their limit of time."""

import asyncio
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError, OperationTimedOut
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.workspaces import Workspaces
from tests.desktop.services.test_notifications import Timer
from tests.desktop.test_services_without_windows import settings


class Hanging(RecordingHost):
    """A host whose frames answer when a test says so, and know when nobody waits any more."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.given_up = False

    async def change_workspaces(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Any:
        await super().change_workspaces(frame, operation, arguments)
        try:
            return await self.answer
        except asyncio.CancelledError:
            self.given_up = True
            raise


async def started(alternate: Any = None, **members: Any) -> tuple[Workspaces, Hanging, Timer, str]:
    host, timer, numbers = Hanging(), Timer(), count(1)
    found = settings(windowManagement={"workspaces": members, "alternateBehavior": alternate or {}})
    definitions: dict[str, dict[str, Any]] = {
        "frame": {"name": "frame", "type": "workspaces", "details": {"url": "https://x"}},
        "free": {"name": "free", "type": "window", "details": {"url": "https://x"}},
        "kept": {"name": "kept", "type": "window", "details": {"url": "https://x"}, "allowWorkspaceDrop": False},
    }
    lookup: Callable[[str], dict[str, Any] | None] = definitions.get
    launchers = dict.fromkeys(("workspaces", "window"), WindowLauncher(host, host.reports, found))
    instances = Instances(lookup, launchers, new_id=lambda: str(next(numbers)))
    frame = await instances.start("frame")
    for name in ("free", "kept"):
        await instances.start(name)
    return Workspaces(found.window_management, host, instances, sleep=timer), host, timer, frame.id


@pytest.mark.setting("windowManagement.workspaces.operationTimeout")
@pytest.mark.rule("R-2.16-17", "L-D-19")
@pytest.mark.parametrize(("members", "seconds"), [({}, 30), ({"operationTimeout": 1500}, 1.5)])
async def test_an_operation_that_hangs_is_given_up_after_the_time_that_is_set(members: Any, seconds: float) -> None:
    workspaces, host, timer, frame = await started(**members)
    running = asyncio.ensure_future(workspaces.run(frame, "createWorkspace", {"children": []}))
    assert await timer.ring() == seconds
    with pytest.raises(OperationTimedOut, match=rf"'createWorkspace' was not done within {seconds:g} s") as caught:
        await running
    assert caught.value.seconds == seconds
    assert host.given_up


async def test_an_operation_that_is_done_in_time_gives_its_answer() -> None:
    workspaces, host, timer, frame = await started()
    host.answer.set_result({"id": 7})
    assert await workspaces.run(frame, "createWorkspace", {"children": []}) == {"id": 7}
    assert host.calls[-1] == ("workspaces", (frame, "createWorkspace", {"children": []}))
    host.answer = asyncio.get_running_loop().create_future()
    host.answer.set_exception(DesktopError("no such workspace"))
    with pytest.raises(DesktopError, match="no such workspace"):
        await workspaces.run(frame, "close", {})
    assert not any(event.is_set() for _, event in timer.asked)


async def test_only_a_running_frame_can_be_asked() -> None:
    workspaces, _, _, _ = await started()
    with pytest.raises(DesktopError, match="there is no workspaces frame 'gone'"):
        await workspaces.run("gone", "close", {})


@pytest.mark.rule("R-2.16-11")
@pytest.mark.parametrize("reverse", [False, True])
async def test_a_window_that_is_let_go_on_a_frame_goes_in_unless_alt_is_held_and_reversed_only_then(
    reverse: bool,
) -> None:
    workspaces, host, _, frame = await started({"dropInWorkspace": {"reverse": reverse}})
    host.answer.set_result({})
    free, kept = (name for name in host.windows if name != frame)
    assert [await workspaces.drop(free, frame, alt=alt) for alt in (False, True)] == [not reverse, reverse]
    assert [await workspaces.drop(kept, frame, alt=alt) for alt in (False, True)] == [False, False]
    asked = [about for what, about in host.calls if what == "workspaces"]
    assert asked == [(frame, "addWindow", {"windowId": free})]
    with pytest.raises(DesktopError, match="there is no instance 'gone'"):
        await workspaces.drop("gone", frame)
