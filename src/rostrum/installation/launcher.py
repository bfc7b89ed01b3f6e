"""Starts the current version, and rolls back a new version that does not become ready.

The installer copies this file into the installation folder. Updates do not replace it: the code that decides whether a
new version works must not be a part of that version. It uses the standard library only.

``current.json`` contains the whole state and is replaced atomically. After a switch, the first start of the platform is
a trial: the new version runs as a child process that reports over a pipe. If it ends or hangs before it is ready, the
previous version becomes the current one again, and the new one is recorded as failed.
"""

import importlib
import json
import os
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

FORMAT = 1
"""The format of the installation; versions that need a newer format require their installer."""

CHANNEL_VARIABLE = "ROSTRUM_TRIAL_CHANNEL"
"""Names the pipe of a trial; its lines: ``inconclusive``, ``waiting``, ``starting``, ``ready`` and ``restart``."""

STATE_FILE = "current.json"
_MAX_ATTEMPTS = 2
_READY_SECONDS = 120.0
_END_SECONDS = 25.0
# Isolated: variables and packages of the user or the system have no effect.
_PYTHON = (sys.executable, "-I", "-S")


@dataclass(frozen=True, slots=True)
class State:
    """The contents of current.json.

    Attributes:
        version: The version that starts.
        previous: The version before; a trial that fails returns to it.
        trial: Whether the version has not been ready yet.
        attempts: How often the trial was started.
        suspect: The version that was just rolled back; it is recorded as failed when the previous version is ready.
        failed: The versions that did not become ready, with the reasons.
        newest: The newest version that was ever current; older ones are not accepted from feeds.
    """

    version: str
    previous: str | None = None
    trial: bool = False
    attempts: int = 0
    suspect: str | None = None
    failed: dict[str, str] = field(default_factory=dict)
    newest: str = ""


def read_state(root: Path) -> State:
    """Read current.json; raise OSError or ValueError if that fails."""
    document: Any = json.loads((root / STATE_FILE).read_bytes())
    if not isinstance(document, dict) or not _is_name(document.get("version")):
        raise ValueError(f"{root / STATE_FILE} does not name a version")
    previous, suspect, failed = document.get("previous"), document.get("suspect"), document.get("failed")
    attempts = document.get("attempts")
    return State(
        version=document["version"],
        previous=previous if _is_name(previous) else None,
        trial=document.get("trial") is True,
        attempts=attempts if isinstance(attempts, int) else 0,
        suspect=suspect if _is_name(suspect) else None,
        failed={str(name): str(reason) for name, reason in failed.items()} if isinstance(failed, dict) else {},
        newest=str(document.get("newest") or document["version"]),
    )


def write_state(root: Path, state: State) -> None:
    """Replace current.json atomically."""
    handle, name = tempfile.mkstemp(dir=root, prefix=f".{STATE_FILE}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(asdict(state), indent=1).encode())
            file.flush()
            os.fsync(file.fileno())
        # mkstemp creates files for the owner only; other users of a shared installation must be able to read the state.
        Path(name).chmod(0o644)
        Path(name).replace(root / STATE_FILE)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    folder = os.open(root, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Allow one process at a time to change the installation; the lock ends with the process."""
    import fcntl

    handle = os.open(root / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _is_name(version: object) -> bool:
    return isinstance(version, str) and version not in ("", ".", "..") and not set(version) & set("/\\\0")


def why_replaceable(root: Path) -> str | None:
    """Return why another user of the machine could replace the installation, or None; Windows is not checked."""
    if not hasattr(os, "geteuid"):
        return None
    for folder in (root, *root.resolve().parents):
        mode = folder.stat().st_mode
        # In folders such as /tmp, users can replace only what they own.
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"all users of this machine can write to {folder}, so they could replace the installation"
    return None


def launch(root: Path, arguments: list[str]) -> int:
    """Run a command with the current version; the first start of the platform after a switch is a trial."""
    try:
        state = read_state(root)
    except (OSError, ValueError) as error:
        _say(f"{root / STATE_FILE} cannot be read ({error}). Run the installer again.")
        return 1
    problem = why_replaceable(root)
    if problem is not None:
        _say(f"The installation is not safe: {problem}. Remove this permission, or install into another folder.")
        return 1
    is_trial = (state.trial or state.suspect) and arguments[:1] == ["desktop"]
    if not is_trial or CHANNEL_VARIABLE in os.environ:
        return _run(root, state, arguments)
    if state.trial and state.attempts >= _MAX_ATTEMPTS and state.previous:
        state = _roll_back(root, state, f"it was not ready after {state.attempts} starts")
    state = replace(state, attempts=state.attempts + 1)
    if not _save(root, state):
        # A trial that is not recorded could be repeated endlessly.
        return _run(root, replace(state, version=state.previous or state.version), arguments)
    return _Trial(root, state, arguments).run()


def _run(root: Path, state: State, arguments: list[str]) -> int:
    """Run a version in this process."""
    version = state.version
    if not _folder(root, version).is_dir() and state.previous and _folder(root, state.previous).is_dir():
        _say(f"Version {version} is missing; version {state.previous} starts instead. Run the installer again.")
        version = state.previous
    folder = _folder(root, version)
    try:
        # Held until the process ends, so that a running version is not removed.
        _hold(folder / "build.json")
    except OSError as error:
        _say(f"Version {version} cannot be started ({error}). Run the installer again.")
        return 1
    sys.path.insert(0, str(folder / "lib"))
    sys.argv = [str(root / "bin" / "rostrum"), *arguments]
    # From the selected version.
    importlib.import_module("rostrum.cli.main").main()
    return 0


def _folder(root: Path, version: str) -> Path:
    return root / "versions" / version


_held: list[int] = []


def _hold(file: Path) -> None:
    import fcntl

    handle = os.open(file, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    _held.append(handle)


def _roll_back(root: Path, state: State, reason: str) -> State:
    _say(f"Version {state.version} does not start: {reason}. Rolling back to version {state.previous}.")
    failed = {**state.failed, state.version: reason}
    state = State(str(state.previous), suspect=state.version, failed=failed, newest=state.newest)
    _save(root, state)
    return state


def _save(root: Path, state: State) -> bool:
    try:
        write_state(root, state)
    except OSError as error:
        _say(f"{root / STATE_FILE} cannot be written: {error.strerror}.")
        return False
    return True


class _Trial:
    """One supervised start."""

    def __init__(self, root: Path, state: State, arguments: list[str]) -> None:
        self._root = root
        self._state = state
        self._arguments = arguments
        self._told: set[str] = set()
        self._is_asked_to_stop = False
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        reader, writer = os.pipe()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # Ignored signals stay ignored, as under nohup.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._forward)
        launcher = [*_PYTHON, str(self._root / "launcher.py")]
        self._process = process = subprocess.Popen(  # noqa: S603 - our own launcher
            [*launcher, *self._arguments], env={**os.environ, CHANNEL_VARIABLE: str(writer)}, pass_fds=[writer]
        )
        os.close(writer)
        if self._is_asked_to_stop:
            process.terminate()
        failure = self._follow(process, reader)
        code = process.wait()
        # The exit code that shells use for a process ended by a signal.
        code = 128 - code if code < 0 else code
        if "restart" in self._told:
            self._start_again()
        if "ready" in self._told or (code == 0 and not failure):
            return code
        if self._is_asked_to_stop or "inconclusive" in self._told:
            self._change(attempts=self._state.attempts - 1)
            return code
        self._fail(failure or f"it ended with exit code {code} before it was ready")
        return code

    def _forward(self, number: int, _: object) -> None:
        self._is_asked_to_stop = True
        if self._process is not None:
            self._process.send_signal(number)

    def _follow(self, process: "subprocess.Popen[bytes]", reader: int) -> str:
        """Read the reports until the process ends; return why it was ended here, if it was."""
        seconds = _ready_seconds(self._root)
        left, before, text = seconds, time.monotonic(), b""
        while True:
            is_counted = not self._told & {"ready", "waiting"}
            readable, _, _ = select.select([reader], [], [], max(left, 0) if is_counted else None)
            now = time.monotonic()
            left, before = left - (now - before if is_counted else 0), now
            if not readable:
                return self._end(process, f"it was not ready within {seconds:g} s")
            content = os.read(reader, 4096)
            if not content:
                return self._wait(process, None if "ready" in self._told else left, seconds)
            *lines, text = (text + content).split(b"\n")
            for line in lines:
                self._hear(line.decode(errors="replace"))

    def _wait(self, process: "subprocess.Popen[bytes]", left: float | None, seconds: float) -> str:
        try:
            process.wait(left if left is None else max(left, 0))
        except subprocess.TimeoutExpired:
            return self._end(process, f"it was not ready within {seconds:g} s")
        return ""

    def _end(self, process: "subprocess.Popen[bytes]", reason: str) -> str:
        process.terminate()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
        return reason

    def _hear(self, line: str) -> None:
        if line == "starting":
            self._told.discard("waiting")
        self._told.add(line)
        if line == "ready":
            self._change(trial=False, attempts=0, suspect=None)

    def _change(self, **members: Any) -> None:
        with suppress(OSError, ValueError), locked(self._root):
            state = read_state(self._root)
            # The platform may already have switched to another update, or another desktop may have been ready before.
            if state.version == self._state.version and (state.trial or state.suspect):
                _save(self._root, replace(state, **members))

    def _fail(self, reason: str) -> None:
        try:
            # Another desktop of this installation may have become ready in the meantime.
            state = read_state(self._root)
        except (OSError, ValueError):
            state = self._state
        if state.trial and state.previous:
            _roll_back(self._root, state, reason)
            self._start_again()
        if state.suspect:
            # The previous version does not become ready either, so the new one is not the cause.
            failed = {name: why for name, why in state.failed.items() if name != state.suspect}
            _save(self._root, replace(state, suspect=None, attempts=0, failed=failed))

    def _start_again(self) -> NoReturn:
        sys.stdout.flush()
        os.execv(sys.executable, [*_PYTHON, str(self._root / "launcher.py"), *self._arguments])  # noqa: S606


def _ready_seconds(root: Path) -> float:
    try:
        seconds = json.loads((root / "installation.json").read_bytes())["readySeconds"]
        return float(seconds) if 0 < float(seconds) < 86_400 else _READY_SECONDS
    except (OSError, ValueError, LookupError, TypeError):
        return _READY_SECONDS


def _say(message: str) -> None:
    print(f"rostrum: {message}", file=sys.stderr, flush=True)  # noqa: T201 - a command that has nothing else yet


if __name__ == "__main__":
    sys.exit(launch(Path(__file__).resolve().parent, sys.argv[1:]))
