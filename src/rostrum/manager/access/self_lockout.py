"""Administrators cannot take their own rights away: someone else has to."""

from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.database.errors import Conflict
from rostrum.manager.groups.expansion import expand
from rostrum.manager.storage import Work


async def require_still_admin(work: Work, identity: Identity) -> None:
    """Refuse a change, made already in this transaction, after which an administrator is none any more."""
    if identity is SYSTEM or not identity.is_admin:
        return
    groups = expand(await work.users.groups_of(identity.user), await work.groups.graph())
    if not Identity.of(identity.user, groups).is_admin:
        raise Conflict("you cannot take the admin group from yourself: ask another administrator")
