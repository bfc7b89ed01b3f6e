"""Batches: the stored record of a change of many documents, and the outcome of each target."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct

from rostrum.base.json_text import raw
from rostrum.manager.changes.origin import Reason
from rostrum.manager.kinds import Kind

PART = 1000
"""The number of documents that one transaction changes; smaller batches are changed in one transaction."""
LARGE_PART = 100
"""The same for kinds whose documents can contain a text of many megabytes."""
MOST_TARGETS = 100_000

_SILENCE = timedelta(seconds=15)
"""A part takes a second. A batch without progress for longer was interrupted, for example by a restart."""

Outcome = str | None
"""The outcome of a target: ``None`` if it was changed, an empty text if no change was necessary, or the refusal."""


class Status(StrEnum):
    """The state of a batch; ``interrupted`` is never stored."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    DONE = "done"
    CANCELLED = "cancelled"


class Result(StrEnum):
    """The outcomes of targets, by the names that clients receive."""

    DONE = "done"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    PENDING = "pending"

    @classmethod
    def of(cls, outcome: Outcome) -> "Result":
        return cls.DONE if outcome is None else cls.REFUSED if outcome else cls.UNCHANGED


class Batch(Struct, frozen=True, kw_only=True):
    """A change of many documents of one kind.

    Attributes:
        request_key: Chosen by the client; the same key of the same user never starts a second batch.
        digest: Digest of the request, so that a key cannot be used for another request.
        arguments: JSON text of the arguments of the action.
        problem: Why the batch could not continue; empty if there was no problem.

    """

    id: str
    request_key: str
    kind: Kind
    action: str
    arguments: str
    digest: str
    comment: str = ""
    ticket: str = ""
    status: Status = Status.RUNNING
    problem: str = ""
    total: int
    done: int = 0
    unchanged: int = 0
    refused: int = 0
    created: datetime
    created_by: str
    updated: datetime

    def status_at(self, now: datetime) -> Status:
        """Return the status; a batch that has made no progress for some time was interrupted."""
        is_silent = bool(self.problem) or now - self.updated > _SILENCE
        return Status.INTERRUPTED if self.status is Status.RUNNING and is_silent else self.status

    def as_json(self, now: datetime) -> dict[str, Any]:
        return {
            "id": self.id,
            "key": self.request_key,
            "kind": self.kind,
            "action": self.action,
            "arguments": raw(self.arguments),
            "comment": self.comment,
            "ticket": self.ticket,
            "status": self.status_at(now),
            "problem": self.problem or None,
            "total": self.total,
            "done": self.done,
            "unchanged": self.unchanged,
            "refused": self.refused,
            "created": self.created,
            "createdBy": self.created_by,
            "updated": self.updated,
        }


class Order(Struct, frozen=True, kw_only=True):
    """A request for a batch, after it was checked."""

    kind: Kind
    key: str
    action: str
    arguments: Mapping[str, Any]
    digest: str
    reason: Reason


class Part(Struct, frozen=True, kw_only=True):
    """The targets that one transaction changes.

    Attributes:
        revisions: The revisions that the targets must have; those that are not named may have any.
        details: The values of each target, for actions that have different ones.
        report: The outcome of each target, in their order; ``None`` before the part was run.

    """

    number: int
    targets: Sequence[str]
    revisions: Mapping[str, int]
    details: Mapping[str, Any] | None = None
    report: Sequence[Outcome] | None = None


class TargetReport(Struct, frozen=True, kw_only=True):
    """The outcome of one target."""

    id: str
    result: Result
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "result": self.result, "message": self.message}


def reports_of(targets: Sequence[str], report: Sequence[Outcome] | None) -> list[TargetReport]:
    """Return the result of each target of a part."""
    if report is None:
        return [TargetReport(id=key, result=Result.PENDING) for key in targets]
    return [
        TargetReport(id=key, result=Result.of(outcome), message=outcome or None)
        for key, outcome in zip(targets, report, strict=True)
    ]


class BatchPreview(Struct, frozen=True, kw_only=True):
    """The effect of a batch that was not started.

    Attributes:
        transactions: The number of transactions that the batch would need.
        refusals: Each reason for a refusal, and how many targets it applies to, the most frequent first.
        items: The first targets.

    """

    total: int
    counts: Mapping[Result, int]
    transactions: int
    refusals: Sequence[tuple[str, int]]
    items: Sequence[TargetReport]

    @classmethod
    def of(cls, targets: Sequence[str], outcomes: Sequence[Outcome], *, transactions: int, most: int) -> "BatchPreview":
        """Summarise the outcomes of the targets; those that would be refused come first."""
        refusals = [outcome for outcome in outcomes if outcome]
        each = list(zip(targets, outcomes, strict=True))
        refused = [one for one in each if one[1]][:most]
        first = refused + [one for one in each if not one[1]][: most - len(refused)]
        return cls(
            total=len(outcomes),
            counts={
                Result.DONE: outcomes.count(None),
                Result.UNCHANGED: outcomes.count(""),
                Result.REFUSED: len(refusals),
            },
            transactions=transactions,
            refusals=Counter(refusals).most_common(most),
            items=reports_of([key for key, _ in first], [outcome for _, outcome in first]),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the preview as clients receive it."""
        return {
            "total": self.total,
            **{name.value: self.counts.get(name, 0) for name in (Result.DONE, Result.UNCHANGED, Result.REFUSED)},
            "transactions": self.transactions,
            "refusals": [{"message": message, "count": count} for message, count in self.refusals],
            "items": [item.as_json() for item in self.items],
        }
