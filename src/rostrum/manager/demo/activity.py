"""Creates records of past activity of the demo's clients, with times relative to a given time."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.commands.model import Command
from rostrum.manager.crash_formats.minidump import DumpSummary
from rostrum.manager.crash_formats.signature import machine_of
from rostrum.manager.crashes.repository import Crash
from rostrum.manager.crashes.service import crash_of
from rostrum.manager.demo.read import DemoContent
from rostrum.manager.feedback.repository import Feedback
from rostrum.manager.machines.topic import Machine
from rostrum.manager.reports.model import TriageStatus
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.service import machine_identity

_DELIVERY = timedelta(seconds=1)
_ANSWER = timedelta(seconds=4)


class DemoActivity(Struct, frozen=True, kw_only=True):
    """Records of past activity. Their IDs are always the same, so that their times can be updated later.

    Times of changes are part of the audit and stay, so the times of the crashes after them stay too.

    Attributes:
        crashes: In the order of the demo content, without their files.
        feedback: In the order of the demo content, without their files.

    """

    machines: tuple[Machine, ...]
    sessions: tuple[Session, ...]
    commands: tuple[Command, ...]
    crashes: tuple[Crash, ...]
    feedback: tuple[Feedback, ...]


def demo_activity(content: DemoContent, now: datetime) -> DemoActivity:
    """Create the records for a demo that is opened at this time."""
    desktops: dict[str, dict[str, Any]] = {}
    for desktop in content.desktops:
        desktops.setdefault(desktop["machine"]["name"], desktop)
    sessions = tuple(
        _session(number, item, desktops[item["machine"]], now) for number, item in enumerate(content.sessions, 1)
    )
    return DemoActivity(
        machines=tuple(_machines(desktops, sessions)),
        sessions=sessions,
        commands=tuple(
            _command(number, item, sessions[item["session"]]) for number, item in enumerate(content.commands, 1)
        ),
        crashes=tuple(_crash(number, item, now) for number, item in enumerate(content.crashes, 1)),
        feedback=tuple(_feedback(number, item, now) for number, item in enumerate(content.feedback, 1)),
    )


def _session(number: int, item: dict[str, Any], desktop: dict[str, Any], now: datetime) -> Session:
    started = now - timedelta(minutes=item["minutesAgo"])
    last_seen = started + timedelta(minutes=item["minutes"])
    return Session(
        id=f"simulated-{number:02}",
        user=item["user"],
        machine=machine_identity(desktop["machine"])[0],
        version=item.get("version", desktop["version"]),
        env=desktop["env"],
        region=desktop["region"],
        product=item.get("product", desktop["product"]),
        commands=json_text.dump(desktop["commands"]).decode(),
        started=started,
        last_seen=last_seen,
        # A session without an end belongs to a desktop that lost its connection.
        ended=last_seen if item.get("ended", True) else None,
    )


def _machines(desktops: dict[str, dict[str, Any]], sessions: tuple[Session, ...]) -> Iterator[Machine]:
    for desktop in desktops.values():
        machine_id, name = machine_identity(desktop["machine"])
        own = [session for session in sessions if session.machine == machine_id]
        yield Machine(
            id=machine_id,
            name=name,
            info=json_text.dump(desktop["machine"]).decode(),
            owner=own[0].user,
            first_seen=min(session.started for session in own),
            last_seen=max(session.last_seen for session in own),
        )


def _command(number: int, item: dict[str, Any], session: Session) -> Command:
    created = session.started + timedelta(minutes=item["minute"])
    is_answered = item["status"] != "pending"
    data = {"simulated": True, **item["data"]} if is_answered else None
    return Command(
        id=f"demo-command-{number:02}",
        session=session.id,
        user=session.user,
        command=item["command"],
        params=json_text.dump(item["params"]).decode(),
        status=item["status"],
        data=None if data is None else json_text.dump(data).decode(),
        created=created,
        created_by=SYSTEM.user,
        delivered=created + _DELIVERY if is_answered else None,
        finished=created + _ANSWER if is_answered else None,
    )


def _crash(number: int, item: dict[str, Any], now: datetime) -> Crash:
    fields = item["fields"]
    summary = DumpSummary.from_json(item["dump"]) if "dump" in item else None
    report = _report(item, now)
    return crash_of(
        fields, summary, id=f"demo-crash-{number:02}", user=item["user"], machine=machine_of(fields), **report
    )


def _feedback(number: int, item: dict[str, Any], now: datetime) -> Feedback:
    return Feedback(
        id=f"demo-feedback-{number:02}",
        user=item["user"],
        session=None,
        description=item["description"],
        status=TriageStatus.RESOLVED if item.get("reviewed") else TriageStatus.NEW,
        **_report(item, now),
    )


def _report(item: dict[str, Any], now: datetime) -> dict[str, Any]:
    reviewed = bool(item.get("reviewed"))
    return {
        "received": now - timedelta(minutes=item["minutesAgo"]),
        "reviewed": reviewed,
        "reviewed_by": SYSTEM.user if reviewed else None,
        "comment": item.get("comment", ""),
    }
