"""appStores, layouts and applicationPreferences: the stores of the platform."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from rostrum.settings.problems import Severity
from rostrum.settings.scope import AppType, Effect, Stream, Unit
from rostrum.settings.setting import Need, Section, SectionProblem, setting
from rostrum.settings.types import Amount, Auth, Strings

Overrides = dict[str, Any] | None
_TRUSTED = (
    "Trust the app definitions of this store. Trusted apps can use file addresses, and their security settings apply."
)
_TRUSTED_SINCE = "9.10.1 and 10.0.3"
_DETAILS = "Settings for this type of store."
_KIND = (
    "Type of the store: a folder (path), a REST service (rest), the manager (server) or the memory of the platform "
    "(in-memory)."
)


class AppDefinitionOverrides(Section, since="9.1"):
    """Values laid over each definition of a store; top-level properties stand here directly."""

    model_config = ConfigDict(extra="allow")

    window: Overrides = setting(None, "Details that override those of web apps.", app_types=(AppType.WINDOW,))
    exe: Overrides = setting(None, "Details that override those of native apps.", app_types=(AppType.EXE,))
    node: Overrides = setting(None, "Details that override those of Node.js apps.", app_types=(AppType.NODE,))
    workspaces: Overrides = setting(
        None, "Details that override those of workspaces apps.", app_types=(AppType.WORKSPACES,)
    )
    web_group: Overrides = setting(
        None, "Details that override those of web group apps.", app_types=(AppType.WEB_GROUP,)
    )
    clickonce: Overrides = setting(
        None, "Details that override those of ClickOnce apps.", app_types=(AppType.CLICKONCE,)
    )
    citrix: Overrides = setting(None, "Details that override those of Citrix apps.", app_types=(AppType.CITRIX,))
    child_window: Overrides = setting(
        None, "Details that override those of child windows.", app_types=(AppType.CHILD_WINDOW,)
    )


class AppStoresCustomError(Section, effect=Effect.PLAIN):
    """The message shown when a required store cannot be retrieved."""

    enabled: bool = setting(default=False, text="Show this message instead of the built-in message.", addition=True)
    title: str | None = setting(None, "Title of the message.", addition=True, effect=Effect.PLAIN)
    body: str | None = setting(None, "Text of the message.", addition=True, effect=Effect.PLAIN)


class PathDetails(Section):
    """The folder of the definitions."""

    path: str = setting(
        ..., "Folder of the app definitions, absolute or relative. Environment variables such as %NAME% are replaced."
    )
    trusted: bool = setting(default=False, text=_TRUSTED, since=_TRUSTED_SINCE)


class RestDetails(Section):
    """How the definitions are fetched from a service."""

    url: str = setting(..., "Address of a REST service that returns an object with the app definitions.")
    auth: Auth = setting("no-auth", "Authentication method for the service.")
    cache_folder: str | None = setting(None, "Folder for cached responses.")
    enable_persistent_cache: bool = setting(default=True, text="Cache responses on disk.")
    poll_interval: Amount = setting(60000, "Interval at which the service is requested.", unit=Unit.MS)
    proxy: str | None = setting(None, "Proxy for requests to this store.")
    read_cache_after: Amount = setting(
        30000, "Time to wait for a response at start-up before the cached response is used.", unit=Unit.MS
    )
    reject_unauthorized: bool = setting(default=True, text="Refuse certificates that cannot be verified.")
    request_timeout: Amount = setting(20000, "Request timeout.", unit=Unit.MS)
    start_retries: Amount = setting(5, "Number of attempts to read the store at start-up.")
    start_retry_interval: Amount = setting(10000, "Delay between these attempts.", unit=Unit.MS)
    trusted: bool = setting(default=False, text=_TRUSTED, since=_TRUSTED_SINCE)


class InMemoryDetails(Section):
    """Who may define apps at run time."""

    allowed_apps: Strings = setting(
        ("*",), "Apps that can add app definitions to the store; * allows all apps.", since="10.0", stream=Stream.V10
    )


class _Store(Section):
    is_required: bool = setting(
        default=True,
        text="If true, the platform does not start if the store cannot be read. If false, it starts without the apps "
        "of the store.",
    )
    app_definition_overrides: AppDefinitionOverrides | None = setting(
        None, "Values that override those of each app definition in this store."
    )


class PathStore(_Store):
    """A store in a folder."""

    type: Literal["path"] = setting(
        ...,
        _KIND,
    )
    details: PathDetails = setting(..., _DETAILS)


class RestStore(_Store):
    """A store behind a REST service."""

    type: Literal["rest"] = setting(
        ...,
        _KIND,
    )
    details: RestDetails = setting(..., _DETAILS)


class ServerStore(_Store):
    """The store of the manager."""

    type: Literal["server"] = setting(
        ...,
        _KIND,
    )


class InMemoryStore(_Store):
    """A store that apps fill while the platform runs."""

    type: Literal["in-memory"] = setting(
        ...,
        _KIND,
        words={"in-memory": Need(since="10.0", stream=Stream.V10)},
    )
    details: InMemoryDetails = setting(InMemoryDetails, _DETAILS)


AppStore = Annotated[PathStore | RestStore | ServerStore | InMemoryStore, Field(discriminator="type")]
SystemAppStore = Annotated[PathStore | RestStore, Field(discriminator="type")]


def rest_only(store: Section, kind: str, names: tuple[str, ...]) -> Iterator[SectionProblem]:
    """Report each named setting that is set although the store is not of the type rest."""
    if kind == "rest":
        return
    for name in names:
        if name in store.model_fields_set:
            alias = type(store).model_fields[name].alias or name
            message = f"has no effect while the type is {kind}; it counts for rest only"
            yield SectionProblem(severity=Severity.NOTE, member=alias, message=message)


class LayoutComponents(Section, effect=Effect.PLAIN):
    """Parts of a layout."""

    max_size: Amount = setting(
        8192,
        "Maximum width and height of a window in a layout. Larger windows are reduced to the size of the screen.",
        unit=Unit.PX,
        since="9.9.4",
    )


class LayoutSplash(Section, effect=Effect.PLAIN):
    """The loader shown while a layout is restored."""

    disabled: bool | None = setting(None, "Do not show the loading screen.")
    height: Amount | None = setting(None, "Height of the loading screen.", unit=Unit.PX)
    width: Amount | None = setting(None, "Width of the loading screen.", unit=Unit.PX)
    title: str | None = setting(None, "Title of the loading screen.", effect=Effect.PLAIN)
    url: str | None = setting(
        None,
        "Address of the loading screen's page. Environment variables such as %NAME% are replaced.",
        effect=Effect.ADDRESS,
    )


class LayoutStore(Section, effect=Effect.ADDRESS):
    """The store of layouts."""

    type: Literal["file", "rest", "server"] = setting(
        "file", "Where the data is stored: in local files (file), at a REST service (rest) or in the manager (server)."
    )
    rest_url: str | None = setting(None, "Address of the service.", alias="restURL")
    rest_fetch_interval: Amount = setting(60, "Interval at which the service is requested.", unit=Unit.S)
    rest_client_auth: Auth = setting("negotiate", "Authentication method for the service.")
    reject_unauthorized: bool = setting(default=True, text="Refuse certificates that cannot be verified.")

    def findings(self) -> Iterator[SectionProblem]:
        """Report settings that apply in rest mode only."""
        names = ("rest_url", "rest_fetch_interval", "rest_client_auth", "reject_unauthorized")
        yield from rest_only(self, self.type, names)


class Layouts(Section, effect=Effect.PLAIN):
    """Layouts."""

    restore_default_global_on_startup: bool = setting(
        default=True, text="Restore the user's default layout (type Global) at start-up."
    )
    components: LayoutComponents = setting(LayoutComponents, "Parts of a layout.")
    splash: LayoutSplash = setting(LayoutSplash, "The loading screen that is shown while a layout is restored.")
    store: LayoutStore = setting(LayoutStore, "Storage of layouts.")


class PreferencesStore(Section, effect=Effect.ADDRESS):
    """The store of the preferences."""

    type: Literal["file", "rest", "server"] = setting(
        "file", "Where the data is stored: in local files (file), at a REST service (rest) or in the manager (server)."
    )
    rest_url: str | None = setting(None, "Address of the service; required for the type rest.", alias="restURL")
    rest_client_auth: Auth | None = setting(None, "Authentication method for the service.")
    new_data_check_interval: Amount = setting(
        1800,
        "Interval at which the service is requested for apps that have subscribed to changes of their preferences.",
        unit=Unit.S,
    )
    rest_backoff_factor: Amount = setting(
        1000, "Delay before the first retry. It doubles with each further retry.", unit=Unit.MS, since="9.10"
    )
    rest_retries: Amount = setting(3, "Number of retries after a failed request.", since="9.10")

    def findings(self) -> Iterator[SectionProblem]:
        """Require an address in rest mode, and report settings that apply in rest mode only."""
        yield from rest_only(self, self.type, ("rest_url", "rest_client_auth", "new_data_check_interval"))
        if self.type == "rest" and not self.rest_url:
            yield SectionProblem(severity=Severity.ERROR, member="restURL", message="is required when the type is rest")


class ApplicationPreferences(Section):
    """Preferences of apps."""

    store: PreferencesStore = setting(PreferencesStore, "Storage of preferences.")
