"""A transaction, and the repositories that execute their statements in it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.changes.origin import Approval
from rostrum.manager.document import Stamp
from rostrum.manager.files.file_place import FilePlace
from rostrum.manager.history.journal import Journal
from rostrum.manager.kinds import Kind


class Transaction:
    """One transaction, with a repository of each class that is used in it.

    Attributes:
        place: Where files outside the database are stored; ``None`` if they are in the database.
        revision: The revision that the changes get; 0 for work that changes no document.
        approval: The approval that the changes have; without one, some changes become a proposal.

    """

    def __init__(
        self,
        connection: AsyncConnection,
        now: datetime,
        journal: Journal,
        on_removed: "Mapping[Kind, Sequence[OnRemoved]]",
        *,
        place: FilePlace | None = None,
        actor: str = "",
    ) -> None:
        self.connection = connection
        self.now = now
        self.journal = journal
        self.place = place
        self.actor = actor
        self.revision = 0
        self.approval: Approval | None = None
        self._on_removed = on_removed
        self._repositories: dict[type[Repository], Any] = {}

    def of(self, repository: type["Repo"]) -> "Repo":
        """Return the repository of a class. It is created when it is first used: a transaction uses a few of them."""
        found: Repo | None = self._repositories.get(repository)
        if found is None:
            found = self._repositories[repository] = repository(self)
        return found

    async def removed(self, kind: Kind, key: str) -> None:
        """Delete what topics store for an object that was deleted."""
        for clean_up in self._on_removed.get(kind, ()):
            await clean_up(self, key)

    def stamp(self, before: Stamp | None = None) -> Stamp:
        """Create the stamp of a document that this transaction writes; an approved change was made by its author."""
        author = self.approval.author if self.approval else self.actor
        return Stamp(
            revision=self.revision,
            created=before.created if before else self.now,
            created_by=before.created_by if before else author,
            modified=self.now,
            modified_by=author,
        )


class Repository:
    """The rows of one topic in one transaction."""

    def __init__(self, work: Transaction) -> None:
        self._work = work
        self._connection = work.connection
        self._journal = work.journal


Repo = TypeVar("Repo", bound=Repository)

OnRemoved = Callable[[Transaction, str], Awaitable[object]]
"""Deletes what a topic stores for an object with this key, which was deleted."""
