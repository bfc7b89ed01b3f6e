"""Commands to desktops, and their results."""

from datetime import datetime
from typing import Any

from msgspec import Struct

from rostrum.base.json_text import raw


class Command(Struct, frozen=True, kw_only=True):
    """A command of an administrator to a client session, and its result."""

    id: str
    session: str
    user: str
    command: str
    params: str
    status: str
    data: str | None = None
    created: datetime
    created_by: str
    delivered: datetime | None = None
    finished: datetime | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "session": self.session,
            "user": self.user,
            "command": self.command,
            "params": raw(self.params),
            "status": self.status,
            "data": None if self.data is None else raw(self.data),
            "created": self.created,
            "createdBy": self.created_by,
            "delivered": self.delivered,
            "finished": self.finished,
        }
