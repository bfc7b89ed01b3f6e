"""Command runs: the stored records, and the arithmetic of waves and limits."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct

from rostrum.base.json_text import raw

MOST_TARGETS = 50_000
MOST_OPEN = 100
"""Maximum number of runs that have not ended: each of them is checked every second."""


class Status(StrEnum):
    """The state of a run: ``paused`` by an administrator, or ``stopped`` by the manager."""

    SCHEDULED = "scheduled"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    DONE = "done"


ENDED = (Status.CANCELLED, Status.DONE)


class State(StrEnum):
    """The state of a desktop in a run."""

    PENDING = "pending"
    SENT = "sent"
    DONE = "done"
    FAILED = "failed"
    UNANSWERED = "unanswered"
    UNSUPPORTED = "unsupported"
    OFFLINE = "offline"
    REFUSED = "refused"
    CANCELLED = "cancelled"


_RECEIVED = (State.SENT, State.DONE, State.FAILED, State.UNANSWERED)
_FAILURES = (State.FAILED, State.UNANSWERED)


class Amount(Struct, frozen=True):
    """A number of desktops, or a percentage."""

    number: int
    is_percentage: bool = False

    @classmethod
    def parse(cls, text: str) -> "Amount":
        return cls(int(text.removesuffix("%")), text.endswith("%"))

    def of(self, total: int) -> int:
        """Return the number of desktops; a percentage is rounded up, so that a small one does not become 0."""
        return -(-total * self.number // 100) if self.is_percentage else self.number

    def is_exceeded(self, count: int, total: int) -> bool:
        """Return whether more than this were counted among a total."""
        return count * 100 > self.number * total if self.is_percentage else count > self.number


def wave_sizes(amounts: Iterable[Amount], total: int) -> list[int]:
    """Return the sizes of the waves: each amount is reached in turn, and one more wave reaches the rest, if any.

    Waves that would be empty are left out.
    """
    reached, sizes = 0, []
    for end in [*(min(amount.of(total), total) for amount in amounts), total]:
        if end > reached:
            sizes.append(end - reached)
            reached = end
    return sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """A wave; it has finished when each of its connected desktops has answered, or has not in time."""

    size: int
    started: datetime | None = None
    finished: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Desktop:
    """A target of a run.

    Attributes:
        machine: Empty for a user who was offline: the command is for the next desktop of this user that connects.
        product: Empty for any.

    """

    number: int = 0
    wave: int = 0
    user: str
    machine: str = ""
    product: str = ""
    state: State = State.PENDING
    session: str | None = None
    command: str | None = None
    message: str | None = None
    sent: datetime | None = None
    finished: datetime | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "wave": self.wave,
            "user": self.user,
            "machine": self.machine,
            "session": self.session,
            "command": self.command,
            "state": self.state,
            "message": self.message,
            "sent": self.sent,
            "finished": self.finished,
        }


def in_waves(run_id: str, desktops: Iterable[Desktop], sizes: Sequence[int]) -> list[Desktop]:
    """Number the desktops and divide them into waves: connected ones first, in an order that differs for each run.

    In the order of their names, the same people would be in the first wave of each run.
    """

    def place(desktop: Desktop) -> tuple[bool, bytes]:
        name = "\n".join((run_id, desktop.user, desktop.machine, desktop.product))
        return desktop.session is None, hashlib.blake2b(name.encode(), digest_size=8).digest()

    ordered = sorted(desktops, key=place)
    waves = [number for number, size in enumerate(sizes, start=1) for _ in range(size)]
    return [
        replace(desktop, number=number, wave=wave)
        for number, (desktop, wave) in enumerate(zip(ordered, waves, strict=True), start=1)
    ]


Counts = Mapping[tuple[int, State], int]
"""How many desktops are in each state, by wave."""


def total_of(counts: Counts, *states: State, wave: int | None = None) -> int:
    """Return how many desktops are in one of these states, in one wave or in all."""
    return sum(
        count for (number, state), count in counts.items() if state in states and (wave is None or wave == number)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRun:
    """One command for many desktops.

    Attributes:
        request_key: Chosen by the client; the same key of the same user never starts a second run.
        digest: Digest of the request, so that a key cannot be used for another request.
        target: JSON text of the selection.
        amounts: The waves as the author wrote them.
        waves: The waves with their sizes; empty before the run has started.
        wave: The number of the wave that has started last.
        reason: Why the run has stopped; empty if it has not.
        accepted_failures: Failures until an administrator continued the run; they no longer count.
        token_id: The API token with which the run was created, if any: its rights are the limit.
        crashed: Desktops whose user has sent a crash report since they received the command.

    """

    id: str
    request_key: str
    digest: str
    command: str
    params: str
    target: str
    amounts: Sequence[str]
    waves: Sequence[Wave] = ()
    wave: int = 0
    pause: int = 0
    answer_timeout: int = 300
    max_failures: str | None = None
    max_crashes: str | None = None
    start_at: datetime | None = None
    expires: datetime | None = None
    comment: str = ""
    ticket: str = ""
    status: Status = Status.SCHEDULED
    reason: str = ""
    total: int = 0
    accepted_failures: int = 0
    accepted_crashes: int = 0
    crashed: int = 0
    created: datetime
    created_by: str
    token_id: str | None = None
    started: datetime | None = None
    finished: datetime | None = None
    updated: datetime

    @property
    def current(self) -> Wave | None:
        """The wave that has started last."""
        return self.waves[self.wave - 1] if self.wave else None

    @property
    def next_wave_at(self) -> datetime | None:
        """When the pause before the next wave ends; ``None`` if no wave waits for that."""
        if self.current is None or self.current.finished is None or self.wave == len(self.waves):
            return None
        return self.current.finished + timedelta(seconds=self.pause)

    def with_wave(self, **changes: Any) -> "CommandRun":
        """Return the run with a change of its current wave."""
        waves = list(self.waves)
        waves[self.wave - 1] = replace(waves[self.wave - 1], **changes)
        return replace(self, waves=waves)

    def retries(self, now: datetime) -> bool:
        """Return whether offline desktops still receive the command when they connect."""
        return self.expires is not None and now < self.expires

    def failures(self, counts: Counts) -> int:
        return total_of(counts, *_FAILURES)

    def stop_reason(self, counts: Counts, crashed: int) -> str | None:
        """Return why the run must stop; ``None`` if no limit is exceeded."""
        received = total_of(counts, *_RECEIVED)
        found = (
            ("failed", self.max_failures, self.failures(counts) - self.accepted_failures),
            ("crashed", self.max_crashes, crashed - self.accepted_crashes),
        )
        for what, limit, count in found:
            if limit is not None and Amount.parse(limit).is_exceeded(count, received):
                return f"{count} of {received} desktops {what}; the limit is {limit}"
        return None

    def summary(self, counts: Counts) -> dict[str, Any]:
        """Return the run as a list shows it."""
        return {
            "id": self.id,
            "command": self.command,
            "status": self.status,
            "reason": self.reason or None,
            "comment": self.comment,
            "ticket": self.ticket,
            "wave": self.wave,
            "waveCount": len(self.waves),
            "crashed": self.crashed,
            "startAt": self.start_at,
            "expires": self.expires,
            "created": self.created,
            "createdBy": self.created_by,
            "started": self.started,
            "finished": self.finished,
            "updated": self.updated,
            **_counted(counts, self.total),
        }

    def as_json(self, counts: Counts) -> dict[str, Any]:
        return {
            **self.summary(counts),
            "key": self.request_key,
            "params": raw(self.params),
            "target": raw(self.target),
            "pause": self.pause,
            "answerTimeout": self.answer_timeout,
            "maxFailures": self.max_failures,
            "maxCrashes": self.max_crashes,
            "nextWaveAt": self.next_wave_at if self.status is Status.RUNNING else None,
            "waves": [
                {
                    "number": number,
                    "started": wave.started,
                    "finished": wave.finished,
                    **_counted(counts, wave.size, number),
                }
                for number, wave in enumerate(self.waves, start=1)
            ],
        }


def _counted(counts: Counts, total: int, wave: int | None = None) -> dict[str, int]:
    return {"total": total, **{state.value: total_of(counts, state, wave=wave) for state in State}}


class Step(StrEnum):
    """The next action of a run."""

    NOTHING = "nothing"
    START = "start"
    SETTLE = "settle"
    SEND = "send"


def next_step(run: CommandRun, counts: Counts, now: datetime, *, has_reconnected: bool) -> Step:
    """Return the next action of a run whose answers are all counted and whose limits are not exceeded."""
    if run.status is not Status.RUNNING:
        is_due = run.status is Status.SCHEDULED and (run.start_at is None or run.start_at <= now)
        return Step.START if is_due else Step.NOTHING
    if run.current is None or total_of(counts, State.PENDING, wave=run.wave):
        return Step.SEND
    if run.current.finished is None and not total_of(counts, State.SENT, wave=run.wave):
        return Step.SETTLE
    if run.next_wave_at is not None and run.next_wave_at <= now:
        return Step.SEND
    is_last = run.wave == len(run.waves) and not total_of(counts, State.SENT)
    if is_last and not (run.retries(now) and total_of(counts, State.OFFLINE)):
        return Step.SETTLE
    return Step.SEND if has_reconnected and run.retries(now) else Step.NOTHING
