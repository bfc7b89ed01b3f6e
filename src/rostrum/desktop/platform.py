"""Runs the phases of the start, holds their results, and ends them in reverse order."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from rostrum import __version__
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.crash_reports import CrashReports
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import HostLost, HostRestored, Reports
from rostrum.desktop.login import Ask
from rostrum.desktop.phases.apps import restore_default, show_launcher, start_apps
from rostrum.desktop.phases.configuration import (
    LocalConfiguration,
    RemoteConfiguration,
    RunControl,
    fetch_remote,
    read_local,
    show_splash,
    take_control,
)
from rostrum.desktop.phases.gateway import RunningGateway, start_gateway
from rostrum.desktop.phases.manager import ManagerLink, open_session
from rostrum.desktop.phases.running_services import Earlier, Services
from rostrum.desktop.phases.services import open_services
from rostrum.desktop.phases.sign_in import SignedIn, SignInPrompt, needs_sign_in, sign_in_first, sign_in_user
from rostrum.desktop.phases.stores import OpenedStores, open_stores
from rostrum.desktop.phases.updates import check_updates
from rostrum.desktop.shutdown import Shutdown
from rostrum.desktop.splash import SplashScreen
from rostrum.desktop.steps import Steps
from rostrum.desktop.updates.checker import Apply, Updates
from rostrum.gateway import Gateway
from rostrum.settings.settings import Settings
from rostrum.sources.load import Start
from rostrum.stores.open import Stores

_log = logging.getLogger(__name__)

_DEADLINE = 20.0
STEPS = (
    "local configuration",
    "run control",
    "splash",
    "remote configuration",
    "sign-in",
    "gateway",
    "manager session",
    "stores",
    "services",
    "apps",
    "default layout",
    "updates",
)
Result = TypeVar("Result")


class Platform:
    """The desktop from configuration files to a clean end.

    Attributes:
        steps: The steps of the start, with their states.
        host: The windowing system; it reports through ``reports``.
        shutdown: The requested end.

    """

    def __init__(
        self,
        start: Start,
        host: WindowHost,
        ask: Ask,
        *,
        ask_source: Ask | None = None,
        ask_on_page: Callable[[Ask], Ask] | None = None,
        clock: Clock | None = None,
        headless: bool = True,
        apply_update: Apply | None = None,
        node: str = "node",
    ) -> None:
        """Prepare a platform; nothing starts yet.

        ``ask_source`` prompts for the credentials of a configuration source other than the manager, named by its
        origin. ``ask_on_page`` lets the user sign in on the page of ssoAuth, in a window; it gets the function that
        shows the page, and returns the prompt.
        """
        self.steps = Steps(STEPS)
        self.host = host
        self.reports = Reports()
        self.shutdown = Shutdown()
        self._start = start
        self._ask = ask
        self._ask_source = ask_source
        self._ask_on_page = ask_on_page
        self._clock = clock or SystemClock()
        self._headless = headless
        self._apply_update = apply_update
        self._node = node
        self._parts = AsyncExitStack()
        self._is_started = False
        self._host_problem: str | None = None
        self._is_host_restarting = False
        self.reports.listen(HostLost, self._host_lost)
        self.reports.listen(HostRestored, self._host_restored)
        self._local: LocalConfiguration | None = None
        self._control: RunControl | None = None
        self._splash: SplashScreen | None = None
        self._configuration: RemoteConfiguration | None = None
        self._signed_in: SignedIn | None = None
        self._gateway: RunningGateway | None = None
        self._manager: ManagerLink | None = None
        self._stores: OpenedStores | None = None
        self._services: Services | None = None
        self._updates: Updates | None = None

    @property
    def local(self) -> LocalConfiguration:
        """Return the configuration of local files."""
        return _made(self._local)

    @property
    def crashes(self) -> CrashReports:
        """Return the crash reports."""
        return _made(self._control).crashes

    @property
    def configuration(self) -> RemoteConfiguration:
        """Return the configuration of all sources."""
        return _made(self._configuration)

    @property
    def settings(self) -> Settings:
        """Return the effective settings."""
        return self.configuration.settings

    @property
    def user(self) -> str:
        """Return the user of this desktop."""
        return _made(self._signed_in).user

    @property
    def offline_reason(self) -> str | None:
        """Return why the desktop works with local copies only; None while the manager has accepted the account."""
        return None if self._signed_in is None else self._signed_in.offline_reason

    @property
    def running_gateway(self) -> RunningGateway:
        """Return the gateway, and the platform's objects on it."""
        return _made(self._gateway)

    @property
    def gateway(self) -> Gateway:
        """Return the gateway."""
        return self.running_gateway.gateway

    @property
    def manager(self) -> ManagerLink:
        """Return the link to the manager."""
        return _made(self._manager)

    @property
    def stores(self) -> Stores:
        """Return the stores."""
        return _made(self._stores).stores

    @property
    def services(self) -> Services:
        """Return the running services."""
        return _made(self._services)

    async def start(self) -> None:
        """Run the phases; a failure stops the platform and ends all started phases."""
        self.steps.changed.connect(lambda _: self._write_status())
        try:
            await self._run_phases()
            await _made(self._splash).hide()
        except BaseException:
            # The end was not requested: callers that wait for the start must get the failure instead.
            await self._end(_DEADLINE)
            raise
        self._is_started = True
        self._write_status()
        self._follow_changes()

    async def stop(self, deadline: float = _DEADLINE) -> None:
        """End all phases in reverse order, within a time limit."""
        self.shutdown.requested.set()
        await self._end(deadline)

    async def _run_phases(self) -> None:
        run, host, clock, parts = self.steps.run, self.host, self._clock, self._parts
        background = BackgroundTasks("the windowing system refused")
        local = self._local = await run("local configuration", read_local, self._start, headless=self._headless)
        control = self._control = await run("run control", take_control, local, clock, parts)
        splash = self._splash = await run(
            "splash", show_splash, local, host, self.reports, background=background, parts=parts
        )
        prompt = SignInPrompt(
            early=local.early,
            ask=self._ask,
            page=self._ask_on_page,
            host=host,
            reports=self.reports,
            splash=splash,
            clock=clock,
            parts=parts,
        )
        if local.early.is_configured_by_manager:
            # The manager provides configuration to signed-in users only.
            self._signed_in = await run("sign-in", sign_in_first, prompt)
        configuration = self._configuration = await run(
            "remote configuration",
            fetch_remote,
            local,
            control,
            self._signed_in,
            host=host,
            background=background,
            ask_source=self._ask_source,
            clock=clock,
        )
        if needs_sign_in(self._signed_in, configuration.settings):
            self._signed_in = await run("sign-in", sign_in_user, prompt, configuration.settings, self._signed_in)
        signed_in = _made(self._signed_in)
        gateway = self._gateway = await run("gateway", start_gateway, configuration, signed_in.user, clock, parts)
        manager = self._manager = await run(
            "manager session",
            open_session,
            local,
            configuration,
            signed_in,
            crashes=control.crashes,
            shutdown=self.shutdown,
            clock=clock,
            parts=parts,
        )
        opened = self._stores = await run("stores", open_stores, configuration, signed_in, manager, parts)
        services = self._services = await run(
            "services",
            open_services,
            Earlier(
                local=local,
                configuration=configuration,
                signed_in=signed_in,
                gateway=gateway,
                manager=manager,
                stores=opened.stores,
                crashes=control.crashes,
                host=host,
                reports=self.reports,
                background=background,
            ),
            shutdown=self.shutdown,
            status=self.status,
            node=self._node,
            clock=clock,
            parts=parts,
        )
        await run("apps", start_apps, services.apps, services.instances, services.interceptors)
        if not self._headless:
            await show_launcher(services.instances, services.own_pages)
        await run("default layout", restore_default, configuration.settings, services.layouts)
        self._updates = await run("updates", check_updates, configuration, host, self._apply_update, parts)
        configuration.access.stop_asking()
        manager.reloading.start()

    async def _end(self, deadline: float) -> None:
        try:
            async with asyncio.timeout(deadline):
                if self._is_host_restarting:
                    # Its windows are closed. Waiting until it runs again would only delay the end.
                    await self.host.close()
                if self._is_started and self._splash is not None:
                    self._is_started = False
                    await self._splash.show_at_end()
                await self._parts.aclose()
        except TimeoutError:
            _log.error("the platform did not end cleanly within %g s", deadline)
        except RostrumError as error:
            _log.error("the platform did not end cleanly: %s", error)
        if self._control is not None:
            self._control.status_file.remove()

    def status(self) -> dict[str, Any]:
        """Return the status of the platform for `rostrum desktop status` and apps."""
        is_ready = self.steps.are_done and self._updates is not None
        status: dict[str, Any] = {
            "version": self._start.version,
            "productVersion": __version__,
            "ready": is_ready,
            "steps": [{"name": one.name, "state": str(one.state), "note": one.note} for one in self.steps.all],
        }
        return status | self._running_status() if is_ready else status

    def _running_status(self) -> dict[str, Any]:
        local, settings, services, manager = self.local, self.settings, self.services, self.manager
        connection, session, offline = manager.connection, manager.session, self.offline_reason
        opened = _made(self._stores)
        return {
            "build": None if settings.build is None else str(settings.build),
            "uiVersion": settings.ui_version,
            "mode": str(local.mode),
            "user": self.user,
            "environment": local.early.pair.name,
            "logs": str(local.early.folders.user_data / "logs"),
            "gateway": self.gateway.address,
            "manager": None if connection is None else connection.client.service.shown,
            "offline": offline is not None,
            "connected": bool(connection and connection.changes.connected),
            "session": session.id if session else None,
            "sources": manager.reloading.sources(),
            "apps": len(services.apps.users.apps),
            "updates": _made(self._updates).summary,
            "instances": [{"app": one.app, "title": one.title, "id": one.id} for one in services.instances.all],
            "problems": [
                *opened.missing,
                *([offline] if offline else []),
                *([self._host_problem] if self._host_problem else []),
                *manager.reloading.problems(),
                *opened.problems(),
            ],
        }

    def _follow_changes(self) -> None:
        stores, instances, manager = self.stores, self.services.instances, self.manager
        signals: list[Signal[Any]] = [
            stores.apps.refreshed,
            stores.system_apps.refreshed,
            instances.started,
            instances.ended,
            instances.retitled,
            stores.layouts.connectivity_changed,
            stores.preferences.connectivity_changed,
            _made(self._updates).changed,
            manager.reloading.changed,
            manager.connectivity_changed,
        ]
        if manager.connection is not None:
            signals += [manager.connection.changes.back, manager.connection.changes.lost]
        for signal in signals:
            signal.connect(lambda _: self._write_status())

    def _host_restored(self, _: HostRestored) -> None:
        self._is_host_restarting = False
        self._set_host_problem(None)

    def _host_lost(self, report: HostLost) -> None:
        self._is_host_restarting = report.restarting
        if report.restarting:
            self._set_host_problem(f"The window process has ended and is being restarted: {report.reason}")
        else:
            self._set_host_problem(f"The desktop continues without windows: {report.reason}. Restart the desktop.")

    def _set_host_problem(self, problem: str | None) -> None:
        self._host_problem = problem
        self._write_status()

    def _write_status(self) -> None:
        if self._control is not None:
            self._control.status_file.write(self.status())


def _made(result: Result | None) -> Result:
    if result is None:
        raise DesktopError("the platform has not started")
    return result
