"""The services of the platform: made, connected with each other, and offered on the gateway."""

import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from rostrum import __version__
from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.base.placeholders import expand
from rostrum.desktop import t42
from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.commands import CommandRunner, Handler
from rostrum.desktop.crash_reports import CrashReports
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Reports, TrayChosen
from rostrum.desktop.key_file import Key, KeyFile
from rostrum.desktop.launch.exe import ExeLauncher
from rostrum.desktop.launch.launcher import Launcher, Surroundings
from rostrum.desktop.launch.native import NativeLauncher
from rostrum.desktop.launch.node import NodeLauncher
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.phases.configuration import LocalConfiguration, RemoteConfiguration
from rostrum.desktop.phases.gateway import RunningGateway
from rostrum.desktop.phases.manager import ManagerLink
from rostrum.desktop.phases.sign_in import SignedIn
from rostrum.desktop.services.alerts import AlertMethods, Alerts
from rostrum.desktop.services.apps import AppMethods, Apps
from rostrum.desktop.services.channel_selectors import ChannelSelectors
from rostrum.desktop.services.channels import ChannelMethods, Channels
from rostrum.desktop.services.commands import command_handlers, takes_commands
from rostrum.desktop.services.control import PlatformControl, PlatformMethods, offer_changes
from rostrum.desktop.services.dialogs import Dialogs
from rostrum.desktop.services.flydowns import FlydownMethods, Flydowns
from rostrum.desktop.services.groups import GroupMethods, WindowGroups, wants_system_buttons
from rostrum.desktop.services.guards import GuardMethods, Guards
from rostrum.desktop.services.hotkeys import Hotkeys
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.interception import CLIENT_OPERATIONS, InterceptionMethods, Interceptors
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layouts import LayoutMethods, LayoutService
from rostrum.desktop.services.methods import MethodRegistrar, Operation
from rostrum.desktop.services.notifications import NotificationMethods, Notifications
from rostrum.desktop.services.own_pages import OwnPages, OwnPageServices
from rostrum.desktop.services.page_access import Pages, show_in_browser
from rostrum.desktop.services.page_scripts import PageScripts
from rostrum.desktop.services.popups import PopupMethods, Popups
from rostrum.desktop.services.preferences import PreferenceMethods
from rostrum.desktop.services.search import Search, SearchMethods
from rostrum.desktop.services.tabs import TabGroups, TabMethods
from rostrum.desktop.services.themes import ThemeMethods, ThemeService, themes_of
from rostrum.desktop.services.tokens import PageTokens
from rostrum.desktop.services.tray import Tray, TrayMethods
from rostrum.desktop.services.window_questions import WindowQuestions
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.windows import WindowManager, WindowMethods
from rostrum.desktop.services.workspaces import WorkspaceMethods, Workspaces
from rostrum.desktop.shutdown import Shutdown
from rostrum.desktop.steps import Progress
from rostrum.desktop.t42.interface import ClientServices, offer_client_interface
from rostrum.desktop.t42.platform import PlatformFacts, ask_before_shutdown
from rostrum.desktop.windows.loader import layout_loader
from rostrum.desktop.windows.page_access import PageIdentity
from rostrum.settings.running import stream_of
from rostrum.settings.standard_files import CHANNELS, STICKY_WINDOWS, THEMES, read_channels
from rostrum.sources.live import Change
from rostrum.stores.open import Stores

__all__ = ["Services", "open_services"]

_log = logging.getLogger(__name__)
_APPS_DEADLINE = 10.0
"""Seconds that apps get to end; half of what the platform has for its own end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowServices:
    """The services around windows."""

    dialogs: Dialogs
    guards: Guards
    groups: WindowGroups
    tabs: TabGroups
    manager: WindowManager
    flydowns: Flydowns
    popups: Popups
    workspaces: Workspaces
    registry: WindowRegistry
    questions: WindowQuestions


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The running services.

    Attributes:
        methods: What they offer on the gateway.
        commands: What the platform does for each command of the manager.
        background: Work of services that nobody waits for.

    """

    apps: Apps
    instances: Instances
    interceptors: Interceptors
    windows: WindowServices
    channels: Channels
    themes: ThemeService
    notifications: Notifications
    hotkeys: Hotkeys
    alerts: Alerts
    layouts: LayoutService
    search: Search
    control: PlatformControl
    tray: Tray
    own_pages: OwnPages
    tokens: PageTokens
    methods: MethodRegistrar
    commands: Mapping[str, Handler]
    background: BackgroundTasks


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What earlier phases have made, as far as services need it."""

    local: LocalConfiguration
    configuration: RemoteConfiguration
    signed_in: SignedIn
    gateway: RunningGateway
    manager: ManagerLink
    stores: Stores
    crashes: CrashReports
    host: WindowHost
    reports: Reports
    background: BackgroundTasks


async def open_services(
    _: Progress,
    earlier: Earlier,
    *,
    shutdown: Shutdown,
    status: Callable[[], dict[str, Any]],
    node: str,
    clock: Clock,
    parts: AsyncExitStack,
) -> Services:
    """Make the services and offer them on the gateway; ``node`` runs scripts unless the settings say otherwise."""
    settings, gateway, stores, host = earlier.configuration.settings, earlier.gateway, earlier.stores, earlier.host
    background = earlier.background
    apps = Apps(stores.apps, stores.system_apps)
    interceptors = Interceptors(settings.interception, CLIENT_OPERATIONS)
    gateway.callers.gone.connect(interceptors.forget)
    registry, questions = WindowRegistry(host, earlier.reports), WindowQuestions(earlier.reports, host)
    instances = _make_instances(earlier, apps, interceptors, registry, questions, node=node, clock=clock)
    registry.follow(instances)
    parts.push_async_callback(instances.stop_all, _APPS_DEADLINE)
    windows = _make_windows(earlier, apps, instances, registry, questions, clock=clock, background=background)
    channels = await _make_channels(earlier, instances, background)
    themes = await _make_themes(earlier)
    notifications = Notifications(settings.notifications, host, new_id=new_id, reports=earlier.reports)
    parts.push_async_callback(notifications.stop)
    alerts = Alerts(settings.alerts, host, new_id=new_id)
    parts.push_async_callback(alerts.close)
    layouts = _make_layouts(earlier, apps, instances, channels, windows, intercept=interceptors.passed)
    control = PlatformControl(
        shutdown,
        windows.guards,
        layouts,
        apps,
        reloading=earlier.manager.reloading,
        manager=earlier.manager.connection,
    )
    hotkeys = Hotkeys(host, earlier.reports)
    services = Services(
        apps=apps,
        instances=instances,
        interceptors=interceptors,
        windows=windows,
        channels=channels,
        themes=themes,
        notifications=notifications,
        hotkeys=hotkeys,
        alerts=alerts,
        layouts=layouts,
        search=_make_search(earlier, apps),
        control=control,
        tray=Tray(
            settings.tray,
            host,
            apps.definitions,
            start=instances.start,
            leave=control.leave,
            is_offline=lambda: earlier.signed_in.offline_reason is not None,
            background=background,
        ),
        own_pages=_make_own_pages(
            earlier,
            instances,
            channels=channels,
            themes=themes,
            notifications=notifications,
            hotkeys=hotkeys,
            control=control,
            background=background,
        ),
        tokens=PageTokens(gateway.app_tokens, instances),
        methods=MethodRegistrar(gateway.peer, gateway.callers, interceptors),
        commands=command_handlers(earlier.local.mode, control, instances, layouts),
        background=background,
    )
    _follow_changes(services, earlier)
    await _offer(services, earlier, status)
    await _offer_client_interface(services, earlier, parts)
    await services.tray.show()
    _run_commands(services.commands, earlier, parts)
    _write_key(earlier, parts)
    return services


def _make_instances(
    earlier: Earlier,
    apps: Apps,
    interceptors: Interceptors,
    registry: WindowRegistry,
    questions: WindowQuestions,
    *,
    node: str,
    clock: Clock,
) -> Instances:
    tokens = earlier.gateway.app_tokens
    pages = _make_pages(earlier, apps, clock)
    instances = Instances(
        apps.definition,
        _launchers(earlier, apps, registry, pages, node),
        title_format=earlier.configuration.settings.applications.title_format,
        new_id=new_id,
        names=apps.definitions,
        intercept=interceptors.passed,
    )
    instances.ended.connect(earlier.crashes.ended)
    instances.ended.connect(lambda one: tokens.end(one.instance.id))
    instances.failed.connect(tokens.end)
    pages.handle(
        earlier.reports, instances, open_window=registry.open, browse=show_in_browser, may_leave=questions.may_navigate
    )
    return instances


def _make_pages(earlier: Earlier, apps: Apps, clock: Clock) -> Pages:
    early, settings = earlier.local.early, earlier.configuration.settings
    return Pages(
        settings,
        earlier.host,
        earlier.gateway.app_tokens,
        scripts=PageScripts(
            settings, early.start.root, early.folders.cache / "scripts", clock, trusted=apps.is_trusted
        ),
        identity=PageIdentity(
            user=earlier.signed_in.user,
            environment=early.pair.env,
            region=early.pair.region,
            version=early.start.version,
            build="" if settings.build is None else str(settings.build),
            ui_version="" if settings.ui_version is None else str(settings.ui_version),
            machine=socket.gethostname(),
            process=os.getpid(),
        ),
        gateway=earlier.gateway.gateway.address,
        definition=apps.definition,
        trusted=apps.is_trusted,
        opens_files=apps.opens_files,
        html_container=early.settings.register_html_container is True,
    )


def _launchers(earlier: Earlier, apps: Apps, registry: WindowRegistry, pages: Pages, node: str) -> dict[str, Launcher]:
    early, settings, mode = earlier.local.early, earlier.configuration.settings, earlier.local.mode
    variables, host, reports = earlier.configuration.loaded.variables, earlier.host, earlier.reports
    surroundings = Surroundings(
        root=early.start.root,
        logs=early.folders.user_data / "logs",
        variables=variables,
        gateway=earlier.gateway.gateway.address,
        token=earlier.gateway.app_tokens.for_launch,
        env=early.pair.env,
        region=early.pair.region,
    )
    window = WindowLauncher(
        host,
        reports,
        settings,
        mode,
        stream=stream_of(early.start.version),
        spelling=lambda: earlier.local.live.value.spellchecker,
        opens_files=apps.opens_files,
        open_window=registry.open,
        access=pages.access,
    )
    chosen = expand(settings.node_path, variables).text if settings.node_path else node
    return {
        "exe": ExeLauncher(surroundings),
        "node": NodeLauncher(surroundings, early.folders.cache / "scripts", node=chosen, trusted=apps.is_trusted),
        **dict.fromkeys(("clickonce", "citrix"), NativeLauncher(host, reports, settings, mode)),
        **dict.fromkeys(("window", "workspaces", "webGroup", "childWindow"), window),
    }


def _make_windows(
    earlier: Earlier,
    apps: Apps,
    instances: Instances,
    registry: WindowRegistry,
    questions: WindowQuestions,
    *,
    clock: Clock,
    background: BackgroundTasks,
) -> WindowServices:
    settings, mode = earlier.configuration.settings, earlier.local.mode
    management, host, reports = settings.window_management, earlier.host, earlier.reports
    dialogs = Dialogs(settings.dialogs, host)
    groups = WindowGroups(
        management,
        mode,
        host,
        instances,
        system_buttons=lambda: wants_system_buttons(apps.definitions()),
        new_id=new_id,
        clock=clock,
    )
    tabs = TabGroups(management, host, instances, groups, new_id=new_id)
    manager = WindowManager(
        settings, mode, host, instances, groups=groups, tabs=tabs, reports=reports, background=background
    )
    ask = earlier.gateway.peer.methods.call
    ask_apps = partial(ask_before_shutdown, earlier.gateway.peer, earlier.gateway.callers, instances)
    return WindowServices(
        dialogs=dialogs,
        guards=Guards(instances, dialogs, reports, questions=questions, ask_before_shutdown=ask_apps),
        groups=groups,
        tabs=tabs,
        manager=manager,
        flydowns=Flydowns(management.flydown_windows, mode, host, instances, ask=ask, clock=clock),
        popups=Popups(mode, host, instances, reports=reports, background=background),
        workspaces=Workspaces(management, host, instances),
        registry=registry,
        questions=questions,
    )


async def _make_channels(earlier: Earlier, instances: Instances, background: BackgroundTasks) -> Channels:
    configuration = earlier.configuration
    of_file, _ = read_channels(configuration.loaded.contents(CHANNELS))
    channels = Channels(configuration.settings.channels, earlier.gateway.peer.contexts, of_file)
    await channels.open()
    selectors = ChannelSelectors(channels, earlier.host, configuration.settings, background)
    selectors.follow(instances, earlier.reports)
    await selectors.show()
    return channels


async def _make_themes(earlier: Earlier) -> ThemeService:
    configuration = earlier.configuration
    themes = ThemeService(
        themes_of(configuration.settings.themes, configuration.loaded.contents(THEMES)),
        earlier.host,
        earlier.gateway.peer.contexts,
        earlier.local.early.folders.user_data,
    )
    await themes.open()
    sticky = configuration.loaded.contents(STICKY_WINDOWS)
    if sticky:
        await earlier.host.set_sticky_windows(sticky)
    return themes


def _make_layouts(
    earlier: Earlier,
    apps: Apps,
    instances: Instances,
    channels: Channels,
    windows: WindowServices,
    *,
    intercept: Callable[[Operation], Awaitable[Operation]],
) -> LayoutService:
    settings = earlier.configuration.settings
    loader, problem = layout_loader(settings.layouts.splash, earlier.configuration.loaded.variables)
    if problem:
        _log.warning("%s; the loader of the platform is shown", problem)
    return LayoutService(
        earlier.stores.layouts,
        instances,
        earlier.host,
        apps.startable,
        max_size=settings.layouts.components.max_size,
        close_on_hibernate=settings.applications.close_on_hibernate,
        channels=channels,
        dialogs=windows.dialogs,
        loader=loader,
        grouping=Grouping(windows.groups, windows.tabs),
        registry=windows.registry,
        is_critical=apps.is_system_app,
        intercept=intercept,
    )


def _make_search(earlier: Earlier, apps: Apps) -> Search:
    return Search(
        earlier.configuration.settings.search_provider,
        apps.definitions,
        earlier.stores.layouts.layouts,
        lambda: {"restart": "Restart the platform", "exit": "Exit the platform"},
    )


def _make_own_pages(
    earlier: Earlier,
    instances: Instances,
    *,
    channels: Channels,
    themes: ThemeService,
    notifications: Notifications,
    hotkeys: Hotkeys,
    control: PlatformControl,
    background: BackgroundTasks,
) -> OwnPages:
    early = earlier.local.early
    services = OwnPageServices(
        call=earlier.gateway.peer.methods.call,
        instances=instances,
        channels=channels,
        themes=themes,
        notifications=notifications,
        leave=control.leave,
        loaded=lambda: earlier.configuration.loaded,
        summary=lambda: {
            "user": earlier.signed_in.user,
            "environment": early.pair.name,
            "offline": earlier.signed_in.offline_reason is not None,
        },
        send_feedback=control.send_feedback,
        logs=early.folders.user_data / "logs",
        hotkeys=lambda: [
            {"hotkey": one.written, "description": one.description, "app": one.app or ""}
            for one in hotkeys.all.values()
        ],
    )
    pages = OwnPages(earlier.host, earlier.reports, services, background)
    pages.follow(earlier.stores.apps.changed, "apps")
    for signal in (instances.started, instances.ended, instances.retitled):
        pages.follow(signal, "instances")
    pages.follow(channels.joined, "channels")
    pages.follow(earlier.stores.layouts.changed, "layouts")
    pages.follow(notifications.changed, "notifications")
    pages.follow(themes.changed, "themes")
    pages.follow(hotkeys.changed, "hotkeys")
    pages.follow(earlier.manager.connectivity_changed, "status")
    return pages


def _follow_changes(services: Services, earlier: Earlier) -> None:
    apps, windows, tray = services.apps, services.windows.manager, services.tray
    earlier.reports.listen(TrayChosen, lambda report: services.background.begin(tray.choose(report.entry)))
    earlier.manager.connectivity_changed.connect(lambda _: tray.refresh())
    apps.users.changed.connect(lambda _: tray.refresh())
    if earlier.configuration.settings.close_running_instances_on_app_removed:
        apps.users.changed.connect(lambda _: windows.stop_unknown(lambda app: apps.known(app) is not None))

    def reapply(change: Change) -> None:
        if change.path == "spellchecker":
            windows.set_spelling(change.new)
        else:
            windows.set_requests(earlier.local.page_requests())

    earlier.local.live.changed.connect(reapply)


async def _offer(services: Services, earlier: Earlier, status: Callable[[], dict[str, Any]]) -> None:
    peer, callers, windows = earlier.gateway.peer, earlier.gateway.callers, services.windows
    instances = services.instances
    preferences = PreferenceMethods(earlier.stores.preferences, callers)
    await services.methods.offer(
        AppMethods(services.apps, instances),
        GuardMethods(windows.guards, instances),
        LayoutMethods(services.layouts),
        preferences,
        SearchMethods(services.search),
        ChannelMethods(services.channels),
        ThemeMethods(services.themes),
        NotificationMethods(services.notifications),
        AlertMethods(services.alerts),
        WindowMethods(windows.manager, instances),
        GroupMethods(windows.groups),
        TabMethods(windows.tabs),
        PopupMethods(windows.popups),
        FlydownMethods(windows.flydowns, callers),
        WorkspaceMethods(windows.workspaces),
        TrayMethods(services.tray),
        PlatformMethods(services.control, earlier.host, status),
        InterceptionMethods(services.interceptors, callers, peer),
    )
    await preferences.offer_changes(peer)
    await offer_changes(peer, services.apps, instances)


async def _offer_client_interface(services: Services, earlier: Earlier, parts: AsyncExitStack) -> None:
    """Offer the methods that the desktop client libraries call, each topic with the services that it needs."""
    peer, callers = earlier.gateway.peer, earlier.gateway.callers
    interceptors, background = services.interceptors, services.background
    calls = AppCalls(peer, callers)
    parts.push_async_callback(calls.close)
    await t42.channels.offer(
        peer, services.channels, services.instances, callers=callers, calls=calls, interceptors=interceptors
    )
    await t42.preferences.offer(peer, earlier.stores.preferences, callers, calls, interceptors)
    await t42.hotkeys.offer(peer, services.hotkeys, callers, calls, background)
    screens, bounds = earlier.host.screens, earlier.host.bounds
    await t42.displays.offer(peer, screens, bounds, reports=earlier.reports, callers=callers, calls=calls)
    await t42.themes.offer(peer, services.themes, callers, interceptors)
    await t42.interception.offer(peer, interceptors, callers, calls)
    windows, early = services.windows, earlier.local.early
    facts = PlatformFacts(
        user=earlier.signed_in.user,
        environment=early.pair.env,
        region=early.pair.region,
        version=early.start.version,
        product_version=__version__,
    )
    await offer_client_interface(
        ClientServices(
            peer=earlier.gateway.peer,
            callers=earlier.gateway.callers,
            host=earlier.host,
            apps=services.apps,
            instances=services.instances,
            registry=windows.registry,
            groups=windows.groups,
            tabs=windows.tabs,
            manager=windows.manager,
            guards=windows.guards,
            questions=windows.questions,
            control=services.control,
            facts=facts,
            background=services.background,
        ),
        parts,
    )

    def title_of(app: str) -> str:
        definition = services.apps.definition(app)
        return str((definition or {}).get("title") or app)

    def context_of(instance: str) -> Mapping[str, Any]:
        window, running = services.windows.registry.get(instance), services.instances.get(instance)
        return window.context if window is not None else running.context if running is not None else {}

    await t42.notifications.offer(
        peer, services.notifications, title_of, callers=callers, calls=calls, interceptors=interceptors
    )
    await t42.layouts.offer(
        peer,
        services.layouts,
        services.instances,
        context_of,
        callers=callers,
        calls=calls,
        interceptors=interceptors,
    )


def _run_commands(commands: Mapping[str, Handler], earlier: Earlier, parts: AsyncExitStack) -> None:
    settings = earlier.configuration.settings
    connection, session = earlier.manager.connection, earlier.manager.session
    if connection is None or session is None or not takes_commands(settings):
        return
    interval = settings.commands.fetch_interval
    runner = CommandRunner(
        connection.client,
        connection.changes,
        lambda: session.id,
        commands,
        interval=settings.server.fetch_interval if interval is None else interval,
    )
    runner.start()
    parts.push_async_callback(runner.stop)


def _write_key(earlier: Earlier, parts: AsyncExitStack) -> None:
    key = KeyFile(earlier.local.early.folders.user_data)
    key.write(Key(address=earlier.gateway.gateway.address, user=earlier.signed_in.user, secret=earlier.gateway.secret))
    parts.callback(key.remove)
