"""Preferences: what one app keeps for one user."""

from dataclasses import dataclass
from typing import Any

from rostrum.base.json_text import raw
from rostrum.manager.stamp import Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What one app keeps for one user."""

    id: str
    user: str
    app: str
    data: str
    stamp: Stamp

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "user": self.user,
            "app": self.app,
            "data": raw(self.data),
            **self.stamp.as_json(),
        }

    def as_answer(self) -> dict[str, Any]:
        """Show a self as self stores answer it, under both names that clients read."""
        return {
            "app": self.app,
            "data": raw(self.data),
            "lastUpdate": self.stamp.modified,
            "lastKnownUpdate": self.stamp.modified,
        }
