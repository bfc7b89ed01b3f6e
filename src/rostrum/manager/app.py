"""Creates the web application from a configuration: all parts are created and connected here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

from rostrum.base.clock import Clock
from rostrum.base.command_line import CommandLine
from rostrum.base.passwords import Passwords
from rostrum.base.tasks import end_tasks
from rostrum.manager.apps.shared import SharedApps
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.confirmation import Confirmations
from rostrum.manager.auth.security_log import RefusedRights
from rostrum.manager.batches.service import BatchService
from rostrum.manager.command_runs.service import CommandRunService
from rostrum.manager.config import ManagerConfig, settings_in_force
from rostrum.manager.config import OptionOrigin as ConfigOrigin
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.http.asgi import Receive, Scope, Send
from rostrum.manager.http.cookies import SessionCookies
from rostrum.manager.http.edge import Edge
from rostrum.manager.http.metrics import Metrics
from rostrum.manager.http.response_cache import ResponseCache
from rostrum.manager.manager import Manager
from rostrum.manager.purge import purge_daily
from rostrum.manager.rollouts.service import RolloutService
from rostrum.manager.sign_in.callers import is_still_let_in, record_confirmation
from rostrum.manager.sign_in.methods import sign_in_methods
from rostrum.manager.status.service import ServerService
from rostrum.manager.telemetry import Telemetry, telemetry
from rostrum.manager.web import WebApplication, cached_reads

_MOST_KNOWN = 20_000
"""The maximum number of cached callers; each needs one or two kilobytes."""

_SHARE_FOR_APPS = 4
"""The fraction of the response cache that texts shared by several responses may use."""


class ManagerApp:
    """The ASGI application, which opens and closes the parts of the manager."""

    def __init__(
        self,
        manager: Manager,
        live: LiveUpdates,
        app: WebApplication,
        response_cache: ResponseCache,
        *,
        metrics: Metrics,
        tracing: Telemetry,
        batches: BatchService,
        command_runs: CommandRunService,
        rollouts: RolloutService,
    ) -> None:
        self._manager = manager
        self._live = live
        self._app = app
        config = manager.config
        self._tracing = tracing
        self._batches = batches
        self._command_runs = command_runs
        self._rollouts = rollouts
        edge = Edge(
            response_cache,
            metrics,
            base=config.base,
            quick=response_cache.quick,
            trusted_proxies=config.trusted_proxies,
            gateway_secret=config.gateway_secret,
            cors=config.cors,
            hsts_seconds=config.hsts_max_age,
            clock=manager.clock,
            slow=config.log_slow / 1000,
            annotate=tracing.annotate,
        )
        self._entry = tracing.around(edge)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve a request, or the start and end events of a server with the lifespan protocol."""
        if scope["type"] == "lifespan":
            return self._serve_lifespan(receive, send)
        answering: Awaitable[None] = self._entry(scope, receive, send)
        return answering

    def running(self) -> AbstractAsyncContextManager[None]:
        """Open the parts, for servers without the lifespan protocol."""
        return _lifespan(
            self._manager, self._live, self._batches, self._command_runs, self._rollouts, tracing=self._tracing
        )

    async def _serve_lifespan(self, receive: Receive, send: Send) -> None:
        """Open the parts when the server starts, and close them when it stops; report when either fails."""
        phase = "startup"
        await receive()
        try:
            async with self.running():
                await send({"type": "lifespan.startup.complete"})
                phase = "shutdown"
                await receive()
        except Exception as error:
            await send({"type": f"lifespan.{phase}.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.shutdown.complete"})

    def stop(self) -> None:
        """End tasks that do not end by themselves, so that the server can stop."""
        self._live.close()

    def paths(self) -> frozenset[str]:
        """Return all paths that have a handler, documented or not."""
        return self._app.paths()

    def openapi(self) -> dict[str, Any]:
        return self._app.openapi()


def create_app(
    config: ManagerConfig,
    clock: Clock | None = None,
    passwords: Passwords | None = None,
    origins: Mapping[str, ConfigOrigin] | None = None,
    command: CommandLine | None = None,
) -> ManagerApp:
    """Build the application; ``origins`` has the origin of each setting, for administrators.

    With ``command``, problems with signing in are logged at start-up, with the commands that solve them.
    """
    manager = Manager.of(config, clock, passwords, command)
    authenticator = Authenticator(
        manager.storage.revisions,
        sign_in_methods(manager.storage, manager.tokens, manager.passwords, manager.clock),
        most_known=_MOST_KNOWN if config.ready_bytes else 0,
    )
    cookies = SessionCookies(config, manager.tokens)
    live = LiveUpdates(config, manager.storage, manager.clock, partial(is_still_let_in, manager.storage))
    tracing = telemetry()
    metrics = Metrics({"event_clients": ("Event streams that are open.", lambda: len(live.hub))})
    server = ServerService(manager.storage, manager.clock, partial(settings_in_force, config, origins or {}))
    resources = manager.resources()
    parts = {
        **resources,
        "config": config,
        "live": live,
        "metrics": metrics,
        "server": server,
        "authenticator": authenticator,
        "confirmations": Confirmations(partial(record_confirmation, manager.storage), manager.tokens, authenticator),
        "session_cookies": cookies,
        "refused_rights": RefusedRights(manager.clock),
        "shared_apps": SharedApps(
            resources["apps"], manager.storage.revisions, most_bytes=config.ready_bytes // _SHARE_FOR_APPS
        ),
    }
    app = WebApplication(config, parts)
    response_cache = ResponseCache(
        app,
        manager.storage.revisions,
        authenticator,
        cookies,
        config,
        reads=cached_reads(),
        contacts=resources["contacts"],
    )
    return ManagerApp(
        manager,
        live,
        app,
        response_cache,
        metrics=metrics,
        tracing=tracing,
        batches=resources["batches"],
        command_runs=resources["command_runs"],
        rollouts=resources["rollouts"],
    )


@asynccontextmanager
async def _lifespan(
    manager: Manager,
    live: LiveUpdates,
    batches: BatchService,
    command_runs: CommandRunService,
    rollouts: RolloutService,
    *,
    tracing: Telemetry,
) -> AsyncIterator[None]:
    try:
        await manager.open()
        cleaning = asyncio.create_task(purge_daily(manager.storage, manager.config))
        try:
            async with live.running(), batches.running(), command_runs.running(), rollouts.running():
                yield
        finally:
            await end_tasks([cleaning])
    finally:
        await manager.close()
        await asyncio.to_thread(tracing.close)
