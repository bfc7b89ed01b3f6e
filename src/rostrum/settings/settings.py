"""Settings and EarlySettings: system.json with a type for each value."""

from rostrum.settings.scope import Unit
from rostrum.settings.sections.alerts import Alerts
from rostrum.settings.sections.app_stores import AppStore, AppStoresCustomError, SystemAppStore
from rostrum.settings.sections.application_preferences import ApplicationPreferences
from rostrum.settings.sections.applications import Applications
from rostrum.settings.sections.auto_updater import AutoUpdater
from rostrum.settings.sections.channels import Channels
from rostrum.settings.sections.crash_reporter import CrashReporter
from rostrum.settings.sections.dialogs import Dialogs
from rostrum.settings.sections.env_vars import EnvVars
from rostrum.settings.sections.gateway import Gateway
from rostrum.settings.sections.interception import Interception
from rostrum.settings.sections.layouts import Layouts
from rostrum.settings.sections.notifications import Notifications
from rostrum.settings.sections.root import EarlyRoot, Root
from rostrum.settings.sections.search_provider import SearchProvider
from rostrum.settings.sections.server import Commands, Server
from rostrum.settings.sections.spellchecker import Spellchecker
from rostrum.settings.sections.sso_auth import SsoAuth
from rostrum.settings.sections.system_configurations import SystemConfigurations
from rostrum.settings.sections.themes import Themes
from rostrum.settings.sections.tray import Tray
from rostrum.settings.sections.window_management import EarlyWindowManagement, WindowManagement
from rostrum.settings.sections.windows import Windows
from rostrum.settings.setting import setting
from rostrum.settings.types import Amount


class EarlySettings(EarlyRoot):
    """The settings that code may read before anything is fetched."""

    window_management: EarlyWindowManagement = setting(EarlyWindowManagement, "How windows behave together.")


class Settings(Root):
    """All settings of system.json."""

    server: Server = setting(Server, "The connection to the manager.")
    crash_reporter: CrashReporter = setting(CrashReporter, "Crash reports.")
    sso_auth: SsoAuth = setting(SsoAuth, "The login screen.")
    auto_updater: AutoUpdater = setting(AutoUpdater, "Automatic updates.")
    system_configurations: SystemConfigurations = setting(SystemConfigurations, "Where settings come from.")
    gw: Gateway = setting(Gateway, "The embedded gateway.")
    app_stores: tuple[AppStore, ...] | None = setting(
        None, "Where app definitions come from; an empty array leaves the manager only."
    )
    system_app_stores: tuple[SystemAppStore, ...] | None = setting(
        None, "Where the apps that start with the platform come from; not watched for changes."
    )
    app_stores_timeout: Amount = setting(
        120000, "Longest wait for the app stores at start-up.", unit=Unit.MS, addition=True
    )
    app_stores_custom_error: AppStoresCustomError = setting(
        AppStoresCustomError, "Message when a required app store cannot be retrieved.", addition=True
    )
    shutdown_on_empty_app_list: bool = setting(
        default=False, text="Stop the start-up when no store has an app.", addition=True
    )
    close_running_instances_on_app_removed: bool = setting(
        default=False, text="Stop running instances of an app when its definition is removed.", addition=True
    )
    commands: Commands = setting(Commands, "Commands of the manager.", addition=True)
    env_vars: EnvVars = setting(EnvVars, "Environment variables of apps.", addition=True)
    layouts: Layouts = setting(Layouts, "Layouts.")
    application_preferences: ApplicationPreferences = setting(ApplicationPreferences, "Preferences of apps.")
    tray: Tray = setting(Tray, "The icon and its menu.")
    channels: Channels = setting(Channels, "Channels.")
    themes: Themes = setting(Themes, "Themes.", addition=True)
    notifications: Notifications = setting(Notifications, "Notifications.")
    alerts: Alerts = setting(Alerts, "Short messages of the platform.")
    dialogs: Dialogs = setting(Dialogs, "Questions of the platform.")
    search_provider: SearchProvider = setting(SearchProvider, "The built-in search.")
    interception: Interception = setting(Interception, "Interception of platform operations.")
    spellchecker: Spellchecker = setting(Spellchecker, "Spell checking.")
    applications: Applications = setting(Applications, "What holds for all apps.")
    window_management: WindowManagement = setting(WindowManagement, "How windows behave together.")
    windows: Windows = setting(Windows, "What holds for all windows.")
