"""Kind: the documents that hold settings, and the section each of them is."""

import re
from collections.abc import Mapping
from enum import StrEnum

from rostrum.settings.sections.browser_platform import AdminUi, BrowserConfig
from rostrum.settings.sections.gilding import EnvFile, Gilding
from rostrum.settings.setting import Section
from rostrum.settings.settings import Settings


class Kind(StrEnum):
    """A document that holds settings."""

    SYSTEM = "system.json"
    GILDING = "gilding.json"
    ENV = "env.json"
    BROWSER = "browser config"
    ADMIN_UI = "admin ui"


ROOTS: Mapping[Kind, type[Section]] = {
    Kind.SYSTEM: Settings,
    Kind.GILDING: Gilding,
    Kind.ENV: EnvFile,
    Kind.BROWSER: BrowserConfig,
    Kind.ADMIN_UI: AdminUi,
}

_NAMES = {
    Kind.SYSTEM: re.compile(r"system(-[^/\\]+)?\.json", re.IGNORECASE),
    Kind.GILDING: re.compile(r"gilding(-[^/\\]+)?\.json", re.IGNORECASE),
    Kind.ENV: re.compile(r"env\.json", re.IGNORECASE),
}


def kind_of(name: str) -> Kind | None:
    """Return the document type of a file by its name; ``None`` if it is unknown."""
    return next((kind for kind, pattern in _NAMES.items() if pattern.fullmatch(name)), None)
