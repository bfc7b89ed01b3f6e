"""Registers the methods on the gateway: those of the platform, and those for desktop client libraries."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

from rostrum import __version__
from rostrum.agents import AgentService
from rostrum.desktop import t42
from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.phases.running_services import Earlier, Services
from rostrum.desktop.services.alerts import AlertMethods
from rostrum.desktop.services.apps import AppMethods
from rostrum.desktop.services.channels import ChannelMethods
from rostrum.desktop.services.control import PlatformMethods, offer_changes
from rostrum.desktop.services.fdc3_agent import AgentPlatform, DesktopProfiles, program_of
from rostrum.desktop.services.fdc3_resolver import Resolver
from rostrum.desktop.services.flydowns import FlydownMethods
from rostrum.desktop.services.group_control import GroupMethods
from rostrum.desktop.services.group_hibernation import GroupControlMethods
from rostrum.desktop.services.guards import GuardMethods
from rostrum.desktop.services.interception import InterceptionMethods
from rostrum.desktop.services.layout_methods import LayoutMethods
from rostrum.desktop.services.notifications import NotificationMethods
from rostrum.desktop.services.popups import PopupMethods
from rostrum.desktop.services.preferences import PreferenceMethods
from rostrum.desktop.services.search import SearchMethods
from rostrum.desktop.services.tabs import TabMethods
from rostrum.desktop.services.themes import ThemeMethods
from rostrum.desktop.services.tray import TrayMethods
from rostrum.desktop.services.window_control import WindowControlMethods
from rostrum.desktop.services.windows import WindowMethods
from rostrum.desktop.t42.calls import Rights
from rostrum.desktop.t42.interface import ClientServices, offer_client_interface
from rostrum.desktop.t42.platform import PlatformFacts
from rostrum.desktop.t42.workspaces import WorkspaceServices


async def offer_methods(services: Services, earlier: Earlier, status: Callable[[], dict[str, Any]]) -> None:
    """Register the methods and streams of the platform itself."""
    peer, callers, windows = earlier.gateway.peer, earlier.gateway.callers, services.windows
    instances = services.instances
    preferences = PreferenceMethods(earlier.stores.preferences, callers, services.rights)
    await services.methods.offer(
        AppMethods(services.apps, instances),
        GuardMethods(windows.guards, instances),
        LayoutMethods(services.layouts),
        preferences,
        SearchMethods(services.search),
        ChannelMethods(services.channels),
        ThemeMethods(services.themes),
        NotificationMethods(services.notifications, services.rights),
        AlertMethods(services.alerts),
        WindowMethods(windows.manager, instances),
        WindowControlMethods(windows.control, windows.registry, services.rights),
        GroupMethods(windows.groups),
        GroupControlMethods(services.group_control, services.group_hibernation),
        TabMethods(windows.tabs),
        PopupMethods(windows.popups),
        FlydownMethods(windows.flydowns, callers, peer.methods.call),
        TrayMethods(services.tray),
        PlatformMethods(services.control, earlier.host, status),
        InterceptionMethods(services.interceptors, callers, peer),
    )
    await preferences.offer_changes(peer)
    await offer_changes(peer, services.apps, instances)


async def offer_agent(services: Services, earlier: Earlier, parts: AsyncExitStack) -> None:
    """Run the FDC3 agent of the desktop, and make it available to apps."""
    gateway = earlier.gateway
    # In the form in which the gateway compares users.
    user = gateway.gateway.user_of(gateway.peer.id) or earlier.signed_in.user
    profiles = DesktopProfiles(user, services.apps, services.channels)
    agents = AgentService(gateway.gateway, profiles, program_of(gateway.callers), version=__version__)
    await agents.start(gateway.peer)
    parts.push_async_callback(agents.stop)
    agent = await agents.agent_of(user)
    resolver = Resolver(earlier.host, services.instances, services.channels, services.windows.control.focus)
    # Before the host closes: do not wait for users who have not chosen an app yet.
    parts.push_async_callback(resolver.close)
    AgentPlatform(agent, services.instances, services.channels, resolver, services.background).follow()


async def offer_client_methods(services: Services, earlier: Earlier, parts: AsyncExitStack) -> None:
    """Register the methods that the desktop client libraries call."""
    peer, callers = earlier.gateway.peer, earlier.gateway.callers
    interceptors, background = services.interceptors, services.background
    calls = AppCalls(peer, callers)
    parts.push_async_callback(calls.close)
    await t42.channels.offer(
        peer, services.channels, services.instances, callers=callers, calls=calls, interceptors=interceptors
    )
    await t42.preferences.offer(peer, earlier.stores.preferences, callers, calls, interceptors, rights=services.rights)
    await t42.hotkeys.offer(peer, services.hotkeys, callers, calls, background, rights=services.rights)
    rights = Rights(services.instances, services.apps)
    await t42.displays.offer(peer, earlier.host, earlier.reports, rights, callers=callers, calls=calls)
    await t42.themes.offer(peer, services.themes, callers, interceptors)
    await t42.interception.offer(peer, interceptors, callers, calls)
    await t42.search.offer(peer, services.search, callers, calls, background)
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
            group_control=services.group_control,
            group_opener=services.group_opener,
            group_hibernation=services.group_hibernation,
            window_control=windows.control,
            guards=windows.guards,
            questions=windows.questions,
            control=services.control,
            facts=facts,
            rights=rights,
            app_rights=services.rights,
            docking=windows.docking,
            flydowns=windows.flydowns,
            popups=windows.popups,
            mode=earlier.local.mode,
        ),
        parts,
    )

    def title_of(app: str) -> str:
        definition = services.apps.definition(app)
        return str((definition or {}).get("title") or app)

    def context_of(instance: str) -> Mapping[str, Any]:
        window, running = services.windows.registry.get(instance), services.instances.get(instance)
        return window.context if window is not None else running.context if running is not None else {}

    await t42.workspaces.offer(
        peer,
        WorkspaceServices(
            workspaces=windows.workspaces,
            layouts=services.workspace_layouts,
            registry=windows.registry,
            control=windows.control,
        ),
        callers,
    )
    await t42.notifications.offer(
        peer,
        services.notifications,
        title_of,
        callers=callers,
        calls=calls,
        interceptors=interceptors,
        rights=services.rights,
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
