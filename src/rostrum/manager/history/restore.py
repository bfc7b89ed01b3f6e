"""Restores documents from the history, with the same rules as other changes."""

from abc import ABC, abstractmethod
from typing import ClassVar

import msgspec

from rostrum.manager.access.identity import Identity
from rostrum.manager.document import Document, Stamp
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Work

_raw_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


class DocumentService(ABC):
    """The service of a kind of document: it restores documents that the history contains.

    Attributes:
        kind: The kind, a key of ``DOCUMENT_KINDS``.

    """

    kind: ClassVar[Kind]

    @staticmethod
    @abstractmethod
    async def restore(work: Work, identity: Identity, key: str, body: str | None) -> None:
        """Make a document equal to a body from the history; ``None`` deletes it."""

    @staticmethod  # noqa: B027 - most kinds have no name beside their key
    async def release_name(work: Work, key: str) -> None:
        """Release the unique name of a document, because a document that is restored next may have had it."""


def member_text(body: str, name: str) -> str:
    """Return a member of a body exactly as it was written."""
    return bytes(_raw_members.decode(body)[name]).decode()


def stamp_after(work: Work, before: Document | None) -> Stamp:
    """Return the stamp of a restored document."""
    return work.stamp(None if before is None else before.stamp)
