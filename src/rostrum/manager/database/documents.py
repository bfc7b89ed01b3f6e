"""Common parts of document repositories: all reads and changes are recorded in the journal."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import Column

from rostrum.base import json_text
from rostrum.manager.database.links import Links
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.document import Document
from rostrum.manager.errors import DuringRollout
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind

Record = TypeVar("Record", bound=Document)


class Documents(Repository, ABC, Generic[Record]):
    """The documents of one kind in one transaction.

    Attributes:
        kind: The kind, a key of ``DOCUMENT_KINDS``.
        key_column: The column of the keys.
        listing: How the documents are listed.

    """

    kind: ClassVar[Kind]
    key_column: ClassVar[Column[Any]]
    listing: ClassVar[Listing]

    @abstractmethod
    async def get(self, key: str, /) -> Record | None: ...

    @abstractmethod
    async def page(self, query: Query, /) -> Page[Record]: ...

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the keys of all documents that a list shows, up to a limit."""
        return await self.listing.keys(self._connection, query, most)

    def _read(self, documents: Iterable[Record]) -> list[Record]:
        """Record in the journal which documents were read, because they may be changed later."""
        found = list(documents)
        self._journal.saw(found)
        return found

    async def _about_to_change(self, key: str) -> None:
        """Ensure that the journal contains the previous state of a document."""
        if not self._journal.knows(self.kind, key):
            await self.get(key)
            self._journal.missed(self.kind, key)

    async def _put_lists(self, document: Record, **lists: Links) -> None:
        """Store the changed ones of the lists of a document that is about to be written; they are named by member."""
        before = self._journal.current(self.kind, document.key)
        for name, links in lists.items():
            old = () if before is None else getattr(before, name)
            await links.change(self._connection, [(document.key, old, getattr(document, name))])

    async def _forget(self, keys: Sequence[str], *, implied: bool = False) -> None:
        """Record the deletion of documents in the journal."""
        for key in keys:
            await self._about_to_change(key)
            if not implied:
                self._refuse_during_rollout(None, key)
            self._journal.forgot(self.kind, key, implied=implied)

    def _refuse_during_rollout(self, after: Record | None, key: str = "") -> None:
        """Refuse to change the content of a document, or to delete it, before its roll-out has ended.

        Access lists can be changed. Imports, batches and restored revisions cannot bypass this check.
        """
        before = self._journal.before(self.kind, key or ("" if after is None else after.key))
        if before is None or before.rollout is None:
            return
        if after is None or _rolled_out(before) != _rolled_out(after):
            raise DuringRollout(DOCUMENT_KINDS[self.kind].noun, before.key, before.rollout)


def _rolled_out(document: Document) -> tuple[Any, ...]:
    """Return the parts of a document that must not change: its content, and its owner, file name and scope."""
    return json_text.parse(document.content), *(
        getattr(document, name, None) for name in ("owner", "file", "scope", "target")
    )
