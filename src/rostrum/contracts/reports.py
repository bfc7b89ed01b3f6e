"""Crash reports and feedback."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from rostrum.contracts.body import Body, Change, ListView, View
from rostrum.contracts.names import FORMS, LongText, UserId

_NOTE = r"^[^\x00]*[^\x00\s][^\x00]*$"
FORMS[_NOTE] = "must contain text, and no NUL character"

MOST_NOTE = 4000

Assignee = UserId | None


class Review(Change):
    """The assessment of a report by an administrator."""

    reviewed: bool = False
    comment: LongText = ""


class FeedbackReview(Review):
    """The assessment of feedback by an administrator: it is reviewed if its status is not new."""

    status: Literal["new", "investigating", "resolved", "ignored"] = "new"
    assignee: Assignee = Field(None, description="A user who can read feedback, or null for no user.")


class Triage(Change):
    """The state of a group of crash reports."""

    status: Literal["new", "investigating", "resolved", "ignored"] = "new"
    assignee: Assignee = Field(None, description="A user who can read crash reports, or null for no user.")
    review_reports: bool = Field(
        default=False,
        description="Whether the reports of the group are marked as reviewed too, if the group is resolved. At most "
        "10,000 reports are marked, the newest first.",
    )


class NewNote(Body):
    """A note to be added; notes cannot be changed later."""

    text: str = Field(min_length=1, max_length=MOST_NOTE, pattern=_NOTE)


class NoteView(View):
    """A note about a crash group or feedback."""

    id: str
    text: str
    created: datetime
    created_by: str


class NoteList(ListView):
    """Notes, oldest first."""

    items: list[NoteView]


class FileView(View):
    """An attached file."""

    name: str
    media_type: str
    size: int = Field(description="Bytes.")


class _Report(View):
    id: str
    received: datetime
    reviewed: bool
    reviewed_by: str | None
    comment: str
    revision: int


class DumpView(View):
    """The summary of a minidump. Function names are not included: they require the symbols of the program."""

    problem: str = Field(description="Why the minidump cannot be read; empty if it was read.")
    reason: str = Field(description="The signal or the exception, such as SIGSEGV.")
    address: str = Field(description="The address that could not be accessed, or the address of the exception.")
    module: str = Field(description="The program or library whose code was running; empty if unknown.")
    module_version: str
    offset: str = Field(description="The place of the instruction in the module.")
    system: str
    threads: int
    modules: int


class CrashView(_Report):
    """A crash report in responses."""

    user: str | None
    product: str
    version: str
    platform: str
    process_type: str
    fields: dict[str, str] = Field(description="All submitted fields except the dump.")
    minidump: FileView | None
    app: str = Field(description="The app that crashed; empty if the report concerns the platform.")
    machine: str | None
    group: str = Field(description="The ID of the group of reports with the same app, version and signature.")
    signature: str
    dump: DumpView | None = Field(description="The summary of the minidump; null if there is no minidump.")


class CrashList(ListView):
    """One page of crash reports."""

    items: list[CrashView]


class CrashGroupView(View):
    """Crash reports with the same product, app, version and signature."""

    id: str
    product: str
    app: str
    version: str
    signature: str
    status: Literal["new", "investigating", "resolved", "ignored", "returned"] = Field(
        description="returned: a crash arrived after the group was resolved, in the same or a newer version."
    )
    assignee: str | None
    first_seen: datetime
    last_seen: datetime
    count: int = Field(description="The number of reports, in the period if the list has the filter received.")
    users: int = Field(description="The number of users who sent these reports.")
    machines: int = Field(description="The number of machines that sent these reports.")
    days: list[int] = Field(description="The reports of each of the last 14 days in UTC; the last one is today.")
    changed: datetime | None = Field(description="When the status or the assignee last changed.")
    changed_by: str | None
    revision: int


class CrashGroupList(ListView):
    """One page of crash groups."""

    items: list[CrashGroupView]


class AffectedUser(View):
    """A user who sent reports of a crash group."""

    user: str | None
    count: int
    last_seen: datetime


class CrashGroupDetail(CrashGroupView):
    """A crash group with the users who are affected most."""

    affected: list[AffectedUser] = Field(description="The users with the most reports, at most 20.")
    unreviewed: int = Field(description="The number of reports that are not marked as reviewed.")


class PrecedingChange(View):
    """A change before the first crash of a group."""

    number: int = Field(description="The number of the audit entry.")
    revision: int | None
    at: datetime
    actor: str
    operation: str
    kind: str
    id: str
    name: str = Field(description="The name of the document for people.")
    comment: str | None
    ticket: str | None


class PrecedingChanges(View):
    """The changes before the first crash of a group, newest first."""

    since: datetime
    version_first_used: datetime | None = Field(
        description="When the first session with the version of the group began, if this was in the same period."
    )
    items: list[PrecedingChange]
    more: bool = Field(description="Whether there are more changes than are listed.")


class FeedbackView(_Report):
    """Feedback in responses."""

    user: str
    session: str | None
    description: str
    attachment: FileView | None
    status: Literal["new", "investigating", "resolved", "ignored"]
    assignee: str | None


class FeedbackList(ListView):
    """One page of feedback."""

    items: list[FeedbackView]


class FeedbackReceipt(View):
    """The id of stored feedback."""

    id: str
