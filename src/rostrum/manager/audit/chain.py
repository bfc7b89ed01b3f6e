"""Verifies the hash chain of the audit log, and finds the first entry that was modified."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.manager.audit.model import GENESIS, AuditEntry, chained
from rostrum.manager.kinds import Kind

Others = frozenset[tuple[str, str]]
"""Kinds and IDs of the other documents under which an entry can be found."""


class Link(Struct, frozen=True):
    """A position in the chain: the number of an entry and its hash."""

    number: int = 0
    hash: str = GENESIS

    def __str__(self) -> str:
        return f"{self.number}:{self.hash}"


class Ends(Struct, frozen=True, kw_only=True):
    """The start and the end of the chain, as stored separately from the entries.

    Attributes:
        start: The last deleted entry; none unless retention has deleted entries.
        head: The newest entry, which every operation stores a second time.
        last: The number of the newest existing entry.
        revision: The newest revision of all documents.

    """

    start: Link
    head: Link
    last: int
    revision: int | None


class AuditClaim(Struct, frozen=True, kw_only=True):
    """The digest of a document that an entry records for a revision."""

    number: int
    revision: int
    kind: str
    key: str
    digest: str


class Fault(Struct, frozen=True):
    """The first problem: its entry and a description."""

    number: int
    message: str


class Chain:
    """The state of a verification.

    Attributes:
        last: The last valid entry.
        fault: The first problem; later entries cannot be verified.
        revision: The newest revision that an entry records.
        shortened: The last entry that retention has deleted, according to the chain.
        claims: The revisions that the entries of the last check record.

    """

    def __init__(self, start: Link, known: Link | None = None) -> None:
        self.start = start
        self.last = start
        self.fault: Fault | None = None
        self.revision: int | None = None
        self.shortened = Link()
        self.claims: list[AuditClaim] = []
        self._known = known
        self._batch: str | None = None

    def follow(self, entries: Iterable[tuple[AuditEntry, Others | None]]) -> None:
        """Verify the next entries in order, each with its other documents if they are known."""
        self.claims = []
        for entry, others in entries:
            message = self._wrong(entry, others)
            if message is not None:
                self.fault = Fault(entry.number, message)
                return
            self.last = Link(entry.number, entry.hash)
            if self._known and self._known.number == entry.number and self._known.hash != entry.hash:
                self.fault = Fault(entry.number, "its hash differs from the expected hash")
                return

    def finish(self, ends: Ends) -> None:
        """Verify the end of the chain against the data that is stored separately."""
        head, revision = ends.head, ends.revision
        if self.fault is not None:
            return
        known = self._known or Link()
        if known.number == self.start.number and known.hash != self.start.hash:
            self.fault = Fault(known.number, "its hash differs from the expected hash")
        elif self.last.number < max(head.number, known.number):
            self.fault = Fault(self.last.number + 1, "this entry and all later entries are missing")
        elif self.last != head:
            self.fault = Fault(self.last.number, "this is not the entry that the database has recorded as the newest")
        elif self.shortened != self.start:
            self.fault = Fault(self.start.number + 1, "earlier entries were deleted, and no entry records the deletion")
        elif revision is not None and self.revision is not None and revision != self.revision:
            message = f"no entry records the revisions after {self.revision}; the newest revision is {revision}"
            self.fault = Fault(self.last.number + 1, message)

    def _wrong(self, entry: AuditEntry, others: Others | None) -> str | None:
        expected = self.last.number + 1
        if entry.number != expected:
            missing = f"{expected}" if entry.number == expected + 1 else f"{expected} to {entry.number - 1}"
            return f"earlier entries are missing: {missing}"
        if entry.hash != chained(self.last.hash, entry.text):
            return "its hash does not match the previous entry: one of the two was altered, or their order was changed"
        try:
            said = json_text.parse(entry.text)
            return self._compare(entry, said, others)
        except (Invalid, KeyError, TypeError):
            return "it cannot be read"

    def _compare(self, entry: AuditEntry, said: dict[str, Any], others: Others | None) -> str | None:
        things = [(change["kind"], change["id"]) for change in said["changes"]]
        filed = {
            "number": entry.number,
            "revision": entry.revision,
            "at": json_text.parse(json_text.dump(entry.at)),
            "actor": entry.actor,
            "operation": entry.operation,
        }
        batch = said["batch"]["id"] if "batch" in said else None
        wrong = [name for name, value in filed.items() if said[name] != value]
        if batch != entry.batch:
            wrong.append("batch")
        wrong += [name for name in ("comment", "ticket") if said.get(name) != getattr(entry, name)]
        if (entry.kind, entry.key) != (things[0] if things else ("", "")):
            wrong.append("kind and id")
        if others is not None and (len(others) != max(0, said["changed"] - 1) or not others.issuperset(things[1:])):
            wrong.append("list of further things")
        if wrong:
            return f"{', '.join(wrong)} in the index differs from the entry"
        if entry.revision is not None:
            # A transaction of a batch has one entry for each document.
            is_further = batch is not None and (entry.revision, batch) == (self.revision, self._batch)
            if self.revision is not None and entry.revision != self.revision + 1 and not is_further:
                return f"its revision {entry.revision} does not come after {self.revision}"
            self.revision, self._batch = entry.revision, batch
        for change in said["changes"]:
            if change["kind"] == Kind.AUDIT:
                told = {edit["path"]: edit["after"] for edit in change["diff"]}
                self.shortened = Link(told["/number"], told["/hash"])
            if "digest" in change and entry.revision is not None:
                made = {"kind": change["kind"], "key": change["id"], "digest": change["digest"]}
                self.claims.append(AuditClaim(number=entry.number, revision=entry.revision, **made))
        return None
