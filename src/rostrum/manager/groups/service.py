"""Groups of users, to which apps, layouts and configuration are assigned."""

from collections.abc import Mapping
from dataclasses import replace

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.groups import GroupChange, GroupDocument, NewGroup
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, PERMISSION_PREFIX, Permission, refuse_unknown_rights
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Expected, found, same_revision
from rostrum.manager.groups.model import Graph, Group, expand, leading_to, ways_from
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.restore import DocumentService, stamp_after
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.desktop_guard import DesktopGuard, require_still_admin
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

Member = tuple[User, tuple[tuple[str, ...], ...]]
"""An effective member, and the paths from the direct groups of the user to the group."""

_MEMBER_OF = "memberOf"


class GroupService(DocumentService):
    """The groups of the manager, each with the number of its direct members."""

    kind = Kind.GROUP

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, identity: Identity, query: Query) -> tuple[Page[Group], Mapping[str, int]]:
        """List groups, and count the members of those on the page."""
        require(identity, Permission.GROUPS_READ)
        async with self._storage.read() as work:
            page = await work.of(Groups).page(query)
            return page, await work.of(Groups).member_counts([group.name for group in page.items])

    async def get(self, identity: Identity, name: str) -> tuple[Group, int]:
        require(identity, Permission.GROUPS_READ)
        async with self._storage.read() as work:
            return await _with_members(work, found(await work.of(Groups).get(name), "group", name))

    async def members(self, identity: Identity, name: str, query: Query) -> Page[Member]:
        """List the effective members of a group: direct ones and those of groups that inherit from it."""
        require(identity, Permission.USERS_READ)
        if _MEMBER_OF in query.filters:
            raise Invalid(
                "invalid filter",
                [Problem(path=_MEMBER_OF, message="not allowed here, because the address already names the group")],
            )
        async with self._storage.read() as work:
            found(await work.of(Groups).get(name), "group", name)
            page = await work.of(Users).page(replace(query, filters={**query.filters, _MEMBER_OF: name}))
            following = leading_to(name, await work.of(Groups).graph())
            items = tuple((user, ways_from(user.groups, following)) for user in page.items)
            return Page(items=items, total=page.total, more=page.more)

    @prepares_audit
    async def create(self, identity: Identity, body: NewGroup) -> tuple[Group, int]:
        require(identity, Permission.GROUPS_WRITE)
        refuse_unknown_rights("name", [body.name])
        refuse_unknown_rights("expandsTo", body.expands_to)
        async with self._storage.write(identity.user) as work:
            if await work.of(Groups).get(body.name) is not None:
                raise Conflict(f"the group {body.name!r} already exists")
            group = Group(name=body.name, priority=body.priority, expands_to=tuple(body.expands_to), stamp=work.stamp())
            await save_group(work, identity, None, group)
            return await _with_members(work, _stored(group))

    async def replace(
        self, identity: Identity, name: str, body: GroupDocument, expected: Expected = None
    ) -> tuple[Group, int]:
        change = GroupChange(name=body.name, priority=body.priority, expands_to=body.expands_to)
        return await self.change(identity, name, change, expected)

    @prepares_audit
    async def change(
        self, identity: Identity, name: str, body: GroupChange, expected: Expected = None
    ) -> tuple[Group, int]:
        """Change the properties that were sent."""
        require(identity, Permission.GROUPS_WRITE)
        given = body.given()
        if given.get("name") not in (None, name):
            raise Invalid("invalid group", [Problem(path="name", message=f"cannot be changed; it must be {name!r}")])
        refuse_unknown_rights("expandsTo", given.get("expands_to", ()))
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(Groups).get(name), "group", name)
            same_revision(expected, before.stamp.revision, "group", name)
            after = replace(
                before,
                priority=given.get("priority", before.priority),
                expands_to=tuple(given.get("expands_to", before.expands_to)),
                stamp=work.stamp(before.stamp),
            )
            await save_group(work, identity, before, after)
            return await _with_members(work, _stored(after))

    @prepares_audit
    async def remove(self, identity: Identity, name: str, expected: Expected = None) -> None:
        """Delete a group, and remove it from all users, apps and layouts."""
        require(identity, Permission.GROUPS_WRITE)
        async with self._storage.write(identity.user) as work:
            group = found(await work.of(Groups).get(name), "group", name)
            same_revision(expected, group.stamp.revision, "group", name)
            await remove_group(work, identity, group)

    @staticmethod
    async def restore(work: Work, identity: Identity, key: str, body: str | None) -> None:
        """Restore a group. Memberships are stored with the users and are not restored."""
        before = await work.of(Groups).get(key)
        if body is None:
            if before is not None:
                await remove_group(work, identity, before)
            return
        members = json_text.parse(body)
        after = Group(
            name=key,
            priority=members["priority"],
            expands_to=tuple(members["expandsTo"]),
            stamp=stamp_after(work, before),
        )
        await save_group(work, identity, before, after)


async def save_group(work: Work, identity: Identity, before: Group | None, after: Group) -> None:
    """Store a new or changed group. The caller must have all rights that the change grants or revokes."""
    once = () if before is None else before.expands_to
    await _check_power(work, identity, after.name, (*once, *after.expands_to))
    await _check_inheritance(DesktopGuard(work, identity), before, after, await work.of(Groups).graph())
    await (work.of(Groups).add if before is None else work.of(Groups).put)(after)
    await require_still_admin(work, identity)
    await work.of(Groups).add_missing(after.expands_to, work.stamp())


async def remove_group(work: Work, identity: Identity, group: Group) -> None:
    """Delete a group; topics that need it refuse this."""
    if group.name == ADMIN_GROUP:
        raise Conflict("the admin group cannot be deleted")
    await _check_power(work, identity, group.name, group.expands_to)
    await work.of(Groups).remove(group.name)
    await require_still_admin(work, identity)


async def _check_power(work: Work, identity: Identity, name: str, expands_to: tuple[str, ...]) -> None:
    if name == ADMIN_GROUP or name.startswith(PERMISSION_PREFIX):
        require_power_over(identity, [ADMIN_GROUP])
    require_power_over(identity, expand((name, *expands_to), await work.of(Groups).graph()))


def _stored(group: Group) -> Group:
    """Return a saved group as it is read again: each inherited group is in the list once, in alphabetical order."""
    return replace(group, expands_to=tuple(sorted(set(group.expands_to))))


async def _with_members(work: Work, group: Group) -> tuple[Group, int]:
    return group, (await work.of(Groups).member_counts([group.name])).get(group.name, 0)


async def _check_inheritance(guard: DesktopGuard, before: Group | None, after: Group, graph: Graph) -> None:
    """Refuse inheritance from groups if members have rights that the writer lacks: they would receive programs."""
    if not guard.is_needed:
        return
    gained = expand(after.expands_to, graph) - expand(() if before is None else before.expands_to, graph)
    if gained - {after.name}:
        reason = f"members of {after.name!r} with more permissions would inherit the apps and files of further groups"
        await guard.check_receivers(lambda _, groups: after.name in groups, reason)
