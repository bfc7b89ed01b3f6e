"""Crash reports."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rostrum.base import json_text
from rostrum.base.json_text import raw
from rostrum.manager.crash_formats.minidump import DumpSummary
from rostrum.manager.files.model import StoredFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """A crash report.

    Attributes:
        fields: The JSON object that the reporter sent.
        app: The app that crashed; empty if the report concerns the platform.
        machine: The machine of the session, or the ID that the crash reporter of the machine has.
        group: The ID of the group of reports with the same app, version and signature.
        dump: The summary of the minidump; ``None`` if there is no file, or if it was not read yet.

    """

    id: str
    user: str | None
    product: str
    version: str
    platform: str
    process_type: str
    fields: str
    received: datetime
    minidump: StoredFile | None = None
    app: str = ""
    machine: str | None = None
    group: str = ""
    signature: str = ""
    dump: DumpSummary | None = None
    reviewed: bool = False
    reviewed_by: str | None = None
    comment: str = ""
    revision: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "user": self.user,
            "product": self.product,
            "version": self.version,
            "platform": self.platform,
            "processType": self.process_type,
            "fields": raw(self.fields),
            "minidump": self.minidump and self.minidump.as_json(),
            "app": self.app,
            "machine": self.machine,
            "group": self.group,
            "signature": self.signature,
            "dump": self.dump and self.dump.as_json(),
            "received": self.received,
            "reviewed": self.reviewed,
            "reviewedBy": self.reviewed_by,
            "comment": self.comment,
            "revision": self.revision,
        }


def dump_text(dump: DumpSummary | None) -> str | None:
    """Return the text that the database stores."""
    return None if dump is None else json_text.dump(dump.as_json()).decode()


def dump_of(text: str | None) -> DumpSummary | None:
    """Read the text that the database stores."""
    return None if text is None else DumpSummary.from_json(json_text.parse(text))
