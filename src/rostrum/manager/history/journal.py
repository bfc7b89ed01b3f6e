"""Journal: what one transaction changes, collected by the repositories so that no resource can forget to tell."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base import json_text
from rostrum.base.offload import LARGE
from rostrum.manager.events.model import COMMON, Audience, EventKind, Readers, audiences
from rostrum.manager.history.documents import Document, body_text, content_of, key_of, kind_of, secrets_changed
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.layouts.model import Layout
from rostrum.manager.preferences.model import Preference

Subject = tuple[Kind, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one transaction did to one thing.

    Attributes:
        before: JSON text of what it was; ``None`` when there was none, or nothing worth telling.
        after: JSON text of what it is.
        document: The document as it is now, for things that keep their revisions.
        secrets: Members that changed and are never shown.
        owner: The user whose preference or layout it is, or was; ``None`` for what belongs to administrators.

    """

    kind: Kind
    key: str
    action: Action
    before: str | None = None
    after: str | None = None
    document: Document | None = None
    secrets: tuple[str, ...] = ()
    owner: str | None = None

    @property
    def keeps_revisions(self) -> bool:
        """Say whether the thing is a document with a history."""
        return self.kind.has_history


class Journal:
    """Remembers each document as it was first read, and as it was last written."""

    def __init__(self, *, writes: bool, before_large: Callable[["Journal"], None] = lambda _journal: None) -> None:
        """Begin with nothing; a transaction that only reads need not remember what it read.

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
        """Say whether anything changed."""
        return bool(self._after or self._noted)

    def knows(self, kind: Kind, key: str) -> bool:
        """Say whether it is known what a document was when the transaction began."""
        return (kind, key) in self._before

    def saw(self, documents: Iterable[Document]) -> None:
        """Remember documents as they were read; only the first time counts, before anything was written."""
        if self._writes:
            for document in documents:
                self._before.setdefault((kind_of(document), key_of(document)), document)

    def missed(self, kind: Kind, key: str) -> None:
        """Remember that there was no such document."""
        self._before.setdefault((kind, key), None)

    def wrote(self, document: Document, *, implied: bool = False) -> None:
        """Remember a document as it was written; an implied change is a consequence of another one."""
        self._set(kind_of(document), key_of(document), document, implied=implied)
        if len(content_of(document)) >= LARGE:
            self._before_large(self)

    def forgot(self, kind: Kind, key: str, *, implied: bool = False) -> None:
        """Remember that a document was deleted."""
        self._set(kind, key, None, implied=implied)

    def noted(
        self,
        kind: Kind,
        key: str,
        action: Action,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        """Remember a change of something that keeps no revisions."""
        self._noted[kind, key] = Change(kind=kind, key=key, action=action, before=_text(before), after=_text(after))

    def announce(self, kind: EventKind, user: str = "", session: str = "") -> None:
        """Remember whom something concerns that cannot be told from documents alone."""
        self._announced.add((kind, user, session))

    def audiences(self) -> set[Audience | Readers]:
        """Tell whom this transaction concerns, and in which respect."""
        found = {one for subject, after in self._after.items() for one in audiences(self._before[subject], after)}
        return found | self._announced

    def changes(self) -> list[Change]:
        """List what changed in effect, consequences last."""
        documents = (self._change(subject, after) for subject, after in self._after.items())
        found = [*(change for change in documents if change is not None), *self._noted.values()]
        return sorted(found, key=lambda change: (change.kind, change.key) in self._implied)

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
        if before is None and after is None:
            return None
        action = Action.CREATED if before is None else Action.DELETED if after is None else Action.CHANGED
        return Change(
            kind=kind,
            key=key,
            action=action,
            before=None if before is None else body_text(before),
            after=None if after is None else body_text(after),
            document=after,
            secrets=secrets_changed(before, after),
            owner=_owner_of(after or before),
        )


def _owner_of(document: Document | None) -> str | None:
    if isinstance(document, Preference):
        return document.user
    return document.owner if isinstance(document, Layout) and document.owner != COMMON else None


def _text(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else json_text.dump(value).decode()
