"""Real processes of the command, as a person starts them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

ROSTRUM = [sys.executable, "-c", "from rostrum.cli.main import main; main()"]
PATIENCE = 60


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without settings of the manager that happen to be there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("API_", "ROSTRUM_"))}
    return {**kept, "NO_COLOR": "1", "COLUMNS": "200", **more}


def run(
    *arguments: str, text: str = "", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*ROSTRUM, *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=cwd,
        env=clean_environment(**environment),
        check=False,
    )


@dataclass
class Running:
    """A server that was started, and what it has printed so far."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    def line_with(self, words: str) -> str:
        """Read on until a line with these words comes."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"ended without {words!r}: {''.join(self.lines)}{''.join(self.messages)}")

    @property
    def address(self) -> str:
        """The address it says it listens on."""
        return self.line_with("listening on").split()[-1]

    def stop(self) -> int:
        """Ask it to stop, and tell how it ended."""
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
    process = subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=clean_environment(**(environment or {})),
        start_new_session=True,
    )
    running = Running(process)
    # Someone has to read the messages, or a full pipe stops the server.
    reader = Thread(target=lambda: running.messages.extend(process.stderr or ()), daemon=True)
    reader.start()
    try:
        yield running
    finally:
        if process.poll() is None:
            # Windows has no process groups to kill.
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait(PATIENCE)
        reader.join(PATIENCE)
        if process.stdout is not None:
            process.stdout.close()
        if process.stderr is not None:
            process.stderr.close()
