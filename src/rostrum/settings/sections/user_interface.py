"""What the platform itself shows: dialogs, alerts, splash screen, tray icon, themes, search and spelling."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Strict

from rostrum.settings.scope import Effect, Scope, Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount, Strings

Types = Annotated[tuple[Literal["application", "layout", "workspace", "action"], ...], Strict(strict=False)]


class EnableDefaultDialogs(Section, effect=Effect.PLAIN):
    """Built-in dialogs that are shown."""

    prevent_shutdown: bool = setting(default=True, text="Show a dialog if an app prevents the shutdown.")
    prevent_window_close: bool = setting(default=True, text="Show a dialog if an app prevents the closing of a window.")
    unsaved_layout_changes: bool = setting(
        default=False, text="Show a dialog if a layout has unsaved changes.", since="9.2"
    )


class Dialogs(Section, effect=Effect.PLAIN):
    """Dialogs of the platform."""

    url: str | None = setting(
        None, "Address of a page that shows dialogs, instead of the built-in page.", effect=Effect.ADDRESS
    )
    height: Amount = setting(205, "Height of a dialog.", unit=Unit.PX)
    width: Amount = setting(400, "Width of a dialog.", unit=Unit.PX)
    transparent: bool | None = setting(None, "Show dialogs with a transparent background.")
    enable_default_dialogs: EnableDefaultDialogs = setting(EnableDefaultDialogs, "Built-in dialogs that are shown.")


class Alerts(Section, since="9.9", effect=Effect.PLAIN):
    """Alerts of the platform."""

    enabled: bool = setting(default=True, text="Show alerts.")
    height: Amount = setting(82, "Height of an alert.", unit=Unit.PX)
    width: Amount = setting(400, "Width of an alert.", unit=Unit.PX)
    ttl: Amount = setting(5000, "Time for which an alert is shown.", unit=Unit.MS)
    rounded_corners: bool = setting(default=False, text="Draw alerts with rounded corners.")
    transparent: bool = setting(default=True, text="Show alerts with a transparent background.")
    url: str | None = setting(
        None, "Address of a page that shows alerts, instead of the built-in page.", effect=Effect.ADDRESS
    )


class Splash(Section, scope=Scope.LOCAL_ONLY):
    """The window shown while the platform starts."""

    always_on_top: bool | None = setting(None, "Keep the splash screen above other windows.", since="9.5")
    block_startup: bool = setting(default=True, text="Continue the start only after the splash screen is shown.")
    disabled: bool | None = setting(None, "Do not show the splash screen.")
    height: Amount = setting(233, "Height of the splash screen.", unit=Unit.PX)
    width: Amount = setting(350, "Width of the splash screen.", unit=Unit.PX)
    show_in_taskbar: bool = setting(default=True, text="Show the splash screen in the taskbar.", since="9.7")
    show_on_shutdown: bool = setting(default=True, text="Also show the splash screen at shutdown.")
    timeout: Amount = setting(
        5000, "Maximum time for which the start waits until the splash screen is shown.", unit=Unit.MS
    )
    transparent: bool = setting(default=True, text="Show the splash screen with a transparent background.")
    url: str | None = setting(None, "Address of the splash screen's page. Default: the built-in page.")


class Tray(Section, effect=Effect.PLAIN):
    """The tray icon and its menu."""

    about: bool = setting(default=True, text="Show the menu item About.")
    applications: bool = setting(default=True, text="Show the menu item for the apps.")
    diagnostic: bool = setting(default=True, text="Show the menu item for diagnostics.")
    enabled: bool = setting(default=True, text="Show the tray icon.")
    exit: bool = setting(default=True, text="Show the menu item to exit.")
    feedback: bool = setting(default=True, text="Show the menu item to send feedback.")
    hotkeys: bool = setting(default=True, text="Show the menu item for keyboard shortcuts.")
    info: bool = setting(default=True, text="Show the menu item for information.")
    open: bool = setting(default=True, text="Show the menu item to open the platform.")
    restart: bool = setting(default=True, text="Show the menu item to restart.")
    themes: bool = setting(default=True, text="Show the menu item for the themes.")
    notifications: bool = setting(default=False, text="Show the menu item for the notifications.")


class Theme(Section):
    """One theme; other members are for the windowing system."""

    model_config = ConfigDict(extra="allow")

    name: str = setting(..., "Unique name of the theme.", addition=True, effect=Effect.PLAIN)
    display_name: str | None = setting(None, "Name of the theme that users see.", addition=True, effect=Effect.PLAIN)


class Themes(Section):
    """The themes of the platform."""

    available_themes: tuple[Theme, ...] | None = setting(
        None, "Available themes, in addition to those of themes.json.", unique="name", addition=True
    )


class SearchProvider(Section, effect=Effect.PLAIN):
    """The built-in search."""

    enabled: bool = setting(default=True, text="Enable the built-in search for apps, layouts, workspaces and actions.")
    types: Types = setting(("application", "layout", "workspace", "action"), "Types of results.")


class Spellchecker(Section, since="9.6", scope=Scope.REAPPLIED, effect=Effect.PLAIN):
    """Spell checking."""

    enabled: bool = setting(default=True, text="Check spelling.")
    languages: Strings | None = setting(
        None,
        "Codes of the languages whose spelling is checked, such as en-US. Default: the language of the system.",
        effect=Effect.PLAIN,
    )
    dictionary_download_url: str | None = setting(
        None,
        "Address from which dictionaries are downloaded. Default: a public server of Google.",
        alias="dictionaryDownloadURL",
        effect=Effect.ADDRESS,
    )
