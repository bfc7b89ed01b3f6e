"""What the repositories of documents share: the journal hears of every reading and every change."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.history.documents import Document
from rostrum.manager.history.journal import Journal
from rostrum.manager.kinds import Kind

Record = TypeVar("Record", bound=Document)


class Documents(Generic[Record]):
    """The documents of one kind in one transaction.

    Attributes:
        kind: Which kind.

    """

    kind: ClassVar[Kind]

    def __init__(self, connection: AsyncConnection, journal: Journal) -> None:
        self._connection = connection
        self._journal = journal

    async def get(self, key: str) -> Record | None:
        raise NotImplementedError

    def _read(self, documents: Iterable[Record]) -> list[Record]:
        """Let the journal remember what was read: it may be written later."""
        found = list(documents)
        self._journal.saw(found)
        return found

    async def _about_to_change(self, key: str) -> None:
        """Make sure that the journal knows what a document was."""
        if not self._journal.knows(self.kind, key):
            await self.get(key)
            self._journal.missed(self.kind, key)

    async def _forget(self, keys: Sequence[str], *, implied: bool = False) -> None:
        """Tell the journal of documents that are deleted."""
        for key in keys:
            await self._about_to_change(key)
            self._journal.forgot(self.kind, key, implied=implied)
