"""Client sessions."""

from datetime import datetime

from msgspec import Struct


class Session(Struct, frozen=True, kw_only=True):
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
