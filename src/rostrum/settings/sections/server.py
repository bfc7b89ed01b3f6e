"""server and crashReporter: the manager of the platform, and where crash reports go."""

from typing import Literal

from rostrum.settings.scope import Effect, Unit
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Amount


class ServerFeatures(Section, effect=Effect.ADDRESS):
    """Features of the manager that are used."""

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


class ServerRequests(Section, effect=Effect.ADDRESS):
    """Requests to the manager."""

    timeout: Amount = setting(60000, "Time after which a request fails.", unit=Unit.MS, addition=True)


class Server(Section, effect=Effect.ADDRESS):
    """The connection to the manager, which also stores apps, layouts and preferences."""

    enabled: bool | None = setting(None, "Connect to the manager.")
    url: str | None = setting(
        None, "Address of the manager's API, including the path, such as https://manager.example.com/api."
    )
    fetch_interval: Amount = setting(
        30,
        "Interval at which apps, layouts, preferences and commands are requested while the manager cannot notify the "
        "desktop of changes.",
        unit=Unit.S,
        addition=True,
    )
    start_retries: Amount = setting(
        0,
        "Number of retries if the manager cannot be reached at start-up and there are no local copies. With local "
        "copies, the desktop starts offline immediately.",
        addition=True,
    )
    start_retry_interval: Amount = setting(10, "Delay between these retries.", unit=Unit.S, addition=True)
    token_refresh_interval: Amount | None = setting(
        None,
        "Interval at which the session token is renewed. It is always renewed before half of its lifetime has passed.",
        unit=Unit.S,
        addition=True,
    )
    features: ServerFeatures = setting(ServerFeatures, "Features of the manager that are used.", addition=True)
    requests: ServerRequests = setting(ServerRequests, "Requests to the manager.", addition=True)


class Commands(Section, effect=Effect.PLAIN):
    """Commands of the manager."""

    enabled: bool = setting(default=True, text="Execute commands of the manager.", addition=True)
    fetch_interval: Amount | None = setting(
        None,
        "Interval at which commands are requested while the manager cannot notify the desktop of them. Default: "
        "server.fetchInterval.",
        unit=Unit.S,
        addition=True,
    )


class CrashOutput(Section, effect=Effect.ADDRESS):
    """The receiver of crash reports."""

    type: Literal["server"] | None = setting(None, "Type of the receiver. The only type is server: the manager.")
    server_url: str | None = setting(
        None, "Address that receives crash reports, such as https://manager.example.com/api/crashes."
    )


class CrashReporter(Section, effect=Effect.ADDRESS):
    """Crash reports."""

    output: CrashOutput = setting(CrashOutput, "Receiver of reports.")
    enabled: bool = setting(default=True, text="Record crashes, and send crash reports.", addition=True)
    company_name: str | None = setting(None, "Name of the company in reports.", addition=True)
    product_name: str | None = setting(None, "Name of the product in reports.", addition=True)
