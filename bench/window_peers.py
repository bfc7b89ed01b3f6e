"""What windows are compared with: a bare view of the same engine, and a window of Chromium."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.window_desk import PATIENCE, PLACE
from rostrum.desktop.hosts.start import child_environment
from tests.windows.screen import Screen
from tools.chromium import find_chromium


@contextmanager
def bare_view() -> Iterator[Callable[[str], str]]:
    """Run the bare view; what is returned sends it a line, and returns its answer."""
    environment = {**child_environment(os.environ), "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox"}
    command = [sys.executable, "-m", "bench.bare_window"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as peer:
        assert peer.stdin is not None
        assert peer.stdout is not None
        stdin, stdout = peer.stdin, peer.stdout
        assert stdout.readline() == "ready\n"

        def send(line: str) -> str:
            stdin.write(f"{line}\n")
            stdin.flush()
            return stdout.readline()

        yield send
        stdin.close()


class Chromium:
    """A running Chromium, steered over its debugging protocol."""

    def __init__(self, socket: ClientConnection, screen: Screen) -> None:
        self._socket = socket
        self._screen = screen
        self._number = 0

    async def open_window(self, page: str) -> float:
        """Open a window and close it again; return the milliseconds until its page was loaded."""
        before = {window.id for window in self._screen.windows()}
        began = time.perf_counter()
        created = await self._ask("Target.createTarget", url=page, newWindow=True, **PLACE)
        target = created["targetId"]
        session = (await self._ask("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        await asyncio.wait_for(self._loaded(session), PATIENCE)
        taken = (time.perf_counter() - began) * 1e3
        # A browser without windows would be no comparison.
        await self._screen.until(
            "a window of Chromium", lambda: any(window.id not in before for window in self._screen.windows())
        )
        await self._ask("Target.closeTarget", targetId=target)
        await self._screen.until(
            "the end of the window", lambda: all(window.id in before for window in self._screen.windows())
        )
        return taken

    async def _loaded(self, session: str) -> None:
        # The load event may come before the connection to the page, and is lost now and then.
        complete = "window.loaded && document.readyState === 'complete'"
        look = f"new Promise((done) => {{ const look = () => {complete} ? done(1) : setTimeout(look, 1); look() }})"
        asked = {"expression": look, "awaitPromise": True}
        while (await self._ask("Runtime.evaluate", session, **asked)).get("result", {}).get("value") != 1:
            # The empty page was replaced by the one that was asked for.
            pass

    async def _ask(self, method: str, session: str | None = None, /, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        await self._socket.send(json.dumps(message))
        async with asyncio.timeout(PATIENCE):
            while (answer := json.loads(await self._socket.recv())).get("id") != self._number:
                pass
        result: dict[str, Any] = answer.get("result", {})
        return result


@asynccontextmanager
async def chromium(screen: Screen) -> AsyncIterator[Chromium]:
    """Run Chromium with a window on the display; it is gone at the end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        switches = ["--no-sandbox", "--no-first-run", "--disable-gpu", f"--user-data-dir={folder}"]
        command = [_program(), *switches, "--remote-debugging-port=0", "about:blank"]
        nothing = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*command, stdout=nothing, stderr=nothing)
        try:
            written = Path(folder) / "DevToolsActivePort"
            await screen.until("Chromium", lambda: written.exists() and len(written.read_text().split()) == 2)
            port, path = written.read_text().split()
            await screen.until("its first window", lambda: bool(screen.windows()))
            async with connect(f"ws://127.0.0.1:{port}{path}", proxy=None, max_size=None) as socket:
                yield Chromium(socket, screen)
        finally:
            process.terminate()
            await process.wait()


def _program() -> str:
    """Return a Chromium with windows: the light form that other tests use has none."""
    found = find_chromium(with_windows=True)
    if found is None:
        raise RuntimeError("Chromium with windows is not installed: python tools/chromium.py --with-windows")
    return found
