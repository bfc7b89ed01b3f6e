"""The desktop of the demo: its configuration, and its process beside the demo's manager."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from rostrum.base.tls import tls_context_for
from rostrum.cli.output import say

DEMO_USER = "ada.birch"
_STOP_SECONDS = 25.0
_PROBE_SECONDS = 5.0
_ADDRESS = re.compile(r"https?://[^/\"]+")


class DemoDesktop:
    """Runs `rostrum desktop` with the configuration that the demo has written, signed in as the demo user."""

    def __init__(self, folder: Path, password: str, *, headless: bool) -> None:
        self._folder = folder
        self._password = password
        self._headless = headless
        self._process: subprocess.Popen[bytes] | None = None
        self._credentials: Path | None = None
        self._is_stopping = False

    def start(self) -> None:
        """Start the process without waiting; report later if it has ended by itself."""
        self._process = self._begin()
        threading.Thread(target=self._watch, args=(self._process,), name="demo desktop", daemon=True).start()

    def run(self) -> int:
        """Run the process until it ends; return its exit code."""
        process = self._process = self._begin()
        # The desktop must not outlive this process.
        before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        try:
            return self._wait(process)
        finally:
            signal.signal(signal.SIGTERM, before)
            self._forget()

    def stop(self) -> None:
        """End the process before the manager, so that the desktop closes its session there."""
        self._is_stopping = True
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._forget()

    def _begin(self) -> "subprocess.Popen[bytes]":
        # In a file for this user only: other users can read command lines and environments.
        handle, name = tempfile.mkstemp(prefix="credentials-", dir=self._folder)
        self._credentials = Path(name).absolute()
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{DEMO_USER}:{self._password}\n")
        options = ["--headless"] if self._headless else []
        options += ["--config", str((self._folder / "config").absolute()), "--credentials", str(self._credentials)]
        return subprocess.Popen([sys.executable, "-m", "rostrum", "desktop", *options])  # noqa: S603 - our own command

    def _wait(self, process: "subprocess.Popen[bytes]") -> int:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                # The terminal has also sent the signal to the desktop, which shuts down by itself.
                continue

    def _watch(self, process: "subprocess.Popen[bytes]") -> None:
        code = process.wait()
        if not self._is_stopping:
            self._forget()
            say(f"The desktop has ended (exit code {code}). The manager is still running; stop it with Ctrl+C.")

    def _forget(self) -> None:
        if self._credentials is not None:
            self._credentials.unlink(missing_ok=True)


def running_manager(folder: Path, password: str) -> str | None:
    """Return the address of the manager in the desktop's configuration, if it is running and has the demo user."""
    import httpx

    try:
        system = json.loads((folder / "config" / "system.json").read_text("utf-8"))
        address = str(system["server"]["url"])
        answer = httpx.get(
            f"{address}/me",
            auth=(DEMO_USER, password),
            timeout=_PROBE_SECONDS,
            trust_env=False,
            verify=tls_context_for(address),
        )
    except (OSError, ValueError, LookupError, TypeError, httpx.HTTPError, httpx.InvalidURL):
        return None
    return address if answer.status_code == httpx.codes.OK else None


def write_desk(folder: Path, address: str) -> None:
    """Write the configuration with the current address; a configuration that was edited is not changed."""
    file = folder / "config" / "system.json"
    basics = {
        "env": "DEMO",
        "region": "EMEA",
        "appStores": [],
        "server": {"enabled": True, "url": address},
        "crashReporter": {"output": {"type": "server", "serverUrl": f"{address}/crashes"}},
    }
    configured_by_manager = {
        "systemConfigurations": {"sources": [{"type": "rest", "source": f"{address}/systemConfig/get"}]},
        # The demo's settings name an update service that does not exist; automatic updates are disabled.
        "trustedOrigins": ["https://updates.example.com"],
    }
    text = _text({**basics, **configured_by_manager})
    # Earlier versions wrote the second one.
    own = {_ADDRESS.sub("", each) for each in (text, _text(basics))}
    if file.exists() and _ADDRESS.sub("", file.read_text("utf-8")) not in own:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def _text(system: dict[str, Any]) -> str:
    return json.dumps(system, indent=2) + "\n"
