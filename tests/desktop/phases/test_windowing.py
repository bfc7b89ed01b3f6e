"""The start with windows: the window process, the splash at the start and the end, and a missing display."""

import os
import signal
from typing import Any, cast

import pytest

from rostrum.desktop.hosts.port import Splash, WindowHost
from rostrum.desktop.hosts.process import ProcessHost
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.steps import State
from tests.desktop.hosts.test_process import CHILD
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]


class Watching(RecordingHost):
    """Notes in which state the start is when the splash comes and goes."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: Any = None
        self.seen: list[tuple[str, State]] = []

    async def show_splash(self, splash: Splash) -> None:
        self._look("shown")
        await super().show_splash(splash)

    async def hide_splash(self) -> None:
        self._look("hidden")
        await super().hide_splash()

    def _look(self, what: str) -> None:
        states = {one.name: one.state for one in self.steps.all}
        self.seen.append((what, states["gateway"] if what == "shown" else states["updates"]))


async def test_the_splash_is_there_before_the_gateway_until_the_platform_is_ready_and_at_its_end(desk: Desk) -> None:
    desk.host = host = Watching()
    platform = desk.platform()
    host.steps = platform.steps
    await platform.start()
    assert host.seen == [("shown", State.WAITING), ("hidden", State.SKIPPED)]
    await platform.stop()
    assert host.seen[2:] == [("shown", State.DONE), ("hidden", State.SKIPPED)]


@pytest.mark.long
@pytest.mark.parametrize("fault", ["none", "cannot run"])
async def test_the_window_process_runs_with_the_platform_which_continues_without_it(desk: Desk, fault: str) -> None:
    desk.write_app("clock", details={"url": "https://x", "left": 7, "top": 8, "width": 300, "height": 200})
    desk.system(**APPS)
    host = ProcessHost((*CHILD, fault), os.environ)
    desk.host = cast("Any", host)
    async with desk.running() as platform:
        clock = await platform.services.instances.start("clock")
        place = cast("WindowHost", host).bounds(clock.id)
        assert place is not None
        assert (place.left, place.top, place.width, place.height) == (7, 8, 300, 200)
        if fault == "none":
            assert host.process is not None
            assert platform.status()["problems"] == []
        else:
            await until(lambda: bool(platform.status()["problems"]))
            (problem,) = platform.status()["problems"]
            assert problem.startswith("The desktop continues without windows: ")
            assert "there is no display" in problem
    if host.process is not None:
        with pytest.raises(ProcessLookupError):
            os.kill(host.process, 0)


@pytest.mark.long
@pytest.mark.parametrize("delays", [(30.0,), ()])
async def test_the_platform_ends_cleanly_while_its_window_process_is_gone(
    desk: Desk, delays: tuple[float, ...], caplog: pytest.LogCaptureFixture
) -> None:
    desk.write_app("clock")
    desk.system(**APPS)
    host = ProcessHost((*CHILD, "none"), os.environ, delays=delays)
    desk.host = cast("Any", host)
    async with desk.running() as platform:
        await platform.services.instances.start("clock")
        assert host.process is not None
        os.kill(host.process, signal.SIGKILL)
        await until(lambda: bool(platform.status()["problems"]))
    assert "did not end cleanly" not in caplog.text
    assert not (desk.root / "UserData" / "status.json").exists()
