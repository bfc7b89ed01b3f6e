"""Creates the stores that the settings declare, in their order and with their credentials."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rostrum.base.placeholders import expand
from rostrum.client.changes import Connection
from rostrum.client.credentials import Credentials, credentials_for
from rostrum.client.layout_calls import RestLayoutCalls
from rostrum.client.preference_calls import RestPreferenceCalls
from rostrum.client.service import Service
from rostrum.settings.sections.stores import AppStore as AppStoreSettings
from rostrum.settings.sections.stores import InMemoryStore, PathStore, RestStore, ServerStore
from rostrum.settings.settings import Settings
from rostrum.stores.apps.memory_store import MemoryAppStore
from rostrum.stores.apps.path_store import PathAppStore
from rostrum.stores.apps.registry import AppRegistry
from rostrum.stores.apps.remote_store import READ_CACHE_AFTER, Timing
from rostrum.stores.apps.rest_store import RestAppStore
from rostrum.stores.apps.store import AppStore
from rostrum.stores.errors import StoreFailed
from rostrum.stores.layouts.file_store import FileLayoutStore
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.layouts.store import LayoutStore
from rostrum.stores.manager_stores import (
    POLL_INTERVAL,
    ManagerAppStore,
    ManagerLayoutStore,
    ManagerPreferenceStore,
    folder_of,
)
from rostrum.stores.preferences.file_store import FilePreferenceStore
from rostrum.stores.preferences.remote_store import RemotePreferenceStore
from rostrum.stores.preferences.store import PreferenceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLocation:
    """The folders of this platform, and its user.

    Attributes:
        is_offline: Whether the manager is offline, so that its stores start with their copies immediately.
        named_apps: The names of apps to which settings give rights.
        fetch_interval: Seconds between requests while the manager cannot report changes.
    """

    root: Path
    user_data: Path
    cache: Path
    variables: Mapping[str, str]
    user: str = ""
    is_offline: bool = False
    fetch_interval: float = POLL_INTERVAL
    named_apps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """All stores of the platform, not opened yet.

    Attributes:
        system_apps: The apps that start with the platform; not watched for changes.
        services: The connections to close at the end.
        left_out: Reasons why optional stores are missing.
    """

    apps: AppRegistry
    system_apps: AppRegistry
    layouts: LayoutStore
    preferences: PreferenceStore
    services: tuple[Service, ...] = ()
    left_out: tuple[str, ...] = ()

    def offline_reasons(self) -> tuple[str, ...]:
        """Describe why layouts and preferences are copies; empty while their stores are online."""
        return tuple(
            f"{kind} {store.name}: {store.offline_reason}"
            for kind, store in (("layout store", self.layouts), ("preference store", self.preferences))
            if store.offline_reason is not None
        )


def make_stores(settings: Settings, place: StoreLocation, manager: Connection | None) -> Stores:
    """Create the stores of the settings; an enabled manager adds an app store and is the default for the others."""
    left_out: list[str] = []
    apps = list(_app_stores(settings.app_stores, "appStores", place, manager, left_out))
    is_extra = manager is not None and settings.server.features.applications_store
    if manager is not None and is_extra and not any(isinstance(store, ManagerAppStore) for store in apps):
        apps.append(_manager_apps(manager, place))
    # Whatever the order of the settings: an app must not define another one in place of that of a store.
    apps.sort(key=lambda store: isinstance(store, MemoryAppStore))
    system = list(_app_stores(settings.system_app_stores, "systemAppStores", place, manager, left_out))
    services: list[Service] = []
    return Stores(
        apps=AppRegistry(apps),
        system_apps=AppRegistry(system),
        layouts=_layouts(settings, place, manager, services),
        preferences=_preferences(settings, place, manager, services),
        services=tuple(services),
        left_out=tuple(left_out),
    )


def _app_stores(
    entries: Iterable[AppStoreSettings] | None,
    key: str,
    place: StoreLocation,
    manager: Connection | None,
    left_out: list[str],
) -> Iterator[AppStore]:
    for one in entries or ():
        try:
            yield _app_store(one, place, manager, watched=key == "appStores")
        except StoreFailed as error:
            if one.is_required:
                raise
            left_out.append(f"{key}: an optional store is not available: {error}")


def _app_store(
    settings: AppStoreSettings, place: StoreLocation, manager: Connection | None, *, watched: bool = True
) -> AppStore:
    if isinstance(settings, PathStore):
        return PathAppStore(
            place.root / _filled(settings.details.path, place),
            required=settings.is_required,
            trusted=settings.details.trusted,
            overrides=settings.app_definition_overrides,
            watched=watched,
        )
    if isinstance(settings, RestStore):
        return RestAppStore(
            settings,
            credentials_for(settings.details.auth),
            place.cache / "appStores",
            url=_filled(settings.details.url, place),
            user=place.user,
            watched=watched,
        )
    if isinstance(settings, InMemoryStore):
        return MemoryAppStore(
            settings.details.allowed_apps,
            overrides=settings.app_definition_overrides,
            named=(*place.named_apps, *settings.details.allowed_apps),
        )
    return _manager_apps(_wanted(manager, "appStores"), place, settings)


def _manager_apps(manager: Connection, place: StoreLocation, settings: ServerStore | None = None) -> ManagerAppStore:
    return ManagerAppStore(
        manager,
        place.cache / "appStores",
        user=place.user,
        required=settings.is_required if settings else True,
        overrides=settings.app_definition_overrides if settings else None,
        timing=_timing(place),
    )


def _timing(place: StoreLocation) -> Timing:
    if place.is_offline:
        # The service is offline, so do not wait for it.
        return Timing(poll_interval=place.fetch_interval, read_cache_after=0, start_retries=0)
    return Timing(poll_interval=place.fetch_interval, read_cache_after=READ_CACHE_AFTER)


def _layouts(
    settings: Settings, place: StoreLocation, manager: Connection | None, services: list[Service]
) -> LayoutStore:
    store = settings.layouts.store
    folder = place.user_data / "layouts"
    # If the manager is enabled, it stores layouts unless another store is configured.
    is_usual = manager is not None and settings.server.features.layouts_store and "type" not in store.model_fields_set
    if store.type == "server" or is_usual:
        connection = _wanted(manager, "layouts.store")
        return ManagerLayoutStore(connection, folder / "server", place.user, interval=place.fetch_interval)
    if store.type == "file":
        return FileLayoutStore(folder)
    credentials = credentials_for(store.rest_client_auth)
    service = _service(store.rest_url, "layouts.store", place, credentials, services, verify=store.reject_unauthorized)
    return RemoteLayoutStore(
        f"rest {service.shown}",
        RestLayoutCalls(service),
        _copy(folder, service, place),
        interval=store.rest_fetch_interval,
    )


def _preferences(
    settings: Settings, place: StoreLocation, manager: Connection | None, services: list[Service]
) -> PreferenceStore:
    store = settings.application_preferences.store
    folder = place.user_data / "prefs"
    features = settings.server.features
    is_usual = manager is not None and features.preferences_store and "type" not in store.model_fields_set
    if store.type == "server" or is_usual:
        connection = _wanted(manager, "applicationPreferences.store")
        return ManagerPreferenceStore(connection, folder / "server", place.user, interval=place.fetch_interval)
    if store.type == "file":
        return FilePreferenceStore(folder)
    credentials = credentials_for(store.rest_client_auth)
    service = _service(store.rest_url, "applicationPreferences.store", place, credentials, services)
    return RemotePreferenceStore(
        f"rest {service.shown}",
        RestPreferenceCalls(service),
        _copy(folder, service, place),
        interval=store.new_data_check_interval,
        backoff_factor=store.rest_backoff_factor,
        retries=int(store.rest_retries),
    )


def _copy(folder: Path, service: Service, place: StoreLocation) -> Path:
    """Return the folder of a copy: of one service and one user, so that no user gets or sends that of others."""
    return folder_of(f"{service.address}\0{place.user}", folder / "rest")


def _service(
    url: str | None,
    path: str,
    place: StoreLocation,
    credentials: Credentials,
    services: list[Service],
    *,
    verify: bool = True,
) -> Service:
    if not url:
        raise StoreFailed(f"{path}.restURL must be the address of the service")
    service = Service(_filled(url, place), credentials, verify=verify)
    services.append(service)
    return service


def _wanted(manager: Connection | None, path: str) -> Connection:
    if manager is None:
        raise StoreFailed(f"{path} requires the manager, but server.enabled is not true")
    return manager


def _filled(text: str, place: StoreLocation) -> str:
    expanded = expand(text, place.variables)
    if expanded.unknown:
        raise StoreFailed(f"{text}: there is no environment variable {expanded.unknown[0]}")
    return expanded.text
