"""Changes many users at once, with the same rules as for a single user, but with few SQL statements."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.policy import require_power_over
from rostrum.manager.errors import Conflict, Forbidden, NotFound, Stale
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Work
from rostrum.manager.users.model import User, UserOutline
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import refuse_self_lockout

_MOST_GROUPS = 1000
_MOST_APPS = 10_000

Edit = Callable[[Any], Mapping[str, Any]]
"""Returns the changes of a user: arguments of ``User.with_changes``."""
Decision = tuple[Mapping[str, Any], str]
"""The changes of a user, which are empty if nothing changes, and why they are refused."""


class PlannedUser(Struct, frozen=True):
    """A target of the change.

    Attributes:
        before: The user as stored; ``None`` if the change is refused or changes nothing.
        changes: The new values, including equal ones; empty if ``before`` is ``None``.
        refusal: Why the user cannot be changed; empty if the change is allowed or changes nothing.

    """

    before: User | None = None
    changes: Mapping[str, Any] = {}
    refusal: str = ""

    @property
    def outcome(self) -> str | None:
        """``None`` for a change, an empty text if nothing changes, or the reason for the refusal."""
        return self.refusal if self.before is None else None


_NOTHING_TO_DO = PlannedUser()


async def plan_users(
    work: Work, identity: Identity, ids: Sequence[str], revisions: Mapping[str, int], edit: Edit
) -> list[PlannedUser]:
    """Determine for each user whether the caller may make the change; nothing is written."""
    users = await work.of(Users).named(ids)
    decide = _deciding(identity, await work.of(Groups).graph(), edit)
    return [_planned(user_id, users.get(user_id), revisions, decide) for user_id in ids]


async def plan_alike(
    work: Work, identity: Identity, ids: Sequence[str], revisions: Mapping[str, int], edit: Edit
) -> list[PlannedUser]:
    """Do the same as ``plan_users`` for an edit that depends only on whether a user is disabled, groups and apps."""
    users = await work.of(Users).named(ids)
    decide = _remembering(identity, _deciding(identity, await work.of(Groups).graph(), edit))
    return [_planned(user_id, users.get(user_id), revisions, decide) for user_id in ids]


async def preview_alike(
    work: Work, identity: Identity, ids: Sequence[str], revisions: Mapping[str, int], edit: Edit
) -> list[str | None]:
    """Return the outcomes of ``plan_alike``; only what they depend on is read."""
    users: dict[str, Any] = {**await work.of(Users).outlines(ids)}
    if identity.user in users:
        # The rules for callers themselves depend on more.
        users |= await work.of(Users).named([identity.user])
    decide = _remembering(identity, _deciding(identity, await work.of(Groups).graph(), edit))
    outcomes: list[str | None] = []
    for user_id in ids:
        user = users.get(user_id)
        refusal = _refusal_of_target(user_id, user, revisions)
        changes, refused = ({}, refusal) if refusal else decide(user)
        outcomes.append(None if changes else refused)
    return outcomes


def _remembering(identity: Identity, decide: Callable[[Any], Decision]) -> Callable[[Any], Decision]:
    """Decide only once for users who are alike, except for the caller."""
    known: dict[tuple[Any, ...], Decision] = {}

    def remember(user: User | UserOutline) -> Decision:
        if user.id == identity.user:
            return decide(user)
        traits = (user.disabled, user.groups, user.apps)
        decision = known.get(traits)
        if decision is None:
            decision = known[traits] = decide(user)
        return decision

    return remember


def _refusal_of_target(user_id: str, user: User | UserOutline | None, revisions: Mapping[str, int]) -> str:
    """Return why a target cannot be changed whatever the change is; an empty text if it can be."""
    if user is None:
        return str(NotFound("user", user_id))
    if user_id in revisions and revisions[user_id] != user.revision:
        return str(Stale("user", user_id, user.revision))
    return ""


def _deciding(identity: Identity, graph: Graph, edit: Edit) -> Callable[[User], Decision]:
    rules = ChangeRules(identity, graph)

    def decide(user: User) -> Decision:
        changes = edit(user)
        try:
            rules.check(user, changes)
        except (Conflict, Forbidden) as error:
            return {}, str(error)
        is_change = any(value != getattr(user, name) for name, value in changes.items())
        return (changes if is_change else {}), ""

    return decide


def _planned(
    user_id: str, user: User | None, revisions: Mapping[str, int], decide: Callable[[User], Decision]
) -> PlannedUser:
    refusal = _refusal_of_target(user_id, user, revisions)
    if refusal or user is None:
        return PlannedUser(refusal=refusal)
    changes, refusal = decide(user)
    if changes:
        return PlannedUser(user, changes)
    return PlannedUser(refusal=refusal) if refusal else _NOTHING_TO_DO


async def save_users(work: Work, planned: Sequence[PlannedUser]) -> None:
    """Write the users that change."""
    changes: list[tuple[User, User]] = []
    ended: list[str] = []
    for plan in planned:
        before = plan.before
        if before is None:
            continue
        stamp = work.stamp(before.stamp)
        if "disabled" not in plan.changes:
            # The most frequent case; ``with_changes`` takes several times as long.
            changes.append((before, replace(before, stamp=stamp, **plan.changes)))
            continue
        values = dict(plan.changes, stamp=stamp)
        if values["disabled"] and not before.disabled:
            values |= {"epoch": work.revision, "disabled_since": work.now}
            ended.append(before.id)
        changes.append((before, before.with_changes(**values)))
    await work.of(Sessions).end_of_users(ended, work.now)
    await work.disabled(ended)
    await work.of(Users).put_all(changes)
    new = {
        name
        for before, after in changes
        if after.groups is not before.groups
        for name in set(after.groups).difference(before.groups)
    }
    await work.of(Groups).add_missing(new, work.stamp())


class ChangeRules:
    """The rules for changes of users. Many users have the same groups, so each combination is checked only once."""

    def __init__(self, identity: Identity, graph: Graph) -> None:
        self._identity = identity
        self._graph = graph
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}

    def check(self, before: User, changes: Mapping[str, Any]) -> None:
        """Refuse a change that would also be refused for a single user."""
        refusal = self._refusal(before.groups, changes.get("groups", before.groups))
        if refusal:
            raise Forbidden(refusal)
        _check_limits(changes)
        if before.id == self._identity.user:
            after = before.with_changes(**changes)
            refuse_self_lockout(self._identity, before, after)
            _check_own_groups(self._identity, after, self._graph)

    def refusal_of_new(self, values: Mapping[str, Any]) -> str:
        """Return why a user with these values cannot be created; an empty text if it can be."""
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
        raise Conflict("you cannot remove yourself from the admin group: ask another administrator")


def _check_limits(changes: Mapping[str, Any]) -> None:
    if len(changes.get("groups", ())) > _MOST_GROUPS:
        raise Conflict(f"a user can be in at most {_MOST_GROUPS} groups")
    if len(changes.get("apps", ())) > _MOST_APPS:
        raise Conflict(f"a user can be assigned at most {_MOST_APPS} apps")
