"""server: the connection to the manager."""

from rostrum.settings.setting import Section, setting

__all__ = ["Server"]


class Server(Section):
    """The manager, which is then one more app store and keeps layouts and preferences too."""

    enabled: bool | None = setting(None, "Connect to the manager.")
    url: str | None = setting(None, "Address of the manager's interface, with its path.")
