"""Inputs and results of the phase that creates the services."""

from collections.abc import Mapping
from dataclasses import dataclass

from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.commands import Handler
from rostrum.desktop.crash_reports import CrashReports
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Reports
from rostrum.desktop.phases.configuration import LocalConfiguration, RemoteConfiguration
from rostrum.desktop.phases.gateway import RunningGateway
from rostrum.desktop.phases.manager import ManagerLink
from rostrum.desktop.phases.sign_in import SignedIn
from rostrum.desktop.services.alerts import Alerts
from rostrum.desktop.services.app_rights import AppRights
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.control import PlatformControl
from rostrum.desktop.services.dialogs import Dialogs
from rostrum.desktop.services.docking import Docking
from rostrum.desktop.services.flydowns import Flydowns
from rostrum.desktop.services.group_control import GroupControl
from rostrum.desktop.services.group_hibernation import GroupHibernation
from rostrum.desktop.services.group_opener import GroupOpener
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.hotkeys import Hotkeys
from rostrum.desktop.services.instances import Instances, PageTokens
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.methods import MethodRegistrar
from rostrum.desktop.services.native_windows import NativeWindows
from rostrum.desktop.services.notifications import Notifications
from rostrum.desktop.services.own_pages import OwnPages
from rostrum.desktop.services.popups import Popups
from rostrum.desktop.services.search import Search
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.themes import ThemeService
from rostrum.desktop.services.tray import Tray
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_questions import WindowQuestions
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.windows import WindowManager
from rostrum.desktop.services.workspace_layouts import WorkspaceLayouts
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.stores.open import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowServices:
    """The services around windows."""

    dialogs: Dialogs
    guards: Guards
    groups: WindowGroups
    tabs: TabGroups
    manager: WindowManager
    docking: Docking
    flydowns: Flydowns
    popups: Popups
    workspaces: Workspaces
    registry: WindowRegistry
    native: NativeWindows
    control: WindowControl
    questions: WindowQuestions


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The running services.

    Attributes:
        methods: Their methods on the gateway.
        commands: The handlers of the manager's commands.
        background: Background work of services.
    """

    apps: Apps
    instances: Instances
    interceptors: Interceptors
    windows: WindowServices
    group_control: GroupControl
    group_opener: GroupOpener
    group_hibernation: GroupHibernation
    channels: Channels
    themes: ThemeService
    notifications: Notifications
    hotkeys: Hotkeys
    rights: AppRights
    alerts: Alerts
    layouts: LayoutService
    workspace_layouts: WorkspaceLayouts
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
    """Results of earlier phases that services need."""

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
