"""Saved views: search, filters, sorting, columns and row height of a list under a name.

Views are private, or their owners share them with all users who may read the list.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import Boolean, Column, Index, Table, Text, UniqueConstraint, delete

from rostrum.base.ids import new_id
from rostrum.contracts.body import Body, Change
from rostrum.contracts.names import Name
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.database.tables import Instant, NameText, metadata
from rostrum.manager.errors import Conflict, Forbidden, NotFound
from rostrum.manager.kinds import Kind
from rostrum.manager.records import Records, listing
from rostrum.manager.sign_in.callers import is_same_account
from rostrum.manager.storage import Storage, Work
from rostrum.manager.topic import Topic

_MOST = 100
"""The maximum number of views of one user."""

ListName = Literal[
    "apps",
    "apps-rollouts",
    "audit",
    "commands",
    "commands-runs",
    "configs",
    "configs-rollouts",
    "crashes",
    "directories",
    "feedback",
    "groups",
    "layouts",
    "layouts-rollouts",
    "machines",
    "preferences",
    "proposals",
    "sessions",
    "tokens-all",
    "tokens-own",
    "users",
]
LISTS: Mapping[ListName, Permission | None] = {
    "apps": Permission.APPS_READ,
    "apps-rollouts": Permission.APPS_READ,
    "audit": Permission.AUDITS_READ,
    "commands": Permission.COMMANDS_READ,
    "commands-runs": Permission.COMMANDS_READ,
    "configs": Permission.SYSTEM_CONFIGS_READ,
    "configs-rollouts": Permission.SYSTEM_CONFIGS_READ,
    "crashes": Permission.CRASHES_READ,
    "directories": Permission.APPS_READ,
    "feedback": Permission.FEEDBACKS_READ,
    "groups": Permission.GROUPS_READ,
    "layouts": Permission.LAYOUTS_READ,
    "layouts-rollouts": Permission.LAYOUTS_READ,
    "machines": Permission.MACHINES_READ,
    "preferences": Permission.PREFERENCES_READ,
    "proposals": None,
    "sessions": Permission.SESSIONS_READ,
    "tokens-all": Permission.USERS_READ,
    "tokens-own": None,
    "users": Permission.USERS_READ,
}
"""The lists that can have views, with the permission to read each; ``None`` for lists that all users can read."""

ViewSearch = Annotated[str, Field(max_length=2000, pattern=r"^[^\x00-\x20\x7f]*$")]

saved_views = Table(
    "saved_views",
    metadata,
    Column("id", NameText, primary_key=True),
    Column("list", NameText, nullable=False),
    Column("name", NameText, nullable=False),
    Column("owner", NameText, nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("search", Text, nullable=False),
    Column("created", Instant, nullable=False),
    Column("modified", Instant, nullable=False),
    UniqueConstraint("owner", "list", "name", name="uq_saved_views_owner_list_name"),
    Index("ix_saved_views_list", "list", "shared"),
)
_VIEW = saved_views.c


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedView:
    """A view of a list.

    Attributes:
        search: The query of the address of the list: search, filters, sorting, columns and row height.
        shared: Whether all users who may read the list can open the view.

    """

    id: str
    list: str
    name: str
    owner: str
    shared: bool
    search: str
    created: datetime
    modified: datetime


class NewSavedView(Body):
    """A view that is to be saved."""

    server_filled = Body.server_filled | {"id", "owner"}

    list: ListName = Field(description="The list that the view shows.")
    name: Name = Field(description="The name of the view; unique for each user and list.")
    search: ViewSearch = Field(
        description="The query of the address of the list: filters, sorting, columns and density, such as "
        "`status=failed&sort=-created`."
    )
    shared: bool = Field(default=False, description="Whether all users who may read the list can open the view.")


class SavedViewChange(Change):
    """A change of a saved view."""

    server_filled = Change.server_filled | {"id", "owner", "list"}

    name: Name = Field(default="-", description="The new name.")
    search: ViewSearch = Field(default="", description="The new query of the address.")
    shared: bool = Field(default=False, description="Whether all users who may read the list can open the view.")


class SavedViews(Records[SavedView]):
    """The saved views of one transaction."""

    kind = Kind.SAVED_VIEW
    table = saved_views
    record = SavedView
    listing = listing(SavedView, saved_views, "name", "owner")
    audited = ("list", "name", "owner", "shared", "search")

    async def has_name(self, view: SavedView) -> bool:
        """Return whether another view of the owner has the same name in the same list."""
        same = (_VIEW.owner == view.owner, _VIEW.list == view.list, _VIEW.name == view.name, _VIEW.id != view.id)
        return await self.count(*same) > 0

    async def remove_private(self, owner: str) -> None:
        """Delete the private views of a user; shared views are kept, because other users use them."""
        await self._connection.execute(delete(saved_views).where(_VIEW.owner == owner, _VIEW.shared.is_(False)))


class SavedViewService:
    """The saved views of all users."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, identity: Identity, query: Query) -> Page[SavedView]:
        """List the views that the caller can open."""
        visible = (_VIEW.list.in_(_readable(identity)), (_VIEW.owner == identity.user) | _VIEW.shared.is_(True))
        async with self._storage.read() as work:
            return await work.of(SavedViews).page(query, *visible)

    async def get(self, identity: Identity, view_id: str) -> SavedView:
        async with self._storage.read() as work:
            return await _visible(work, identity, view_id)

    async def create(self, identity: Identity, body: NewSavedView) -> SavedView:
        """Save a view of a list that the caller may read."""
        permission = LISTS[body.list]
        if permission is not None:
            require(identity, permission)
        async with self._storage.note(identity.user) as work:
            view = SavedView(id=new_id(), owner=identity.user, created=work.now, modified=work.now, **dict(body))
            if await work.of(SavedViews).count(_VIEW.owner == identity.user) >= _MOST:
                raise Conflict(f"You already have {_MOST} saved views. Delete views that you no longer use.")
            await _refuse_same_name(work, view)
            await work.of(SavedViews).add(view)
        return view

    async def change(self, identity: Identity, view_id: str, body: SavedViewChange) -> SavedView:
        """Rename, replace, share or unshare a view."""
        async with self._storage.note(identity.user) as work:
            before = await _changeable(work, identity, view_id)
            after = replace(before, **body.given(), modified=work.now)
            await _refuse_same_name(work, after)
            await work.of(SavedViews).put(before, after)
        return after

    async def remove(self, identity: Identity, view_id: str) -> None:
        async with self._storage.note(identity.user) as work:
            await work.of(SavedViews).remove((await _changeable(work, identity, view_id)).id)


def _readable(identity: Identity) -> list[str]:
    return [name for name, needed in LISTS.items() if needed is None or needed in identity.permissions]


async def _visible(work: Work, identity: Identity, view_id: str) -> SavedView:
    """Read a view; private views of other users are treated as if they did not exist."""
    view = await work.of(SavedViews).get(view_id)
    if view is None or view.list not in _readable(identity) or not (view.shared or view.owner == identity.user):
        raise NotFound("saved view", view_id)
    return view


async def _changeable(work: Work, identity: Identity, view_id: str) -> SavedView:
    view = await _visible(work, identity, view_id)
    is_own = view.owner == identity.user and await is_same_account(work, view.owner, view.created)
    if not is_own and not identity.is_admin:
        raise Forbidden(f"The view belongs to {view.owner}. Only its owner and full administrators can change it.")
    return view


async def _refuse_same_name(work: Work, view: SavedView) -> None:
    if await work.of(SavedViews).has_name(view):
        raise Conflict(f"the user {view.owner!r} already has a view with the name {view.name!r}")


TOPIC = Topic(
    services=lambda parts: {"views": SavedViewService(parts.storage)},
    routes=("views.routes",),
    on_removed={Kind.USER: lambda work, user: work.of(SavedViews).remove_private(user)},
)
