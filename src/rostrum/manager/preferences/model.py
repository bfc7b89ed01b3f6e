"""Preferences: the data that one app stores for one user."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rostrum.base.json_text import raw
from rostrum.manager.audiences import Audience, EventKind
from rostrum.manager.document import Document, Stamp
from rostrum.manager.kinds import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference(Document):
    """The data that one app stores for one user."""

    kind: ClassVar = Kind.PREFERENCE
    content_member: ClassVar = "data"

    id: str
    user: str
    app: str
    data: str
    stamp: Stamp

    @property
    def key(self) -> str:
        return self.id

    @property
    def content(self) -> str:
        return self.data

    @property
    def history_owner(self) -> str:
        return self.user

    def audience(self) -> Iterator[Audience]:
        yield EventKind.PREFS, self.user, ""

    def members(self) -> dict[str, Any]:
        return {"user": self.user, "app": self.app, "data": None}

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "user": self.user,
            "app": self.app,
            "data": raw(self.data),
            **self.stamp.as_json(),
        }

    def as_answer(self) -> dict[str, Any]:
        """Return the preference as REST stores return it; clients read its time under either name."""
        return {
            "app": self.app,
            "data": raw(self.data),
            "lastUpdate": self.stamp.modified,
            "lastKnownUpdate": self.stamp.modified,
        }
