"""Layouts: the stored record, and who may see it."""

from dataclasses import dataclass
from datetime import datetime

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
