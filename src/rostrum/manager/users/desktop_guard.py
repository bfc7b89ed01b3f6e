"""Refuses permitted changes that would let the caller control the desktops of others, or lock out the caller."""

from collections.abc import Callable, Iterable

from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import permissions_of
from rostrum.manager.access.policy import require_power_over
from rostrum.manager.errors import Conflict
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.storage import Work
from rostrum.manager.users.model import Person
from rostrum.manager.users.repository import Users

Receives = Callable[[Person, frozenset[str]], bool]
"""Returns whether a document would be available to a user in these effective groups."""


class DesktopGuard:
    """Checks the documents of one writer in one transaction; the users are read at most once.

    Attributes:
        is_needed: Whether the writer lacks rights that others can have.
        writer: The ID of the writer.

    """

    def __init__(self, work: Work, identity: Identity) -> None:
        self._work = work
        self._identity = identity
        self._powerful: list[tuple[Person, frozenset[str]]] | None = None
        self.is_needed = not identity.is_admin
        self.writer = identity.user

    async def check_user(self, user_id: str, reason: str) -> None:
        """Refuse a document of a user who has rights that the writer lacks."""
        await self.check_groups(await self._work.of(Users).groups_of(user_id), reason)

    async def check_groups(self, groups: Iterable[str], reason: str) -> None:
        """Refuse a document of groups that give rights that the writer lacks."""
        require_power_over(self._identity, expand(groups, await self._work.of(Groups).graph()), reason)

    async def check_receivers(self, receives: Receives, reason: str) -> None:
        """Refuse a document that a user would receive who has rights that the writer lacks."""
        if self._powerful is None:
            graph = await self._work.of(Groups).graph()
            people = [(one, expand(one.groups, graph)) for one in await self._work.of(Users).people() if one.groups]
            self._powerful = [(one, groups) for one, groups in people if permissions_of(groups)]
        for person, groups in self._powerful:
            if receives(person, groups):
                require_power_over(self._identity, groups, reason)


async def require_still_admin(work: Work, identity: Identity) -> None:
    """Refuse a change of this transaction that removes the rights of an administrator."""
    if identity is SYSTEM or not identity.is_admin:
        return
    groups = expand(await work.of(Users).groups_of(identity.user), await work.of(Groups).graph())
    if not Identity.of(identity.user, groups).is_admin:
        raise Conflict("you cannot remove yourself from the admin group: ask another administrator")
