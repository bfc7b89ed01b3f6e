"""Commands to desktops, and their results."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something an administrator asks of a client session, and its answer."""

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
