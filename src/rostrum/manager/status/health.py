"""Whether requests can be served: each part that they need is asked."""

from collections.abc import Mapping
from dataclasses import dataclass

from rostrum.manager.database.errors import Unavailable
from rostrum.manager.storage import Storage


@dataclass(frozen=True, slots=True)
class Health:
    """What the parts answered, each by its name."""

    is_ready: bool
    checks: Mapping[str, str]

    @property
    def status(self) -> str:
        """Sum it up in a word."""
        return "ok" if self.is_ready else "unavailable"


async def health_of(storage: Storage) -> Health:
    """Ask every part."""
    try:
        await storage.ping()
    except Unavailable:
        return Health(is_ready=False, checks={"database": "does not answer"})
    return Health(is_ready=True, checks={"database": "ok"})
