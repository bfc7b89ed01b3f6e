"""The documents that contain settings."""

import re
from enum import StrEnum


class SettingsFile(StrEnum):
    """A document that contains settings."""

    SYSTEM = "system.json"
    GILDING = "gilding.json"
    ENV = "env.json"
    BROWSER = "browser config"
    ADMIN_UI = "admin ui"


_NAMES = {
    SettingsFile.SYSTEM: re.compile(r"system(-[^/\\]+)?\.json", re.IGNORECASE),
    SettingsFile.GILDING: re.compile(r"gilding(-[^/\\]+)?\.json", re.IGNORECASE),
    SettingsFile.ENV: re.compile(r"env\.json", re.IGNORECASE),
}


def name_pattern(kind: SettingsFile) -> str | None:
    """Return the regular expression of the file names of a document, regardless of case; ``None`` if it has no file."""
    pattern = _NAMES.get(kind)
    return None if pattern is None else pattern.pattern


def kind_of(name: str) -> SettingsFile | None:
    """Return the document type of a file by its name; ``None`` if it is unknown."""
    return next((kind for kind, pattern in _NAMES.items() if pattern.fullmatch(name)), None)
