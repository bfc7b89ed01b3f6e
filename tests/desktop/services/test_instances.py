"""Running apps: limits, numbers, titles, ends."""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.ids import new_id
from rostrum.desktop.errors import LaunchFailed, NotOnThisSystem, UnknownApp
from rostrum.desktop.hosts.port import Opened, WindowRequest
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import WindowClosed
from rostrum.desktop.launch.exe import ExeLauncher, NativeLauncher
from rostrum.desktop.launch.launcher import Surroundings
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.services.instances import Ended, Instances, StartedBy
from rostrum.desktop.titles import TitledBy
from rostrum.settings.parse import parse_system


class Desk:
    """Instances with real processes and a recording host."""

    def __init__(
        self,
        root: Path,
        *definitions: dict[str, Any],
        title_format: str | None = None,
        opening: Callable[[WindowRequest], Awaitable[None]] | None = None,
    ) -> None:
        self.host = RecordingHost()
        self.ended: list[Ended] = []
        self.events: list[tuple[str, str]] = []
        self.gone = asyncio.Event()
        surroundings = Surroundings(root=root, logs=root / "logs", variables={"PATH": "/usr/bin:/bin", "WHO": "ann"})
        known = {one["name"]: one for one in definitions}
        self.instances = Instances(
            known.get,
            {
                "exe": ExeLauncher(surroundings),
                "window": WindowLauncher(
                    self.host, self.host.reports, parse_system({}).settings, open_window=self._open(opening)
                ),
                **dict.fromkeys(
                    ("clickonce", "citrix"), NativeLauncher(self.host, self.host.reports, parse_system({}).settings)
                ),
            },
            title_format=title_format,
            new_id=new_id,
        )
        self.instances.ended.connect(self._end)
        self.instances.started.connect(lambda one: self.events.append(("started", one.id)))
        self.instances.launched.connect(lambda one: self.events.append(("launched", one.id)))
        self.instances.failed.connect(lambda one: self.events.append(("failed", one)))
        self.instances.ended.connect(lambda one: self.events.append(("ended", one.instance.id)))

    def _open(self, opening: Callable[[WindowRequest], Awaitable[None]] | None) -> Any:
        async def open_window(request: WindowRequest) -> Opened:
            if opening is not None:
                await opening(request)
            return await self.host.open_window(request)

        return open_window

    def _end(self, ended: Ended) -> None:
        self.ended.append(ended)
        self.gone.set()

    async def until_ended(self, count: int) -> None:
        async with asyncio.timeout(60):
            while len(self.ended) < count:
                self.gone.clear()
                await self.gone.wait()


def window(name: str = "clock", **members: Any) -> dict[str, Any]:
    return {"name": name, "type": "window", "details": {"url": "https://example.com"}, **members}


def script(name: str, code: str, **details: Any) -> dict[str, Any]:
    parameters = f'-c "{code}"'
    return {"name": name, "type": "exe", "details": {"command": sys.executable, "parameters": parameters, **details}}


@pytest.mark.rule("R-2.15-16", "T-D-11", "T-D-12")
async def test_instances_are_numbered_from_1_and_again_when_all_are_closed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, window(title="Clock"), title_format="{title} #{instanceIndex}")
    started = [await desk.instances.start("clock") for _ in range(3)]
    assert [one.title for one in started] == ["Clock #1", "Clock #2", "Clock #3"]
    await desk.instances.stop(started[0].id)
    assert (await desk.instances.start("clock")).index == 4
    for one in desk.instances.all:
        await desk.instances.stop(one.id)
    assert (await desk.instances.start("clock")).title == "Clock #1"


async def test_an_app_that_may_run_once_runs_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path, window(allowMultiple=False))
    first = await desk.instances.start("clock")
    with pytest.raises(LaunchFailed, match="may run only once"):
        await desk.instances.start("clock")
    await desk.instances.stop(first.id)
    await desk.instances.start("clock")


async def test_an_app_can_start_a_limited_number_of_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path, window(), window("launcher"))
    launcher = await desk.instances.start("launcher")
    by = StartedBy(kind="application", app="launcher", instance=launcher.id)
    started = [await desk.instances.start("clock", started_by=by) for _ in range(49)]
    await desk.instances.open_window(launcher.id, "More", {"url": "https://example.com"}, {})
    # Another instance of the app has no limit of its own, and another kind of start is no way around it.
    for other in (by, StartedBy(kind="intent", app="launcher", instance="other")):
        with pytest.raises(LaunchFailed, match="launcher has started 50 running apps"):
            await desk.instances.start("clock", started_by=other)
    with pytest.raises(LaunchFailed, match="launcher has started 50 running apps"):
        await desk.instances.open_window(launcher.id, "More", {"url": "https://example.com"}, {})
    await desk.instances.start("clock")
    await desk.instances.start("clock", started_by=StartedBy(kind="application", app="clock"))
    await desk.instances.stop(started[0].id)
    await desk.instances.start("clock", started_by=by)


@pytest.mark.parametrize("definition", [None, window("nobody", disabled=True)])
async def test_an_app_that_is_not_there_or_disabled_is_unknown(tmp_path: Path, definition: Any) -> None:
    desk = Desk(tmp_path, *([definition] if definition else []))
    with pytest.raises(UnknownApp, match="there is no app 'nobody'"):
        await desk.instances.start("nobody")


@pytest.mark.parametrize(("kind", "message"), [("clickonce", "Windows only"), ("citrix", "Citrix")])
async def test_a_type_that_runs_elsewhere_says_where(tmp_path: Path, kind: str, message: str) -> None:
    desk = Desk(tmp_path, {"name": "old", "type": kind, "details": {"url": "https://x"}})
    with pytest.raises(NotOnThisSystem, match=f"old: .*{message}"):
        await desk.instances.start("old")
    assert desk.instances.all == ()


async def test_a_program_gets_its_arguments_environment_folder_and_context(tmp_path: Path) -> None:
    code = (
        "import os, sys, json; json.dump([sys.argv[1:], os.getcwd(), os.environ['OWN'], os.environ['WHO'],"
        " os.environ['ROSTRUM_APPLICATION'], os.environ['ROSTRUM_CONTEXT']], open('out.json', 'w'))"
    )
    (tmp_path / "work").mkdir()
    app = script("tool", code, path="work", env={"OWN": "1"})
    app["details"]["parameters"] += " one 'two words' %WHO%"
    desk = Desk(tmp_path, app)
    await desk.instances.start("tool", {"x": 1})
    await desk.until_ended(1)
    assert desk.ended[0].code == 0, desk.ended
    written = (tmp_path / "work" / "out.json").read_text()
    assert written == (f'[["one", "two words", "ann"], "{tmp_path / "work"}", "1", "ann", "tool", "{{\\"x\\": 1}}"]')


async def test_an_unexpected_end_with_an_error_is_a_crash_and_a_requested_end_is_not(tmp_path: Path) -> None:
    desk = Desk(tmp_path, script("bad", "raise SystemExit(3)"), script("long", "import time; time.sleep(100)"))
    await desk.instances.start("bad")
    await desk.until_ended(1)
    assert (desk.ended[0].code, desk.ended[0].crashed) == (3, True)
    long = await desk.instances.start("long")
    await desk.instances.stop(long.id)
    assert (desk.ended[1].wanted, desk.ended[1].crashed) == (True, False)
    assert desk.instances.all == ()


async def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    os.mkfifo(tmp_path / "work" / "child")
    start = "pid = subprocess.Popen(['sleep', '100']).pid"
    code = f"import subprocess, time; {start}; open('child', 'w').write(str(pid)); time.sleep(100)"
    desk = Desk(tmp_path, script("parent", code, path="work"))
    instance = await desk.instances.start("parent")
    child = int(await asyncio.to_thread((tmp_path / "work" / "child").read_text))
    await desk.instances.stop(instance.id)
    assert await asyncio.to_thread(ended, child)


def ended(process: int) -> bool:
    """Wait until a process is gone, or dead and only not buried yet."""
    for _ in range(600):
        try:
            if Path(f"/proc/{process}/stat").read_text().split()[2] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({"command": "no-such-program"}, "there is no program no-such-program"),
        ({"path": "nowhere", "command": "x"}, "there is no folder"),
        ({"command": "sleep", "parameters": "'open"}, "the parameters cannot be understood"),
        ({"command": "sleep", "parameters": "%NOPE%"}, "there is no environment variable NOPE"),
        ({}, "neither a path nor a command"),
        ({"useShellExecute": True, "command": "x"}, "needs a desktop session"),
    ],
)
async def test_apps_that_cannot_be_started_are_rejected_with_the_reason(
    tmp_path: Path, details: Any, message: str
) -> None:
    desk = Desk(tmp_path, {"name": "tool", "type": "exe", "details": details})
    with pytest.raises(LaunchFailed, match=message):
        await desk.instances.start("tool")
    assert desk.instances.all == ()


async def test_output_is_written_to_the_log_folder_if_configured(tmp_path: Path) -> None:
    desk = Desk(tmp_path, script("tool", "print('hello')", logging=True))
    instance = await desk.instances.start("tool")
    await desk.until_ended(1)
    assert (tmp_path / "logs" / f"{instance.id}.log").read_text() == "hello\n"


@pytest.mark.rule("R-2.6-2")
async def test_the_window_settings_of_an_app_override_the_settings_for_all_apps(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    settings = parse_system({"windows": {"channelSelector": {"enabled": True, "type": "directionalSingle"}}}).settings
    launcher = WindowLauncher(desk.host, desk.host.reports, settings)
    own = window(details={"url": "https://x", "channelSelector": {"enabled": False}})
    desk.instances = Instances({"clock": own, "other": window("other")}.get, {"window": launcher}, new_id=new_id)
    first, second = [(await desk.instances.start(name)).id for name in ("clock", "other")]
    chosen, for_all = (desk.host.windows[one].chrome.selector for one in (first, second))
    assert chosen is None
    assert for_all is not None
    assert for_all.type == "directionalSingle"


async def test_an_instance_is_known_and_announced_before_its_page_loads(tmp_path: Path) -> None:
    seen: list[Any] = []

    async def opening(request: WindowRequest) -> None:
        found = desk.instances.get(request.instance)
        seen.append((found in desk.instances.all, list(desk.events), found and (found.launched, found.title)))
        assert desk.instances.retitle(request.instance, "Changed by the page", TitledBy.CODE)

    desk = Desk(tmp_path, window(title="Clock"), opening=opening)
    started = await desk.instances.start("clock")
    assert seen == [(True, [("started", started.id)], (False, "Clock"))]
    assert desk.events == [("started", started.id), ("launched", started.id)]
    assert (started.launched, started.title) == (True, "Changed by the page")
    assert desk.instances.get(started.id) == started


async def test_a_program_is_announced_before_it_runs_and_its_process_is_known_afterwards(tmp_path: Path) -> None:
    desk = Desk(tmp_path, script("long", "import time; time.sleep(100)"))
    announced: list[Any] = []
    desk.instances.started.connect(lambda one: announced.append(one.process))
    started = await desk.instances.start("long")
    found = desk.instances.get(started.id)
    assert (announced, found, started.process is not None) == ([None], started, True)
    await desk.instances.stop(started.id)


async def test_an_instance_that_cannot_be_started_is_announced_as_failed_and_ended(tmp_path: Path) -> None:
    missing = {"name": "tool", "type": "exe", "allowMultiple": False, "details": {"command": "no-such-program"}}
    desk = Desk(tmp_path, missing)
    for number in (1, 2):
        # The failed one does not count as running.
        with pytest.raises(LaunchFailed, match="there is no program"):
            await desk.instances.start("tool")
        ended = desk.ended[-1]
        assert [kind for kind, _ in desk.events[-3:]] == ["started", "failed", "ended"]
        assert {instance for _, instance in desk.events[-3:]} == {ended.instance.id}
        assert ("there is no program" in ended.failure, ended.crashed, len(desk.ended)) == (True, False, number)
        assert desk.instances.all == ()


async def test_an_instance_can_be_stopped_while_its_window_opens(tmp_path: Path) -> None:
    begun, proceed = asyncio.Event(), asyncio.Event()

    async def opening(_: WindowRequest) -> None:
        begun.set()
        await proceed.wait()

    desk = Desk(tmp_path, window(allowMultiple=False), opening=opening)
    starting = asyncio.create_task(desk.instances.start("clock"))
    await begun.wait()
    [instance] = desk.instances.all
    with pytest.raises(LaunchFailed, match="may run only once"):
        await desk.instances.start("clock")
    stopping = asyncio.create_task(desk.instances.stop(instance.id))
    await asyncio.sleep(0)
    assert not stopping.done()
    proceed.set()
    await asyncio.gather(starting, stopping)
    assert [kind for kind, _ in desk.events] == ["started", "launched", "ended"]
    assert (desk.ended[0].wanted, desk.instances.all, desk.host.windows) == (True, (), {})


async def test_stopping_an_instance_whose_start_fails_ends_with_the_failure(tmp_path: Path) -> None:
    begun, proceed = asyncio.Event(), asyncio.Event()

    async def opening(_: WindowRequest) -> None:
        begun.set()
        await proceed.wait()
        raise LaunchFailed("the host is gone")

    desk = Desk(tmp_path, window(), opening=opening)
    starting = asyncio.create_task(desk.instances.start("clock"))
    await begun.wait()
    stopping = asyncio.create_task(desk.instances.stop(desk.instances.all[0].id))
    await asyncio.sleep(0)
    proceed.set()
    with pytest.raises(LaunchFailed, match="the host is gone"):
        await starting
    await stopping
    assert (len(desk.ended), desk.ended[0].failure, desk.instances.all) == (1, "the host is gone", ())


async def test_a_window_that_is_closed_while_it_opens_has_ended_once(tmp_path: Path) -> None:
    async def opening(request: WindowRequest) -> None:
        desk.host.reports.report(WindowClosed(instance=request.instance))

    desk = Desk(tmp_path, window(), opening=opening)
    started = await desk.instances.start("clock")
    assert desk.events == [("started", started.id), ("ended", started.id)]
    assert desk.instances.all == ()


async def test_a_start_that_is_cancelled_leaves_nothing_behind(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def opening(_: WindowRequest) -> None:
        begun.set()
        await asyncio.Event().wait()

    desk = Desk(tmp_path, window(allowMultiple=False), opening=opening)
    starting = asyncio.create_task(desk.instances.start("clock"))
    await begun.wait()
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert ([kind for kind, _ in desk.events], desk.instances.all) == (["started", "failed", "ended"], ())
