"""Identity: the authenticated caller, with the current groups and rights."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from msgspec import Struct

from rostrum.manager.access.permissions import ADMIN_GROUP, RIGHT_GROUPS, Permission, permissions_of


class TokenUse(Struct, frozen=True, kw_only=True):
    """The API token of a request.

    Attributes:
        rights: The groups whose rights the token has, as far as its owner has them too.

    """

    id: str
    name: str
    rights: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A caller with valid credentials.

    Attributes:
        groups: The effective groups, including inherited ones.
        token: The API token of the request, if it has one.

    """

    user: str
    groups: frozenset[str]
    permissions: frozenset[Permission]
    token: TokenUse | None = None

    @classmethod
    def of(cls, user: str, groups: Iterable[str]) -> "Identity":
        """Determine the rights of a user in these effective groups."""
        names = frozenset(groups)
        return cls(user=user, groups=names, permissions=permissions_of(names))

    def limited_to(self, token: TokenUse) -> "Identity":
        """Return this user with only the rights that the token has as well."""
        if ADMIN_GROUP in token.rights:
            return replace(self, token=token)
        rights = self.permissions & permissions_of(token.rights)
        # Rights follow from groups everywhere, so groups that grant other rights are left out.
        groups = self.groups - RIGHT_GROUPS | frozenset(right.value for right in rights)
        return replace(Identity.of(self.user, groups), token=token)

    @property
    def is_admin(self) -> bool:
        return ADMIN_GROUP in self.groups


SYSTEM = Identity.of("(system)", [ADMIN_GROUP])
"""The server itself: start-up and the command line. No user can have this id."""

NOBODY = Identity.of("", ())
"""A caller without credentials, who can read public apps."""
