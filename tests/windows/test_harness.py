"""The instruments of the tests of windows see, act and fail as they should; shown with small programs."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.windows import processes
from tests.windows.cdp import Cdp, PageError
from tests.windows.display import Display
from tests.windows.pages import Answer, page, served
from tests.windows.screen import Rectangle, Screen, Window
from tools.chromium import find_chromium

PROGRAM = Path(__file__).parent / "x_program.py"
RED, BLUE = (255, 0, 0), (0, 0, 255)


class Program:
    """A program with one window, and what has happened to the window."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.events: list[dict[str, Any]] = []
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def named(self, name: str) -> list[dict[str, Any]]:
        return [one for one in self.events if one["event"] == name]

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(60)
        self._reader.join(60)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.events.append(json.loads(line))


Open = Callable[..., Program]


@pytest.fixture
def program(display: Display, screen: Screen) -> Iterator[Open]:
    with ExitStack() as opened:
        # Numbers of windows are used again: a window that is still listed would pass for another.
        opened.callback(screen.wait_for, "no window", lambda: not screen.windows())

        def start(title: str, place: Rectangle, color: str, *more: str) -> Program:
            command = [sys.executable, str(PROGRAM), title, ",".join(map(str, place)), color, *more]
            process = subprocess.Popen(command, env=display.environment(), stdout=subprocess.PIPE, text=True)
            found = Program(process)
            opened.callback(found.end)
            return found

        yield start


def test_windows_are_listed_in_stacking_order_with_title_process_place_and_pixels(
    screen: Screen, program: Open
) -> None:
    first = program("first", Rectangle(100, 120, 300, 200), "ff0000")
    low = screen.window("first")
    second = program("second", Rectangle(200, 220, 300, 200), "0000ff")
    high = screen.window("second")

    assert (low.pid, high.pid) == (first.process.pid, second.process.pid)
    # A window is listed before the window manager has put it in its place.
    screen.wait_for("the place of the first", lambda: screen.now(low).bounds == Rectangle(100, 120, 300, 200))
    screen.wait_for("the place of the second", lambda: screen.now(high).bounds == Rectangle(200, 220, 300, 200))
    screen.wait_for("both colours", lambda: screen.pixel(110, 130) == RED and screen.pixel(250, 250) == BLUE)
    assert screen.titles() == ["first", "second"]
    assert screen.values(low, "_NET_FRAME_EXTENTS") == [0, 0, 0, 0]
    assert screen.image(Rectangle(195, 215, 10, 10)).count(BLUE) == 25

    screen.click(110, 130)
    screen.wait_for("the first one on top", lambda: screen.titles() == ["second", "first"])
    screen.wait_for("its focus", lambda: (active := screen.active()) and active.id == low.id)
    screen.wait_for("its colour", lambda: screen.pixel(250, 250) == RED)


def test_windows_are_minimised_maximised_moved_and_closed_from_outside(screen: Screen, program: Open) -> None:
    place = Rectangle(300, 200, 400, 300)
    running = program("one", place, "ff0000")
    window = screen.window("one")

    def is_now(condition: Callable[[Window], bool]) -> bool:
        now = screen.if_open(window)
        return now is not None and condition(now)

    screen.minimize(window)
    screen.wait_for("it is minimised", lambda: is_now(lambda now: now.is_minimized and "HIDDEN" in now.states))
    screen.activate(window)
    screen.wait_for("it is shown again", lambda: is_now(lambda now: not now.is_minimized and now.bounds == place))
    screen.set_maximized(window, on=True)
    whole = Rectangle(0, 0, 1600, 900)
    screen.wait_for("it is maximised", lambda: is_now(lambda now: now.is_maximized and now.bounds == whole))
    screen.set_maximized(window, on=False)
    screen.wait_for("its former place", lambda: is_now(lambda now: not now.is_maximized and now.bounds == place))
    screen.place(window, place.moved(50, 60))
    screen.wait_for("its new place", lambda: is_now(lambda now: now.bounds == place.moved(50, 60)))
    screen.ask_to_close(window)
    screen.wait_for("its end", lambda: screen.find("one") is None)
    assert running.process.wait(60) == 0
    assert screen.if_open(window) is None


def test_the_pointer_drags_in_steps_and_keys_are_typed(screen: Screen, program: Open) -> None:
    running = program("one", Rectangle(300, 200, 400, 300), "ff0000")
    screen.window("one")
    steps: list[int] = []

    screen.drag((310, 210), (610, 410), steps=5, between=lambda: steps.append(len(steps)))
    screen.wait_for("the button is released", lambda: running.named("release"))
    assert steps == [0, 1, 2, 3, 4]
    assert running.named("press") == [{"event": "press", "x": 310, "y": 210}]
    assert running.named("release") == [{"event": "release", "x": 610, "y": 410}]
    assert running.named("motion")
    assert screen.pointer() == (610, 410)

    screen.wait_for("the focus", lambda: (active := screen.active()) and active.title == "one")
    screen.type("Hi 5")
    screen.wait_for("four letters", lambda: "".join(one["key"] or "" for one in running.named("key")) == "Hi 5")


def test_menus_are_seen_although_no_window_manager_lists_them(screen: Screen, program: Open) -> None:
    assert screen.menus() == []
    program("menu", Rectangle(50, 60, 70, 80), "0000ff", "menu")

    screen.wait_for("the menu", lambda: screen.menus() == [Rectangle(50, 60, 70, 80)])
    assert screen.find("menu") is None


def test_the_screen_can_be_divided_into_monitors_and_one_can_be_unplugged(screen: Screen) -> None:
    left, right = Rectangle(0, 0, 800, 900), Rectangle(800, 0, 800, 900)

    screen.set_monitors(("LEFT", left), ("RIGHT", right))
    assert screen.monitors() == {"LEFT": left, "RIGHT": right}
    screen.set_monitors(("LEFT", left))
    assert screen.monitors() == {"LEFT": left}
    screen.set_monitors()
    assert [*screen.monitors().values()] == [Rectangle(0, 0, 1600, 900)]


def test_what_is_not_seen_is_named_with_the_windows_that_are(screen: Screen, program: Open) -> None:
    program("other", Rectangle(10, 20, 300, 200), "ff0000")
    screen.window("other")

    with pytest.raises(AssertionError, match=r"not seen within 0.05 s: a window 'one'.*title='other'"):
        screen.window("one", within=0.05)


FAILING = """
def test_one(screen):
    assert screen.titles() == ["no such window"]
"""


@pytest.mark.long
def test_a_failing_test_leaves_a_picture_of_the_screen_and_says_where(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(FAILING)
    root = Path(__file__).resolve().parents[2]
    # Other plugins than these take longer to load than the test.
    plugins = ("-p", "pytest_asyncio", "-p", "tests.windows.conftest")
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "--rootdir", str(tmp_path), "test_one.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root), **alone},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    picture = tmp_path / "build" / "failed-windows" / "test_one.png"
    assert done.returncode == 1
    assert f"The screen at the failure: {picture}" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "active None" in picture.with_suffix(".txt").read_text()


def test_a_process_that_outlives_its_parent_is_found_and_ended(display: Display) -> None:
    orphan = "import time; time.sleep(600)"
    start = f"subprocess.Popen([sys.executable, '-c', {orphan!r}], stdout=-3, stderr=-3)"
    parent = f"import subprocess, sys; print({start}.pid)"
    left = processes.none_left(within=0)
    left.__enter__()
    done = subprocess.run([sys.executable, "-c", parent], capture_output=True, text=True, check=True, timeout=60)

    with pytest.raises(AssertionError, match=r"processes are left: .*time.sleep\(600\)"):
        left.__exit__(None, None, None)
    os.waitpid(int(done.stdout), 0)
    with processes.none_left():
        subprocess.run([sys.executable, "-c", "pass"], check=True, timeout=60)


def test_processes_that_one_from_before_starts_meanwhile_are_its_own(display: Display) -> None:
    child = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    parent = f"import subprocess, sys; input(); child = {child}; print(child.pid, flush=True); input(); child.kill()"
    with subprocess.Popen(
        [sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        with processes.none_left(within=0):
            print(file=running.stdin, flush=True)
            assert running.stdout is not None
            started = int(running.stdout.readline())
        assert processes.processes()[started].parent == running.pid
        running.communicate("\n", timeout=60)


PAGE = "data:text/html,<title>one</title><body style='background:red'><script>answer = 42</script>"


async def debugging_port(profile: Path) -> int:
    """Wait for the file in which a browser writes its port."""
    file = profile / "DevToolsActivePort"
    while True:
        if file.is_file() and (lines := file.read_text().split()):
            return int(lines[0])
        await asyncio.sleep(0.02)


async def shows_that_a_page_is_examined_when_its_document_is_there(cdp: Cdp) -> None:
    answered = Event()

    def late() -> Answer:
        answered.wait(60)
        return page("late")

    async def path_of_late() -> Any:
        async with cdp.page("/late") as found:
            return await found.evaluate("location.pathname")

    with served({"/late": late}) as pages:
        async with cdp.page("data:text/html") as before:
            going = asyncio.create_task(before.call("Page.navigate", url=f"{pages.address}/late"))
            target = await cdp.find("/late")
            path = asyncio.create_task(path_of_late())
            # The browser names the address already, and has the document before.
            assert target.title == "one"
            answered.set()
            await going
        assert await path == "/late"


async def test_pages_are_examined_from_inside(tmp_path: Path) -> None:
    path = find_chromium()
    assert path is not None
    profile = tmp_path / "profile"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    browser = await asyncio.create_subprocess_exec(
        path,
        *options,
        PAGE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(60):
            cdp = Cdp(await debugging_port(profile))
        async with cdp.page("data:text/html") as inside:
            assert await inside.until("globalThis.answer") == 42
            assert await inside.evaluate("Promise.resolve([document.title])") == ["one"]
            with pytest.raises(PageError, match="no luck"):
                await inside.evaluate("(() => { throw new Error('no luck') })()")
            await inside.evaluate("void setTimeout(() => { later = 'now' }, 50)")
            assert await inside.until("globalThis.later") == "now"
            assert (await inside.screenshot()).startswith(b"\x89PNG")
        with pytest.raises(AssertionError, match=r"no page with 'nowhere' within 0.05 s"):
            await cdp.find("nowhere", within=0.05)
        await shows_that_a_page_is_examined_when_its_document_is_there(cdp)
    finally:
        # The program may be a script that has started the browser.
        os.killpg(browser.pid, signal.SIGKILL)
        await browser.wait()
