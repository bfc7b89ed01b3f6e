"""The rules for permissions, as pure functions."""

from collections.abc import Iterable

from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission, permissions_of
from rostrum.manager.errors import Forbidden


def require(identity: Identity, permission: Permission) -> None:
    """Refuse a caller who lacks a right."""
    if permission not in identity.permissions:
        raise Forbidden(f"this needs the permission {permission.value}")


def require_admin(identity: Identity) -> None:
    """Refuse a caller who is not a full administrator."""
    if not identity.is_admin:
        raise Forbidden(f"this needs the group {ADMIN_GROUP}")


def require_right(identity: Identity, right: str) -> None:
    """Refuse a caller who lacks a right that is named by its group; the admin group has all of them."""
    require_admin(identity) if right == ADMIN_GROUP else require(identity, Permission(right))


def require_power_over(identity: Identity, groups: Iterable[str], reason: str = "") -> None:
    """Refuse a caller who would grant, revoke or use rights that the caller does not have."""
    if identity.is_admin:
        return
    names = frozenset(groups)
    missing = sorted(permission.value for permission in permissions_of(names) - identity.permissions)
    if ADMIN_GROUP in names:
        missing = [ADMIN_GROUP]
    if missing and reason:
        raise Forbidden(f"{reason}; this requires {', '.join(missing)}")
    if missing:
        raise Forbidden(
            f"you can only grant or withdraw rights that you have yourself; this requires {', '.join(missing)}"
        )
