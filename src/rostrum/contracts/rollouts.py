"""Staged roll-outs: a new version of a document first goes to some users."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from rostrum.contracts.body import Body, ListView, View
from rostrum.contracts.command_runs import Amount
from rostrum.contracts.names import GroupName, Name, ShortText
from rostrum.contracts.system_config import GivenContents


class Status(StrEnum):
    """The state of a roll-out; ``finished`` means that the new version has become the saved one."""

    RUNNING = "running"
    HALTED = "halted"
    FINISHED = "finished"
    WITHDRAWN = "withdrawn"


OPEN = (Status.RUNNING, Status.HALTED)


RolloutStatus = Literal["running", "halted", "finished", "withdrawn"]


class RolloutStage(Body):
    """The users who receive the new version in a stage, in addition to those of earlier stages."""

    percent: int = Field(0, ge=0, le=100, description="A percentage of all users.")
    groups: list[GroupName] = Field(
        default=[], max_length=100, description="The effective members of these groups, direct or inherited."
    )
    duration: int | None = Field(
        3600,
        ge=0,
        le=90 * 86_400,
        description="Seconds until the next stage starts, or the roll-out finishes after the last stage. Null: an "
        "administrator starts the next stage.",
    )


class RolloutPlan(Body):
    """The document and the stages."""

    key: Name = Field(description="The name of the app, or the ID of the document.")
    stages: list[RolloutStage] = Field(
        min_length=1,
        max_length=20,
        description="The stages in their order. After the last one, all users receive the new version.",
    )


class NewRollout(RolloutPlan):
    """A roll-out to be started."""

    content: GivenContents = Field(
        description="The new definition of the app or layout, or the new contents of the configuration file."
    )
    max_failures: Amount | None = Field(
        None,
        description="The roll-out is halted when more desktops than this have not applied the new version in time. A "
        "percentage refers to the connected desktops that receive the new version.",
    )
    max_crashes: Amount | None = Field(
        None,
        description="The roll-out is halted when more users than this have sent a crash report since the start of the "
        "stage. A percentage refers to the users who receive the new version.",
    )
    apply_timeout: int = Field(
        300, ge=1, le=86_400, description="Seconds in which a connected desktop must report the new version as applied."
    )
    comment: ShortText = Field("", max_length=256, description="The reason for the change, for the audit.")
    ticket: ShortText = Field("", max_length=64, description="The number of a ticket, for the audit log.")


class StageView(View):
    """A stage of a roll-out."""

    number: int
    percent: int
    groups: list[str]
    duration: int | None
    started: datetime | None


class RolloutProgress(View):
    """What became of the new version since the start of the stage, or since the roll-out was resumed."""

    users: int = Field(description="Users who receive the new version.")
    desktops: int = Field(description="Connected desktops that received the new version while they were connected.")
    applied: int = Field(description="Desktops that have reported the new version as applied.")
    pending: int = Field(description="Desktops that still have time to do so.")
    failed: int = Field(description="Desktops that have not done so in time.")
    crashed: int = Field(description="Users who receive the new version and have sent a crash report.")


class RolloutSummary(View):
    """A roll-out, as in a list."""

    id: str
    key: str
    name: str = Field(description="The name of the document.")
    status: RolloutStatus
    reason: str | None = Field(description="Why the roll-out was halted or withdrawn.")
    stage: int = Field(description="The number of the stage that has started last.")
    stages: list[StageView]
    next_at: datetime | None = Field(description="When the next stage starts, or the roll-out finishes.")
    comment: str
    ticket: str
    created: datetime
    created_by: str
    finished: datetime | None
    updated: datetime


class RolloutView(RolloutSummary):
    """A roll-out with its progress."""

    since: datetime = Field(description="Crashes and desktops that fail count from this time on.")
    max_failures: str | None
    max_crashes: str | None
    apply_timeout: int
    candidate: Any = Field(description="The new content.")
    progress: RolloutProgress


class RolloutList(ListView):
    """One page of roll-outs."""

    items: list[RolloutSummary]


class PreviewedStage(View):
    """The users of a stage, as they are now."""

    number: int
    users: int = Field(description="Users who receive the new version after the stage has started.")
    new: int = Field(description="Users of the stage who are not in an earlier one.")


class RolloutPreview(View):
    """Who would receive the new version; nothing was written."""

    users: int = Field(description="Users who receive the document.")
    stages: list[PreviewedStage]


class UserRollout(View):
    """Which version of a document a user receives, because of a roll-out."""

    id: str
    is_candidate: bool = Field(description="Whether the user receives the new version.")
    stage: int
    stage_count: int
    status: RolloutStatus
    text: str = Field(description="The same in a sentence.")
