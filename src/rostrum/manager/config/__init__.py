"""The manager's configuration: declares each option once, and reads it from the file and the environment."""

from rostrum.manager.config.cors import CorsOptions
from rostrum.manager.config.document import starter_document
from rostrum.manager.config.option import OptionInfo
from rostrum.manager.config.options import OPTIONS, ManagerConfig
from rostrum.manager.config.read import (
    ConfigInvalid,
    LoadedConfig,
    OptionOrigin,
    OriginKind,
    load_config_file,
    read_config,
)
from rostrum.manager.config.report import SettingInForce, describe, options, reference_markdown, settings_in_force

__all__ = [
    "OPTIONS",
    "ConfigInvalid",
    "CorsOptions",
    "LoadedConfig",
    "ManagerConfig",
    "OptionInfo",
    "OptionOrigin",
    "OriginKind",
    "SettingInForce",
    "describe",
    "load_config_file",
    "options",
    "read_config",
    "reference_markdown",
    "settings_in_force",
    "starter_document",
]
