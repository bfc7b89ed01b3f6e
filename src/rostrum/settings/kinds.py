"""Kind: the documents that hold settings, and the section each of them is."""

from collections.abc import Mapping
from enum import StrEnum

from rostrum.settings.sections.admin_ui import AdminUi
from rostrum.settings.sections.browser import BrowserConfig
from rostrum.settings.sections.gilding import EnvFile, Gilding
from rostrum.settings.setting import Section
from rostrum.settings.settings import Settings

__all__ = ["ROOTS", "Kind"]


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
