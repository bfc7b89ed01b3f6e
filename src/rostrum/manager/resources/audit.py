"""The audit: read by those who may, written by storage itself."""

from datetime import datetime

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.permissions.identity import Identity
from rostrum.manager.permissions.permissions import Permission
from rostrum.manager.permissions.policy import require
from rostrum.manager.resources.expected import found
from rostrum.manager.resources.moments import moment
from rostrum.manager.storage import AuditEntry, Page, Query, Storage

__all__ = ["AuditResource"]


class AuditResource:
    """Who did what, when, from where."""

    def __init__(self, storage: Storage) -> None:
        """Take storage."""
        self._storage = storage

    async def page(
        self, identity: Identity, query: Query, *, since: str | None = None, until: str | None = None
    ) -> Page[AuditEntry]:
        """List entries, newest first: those from one time on and before another."""
        require(identity, Permission.AUDITS_READ)
        begin, end = _moment("from", since), _moment("to", until)
        async with self._storage.read() as work:
            return await work.audit.page(query, since=begin, until=end)

    async def get(self, identity: Identity, number: str) -> AuditEntry:
        """Read one entry."""
        require(identity, Permission.AUDITS_READ)
        is_number = number.isascii() and number.isdigit() and len(number) < 19
        async with self._storage.read() as work:
            return found(await work.audit.get(int(number)) if is_number else None, "audit entry", number)


def _moment(name: str, text: str | None) -> datetime | None:
    try:
        return None if text is None else moment(text)
    except ValueError as error:
        raise Invalid("wrong time", [Problem(path=name, message=str(error))]) from None
