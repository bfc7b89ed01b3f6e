"""Puts the demo firm into an empty manager, so that everything has something to show."""

import hashlib
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

from rostrum.base import json_text
from rostrum.base.ids import new_id
from rostrum.contracts.app_entries import AppEntry
from rostrum.contracts.groups import NewGroup
from rostrum.contracts.layout_entries import LayoutEntry
from rostrum.contracts.preference_entries import NewPreference
from rostrum.contracts.system_config import ConfigDocument
from rostrum.contracts.users import NewUser
from rostrum.manager.app import Manager
from rostrum.manager.demo.read import DemoContent, read_demo
from rostrum.manager.permissions.identity import SYSTEM
from rostrum.manager.storage import Command, Crash, Feedback, Origin, Session, StoredFile, Work, acting

__all__ = ["load_demo"]

_DEFAULT_BASE_URL = "http://127.0.0.1:4356/api"
_SESSION_LENGTH = timedelta(hours=8)


async def load_demo(
    manager: Manager, password: str, base_url: str, progress: Callable[[str], None] = lambda _: None
) -> None:
    """Make groups, users, documents and what clients would have sent; every demo user gets the same password."""
    content = read_demo()
    with acting(Origin(operation="demo")):
        await _documents(manager, content, password, base_url, progress)
        progress("sessions, commands, crash reports, feedback")
        async with manager.storage.write(SYSTEM.user) as work:
            sessions = [await _session(work, item) for item in content.sessions]
            for item in content.commands:
                await _command(work, sessions[item["session"]], item)
            for item in content.crashes:
                await _crash(work, item)
            for item in content.feedback:
                await _feedback(work, item)


async def _documents(
    manager: Manager, content: DemoContent, password: str, base_url: str, progress: Callable[[str], None]
) -> None:
    parts = manager.resources()
    progress(f"{len(content.groups)} groups")
    for item in content.groups:
        await parts["groups"].create(SYSTEM, NewGroup.model_validate(item))
    progress(f"{len(content.users)} users")
    for item in content.users:
        await parts["users"].create(SYSTEM, NewUser.model_validate({**item, "password": password}))
    progress(f"{len(content.apps)} apps")
    for item in content.apps:
        await parts["apps"].create(SYSTEM, AppEntry.model_validate(item))
    progress(f"{len(content.layouts)} layouts")
    for item in content.layouts:
        await parts["layouts"].create(SYSTEM, LayoutEntry.model_validate(item))
    progress("preferences and configuration files")
    for item in content.preferences:
        await parts["preferences"].create(SYSTEM, NewPreference.model_validate(item))
    for item in content.configs:
        text = json_text.dump(item).replace(_DEFAULT_BASE_URL.encode(), base_url.encode())
        await parts["configs"].create(SYSTEM, ConfigDocument.model_validate(json_text.parse(text)))


async def _session(work: Work, item: dict[str, Any]) -> Session:
    name = item["machine"]["name"]
    started = work.now - timedelta(minutes=item["minutesAgo"])
    last_seen = work.now if item["active"] else min(started + _SESSION_LENGTH, work.now - timedelta(minutes=10))
    session = Session(
        id=new_id(),
        user=item["user"],
        machine=f"{name}-{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}",
        version=item["version"],
        env=item["env"],
        region=item["region"],
        product=item["product"],
        commands=json_text.dump(item["commands"]).decode(),
        started=started,
        last_seen=last_seen,
        ended=None if item["active"] else last_seen,
    )
    await work.machines.see(session.machine, name, json_text.dump(item["machine"]).decode(), last_seen)
    await work.sessions.add(session)
    return session


async def _command(work: Work, session: Session, item: dict[str, Any]) -> None:
    finished = session.last_seen if item["status"] != "pending" else None
    data = item.get("data")
    await work.commands.add(
        Command(
            id=new_id(),
            session=session.id,
            user=session.user,
            command=item["command"],
            params=json_text.dump(item["params"]).decode(),
            status=item["status"],
            data=None if data is None else json_text.dump(data).decode(),
            created=session.started + timedelta(minutes=1),
            created_by=SYSTEM.user,
            delivered=finished,
            finished=finished,
        )
    )


async def _crash(work: Work, item: dict[str, Any]) -> None:
    fields = item["fields"]
    await work.crashes.add(
        Crash(
            id=new_id(),
            user=item["user"],
            product=fields["_productName"],
            version=fields["_version"],
            platform=fields["platform"],
            process_type=fields["process_type"],
            fields=json_text.dump(fields).decode(),
            minidump=await _file(work, "minidump.dmp", item["minidump"]),
            **_report(work, item),
        )
    )


async def _feedback(work: Work, item: dict[str, Any]) -> None:
    attachment = item.get("attachment")
    await work.feedback.add(
        Feedback(
            id=new_id(),
            user=item["user"],
            session=None,
            description=item["description"],
            attachment=None if attachment is None else await _file(work, "attachment.txt", attachment),
            **_report(work, item),
        )
    )


def _report(work: Work, item: dict[str, Any]) -> dict[str, Any]:
    reviewed = bool(item.get("reviewed"))
    return {
        "received": work.now - timedelta(minutes=item["minutesAgo"]),
        "reviewed": reviewed,
        "reviewed_by": SYSTEM.user if reviewed else None,
        "comment": item.get("comment", ""),
        "revision": work.revision,
    }


async def _file(work: Work, name: str, text: str) -> StoredFile:
    async def pieces() -> AsyncIterator[bytes]:
        yield text.encode()

    file = StoredFile(id=new_id(), name=name, media_type="application/octet-stream", size=0)
    return await work.files.add(file, pieces())
