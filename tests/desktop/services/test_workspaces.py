"""Operations of workspaces, their limit of time, and what frames are asked to show."""

import asyncio
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import pytest

from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError, OperationTimedOut
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.workspace_records import NewWorkspace
from rostrum.desktop.services.workspaces import Workspaces
from tests.desktop.services.test_notifications import Timer
from tests.desktop.test_platform import until
from tests.desktop.test_services_without_windows import settings

WINDOW = {"type": "window", "config": {"appName": "free"}}


class Hanging(RecordingHost):
    """A host whose frames respond when a test requests it, and record abandoned calls."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.given_up = False

    async def change_workspaces(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Any:
        await super().change_workspaces(frame, operation, arguments)
        try:
            return await asyncio.shield(self.answer)
        except asyncio.CancelledError:
            self.given_up = True
            raise


async def started(alternate: Any = None, **members: Any) -> tuple[Workspaces, Hanging, Timer, Instances]:
    host, timer, numbers = Hanging(), Timer(), count(1)
    found = settings(windowManagement={"workspaces": members, "alternateBehavior": alternate or {}})
    definitions: dict[str, dict[str, Any]] = {
        "frame": {"name": "frame", "type": "workspaces", "details": {}},
        "free": {"name": "free", "type": "window", "details": {"url": "https://x"}},
        "kept": {"name": "kept", "type": "window", "details": {"url": "https://x"}, "allowWorkspaceDrop": False},
    }
    lookup: Callable[[str], dict[str, Any] | None] = definitions.get
    launchers = dict.fromkeys(("workspaces", "window"), WindowLauncher(host, host.reports, found))
    instances = Instances(lookup, launchers, new_id=lambda: str(next(numbers)))
    workspaces = Workspaces(
        found.window_management,
        host,
        instances,
        definitions=lambda: definitions,
        background=BackgroundTasks("a test failed"),
        sleep=timer,
    )
    return workspaces, host, timer, instances


def drawn(host: RecordingHost) -> list[list[str]]:
    """Return the running apps in each workspace, as a frame was asked to show them at last."""
    drawing = [about[2] for what, about in host.calls if what == "workspaces"][-1]
    return [[*workspace["windows"].values()] for workspace in drawing["workspaces"]]


@pytest.mark.setting("windowManagement.workspaces.operationTimeout")
@pytest.mark.rule("R-2.16-17", "L-D-19")
@pytest.mark.parametrize(("members", "seconds"), [({}, 30), ({"operationTimeout": 1500}, 1.5)])
async def test_an_operation_that_hangs_is_given_up_after_the_time_that_is_set(members: Any, seconds: float) -> None:
    workspaces, host, timer, instances = await started(**members)
    running = asyncio.ensure_future(workspaces.open(NewWorkspace(state={"children": [WINDOW]})))
    assert await timer.ring() == seconds
    with pytest.raises(OperationTimedOut, match=rf"'createWorkspace' was not done within {seconds:g} s") as caught:
        await running
    assert caught.value.seconds == seconds
    assert host.given_up
    # What it had opened is closed again.
    assert not workspaces.all
    host.answer.set_result({})
    await until(lambda: all(one.app != "free" for one in instances.all))


async def test_an_operation_that_is_done_in_time_gives_its_answer() -> None:
    workspaces, host, _, instances = await started()
    host.answer.set_result({})
    opened = await workspaces.open(NewWorkspace(state={"children": [WINDOW, WINDOW]}, title="Mine"))
    assert [(one.title, one.frame) for one in workspaces.all] == [("Mine", opened.frame)]
    assert drawn(host) == [[one.id for one in instances.all if one.app == "free"]]
    with pytest.raises(DesktopError, match="there is no frame, no workspace and no part 'gone'"):
        await workspaces.close("gone")


@pytest.mark.rule("R-2.16-11")
@pytest.mark.parametrize("reverse", [False, True])
async def test_a_window_dropped_on_a_frame_is_added_unless_alt_is_held_and_reversed_only_then(
    reverse: bool,
) -> None:
    workspaces, host, _, instances = await started({"dropInWorkspace": {"reverse": reverse}})
    host.answer.set_result({})
    frame = (await workspaces.open(NewWorkspace())).frame
    free, kept = [(await instances.start(name)).id for name in ("free", "kept")]
    assert await workspaces.drop(free, frame, alt=not reverse) is False
    assert await workspaces.drop(free, frame, alt=reverse) is True
    assert [await workspaces.drop(kept, frame, alt=alt) for alt in (False, True)] == [False, False]
    assert drawn(host) == [[free]]
    with pytest.raises(DesktopError, match="there is no instance 'gone'"):
        await workspaces.drop("gone", frame)


async def test_a_page_can_arrange_the_windows_of_its_workspace_but_not_add_or_lose_one() -> None:
    workspaces, host, _, _ = await started()
    host.answer.set_result({})
    opened = await workspaces.open(NewWorkspace(state={"children": [WINDOW, WINDOW]}))
    first, second = opened.tree.windows()
    groups = [item.id for item in opened.tree.items]
    together = {"type": "group", "children": [WINDOW, WINDOW], "config": {"activeTabIndex": 1}}
    state = {"type": "workspace", "children": [{"type": "row", "children": [together]}]}
    await workspaces.rearrange(opened.frame, opened.id, state, [second.id, first.id])
    assert opened.tree.windows() == [second, first]
    (row,) = opened.tree.items
    assert row.children[0].selected is first
    # A group that has kept its first window has kept its id.
    assert row.children[0].id == groups[1]
    for ids in ([first.id], [first.id, "other"], [first.id, first.id], None):
        with pytest.raises(DesktopError, match="other windows than the workspace has"):
            await workspaces.rearrange(opened.frame, opened.id, state, ids)
    assert opened.tree.windows() == [second, first]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"children": [WINDOW] * 61}, "too many parts"),
        ({"children": [{"type": "row", "children": [WINDOW] * 31}] * 2}, "up to 60 windows"),
        ({"children": [{"type": "window"}]}, "appName or a windowId"),
        ({"children": [{"type": "wheel"}]}, "no part of type 'wheel'"),
        ({"children": "all"}, "children must be an array"),
        ({"children": [7]}, "each child must be an object"),
        ({"children": [{"type": "group", "children": [{"type": "row"}]}]}, "a group has windows only"),
    ],
)
async def test_a_workspace_that_cannot_be_shown_is_refused(state: Any, message: str) -> None:
    workspaces, host, _, instances = await started()
    host.answer.set_result({})
    with pytest.raises(DesktopError, match=message):
        await workspaces.open(NewWorkspace(state=state))
    assert not instances.all
