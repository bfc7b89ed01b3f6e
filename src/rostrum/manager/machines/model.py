"""Machines: computers that desktops run on."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rostrum.base.json_text import raw


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A computer on which clients run, as they described it.

    Attributes:
        owner: The user who described it first; only this user can change the description.

    """

    id: str
    name: str
    info: str
    owner: str | None
    first_seen: datetime
    last_seen: datetime

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "info": raw(self.info),
            "owner": self.owner,
            "firstSeen": self.first_seen,
            "lastSeen": self.last_seen,
        }
