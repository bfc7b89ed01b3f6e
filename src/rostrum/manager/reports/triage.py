"""Triage: who can be the assignee of crash groups and feedback."""

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.storage import Work
from rostrum.manager.users.repository import Users


async def require_assignable(work: Work, user_id: str, permission: Permission, path: str = "assignee") -> None:
    """Refuse an assignee who does not exist, is disabled, or may not read the reports."""
    user = await work.of(Users).get(user_id)
    if user is None:
        message = f"there is no user {user_id!r}"
    elif user.disabled:
        message = f"the user {user_id!r} is disabled"
    elif permission not in Identity.of(user.id, expand(user.groups, await work.of(Groups).graph())).permissions:
        message = f"the user {user_id!r} does not have the permission {permission.value}"
    else:
        return
    raise Invalid("invalid assignee", [Problem(path=path, message=message)])
