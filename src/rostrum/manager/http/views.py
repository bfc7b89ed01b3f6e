"""From records to the bodies of answers; stored JSON goes in as it is, without being read again."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from rostrum.manager.apps.model import App
from rostrum.manager.audit.model import AuditEntry, shown_changes
from rostrum.manager.audit.service import Verification
from rostrum.manager.commands.model import Command
from rostrum.manager.configs.model import ConfigFile, Scope
from rostrum.manager.crashes.model import Crash
from rostrum.manager.database.query import Page
from rostrum.manager.feedback.model import Feedback
from rostrum.manager.files.model import StoredFile
from rostrum.manager.groups.model import Group
from rostrum.manager.history.model import Revision
from rostrum.manager.history.rollback import RolledBack
from rostrum.manager.history.service import Comparison
from rostrum.manager.layouts.model import Layout
from rostrum.manager.machines.model import Machine
from rostrum.manager.preferences.model import Preference
from rostrum.manager.quotas.service import QuotaUse
from rostrum.manager.receipts.model import Receipt
from rostrum.manager.sessions.service import ActiveSession
from rostrum.manager.stamp import Stamp
from rostrum.manager.users.model import User

Item = TypeVar("Item")


def page_view(page: Page[Item], view: Callable[[Item], Any]) -> dict[str, Any]:
    """Show one page of a list; that there are more than were counted is told only when it is so."""
    body = {"items": [view(item) for item in page.items], "total": page.total}
    return {**body, "more": True} if page.more else body


def raw(text: str) -> msgspec.Raw:
    """Put stored JSON text into an answer as it is."""
    return msgspec.Raw(text.encode())


def _stamp(stamp: Stamp) -> dict[str, Any]:
    return {
        "revision": stamp.revision,
        "created": stamp.created,
        "createdBy": stamp.created_by,
        "modified": stamp.modified,
        "modifiedBy": stamp.modified_by,
    }


def user_view(user: User) -> dict[str, Any]:
    """Show a user; the password hash stays here."""
    return {
        "id": user.id,
        "email": user.email,
        "groups": user.groups,
        "apps": user.apps,
        "layouts": user.layouts,
        "disabled": user.disabled,
        **_stamp(user.stamp),
    }


def group_view(group: Group, members: int) -> dict[str, Any]:
    return {
        "name": group.name,
        "priority": group.priority,
        "expandsTo": group.expands_to,
        "members": members,
        **_stamp(group.stamp),
    }


def app_view(app: App) -> dict[str, Any]:
    return {
        "name": app.name,
        "definition": raw(app.definition),
        "public": app.public,
        "accessList": app.access,
        "disabled": app.disabled,
        **_stamp(app.stamp),
    }


def layout_view(layout: Layout) -> dict[str, Any]:
    return {
        "id": layout.id,
        "name": layout.name,
        "type": layout.type,
        "definition": raw(layout.definition),
        "owner": layout.owner,
        "public": layout.public,
        "accessList": layout.access,
        "default": layout.default,
        "disabled": layout.disabled,
        **_stamp(layout.stamp),
    }


def preference_view(preference: Preference) -> dict[str, Any]:
    return {
        "id": preference.id,
        "user": preference.user,
        "app": preference.app,
        "data": raw(preference.data),
        **_stamp(preference.stamp),
    }


def preference_answer(preference: Preference) -> dict[str, Any]:
    """Show a preference as preference stores answer it, under both names that clients read."""
    return {
        "app": preference.app,
        "data": raw(preference.data),
        "lastUpdate": preference.stamp.modified,
        "lastKnownUpdate": preference.stamp.modified,
    }


def config_view(config: ConfigFile) -> dict[str, Any]:
    """Show a configuration file to administrators."""
    view: dict[str, Any] = {
        "id": config.id,
        "file": config.file,
        "scope": config.scope.value,
        "contents": raw(config.contents),
    }
    if config.scope is not Scope.BASE:
        view[config.scope.value] = config.target
    return {**view, **_stamp(config.stamp)}


def session_view(evaluated: ActiveSession) -> dict[str, Any]:
    session = evaluated.session
    return {
        "id": session.id,
        "user": session.user,
        "machine": session.machine,
        "version": session.version,
        "env": session.env,
        "region": session.region,
        "product": session.product,
        "commands": raw(session.commands),
        "started": session.started,
        "lastSeen": session.last_seen,
        "ended": session.ended,
        "active": evaluated.active,
    }


def receipt_view(receipt: Receipt) -> dict[str, Any]:
    """Show how far a running client is."""
    return {
        "session": receipt.session,
        "user": receipt.user,
        "machine": receipt.machine,
        "lastSeen": receipt.last_seen,
        "due": receipt.required_revision,
        "revision": receipt.revision,
        "reported": receipt.reported,
        "applied": receipt.applied,
    }


def usage_view(uses: Iterable[QuotaUse]) -> dict[str, Any]:
    """Show how much of each quota is used."""
    return {
        "items": [{"name": use.name, "used": use.used, "limit": None if use.limit < 0 else use.limit} for use in uses]
    }


def machine_view(machine: Machine) -> dict[str, Any]:
    return {
        "id": machine.id,
        "name": machine.name,
        "info": raw(machine.info),
        "owner": machine.owner,
        "firstSeen": machine.first_seen,
        "lastSeen": machine.last_seen,
    }


def command_view(command: Command) -> dict[str, Any]:
    return {
        "id": command.id,
        "session": command.session,
        "user": command.user,
        "command": command.command,
        "params": raw(command.params),
        "status": command.status,
        "data": None if command.data is None else raw(command.data),
        "created": command.created,
        "createdBy": command.created_by,
        "delivered": command.delivered,
        "finished": command.finished,
    }


def crash_view(crash: Crash) -> dict[str, Any]:
    return {
        "id": crash.id,
        "user": crash.user,
        "product": crash.product,
        "version": crash.version,
        "platform": crash.platform,
        "processType": crash.process_type,
        "fields": raw(crash.fields),
        "minidump": _file(crash.minidump),
        **_report(crash.received, crash),
    }


def feedback_view(feedback: Feedback) -> dict[str, Any]:
    return {
        "id": feedback.id,
        "user": feedback.user,
        "session": feedback.session,
        "description": feedback.description,
        "attachment": _file(feedback.attachment),
        **_report(feedback.received, feedback),
    }


def revision_view(revision: Revision) -> dict[str, Any]:
    return {
        "revision": revision.revision,
        "previous": revision.previous,
        "action": revision.action,
        "at": revision.at,
        "actor": revision.actor,
        "operation": revision.operation,
    }


def revision_document(revision: Revision) -> dict[str, Any]:
    document = None if revision.body is None else raw(revision.body)
    return {**revision_view(revision), "kind": revision.kind, "id": revision.key, "document": document}


def comparison_view(found: Comparison) -> dict[str, Any]:
    """Show what changed from one revision to another."""
    sides = {
        name: None if side is None else revision_view(side)
        for name, side in (("before", found.before), ("after", found.after))
    }
    return {**sides, "diff": [edit.as_json() for edit in found.edits], "omitted": found.omitted}


def rolled_back_view(done: RolledBack) -> dict[str, Any]:
    """Show what rolling back a whole set did, or would do."""
    return {
        "to": done.to,
        "revision": done.revision,
        "newest": done.newest,
        "changed": len(done.changes),
        "changes": shown_changes(done.changes),
    }


def audit_view(entry: AuditEntry) -> msgspec.Raw:
    """Show an entry of the audit: its canonical text, and its hash."""
    return raw(entry.as_line())


def verification_view(found: Verification) -> dict[str, Any]:
    """Show what following the chain of the audit found."""
    fault = found.fault and {"number": found.fault.number, "message": found.fault.message}
    return {"ok": fault is None, "entries": found.entries, "head": str(found.last), "fault": fault}


def _report(received: datetime, report: Crash | Feedback) -> dict[str, Any]:
    return {
        "received": received,
        "reviewed": report.reviewed,
        "reviewedBy": report.reviewed_by,
        "comment": report.comment,
        "revision": report.revision,
    }


def _file(file: StoredFile | None) -> dict[str, Any] | None:
    return None if file is None else {"name": file.name, "mediaType": file.media_type, "size": file.size}
