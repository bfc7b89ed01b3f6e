"""Startup: the steps from configuration files to a platform that runs."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx

from rostrum import __version__
from rostrum.base.placeholders import expand
from rostrum.client.changes import ManagerChanges, Told
from rostrum.client.connection import Connection
from rostrum.client.credentials import Basic, NotSignedIn
from rostrum.client.errors import Unreachable
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.desktop.already_running import tell_the_running_one
from rostrum.desktop.app_tokens import AppTokens
from rostrum.desktop.callers import EXTERNAL_IDENTITY, RESERVED_METHODS, Callers
from rostrum.desktop.crash_reports import CrashReports
from rostrum.desktop.errors import AlreadyRunning, LoginFailed, Prevented
from rostrum.desktop.gateway_options import SNAPSHOTS, OwnLogins, gateway_options
from rostrum.desktop.hosts.port import LoginScreen
from rostrum.desktop.key_file import Key, KeyFile
from rostrum.desktop.log_files import LogFiles
from rostrum.desktop.login import Ask
from rostrum.desktop.manager_session import ManagerSession, machine
from rostrum.desktop.modes import check_system
from rostrum.desktop.phases.apps import start_apps
from rostrum.desktop.phases.services import open_services
from rostrum.desktop.reconnection import Reconnection
from rostrum.desktop.run_lock import RunLock
from rostrum.desktop.services.commands import supported_commands
from rostrum.desktop.services.methods import restore_layout
from rostrum.desktop.sign_in import SignIn
from rostrum.desktop.sign_in_records import SignInRecords
from rostrum.desktop.splash import SplashScreen
from rostrum.desktop.status_file import StatusFile
from rostrum.desktop.updates.checker import Apply, Update, Updates
from rostrum.desktop.windows.engine import engine_of
from rostrum.gateway import Gateway
from rostrum.installation.versions import no_updates_reason, running_installation
from rostrum.settings.log_configuration import read_logging
from rostrum.settings.parse import running_for
from rostrum.settings.sections.server import Server
from rostrum.settings.sections.sso_auth import SsoAuth
from rostrum.settings.standard_files import LOGGER
from rostrum.sources.access import SourceAccess
from rostrum.sources.live import LiveSettings
from rostrum.sources.load import Start, load_all, load_early, require_complete
from rostrum.stores.apps.registry import AppRegistry
from rostrum.stores.errors import RequiredStoreFailed, StoreFailed
from rostrum.stores.invalid import invalid_stores, refuse_required
from rostrum.stores.open import Place, make_stores

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["STEPS", "Startup"]

_log = logging.getLogger(__name__)
_REQUEST_TIMEOUT = 60.0

STEPS = (
    "local configuration",
    "run control",
    "splash",
    "remote configuration",
    "log-in",
    "gateway",
    "manager session",
    "stores",
    "services",
    "apps",
    "default layout",
    "updates",
)

Connect = Callable[[], Awaitable[None]]


class Startup:
    """Makes the parts of a platform one after the other, and leaves word of how to end each."""

    def __init__(
        self,
        platform: "Platform",
        start: Start,
        ask: Ask,
        *,
        ask_source: Ask | None,
        headless: bool,
        apply_update: Apply | None,
        node: str,
    ) -> None:
        """Take the platform to fill, where to start from, and how to ask for credentials.

        ``ask`` asks for those of the manager, ``ask_source`` for those of another source, named by its origin.
        """
        self._platform = platform
        self._start = start
        self._ask = ask
        self._ask_source = ask_source
        self._headless = headless
        self._apply_update = apply_update
        self._node = node
        self._log_files: LogFiles

    async def run(self) -> None:
        """Go through the steps; StartFailed names the one that failed."""
        actions: tuple[Callable[[], Awaitable[str | None]], ...] = (
            self._read_local,
            self._take_the_right_to_run,
            self._show_splash,
            self._fetch_remote,
            self._log_in,
            self._start_gateway,
            self._open_session,
            self._open_stores,
            self._open_services,
            self._start_apps,
            self._restore_default,
            self._look_for_updates,
        )
        for name, action in zip(STEPS, actions, strict=True):
            if action == self._fetch_remote and self._platform.early.is_configured_by_manager:
                # The manager gives configuration to signed-in users only.
                await self._platform.steps.run("log-in", self._log_in_first)
            if action == self._log_in and not self._needs_sign_in():
                continue
            await self._platform.steps.run(name, action)
        self._platform.access.stop_asking()
        self._platform.reloading.start()

    async def _read_local(self) -> str | None:
        platform = self._platform
        platform.early = await asyncio.to_thread(load_early, self._start)
        require_complete(platform.early)
        platform.live = LiveSettings(platform.early.reapplied)
        check_system(platform.mode, headless=self._headless)
        return f"{platform.early.pair.name or 'no environment'}, {platform.mode} mode"

    async def _take_the_right_to_run(self) -> str | None:
        platform = self._platform
        folders, pair = platform.early.folders, platform.early.pair.name
        allow = platform.early.settings.allow_multiple_instances
        lock = RunLock(self._start.root / "UserData", pair, never=allow == "never")
        try:
            await asyncio.to_thread(lock.acquire, folders.user_data, platform.clock.now())
        except AlreadyRunning as error:
            running = error.user_data or folders.user_data
            await tell_the_running_one(platform.early.settings.already_running_action, running)
            raise
        platform.parts.callback(lock.release)
        # Not before the lock is held: another instance may write the same files.
        self._log_files = LogFiles(folders.user_data / "logs", platform.early.variables)
        platform.parts.callback(self._log_files.close)
        self._write_logs(platform.early.contents(LOGGER), "run control")
        platform.status_file = StatusFile(folders.user_data)
        # As Electron does: the version of the app beside that of what runs it.
        about = {"prod": "rostrum-desktop", "ver": __version__, "_version": self._start.version, "env": pair}
        platform.crashes = CrashReports(folders.user_data / "crashes", about, platform.clock)
        platform.parts.callback(platform.crashes.install(asyncio.get_running_loop()))
        return allow

    def _write_logs(self, logger: Any, step: str) -> None:
        platform = self._platform
        configuration, _ = read_logging(platform.early.settings.logging, logger)
        for trouble in self._log_files.open(configuration, platform.clock.now()):
            platform.steps.degrade(step, trouble)

    async def _show_splash(self) -> str | None:
        platform = self._platform
        await platform.host.prepare(engine_of(platform.early.settings), platform.reports)
        await platform.host.set_requests(platform.page_requests())
        platform.splash = SplashScreen(platform.early, platform.host)
        platform.parts.push_async_callback(platform.splash.hide)
        return None if await platform.splash.show_at_start() else ""

    async def _fetch_remote(self) -> str | None:
        platform = self._platform
        platform.access = self._access()
        platform.loaded = await load_all(
            platform.early, clock=platform.clock, access=platform.access, answers=platform.answers
        )
        for finding in platform.loaded.problems:
            _log.warning("%s", ": ".join(part for part in (finding.file, finding.path, finding.message) if part))
        self._write_logs(platform.loaded.contents(LOGGER), "remote configuration")
        if platform.live.apply(platform.settings):
            await platform.host.set_requests(platform.page_requests())
        for remark in platform.loaded.combined.untrusted:
            platform.steps.degrade("remote configuration", str(remark))
        for outcome in platform.loaded.combined.sources:
            if outcome.fetched.error is not None:
                copy = "; its last answer is used" if outcome.fetched.cached else ""
                platform.steps.degrade("remote configuration", f"{outcome.source.name}: {outcome.fetched.error}{copy}")
        others = len(platform.loaded.combined.sources) - 1
        return f"{others} more sources" if others else ""

    def _access(self) -> SourceAccess:
        platform = self._platform
        first = platform.sign_in
        if first is None:
            return SourceAccess(ask=self._enter)
        return SourceAccess(
            first.service.origin,
            first.user,
            # The credentials change with each try to sign in.
            lambda: first.service.credentials.auth(),  # noqa: PLW0108
            offline_reason=lambda: first.offline_reason if platform.sign_in is first else None,
            ask=self._enter,
        )

    async def _enter(self, origin: str) -> httpx.Auth | None:
        login = None if self._ask_source is None else await self._ask_source(origin)
        return None if login is None else Basic(login.user, login.password, origin).auth()

    def _needs_sign_in(self) -> bool:
        """Say whether the configuration names another manager than the one that gave it, or there was no sign-in."""
        sign_in, server = self._platform.sign_in, self._platform.settings.server
        return sign_in is None or bool(server.enabled and (server.url or "").rstrip("/") != sign_in.service.address)

    async def _log_in_first(self) -> str | None:
        manager = self._platform.early.manager
        return await self._sign_in(manager.server, manager.sso_auth)

    async def _log_in(self) -> str | None:
        platform = self._platform
        server = platform.settings.server
        if not server.enabled:
            platform.user = self._start.variables.get("USER") or self._start.variables.get("USERNAME") or "user"
            return ""
        if not server.url:
            raise LoginFailed("server.url must be the address of the manager")
        return await self._sign_in(server, platform.settings.sso_auth)

    async def _sign_in(self, server: Server, sso: SsoAuth) -> str:
        platform = self._platform
        service = Service(server.url or "")
        platform.parts.push_async_callback(service.close)
        days = platform.early.settings.offline_max_age_days
        folder = platform.early.folders.user_data
        records = SignInRecords(folder, service.address, max_age_days=days, clock=platform.clock)
        before = platform.sign_in
        login = before.login if before is not None and before.service.origin == service.origin else None
        sign_in = SignIn(
            service,
            self._ask,
            records,
            show_page=lambda: self._login_screen(sso),
            login=login,
            retries=int(server.start_retries),
            retry_interval=server.start_retry_interval,
        )
        platform.user = await sign_in.run()
        platform.sign_in = sign_in
        if platform.offline_reason is not None:
            _log.warning("%s", platform.offline_reason)
            platform.steps.degrade("log-in", platform.offline_reason)
        return platform.user

    @asynccontextmanager
    async def _login_screen(self, sso: SsoAuth) -> AsyncIterator[None]:
        if sso.auth_controller is None or not sso.options.url:
            yield
            return
        window, host = sso.options.window, self._platform.host
        await host.show_login(
            LoginScreen(url=sso.options.url, width=window.width, height=window.height, mode=window.mode)
        )
        try:
            yield
        finally:
            await host.hide_login()

    async def _start_gateway(self) -> str | None:
        platform = self._platform
        snapshots = platform.early.folders.user_data / SNAPSHOTS
        options = gateway_options(platform.settings, snapshots, self._start.root, platform.loaded.variables)
        # Not of the stand-alone gateway, where nobody is verified and every identity is a label.
        options = replace(
            options,
            unbound_identity=EXTERNAL_IDENTITY,
            reserved_methods=RESERVED_METHODS,
            control_key=platform.secret,
        )
        logins = OwnLogins(platform.user, platform.secret, options.case_sensitive_users)
        platform.gateway = Gateway(options, logins, clock=platform.clock)
        await platform.gateway.start()
        platform.parts.push_async_callback(platform.gateway.stop)
        platform.peer = await platform.gateway.local_peer("Rostrum", platform.user, is_service=True)
        platform.callers = Callers(platform.gateway, platform.peer)
        platform.app_tokens = AppTokens(platform.gateway, platform.user)
        return platform.gateway.address

    async def _open_session(self) -> str | None:
        platform = self._platform
        platform.parts.push_async_callback(platform.reloading.stop)
        sign_in = platform.sign_in
        if sign_in is None or not platform.settings.server.enabled:
            if sign_in is not None and sign_in.offline_reason is not None:
                self._reconnect(sign_in, platform.reloading.reload)
            self._send_crashes()
            return ""
        timeout = platform.settings.server.requests.timeout / 1000 or _REQUEST_TIMEOUT
        work = Service(sign_in.service.address, sign_in.service.credentials, timeout=timeout)
        platform.parts.push_async_callback(work.close)
        pair = platform.early.pair
        opening = {"machine": machine(), "version": self._start.version, "env": pair.env, "region": pair.region}
        session = platform.session = ManagerSession(
            sign_in.service,
            work,
            opening,
            supported_commands(platform.mode) if platform.takes_commands else (),
            confirm=sign_in.confirm,
            refuse=sign_in.refuse,
            refresh_interval=platform.settings.server.token_refresh_interval,
        )
        platform.parts.push_async_callback(session.close)
        client = ManagerClient(work)
        changes = ManagerChanges(client)
        platform.manager = Connection(client, changes)
        session.report(changes)
        changes.changed.connect(platform.reloading.hear)
        platform.parts.push_async_callback(changes.stop)

        async def connect() -> None:
            await session.open()
            changes.start()

        await self._connect_now_or_later(sign_in, work, connect)
        self._send_crashes()
        return session.id

    async def _connect_now_or_later(self, sign_in: SignIn, work: Service, connect: Connect) -> None:
        if sign_in.offline_reason is None:
            try:
                return await connect()
            except Unreachable as error:
                if not self._platform.early.settings.offline_max_age_days:
                    raise
                sign_in.lose(str(error))
        # Nothing is sent before the manager has accepted the account.
        work.credentials = NotSignedIn(sign_in.offline_reason or "")
        self._reconnect(sign_in, connect)
        return None

    def _reconnect(self, sign_in: SignIn, connect: Connect) -> None:
        platform = self._platform

        async def connect_and_tell() -> None:
            await connect()
            _log.warning("The manager can be reached again; %s is signed in.", platform.user)
            platform.show_connectivity()

        reconnection = Reconnection(sign_in, connect_and_tell, platform.fail)
        platform.parts.push_async_callback(reconnection.stop)
        reconnection.start()

    def _send_crashes(self) -> None:
        platform = self._platform
        reporter = platform.settings.crash_reporter
        platform.crashes.describe(company=reporter.company_name, product=reporter.product_name)
        platform.crashes.enabled = reporter.enabled
        output = reporter.output
        if output.type != "server" or not reporter.enabled:
            return
        manager = platform.manager
        address = (output.server_url or "").rstrip("/")
        if manager is not None and address in ("", f"{manager.client.service.address}/crashes"):
            platform.crashes.start(manager.client, Told(manager.changes))
        elif address:
            # Another address gets the reports, but not the proof of who this person is.
            elsewhere = Service(address)
            platform.parts.push_async_callback(elsewhere.close)
            platform.crashes.start(ManagerClient(elsewhere))
        else:
            platform.steps.degrade(
                "manager session", "crashReporter.output.serverUrl says nowhere to send crash reports"
            )
            return
        platform.parts.push_async_callback(platform.crashes.stop)

    async def _open_stores(self) -> str | None:
        platform = self._platform
        folders = platform.early.folders
        place = Place(
            root=self._start.root,
            user_data=folders.user_data,
            cache=folders.cache,
            variables=platform.loaded.variables,
            user=platform.user,
            is_offline=platform.sign_in is not None and platform.sign_in.offline_reason is not None,
            fetch_interval=platform.settings.server.fetch_interval,
        )
        document = platform.loaded.system.document
        invalid = invalid_stores(document, running_for(document, self._start.version))
        refuse_required(invalid)
        platform.stores = make_stores(platform.settings, place, platform.manager)
        platform.missing_stores = (*map(str, invalid), *platform.stores.left_out)
        for problem in platform.missing_stores:
            platform.steps.degrade("stores", problem)
        for service in platform.stores.services:
            platform.parts.push_async_callback(service.close)
        for registry in (platform.stores.system_apps, platform.stores.apps):
            platform.parts.push_async_callback(registry.close)
            await self._open_apps(registry)
        if platform.settings.shutdown_on_empty_app_list and not platform.apps.apps:
            raise StoreFailed("no app store has an app, and shutdownOnEmptyAppList is true")
        for part in (platform.stores.layouts, platform.stores.preferences):
            platform.parts.push_async_callback(part.close)
            await part.open()
        for registry in (platform.stores.system_apps, platform.apps):
            for store, reason in registry.failures.items():
                platform.steps.degrade("stores", f"{store}: {reason}")
            for copy in registry.copies():
                platform.steps.degrade("stores", str(copy))
        for reason in platform.stores.away():
            platform.steps.degrade("stores", reason)
        return f"{len(platform.apps.apps)} apps"

    async def _open_apps(self, registry: AppRegistry) -> None:
        settings = self._platform.settings
        try:
            await registry.open(settings.app_stores_timeout / 1000)
        except RequiredStoreFailed as error:
            own = settings.app_stores_custom_error
            if not own.enabled:
                raise
            text = ": ".join(part for part in (own.title, own.body) if part)
            raise StoreFailed(f"{text} ({error})" if text else str(error)) from error

    async def _open_services(self) -> str | None:
        platform = self._platform
        node = platform.settings.node_path
        chosen = expand(node, platform.loaded.variables).text if node else self._node
        await open_services(platform, self._start.root, chosen)
        key = KeyFile(platform.early.folders.user_data)
        key.write(Key(address=platform.gateway.address, user=platform.user, secret=platform.secret))
        platform.parts.callback(key.remove)
        return None

    async def _start_apps(self) -> str | None:
        platform = self._platform
        started = await start_apps(platform)
        return f"{started} started" if started else ""

    async def _restore_default(self) -> str | None:
        platform = self._platform
        if not platform.settings.layouts.restore_default_global_on_startup:
            return ""
        key = platform.stores.layouts.default()
        if key is None:
            return ""
        try:
            await restore_layout(platform, key)
        except Prevented as error:
            return f"{key.name} is not restored: {error}"
        return key.name

    async def _look_for_updates(self) -> str | None:
        platform = self._platform
        installation = running_installation()
        platform.updates = Updates(
            platform.settings.auto_updater,
            version=__version__,
            folder=platform.early.folders.cache / "updates",
            ask=self._ask_about_update,
            apply=self._apply_update,
            unavailable=no_updates_reason(),
            state=None if installation is None else installation.state,
        )
        platform.updates.start()
        platform.parts.push_async_callback(platform.updates.stop)
        if platform.updates.unavailable:
            _log.warning("%s", platform.updates.unavailable)
            platform.steps.degrade("updates", platform.updates.unavailable)
            return None
        if installation is not None:
            for version, reason in installation.state().failed.items():
                platform.steps.degrade("updates", f"version {version} did not start and was rolled back: {reason}")
        return None if platform.updates.active else ""

    async def _ask_about_update(self, update: Update) -> bool:
        platform = self._platform
        return await platform.host.ask(f"Version {update.version} is ready. Apply it now?", ("Later", "Now")) == "Now"
