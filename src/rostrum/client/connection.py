"""Connection: the manager's client together with what it tells of changes."""

from dataclasses import dataclass

from rostrum.client.changes import ManagerChanges
from rostrum.client.manager_client import ManagerClient


@dataclass(frozen=True, slots=True)
class Connection:
    """A manager that is there to be asked, and tells of changes."""

    client: ManagerClient
    changes: ManagerChanges

    @property
    def name(self) -> str:
        """Return what stores of this manager are called."""
        return f"server {self.client.service.shown}"
