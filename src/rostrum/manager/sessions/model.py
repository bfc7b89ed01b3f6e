"""Client sessions."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of a client on one machine.

    Attributes:
        commands: JSON array of the commands that the client supports.

    """

    id: str
    user: str
    machine: str
    version: str
    env: str
    region: str
    product: str
    commands: str
    started: datetime
    last_seen: datetime
    ended: datetime | None = None
