"""The standard files beside system.json that contain no settings of the catalogue."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rostrum.settings.log_configuration import read_log4js
from rostrum.settings.parse import NEWEST, running_for
from rostrum.settings.problems import SettingProblem, Severity, shown
from rostrum.settings.read import Reader
from rostrum.settings.sections.channels import Channel, Channels
from rostrum.settings.sections.user_interface import Theme, Themes

CHANNELS = "channels.json"
THEMES = "themes.json"
STICKY_WINDOWS = "stickywindows.json"
LOGGER = "logger.json"


def read_channels(document: Any) -> tuple[tuple[Channel, ...], tuple[SettingProblem, ...]]:
    """Read channels.json: an array of channels, or an object with ``definitions`` or ``channels``."""
    items, at, wrong = _items(document, ("definitions", "channels"))
    reader = Reader(running_for({}, NEWEST))
    section = reader.section(Channels, {"definitions": items}, ())
    channels = section.definitions if section is not None else None
    return channels or (), (*wrong, *_moved(reader.problems, "definitions", at))


def read_themes(document: Any) -> tuple[tuple[Theme, ...], tuple[SettingProblem, ...]]:
    """Read themes.json: an array of themes, or an object with ``availableThemes`` or ``themes``."""
    items, at, wrong = _items(document, ("availableThemes", "themes"))
    reader = Reader(running_for({}, NEWEST))
    section = reader.section(Themes, {"availableThemes": items}, ())
    themes = section.available_themes if section is not None else None
    return themes or (), (*wrong, *_moved(reader.problems, "availableThemes", at))


def check_standard_file(name: str, document: Any) -> tuple[SettingProblem, ...]:
    """Validate one of these files; files with other names have no problems."""
    check = _CHECKS.get(name.lower())
    return check(document) if check is not None and document else ()


def _items(document: Any, names: tuple[str, ...]) -> tuple[list[Any], str, tuple[SettingProblem, ...]]:
    """Return the array, its path, and the problems of the document."""
    if isinstance(document, list):
        return document, "", ()
    if isinstance(document, dict):
        for name in names:
            if isinstance(document.get(name), list):
                return document[name], name, ()
    if document in ({}, None):
        return [], "", ()
    message = f"must be an array, or an object with the array {names[0]}, not {shown(document)}"
    return [], "", (SettingProblem(path="", message=message, severity=Severity.ERROR, value=document),)


def _moved(problems: list[SettingProblem], name: str, at: str) -> tuple[SettingProblem, ...]:
    return tuple(replace(one, path=at + one.path.removeprefix(name)) for one in problems)


_CHECKS: Mapping[str, Callable[[Any], tuple[SettingProblem, ...]]] = MappingProxyType(
    {
        CHANNELS: lambda document: read_channels(document)[1],
        THEMES: lambda document: read_themes(document)[1],
        LOGGER: lambda document: read_log4js(document)[1],
    }
)
