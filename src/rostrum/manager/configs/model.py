"""Configuration files and their scopes."""

from dataclasses import dataclass
from enum import StrEnum

from rostrum.manager.stamp import Stamp


class Scope(StrEnum):
    """For whom a configuration file counts, weakest first."""

    BASE = "base"
    VERSION = "version"
    GROUP = "group"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """One configuration file in one scope; ``target`` is the version, group or user, empty for base."""

    id: str
    file: str
    scope: Scope
    target: str
    contents: str
    stamp: Stamp
