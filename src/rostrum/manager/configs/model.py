"""Configuration files and their scopes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rostrum.base.json_text import raw
from rostrum.contracts.system_config import Scope
from rostrum.manager.audiences import Audience, Circle, EventKind, Readers
from rostrum.manager.document import Document, Stamp
from rostrum.manager.kinds import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile(Document):
    """One configuration file in one scope; ``target`` is the version, group or user, empty for base."""

    kind: ClassVar = Kind.CONFIG
    content_member: ClassVar = "contents"

    id: str
    file: str
    scope: Scope
    target: str
    contents: str
    stamp: Stamp
    rollout: str | None = None

    @property
    def key(self) -> str:
        return self.id

    @property
    def content(self) -> str:
        return self.contents

    def audience(self) -> Iterator[Audience | Readers]:
        if self.scope is Scope.GROUP:
            yield Readers(EventKind.SYSTEM_CONFIG, Circle(frozenset({self.target})))
        else:
            yield EventKind.SYSTEM_CONFIG, self.target if self.scope is Scope.USER else "", ""

    def members(self) -> dict[str, Any]:
        scope = {} if self.scope is Scope.BASE else {self.scope.value: self.target}
        return {"file": self.file, **scope, "contents": None}

    def as_json(self) -> dict[str, Any]:
        """Return the configuration file for administrators."""
        view: dict[str, Any] = {
            "id": self.id,
            "file": self.file,
            "scope": self.scope.value,
            "contents": raw(self.contents),
        }
        if self.scope is not Scope.BASE:
            view[self.scope.value] = self.target
        return {**view, **self.stamp.as_json()}
