"""Adds the demo firm to an empty manager."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from rostrum.base import json_text
from rostrum.base.ids import new_id
from rostrum.contracts.app_entries import AppEntry
from rostrum.contracts.groups import NewGroup
from rostrum.contracts.layout_entries import LayoutEntry
from rostrum.contracts.preference_entries import NewPreference
from rostrum.contracts.system_config import ConfigChange, ConfigDocument
from rostrum.contracts.users import NewUser
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.changes.origin import Reason, RequestOrigin, acting
from rostrum.manager.commands.repository import Commands
from rostrum.manager.crash_groups.repository import CrashGroups
from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.database.paging import Query
from rostrum.manager.demo.activity import demo_activity
from rostrum.manager.demo.addresses import EXAMPLE_ORIGIN, at_origin
from rostrum.manager.demo.read import DemoContent, read_demo
from rostrum.manager.demo.repository import ActivityTimes
from rostrum.manager.feedback.repository import Feedbacks
from rostrum.manager.files.model import StoredFile
from rostrum.manager.files.repository import Files
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.machines.topic import Machines
from rostrum.manager.manager import Manager
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Work

_DEFAULT_BASE_URL = "http://127.0.0.1:4356/api"
_CHOSEN_LAYOUTS = {"ada.birch": ("Global", "Market View")}
"""Type and name of the default layout that a user of the demo has selected, by user."""


async def load_demo(
    manager: Manager,
    password: str,
    base_url: str,
    progress: Callable[[str], None] = lambda _: None,
    *,
    app_origin: str = EXAMPLE_ORIGIN,
) -> None:
    """Create groups, users, documents and past activity; all demo users have the same password.

    ``app_origin`` is the origin of the pages of the apps.
    """
    content = read_demo()
    with acting(RequestOrigin(operation="demo")):
        await _documents(manager, content, password, base_url, progress, app_origin=app_origin)
        await _changes(manager, content)
        progress("sessions, commands, crash reports, feedback")
        async with manager.storage.write(SYSTEM.user) as work:
            for user, layout in _CHOSEN_LAYOUTS.items():
                await work.of(Layouts).set_default(user, layout)
            await _past_activity(work, content)


async def _documents(
    manager: Manager,
    content: DemoContent,
    password: str,
    base_url: str,
    progress: Callable[[str], None],
    *,
    app_origin: str,
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
        definition = at_origin(item["definition"], app_origin)
        await parts["apps"].create(SYSTEM, AppEntry.model_validate({**item, "definition": definition}))
    progress(f"{len(content.layouts)} layouts")
    for item in content.layouts:
        await parts["layouts"].create(SYSTEM, LayoutEntry.model_validate(item))
    progress("preferences and configuration files")
    for item in content.preferences:
        await parts["preferences"].create(SYSTEM, NewPreference.model_validate(item))
    for item in content.configs:
        text = json_text.dump(item).replace(_DEFAULT_BASE_URL.encode(), base_url.encode())
        await parts["configs"].create(SYSTEM, ConfigDocument.model_validate(json_text.parse(text)))


async def _changes(manager: Manager, content: DemoContent) -> None:
    """Change configuration files that the demo has created, with a comment and a ticket."""
    configs = manager.resources()["configs"]
    for item in content.changes:
        filters = {"file": item["file"], "group": item["group"]}
        (config,) = (await configs.page(SYSTEM, Query(filters=filters))).items
        contents = {**json_text.parse(config.contents), **item["contents"]}
        reason = Reason(comment=item["comment"], ticket=item["ticket"])
        with acting(RequestOrigin(operation="demo", reason=reason)):
            await configs.change(SYSTEM, config.id, ConfigChange.model_validate({"contents": contents}))


async def _past_activity(work: Work, content: DemoContent) -> None:
    activity = demo_activity(content, work.now)
    for machine in activity.machines:
        owner = machine.owner or SYSTEM.user
        await work.of(Machines).see(machine.id, machine.name, machine.info, machine.first_seen, owner)
        await work.of(ActivityTimes).set(machine)
    for session in activity.sessions:
        await work.of(Sessions).add(session)
    for command in activity.commands:
        await work.of(Commands).add(command)
    for item, crash in zip(content.crashes, activity.crashes, strict=True):
        minidump = await _file(work, "minidump.dmp", item["minidump"])
        await work.of(Crashes).add(replace(crash, minidump=minidump, revision=work.revision))
        await work.of(CrashGroups).saw(crash, work.revision)
    for item, feedback in zip(content.feedback, activity.feedback, strict=True):
        text = item.get("attachment")
        attachment = None if text is None else await _file(work, "attachment.txt", text)
        await work.of(Feedbacks).add(replace(feedback, attachment=attachment, revision=work.revision))


async def _file(work: Work, name: str, text: str) -> StoredFile:
    async def pieces() -> AsyncIterator[bytes]:
        yield text.encode()

    file = StoredFile(id=new_id(), name=name, media_type="application/octet-stream", size=0)
    return await work.of(Files).add(file, pieces())
