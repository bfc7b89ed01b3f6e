"""The window process: its calls, its reports, its end, and its state after a restart."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Capture, Reload, SetOnTop, SetState, SetZoom
from rostrum.desktop.hosts.port import ChannelColor, Opened, PageAccess, Toast, TrayEntry, WindowHost, WindowRequest
from rostrum.desktop.hosts.process import HostGone, ProcessHost
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import (
    REPORTS,
    HostLost,
    HostRestored,
    MayClose,
    Moved,
    Reports,
    ScreensChanged,
    StateChanged,
    WindowClosed,
)
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.requests import page_requests
from tests.desktop.hosts.fake_child import SCREEN

PLACE = Bounds(10, 20, 300, 200)
CHILD = (sys.executable, "-m", "tests.desktop.hosts.fake_child")


def request(instance: str = "one") -> WindowRequest:
    access = PageAccess(origins=("https://x",), gateway="ws://127.0.0.1:1")
    return WindowRequest(
        instance=instance,
        kind="window",
        title="Clock",
        details={"url": "https://x/clock"},
        bounds=PLACE,
        access=access,
        context={"party": {"id": 5}},
    )


class Heard(list[Any]):
    """The reports, and a way to wait for one."""

    def __init__(self) -> None:
        super().__init__()
        self._news = asyncio.Event()

    def append(self, report: Any) -> None:
        super().append(report)
        self._news.set()

    async def wait_for(self, condition: Callable[[Any], bool]) -> Any:
        async with asyncio.timeout(30):
            while not any(condition(one) for one in self):
                self._news.clear()
                await self._news.wait()
        return next(one for one in self if condition(one))


def is_a(kind: type[Any]) -> Callable[[Any], bool]:
    return lambda report: isinstance(report, kind)


@asynccontextmanager
async def started(fault: str = "none", **options: Any) -> AsyncIterator[tuple[ProcessHost, WindowHost, Reports, Heard]]:
    host = ProcessHost((*CHILD, fault), os.environ, delays=(0.01, 0.01, 0.01), **options)
    reports, heard = Reports(), Heard()
    for kind in REPORTS.values():
        reports.listen(kind, heard.append)
    await host.prepare(Engine(), reports)
    try:
        yield host, cast("WindowHost", host), reports, heard
    finally:
        await host.close()


@pytest.fixture(params=["recording", "process"])
async def both(request: pytest.FixtureRequest) -> AsyncIterator[tuple[WindowHost, Heard]]:
    """The host of headless runs and the window process, which must do the same."""
    if request.param == "process":
        async with started() as (process, host, _, heard):
            await process.ready()
            heard.clear()
            yield host, heard
        return
    host, reports, heard = RecordingHost((SCREEN,)), Reports(), Heard()
    for kind in REPORTS.values():
        reports.listen(kind, heard.append)
    await host.prepare(Engine(), reports)
    yield host, heard


@pytest.mark.long
async def test_every_host_opens_moves_and_closes_windows_and_reports_it(both: tuple[WindowHost, Heard]) -> None:
    host, heard = both
    assert host.screens() == (SCREEN,)
    assert await host.open_window(request()) == Opened(bounds=PLACE)
    assert host.bounds("one") == PLACE
    there = Bounds(50, 60, 400, 300)
    await host.move_window("one", there)
    assert host.bounds("one") == there
    assert heard[-1] == Moved(instance="one", bounds=there)
    await host.act("one", SetState(state="maximized"))
    assert heard[-1] == StateChanged(instance="one", state="maximized")
    await host.hide_window("one")
    await host.show_window("one", PLACE)
    assert host.bounds("one") == PLACE
    with pytest.raises(DesktopError, match="no window 'two'"):
        await host.act("two", Capture())
    assert await host.ask("Leave?", ("Stay", "Leave")) == "Stay"
    assert await host.set_hotkeys(("CTRL+K",)) == ()
    await host.set_requests(page_requests("^https://x/", None)[0])
    await host.close_window("one")
    assert heard[-1] == WindowClosed(instance="one")
    assert host.bounds("one") is None


@pytest.mark.long
async def test_every_host_keeps_a_window_that_is_opened_again(both: tuple[WindowHost, Heard]) -> None:
    host, heard = both
    await host.open_window(request())
    there = Bounds(50, 60, 400, 300)
    await host.move_window("one", there)
    with pytest.raises(DesktopError, match="the window 'one' is open already"):
        await host.open_window(request())
    assert host.bounds("one") == there
    await host.act("one", SetState(state="maximized"))
    assert heard[-1] == StateChanged(instance="one", state="maximized")


@pytest.mark.long
async def test_every_host_reports_its_windows_as_closed_at_the_end(both: tuple[WindowHost, Heard]) -> None:
    host, heard = both
    await host.open_window(request())
    await host.close()
    assert WindowClosed(instance="one") in heard


@pytest.mark.long
async def test_calls_wait_until_the_process_runs_and_the_displays_are_known() -> None:
    async with started() as (process, host, _, heard):
        opened, _ = await asyncio.gather(host.open_window(request()), host.set_title("one", "Other"))
        assert opened == Opened(bounds=PLACE)
        assert isinstance(heard[0], ScreensChanged)
        assert process.screens() == (SCREEN,)
        # Opened once, although it was asked for before the process ran.
        await host.close_window("one")
        assert heard.count(WindowClosed(instance="one")) == 1


@pytest.mark.long
async def test_a_question_of_the_process_is_answered_by_the_platform() -> None:
    async with started() as (_, host, reports, _):
        asked = asyncio.Event()

        async def answer(question: MayClose) -> bool:
            assert question == MayClose(instance="one")
            asked.set()
            return False

        reports.handle(MayClose, answer)
        await host.send_to_pages("MayClose", {"instance": "one"})
        async with asyncio.timeout(30):
            await asked.wait()


@pytest.mark.long
async def test_a_process_that_is_killed_is_started_again_with_everything_it_showed() -> None:
    async with started() as (process, host, _, heard):
        await host.open_window(request())
        await host.open_window(request("two"))
        await host.act("one", SetZoom(factor=1.5))
        await host.act("one", SetState(state="maximized"))
        await host.act("one", SetOnTop(on_top=True))
        await host.move_window("two", Bounds(1, 2, 333, 222))
        await host.hide_window("two")
        await host.set_title("two", "Second")
        await host.set_channels((ChannelColor(name="Red", color="#f00"),))
        await host.set_channel("one", ("Red",))
        await host.show_tray((TrayEntry(id="exit", title="Exit"),))
        await host.show_toast(Toast(id="t", title="T", body="", severity="Low", stack=None, corner="top-left"))
        first = process.process
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await heard.wait_for(is_a(HostLost))
        # A call while it is down waits for the new process.
        await host.move_window("one", Bounds(7, 8, 300, 200))
        await heard.wait_for(is_a(HostRestored))
        assert process.process not in (None, first)
        assert host.bounds("two") == Bounds(1, 2, 333, 222)
        assert host.bounds("one") == Bounds(7, 8, 300, 200)
        assert HostLost(reason="it closed its connection (exit code -9)", restarting=True) in heard
        assert not [one for one in heard if isinstance(one, WindowClosed)]
        # Both windows are open in the new process: actions on them work there.
        await host.act("two", SetState(state="minimized"))
        assert heard[-1] == StateChanged(instance="two", state="minimized")


@pytest.mark.long
async def test_a_window_that_is_closed_while_the_process_is_down_is_reported_as_closed() -> None:
    async with started() as (process, host, _, heard):
        await host.open_window(request())
        assert process.process is not None
        os.kill(process.process, signal.SIGKILL)
        await heard.wait_for(is_a(HostLost))
        await host.close_window("one")
        assert [one for one in heard if isinstance(one, WindowClosed)] == [WindowClosed(instance="one")]
        assert host.bounds("one") is None


@pytest.mark.long
async def test_what_is_repeated_is_the_last_state_of_every_window() -> None:
    async with started() as (process, host, _, _):
        await host.set_channels((ChannelColor(name="Red", color="#f00"),))
        await host.open_window(request())
        await host.act("one", SetState(state="maximized"))
        await host.set_title("one", "Renamed")
        await host.open_window(request("gone"))
        await host.close_window("gone")
        steps = dict(process._journal.steps())
        assert steps["open_window"][0].title == "Renamed"
        assert steps["open_window"][0].state == "maximized"
        assert steps["open_window"][0].context == {"party": {"id": 5}}
        assert [op for op, _ in process._journal.steps()].count("open_window") == 1


@pytest.mark.long
async def test_a_call_that_is_not_repeated_fails_when_the_process_dies() -> None:
    async with started("dies") as (_, host, _, heard):
        await host.open_window(request())
        with pytest.raises(HostGone, match="bring_to_front: the window process has ended before it answered"):
            await host.bring_to_front()
        await heard.wait_for(is_a(HostRestored))
        assert host.bounds("one") == PLACE


@pytest.mark.long
async def test_after_three_restarts_in_a_minute_the_host_continues_without_windows() -> None:
    async with started("ends") as (_, host, _, heard):
        assert await host.open_window(request()) == Opened(bounds=PLACE)
        lost = [one for one in heard if isinstance(one, HostLost)]
        assert [one.restarting for one in lost] == [True, True, True, False]
        await host.move_window("one", Bounds(1, 1, 100, 100))
        assert host.bounds("one") == Bounds(1, 1, 100, 100)
        assert await host.ask("Leave?", ("Stay", "Leave")) == "Stay"


@pytest.mark.long
async def test_a_process_that_cannot_run_here_is_not_started_again_and_gives_the_reason() -> None:
    async with started("cannot run") as (process, _, _, heard):
        await process.ready()
        assert await heard.wait_for(is_a(HostLost)) == HostLost(reason="there is no display", restarting=False)


@pytest.mark.long
async def test_a_process_that_sends_no_frames_is_ended() -> None:
    async with started("garbage") as (_, _, _, heard):
        lost = await heard.wait_for(lambda one: isinstance(one, HostLost) and not one.restarting)
        assert "a frame that arrived cannot be read" in lost.reason


@pytest.mark.long
async def test_a_process_that_does_not_answer_is_started_again() -> None:
    async with started("silent", ping_interval=0.01, ping_timeout=0.05) as (_, _, _, heard):
        await heard.wait_for(is_a(HostRestored))
        assert any(isinstance(one, HostLost) and one.restarting for one in heard)


@pytest.mark.long
async def test_no_process_is_left_when_the_host_is_closed() -> None:
    async with started() as (process, host, _, _):
        await host.open_window(request())
        child = process.process
        assert child is not None
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    with pytest.raises(HostGone, match="being closed"):
        await host.open_window(request())


@pytest.mark.parametrize("program", ["no-such-program"])
async def test_a_program_that_is_missing_is_reported(program: str) -> None:
    host, reports, heard = ProcessHost((program,), os.environ), Reports(), Heard()
    reports.listen(HostLost, heard.append)
    await host.prepare(Engine(), reports)
    await host.ready()
    assert "no-such-program cannot be started" in (await heard.wait_for(is_a(HostLost))).reason
    await host.close()


@pytest.mark.long
async def test_the_window_that_ends_the_process_again_and_again_is_isolated_and_the_others_return() -> None:
    async with started("fatal page bad") as (process, host, _, heard):
        await process.ready()
        names = [f"good {number}" for number in range(3)]
        opened = await asyncio.gather(*(host.open_window(request(name)) for name in ["bad", *names]))
        assert opened == [Opened(bounds=PLACE)] * 4
        # If several windows were loading each time, they are loaded one after the other to find the one.
        await heard.wait_for(lambda _: len([one for one in heard if isinstance(one, HostLost)]) == 3)
        await process.ready()
        assert [one.restarting for one in heard if isinstance(one, HostLost)] == [True] * 3
        for name in names:
            await host.act(name, Capture())
        assert {host.bounds(name) for name in ["bad", *names]} == {PLACE}
        # The user tries again: one end is enough now, although the process has ended as often as it may.
        heard.clear()
        with pytest.raises(HostGone):
            await host.act("bad", Reload())
        await heard.wait_for(is_a(HostRestored))
        assert [one.restarting for one in heard if isinstance(one, HostLost)] == [True]
