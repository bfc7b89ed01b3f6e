"""Crash reports and feedback."""

from datetime import datetime

from pydantic import Field

from rostrum.contracts.body import Change, ListView, View
from rostrum.contracts.names import LongText


class Review(Change):
    """The assessment of a report by an administrator."""

    reviewed: bool = False
    comment: LongText = ""


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


class CrashView(_Report):
    """A crash report in responses."""

    user: str | None
    product: str
    version: str
    platform: str
    process_type: str
    fields: dict[str, str] = Field(description="All submitted fields except the dump.")
    minidump: FileView | None


class CrashList(ListView):
    """One page of crash reports."""

    items: list[CrashView]


class FeedbackView(_Report):
    """Feedback in responses."""

    user: str
    session: str | None
    description: str
    attachment: FileView | None


class FeedbackList(ListView):
    """One page of feedback."""

    items: list[FeedbackView]


class FeedbackReceipt(View):
    """The id of stored feedback."""

    id: str
