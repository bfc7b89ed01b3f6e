"""Permission: all rights of the admin API, and the group that grants each."""

import difflib
from collections.abc import Iterable
from enum import StrEnum

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem

ADMIN_GROUP = "PLATFORM_SERVER_ADMIN"
"""Its members have all rights."""

PERMISSION_PREFIX = "PLATFORM_MANAGER:"


class Permission(StrEnum):
    """A right; its value is the name of the group that grants it."""

    APPS_READ = "PLATFORM_MANAGER:APPS:READ"
    APPS_WRITE = "PLATFORM_MANAGER:APPS:WRITE"
    AUDITS_READ = "PLATFORM_MANAGER:AUDITS:READ"
    COMMANDS_READ = "PLATFORM_MANAGER:COMMANDS:READ"
    COMMANDS_WRITE = "PLATFORM_MANAGER:COMMANDS:WRITE"
    CRASHES_READ = "PLATFORM_MANAGER:CRASHES:READ"
    CRASHES_WRITE = "PLATFORM_MANAGER:CRASHES:WRITE"
    FEEDBACKS_READ = "PLATFORM_MANAGER:FEEDBACKS:READ"
    FEEDBACKS_WRITE = "PLATFORM_MANAGER:FEEDBACKS:WRITE"
    GROUPS_READ = "PLATFORM_MANAGER:GROUPS:READ"
    GROUPS_WRITE = "PLATFORM_MANAGER:GROUPS:WRITE"
    LAYOUTS_READ = "PLATFORM_MANAGER:LAYOUTS:READ"
    LAYOUTS_WRITE = "PLATFORM_MANAGER:LAYOUTS:WRITE"
    MACHINES_READ = "PLATFORM_MANAGER:MACHINES:READ"
    MACHINES_WRITE = "PLATFORM_MANAGER:MACHINES:WRITE"
    PREFERENCES_READ = "PLATFORM_MANAGER:PREFERENCES:READ"
    PREFERENCES_WRITE = "PLATFORM_MANAGER:PREFERENCES:WRITE"
    SESSIONS_READ = "PLATFORM_MANAGER:SESSIONS:READ"
    SESSIONS_WRITE = "PLATFORM_MANAGER:SESSIONS:WRITE"
    SYSTEM_CONFIGS_READ = "PLATFORM_MANAGER:SYSTEM_CONFIGS:READ"
    SYSTEM_CONFIGS_WRITE = "PLATFORM_MANAGER:SYSTEM_CONFIGS:WRITE"
    USERS_READ = "PLATFORM_MANAGER:USERS:READ"
    USERS_WRITE = "PLATFORM_MANAGER:USERS:WRITE"

    @property
    def includes(self) -> "frozenset[Permission]":
        """Return this right and the rights that it includes: writing includes reading."""
        if self.name.endswith("_WRITE"):
            return frozenset({self, Permission[self.name.replace("_WRITE", "_READ")]})
        return frozenset({self})


def permissions_of(groups: Iterable[str]) -> frozenset[Permission]:
    """Return the rights that these groups grant."""
    names = set(groups)
    if ADMIN_GROUP in names:
        return frozenset(Permission)
    return frozenset(right for permission in Permission if permission in names for right in permission.includes)


_PREFIX = "PLATFORM_"

RIGHT_GROUPS = frozenset({ADMIN_GROUP, *(permission.value for permission in Permission)})
"""The groups that grant rights."""


def refuse_unknown_rights(path: str, groups: Iterable[str]) -> None:
    """Refuse names that look like permission groups but are not, because they would have no effect."""
    problems = []
    for number, name in enumerate(groups):
        if name.startswith(_PREFIX) and name not in RIGHT_GROUPS:
            close = difflib.get_close_matches(name, sorted(RIGHT_GROUPS), n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            problems.append(Problem(path=f"{path}[{number}]", message=f"there is no such permission{hint}"))
    if problems:
        raise Invalid("unknown permission", problems)
