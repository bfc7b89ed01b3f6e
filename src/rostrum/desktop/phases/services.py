"""Creates the services of the platform, connects them, and registers their methods on the gateway."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import rostrum
from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.commands import CommandRunner, Handler
from rostrum.desktop.hosts.reports import TrayChosen
from rostrum.desktop.key_file import Key, KeyFile
from rostrum.desktop.phases.launching import make_instances, make_windows
from rostrum.desktop.phases.offering import offer_agent, offer_client_methods, offer_methods
from rostrum.desktop.phases.running_services import Earlier, Services, WindowServices
from rostrum.desktop.services.alerts import Alerts
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.app_shortcuts import AppShortcuts
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.channel_selectors import ChannelSelectors
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.commands import command_handlers, takes_commands
from rostrum.desktop.services.control import PlatformControl
from rostrum.desktop.services.group_control import GroupControl
from rostrum.desktop.services.group_hibernation import GroupHibernation
from rostrum.desktop.services.group_opener import GroupOpener
from rostrum.desktop.services.hotkeys import Hotkeys
from rostrum.desktop.services.instances import Instance, Instances, PageTokens
from rostrum.desktop.services.interception import CLIENT_OPERATIONS, Interceptors
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layout_placeholders import Placeholders
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.methods import MethodRegistrar, Operation
from rostrum.desktop.services.native_windows import NativeWindows
from rostrum.desktop.services.notifications import Notifications
from rostrum.desktop.services.own_pages import OwnPages, OwnPageServices
from rostrum.desktop.services.search import Search
from rostrum.desktop.services.themes import ThemeService, themes_of
from rostrum.desktop.services.tray import Tray
from rostrum.desktop.services.window_questions import WindowQuestions
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.workspace_layouts import WorkspaceLayouts
from rostrum.desktop.services.workspace_page import WorkspacePage
from rostrum.desktop.shutdown import Shutdown
from rostrum.desktop.steps import Progress
from rostrum.desktop.windows.loader import layout_loader
from rostrum.settings.standard_files import CHANNELS, STICKY_WINDOWS, THEMES, read_channels
from rostrum.sources.live import Change

_log = logging.getLogger(__name__)
_APPS_DEADLINE = 10.0
"""Seconds for apps to end; half of the time limit for the end of the platform."""


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
    """Create the services and register them on the gateway; ``node`` runs scripts unless the settings override it."""
    settings, gateway, stores, host = earlier.configuration.settings, earlier.gateway, earlier.stores, earlier.host
    background = earlier.background
    apps = Apps(stores.apps, stores.system_apps)
    await host.keep_folders(_own_folders(earlier, apps))
    interceptors = Interceptors(settings.interception, CLIENT_OPERATIONS)
    gateway.callers.gone.connect(interceptors.forget)
    registry, questions = WindowRegistry(host, earlier.reports), WindowQuestions(earlier.reports, host)
    native = NativeWindows(host, earlier.reports, background)
    instances = make_instances(earlier, apps, interceptors, registry, questions, native=native, node=node, clock=clock)
    registry.follow(instances)
    parts.push_async_callback(instances.stop_all, _APPS_DEADLINE)
    windows = make_windows(
        earlier, apps, instances, registry, questions, native=native, clock=clock, background=background
    )
    channels = await _make_channels(earlier, instances, background)
    themes = await _make_themes(earlier)
    notifications = Notifications(settings.notifications, host, new_id=new_id, reports=earlier.reports)
    parts.push_async_callback(notifications.stop)
    await notifications.open()
    alerts = Alerts(settings.alerts, host, new_id=new_id)
    parts.push_async_callback(alerts.close)
    placeholders = Placeholders(
        host,
        earlier.reports,
        title_of=lambda app: str((apps.definition(app) or {}).get("title") or app),
        new_id=new_id,
    )
    layouts = _make_layouts(
        earlier, apps, instances, channels, windows, placeholders=placeholders, intercept=interceptors.passed
    )
    workspace_layouts = WorkspaceLayouts(layouts, windows.workspaces, instances, gateway.peer.contexts)
    layouts.open_workspace = windows.workspaces.open_layout = workspace_layouts.open
    group_control, group_opener, group_hibernation = _make_groups(earlier, apps, instances, channels, windows)
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
        group_control=group_control,
        group_opener=group_opener,
        group_hibernation=group_hibernation,
        channels=channels,
        themes=themes,
        notifications=notifications,
        hotkeys=hotkeys,
        rights=AppRights(settings.app_rights, gateway.peer.id, registry, apps.is_in_memory),
        alerts=alerts,
        layouts=layouts,
        workspace_layouts=workspace_layouts,
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
            layouts=layouts,
            placeholders=placeholders,
            alerts=alerts,
            workspaces=WorkspacePage(windows.workspaces, workspace_layouts, apps.definitions),
            background=background,
        ),
        tokens=PageTokens(gateway.app_tokens, instances),
        methods=MethodRegistrar(gateway.peer, gateway.callers, interceptors),
        commands=command_handlers(earlier.local.mode, control, instances, layouts),
        background=background,
    )
    _follow_changes(services, earlier)
    await _follow_shortcuts(services, earlier)
    await offer_methods(services, earlier, status)
    await offer_client_methods(services, earlier, parts)
    await offer_agent(services, earlier, parts)
    await services.tray.show()
    _run_commands(services.commands, earlier, parts)
    _write_key(earlier, parts)
    return services


def _own_folders(earlier: Earlier, apps: Apps) -> tuple[str, ...]:
    """Return the folders of the installation, of configuration and data, and of apps."""
    early = earlier.local.early
    root, folders = early.start.root, early.folders
    configured = (root / "config", *(root / one.source for one in early.local if one.type == "path"))
    found = {
        Path(rostrum.__file__).parent,
        folders.user_data,
        folders.cache,
        folders.overrides,
        *(one.parent if one.is_file() else one for one in configured),
        *apps.folders(),
    }
    return tuple(sorted(str(one.absolute()) for one in found))


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
    placeholders: Placeholders,
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
        placeholders=placeholders,
        native=windows.native,
        docking=windows.docking,
        workspaces=windows.workspaces,
        is_critical=apps.is_system_app,
        intercept=intercept,
    )


def _make_groups(
    earlier: Earlier, apps: Apps, instances: Instances, channels: Channels, windows: WindowServices
) -> tuple[GroupControl, GroupOpener, GroupHibernation]:
    closes_by_default = earlier.configuration.settings.applications.close_on_hibernate

    def stays_open(instance: Instance) -> bool:
        closes = instance.definition.get("closeOnHibernate")
        return apps.is_system_app(instance.app) or not (closes_by_default if closes is None else closes)

    groups, tabs, registry = windows.groups, windows.tabs, windows.registry
    control = GroupControl(
        groups, tabs, windows.control, registry, earlier.host, guards=windows.guards, questions=windows.questions
    )
    opener = GroupOpener(groups, tabs, instances, earlier.host, join_channels=channels.restore)
    hibernation = GroupHibernation(
        groups,
        tabs,
        control,
        opener,
        instances=instances,
        registry=registry,
        stays_open=stays_open,
        channels_of=channels.of,
    )
    return control, opener, hibernation


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
    layouts: LayoutService,
    placeholders: Placeholders,
    alerts: Alerts,
    workspaces: WorkspacePage,
    background: BackgroundTasks,
) -> OwnPages:
    early = earlier.local.early
    services = OwnPageServices(
        call=earlier.gateway.peer.methods.call,
        instances=instances,
        channels=channels,
        themes=themes,
        notifications=notifications,
        layouts=layouts,
        placeholders=placeholders,
        alerts=alerts,
        workspaces=workspaces,
        leave=control.leave,
        loaded=lambda: earlier.configuration.loaded,
        summary=lambda: {
            "user": earlier.signed_in.user,
            "environment": early.pair.name,
            "offline": earlier.signed_in.offline_reason is not None,
        },
        send_feedback=control.send_feedback,
        logs=early.folders.user_data / "logs",
        hotkeys=hotkeys,
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


async def _follow_shortcuts(services: Services, earlier: Earlier) -> None:
    apps, background = services.apps, services.background
    shortcuts = AppShortcuts(
        services.hotkeys,
        earlier.host,
        services.instances,
        apps=apps,
        rights=services.rights,
        background=background,
    )
    apps.users.changed.connect(lambda _: background.begin(shortcuts.refresh()))
    await shortcuts.refresh()
