"""appStores, systemAppStores: where app definitions come from."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from rostrum.settings.scope import AppType, Stream, Unit
from rostrum.settings.setting import Need, Section, setting
from rostrum.settings.types import Amount, Auth, Strings

Overrides = dict[str, Any] | None
_TRUSTED = "Trust the definitions of this store."
_TRUSTED_SINCE = "9.10.1 and 10.0.3"
_DETAILS = "What this kind of store needs to know."


class AppDefinitionOverrides(Section, since="9.1"):
    """Values laid over each definition of a store; top-level properties stand here directly."""

    model_config = ConfigDict(extra="allow")

    window: Overrides = setting(None, "Laid over the details of web apps.", app_types=(AppType.WINDOW,))
    exe: Overrides = setting(None, "Laid over the details of native apps.", app_types=(AppType.EXE,))
    node: Overrides = setting(None, "Laid over the details of Node apps.", app_types=(AppType.NODE,))
    workspaces: Overrides = setting(None, "Laid over the details of workspaces apps.", app_types=(AppType.WORKSPACES,))
    web_group: Overrides = setting(None, "Laid over the details of web group apps.", app_types=(AppType.WEB_GROUP,))
    clickonce: Overrides = setting(None, "Laid over the details of ClickOnce apps.", app_types=(AppType.CLICKONCE,))
    citrix: Overrides = setting(None, "Laid over the details of Citrix apps.", app_types=(AppType.CITRIX,))
    child_window: Overrides = setting(
        None, "Laid over the details of child windows.", app_types=(AppType.CHILD_WINDOW,)
    )


class AppStoresCustomError(Section):
    """The message shown when a required store cannot be retrieved."""

    enabled: bool = setting(default=False, text="Show this message.", addition=True)
    title: str | None = setting(None, "Title of the message.", addition=True)
    body: str | None = setting(None, "Text of the message.", addition=True)


class PathDetails(Section):
    """Where the definitions lie on this machine."""

    path: str = setting(..., "Folder of the definitions, absolute or relative; environment variables are expanded.")
    trusted: bool = setting(default=False, text=_TRUSTED, since=_TRUSTED_SINCE)


class RestDetails(Section):
    """How the definitions are fetched from a service."""

    url: str = setting(..., "Address that answers an object with the applications.")
    auth: Auth = setting("no-auth", "How to prove to the service who asks.")
    cache_folder: str | None = setting(None, "Folder for the copy kept of the answers.")
    enable_persistent_cache: bool = setting(default=True, text="Keep a copy of the answers on disk.")
    poll_interval: Amount = setting(60000, "How often to ask again.", unit=Unit.MS)
    proxy: str | None = setting(None, "Proxy for requests to this store.")
    read_cache_after: Amount = setting(30000, "How long to wait before the copy is used.", unit=Unit.MS)
    reject_unauthorized: bool = setting(default=True, text="Refuse certificates that cannot be verified.")
    request_timeout: Amount = setting(20000, "Longest wait for an answer.", unit=Unit.MS)
    start_retries: Amount = setting(5, "How often to try at start-up.")
    start_retry_interval: Amount = setting(10000, "Pause between tries at start-up.", unit=Unit.MS)
    trusted: bool = setting(default=False, text=_TRUSTED, since=_TRUSTED_SINCE)


class InMemoryDetails(Section):
    """Who may define apps at run time."""

    allowed_apps: Strings = setting(
        ("*",), "Apps that may use the store; * lets all of them.", since="10.0", stream=Stream.V10
    )


class _Store(Section):
    is_required: bool = setting(
        default=True, text="Stop the start when the store cannot be read; otherwise go on without its apps."
    )
    app_definition_overrides: AppDefinitionOverrides | None = setting(None, "Values laid over each definition.")


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
