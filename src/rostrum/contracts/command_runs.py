"""Commands for many desktops, sent in waves."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from rostrum.contracts.body import Body, ListView, View
from rostrum.contracts.names import FORMS, GroupName, Id, Name, ShortText, UserId
from rostrum.contracts.reasons import Comment, Ticket

_AMOUNT = r"^(0|[1-9][0-9]{0,5}|(0|[1-9][0-9]?|100)%)$"
FORMS[_AMOUNT] = "must be a number such as 25, or a percentage such as 10%"

Amount = Annotated[str, Field(max_length=6, pattern=_AMOUNT)]
"""A number of desktops, or a percentage."""

Moment = Annotated[ShortText, Field(max_length=40)]
"""A time with its zone, such as 2026-11-17T09:30:00Z."""

RunStatus = Literal["scheduled", "running", "paused", "stopped", "cancelled", "done"]
TargetState = Literal[
    "pending", "sent", "done", "failed", "unanswered", "unsupported", "offline", "refused", "cancelled"
]


class RunFilter(Body):
    """The filter of the list of sessions."""

    q: ShortText = Field("", description="The text to search for.")
    fields: dict[ShortText, ShortText] = Field(
        default={},
        max_length=20,
        description="The filters of the list of sessions: user, machine, version, env, region, product.",
    )


class RunTarget(Body):
    """The desktops that receive the command. With groups or users and a filter, both must apply."""

    groups: list[GroupName] = Field(
        default=[], max_length=100, description="The effective members of these groups, direct or inherited."
    )
    users: list[UserId] = Field(default=[], max_length=10_000, description="These users as well.")
    filter: RunFilter | None = Field(
        None, description="Desktops whose session matches. An empty filter matches all desktops."
    )


class CommandRunRequest(Body):
    """A command, the desktops that receive it, and the waves in which they do."""

    command: Name
    params: dict[str, Any] = Field(default={})
    target: RunTarget
    waves: list[Amount] = Field(
        default=["100%"],
        min_length=1,
        max_length=20,
        description="How many of the desktops have received the command after each wave: numbers such as 5, or "
        "percentages such as 10%. If desktops remain after the last one, they are a further wave.",
    )


class NewCommandRun(CommandRunRequest):
    """A command run to be started."""

    key: Id = Field(
        description="Chosen by the client, for example a random ID. A repeated request with the same key returns the "
        "run that the first request has started."
    )
    pause: int = Field(0, ge=0, le=7 * 86_400, description="Seconds between the end of a wave and the next wave.")
    answer_timeout: int = Field(
        300,
        ge=1,
        le=86_400,
        description="Seconds in which a desktop must answer. A desktop without an answer counts as failed.",
    )
    max_failures: Amount | None = Field(
        None,
        description="The run stops when more desktops than this have failed. A percentage refers to the desktops that "
        "have received the command.",
    )
    max_crashes: Amount | None = Field(
        None,
        description="The run stops when more desktops than this have crashed: their users have sent a crash report "
        "since they received the command.",
    )
    start_at: Moment | None = Field(None, description="When the first wave starts; without it, at once.")
    expires: Moment | None = Field(
        None,
        description="Until when the command is sent to offline desktops that connect again; without it, offline "
        "desktops do not receive the command.",
    )
    comment: Comment = Field("", description="The reason for the run, for the audit.")
    ticket: Ticket = Field("", description="The number of a ticket, for the audit log.")


class RunCounts(View):
    """How many desktops are in each state."""

    total: int
    pending: int = Field(description="Desktops of waves that have not started.")
    sent: int = Field(description="Desktops that have not answered yet.")
    done: int
    failed: int
    unanswered: int = Field(description="Desktops that have not answered in time.")
    unsupported: int = Field(description="Desktops that do not support the command.")
    offline: int = Field(description="Desktops that were not connected when their wave started.")
    refused: int = Field(description="Desktops that the author of the run must not send this command to.")
    cancelled: int


class RunWave(RunCounts):
    """A wave and its progress."""

    number: int
    started: datetime | None
    finished: datetime | None


class CommandRunSummary(RunCounts):
    """A command run and its progress, as in a list."""

    id: str
    command: str
    status: RunStatus
    reason: str | None = Field(description="Why the run has stopped.")
    comment: str
    ticket: str
    wave: int = Field(description="The number of the wave that has started last; 0 before the first.")
    wave_count: int
    crashed: int = Field(description="Desktops whose user has sent a crash report since they received the command.")
    start_at: datetime | None
    expires: datetime | None
    created: datetime
    created_by: str
    started: datetime | None
    finished: datetime | None
    updated: datetime = Field(description="The time of the last progress.")


class CommandRunView(CommandRunSummary):
    """A command run with its waves."""

    key: str
    params: dict[str, Any]
    target: dict[str, Any]
    pause: int
    answer_timeout: int
    max_failures: str | None
    max_crashes: str | None
    next_wave_at: datetime | None = Field(description="When the pause before the next wave ends.")
    waves: list[RunWave]


class CommandRunList(ListView):
    """One page of command runs."""

    items: list[CommandRunSummary]


class RunTargetView(View):
    """The result of one desktop of a run."""

    number: int
    wave: int
    user: str
    machine: str = Field(description="Empty for the next desktop on which the user signs in.")
    session: str | None
    command: str | None = Field(description="The ID of the command that was sent.")
    state: TargetState
    message: str | None
    sent: datetime | None
    finished: datetime | None


class RunTargetList(ListView):
    """One page of the desktops of a run."""

    items: list[RunTargetView]


class PreviewedDesktop(View):
    """A desktop that a run would include."""

    user: str
    machine: str
    session: str | None
    state: Literal["ready", "offline", "unsupported", "refused"]
    message: str | None


class CommandRunPreview(View):
    """The effect of a run if it started now; nothing was written."""

    total: int
    ready: int = Field(description="Connected desktops that would receive the command.")
    offline: int
    unsupported: int
    refused: int
    waves: list[int] = Field(description="The number of desktops in each wave.")
    items: list[PreviewedDesktop] = Field(description="The first desktops; those with a problem come first.")
