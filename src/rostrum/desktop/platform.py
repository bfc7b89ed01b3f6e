"""Platform: the whole desktop without windows, from configuration files to a clean end."""

import asyncio
import logging
from contextlib import AsyncExitStack
from secrets import token_urlsafe
from typing import Any

from rostrum import __version__
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.errors import RostrumError
from rostrum.base.ids import new_id
from rostrum.base.signal import Signal
from rostrum.client.changes import Kind, ManagerChanges, Told
from rostrum.client.connection import Connection
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.desktop.alerts import Alerts
from rostrum.desktop.channels import Channels
from rostrum.desktop.command_handlers import COMMANDS, command_handlers
from rostrum.desktop.commands import CommandRunner
from rostrum.desktop.crash_reports import CrashReports
from rostrum.desktop.errors import DesktopError, LoginFailed
from rostrum.desktop.gateway_options import SNAPSHOTS, OwnLogins, gateway_options
from rostrum.desktop.instances import Instance, Instances
from rostrum.desktop.interception import Interceptors
from rostrum.desktop.launch.elsewhere import CITRIX, CLICKONCE, ElsewhereLauncher
from rostrum.desktop.launch.exe import ExeLauncher
from rostrum.desktop.launch.launcher import Launcher, Surroundings
from rostrum.desktop.launch.node import NodeLauncher
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.layouts.grouping import Grouping
from rostrum.desktop.layouts.service import LayoutService
from rostrum.desktop.login import Ask, log_in
from rostrum.desktop.manager_session import ManagerSession, machine
from rostrum.desktop.modes import check_system
from rostrum.desktop.notifications import Notifications
from rostrum.desktop.ports import WindowHost
from rostrum.desktop.run_lock import RunLock, lock_name
from rostrum.desktop.search import Search
from rostrum.desktop.services import offer_services
from rostrum.desktop.splash import SplashScreen
from rostrum.desktop.status_file import StatusFile
from rostrum.desktop.steps import State, Steps
from rostrum.desktop.updates import Update, Updates
from rostrum.desktop.window_desk import WindowDesk
from rostrum.desktop.windows.chrome import first_channel
from rostrum.desktop.windows.loader import layout_loader
from rostrum.gateway import Gateway, LocalPeer
from rostrum.settings.scope import Mode
from rostrum.settings.settings import Settings
from rostrum.sources.live import Change, LiveSettings
from rostrum.sources.load import Early, Loaded, Start, load_all, load_early
from rostrum.stores.apps.memory_store import MemoryAppStore
from rostrum.stores.apps.registry import AppRegistry, KnownApp
from rostrum.stores.apps.store import Definition
from rostrum.stores.open import Place, Stores, make_stores
from rostrum.stores.preferences.store import PreferenceStore

__all__ = ["STEPS", "Platform"]

_log = logging.getLogger(__name__)

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
_DEADLINE = 20.0


class Platform:
    """Owns everything that runs; the parts are there once ``start`` is through.

    Attributes:
        steps: Where the start is.
        stopping: Set when the platform is asked to stop.
        restart: Whether it is to be started again then.

    """

    early: Early
    loaded: Loaded
    live: LiveSettings
    gateway: Gateway
    peer: LocalPeer
    stores: Stores
    instances: Instances
    layouts: LayoutService
    notifications: Notifications
    alerts: Alerts
    channels: Channels
    search: Search
    interceptors: Interceptors
    updates: Updates
    crashes: CrashReports
    windows: WindowDesk

    def __init__(
        self,
        start: Start,
        host: WindowHost,
        ask: Ask,
        *,
        clock: Clock | None = None,
        headless: bool = True,
        installed: bool = False,
        node: str = "node",
    ) -> None:
        """Take where to start from, the windowing system, and who to ask for a log-in."""
        self.steps = Steps(STEPS)
        self.stopping = asyncio.Event()
        self.restart = False
        self.user = ""
        self.secret = token_urlsafe(32)
        self._start = start
        self._host = host
        self._ask = ask
        self._clock = clock or SystemClock()
        self._headless = headless
        self._installed = installed
        self._node = node
        self._login: Service | None = None
        self._manager: Connection | None = None
        self._session: ManagerSession | None = None
        self._status_file: StatusFile | None = None
        self._splash: SplashScreen | None = None
        self._started = False
        self._open = AsyncExitStack()

    @property
    def settings(self) -> Settings:
        """Return the settings in force."""
        return self.loaded.settings

    @property
    def mode(self) -> Mode:
        """Return the mode in force."""
        return Mode.ADVANCED if self.early.settings.advanced_mode else Mode.DEFAULT

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
        actions = (
            self._read_local,
            self._take_the_right_to_run,
            self._show_splash,
            self._fetch_remote,
            self._log_in,
            self._start_gateway,
            self._open_session,
            self._open_stores,
            self._offer_services,
            self._start_apps,
            self._restore_default,
            self._look_for_updates,
        )
        try:
            for name, action in zip(STEPS, actions, strict=True):
                await self.steps.run(name, action)
        except BaseException:
            await self.stop()
            raise
        await self._host.hide_splash()
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

    async def stop(self, deadline: float = _DEADLINE) -> None:
        """End everything, the last begun first, within a number of seconds."""
        self.stopping.set()
        try:
            async with asyncio.timeout(deadline):
                if self._started and self._splash is not None:
                    self._started = False
                    await self._splash.show_at_end()
                await self._open.aclose()
        except TimeoutError:
            _log.error("the platform did not end cleanly within %g s", deadline)
        if self._status_file is not None:
            self._status_file.remove()

    async def refresh(self) -> None:
        """Look again at everything that comes from elsewhere."""
        for store in self.apps.stores:
            try:
                await store.refresh()
            except RostrumError as error:
                _log.warning("%s: %s", store.name, error)
        await self._reload_configuration()

    async def send_feedback(self, description: str) -> str:
        """Send feedback to the manager."""
        if self._manager is None:
            raise DesktopError("feedback needs a manager (server.enabled)")
        return await self._manager.client.send_feedback(description)

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
            "version": __version__,
            "ready": ready,
            "steps": [{"name": one.name, "state": str(one.state), "note": one.note} for one in self.steps.all],
        }
        if not ready:
            return told
        return told | {
            "mode": str(self.mode),
            "user": self.user,
            "environment": self.early.pair.name,
            "gateway": self.gateway.address,
            "manager": None if self._manager is None else self._manager.client.service.shown,
            "connected": bool(self._manager and self._manager.changes.connected),
            "session": self._session.id if self._session else None,
            "apps": len(self.apps.apps),
            "instances": [{"app": one.app, "title": one.title, "id": one.id} for one in self.instances.all],
            "problems": [*map(str, self.apps.problems()), *self.stores.layouts.problems, *self.preferences.problems],
        }

    async def _read_local(self) -> str | None:
        self.early = await asyncio.to_thread(load_early, self._start)
        self.live = LiveSettings(self.early.reapplied)
        check_system(self.mode, headless=self._headless)
        return f"{self.early.pair.name or 'no environment'}, {self.mode} mode"

    async def _take_the_right_to_run(self) -> str | None:
        folders, pair = self.early.folders, self.early.pair.name
        allow = self.early.settings.allow_multiple_instances
        lock = RunLock(self._start.root / "UserData", lock_name(allow, pair))
        lock.acquire(pair, self._clock.now())
        self._open.callback(lock.release)
        self._status_file = StatusFile(folders.user_data)
        about = {"prod": "rostrum-desktop", "ver": __version__, "env": pair}
        self.crashes = CrashReports(folders.user_data / "crashes", about, self._clock)
        self._open.callback(self.crashes.install(asyncio.get_running_loop()))
        return allow

    async def _show_splash(self) -> str | None:
        self._splash = SplashScreen(self.early, self._host)
        self._open.push_async_callback(self._splash.hide)
        return None if await self._splash.show_at_start() else ""

    async def _fetch_remote(self) -> str | None:
        self.loaded = await load_all(self.early, clock=self._clock)
        for finding in self.loaded.problems:
            _log.warning("%s: %s: %s", finding.file, finding.path, finding.message)
        self.live.apply(self.settings)
        others = len(self.loaded.combined.sources) - 1
        return f"{others} more sources" if others else ""

    async def _log_in(self) -> str | None:
        server = self.settings.server
        if not server.enabled:
            self.user = self._start.variables.get("USER") or self._start.variables.get("USERNAME") or "user"
            return ""
        if not server.url:
            raise LoginFailed("server.url must be the address of the manager")
        self._login = Service(server.url)
        self._open.push_async_callback(self._login.close)
        self.user = (await log_in(self._login, self._ask)).id
        return self.user

    async def _start_gateway(self) -> str | None:
        snapshots = self.early.folders.user_data / SNAPSHOTS
        options = gateway_options(self.settings, snapshots, self._start.root, self.loaded.variables)
        self.gateway = Gateway(options, OwnLogins(self.user, self.secret), clock=self._clock)
        await self.gateway.start()
        self._open.push_async_callback(self.gateway.stop)
        self.peer = await self.gateway.local_peer("Rostrum", self.user, is_service=True)
        return self.gateway.address

    async def _open_session(self) -> str | None:
        if self._login is None:
            self._send_crashes()
            return ""
        work = Service(self._login.address, self._login.credentials)
        self._open.push_async_callback(work.close)
        pair = self.early.pair
        opening = {"machine": machine(), "version": __version__, "env": pair.env, "region": pair.region}
        self._session = ManagerSession(self._login, work, opening, COMMANDS)
        await self._session.open()
        self._open.push_async_callback(self._session.close)
        client = ManagerClient(work)
        changes = ManagerChanges(client)
        self._manager = Connection(client, changes)
        changes.changed.connect(self._hear)
        changes.start()
        self._open.push_async_callback(changes.stop)
        self._send_crashes()
        return self._session.id

    def _send_crashes(self) -> None:
        output = self.settings.crash_reporter.output
        if output.type != "server":
            return
        manager = self._manager
        address = (output.server_url or "").rstrip("/")
        if manager is not None and address in ("", f"{manager.client.service.address}/crashes"):
            self.crashes.start(manager.client, Told(manager.changes))
        elif address:
            # Another address gets the reports, but not the proof of who this person is.
            elsewhere = Service(address)
            self._open.push_async_callback(elsewhere.close)
            self.crashes.start(ManagerClient(elsewhere))
        else:
            self.steps.degrade("manager session", "crashReporter.output.serverUrl says nowhere to send crash reports")
            return
        self._open.push_async_callback(self.crashes.stop)

    async def _open_stores(self) -> str | None:
        folders = self.early.folders
        place = Place(
            root=self._start.root,
            user_data=folders.user_data,
            cache=folders.cache,
            variables=self.loaded.variables,
            user=self.user,
        )
        self.stores = make_stores(self.settings, place, self._manager)
        for service in self.stores.services:
            self._open.push_async_callback(service.close)
        for part in (self.stores.system_apps, self.stores.apps, self.stores.layouts, self.stores.preferences):
            self._open.push_async_callback(part.close)
            await part.open()
        for registry in (self.stores.system_apps, self.apps):
            for store, reason in registry.failures.items():
                self.steps.degrade("stores", f"{store}: {reason}")
        return f"{len(self.apps.apps)} apps"

    async def _offer_services(self) -> str | None:
        settings = self.settings
        self.instances = Instances(
            self._definition, self._launchers(), title_format=settings.applications.title_format, new_id=new_id
        )
        self.windows = WindowDesk(
            settings, self.mode, self._host, self.instances, self._definitions, leave=self.leave, clock=self._clock
        )
        self._open.push_async_callback(self.windows.close)
        self._open.push_async_callback(self.instances.stop_all, _DEADLINE / 2)
        self.instances.ended.connect(self.crashes.ended)
        self.channels = Channels(settings.channels, self.peer.contexts)
        await self.channels.open()
        self.notifications = Notifications(settings.notifications, self._host, new_id=new_id)
        self._open.push_async_callback(self.notifications.close_all)
        self.alerts = Alerts(settings.alerts, self._host, new_id=new_id)
        self._open.push_async_callback(self.alerts.close)
        self.interceptors = Interceptors(settings.interception)
        loader, problem = layout_loader(settings.layouts.splash, self.loaded.variables)
        if problem:
            _log.warning("%s; the loader of the platform is shown", problem)
        self.layouts = LayoutService(
            self.stores.layouts,
            self.instances,
            self._host,
            lambda: self.apps.apps,
            max_size=settings.layouts.components.max_size,
            close_on_hibernate=settings.applications.close_on_hibernate,
            channels=self.channels,
            dialogs=self.windows.dialogs,
            loader=loader,
            grouping=Grouping(self.windows.groups, self.windows.tabs),
        )
        self.search = Search(
            settings.search_provider,
            self._definitions,
            self.stores.layouts.layouts,
            lambda: {"restart": "Restart the platform", "exit": "Exit the platform"},
        )
        changes = await offer_services(self, self.peer)
        self.apps.changed.connect(lambda _: changes.push({"changed": "apps"}))
        self.instances.started.connect(lambda one: changes.push({"started": one.id, "app": one.app}))
        self.instances.ended.connect(lambda one: changes.push({"ended": one.instance.id, "app": one.instance.app}))
        self.apps.changed.connect(lambda _: self.windows.refresh_tray())
        self.live.changed.connect(self._reapply)
        await self.windows.tray.show()
        self.instances.started.connect(self._join_first_channel)
        self.instances.ended.connect(lambda one: self.channels.leave(one.instance.id))
        if self._manager is not None and self._session is not None:
            session = self._session
            manager = self._manager
            runner = CommandRunner(manager.client, manager.changes, lambda: session.id, command_handlers(self))
            runner.start()
            self._open.push_async_callback(runner.stop)
        return None

    async def _start_apps(self) -> str | None:
        system = [known.definition for known in self.stores.system_apps.apps.values()]
        users = [known.definition for known in self.apps.apps.values() if known.definition.get("autoStart")]
        started = 0
        for definition in [*system, *sorted(users, key=_run_priority)]:
            try:
                await self.instances.start(str(definition["name"]))
                started += 1
            except RostrumError as error:
                self.steps.degrade("apps", f"{definition['name']} does not start: {error}")
        return f"{started} started" if started else ""

    async def _restore_default(self) -> str | None:
        if not self.settings.layouts.restore_default_global_on_startup:
            return ""
        key = await self.layouts.restore_default()
        return key.name if key else ""

    async def _look_for_updates(self) -> str | None:
        self.updates = Updates(
            self.settings.auto_updater,
            version=__version__,
            folder=self.early.folders.cache / "updates",
            installed=self._installed,
            ask=self._ask_about_update,
            apply=self._apply_update,
        )
        self.updates.start()
        self._open.push_async_callback(self.updates.stop)
        return None if self.updates.active else ""

    async def _ask_about_update(self, update: Update) -> bool:
        return await self._host.ask(f"Version {update.version} is ready. Apply it now?", ("Later", "Now")) == "Now"

    async def _apply_update(self, update: Update) -> None:
        _log.info("version %s lies ready at %s and is applied at the next start", update.version, update.file)

    def _known(self, name: str) -> KnownApp | None:
        return self.stores.system_apps.apps.get(name) or self.apps.apps.get(name)

    def _definition(self, name: str) -> Definition | None:
        known = self._known(name)
        return known.definition if known else None

    def _definitions(self) -> dict[str, Definition]:
        return {name: known.definition for name, known in self.apps.apps.items()}

    def _reapply(self, change: Change) -> None:
        if change.path == "spellchecker":
            self.windows.set_spelling(change.new)

    def _is_trusted(self, name: str) -> bool:
        known = self._known(name)
        return known is not None and known.store.trusted

    def _join_first_channel(self, instance: Instance) -> None:
        details = instance.definition.get("details", {})
        channel = first_channel(instance.type, details, self.settings.windows.channel_selector)
        if channel is not None and channel in self.channels.names:
            self.channels.join(instance.id, channel)

    def _launchers(self) -> dict[str, Launcher]:
        surroundings = Surroundings(
            root=self._start.root,
            logs=self.early.folders.user_data / "logs",
            variables=self.loaded.variables,
            gateway=self.gateway.address,
            token=self._token,
        )
        window = WindowLauncher(
            self._host,
            self.settings,
            self.mode,
            spelling=lambda: self.live.value.spellchecker,
            # The desk is made later: it needs the launched.
            may_close=lambda instance: self.windows.may_close(instance),  # noqa: PLW0108
            retitle=lambda instance, title: self.windows.retitle(instance, title),  # noqa: PLW0108
        )
        return {
            "exe": ExeLauncher(surroundings),
            "node": NodeLauncher(
                surroundings, self.early.folders.cache / "scripts", node=self._node, trusted=self._is_trusted
            ),
            "clickonce": ElsewhereLauncher(CLICKONCE),
            "citrix": ElsewhereLauncher(CITRIX),
            **dict.fromkeys(("window", "workspaces", "webGroup", "childWindow"), window),
        }

    async def _token(self, _: str) -> str:
        answer = await self.peer.request("create-token", domain="global")
        return str(answer["token"])

    def _hear(self, kind: Kind) -> None:
        if kind == "systemConfig":
            task = asyncio.create_task(self._reload_configuration(), name="configuration changed")
            self._open.callback(task.cancel)

    async def _reload_configuration(self) -> None:
        try:
            early = await asyncio.to_thread(load_early, self._start)
            self.live.apply((await load_all(early, clock=self._clock)).settings)
        except RostrumError as error:
            _log.warning("the configuration stays as it is: %s", error)

    def _go_on_telling(self) -> None:
        signals: list[Signal[Any]] = [self.apps.changed, self.instances.started, self.instances.ended]
        if self._manager is not None:
            signals += [self._manager.changes.back, self._manager.changes.lost]
        for signal in signals:
            signal.connect(lambda _: self._tell())

    def _tell(self) -> None:
        if self._status_file is not None:
            self._status_file.write(self.status())


def _run_priority(definition: Definition) -> float:
    priority = definition.get("runPriority")
    return -priority if isinstance(priority, (int, float)) and not isinstance(priority, bool) else 0.0
