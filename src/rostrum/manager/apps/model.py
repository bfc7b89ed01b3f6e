"""Apps: the stored record and its access list."""

from dataclasses import dataclass
from typing import Any, ClassVar

from rostrum.base.json_text import raw
from rostrum.manager.audiences import EventKind
from rostrum.manager.document import SharedDocument, Stamp, sorted_names
from rostrum.manager.kinds import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class App(SharedDocument):
    """An app definition with its access list."""

    kind: ClassVar = Kind.APP
    event_kind: ClassVar = EventKind.APPS
    content_member: ClassVar = "definition"

    name: str
    type: str
    title: str
    definition: str
    public: bool = False
    access: tuple[str, ...] = ()
    disabled: bool = False
    stamp: Stamp
    rollout: str | None = None

    @property
    def key(self) -> str:
        return self.name

    @property
    def content(self) -> str:
        return self.definition

    def members(self) -> dict[str, Any]:
        return {
            "definition": None,
            "public": self.public,
            "accessList": sorted_names(self.access),
            "disabled": self.disabled,
        }

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
    """The access list of an app, without its definition."""

    name: str
    title: str
    public: bool = False
    access: tuple[str, ...] = ()
    disabled: bool = False
    revision: int = 0
    rollout: str | None = None
