"""Layouts: the stored record and its access list."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from rostrum.base.json_text import raw
from rostrum.manager.audiences import COMMON, Audience, EventKind, Readers
from rostrum.manager.document import SharedDocument, Stamp, sorted_names
from rostrum.manager.kinds import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout(SharedDocument):
    """A saved layout; its owner is a user ID, or ``*`` for a common layout."""

    kind: ClassVar = Kind.LAYOUT
    event_kind: ClassVar = EventKind.LAYOUTS
    content_member: ClassVar = "definition"

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
    rollout: str | None = None

    @property
    def key(self) -> str:
        return self.id

    @property
    def content(self) -> str:
        return self.definition

    @property
    def history_owner(self) -> str | None:
        return None if self.owner == COMMON else self.owner

    @property
    def is_private(self) -> bool:
        return self.owner != COMMON and not self.access

    def audience(self) -> Iterator[Audience | Readers]:
        # super() without arguments does not work, because a dataclass with slots is a new class.
        yield from SharedDocument.audience(self)
        if self.owner != COMMON and not self.disabled:
            yield EventKind.LAYOUTS, self.owner, ""

    def members(self) -> dict[str, Any]:
        return {
            "definition": None,
            "owner": self.owner,
            "public": self.public,
            "accessList": sorted_names(self.access),
            "default": self.default,
            "disabled": self.disabled,
        }

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
    """The access list of a layout, without its definition."""

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
    rollout: str | None = None
