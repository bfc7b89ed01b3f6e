"""Creates and opens the stores of apps, layouts and preferences."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

from rostrum.desktop.phases.configuration import RemoteConfiguration
from rostrum.desktop.phases.manager import ManagerLink
from rostrum.desktop.phases.sign_in import SignedIn
from rostrum.desktop.steps import Progress
from rostrum.settings.parse import running_for
from rostrum.settings.settings import Settings
from rostrum.stores.apps.registry import AppRegistry
from rostrum.stores.errors import RequiredStoreFailed, StoreFailed
from rostrum.stores.invalid import invalid_stores, refuse_required
from rostrum.stores.open import StoreLocation, Stores, make_stores


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedStores:
    """The stores, and optional stores with an invalid configuration."""

    stores: Stores
    missing: tuple[str, ...]

    def problems(self) -> list[str]:
        """List the current problems of the stores."""
        stores = self.stores
        return [
            *map(str, stores.system_apps.problems()),
            *map(str, stores.apps.problems()),
            *stores.layouts.problems,
            *stores.preferences.problems,
            *stores.offline_reasons(),
        ]


async def open_stores(
    step: Progress,
    configuration: RemoteConfiguration,
    signed_in: SignedIn,
    manager: ManagerLink,
    parts: AsyncExitStack,
) -> OpenedStores:
    """Open all stores; a required one that fails stops the start."""
    loaded, settings = configuration.loaded, configuration.settings
    folders, document = loaded.early.folders, loaded.system.document
    place = StoreLocation(
        root=loaded.early.start.root,
        user_data=folders.user_data,
        cache=folders.cache,
        variables=loaded.variables,
        user=signed_in.user,
        is_offline=signed_in.offline_reason is not None,
        fetch_interval=settings.server.fetch_interval,
        named_apps=_named_apps(settings),
    )
    invalid = invalid_stores(document, running_for(document, loaded.early.start.version))
    refuse_required(invalid)
    stores = make_stores(settings, place, manager.connection)
    missing = (*map(str, invalid), *stores.left_out)
    for problem in missing:
        step.degrade(problem)
    for service in stores.services:
        parts.push_async_callback(service.close)
    for registry in (stores.system_apps, stores.apps):
        parts.push_async_callback(registry.close)
        await _open_apps(registry, settings)
    if settings.shutdown_on_empty_app_list and not stores.apps.apps:
        raise StoreFailed("no app store has an app, and shutdownOnEmptyAppList is true")
    for part in (stores.layouts, stores.preferences):
        parts.push_async_callback(part.close)
        await part.open()
    for registry in (stores.system_apps, stores.apps):
        for store, reason in registry.failures.items():
            step.degrade(f"{store}: {reason}")
        for copy in registry.copies():
            step.degrade(str(copy))
    for reason in stores.offline_reasons():
        step.degrade(reason)
    step.note(f"{len(stores.apps.apps)} apps")
    return OpenedStores(stores=stores, missing=missing)


def _named_apps(settings: Settings) -> tuple[str, ...]:
    """Return the apps that may do more than others, by the settings."""
    rights = settings.app_rights.model_dump().values()
    named = (settings.interception.applications, settings.notifications.source_filter.allowed, *rights)
    return tuple(name for names in named for name in names or ())


async def _open_apps(registry: AppRegistry, settings: Settings) -> None:
    try:
        await registry.open(settings.app_stores_timeout / 1000)
    except RequiredStoreFailed as error:
        own = settings.app_stores_custom_error
        if not own.enabled:
            raise
        text = ": ".join(part for part in (own.title, own.body) if part)
        raise StoreFailed(f"{text} ({error})" if text else str(error)) from error
