"""tray: the icon in the notification area and its menu."""

from rostrum.settings.setting import Section, setting


class Tray(Section):
    """The icon and its menu."""

    about: bool = setting(default=True, text="Offer About.")
    applications: bool = setting(default=True, text="Offer the apps.")
    diagnostic: bool = setting(default=True, text="Offer diagnostics.")
    enabled: bool = setting(default=True, text="Show the icon.")
    exit: bool = setting(default=True, text="Offer to leave.")
    feedback: bool = setting(default=True, text="Offer to send feedback.")
    hotkeys: bool = setting(default=True, text="Offer the keyboard shortcuts.")
    info: bool = setting(default=True, text="Offer information.")
    open: bool = setting(default=True, text="Offer to open the platform.")
    restart: bool = setting(default=True, text="Offer to restart.")
    themes: bool = setting(default=True, text="Offer the themes.")
    notifications: bool = setting(default=False, text="Offer the notifications.")
