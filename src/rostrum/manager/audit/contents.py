"""Which contents of audit entries a reader may see: those of kinds that the reader may read anyway."""

from dataclasses import replace
from typing import Any

from rostrum.base import json_text
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.audit.model import AuditEntry
from rostrum.manager.kinds import Kind

READ_PERMISSIONS: dict[Kind, Permission | None] = {
    Kind.APP: Permission.APPS_READ,
    Kind.LAYOUT: Permission.LAYOUTS_READ,
    Kind.PREFERENCE: Permission.PREFERENCES_READ,
    Kind.CONFIG: Permission.SYSTEM_CONFIGS_READ,
    Kind.USER: Permission.USERS_READ,
    Kind.GROUP: Permission.GROUPS_READ,
    Kind.DEFAULT_LAYOUT: Permission.LAYOUTS_READ,
    Kind.LOGIN: Permission.USERS_READ,
    Kind.SESSION: Permission.SESSIONS_READ,
    Kind.MACHINE: Permission.MACHINES_READ,
    Kind.COMMAND: Permission.COMMANDS_READ,
    Kind.CRASH: Permission.CRASHES_READ,
    Kind.FEEDBACK: Permission.FEEDBACKS_READ,
    Kind.DIRECTORY: Permission.APPS_READ,
    Kind.HISTORY: Permission.AUDITS_READ,
    Kind.AUDIT: Permission.AUDITS_READ,
    Kind.SERVER: None,
}
"""The permission that shows the contents of each kind; ``None`` for administrators only."""


def visible_entry(identity: Identity, entry: AuditEntry) -> AuditEntry:
    """Withhold the contents of changes whose kind the reader has no right to; the entry itself stays.

    The hash stays as well, although it is the hash of the complete entry: the chain is verified on the server.
    """
    if identity.is_admin:
        return entry
    said = json_text.parse(entry.text)
    changes = [_visible(identity, change) for change in said["changes"]]
    if changes == said["changes"]:
        return entry
    return replace(entry, text=json_text.dump({**said, "changes": changes}).decode())


def _visible(identity: Identity, change: dict[str, Any]) -> dict[str, Any]:
    # An entry that a newer version has written may name a kind that is unknown here.
    known = change["kind"] in READ_PERMISSIONS
    if known and READ_PERMISSIONS[Kind(change["kind"])] in identity.permissions:
        return change
    # The digest goes too: contents that are easy to guess could be confirmed with it.
    return {"kind": change["kind"], "id": change["id"], "action": change["action"], "diff": [], "withheld": True}
