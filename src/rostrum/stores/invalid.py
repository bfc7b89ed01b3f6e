"""Stores that are not available because their configuration is invalid."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rostrum.base.problems import json_path
from rostrum.settings.problems import SettingProblem, Severity
from rostrum.settings.read import Reader
from rostrum.settings.running import Running
from rostrum.settings.settings import Settings
from rostrum.stores.errors import InvalidStores

_APP_STORES = {"appStores": "app_stores", "systemAppStores": "system_app_stores"}
_SINGLE_STORES = ("layouts", "applicationPreferences")
_FIRST = 0


@dataclass(frozen=True, slots=True)
class InvalidStore:
    """An entry that cannot be used.

    Attributes:
        path: Its path in system.json.
        reason: The problem.
        is_required: Whether the platform must not start without this store.
    """

    path: str
    reason: str
    is_required: bool = True

    def __str__(self) -> str:
        return f"{self.path}: the store is not available: {self.reason}"


def invalid_stores(document: Any, running: Running) -> tuple[InvalidStore, ...]:
    """Find the stores of a merged system.json that are omitted because their entries are invalid."""
    if not isinstance(document, dict):
        return ()
    return (*_app_stores(document, running), *_single_stores(document, running))


def refuse_required(invalid: tuple[InvalidStore, ...]) -> None:
    """Raise InvalidStores with all reasons if one of these stores is required."""
    required = [(one.path, one.reason) for one in invalid if one.is_required]
    if required:
        raise InvalidStores(required)


def _app_stores(document: dict[str, Any], running: Running) -> Iterator[InvalidStore]:
    for key, attribute in _APP_STORES.items():
        entries = document.get(key)
        if entries is not None and not isinstance(entries, list):
            yield InvalidStore(key, "must be an array of stores")
            continue
        for index, entry in enumerate(entries or ()):
            # Checked one by one, to identify the invalid entries.
            settings, errors = _read({key: [entry]}, running)
            if not getattr(settings, attribute, None) and errors:
                first = json_path((key, _FIRST))
                reasons = "; ".join(
                    ": ".join(part for part in (one.path.removeprefix(first).lstrip("."), one.message) if part)
                    for one in errors
                    if one.path.startswith(first)
                )
                is_optional = isinstance(entry, dict) and entry.get("isRequired") is False
                yield InvalidStore(json_path((key, index)), reasons, is_required=not is_optional)


def _single_stores(document: dict[str, Any], running: Running) -> Iterator[InvalidStore]:
    for key in _SINGLE_STORES:
        if key in document:
            _, errors = _read({key: document[key]}, running)
            for one in errors:
                # No fallback: another kind of store would keep edits where nobody expects them.
                if one.path in (key, f"{key}.store", f"{key}.store.type"):
                    yield InvalidStore(one.path, one.message)


def _read(document: dict[str, Any], running: Running) -> tuple[Settings | None, list[SettingProblem]]:
    reader = Reader(running)
    settings = reader.section(Settings, document, ())
    return settings, [one for one in reader.problems if one.severity is Severity.ERROR]
