"""Document: a stored record that has revisions. The history, the audit and the events see records only as documents."""

from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from msgspec import Struct, StructMeta

from rostrum.base import json_text
from rostrum.manager.audiences import Audience, Circle, EventKind, Readers
from rostrum.manager.kinds import Kind


class Stamp(Struct, frozen=True, kw_only=True):
    """The creator and the last editor of a document, with the revision of the last change."""

    revision: int
    created: datetime
    created_by: str
    modified: datetime
    modified_by: str

    def as_json(self) -> dict[str, Any]:
        return {
            "revision": self.revision,
            "created": self.created,
            "createdBy": self.created_by,
            "modified": self.modified,
            "modifiedBy": self.modified_by,
        }


class DocumentStructMeta(StructMeta, ABCMeta):
    """The metaclass of kinds that are structures of msgspec, which are made several times as fast as dataclasses."""


class Document(ABC):
    """A record with revisions. Each kind is a frozen dataclass or structure that implements this class.

    Attributes:
        kind: The kind, a key of ``DOCUMENT_KINDS``.
        content_member: The member of the body that contains ``content``; empty for records without content.
        rollout: The roll-out of this document that has not ended.

    """

    __slots__ = ()

    kind: ClassVar[Kind]
    content_member: ClassVar[str] = ""
    stamp: Stamp
    rollout: str | None = None

    @property
    @abstractmethod
    def key(self) -> str:
        """The ID or name that identifies the document."""

    @property
    def content(self) -> str:
        """The JSON text that the document contains unchanged; it can be large."""
        return ""

    @property
    def history_owner(self) -> str | None:
        """The user whose quota the revisions count against; ``None`` for documents of administrators."""
        return None

    @abstractmethod
    def members(self) -> dict[str, Any]:
        """Return the members of the body that the admin API accepts, with ``None`` in place of the content."""

    def body_text(self) -> str:
        """Write the body of a record without content."""
        return json_text.dump(self.members()).decode()

    def traits(self) -> tuple[Any, ...] | None:
        """Return all values that the members are made of, except the key; ``None`` if that is not faster.

        The values can be used as keys of dictionaries. What changes in the same way has the same edits.
        """
        return None

    @classmethod
    def changed_secrets(cls, before: Any, after: Any) -> tuple[str, ...]:  # noqa: ARG003 - for documents with secrets
        """Return the names of changed members whose values must not be shown."""
        return ()

    def audience(self) -> Iterator[Audience | Readers]:
        """Yield the clients that receive this document."""
        yield from ()

    @classmethod
    def audiences(cls, before: Any, after: Any) -> Iterable[Audience | Readers]:
        """Yield the clients that a change affects: those that receive the document before or after it."""
        for document in (before, after):
            if document is not None:
                yield from document.audience()


class SharedDocument(Document):
    """A document that is public or shared with groups, and that can be assigned to users by name.

    Attributes:
        event_kind: The kind of event that clients receive.

    """

    __slots__ = ()

    event_kind: ClassVar[EventKind]
    public: bool
    access: tuple[str, ...]
    disabled: bool

    @property
    def is_private(self) -> bool:
        """Whether only one user has the document, so that administrators need no event for each time it is saved."""
        return False

    def audience(self) -> Iterator[Audience | Readers]:
        """Yield everyone for a public document, otherwise the members of its groups and the users it is assigned to."""
        if self.disabled:
            yield Readers(self.event_kind)
        elif self.public:
            yield self.event_kind, "", ""
        else:
            circle = Circle(frozenset(self.access), frozenset({self.key}))
            yield Readers(self.event_kind, circle, is_private=self.is_private)

    @classmethod
    def audiences(cls, before: Any, after: Any) -> Iterator[Audience | Readers]:
        """Yield only users who gain or lose the document if nothing but its sharing changes."""
        if before is not None and after is not None and _only_sharing_differs(before, after):
            yield from _affected_by_sharing(before, after)
        else:
            yield from super().audiences(before, after)


def body_text(document: Document) -> str:
    """Write a document in the form that the history stores.

    The content is copied only once: transactions call this function, and other writers wait for them.
    """
    if not document.content_member:
        return document.body_text()
    text = json_text.dump(document.members()).decode()
    # No string can contain this text: quotation marks within strings are escaped.
    head, tail = text.split(f'"{document.content_member}":null', 1)
    return "".join((head, f'"{document.content_member}":', document.content, tail))


def sorted_names(values: Sequence[str]) -> list[str]:
    """Order names as the database does."""
    return sorted(set(values)) if len(values) > 1 else list(values)


def _only_sharing_differs(before: Any, after: Any) -> bool:
    return bool(replace(before, public=after.public, access=after.access, stamp=after.stamp) == after)


def _affected_by_sharing(before: SharedDocument, after: SharedDocument) -> Iterator[Audience | Readers]:
    old, new = frozenset(before.access), frozenset(after.access)
    if before.public != after.public and not after.disabled:
        yield after.event_kind, "", ""
    elif after.public or after.disabled:
        yield Readers(after.event_kind)
    else:
        # Nothing changes for users who have the document by name, or through a group that keeps it.
        yield Readers(after.event_kind, Circle(old ^ new), Circle(old & new, frozenset({after.key})))
