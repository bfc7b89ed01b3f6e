"""Platform: the whole desktop without windows, from configuration files to a clean end."""

import asyncio
import logging
from contextlib import AsyncExitStack
from secrets import token_urlsafe
from typing import Any

from rostrum import __version__
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.client.connection import Connection
from rostrum.contracts.addresses import PAGE_TYPES
from rostrum.desktop.app_tokens import AppTokens
from rostrum.desktop.callers import Callers
from rostrum.desktop.crash_reports import CrashReports
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Reports
from rostrum.desktop.instances import Instances
from rostrum.desktop.login import Ask
from rostrum.desktop.manager_session import ManagerSession
from rostrum.desktop.phases.configuration import STEPS, Startup
from rostrum.desktop.reload import Reloading
from rostrum.desktop.services.alerts import Alerts
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.notifications import Notifications
from rostrum.desktop.services.search import Search
from rostrum.desktop.services.themes import ThemeService
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.windows import WindowDesk
from rostrum.desktop.sign_in import SignIn
from rostrum.desktop.splash import SplashScreen
from rostrum.desktop.status_file import StatusFile
from rostrum.desktop.steps import State, Steps
from rostrum.desktop.updates.checker import Apply, Updates
from rostrum.desktop.windows.requests import PageRequests, page_requests
from rostrum.gateway import Gateway, LocalPeer
from rostrum.settings.running import stream_of
from rostrum.settings.scope import Mode, Stream
from rostrum.settings.settings import Settings
from rostrum.sources.access import SourceAccess
from rostrum.sources.live import LiveSettings
from rostrum.sources.load import Early, Loaded, Start
from rostrum.sources.rest_source import Answers
from rostrum.stores.apps.memory_store import MemoryAppStore
from rostrum.stores.apps.path_store import PathAppStore
from rostrum.stores.apps.registry import AppRegistry, KnownApp
from rostrum.stores.apps.store import Definition
from rostrum.stores.open import Stores
from rostrum.stores.preferences.store import PreferenceStore

__all__ = ["Platform"]

_log = logging.getLogger(__name__)

_DEADLINE = 20.0


class Platform:
    """Owns everything that runs; the parts are there once ``start`` is through.

    Attributes:
        steps: Where the start is.
        stopping: Set when the platform is asked to stop.
        restart: Whether it is to be started again then.
        host: The windowing system; it reports through ``reports``.
        manager: The connection to the manager, if there is one.
        session: The session there.
        missing_stores: Why optional stores are left out: their configuration is invalid.
        sign_in: Who signed in there, and whether the manager has accepted that in this run.
        failure: Why the platform ends by itself, if it does.
        parts: How to end what was begun.

    """

    early: Early
    loaded: Loaded
    access: SourceAccess
    live: LiveSettings
    gateway: Gateway
    peer: LocalPeer
    stores: Stores
    instances: Instances
    layouts: LayoutService
    notifications: Notifications
    alerts: Alerts
    channels: Channels
    themes: ThemeService
    search: Search
    interceptors: Interceptors
    callers: Callers
    app_tokens: AppTokens
    updates: Updates
    crashes: CrashReports
    windows: WindowDesk
    window_registry: WindowRegistry

    def __init__(
        self,
        start: Start,
        host: WindowHost,
        ask: Ask,
        *,
        ask_source: Ask | None = None,
        clock: Clock | None = None,
        headless: bool = True,
        apply_update: Apply | None = None,
        node: str = "node",
    ) -> None:
        """Take where to start from, the windowing system, how to ask for credentials, and what installed this build.

        ``ask_source`` asks for the credentials of a configuration source other than the manager, named by its origin.
        """
        self.steps = Steps(STEPS)
        self.stopping = asyncio.Event()
        self.restart = False
        self.user = ""
        self.secret = token_urlsafe(32)
        self._start = start
        self.host = host
        self.reports = Reports()
        self.clock = clock or SystemClock()
        self.manager: Connection | None = None
        self.session: ManagerSession | None = None
        self.sign_in: SignIn | None = None
        self.failure: str | None = None
        self.answers: Answers = {}
        self.status_file: StatusFile | None = None
        self.splash: SplashScreen | None = None
        self.missing_stores: tuple[str, ...] = ()
        self._started = False
        self.parts = AsyncExitStack()
        self.reloading = Reloading(self, start)
        self._startup = Startup(
            self, start, ask, ask_source=ask_source, headless=headless, apply_update=apply_update, node=node
        )

    @property
    def settings(self) -> Settings:
        """Return the settings in force."""
        return self.loaded.settings

    @property
    def mode(self) -> Mode:
        """Return the mode in force."""
        return self.early.mode

    @property
    def stream(self) -> Stream:
        """Return the stream of versions that the platform behaves as."""
        return stream_of(self._start.version)

    @property
    def offline_reason(self) -> str | None:
        """Return why the desktop works with local copies only; None while the manager has accepted the account."""
        if self.sign_in is None or self.sign_in.offline_reason is None:
            return None
        accepted = self.sign_in.accepted
        when = "" if accepted is None else f" of {accepted.accepted_at:%Y-%m-%d %H:%M} UTC or later"
        return (
            f"Offline: {self.sign_in.service.shown} cannot be reached ({self.sign_in.offline_reason}). "
            f"Local copies{when} are used until it can be reached again."
        )

    def page_requests(self) -> PageRequests:
        """Return the rules, in force now, for what pages load."""
        live = self.live.value
        rules, problems = page_requests(live.url_filter, live.response_headers)
        for problem in problems:
            _log.warning("%s", problem)
        return rules

    @property
    def takes_commands(self) -> bool:
        """Say whether commands of the manager are executed."""
        return self.settings.commands.enabled and self.settings.server.features.commands

    @property
    def apps(self) -> AppRegistry:
        """Return the apps of every store."""
        return self.stores.apps

    @property
    def preferences(self) -> PreferenceStore:
        """Return the preferences of apps."""
        return self.stores.preferences

    async def start(self) -> None:
        """Go through the steps; what fails stops the platform, with everything that was begun ended again."""
        self.steps.changed.connect(lambda _: self._tell())
        try:
            await self._startup.run()
        except BaseException:
            # Nobody has asked for this end: whoever waits for that must hear of the failure instead.
            await self._end(_DEADLINE)
            raise
        await self.host.hide_splash()
        self._started = True
        self._tell()
        self._go_on_telling()

    async def leave(self, *, restart: bool = False) -> bool:
        """Ask for the end as a person does: apps may hold it up, and changes may be worth saving."""
        if not (await self.windows.may_shut_down() and await self.layouts.settle()):
            return False
        self.ask_to_stop(restart=restart)
        return True

    def ask_to_stop(self, *, restart: bool = False) -> None:
        """Ask for the end without asking anybody; whoever runs the platform then calls ``stop``."""
        self.restart = restart
        self.stopping.set()

    def fail(self, reason: str) -> None:
        """Ask for the end because the platform must not go on."""
        _log.error("%s", reason)
        self.failure = reason
        self.ask_to_stop()

    async def stop(self, deadline: float = _DEADLINE) -> None:
        """End everything, the last begun first, within a number of seconds."""
        self.stopping.set()
        await self._end(deadline)

    async def _end(self, deadline: float) -> None:
        try:
            async with asyncio.timeout(deadline):
                if self._started and self.splash is not None:
                    self._started = False
                    await self.splash.show_at_end()
                await self.parts.aclose()
        except TimeoutError:
            _log.error("the platform did not end cleanly within %g s", deadline)
        if self.status_file is not None:
            self.status_file.remove()

    async def refresh(self) -> None:
        """Look again at everything that comes from elsewhere."""
        for store in self.apps.stores:
            try:
                await store.refresh()
            except RostrumError as error:
                _log.warning("%s: %s", store.name, error)
        await self.reloading.reload()

    async def send_feedback(self, description: str) -> str:
        """Send feedback to the manager."""
        if self.manager is None:
            raise DesktopError("feedback needs a manager (server.enabled)")
        return await self.manager.client.send_feedback(description)

    def memory_store(self) -> MemoryAppStore:
        """Return the store that apps may fill; raise DesktopError when there is none."""
        for store in self.apps.stores:
            if isinstance(store, MemoryAppStore):
                return store
        raise DesktopError("there is no in-memory app store; add one to appStores")

    def status(self) -> dict[str, Any]:
        """Tell where the platform is."""
        ready = all(step.state in (State.DONE, State.SKIPPED, State.DEGRADED) for step in self.steps.all)
        told: dict[str, Any] = {
            "version": self._start.version,
            "productVersion": __version__,
            "ready": ready,
            "steps": [{"name": one.name, "state": str(one.state), "note": one.note} for one in self.steps.all],
        }
        if not ready:
            return told
        return told | {
            "build": None if self.settings.build is None else str(self.settings.build),
            "uiVersion": self.settings.ui_version,
            "mode": str(self.mode),
            "user": self.user,
            "environment": self.early.pair.name,
            "logs": str(self.early.folders.user_data / "logs"),
            "gateway": self.gateway.address,
            "manager": None if self.manager is None else self.manager.client.service.shown,
            "offline": self.offline_reason is not None,
            "connected": bool(self.manager and self.manager.changes.connected),
            "session": self.session.id if self.session else None,
            "sources": self.reloading.sources(),
            "apps": len(self.apps.apps),
            "updates": self.updates.summary,
            "instances": [{"app": one.app, "title": one.title, "id": one.id} for one in self.instances.all],
            "problems": [
                *self.missing_stores,
                *([self.offline_reason] if self.offline_reason else []),
                *self.reloading.problems(),
                *map(str, self.stores.system_apps.problems()),
                *map(str, self.apps.problems()),
                *self.stores.layouts.problems,
                *self.preferences.problems,
                *self.stores.away(),
            ],
        }

    def known(self, name: str) -> KnownApp | None:
        """Return an app of any store."""
        return self.stores.system_apps.apps.get(name) or self.apps.apps.get(name)

    def definition(self, name: str) -> Definition | None:
        """Return what an app is defined as."""
        known = self.known(name)
        return known.definition if known else None

    def definitions(self) -> dict[str, Definition]:
        """Return every app that a person may start."""
        return {name: known.definition for name, known in self.apps.apps.items()}

    def startable(self) -> dict[str, Definition]:
        """Return every app that a layout may start, those of the platform itself included."""
        system = {name: known.definition for name, known in self.stores.system_apps.apps.items()}
        return self.definitions() | system

    def is_system_app(self, name: str) -> bool:
        """Say whether an app comes from systemAppStores, so that the platform depends on it."""
        return name in self.stores.system_apps.apps

    def is_trusted(self, name: str) -> bool:
        """Say whether an app comes from a trusted store."""
        known = self.known(name)
        return known is not None and known.store.trusted

    def opens_files(self, name: str) -> bool:
        """Say whether the page of an app may be a file: only where whoever set up this machine chose the app."""
        known = self.known(name)
        return known is not None and (known.store.trusted or isinstance(known.store, PathAppStore))

    def may_define_programs(self, name: str, instance: str | None) -> bool:
        """Say whether an app may define programs.

        A program may, because it could start others anyway. A page that a server names must not become one.
        """
        running = self.instances.get(instance) if instance else None
        return (running is not None and running.type.lower() not in PAGE_TYPES) or self.opens_files(name)

    def token(self, instance: str) -> str:
        """Make a token with which a running instance, such as the page of a window, signs in to the gateway."""
        running = self.instances.get(instance)
        if running is None:
            raise DesktopError(f"there is no instance {instance!r}")
        return self.app_tokens.token(instance, running.app, running.type)

    def show_connectivity(self) -> None:
        """Show in the status and the tray whether the desktop is offline."""
        self._tell()
        if hasattr(self, "windows"):
            self.windows.refresh_tray()

    def _go_on_telling(self) -> None:
        signals: list[Signal[Any]] = [
            self.apps.refreshed,
            self.stores.system_apps.refreshed,
            self.instances.started,
            self.instances.ended,
            self.instances.retitled,
            self.stores.layouts.turned,
            self.preferences.turned,
            self.updates.changed,
            self.reloading.changed,
        ]
        if self.manager is not None:
            signals += [self.manager.changes.back, self.manager.changes.lost]
        for signal in signals:
            signal.connect(lambda _: self._tell())

    def _tell(self) -> None:
        if self.status_file is not None:
            self.status_file.write(self.status())
