"""Changes of many users at once, under the same rules as a change of one, with a few statements for all of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.errors import Conflict, Forbidden, NotFound, Stale, found, same_revision
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.storage import Work
from rostrum.manager.users.model import User
from rostrum.manager.users.service import check_change

_MOST_GROUPS = 1000
_MOST_APPS = 10_000

Edit = Callable[[User], User]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedUser:
    """A target of the change.

    Attributes:
        before: The user as stored; ``None`` if refused.
        after: The user as it would be; ``None`` if refused.
        refusal: Why the user cannot be changed.

    """

    before: User | None = None
    after: User | None = None
    refusal: str = ""

    @property
    def outcome(self) -> str | None:
        """``None`` for a change, an empty text when there is nothing to do, or the reason for the refusal."""
        return None if self.after is not None and self.after != self.before else self.refusal


async def plan_users(
    work: Work, identity: Identity, ids: Sequence[str], revisions: Mapping[str, int], edit: Edit
) -> list[PlannedUser]:
    """Decide for each user whether the caller may make the change; write nothing."""
    users = await work.users.named(ids)
    graph = await work.groups.graph()
    planned = []
    for user_id in ids:
        try:
            before = found(users.get(user_id), "user", user_id)
            revision = revisions.get(user_id)
            same_revision(None if revision is None else frozenset({revision}), before.stamp.revision, "user", user_id)
            after = edit(before)
            _check(identity, before, after, graph)
        except (Conflict, Forbidden, NotFound, Stale) as error:
            planned.append(PlannedUser(refusal=str(error)))
        else:
            planned.append(PlannedUser(before=before, after=after))
    return planned


async def save_users(work: Work, planned: Sequence[PlannedUser]) -> None:
    """Write the users that change."""
    changes: list[tuple[User, User]] = []
    ended: list[str] = []
    for plan in planned:
        if plan.before is None or plan.after is None or plan.after == plan.before:
            continue
        after = replace(plan.after, stamp=work.stamp(plan.before.stamp))
        if after.disabled and not plan.before.disabled:
            after = replace(after, epoch=work.revision)
            ended.append(after.id)
        changes.append((plan.before, after))
    await work.sessions.end_of_users(ended, work.now)
    await work.users.put_all(changes)
    new = {name for before, after in changes for name in set(after.groups).difference(before.groups)}
    await work.groups.add_missing(new, work.stamp())


def _check(identity: Identity, before: User, after: User, graph: Graph) -> None:
    check_change(identity, before, after, graph)
    _check_own_groups(identity, after, graph)
    _check_limits(after)


def _check_own_groups(identity: Identity, after: User, graph: Graph) -> None:
    if identity is SYSTEM or not identity.is_admin or after.id != identity.user:
        return
    if not Identity.of(after.id, expand(after.groups, graph)).is_admin:
        raise Conflict("you cannot take the admin group from yourself: ask another administrator")


def _check_limits(after: User) -> None:
    if len(after.groups) > _MOST_GROUPS:
        raise Conflict(f"a user can be in {_MOST_GROUPS} groups at most")
    if len(after.apps) > _MOST_APPS:
        raise Conflict(f"a user can be given {_MOST_APPS} apps at most")
