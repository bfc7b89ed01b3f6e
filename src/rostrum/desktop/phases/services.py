"""The services of the platform, made and joined: what one does is told to the others."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from rostrum.base.ids import new_id
from rostrum.desktop.commands import CommandRunner
from rostrum.desktop.instances import Instance, Instances
from rostrum.desktop.launch.exe import ExeLauncher
from rostrum.desktop.launch.launcher import Launcher, Surroundings
from rostrum.desktop.launch.native import NativeLauncher
from rostrum.desktop.launch.node import NodeLauncher
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.services.alerts import Alerts
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.commands import command_handlers
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.layout_groups import Grouping
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.methods import OPERATIONS, offer_services
from rostrum.desktop.services.notifications import Notifications
from rostrum.desktop.services.search import Search
from rostrum.desktop.services.themes import ThemeService, themes_of
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.windows import WindowDesk
from rostrum.desktop.windows.chrome import first_channel
from rostrum.desktop.windows.loader import layout_loader
from rostrum.settings.standard_files import CHANNELS, STICKY_WINDOWS, THEMES, read_channels
from rostrum.sources.live import Change

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["open_services"]

_log = logging.getLogger(__name__)
_APPS_DEADLINE = 10.0
"""Seconds that apps get to end; half of what the platform has for its own end."""


async def open_services(platform: "Platform", root: Path, node: str) -> None:
    """Make the services and offer them on the gateway; ``root`` is where apps start, ``node`` what runs scripts."""
    settings = platform.settings
    platform.interceptors = Interceptors(settings.interception, OPERATIONS)
    platform.callers.gone.connect(platform.interceptors.forget)
    platform.window_registry = WindowRegistry(platform.host, platform.reports)
    platform.instances = Instances(
        platform.definition,
        _launchers(platform, root, node),
        title_format=settings.applications.title_format,
        new_id=new_id,
        names=platform.definitions,
        intercept=platform.interceptors.passed,
    )
    platform.window_registry.follow(platform.instances)
    platform.windows = WindowDesk(
        settings,
        platform.mode,
        platform.host,
        platform.instances,
        platform.definitions,
        reports=platform.reports,
        leave=platform.leave,
        ask=platform.peer.methods.call,
        clock=platform.clock,
        is_offline=lambda: platform.offline_reason is not None,
    )
    platform.parts.push_async_callback(platform.windows.close)
    platform.parts.push_async_callback(platform.instances.stop_all, _APPS_DEADLINE)
    platform.instances.ended.connect(platform.crashes.ended)
    platform.instances.ended.connect(lambda one: platform.app_tokens.end(one.instance.id))
    platform.instances.failed.connect(platform.app_tokens.end)
    channels, _ = read_channels(platform.loaded.contents(CHANNELS))
    platform.channels = Channels(settings.channels, platform.peer.contexts, channels)
    await platform.channels.open()
    platform.themes = ThemeService(
        themes_of(settings.themes, platform.loaded.contents(THEMES)),
        platform.host,
        platform.peer.contexts,
        platform.early.folders.user_data,
    )
    await platform.themes.open()
    sticky = platform.loaded.contents(STICKY_WINDOWS)
    if sticky:
        await platform.host.set_sticky_windows(sticky)
    platform.notifications = Notifications(settings.notifications, platform.host, new_id=new_id)
    platform.parts.push_async_callback(platform.notifications.close_all)
    platform.alerts = Alerts(settings.alerts, platform.host, new_id=new_id)
    platform.parts.push_async_callback(platform.alerts.close)
    loader, problem = layout_loader(settings.layouts.splash, platform.loaded.variables)
    if problem:
        _log.warning("%s; the loader of the platform is shown", problem)
    platform.layouts = LayoutService(
        platform.stores.layouts,
        platform.instances,
        platform.host,
        platform.startable,
        max_size=settings.layouts.components.max_size,
        close_on_hibernate=settings.applications.close_on_hibernate,
        channels=platform.channels,
        dialogs=platform.windows.dialogs,
        loader=loader,
        grouping=Grouping(platform.windows.groups, platform.windows.tabs),
        is_critical=platform.is_system_app,
    )
    platform.search = Search(
        settings.search_provider,
        platform.definitions,
        platform.stores.layouts.layouts,
        lambda: {"restart": "Restart the platform", "exit": "Exit the platform"},
    )
    changes = await offer_services(platform, platform.peer)
    platform.apps.changed.connect(lambda _: changes.push({"changed": "apps"}))
    platform.instances.started.connect(lambda one: changes.push({"started": one.id, "app": one.app}))
    platform.instances.ended.connect(lambda one: changes.push({"ended": one.instance.id, "app": one.instance.app}))
    platform.instances.retitled.connect(lambda one: changes.push({"retitled": one.id, "title": one.title}))
    platform.apps.changed.connect(lambda _: platform.windows.refresh_tray())
    platform.live.changed.connect(lambda change: _reapply(platform, change))
    await platform.windows.tray.show()
    platform.instances.started.connect(lambda one: _join_first_channel(platform, one))
    platform.instances.ended.connect(lambda one: platform.channels.leave(one.instance.id))
    if settings.close_running_instances_on_app_removed:
        platform.apps.changed.connect(
            lambda _: platform.windows.stop_unknown(lambda app: platform.known(app) is not None)
        )
    if platform.manager is not None and platform.session is not None and platform.takes_commands:
        session = platform.session
        manager = platform.manager
        interval = settings.commands.fetch_interval
        runner = CommandRunner(
            manager.client,
            manager.changes,
            lambda: session.id,
            command_handlers(platform),
            interval=settings.server.fetch_interval if interval is None else interval,
        )
        runner.start()
        platform.parts.push_async_callback(runner.stop)


def _launchers(platform: "Platform", root: Path, node: str) -> dict[str, Launcher]:
    surroundings = Surroundings(
        root=root,
        logs=platform.early.folders.user_data / "logs",
        variables=platform.loaded.variables,
        gateway=platform.gateway.address,
        token=platform.app_tokens.for_launch,
    )
    window = WindowLauncher(
        platform.host,
        platform.reports,
        platform.settings,
        platform.mode,
        stream=platform.stream,
        spelling=lambda: platform.live.value.spellchecker,
        opens_files=platform.opens_files,
        open_window=platform.window_registry.open,
    )
    return {
        "exe": ExeLauncher(surroundings),
        "node": NodeLauncher(
            surroundings, platform.early.folders.cache / "scripts", node=node, trusted=platform.is_trusted
        ),
        **dict.fromkeys(
            ("clickonce", "citrix"), NativeLauncher(platform.host, platform.reports, platform.settings, platform.mode)
        ),
        **dict.fromkeys(("window", "workspaces", "webGroup", "childWindow"), window),
    }


def _reapply(platform: "Platform", change: Change) -> None:
    if change.path == "spellchecker":
        platform.windows.set_spelling(change.new)
    else:
        platform.windows.set_requests(platform.page_requests())


def _join_first_channel(platform: "Platform", instance: Instance) -> None:
    details = instance.definition.get("details", {})
    channel = first_channel(instance.type, details, platform.settings.windows.channel_selector)
    if channel is not None and channel in platform.channels.names:
        platform.channels.join(instance.id, channel)
