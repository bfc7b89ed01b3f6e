"""Apps: the stored record, and who may see it."""

from dataclasses import dataclass
from typing import Any

from rostrum.base.json_text import raw
from rostrum.manager.stamp import Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """An app definition and who may see it."""

    name: str
    type: str
    title: str
    definition: str
    public: bool = False
    access: tuple[str, ...] = ()
    disabled: bool = False
    stamp: Stamp

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "definition": raw(self.definition),
            "public": self.public,
            "accessList": self.access,
            "disabled": self.disabled,
            **self.stamp.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AppAccess:
    """Who may see an app, without its definition."""

    name: str
    title: str
    public: bool = False
    access: tuple[str, ...] = ()
    disabled: bool = False
    revision: int = 0
