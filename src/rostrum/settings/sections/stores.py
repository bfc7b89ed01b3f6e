"""appStores, layouts and applicationPreferences: the stores of the platform."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from rostrum.settings.problems import Severity
from rostrum.settings.scope import AppType, Stream, Unit
from rostrum.settings.setting import Need, Section, SectionProblem, setting
from rostrum.settings.types import Amount, Auth, Strings

Overrides = dict[str, Any] | None
_TRUSTED = "Trust the definitions of this store."
_TRUSTED_SINCE = "9.10.1 and 10.0.3"
_DETAILS = "Settings for this type of store."


class AppDefinitionOverrides(Section, since="9.1"):
    """Values laid over each definition of a store; top-level properties stand here directly."""

    model_config = ConfigDict(extra="allow")

    window: Overrides = setting(None, "Default details of web apps.", app_types=(AppType.WINDOW,))
    exe: Overrides = setting(None, "Default details of native apps.", app_types=(AppType.EXE,))
    node: Overrides = setting(None, "Default details of Node apps.", app_types=(AppType.NODE,))
    workspaces: Overrides = setting(None, "Default details of workspaces apps.", app_types=(AppType.WORKSPACES,))
    web_group: Overrides = setting(None, "Default details of web group apps.", app_types=(AppType.WEB_GROUP,))
    clickonce: Overrides = setting(None, "Default details of ClickOnce apps.", app_types=(AppType.CLICKONCE,))
    citrix: Overrides = setting(None, "Default details of Citrix apps.", app_types=(AppType.CITRIX,))
    child_window: Overrides = setting(None, "Default details of child windows.", app_types=(AppType.CHILD_WINDOW,))


class AppStoresCustomError(Section):
    """The message shown when a required store cannot be retrieved."""

    enabled: bool = setting(default=False, text="Show this message.", addition=True)
    title: str | None = setting(None, "Title of the message.", addition=True)
    body: str | None = setting(None, "Text of the message.", addition=True)


class PathDetails(Section):
    """The folder of the definitions."""

    path: str = setting(..., "Folder of the definitions, absolute or relative; environment variables are expanded.")
    trusted: bool = setting(default=False, text=_TRUSTED, since=_TRUSTED_SINCE)


class RestDetails(Section):
    """How the definitions are fetched from a service."""

    url: str = setting(..., "Address of the REST service; it returns an object with the applications.")
    auth: Auth = setting("no-auth", "Authentication method for the service.")
    cache_folder: str | None = setting(None, "Folder for cached responses.")
    enable_persistent_cache: bool = setting(default=True, text="Cache responses on disk.")
    poll_interval: Amount = setting(60000, "Polling interval.", unit=Unit.MS)
    proxy: str | None = setting(None, "Proxy for requests to this store.")
    read_cache_after: Amount = setting(30000, "Delay before the cached response is used.", unit=Unit.MS)
    reject_unauthorized: bool = setting(default=True, text="Refuse certificates that cannot be verified.")
    request_timeout: Amount = setting(20000, "Request timeout.", unit=Unit.MS)
    start_retries: Amount = setting(5, "Number of attempts at start-up.")
    start_retry_interval: Amount = setting(10000, "Delay between attempts at start-up.", unit=Unit.MS)
    trusted: bool = setting(default=False, text=_TRUSTED, since=_TRUSTED_SINCE)


class InMemoryDetails(Section):
    """Who may define apps at run time."""

    allowed_apps: Strings = setting(
        ("*",), "Apps that can use the store; * allows all apps.", since="10.0", stream=Stream.V10
    )


class _Store(Section):
    is_required: bool = setting(
        default=True, text="Do not start if the store cannot be read; otherwise start without its apps."
    )
    app_definition_overrides: AppDefinitionOverrides | None = setting(None, "Default values for each definition.")


class PathStore(_Store):
    """A store in a folder."""

    type: Literal["path"] = setting(..., "Kind of store.")
    details: PathDetails = setting(..., _DETAILS)


class RestStore(_Store):
    """A store behind a REST service."""

    type: Literal["rest"] = setting(..., "Kind of store.")
    details: RestDetails = setting(..., _DETAILS)


class ServerStore(_Store):
    """The store of the manager."""

    type: Literal["server"] = setting(..., "Kind of store.")


class InMemoryStore(_Store):
    """A store that apps fill while the platform runs."""

    type: Literal["in-memory"] = setting(
        ..., "Kind of store.", words={"in-memory": Need(since="10.0", stream=Stream.V10)}
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


class LayoutComponents(Section):
    """Parts of a layout."""

    max_size: Amount = setting(
        8192, "Maximum width or height; larger parts are fitted to the screen.", unit=Unit.PX, since="9.9.4"
    )


class LayoutSplash(Section):
    """The loader shown while a layout is restored."""

    disabled: bool | None = setting(None, "Show no loader.")
    height: Amount | None = setting(None, "Height of the loader.", unit=Unit.PX)
    width: Amount | None = setting(None, "Width of the loader.", unit=Unit.PX)
    title: str | None = setting(None, "Title of the loader.")
    url: str | None = setting(None, "Page of the loader; environment variables are expanded.")


class LayoutStore(Section):
    """The store of layouts."""

    type: Literal["file", "rest", "server"] = setting("file", "Storage: local files, a REST service or the manager.")
    rest_url: str | None = setting(None, "Address of the service.", alias="restURL")
    rest_fetch_interval: Amount = setting(60, "Polling interval.", unit=Unit.S)
    rest_client_auth: Auth = setting("negotiate", "Authentication method for the service.")
    reject_unauthorized: bool = setting(default=True, text="Refuse certificates that cannot be verified.")

    def findings(self) -> Iterator[SectionProblem]:
        """Report settings that apply in rest mode only."""
        names = ("rest_url", "rest_fetch_interval", "rest_client_auth", "reject_unauthorized")
        yield from rest_only(self, self.type, names)


class Layouts(Section):
    """Layouts."""

    restore_default_global_on_startup: bool = setting(
        default=True, text="Restore the default Global layout at start-up."
    )
    components: LayoutComponents = setting(LayoutComponents, "Parts of a layout.")
    splash: LayoutSplash = setting(LayoutSplash, "The loader shown while restoring.")
    store: LayoutStore = setting(LayoutStore, "Storage of layouts.")


class PreferencesStore(Section):
    """The store of the preferences."""

    type: Literal["file", "rest", "server"] = setting("file", "Storage: local files, a REST service or the manager.")
    rest_url: str | None = setting(None, "Address of the service; required for the type rest.", alias="restURL")
    rest_client_auth: Auth | None = setting(None, "Authentication method for the service.")
    new_data_check_interval: Amount = setting(1800, "Polling interval for apps with subscribers.", unit=Unit.S)
    rest_backoff_factor: Amount = setting(
        1000, "Factor of the increasing delay between retries.", unit=Unit.MS, since="9.10"
    )
    rest_retries: Amount = setting(3, "Number of retries.", since="9.10")

    def findings(self) -> Iterator[SectionProblem]:
        """Require an address in rest mode, and report settings that apply in rest mode only."""
        yield from rest_only(self, self.type, ("rest_url", "rest_client_auth", "new_data_check_interval"))
        if self.type == "rest" and not self.rest_url:
            yield SectionProblem(severity=Severity.ERROR, member="restURL", message="is required when the type is rest")


class ApplicationPreferences(Section):
    """Preferences of apps."""

    store: PreferencesStore = setting(PreferencesStore, "Storage of preferences.")
