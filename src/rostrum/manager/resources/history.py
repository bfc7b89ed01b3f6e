"""History: what documents were, read by those who may read the documents."""

from dataclasses import dataclass

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.permissions.identity import Identity
from rostrum.manager.permissions.permissions import Permission
from rostrum.manager.permissions.policy import require
from rostrum.manager.resources.moments import moment
from rostrum.manager.storage import Kind, NotFound, NotKept, Page, Query, Revision, Storage, Work

__all__ = ["HistoryResource"]


@dataclass(frozen=True, slots=True)
class _Rules:
    """What a document of a kind is called, and who may see it."""

    name: str
    reading: Permission


_RULES = {
    Kind.APP: _Rules("app", Permission.APPS_READ),
    Kind.LAYOUT: _Rules("layout", Permission.LAYOUTS_READ),
    Kind.PREFERENCE: _Rules("preference", Permission.PREFERENCES_READ),
    Kind.CONFIG: _Rules("configuration file", Permission.SYSTEM_CONFIGS_READ),
    Kind.USER: _Rules("user", Permission.USERS_READ),
    Kind.GROUP: _Rules("group", Permission.GROUPS_READ),
}


class HistoryResource:
    """The revisions of documents, those of deleted ones too."""

    def __init__(self, storage: Storage) -> None:
        """Take storage."""
        self._storage = storage

    async def page(self, identity: Identity, kind: Kind, key: str, query: Query) -> Page[Revision]:
        """List the revisions of one document, newest first."""
        require(identity, _RULES[kind].reading)
        async with self._storage.read() as work:
            page = await work.history.page(kind, key, limit=query.limit, offset=query.offset)
        if not page.total:
            raise NotFound(_RULES[kind].name, key)
        return page

    async def as_of(self, identity: Identity, kind: Kind, key: str, point: str) -> Revision:
        """Read what a document was at a revision, which may be that of another document's change, or at a time."""
        name = _RULES[kind].name
        require(identity, _RULES[kind].reading)
        async with self._storage.read() as work:
            try:
                revision = await _revision(work, point)
            except Invalid:
                raise NotFound(f"revision of the {name} {key!r}", point) from None
            found = await work.history.as_of(kind, key, revision)
            if found is None:
                await _explain_absence(work, kind, key, revision)
                raise NotFound(f"{name} that existed at revision {revision}", key)
            return found


async def _revision(work: Work, point: str, name: str = "revision") -> int:
    """Turn the number of a revision, or a time, into the number of a revision that there is."""
    newest = await work.history.newest()
    if point.isascii() and point.isdigit():
        if len(point) < 19 and int(point) <= newest:
            return int(point)
        message = f"there is no revision {point[:40]} yet; the newest is {newest}"
    else:
        try:
            return await work.history.revision_at(moment(point))
        except ValueError as error:
            message = f"must be the number of a revision or a time: {error}"
    raise Invalid("no such revision", [Problem(path=name, message=message)])


async def _explain_absence(work: Work, kind: Kind, key: str, revision: int) -> None:
    """Refuse to call a document absent when it was never there, or when what it was is not kept any more."""
    oldest = await work.history.oldest(kind, key)
    if oldest is None:
        raise NotFound(_RULES[kind].name, key)
    if oldest.previous is not None:
        raise NotKept(_RULES[kind].name, key, revision, oldest.revision)
