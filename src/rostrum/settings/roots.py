"""The section that is the root of each document with settings. Importing this module loads all sections."""

from collections.abc import Mapping

from rostrum.settings.kinds import SettingsFile
from rostrum.settings.sections.browser_platform import AdminUi, BrowserConfig
from rostrum.settings.sections.gilding import EnvFile, Gilding
from rostrum.settings.setting import Section
from rostrum.settings.settings import Settings

ROOTS: Mapping[SettingsFile, type[Section]] = {
    SettingsFile.SYSTEM: Settings,
    SettingsFile.GILDING: Gilding,
    SettingsFile.ENV: EnvFile,
    SettingsFile.BROWSER: BrowserConfig,
    SettingsFile.ADMIN_UI: AdminUi,
}
