"""Identity: the authenticated caller, with the current groups and rights."""

from collections.abc import Iterable
from dataclasses import dataclass

from rostrum.manager.access.permissions import ADMIN_GROUP, Permission, permissions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A caller with valid credentials.

    Attributes:
        groups: The effective groups, including inherited ones.

    """

    user: str
    groups: frozenset[str]
    permissions: frozenset[Permission]

    @classmethod
    def of(cls, user: str, groups: Iterable[str]) -> "Identity":
        """Determine the rights of a user in these effective groups."""
        names = frozenset(groups)
        return cls(user=user, groups=names, permissions=permissions_of(names))

    @property
    def is_admin(self) -> bool:
        return ADMIN_GROUP in self.groups


SYSTEM = Identity.of("(system)", [ADMIN_GROUP])
"""The server itself: start-up and the command line. No user can have this id."""
