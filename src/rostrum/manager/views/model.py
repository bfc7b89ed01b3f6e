"""Saved views: the stored record, and the permission that each list requires."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rostrum.manager.access.permissions import Permission

LISTS: Mapping[str, Permission | None] = {
    "apps": Permission.APPS_READ,
    "apps-rollouts": Permission.APPS_READ,
    "audit": Permission.AUDITS_READ,
    "commands": Permission.COMMANDS_READ,
    "commands-runs": Permission.COMMANDS_READ,
    "configs": Permission.SYSTEM_CONFIGS_READ,
    "configs-rollouts": Permission.SYSTEM_CONFIGS_READ,
    "crashes": Permission.CRASHES_READ,
    "directories": Permission.APPS_READ,
    "feedback": Permission.FEEDBACKS_READ,
    "groups": Permission.GROUPS_READ,
    "layouts": Permission.LAYOUTS_READ,
    "layouts-rollouts": Permission.LAYOUTS_READ,
    "machines": Permission.MACHINES_READ,
    "preferences": Permission.PREFERENCES_READ,
    "proposals": None,
    "sessions": Permission.SESSIONS_READ,
    "tokens-all": Permission.USERS_READ,
    "tokens-own": None,
    "users": Permission.USERS_READ,
}
"""The lists that can have views, with the permission to read each; ``None`` for lists that all users can read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedView:
    """A view of a list.

    Attributes:
        search: The query of the address of the list: search, filters, sorting, columns and row height.
        shared: Whether all users who may read the list can open the view.

    """

    id: str
    list: str
    name: str
    owner: str
    shared: bool
    search: str
    created: datetime
    modified: datetime

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "list": self.list,
            "name": self.name,
            "owner": self.owner,
            "shared": self.shared,
            "search": self.search,
            "created": self.created,
            "modified": self.modified,
        }
