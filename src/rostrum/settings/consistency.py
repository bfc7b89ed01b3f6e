"""Checks across sections of a complete document."""

from collections.abc import Iterator

from rostrum.settings.problems import SettingProblem, Severity
from rostrum.settings.sections.stores import ServerStore
from rostrum.settings.settings import Settings

_OFF = "needs the manager, but server.enabled is not true"


def inconsistencies(settings: Settings) -> Iterator[SettingProblem]:
    """Find features that require the manager while its address is missing or the connection is disabled."""
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
    # Invalid entries were removed, so the positions of entries in the document are not known here.
    if any(isinstance(store, ServerStore) and store.is_required for store in settings.app_stores or ()):
        yield _error("appStores", f"the store of the type server {_OFF}")


def _error(path: str, message: str) -> SettingProblem:
    return SettingProblem(path=path, message=message, severity=Severity.ERROR, incomplete=True)
