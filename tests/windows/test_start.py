"""`rostrum desktop` as a program with windows: splash, sandbox, the end of its processes."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from rostrum.desktop.hosts.start import child_environment
from tests.end_to_end.processes import PATIENCE, ROSTRUM, run
from tests.ports import free_port
from tests.windows import processes
from tests.windows.desk import engine_wanted, window_environment, write_desk
from tests.windows.display import Display
from tests.windows.pages import Answer, page, served
from tests.windows.screen import Screen

APPS = {"one": {"url": "/one", "left": 200, "top": 150, "width": 500, "height": 400}}
PAGES = {"/one": page("One", "one")}
NOBODY = 65534


@contextmanager
def desktop(
    root: Path, environment: dict[str, str], *arguments: str, before: tuple[str, ...] = ()
) -> Iterator["subprocess.Popen[str]"]:
    """Run the command; all of its processes are gone at the end."""
    command = [*before, *ROSTRUM, "desktop", "--config", str(root / "config"), *arguments]
    with processes.none_left(), (root / "messages.txt").open("w") as messages:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
            text=True,
        )
        assert process.stdout is not None
        with process.stdout:
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
                process.wait(PATIENCE)


def ready(process: "subprocess.Popen[str]") -> None:
    """Wait until the command says that it is ready."""
    assert process.stdout is not None
    assert any(line.startswith("ready:") for line in process.stdout)


@pytest.mark.long
def test_a_desktop_shows_a_splash_until_it_is_ready_and_takes_all_processes_with_it_when_it_is_killed(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    engine_wanted()
    asked, may_answer = Event(), Event()

    def configuration() -> Answer:
        asked.set()
        may_answer.wait(PATIENCE)
        return 200, {"Content-Type": "application/json"}, b"{}"

    environment = window_environment(display, tmp_path, free_port())
    with served({**PAGES, "/configuration": configuration}) as pages:
        source = {"type": "rest", "source": f"{pages.address}/configuration"}
        settings = {"systemConfigurations": {"sources": [source]}}
        write_desk(tmp_path, APPS, settings, pages.address)
        with desktop(tmp_path, environment) as running:
            splash = screen.window("Rostrum is starting")
            assert asked.wait(PATIENCE)
            assert "gateway: " not in (tmp_path / "messages.txt").read_text()
            assert 0 < splash.bounds.x < 800 < splash.bounds.right < 1600
            may_answer.set()
            ready(running)
            screen.wait_for("no splash", lambda: screen.find("Rostrum is starting") is None)

            started = run("desktop", "start", "one", cwd=tmp_path, **environment)
            assert started.returncode == 0, started.stderr
            screen.window("one")
            assert any("QtWebEngineProcess" in one.command for one in processes.descendants(running.pid).values())
            running.kill()
            running.wait(PATIENCE)
            screen.wait_for("no windows", lambda: not screen.windows())


def ordinary_user(folder: Path) -> tuple[str, ...]:
    """Return what starts a command as an ordinary user, who owns the folder."""
    if os.geteuid() != 0:
        return ()
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    setpriv = shutil.which("setpriv")
    assert setpriv is not None
    # Python and this repository may be in the home folder of root; reading them is all that the user may do beyond.
    may = "+dac_read_search"
    user = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    return (setpriv, *user, f"--inh-caps={may}", f"--ambient-caps={may}", f"--bounding-set=-all,{may}")


def status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


@pytest.mark.long
def test_pages_run_in_the_sandbox_of_an_ordinary_user_and_no_debugging_port_is_open(
    display: Display, screen: Screen
) -> None:
    engine_wanted()
    with tempfile.TemporaryDirectory() as name, served(PAGES) as pages:
        root = Path(name)
        write_desk(root, APPS, {}, pages.address)
        (root / "messages.txt").touch()
        user, port = ordinary_user(root), free_port()
        environment = window_environment(display, root, port)
        del environment["ROSTRUM_WINDOWS_TEST"]
        with desktop(root, environment, before=user) as running:
            ready(running)
            started = subprocess.run(
                [*user, *ROSTRUM, "desktop", "start", "one"],
                cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
            )  # fmt: skip
            assert started.returncode == 0, started.stderr
            screen.window("one")

            def renderers() -> list[int]:
                found = processes.descendants(running.pid).values()
                return [one.pid for one in found if "--type=renderer" in one.command]

            for pid in screen.wait_for("the process of the page", renderers):
                assert status(pid)["Seccomp"] == "2"
                assert status(pid)["NoNewPrivs"] == "1"
            commands = [one.command for one in processes.descendants(running.pid).values()]
            assert not any("--no-sandbox" in command for command in commands)
            with socket.socket() as one, pytest.raises(ConnectionRefusedError):
                one.connect(("127.0.0.1", port))


@pytest.mark.long
def test_root_cannot_show_windows_outside_tests(display: Display, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("the tests do not run as root")
    write_desk(tmp_path, APPS, {}, "http://127.0.0.1:9")
    environment = window_environment(display, tmp_path, free_port())
    del environment["ROSTRUM_WINDOWS_TEST"]

    done = subprocess.run(
        [*ROSTRUM, "desktop", "--config", str(tmp_path / "config")],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip

    assert done.returncode == 2
    assert "Windows cannot be shown as root" in done.stderr


@pytest.mark.long
def test_the_window_process_has_every_operation_of_the_port() -> None:
    engine_wanted()
    code = (
        "from rostrum.desktop.hosts.port import WindowHost; from rostrum.desktop.hosts.wire import operations;"
        "from rostrum.desktop.hosts.qt.host import QtHost;"
        "print(sorted(name for name in operations(WindowHost) if not hasattr(QtHost, name)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=child_environment(os.environ), capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    # The first call comes before there is a host.
    assert done.stdout.strip() == "['prepare']"
