"""The calls of a headless start, ``rostrum desktop --headless``.

python -m tools.measure.start CONFIG    start the platform in this process until it is ready, and print its calls

The platform starts in a process of its own, because much is prepared once in each process. The modules are imported
before the trace. The platform has an empty configuration, and no manager.
"""

import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.measure.figure import Figure
from tools.measure.sources import ROOT
from tools.measure.tracing import tracing

_MODULES = ("rostrum.cli.desktop", "rostrum.desktop.hosts.recording", "rostrum.desktop.platform")
_READY = "ready:"
_PATIENCE = 120


class StartFailed(Exception):
    """The platform did not become ready."""


class _Output(io.StringIO):
    """Standard output of the command, which ends the trace and stops the platform when it is ready."""

    def write(self, text: str) -> int:
        if text.startswith(_READY):
            sys.setprofile(None)
            threading.setprofile(None)
            os.kill(os.getpid(), signal.SIGINT)
        return super().write(text)


def measure() -> Figure:
    """Start the platform."""
    values = start()
    return Figure(
        values,
        [
            f"{values['files']} files in {values['folders']} folders, {values['functions']} functions, "
            f"{values['calls']:,} calls, {values['changes_of_file']:,} changes of file",
            f"in other threads: {values['calls_in_threads']:,} calls",
        ],
    )


def start() -> dict[str, Any]:
    """Start the platform in another process, and return its numbers."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "config")
        config.mkdir()
        # Any free port: a desktop may be running.
        (config / "system.json").write_text('{"gw": {"configuration": {"port": 0}}}', encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "tools.measure.start", str(config)],
            cwd=ROOT,
            env={"HOME": folder, "PATH": os.defpath, "USER": "ada", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    if done.returncode != 0:
        raise StartFailed(f"the platform did not start: {done.stderr.strip()}")
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def main(config: str) -> int:
    """Run the command in this process until it is ready."""
    for module in _MODULES:
        import_module(module)
    command = import_module("rostrum.cli.main")
    results, output = sys.stdout, _Output()
    sys.argv, sys.stdout = ["rostrum", "desktop", "--headless", "--config", config], output
    code: Any = 0
    with tracing() as trace:
        try:
            command.main()
        except SystemExit as end:
            code = end.code
    sys.stdout = results
    if code or not output.getvalue().startswith(_READY):
        return 1
    print(json.dumps(trace.as_json()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
