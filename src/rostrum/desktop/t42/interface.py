"""The interface for the client libraries, built from the services of the platform."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

from rostrum.desktop.callers import Callers
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.services.app_catalog import AppCatalog
from rostrum.desktop.services.app_control import AppControl
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.arrangement import WindowArrangement
from rostrum.desktop.services.control import PlatformControl
from rostrum.desktop.services.docking import Docking
from rostrum.desktop.services.flydowns import Flydowns
from rostrum.desktop.services.group_control import GroupControl
from rostrum.desktop.services.group_hibernation import GroupHibernation
from rostrum.desktop.services.group_opener import GroupOpener
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.popups import Popups
from rostrum.desktop.services.readiness import Readiness
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_opener import WindowOpener
from rostrum.desktop.services.window_questions import WindowQuestions
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.t42.app_manager import AppServices, offer_app_manager
from rostrum.desktop.t42.apps import offer_apps
from rostrum.desktop.t42.calls import Rights
from rostrum.desktop.t42.desktop_commands import arrangement_event
from rostrum.desktop.t42.dialogs import WindowDialogs
from rostrum.desktop.t42.platform import PlatformFacts, PlatformServices, offer_platform
from rostrum.desktop.t42.window_commands import CommandServices
from rostrum.desktop.t42.window_events import EventServices, WindowEvents
from rostrum.desktop.t42.windows import offer_windows
from rostrum.gateway import LocalPeer
from rostrum.settings.scope import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientServices:
    """The services that the interface uses."""

    peer: LocalPeer
    callers: Callers
    host: WindowHost
    apps: Apps
    instances: Instances
    registry: WindowRegistry
    groups: WindowGroups
    tabs: TabGroups
    group_control: GroupControl
    group_opener: GroupOpener
    group_hibernation: GroupHibernation
    window_control: WindowControl
    guards: Guards
    questions: WindowQuestions
    control: PlatformControl
    facts: PlatformFacts
    rights: Rights
    app_rights: AppRights
    docking: Docking
    flydowns: Flydowns
    popups: Popups
    mode: Mode


async def offer_client_interface(services: ClientServices, parts: AsyncExitStack) -> None:
    """Register the methods for windows, apps and the platform for the client libraries."""
    peer, callers, instances, registry = services.peer, services.callers, services.instances, services.registry
    callers.gone.connect(services.questions.forget)
    control, rights = services.window_control, services.rights
    catalog = AppCatalog(services.apps)
    readiness = Readiness(callers, instances)
    followed = EventServices(
        registry=registry, groups=services.groups, tabs=services.tabs, hibernation=services.group_hibernation
    )
    events = await WindowEvents.offer(peer, followed)
    dialogs = WindowDialogs(services.host.ask, events.send)
    parts.push_async_callback(dialogs.close)
    arrangement = WindowArrangement(registry, control, lambda window: _may_be_arranged(services, window))
    arrangement.changed.connect(lambda change: events.publish(arrangement_event(change)))
    await offer_windows(
        CommandServices(
            registry=registry,
            control=control,
            opener=WindowOpener(registry, instances, services.host.screens, services.apps.definition),
            groups=services.groups,
            tabs=services.tabs,
            group_control=services.group_control,
            group_opener=services.group_opener,
            group_hibernation=services.group_hibernation,
            questions=services.questions,
            host=services.host,
            rights=rights,
            app_rights=services.app_rights,
            callers=callers,
            peer=peer,
            dialogs=dialogs,
            docking=services.docking,
            flydowns=services.flydowns,
            popups=services.popups,
            mode=services.mode,
            arrangement=arrangement,
        ),
        events,
    )
    apps = AppServices(
        catalog=catalog,
        control=AppControl(catalog, instances, registry, control, services.guards),
        instances=instances,
        readiness=readiness,
        callers=callers,
        peer=peer,
        memory_store=services.apps.memory_store,
    )
    await offer_app_manager(apps)
    await offer_platform(
        PlatformServices(
            facts=services.facts,
            control=services.control,
            guards=services.guards,
            host=services.host,
            instances=instances,
            rights=rights,
            registry=registry,
            readiness=readiness,
            callers=callers,
            peer=peer,
        )
    )
    await offer_apps(apps)


def _may_be_arranged(services: ClientServices, window: str) -> bool:
    """Return whether a window may be arranged with others: not in a group, and allowed by its definition."""
    instance = services.instances.get(window)
    is_alone = services.groups.of(window) is None and services.tabs.of(window) is None
    return is_alone and (instance is None or instance.definition.get("allowAutoArrange") is not False)
