"""From a configuration to the web application: every part is built and joined here."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.command_line import CommandLine
from rostrum.base.passwords import Passwords
from rostrum.manager.api.cookies import SessionCookies
from rostrum.manager.api.cross_site import SiteGuard
from rostrum.manager.api.fast_lane import FastLane
from rostrum.manager.api.gate import Gate
from rostrum.manager.api.request_counts import Metrics
from rostrum.manager.api.turnstile import Turnstile
from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.bootstrap import ensure_administrators, sign_in_warnings
from rostrum.manager.auth.sessions import LoginSessions
from rostrum.manager.auth.tokens import Tokens
from rostrum.manager.config import ManagerConfig, settings_in_force
from rostrum.manager.config import Origin as ConfigOrigin
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.purge import purge_daily
from rostrum.manager.resources.apps import AppResource
from rostrum.manager.resources.audit import AuditResource
from rostrum.manager.resources.commands import CommandResource
from rostrum.manager.resources.config_checks import ConfigChecks
from rostrum.manager.resources.crashes import CrashResource
from rostrum.manager.resources.effective import EffectiveResource
from rostrum.manager.resources.explanations import ExplanationResource
from rostrum.manager.resources.feedback import FeedbackResource
from rostrum.manager.resources.groups import GroupResource
from rostrum.manager.resources.history import HistoryResource
from rostrum.manager.resources.layouts import LayoutResource
from rostrum.manager.resources.machines import MachineResource
from rostrum.manager.resources.preferences import PreferenceResource
from rostrum.manager.resources.previews import PreviewResource
from rostrum.manager.resources.quotas import Quotas, UsageResource
from rostrum.manager.resources.receipts import ReceiptResource
from rostrum.manager.resources.rollback import RollbackResource
from rostrum.manager.resources.server import ServerResource
from rostrum.manager.resources.sessions import SessionResource
from rostrum.manager.resources.system_configs import SystemConfigResource
from rostrum.manager.resources.transfer import TransferResource
from rostrum.manager.resources.users import UserResource
from rostrum.manager.storage import Origin, Storage, acting, file_place
from rostrum.manager.telemetry import Telemetry, telemetry
from rostrum.manager.web import WebApplication

__all__ = ["Manager", "ManagerApp", "create_app"]

_log = logging.getLogger(__name__)

_MOST_KNOWN = 20_000
"""Callers who are remembered at most: one or two kilobytes each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manager:
    """The parts of a running manager, without HTTP.

    Attributes:
        command: Writes the commands in warnings at start-up; without it another process gives those warnings.

    """

    config: ManagerConfig
    clock: Clock
    storage: Storage
    passwords: Passwords
    tokens: Tokens
    command: CommandLine | None = None

    @classmethod
    def of(
        cls,
        config: ManagerConfig,
        clock: Clock | None = None,
        passwords: Passwords | None = None,
        command: CommandLine | None = None,
    ) -> "Manager":
        """Build the parts that everything else stands on."""
        clock = clock or SystemClock()
        return cls(
            config=config,
            clock=clock,
            storage=Storage(
                config.store,
                clock,
                notify=config.events_notify,
                place=file_place(config.files_folder, config.files_bucket),
            ),
            passwords=passwords or Passwords(),
            tokens=Tokens(config.token_secret, clock),
            command=command,
        )

    def resources(self) -> dict[str, Any]:
        """Build every resource under the name that handlers ask for it by."""
        storage, config, quotas = self.storage, self.config, Quotas.of(self.config)
        return {
            "users": UserResource(storage, self.passwords, config.password_policy),
            "groups": GroupResource(storage),
            "apps": AppResource(storage),
            "layouts": LayoutResource(storage, quotas),
            "preferences": PreferenceResource(storage, quotas),
            "usage": UsageResource(storage, quotas),
            "configs": SystemConfigResource(storage, ConfigChecks(config.config_check)),
            "explanations": ExplanationResource(storage),
            "effective": EffectiveResource(storage),
            "previews": PreviewResource(storage),
            "sessions": SessionResource(storage, quotas, idle_seconds=config.session_idle),
            "receipts": ReceiptResource(storage, idle_seconds=config.session_idle),
            "commands": CommandResource(storage),
            "machines": MachineResource(storage),
            "crashes": CrashResource(storage, quotas),
            "feedback": FeedbackResource(storage, quotas),
            "audit": AuditResource(storage),
            "history": HistoryResource(storage),
            "rollback": RollbackResource(storage),
            "transfer": TransferResource(storage),
            "logins": LoginSessions(storage, self.tokens, client_token_seconds=config.token_expires_in),
            "anonymous": AnonymousUploads(self.clock, allowed=config.crashes_anonymous),
            "storage": storage,
        }

    async def open(self) -> None:
        """Bring the database up to date, and make sure of the administrators."""
        predefined = self.config.predefined_users
        await self.storage.open()
        with acting(Origin(operation="start")):
            done = await ensure_administrators(
                self.storage, self.passwords, predefined=predefined, exclusive=self.config.auth_exclusive_users
            )
        if self.command is not None:
            for warning in await sign_in_warnings(
                self.storage, self.passwords, predefined=predefined, done=done, command=self.command
            ):
                _log.warning("%s", warning)
        for user_id in done.missing:
            _log.warning("auth_exclusive_users names %r, but there is no such user: add it, then restart", user_id)

    async def close(self) -> None:
        """Let go of the database and the threads."""
        await self.storage.close()
        self.passwords.close()


class ManagerApp:
    """The ASGI application, and the span of time in which its parts are open."""

    def __init__(
        self,
        manager: Manager,
        live: LiveUpdates,
        app: WebApplication,
        lane: FastLane,
        *,
        metrics: Metrics,
        tracing: Telemetry,
    ) -> None:
        """Take the parts, the web application and what stands before it."""
        self._manager = manager
        self._live = live
        self._app = app
        config = manager.config
        self._tracing = tracing
        gate = Gate(
            lane,
            metrics,
            quick=lane.quick,
            trusted_proxies=config.trusted_proxies,
            gateway_secret=config.gateway_secret,
            sites=SiteGuard(config.cors.origin if config.cors else ()),
            hsts_seconds=config.hsts_max_age,
            clock=manager.clock,
            slow=config.log_slow / 1000,
            annotate=tracing.annotate,
        )
        self._entry = tracing.around(gate)

    def __call__(self, scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        """Serve a request, or the start and the end of a server that speaks the lifespan protocol."""
        if scope["type"] == "lifespan":
            return self._live_with_server(receive, send)
        answering: Awaitable[None] = self._entry(scope, receive, send)
        return answering

    def running(self) -> AbstractAsyncContextManager[None]:
        """Open the parts, for servers that do not speak the lifespan protocol."""
        return _lifespan(self._manager, self._live, self._tracing)

    async def _live_with_server(self, receive: Any, send: Any) -> None:
        phase = "startup"
        await receive()
        try:
            async with self.running():
                await send({"type": "lifespan.startup.complete"})
                phase = "shutdown"
                await receive()
        except BaseException as error:
            await send({"type": f"lifespan.{phase}.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.shutdown.complete"})

    def stop(self) -> None:
        """End what would not end by itself, so that the server can stop."""
        self._live.close()

    def paths(self) -> frozenset[str]:
        """Return every path that is answered, documented or not."""
        return self._app.paths()

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        return self._app.openapi()


def create_app(
    config: ManagerConfig,
    clock: Clock | None = None,
    passwords: Passwords | None = None,
    origins: Mapping[str, ConfigOrigin] | None = None,
    command: CommandLine | None = None,
) -> ManagerApp:
    """Build the application; ``origins`` tells administrators where each setting came from.

    With ``command``, problems with signing in are logged at start-up, with the commands that solve them.
    """
    manager = Manager.of(config, clock, passwords, command)
    authenticator = Authenticator(
        manager.storage,
        manager.tokens,
        manager.passwords,
        manager.clock,
        most_known=_MOST_KNOWN if config.ready_bytes else 0,
    )
    cookies = SessionCookies(config, manager.tokens)
    live = LiveUpdates(config, manager.storage, manager.clock, authenticator.is_still_let_in)
    tracing = telemetry()
    metrics = Metrics({"event_clients": ("Event streams that are open.", lambda: len(live.hub))})
    server = ServerResource(manager.storage, manager.clock, settings_in_force(config, origins or {}))
    parts = {
        **manager.resources(),
        "config": config,
        "live": live,
        "metrics": metrics,
        "server": server,
        "authenticator": authenticator,
        "session_cookies": cookies,
    }
    app = WebApplication(config, parts)
    turnstile = Turnstile(app, f"/{config.base}".rstrip("/") + "/events")
    lane = FastLane(turnstile, manager.storage.revisions, authenticator, cookies, config)
    return ManagerApp(manager, live, app, lane, metrics=metrics, tracing=tracing)


@asynccontextmanager
async def _lifespan(manager: Manager, live: LiveUpdates, tracing: Telemetry) -> AsyncIterator[None]:
    try:
        await manager.open()
        cleaning = asyncio.create_task(purge_daily(manager.storage, manager.config))
        try:
            async with live.running():
                yield
        finally:
            cleaning.cancel()
            with suppress(asyncio.CancelledError):
                await cleaning
    finally:
        await manager.close()
        await asyncio.to_thread(tracing.close)
