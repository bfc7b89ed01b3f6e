"""server, commands: the connection to the manager, and the commands that it sends."""

from rostrum.settings.scope import Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount


class ServerFeatures(Section):
    """What the manager is used for."""

    applications_store: bool = setting(default=True, text="Add the manager as an app store.", addition=True)
    layouts_store: bool = setting(
        default=True, text="Store layouts in the manager, unless layouts.store.type is set.", addition=True
    )
    preferences_store: bool = setting(
        default=True,
        text="Store preferences in the manager, unless applicationPreferences.store.type is set.",
        addition=True,
    )
    commands: bool = setting(default=True, text="Execute commands of the manager.", addition=True)


class ServerRequests(Section):
    """Requests to the manager."""

    timeout: Amount = setting(60000, "Longest wait for an answer.", unit=Unit.MS, addition=True)


class Server(Section):
    """The manager, which is then one more app store and keeps layouts and preferences too."""

    enabled: bool | None = setting(None, "Connect to the manager.")
    url: str | None = setting(None, "Address of the manager's interface, with its path.")
    fetch_interval: Amount = setting(
        30,
        "How often to ask for apps, layouts, preferences and commands while the manager cannot announce changes.",
        unit=Unit.S,
        addition=True,
    )
    start_retries: Amount = setting(
        0,
        "How often to try again at start-up to reach the manager; a desktop with local copies starts offline at once.",
        addition=True,
    )
    start_retry_interval: Amount = setting(10, "Pause between these tries.", unit=Unit.S, addition=True)
    token_refresh_interval: Amount | None = setting(
        None,
        "How often to renew the token of the session; at the latest after half of its lifetime.",
        unit=Unit.S,
        addition=True,
    )
    features: ServerFeatures = setting(ServerFeatures, "What the manager is used for.", addition=True)
    requests: ServerRequests = setting(ServerRequests, "Requests to the manager.", addition=True)


class Commands(Section):
    """Commands of the manager."""

    enabled: bool = setting(default=True, text="Execute commands of the manager.", addition=True)
    fetch_interval: Amount | None = setting(
        None,
        "How often to ask for commands while the manager cannot announce them; by default server.fetchInterval.",
        unit=Unit.S,
        addition=True,
    )
