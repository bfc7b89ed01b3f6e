"""Reach: decides which changes of a transaction require approval, from the users that the changes reach."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from msgspec import Struct
from sqlalchemy import exists, select

from rostrum.contracts.system_config import Scope
from rostrum.manager.apps.model import App
from rostrum.manager.audiences import COMMON
from rostrum.manager.changes.model import ChangeRules
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.database import tables
from rostrum.manager.database.links import Links
from rostrum.manager.database.many_rows import one_of
from rostrum.manager.database.transaction import Repository
from rostrum.manager.document import Document, SharedDocument
from rostrum.manager.groups.model import Graph, Group, expand, leading_to
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.model import Layout
from rostrum.manager.preferences.model import Preference
from rostrum.manager.users.model import Person, User

Pair = tuple[Document | None, Document | None]
"""A document before and after a change."""

_GROUPS = Links(tables.user_groups)
_LISTS = {Kind.APP: Links(tables.user_apps), Kind.LAYOUT: Links(tables.user_layouts)}
_PERSONAL = (
    (Kind.LAYOUT, tables.layouts, tables.layouts.c.owner),
    (Kind.PREFERENCE, tables.preferences, tables.preferences.c.user_id),
)
_OTHER = tables.user_groups.alias("other")


class Circle(Struct, frozen=True):
    """The members of the groups whose changes require approval, before and after the changes.

    Attributes:
        leading: The groups whose members are members of these groups: the groups themselves, and those that inherit.
        groups: All effective groups of the members.
        potential: All effective groups that a member of a leading group would have.

    """

    leading: frozenset[str]
    groups: frozenset[str]
    potential: frozenset[str]

    def includes(self, user: User | Person | None) -> bool:
        return user is not None and not self.leading.isdisjoint(user.groups)


class Reach(Repository):
    """Finds the users that changes reach; of the data of the transaction, it reads only what it needs."""

    async def requiring_approval(self, rules: ChangeRules, pairs: Iterable[Pair]) -> list[Pair]:
        """Return the changes that require approval.

        If approval is limited to groups, these are the changes that alter what a member of one of them receives, also
        while the member or the document is disabled. Accounts, memberships and inheritance always belong to that. Only
        locking an account never requires approval: it must be possible at once.
        """
        relevant = [pair for pair in pairs if _may_concern(rules, _kind(pair)) and not _only_locks(*pair)]
        if not relevant or not rules.approval_groups:
            return relevant
        circle = await self.circle(rules.approval_groups)
        found = [(pair, await self._concerns(rules, circle, pair)) for pair in relevant]
        return [pair for pair, is_concerned in found if is_concerned]

    async def shared_beyond_owner(self, rules: ChangeRules, pairs: Iterable[Pair]) -> list[Pair]:
        """Return changes of personal layouts that reach other users, of those that require approval."""
        found: list[Pair] = []
        for before, after in pairs:
            states = [state for state in (before, after) if isinstance(state, Layout) and state.owner != COMMON]
            if not states or Kind.LAYOUT not in rules.approval_kinds:
                continue
            is_shared = any(state.public or state.access for state in states)
            if not is_shared and not await self._listed(Kind.LAYOUT, states[0].key, None):
                continue
            # The owner may change what only the owner receives.
            first, last = (replace(state, owner="") if isinstance(state, Layout) else None for state in (before, after))
            found += await self.requiring_approval(rules, [(first, last)])
        return found

    async def circle(self, protected: Collection[str]) -> Circle:
        """Read the members of these groups, as they were at the start of the transaction and as they are now."""
        now = await self._work.of(Groups).graph()
        graphs = (now, self._graph_before(now))
        leading = frozenset(name for graph in graphs for group in protected for name in leading_to(group, graph))
        statement = (
            select(_OTHER.c.group_name)
            .distinct()
            .join(tables.user_groups, _GROUPS.owner == _OTHER.c.user_id)
            .where(one_of(self._connection, _GROUPS.value, sorted(leading)))
        )
        direct = set(await self._connection.scalars(statement))
        for pair in self._journal.documents(Kind.USER):
            for user in pair:
                if isinstance(user, User) and not leading.isdisjoint(user.groups):
                    direct.update(user.groups)
        return Circle(leading, _expanded(direct, graphs), _expanded(leading, graphs))

    async def members(self, circle: Circle, users: Collection[str]) -> set[str]:
        """Return which of these users are members, or were before the changes."""
        found = {
            user.id
            for pair in self._journal.documents(Kind.USER)
            for user in pair
            if isinstance(user, User) and user.id in users and circle.includes(user)
        }
        lists = await _GROUPS.of(self._connection, [user for user in users if user not in found])
        return found | {user for user, groups in lists.items() if not circle.leading.isdisjoint(groups)}

    async def personal_documents_by_others(self, users: Sequence[str]) -> dict[tuple[Kind, str], int]:
        """Read the revisions of personal layouts and preferences that others than their owners have saved last."""
        found: dict[tuple[Kind, str], int] = {}
        for kind, table, owner in _PERSONAL if users else ():
            statement = select(table.c.id, table.c.revision).where(
                one_of(self._connection, owner, users), table.c.modified_by != owner
            )
            found |= {(kind, row.id): row.revision for row in await self._connection.execute(statement)}
        return found

    async def _concerns(self, rules: ChangeRules, circle: Circle, pair: Pair) -> bool:
        before, after = pair
        if _kind(pair) is Kind.USER:
            return _user_concerns(rules, circle, *pair)  # type: ignore[arg-type]
        if _kind(pair) is Kind.GROUP:
            return _group_concerns(rules, circle, *pair)  # type: ignore[arg-type]
        if isinstance(after, SharedDocument) and self._journal.is_implied(after.kind, after.key):
            # It has only lost a group that was deleted, and that change is decided by the members of the group.
            return False
        return any([await self._reaches(circle, state) for state in (before, after) if state is not None])

    async def _reaches(self, circle: Circle, document: Document) -> bool:
        """Return whether a member receives a document, or would receive it."""
        owner, groups = "", set[str]()
        if isinstance(document, SharedDocument):
            if document.public:
                return True
            groups.update(document.access)
            owner = document.owner if isinstance(document, Layout) else ""
        elif isinstance(document, ConfigFile):
            if document.scope in (Scope.BASE, Scope.VERSION):
                return True
            (groups.add if document.scope is Scope.GROUP else _nothing)(document.target)
            owner = document.target if document.scope is Scope.USER else ""
        elif isinstance(document, Preference):
            owner = document.user
        if groups & (circle.groups | circle.potential):
            return True
        if owner not in ("", COMMON) and await self.members(circle, [owner]):
            return True
        return isinstance(document, App | Layout) and await self._listed(document.kind, document.key, circle)

    async def _listed(self, kind: Kind, key: str, circle: Circle | None) -> bool:
        """Return whether a document is assigned by name: to a member, or to anyone without a circle."""
        links = _LISTS[kind]
        for pair in self._journal.documents(Kind.USER):
            for user in pair:
                names = () if not isinstance(user, User) else user.apps if kind is Kind.APP else user.layouts
                if key in names and (circle is None or circle.includes(user)):  # type: ignore[arg-type]
                    return True
        which = links.value == key
        if circle is not None:
            its_groups = one_of(self._connection, _GROUPS.value, sorted(circle.leading))
            which &= exists().where(_GROUPS.owner == links.owner, its_groups)
        return await self._connection.scalar(select(links.owner).where(which).limit(1)) is not None

    def _graph_before(self, now: Graph) -> Graph:
        earlier: dict[str, Iterable[str]] = dict(now)
        for before, after in self._journal.documents(Kind.GROUP):
            if isinstance(before, Group):
                earlier[before.name] = before.expands_to
            elif isinstance(after, Group):
                earlier.pop(after.name, None)
        return earlier


def _may_concern(rules: ChangeRules, kind: Kind) -> bool:
    if kind in rules.approval_kinds:
        return True
    # Members receive other documents if memberships or inheritance change, even if these kinds are not listed.
    return bool(rules.approval_groups and rules.approval_kinds) and kind in (Kind.USER, Kind.GROUP)


def _only_locks(before: Document | None, after: Document | None) -> bool:
    """Return whether a change only disables a user."""
    if not isinstance(before, User) or not isinstance(after, User) or before.disabled or not after.disabled:
        return False
    return before.members() | {"disabled": True} == after.members() and before.password_hash == after.password_hash


def _user_concerns(rules: ChangeRules, circle: Circle, before: User | None, after: User | None) -> bool:
    if not (circle.includes(before) or circle.includes(after)):
        return False
    if Kind.USER in rules.approval_kinds or before is None or after is None:
        return True
    # With a password that others know, they could save layouts and preferences as the member.
    if before.password_hash != after.password_hash or (before.disabled and not after.disabled):
        return True
    had, has = before.members(), after.members()
    members = ["groups"]
    members += ["apps"] if Kind.APP in rules.approval_kinds else []
    members += ["layouts"] if Kind.LAYOUT in rules.approval_kinds else []
    return any(set(had[name]) != set(has[name]) for name in members)


def _group_concerns(rules: ChangeRules, circle: Circle, before: Group | None, after: Group | None) -> bool:
    name = (after or before).name  # type: ignore[union-attr]
    if Kind.GROUP in rules.approval_kinds:
        return name in circle.groups or name in circle.potential
    had = (frozenset[str](), 0) if before is None else (frozenset(before.expands_to), before.priority)
    has = (frozenset[str](), 0) if after is None else (frozenset(after.expands_to), after.priority)
    return name in circle.groups and (had != has or after is None)


def _expanded(direct: Iterable[str], graphs: Sequence[Graph]) -> frozenset[str]:
    names = list(direct)
    return frozenset(name for graph in graphs for name in expand(names, graph))


def _kind(pair: Pair) -> Kind:
    return next(document.kind for document in pair if document is not None)


def _nothing(_: str) -> None: ...
