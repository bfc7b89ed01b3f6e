"""Audit entries: the canonical text, with limited size and without secrets, and the hash that chains entries."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import compress, islice
from operator import is_not
from typing import Any

import msgspec
from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.json_diff import Edit, diff
from rostrum.base.secret_text import SECRET
from rostrum.manager.audit.masking import shown_edit
from rostrum.manager.changes.origin import ChangeContext
from rostrum.manager.history.journal import Change
from rostrum.manager.kinds import Action

GENESIS = "0" * 64
"""The hash before the first entry."""

MOST_CHANGES = 100
"""The number of changes of one operation that are included; the others are counted."""

_MOST_EDITS = 100
_LARGEST_DIFFS = 65_536
_OPERATIONS = {Action.CREATED: "add", Action.DELETED: "remove", Action.CHANGED: "replace"}

_LARGEST_REMEMBERED = 4096
"""Size in characters of the differences that are compared only once for all documents of a batch."""

_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_ABSENT = msgspec.Raw()
# Equal members must produce equal text, because the hash is calculated from the text.
_canonical = msgspec.json.Encoder(order="deterministic")


class AuditSubject(Struct, frozen=True, kw_only=True):
    """A document that an operation changed, with the facts about the operation."""

    number: int
    revision: int | None
    at: datetime
    actor: str
    operation: str
    kind: str
    key: str
    comment: str | None
    ticket: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One entry.

    Attributes:
        revision: The revision that the operation created; ``None`` if it changed no document.
        text: The canonical text, which contains all data of the entry.
        hash: The hash of the previous hash and the text.
        batch: The batch that the change is a part of.
        comment: The reason for the change; ``None`` if the author gave none.
        ticket: The ticket of the change.

    """

    number: int
    revision: int | None
    at: datetime
    actor: str
    operation: str
    kind: str
    key: str
    text: str
    hash: str
    batch: str | None = None
    comment: str | None = None
    ticket: str | None = None

    def as_line(self) -> str:
        """Write the entry with its hash as one line of JSON; without the last member it is the canonical text."""
        return f'{self.text[:-1]},"hash":"{self.hash}"}}'


def chained(previous: str, text: str) -> str:
    """Calculate the hash of an entry."""
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def entry_writer(context: ChangeContext) -> Callable[[int, int, str], str]:
    """Return a function that writes the canonical text of an entry of this transaction.

    Its parameters are the number of the entry, the number of changes, and the text of the changes that are included.
    The parts that all entries of the transaction share are written once.
    """
    origin = context.origin
    common: dict[str, Any] = {"revision": context.revision, "at": context.at, "actor": context.actor}
    common["operation"] = origin.operation
    common["origin"] = {"address": origin.address, "request": origin.request, "agent": origin.agent}
    if origin.token:
        common["origin"]["token"] = origin.token
    common |= context.reason.members()
    if context.approval is not None:
        common["approval"] = asdict(context.approval)
    if context.batch is not None:
        common["batch"] = asdict(context.batch)
    # JSON text contains no such character, and the three members are in alphabetical order.
    gap = msgspec.Raw(b"\0")
    text = _canonical.encode({**common, "changed": gap, "changes": gap, "number": gap}).decode()
    to_changed, to_changes, to_number, end = text.split("\0")

    def write(number: int, changed: int, shown: str) -> str:
        return f"{to_changed}{changed}{to_changes}{shown}{to_number}{number}{end}"

    return write


def shown_changes(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return the first changes with limited size and without secrets."""
    shown: list[dict[str, Any]] = []
    room = _LARGEST_DIFFS
    for change in changes[:MOST_CHANGES]:
        edits, omitted, room = _bounded(change, room)
        shown.append(_item(change, edits, omitted))
    return shown


def written_one_by_one(changes: Sequence[Change]) -> list[str]:
    """Write each change for an entry of its own, as a list of one: limited, without secrets."""
    # The documents of a batch mostly have the same few differences.
    known: dict[Any, Callable[[Change], str]] = {}
    written = []
    for change in changes:
        difference = _difference(change)
        if difference is None:
            written.append(written_changes(shown_changes([change])))
            continue
        write = known.get(difference)
        if write is None:
            write = known[difference] = _change_writer(change)
        written.append(write(change))
    return written


def shown_one_by_one(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return each change with the limits of an entry of its own, and without secrets."""
    return [shown_changes([change])[0] for change in changes]


def written_changes(shown: Sequence[dict[str, Any]]) -> str:
    """Write changes in the canonical form."""
    return _canonical.encode(shown).decode()


def _change_writer(change: Change) -> Callable[[Change], str]:
    """Return a function that writes changes with the same difference, in the canonical form."""
    edits, omitted, _ = _bounded(change, _LARGEST_DIFFS)
    item = _item(change, edits, omitted)
    # JSON text contains no such character, and the two members are in alphabetical order.
    gap = msgspec.Raw(b"\0")
    if "digest" not in item:
        before, after = written_changes([{**item, "id": gap}]).split("\0")
        return lambda change: f"{before}{_canonical.encode(change.key).decode()}{after}"
    start, between, end = written_changes([{**item, "digest": gap, "id": gap}]).split("\0")
    return lambda change: (
        f'{start}"{_digest(change.after or "")}"{between}{_canonical.encode(change.key).decode()}{end}'
    )


def _difference(change: Change) -> tuple[Any, ...] | None:
    """Return what the edits of a change depend on: the members that differ, with both values; ``None`` if large."""
    if change.previous is not None and change.document is not None:
        before, after = change.previous.traits(), change.document.traits()
        if before is not None and after is not None:
            # Values that are equal, but not the same object, only make the key longer.
            differs = tuple(map(is_not, before, after))
            return (change.kind, change.secrets, differs, *compress(before, differs), *compress(after, differs))
    if change.before is None or change.after is None:
        return None
    earlier, later = _members(change.before), _members(change.after)
    found: list[Any] = [change.kind, change.secrets]
    size = 0
    for name in earlier if earlier.keys() == later.keys() else {**earlier, **later}:
        value, other = earlier.get(name, _ABSENT), later.get(name, _ABSENT)
        if value != other:
            texts = bytes(value), bytes(other)
            found.append((name, texts))
            size += len(texts[0]) + len(texts[1])
    return tuple(found) if size <= _LARGEST_REMEMBERED else None


def _item(change: Change, edits: list[dict[str, Any]], omitted: int) -> dict[str, Any]:
    item = {"kind": change.kind, "id": change.key, "action": change.action, "diff": edits}
    if change.keeps_revisions and change.after is not None:
        # The edits are limited and masked. The digest covers the complete document.
        item["digest"] = _digest(change.after)
    return {**item, "omitted": omitted} if omitted else item


def sizes_of_changes(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return the first changes with only the sizes of the documents, without comparing them."""
    shown: list[dict[str, Any]] = []
    for change in changes[:MOST_CHANGES]:
        edit: dict[str, Any] = {"op": _OPERATIONS[change.action], "path": ""}
        sizes = {"beforeSize": change.before, "afterSize": change.after}
        edit |= {name: len(text.encode()) for name, text in sizes.items() if text is not None}
        item = {"kind": change.kind, "id": change.key, "action": change.action, "diff": [edit]}
        if change.keeps_revisions and change.after is not None:
            item["digest"] = _digest(change.after)
        shown.append(item)
    return shown


def _bounded(change: Change, room: int) -> tuple[list[dict[str, Any]], int, int]:
    documents = _documents(change)
    edits = _edits(change, *documents)
    kept: list[dict[str, Any]] = []
    for edit in islice(edits, _MOST_EDITS):
        shown = shown_edit(edit, documents)
        room -= len(json_text.dump(shown))
        if room < 0:
            return kept, 1 + sum(1 for _ in edits), 0
        kept.append(shown)
    # Edits that are only counted are not serialized: a document can cause any number of long edits.
    return kept, sum(1 for _ in edits), room


def _documents(change: Change) -> tuple[Any, Any]:
    if change.before == change.after:
        return {}, {}
    before, after = (json_text.parse(text) if text is not None else {} for text in (change.before, change.after))
    return before, after


def _edits(change: Change, before: Any, after: Any) -> Iterator[Edit]:
    for name in change.secrets:
        yield Edit("replace", (name,), SECRET, SECRET)
    yield from diff(before, after)
