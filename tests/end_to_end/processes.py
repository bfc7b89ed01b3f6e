"""Real processes of the command, as a person starts them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import IO

from tests.prepared_processes import CAN_FORK, START_CODE, Process, start

ROSTRUM = [sys.executable, "-c", START_CODE]
PATIENCE = 60


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without settings of the manager that happen to be there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("API_", "ROSTRUM_"))}
    return {**kept, "NO_COLOR": "1", "COLUMNS": "200", **more}


def run(
    *arguments: str, text: str = "", cwd: str | Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    with TemporaryFile("w+") as given, TemporaryFile("w+") as output, TemporaryFile("w+") as messages:
        given.write(text)
        given.seek(0)
        process = _started(ROSTRUM, arguments, environment, cwd, (given, output, messages))
        try:
            code = process.wait(PATIENCE)
        except BaseException:
            process.kill()
            raise
        output.seek(0)
        messages.seek(0)
        return subprocess.CompletedProcess([*ROSTRUM, *arguments], code, output.read(), messages.read())


def _started(
    command: Sequence[str],
    arguments: Sequence[str],
    environment: Mapping[str, str],
    cwd: str | Path | None,
    streams: tuple[IO[str], IO[str], IO[str]],
) -> Process:
    """Start a command in a session of its own; the streams are its input, its output and its messages."""
    stdin, stdout, stderr = streams
    # Python reads its own variables at its start; the prepared process has those of this one.
    changes_python = any(
        name.startswith("PYTHON") and os.environ.get(name) != environment[name] for name in environment
    )
    if CAN_FORK and command is ROSTRUM and not changes_python:
        return start(
            arguments, clean_environment(**environment), cwd, (stdin.fileno(), stdout.fileno(), stderr.fileno())
        )
    return subprocess.Popen(
        [*command, *arguments],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=cwd,
        env=clean_environment(**environment),
        start_new_session=True,
    )


@dataclass
class Running:
    """A server that was started, and what it has printed so far."""

    process: Process
    output: IO[str]
    lines: list[str] = field(default_factory=list)

    def line_with(self, words: str) -> str:
        """Read on until a line with these words comes."""
        for line in self.output:
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"ended without {words!r}: {''.join(self.lines)}{''.join(self.messages)}")

    @property
    def address(self) -> str:
        """The address it says it listens on."""
        return self.line_with("listening on").split()[2].rstrip(",")

    def stop(self) -> int:
        """Ask it to stop, and show how it ended."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    messages: list[str] = field(default_factory=list)


@contextmanager
def serving(
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    command: Sequence[str] = ROSTRUM,
) -> Iterator[Running]:
    """Start a server; it is gone at the end, whatever happens."""
    (output, to_output), (messages, to_messages) = _pipe(), _pipe()
    with Path(os.devnull).open() as nothing, to_output, to_messages:
        process = _started(command, arguments, environment or {}, cwd, (nothing, to_output, to_messages))
    running = Running(process, output)
    # Someone has to read the messages, or a full pipe stops the server.
    reader = Thread(target=lambda: running.messages.extend(messages), daemon=True)
    reader.start()
    try:
        yield running
    finally:
        if process.poll() is None:
            # Windows has no process groups to kill.
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait(PATIENCE)
        reader.join(PATIENCE)
        output.close()
        messages.close()


def _pipe() -> tuple[IO[str], IO[str]]:
    """Open a pipe; what is written to the second stream can be read from the first."""
    read, write = os.pipe()
    return os.fdopen(read), os.fdopen(write, "w")
