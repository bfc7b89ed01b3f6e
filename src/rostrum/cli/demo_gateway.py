"""The central gateway of the demo, a process beside the demo's manager."""

import socket
import subprocess
import sys
import threading
from importlib.util import find_spec

from rostrum.cli.output import warn

_STOP_SECONDS = 10.0


class DemoGateway:
    """Runs `rostrum gateway` for the users of the demo's manager."""

    def __init__(self, manager_port: int, host: str, *, is_wanted: bool = True) -> None:
        """Choose the port: the second after the manager's, or a free one; the host is the one to listen on.

        No gateway runs if another one is configured, or if its packages are missing.
        """
        self._manager_port = manager_port
        self._host = host
        self._port = _free_port(host, manager_port + 2) if is_wanted and find_spec("picows") is not None else 0
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopping = False

    @property
    def address(self) -> str:
        """Return the address for pages in browsers of this machine; empty if no gateway runs."""
        return f"ws://127.0.0.1:{self._port}" if self._port else ""

    def start(self, api: str) -> None:
        """Start the process, for the manager at this address and for its pages."""
        if not self._port:
            return
        options = ["--host", self._host, "--port", str(self._port), "--manager", api, "--no-passwords"]
        options += ["--log-level", "warning", "--until-end-of-input"]
        for host in ("127.0.0.1", "localhost"):
            options += ["--origin", f"http://{host}:{self._manager_port}"]
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "rostrum", "gateway", *options],
            # The process stops when its input ends, also if this process is killed.
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        threading.Thread(target=self._watch, args=(self._process,), name="demo gateway", daemon=True).start()

    def stop(self) -> None:
        """End the process."""
        self._is_stopping = True
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _watch(self, process: "subprocess.Popen[bytes]") -> None:
        code = process.wait()
        if not self._is_stopping:
            warn(f"the gateway has ended (exit code {code}); apps in browsers cannot use FDC3")


def _free_port(host: str, wanted: int) -> int:
    for port in (wanted, 0):
        with socket.socket() as probe:
            try:
                probe.bind((host, port if port <= 65535 else 0))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    return 0
