"""Roll-outs: the stored record, and the rules that determine which users receive the new version."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct

from rostrum.base.json_text import raw
from rostrum.contracts.rollouts import OPEN, Status
from rostrum.manager.audiences import EventKind
from rostrum.manager.command_runs.model import Amount
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.kinds import Kind

MOST_OPEN = 100
"""Maximum number of roll-outs that have not ended: users with different versions do not share cached responses."""

TOPICS = {Kind.APP: ContentTopic.APPS, Kind.LAYOUT: ContentTopic.LAYOUTS, Kind.CONFIG: ContentTopic.CONFIGS}
"""The kinds that can be rolled out, and the content that changes with them."""

EVENTS = {Kind.APP: EventKind.APPS, Kind.LAYOUT: EventKind.LAYOUTS, Kind.CONFIG: EventKind.SYSTEM_CONFIG}

_PARTS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The users of a stage: a percentage of all users, and the effective members of groups.

    Attributes:
        duration: The seconds after which the next stage starts; ``None`` if an administrator starts it.
        revision: The revision with which the stage has started; desktops that have received it report it as applied.

    """

    percent: int = 0
    groups: Sequence[str] = ()
    duration: int | None = None
    started: datetime | None = None
    revision: int = 0

    def includes(self, user: str, groups: Collection[str], part: int) -> bool:
        """Return whether a user belongs to the stage; requests that are for no user have no part in percentages."""
        return (bool(user) and part * 100 < self.percent * _PARTS) or any(name in groups for name in self.groups)

    @property
    def text(self) -> str:
        """Describe the users of the stage."""
        parts = [f"{self.percent}% of the users"] if self.percent else []
        if self.groups:
            parts.append(f"members of {', '.join(self.groups)}")
        return " and ".join(parts)


class Cohort(Struct, frozen=True, kw_only=True):
    """The users who receive the new version: those of the stages that have started."""

    id: str
    stages: Sequence[Stage]

    def includes(self, user: str, groups: Collection[str]) -> bool:
        """Return whether a user receives the new version."""
        return self.stage_of(user, groups) is not None

    def stage_of(self, user: str, groups: Collection[str]) -> int | None:
        """Return the number of the first stage that includes a user.

        Whether a user is among the first ten percent depends only on the user and the roll-out. The first users
        therefore keep the new version in later stages, and each roll-out begins with other users.
        """
        digest = hashlib.blake2b(f"{self.id}\n{user}".encode(), digest_size=8).digest()
        part = int.from_bytes(digest) % _PARTS
        numbered = enumerate(self.stages, start=1)
        return next((number for number, stage in numbered if stage.includes(user, groups, part)), None)


class Observation(Struct, frozen=True, kw_only=True):
    """The effect of the new version since ``Rollout.since``.

    Attributes:
        users: Users who receive the new version.
        desktops: Connected desktops of these users.
        applied: Desktops that have reported the new version as applied.
        failed: Desktops that have not done so in time.
        crashed: Users who have sent a crash report.

    """

    users: int = 0
    desktops: int = 0
    applied: int = 0
    failed: int = 0
    crashed: int = 0

    def as_json(self) -> dict[str, int]:
        return {
            "users": self.users,
            "desktops": self.desktops,
            "applied": self.applied,
            "pending": self.desktops - self.applied - self.failed,
            "failed": self.failed,
            "crashed": self.crashed,
        }


class Step(StrEnum):
    """The next action of a roll-out."""

    NOTHING = "nothing"
    ADVANCE = "advance"
    FINISH = "finish"
    HALT = "halt"
    ABANDON = "abandon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """A new version of a document, and the plan by which users receive it.

    Attributes:
        key: The key of the document.
        name: The name of the document for people.
        candidate: JSON text of the new content.
        stage: The number of the stage that has started last.
        since: Crashes and missing receipts count from this time on: the start of the stage, or a resumption.
        apply_timeout: Seconds in which a desktop must report the new version as applied.
        reason: Why the roll-out was halted or withdrawn.
        token_id: The API token with which the roll-out was started, if any: its rights are the limit.
        approval: The approved proposal that has shown the new version, because it reaches users through that proposal.

    """

    id: str
    kind: Kind
    key: str
    name: str
    candidate: str
    stages: Sequence[Stage]
    stage: int = 1
    since: datetime
    max_failures: str | None = None
    max_crashes: str | None = None
    apply_timeout: int = 300
    comment: str = ""
    ticket: str = ""
    status: Status = Status.RUNNING
    reason: str = ""
    created: datetime
    created_by: str
    token_id: str | None = None
    finished: datetime | None = None
    updated: datetime
    approval: str | None = None

    @property
    def current(self) -> Stage:
        return self.stages[self.stage - 1]

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def cohort(self) -> Cohort:
        """The users who receive the new version now."""
        return Cohort(id=self.id, stages=self.stages[: self.stage])

    @property
    def next_at(self) -> datetime | None:
        """When the next stage starts, or the roll-out finishes; ``None`` if an administrator must continue it."""
        stage = self.current
        if self.status is not Status.RUNNING or stage.duration is None or stage.started is None:
            return None
        at = stage.started + timedelta(seconds=stage.duration)
        # Before that, a desktop that has not applied the new version cannot count as failed.
        return at if self.max_failures is None else max(at, self.since + timedelta(seconds=self.apply_timeout))

    def begun(self, stage: int, now: datetime, revision: int) -> "Rollout":
        """Return the roll-out at the start of a stage."""
        stages = list(self.stages)
        stages[stage - 1] = replace(stages[stage - 1], started=now, revision=revision)
        return replace(
            self, stages=stages, stage=stage, since=now, status=Status.RUNNING, reason="", finished=None, updated=now
        )

    def ended(self, status: Status, now: datetime, reason: str = "") -> "Rollout":
        return replace(self, status=status, reason=reason, finished=now, updated=now)

    def halt_reason(self, seen: Observation) -> str | None:
        """Return why the roll-out must be halted; ``None`` if no limit is exceeded."""
        found = (
            ("users crashed", self.max_crashes, seen.crashed, seen.users),
            ("desktops did not apply the new version in time", self.max_failures, seen.failed, seen.desktops),
        )
        for what, limit, count, total in found:
            if limit is not None and count and Amount.parse(limit).is_exceeded(count, total):
                return f"{count} of {total} {what}; the limit is {limit}"
        return None

    def next_step(self, seen: Observation | None, now: datetime) -> Step:
        """Return the next action; there is no observation if the document no longer exists."""
        if not self.is_open:
            return Step.NOTHING
        if seen is None:
            return Step.ABANDON
        if self.status is not Status.RUNNING:
            return Step.NOTHING
        if self.halt_reason(seen):
            return Step.HALT
        if self.next_at is None or now < self.next_at:
            return Step.NOTHING
        return Step.ADVANCE if self.stage < len(self.stages) else Step.FINISH

    def version_text(self, *, is_included: bool) -> str:
        """State which version a user receives, and because of which stage."""
        stage = f"stage {self.stage} of {len(self.stages)} of the roll-out {self.id}"
        reached = " and ".join(dict.fromkeys(stage.text for stage in self.stages[: self.stage]))
        if is_included:
            return f"The user receives the new version: {stage} includes the user ({reached})."
        return f"The user receives the saved version: {stage} does not include the user ({reached})."

    def summary(self) -> dict[str, Any]:
        """Return the roll-out as a list shows it."""
        return {
            "id": self.id,
            "key": self.key,
            "name": self.name,
            "status": self.status,
            "reason": self.reason or None,
            "stage": self.stage,
            "stages": [
                {
                    "number": number,
                    "percent": stage.percent,
                    "groups": list(stage.groups),
                    "duration": stage.duration,
                    "started": stage.started,
                }
                for number, stage in enumerate(self.stages, start=1)
            ],
            "nextAt": self.next_at,
            "comment": self.comment,
            "ticket": self.ticket,
            "created": self.created,
            "createdBy": self.created_by,
            "finished": self.finished,
            "updated": self.updated,
        }

    def as_json(self, seen: Observation | None) -> dict[str, Any]:
        return {
            **self.summary(),
            "since": self.since,
            "maxFailures": self.max_failures,
            "maxCrashes": self.max_crashes,
            "applyTimeout": self.apply_timeout,
            "candidate": raw(self.candidate),
            "progress": (seen or Observation()).as_json(),
        }
