"""Runs the web application: in this process, or in several."""

import asyncio
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server as EmbeddedServer

from rostrum.base.command_line import CommandLine
from rostrum.base.errors import RostrumError
from rostrum.base.log import set_up_logging
from rostrum.base.memory import freeze_loaded_objects, load_without_collecting
from rostrum.base.offload import take_short_turns
from rostrum.base.process import StopSignals, allow_many_files
from rostrum.manager.app import ManagerApp, create_app
from rostrum.manager.config import ManagerConfig, OptionOrigin
from rostrum.manager.config.values import is_unspecified, origin_of, reachable_host
from rostrum.manager.manager import Manager

_log = logging.getLogger(__name__)

Origins = Mapping[str, OptionOrigin]

_STOP_SECONDS = 10
_START_KNOCKS = 1000
_BACKLOG = 4096
_MOST_CONNECTIONS = 65_536


class CannotListen(RostrumError):
    """The address is in use, or does not belong to this machine."""


def base_url(config: ManagerConfig) -> str:
    """Return the address for clients on this machine."""
    return f"{origin(config)}/{config.base}".rstrip("/")


def origin(config: ManagerConfig) -> str:
    """Return scheme, host and port for clients on this machine."""
    return origin_of(config.host, config.port, has_tls=config.tls_cert is not None)


def announcement(config: ManagerConfig, address: str) -> str:
    """Return the line that commands print when the server listens."""
    others = ", and on the other addresses of this machine" if is_unspecified(config.host) else ""
    return f"listening on {address}{others}"


class RunningManager:
    """A manager that runs in a thread of this process."""

    def __init__(
        self, config: ManagerConfig, origins: Origins | None = None, command: CommandLine | None = None
    ) -> None:
        """Start the manager, and return when it listens; ``origins`` has the origin of each setting."""
        self._command = command or CommandLine()
        if config.workers > 1:
            serving = self._command("manager", "serve")
            raise RostrumError(f"A single process cannot run several workers. Use `{serving}`.")
        self.config = with_free_port(config)
        self._origins = origins
        self.base_url = base_url(self.config)
        self._ready = threading.Event()
        self._ended = threading.Event()
        self._failure: BaseException | None = None
        self.app: ManagerApp | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="rostrum-manager", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the manager has ended; return whether it has."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Stop the manager: open requests are completed, then everything is closed."""
        if self.loop is not None and self._stopping is not None and not self._ended.is_set():
            self.loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(_STOP_SECONDS * 2)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                runner.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that started us
            self._failure = error
        finally:
            self._ended.set()
            self._ready.set()

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        app = self.app = create_app(self.config, origins=self._origins, command=self._command)
        async with app.running():
            server = EmbeddedServer(app, interface=Interfaces.ASGINL, **_options(self.config))
            serving = asyncio.create_task(server.serve())
            await asyncio.to_thread(_until_listening, self.config, serving.done)
            self._ready.set()
            stopping = asyncio.create_task(self._stopping.wait())
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            app.stop()
            server.stop()  # type: ignore[no-untyped-call]
            await asyncio.wait_for(serving, _STOP_SECONDS)


def _until_listening(config: ManagerConfig, has_ended: Callable[[], bool] = lambda: False) -> None:
    """Connect until the server accepts: it does not report when it is ready."""
    for _ in range(_START_KNOCKS):
        if has_ended():
            break
        try:
            socket.create_connection((reachable_host(config.host), config.port), timeout=1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise CannotListen(f"the server is not listening on {config.host}:{config.port} after the start")


def serve(
    config: ManagerConfig,
    on_ready: Callable[[str], None],
    origins: Origins | None = None,
    on_stop: Callable[[], None] = lambda: None,
    command: CommandLine | None = None,
) -> None:
    """Serve until the process is asked to stop.

    ``on_stop`` ends what ``on_ready`` has started next to the server; ``command`` writes the commands in warnings.
    """
    command = command or CommandLine()
    try:
        if config.workers == 1:
            _serve_one(config, on_ready, origins, on_stop, command)
        else:
            _serve_many(config, on_ready, origins, command)
    finally:
        on_stop()


def _serve_many(
    config: ManagerConfig, on_ready: Callable[[str], None], origins: Origins | None, command: CommandLine
) -> None:
    config = with_free_port(config)
    # Once, before the workers start, so that all of them find a migrated database.
    asyncio.run(_prepare(config, command))
    server = Granian(
        "rostrum", interface=Interfaces.ASGI, workers=config.workers, respawn_failed_workers=True, **_options(config)
    )
    server.on_startup(threading.Thread(target=_announce, args=(config, on_ready), daemon=True).start)
    server.serve(target_loader=partial(_load, config, origins), wrap_loader=False)


def _serve_one(
    config: ManagerConfig,
    on_ready: Callable[[str], None],
    origins: Origins | None,
    on_stop: Callable[[], None],
    command: CommandLine,
) -> None:
    signals = StopSignals()
    allow_many_files()
    take_short_turns()
    load_without_collecting()
    with RunningManager(config, origins, command) as running:
        freeze_loaded_objects()
        on_ready(running.base_url)
        while not signals.wait(0.5):
            if running.wait(0):
                raise RostrumError("the server has ended unexpectedly; the log contains the reason")
        # While the server still responds, so that its clients in this process can sign out.
        on_stop()


def _announce(config: ManagerConfig, on_ready: Callable[[str], None]) -> None:
    _until_listening(config)
    on_ready(base_url(config))


def with_free_port(config: ManagerConfig) -> ManagerConfig:
    """Check that the address is available; port 0 is replaced by a free port."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((config.host, config.port))
        except OSError as error:
            raise CannotListen(f"cannot listen on {config.host}:{config.port}: {error.strerror}") from None
        return config.model_copy(update={"port": probe.getsockname()[1]})


async def _prepare(config: ManagerConfig, command: CommandLine) -> None:
    manager = Manager.of(config, command=command)
    try:
        await manager.open()
    finally:
        await manager.close()


def _load(config: ManagerConfig, origins: Origins | None) -> "_Worker":
    set_up_logging(config.log_level, config.log_format)
    allow_many_files()
    take_short_turns()
    app = create_app(config, origins=origins)
    freeze_loaded_objects()
    return _Worker(app)


class _Worker:
    """The application in one of several processes: on shutdown, it ends tasks that the server would wait for."""

    def __init__(self, app: ManagerApp) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._stop)
        await self._app(scope, receive, send)

    def _stop(self) -> None:
        self._app.stop()
        # This handler replaces the server's own handler of SIGTERM; the server also stops after SIGINT.
        os.kill(os.getpid(), signal.SIGINT)


def _options(config: ManagerConfig) -> dict[str, Any]:
    return {
        "address": config.host,
        "port": config.port,
        "http": HTTPModes.http1,
        "websockets": False,
        # Event streams stay open, so the limit of concurrent requests must be higher than their number.
        "backlog": _BACKLOG,
        "backpressure": _MOST_CONNECTIONS,
        "log_enabled": False,
        "ssl_cert": config.tls_cert,
        "ssl_key": config.tls_key,
    }


def new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
