"""Journal: the changes of one transaction. The repositories record them, so that no change is omitted."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.offload import LARGE
from rostrum.manager.audiences import Audience, EventKind, Readers
from rostrum.manager.document import Document, body_text
from rostrum.manager.kinds import Action, Kind

Subject = tuple[Kind, str]


class Change(Struct, frozen=True, kw_only=True):
    """The change of one object in one transaction.

    Attributes:
        after: JSON text of the new state.
        document: The new state of a document, for kinds with revisions.
        previous: The previous state of a small document, whose text is written only when it is needed.
        text_before: JSON text of the previous state of other objects.
        secrets: Changed members whose values are never shown.
        owner: The user whose preference or layout it is, or was; ``None`` for what belongs to administrators.

    """

    kind: Kind
    key: str
    action: Action
    text_before: str | None = None
    after: str | None = None
    document: Document | None = None
    previous: Document | None = None
    secrets: tuple[str, ...] = ()
    owner: str | None = None

    @property
    def before(self) -> str | None:
        """Return the JSON text of the previous state; ``None`` if it did not exist, or is not recorded."""
        return self.text_before if self.previous is None else body_text(self.previous)

    @property
    def size(self) -> int:
        """Return the number of characters of both states; those of small documents are estimated."""
        after = len(self.after or "")
        return after + (len(self.text_before or "") if self.previous is None else after)

    @property
    def keeps_revisions(self) -> bool:
        """Return whether the object is a document with a history."""
        return self.kind.has_history


class Journal:
    """Records the first read state and the last written state of each document."""

    def __init__(self, *, writes: bool, before_large: Callable[["Journal"], None] = lambda _journal: None) -> None:
        """Begin an empty journal; a transaction that only reads does not record its reads.

        ``before_large`` is called before a large document is written, and may stop the transaction.
        """
        self._writes = writes
        self._before_large = before_large
        self._before: dict[Subject, Document | None] = {}
        self._after: dict[Subject, Document | None] = {}
        self._implied: set[Subject] = set()
        self._noted: dict[Subject, Change] = {}
        self._announced: set[Audience] = set()

    def __bool__(self) -> bool:
        """Return whether anything changed."""
        return bool(self._after or self._noted)

    def knows(self, kind: Kind, key: str) -> bool:
        """Return whether the state of a document at the start of the transaction is known."""
        return (kind, key) in self._before

    def before(self, kind: Kind, key: str) -> Document | None:
        """Return a document as it was at the start of the transaction; it must be known."""
        return self._before[kind, key]

    def current(self, kind: Kind, key: str) -> Document | None:
        """Return a document as this transaction has written it, or else as it was at the start; it must be known."""
        subject = (kind, key)
        return self._after[subject] if subject in self._after else self._before[subject]

    def released(self, kind: Kind, key: str) -> None:
        """Record that the roll-out of a document has ended in this transaction."""
        document: Any = self._before.get((kind, key))
        if document is not None:
            self._before[kind, key] = replace(document, rollout=None)

    def saw(self, documents: Iterable[Document]) -> None:
        """Record documents that were read; only the first state is kept."""
        if self._writes:
            for document in documents:
                self._before.setdefault((document.kind, document.key), document)

    def missed(self, kind: Kind, key: str) -> None:
        """Record that a document did not exist."""
        self._before.setdefault((kind, key), None)

    def wrote(self, document: Document, *, implied: bool = False) -> None:
        """Record a document that was written; an implied change is a consequence of another change."""
        self._set(document.kind, document.key, document, implied=implied)
        if len(document.content) >= LARGE:
            self._before_large(self)

    def wrote_all(self, documents: Iterable[Document]) -> None:
        """Record many documents that were written and have no content."""
        for document in documents:
            subject = (document.kind, document.key)
            self._before.setdefault(subject, None)
            self._after[subject] = document
            self._implied.discard(subject)

    def forgot(self, kind: Kind, key: str, *, implied: bool = False) -> None:
        """Record that a document was deleted."""
        self._set(kind, key, None, implied=implied)

    def noted(
        self,
        kind: Kind,
        key: str,
        action: Action,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        """Record a change of an object without revisions."""
        self._noted[kind, key] = Change(
            kind=kind, key=key, action=action, text_before=_text(before), after=_text(after)
        )

    def announce(self, kind: EventKind, user: str = "", session: str = "") -> None:
        """Add an audience that cannot be derived from documents alone."""
        self._announced.add((kind, user, session))

    def audiences(self) -> set[Audience | Readers]:
        """Return the audiences of this transaction."""
        found: set[Audience | Readers] = set(self._announced)
        for subject, after in self._after.items():
            before = self._before[subject]
            document = after or before
            if document is not None:
                found.update(document.audiences(before, after))
        return found

    def changes(self) -> list[Change]:
        """List the effective changes, with consequences last."""
        documents = (self._change(subject, after) for subject, after in self._after.items())
        found = [*(change for change in documents if change is not None), *self._noted.values()]
        if not self._implied:
            return found
        return sorted(found, key=lambda change: self.is_implied(change.kind, change.key))

    def direct_kinds(self, changes: Iterable[Change]) -> set[Kind]:
        """Return the kinds of changes that are not consequences of others."""
        return {change.kind for change in changes if not self.is_implied(change.kind, change.key)}

    def direct_changes(self, changes: Iterable[Change]) -> list[tuple[Change, Document | None]]:
        """Return changes of documents that are not consequences of others, each with its previous state."""
        return [
            (change, self._before[change.kind, change.key])
            for change in changes
            if change.keeps_revisions and not self.is_implied(change.kind, change.key)
        ]

    def consequences(self) -> list[tuple[Document, Document | None]]:
        """Return documents that have changed as a consequence, before and after.

        Groups that were created because other documents name them are left out: they have no effect of their own.
        """
        pairs = ((self._before[subject], self._after[subject]) for subject in self._implied)
        return [(before, after) for before, after in pairs if before is not None]

    def is_implied(self, kind: Kind, key: str) -> bool:
        """Return whether the change of a document is a consequence of another change."""
        return (kind, key) in self._implied

    def documents(self, kind: Kind) -> list[tuple[Document | None, Document | None]]:
        """List the documents of a kind that were written, before and after, including consequences."""
        return [(self._before[subject], after) for subject, after in self._after.items() if subject[0] is kind]

    def mark(self) -> tuple[Any, ...]:
        """Return the state of the journal, which is restored if later changes are undone."""
        dicts = (dict(self._before), dict(self._after), dict(self._noted))
        return *dicts, set(self._implied), set(self._announced)

    def return_to(self, mark: tuple[Any, ...]) -> None:
        """Restore an earlier state of the journal."""
        self._before, self._after, self._noted, self._implied, self._announced = mark

    def _set(self, kind: Kind, key: str, document: Document | None, *, implied: bool) -> None:
        subject = (kind, key)
        self._before.setdefault(subject, None)
        if implied and subject not in self._after:
            self._implied.add(subject)
        elif not implied:
            self._implied.discard(subject)
        self._after[subject] = document

    def _change(self, subject: Subject, after: Document | None) -> Change | None:
        kind, key = subject
        before = self._before[subject]
        document = after or before
        if document is None:
            return None
        action = Action.CREATED if before is None else Action.DELETED if after is None else Action.CHANGED
        # The content of a large document is copied only once.
        is_lazy = action is Action.CHANGED and not document.content_member
        return Change(
            kind=kind,
            key=key,
            action=action,
            text_before=None if before is None or is_lazy else body_text(before),
            after=None if after is None else body_text(after),
            document=after,
            previous=before if is_lazy else None,
            secrets=document.changed_secrets(before, after),
            owner=document.history_owner,
        )


def _text(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else json_text.dump(value).decode()
