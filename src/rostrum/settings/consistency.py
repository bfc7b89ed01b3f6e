"""What is wrong between settings of different sections, in a document that is complete."""

from collections.abc import Iterator

from rostrum.settings.problems import SettingProblem, Severity
from rostrum.settings.sections.stores import ServerStore
from rostrum.settings.settings import Settings

_OFF = "needs the manager, but server.enabled is not true"


def inconsistencies(settings: Settings) -> Iterator[SettingProblem]:
    """Find uses of the manager that cannot work: without its address, or while the connection to it is off."""
    if settings.server.enabled:
        if not settings.server.url:
            yield _error("server.url", "is required while server.enabled is true: the address of the manager")
        return
    stores = {
        "layouts.store.type": settings.layouts.store.type,
        "applicationPreferences.store.type": settings.application_preferences.store.type,
    }
    for path, kind in stores.items():
        if kind == "server":
            yield _error(path, f"server {_OFF}")
    # Entries that are left out would shift the others, so that their numbers in the document are not known here.
    if any(isinstance(store, ServerStore) and store.is_required for store in settings.app_stores or ()):
        yield _error("appStores", f"the store of the type server {_OFF}")


def _error(path: str, message: str) -> SettingProblem:
    return SettingProblem(path=path, message=message, severity=Severity.ERROR, incomplete=True)
