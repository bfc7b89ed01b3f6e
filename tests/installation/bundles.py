"""Small bundles: real in format, with as little inside as a test needs."""

import json
import os
import signal
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rostrum.installation.build import BuildInfo, this_target

READY = "report('ready')"
"""The code of a version that becomes ready and ends."""

MAIN = """\
import os, sys, time
def report(text):
    os.write(int(os.environ["ROSTRUM_TRIAL_CHANNEL"]), text.encode() + b"\\n")
def main():
    print("{version}", *sys.argv[1:], flush=True)
    if "ROSTRUM_TRIAL_CHANNEL" in os.environ:
        {code}
"""


def info(version: str, **members: Any) -> bytes:
    return json.dumps(json.loads(BuildInfo(version, this_target()).dump()) | members).encode()


def write_bundle(file: Path, entries: Mapping[str, bytes | str]) -> Path:
    with zipfile.ZipFile(file, "w") as bundle:
        for name, content in entries.items():
            bundle.writestr(name, content)
    return file


def bundle(folder: Path, version: str, code: str = READY, **members: Any) -> Path:
    """A version that prints its name and arguments and, while it is supervised, runs some code."""
    entries: dict[str, bytes | str] = {
        "build.json": info(version, **members),
        "lib/rostrum/__init__.py": "",
        "lib/rostrum/cli/__init__.py": "",
        "lib/rostrum/cli/main.py": MAIN.format(version=version, code=code),
    }
    return write_bundle(folder / f"{version}.pyz", entries)


def start(root: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    """Start the command of an installation."""
    return subprocess.Popen(
        [root / "bin" / "rostrum", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
    )


def run(root: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the command of an installation to its end: exit code, output and messages."""
    with start(root, *arguments) as process:
        try:
            out, messages = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, out, messages
