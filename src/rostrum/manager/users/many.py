"""Changes of many users at once, under the same rules as a change of one, with a few statements for all of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.policy import require_power_over
from rostrum.manager.errors import Conflict, Forbidden, NotFound, Stale, found, same_revision
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.storage import Work
from rostrum.manager.users.model import User
from rostrum.manager.users.service import refuse_self_harm

_MOST_GROUPS = 1000
_MOST_APPS = 10_000

Edit = Callable[[User], Mapping[str, Any]]
"""What to change of a user: some of the members that ``with_changes`` accepts, with their new values."""


class PlannedUser(Struct, frozen=True):
    """A target of the change.

    Attributes:
        before: The user as stored; ``None`` if nothing changes.
        changes: The values that change; empty if nothing does.
        refusal: Why the user cannot be changed; empty if there is nothing to do.

    """

    before: User | None = None
    changes: Mapping[str, Any] = {}
    refusal: str = ""

    @property
    def outcome(self) -> str | None:
        """``None`` for a change, an empty text when there is nothing to do, or the reason for the refusal."""
        return self.refusal if self.before is None else None


_NOTHING_TO_DO = PlannedUser()


async def plan_users(
    work: Work, identity: Identity, ids: Sequence[str], revisions: Mapping[str, int], edit: Edit
) -> list[PlannedUser]:
    """Decide for each user whether the caller may make the change; write nothing."""
    users = await work.users.named(ids)
    power = Power(identity, await work.groups.graph())
    planned = []
    for user_id in ids:
        try:
            before = found(users.get(user_id), "user", user_id)
            if user_id in revisions:
                same_revision(frozenset({revisions[user_id]}), before.stamp.revision, "user", user_id)
            changes = edit(before)
            power.check(before, changes)
        except (Conflict, Forbidden, NotFound, Stale) as error:
            planned.append(PlannedUser(refusal=str(error)))
        else:
            is_change = any(value != getattr(before, name) for name, value in changes.items())
            planned.append(PlannedUser(before, changes) if is_change else _NOTHING_TO_DO)
    return planned


async def save_users(work: Work, planned: Sequence[PlannedUser]) -> None:
    """Write the users that change."""
    changes: list[tuple[User, User]] = []
    ended: list[str] = []
    for plan in planned:
        before = plan.before
        if before is None:
            continue
        epoch = disabled_since = None
        if plan.changes.get("disabled") and not before.disabled:
            epoch, disabled_since = work.revision, work.now
            ended.append(before.id)
        after = before.with_changes(
            **plan.changes, disabled_since=disabled_since, stamp=work.stamp(before.stamp), epoch=epoch
        )
        changes.append((before, after))
    await work.sessions.end_of_users(ended, work.now)
    await work.users.put_all(changes)
    new = {
        name
        for before, after in changes
        if after.groups is not before.groups
        for name in set(after.groups).difference(before.groups)
    }
    await work.groups.add_missing(new, work.stamp())


class Power:
    """The rules of a change. Many users have the same groups, so the rights of each set of groups are checked once."""

    def __init__(self, identity: Identity, graph: Graph) -> None:
        self._identity = identity
        self._graph = graph
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}

    def check(self, before: User, changes: Mapping[str, Any]) -> None:
        """Refuse what the rules of a change of one user refuse."""
        refusal = self._refusal(before.groups, changes.get("groups", before.groups))
        if refusal:
            raise Forbidden(refusal)
        _check_limits(changes)
        if before.id == self._identity.user:
            after = before.with_changes(**changes)
            refuse_self_harm(self._identity, before, after)
            _check_own_groups(self._identity, after, self._graph)

    def refusal_of_new(self, values: Mapping[str, Any]) -> str:
        """Return why the rules for a new user refuse these values; an empty text if they do not."""
        try:
            _check_limits(values)
        except Conflict as error:
            return str(error)
        return self._refusal((), values.get("groups", ()))

    def _refusal(self, before: tuple[str, ...], after: tuple[str, ...]) -> str:
        key = (before, after)
        if key not in self._known:
            try:
                require_power_over(self._identity, expand({*before, *after}, self._graph))
            except Forbidden as error:
                self._known[key] = str(error)
            else:
                self._known[key] = ""
        return self._known[key]


def _check_own_groups(identity: Identity, after: User, graph: Graph) -> None:
    if identity is SYSTEM or not identity.is_admin or after.id != identity.user:
        return
    if not Identity.of(after.id, expand(after.groups, graph)).is_admin:
        raise Conflict("you cannot take the admin group from yourself: ask another administrator")


def _check_limits(changes: Mapping[str, Any]) -> None:
    if len(changes.get("groups", ())) > _MOST_GROUPS:
        raise Conflict(f"a user can be in {_MOST_GROUPS} groups at most")
    if len(changes.get("apps", ())) > _MOST_APPS:
        raise Conflict(f"a user can be given {_MOST_APPS} apps at most")
