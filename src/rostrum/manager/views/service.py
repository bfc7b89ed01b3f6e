"""Saved views: those of the caller, and those that other users have shared."""

from dataclasses import replace

from rostrum.base.ids import new_id
from rostrum.contracts.views import NewSavedView, SavedViewChange
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.policy import require
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Forbidden, NotFound
from rostrum.manager.sign_in.callers import is_same_account
from rostrum.manager.storage import Storage, Work
from rostrum.manager.views.model import LISTS, SavedView
from rostrum.manager.views.repository import SavedViews

_MOST = 100
"""The maximum number of views of one user."""


class SavedViewService:
    """The saved views of all users."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, identity: Identity, query: Query) -> Page[SavedView]:
        """List the views that the caller can open."""
        async with self._storage.read() as work:
            return await work.of(SavedViews).page(query, identity.user, _readable(identity))

    async def get(self, identity: Identity, view_id: str) -> SavedView:
        async with self._storage.read() as work:
            return await _visible(work, identity, view_id)

    async def create(self, identity: Identity, body: NewSavedView) -> SavedView:
        """Save a view of a list that the caller may read."""
        permission = LISTS[body.list]
        if permission is not None:
            require(identity, permission)
        async with self._storage.note(identity.user) as work:
            view = SavedView(
                id=new_id(),
                list=body.list,
                name=body.name,
                owner=identity.user,
                shared=body.shared,
                search=body.search,
                created=work.now,
                modified=work.now,
            )
            if await work.of(SavedViews).count(identity.user) >= _MOST:
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
            await work.of(SavedViews).remove(await _changeable(work, identity, view_id))


def _readable(identity: Identity) -> list[str]:
    return [name for name, permission in LISTS.items() if permission is None or permission in identity.permissions]


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
