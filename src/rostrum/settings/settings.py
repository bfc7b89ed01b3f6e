"""Settings and EarlySettings: system.json with a type for each value."""

from rostrum.settings.scope import Effect, Unit
from rostrum.settings.sections.app_rights import AppRights
from rostrum.settings.sections.applications import Applications, EnvVars, Interception
from rostrum.settings.sections.auto_updater import AutoUpdater
from rostrum.settings.sections.channels import Channels
from rostrum.settings.sections.gateway import Gateway
from rostrum.settings.sections.notifications import Notifications
from rostrum.settings.sections.root import EarlyRoot, Root
from rostrum.settings.sections.server import Commands, CrashReporter, Server
from rostrum.settings.sections.sso_auth import SsoAuth
from rostrum.settings.sections.stores import (
    ApplicationPreferences,
    AppStore,
    AppStoresCustomError,
    Layouts,
    SystemAppStore,
)
from rostrum.settings.sections.system_configurations import SystemConfigurations
from rostrum.settings.sections.user_interface import Alerts, Dialogs, SearchProvider, Spellchecker, Themes, Tray
from rostrum.settings.sections.window_management import EarlyWindowManagement, WindowManagement
from rostrum.settings.sections.windows import Windows
from rostrum.settings.setting import setting
from rostrum.settings.types import Amount


class EarlySettings(EarlyRoot):
    """The settings that code can read before sources are fetched."""

    window_management: EarlyWindowManagement = setting(EarlyWindowManagement, "Window management.")


class Settings(Root):
    """All settings of system.json."""

    server: Server = setting(Server, "The connection to the manager.")
    crash_reporter: CrashReporter = setting(CrashReporter, "Crash reports.")
    sso_auth: SsoAuth = setting(SsoAuth, "The sign-in page.")
    auto_updater: AutoUpdater = setting(AutoUpdater, "Automatic updates.")
    system_configurations: SystemConfigurations = setting(SystemConfigurations, "Sources of settings.")
    gw: Gateway = setting(Gateway, "The gateway of the desktop.")
    app_stores: tuple[AppStore, ...] | None = setting(
        None, "Sources of app definitions. If the array is empty, the manager is the only source.", effect=Effect.CODE
    )
    system_app_stores: tuple[SystemAppStore, ...] | None = setting(
        None, "Sources of the apps that the platform depends on. They are read only at start-up.", effect=Effect.CODE
    )
    app_stores_timeout: Amount = setting(
        120000, "Maximum time for reading the app stores at start-up.", unit=Unit.MS, addition=True, effect=Effect.PLAIN
    )
    app_stores_custom_error: AppStoresCustomError = setting(
        AppStoresCustomError, "Message that users see if a required app store cannot be read.", addition=True
    )
    shutdown_on_empty_app_list: bool = setting(
        default=False, text="Do not start if the app stores contain no apps.", addition=True, effect=Effect.PLAIN
    )
    close_running_instances_on_app_removed: bool = setting(
        default=False,
        text="Stop running instances of an app when its definition is removed.",
        addition=True,
        effect=Effect.PLAIN,
    )
    commands: Commands = setting(Commands, "Commands of the manager.", addition=True)
    env_vars: EnvVars = setting(EnvVars, "Environment variables of apps.", addition=True)
    layouts: Layouts = setting(Layouts, "Layouts.")
    application_preferences: ApplicationPreferences = setting(ApplicationPreferences, "Preferences of apps.")
    tray: Tray = setting(Tray, "The tray icon and its menu.")
    channels: Channels = setting(Channels, "Channels.")
    themes: Themes = setting(Themes, "Themes.", addition=True)
    notifications: Notifications = setting(Notifications, "Notifications.")
    alerts: Alerts = setting(Alerts, "Alerts of the platform.")
    dialogs: Dialogs = setting(Dialogs, "Dialogs of the platform.")
    app_rights: AppRights = setting(AppRights, "Rights of apps beyond their own windows and data.", addition=True)
    search_provider: SearchProvider = setting(SearchProvider, "The built-in search.")
    interception: Interception = setting(Interception, "Interception of platform operations.")
    spellchecker: Spellchecker = setting(Spellchecker, "Spell checking.")
    applications: Applications = setting(Applications, "Defaults for all apps.")
    window_management: WindowManagement = setting(WindowManagement, "Window management.")
    windows: Windows = setting(Windows, "Defaults for all windows.")
