"""Layouts: the stored record, and who may see it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rostrum.base.json_text import raw
from rostrum.manager.stamp import Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A saved layout; its owner is a user id, or ``*`` for one that belongs to all."""

    id: str
    name: str
    type: str
    owner: str
    definition: str
    public: bool = False
    access: tuple[str, ...] = ()
    default: bool = False
    disabled: bool = False
    stamp: Stamp

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "type": self.type,
            "definition": raw(self.definition),
            "owner": self.owner,
            "public": self.public,
            "accessList": self.access,
            "default": self.default,
            "disabled": self.disabled,
            **self.stamp.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutAccess:
    """Who may see a layout, without its definition."""

    id: str
    name: str
    type: str
    owner: str
    public: bool = False
    access: tuple[str, ...] = ()
    default: bool = False
    disabled: bool = False
    created: datetime
    revision: int = 0
