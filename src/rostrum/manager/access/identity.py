"""Identity: who is calling, with the groups and rights of this moment."""

from collections.abc import Iterable
from dataclasses import dataclass

from rostrum.manager.access.permissions import ADMIN_GROUP, Permission, permissions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A caller whose credentials were good.

    Attributes:
        groups: All groups, expanded.

    """

    user: str
    groups: frozenset[str]
    permissions: frozenset[Permission]

    @classmethod
    def of(cls, user: str, groups: Iterable[str]) -> "Identity":
        """Work out the rights of a user in these (expanded) groups."""
        names = frozenset(groups)
        return cls(user=user, groups=names, permissions=permissions_of(names))

    @property
    def is_admin(self) -> bool:
        return ADMIN_GROUP in self.groups


SYSTEM = Identity.of("(system)", [ADMIN_GROUP])
"""The server itself: start-up and the command line. No user can have this id."""
