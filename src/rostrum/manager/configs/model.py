"""Configuration files and their scopes."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rostrum.base.json_text import raw
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

    def as_json(self) -> dict[str, Any]:
        """Show a configuration file to administrators."""
        view: dict[str, Any] = {
            "id": self.id,
            "file": self.file,
            "scope": self.scope.value,
            "contents": raw(self.contents),
        }
        if self.scope is not Scope.BASE:
            view[self.scope.value] = self.target
        return {**view, **self.stamp.as_json()}
