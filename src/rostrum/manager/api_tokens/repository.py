"""API tokens. They are not documents: no revisions, but audit entries."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, insert, or_, select, update

from rostrum.base import json_text
from rostrum.manager.api_tokens.model import ApiToken
from rostrum.manager.audiences import EventKind
from rostrum.manager.database import tables
from rostrum.manager.database.content_versions import TOPIC_OPTION
from rostrum.manager.database.paging import Listing, Page, Query
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind

LAST_USE_EVERY = timedelta(minutes=1)
"""Minimum interval between two writes of the last use of a token, so that requests stay cheap."""

_TOKEN = tables.api_tokens.c
_UNCOUNTED = {TOPIC_OPTION: None}
"""For changes that do not invalidate cached results."""

_LISTING = Listing(
    fields={
        "id": _TOKEN.id,
        "user": _TOKEN.user_id,
        "name": _TOKEN.name,
        "created": _TOKEN.created,
        "createdBy": _TOKEN.created_by,
        "expires": _TOKEN.expires,
        "lastUsed": _TOKEN.last_used,
    },
    searched=("name", "user"),
    key="id",
)
_ALL = select(tables.api_tokens)


class ApiTokens(Repository):
    """The API tokens of one transaction."""

    async def get(self, token_id: str) -> ApiToken | None:
        statement = select(tables.api_tokens).where(_TOKEN.id == token_id)
        row = (await self._connection.execute(statement)).one_or_none()
        return None if row is None else _record(row)

    async def has_name(self, user: str, name: str) -> bool:
        statement = select(_TOKEN.id).where(_TOKEN.user_id == user, _TOKEN.name == name)
        return await self._connection.scalar(statement) is not None

    async def count(self, user: str) -> int:
        statement = select(func.count()).select_from(tables.api_tokens).where(_TOKEN.user_id == user)
        return await self._connection.scalar(statement) or 0

    async def makers(self, user: str) -> frozenset[str]:
        """Return the users who have made tokens of a user."""
        statement = select(_TOKEN.created_by).where(_TOKEN.user_id == user).distinct()
        return frozenset((await self._connection.scalars(statement)).all())

    async def page(self, query: Query, user: str | None = None) -> Page[ApiToken]:
        """Read one page of tokens; of one owner, if a user is given."""
        statement = _ALL
        if user is not None:
            statement = statement.where(_TOKEN.user_id == user)
        found = await _LISTING.page(self._connection, statement, query)
        return found.page(map(_record, found.rows))

    async def keys(self, query: Query, most: int) -> list[str]:
        """Read the IDs of all tokens that a list shows, and no more than so many."""
        return await _LISTING.keys(self._connection, query, most)

    async def owners(self, token_ids: Sequence[str]) -> dict[str, str]:
        """Read the owners of several tokens, by the IDs of the tokens."""
        statement = select(_TOKEN.id, _TOKEN.user_id).where(_TOKEN.id.in_(list(token_ids)))
        return {row.id: row.user_id for row in await self._connection.execute(statement)}

    async def add(self, token: ApiToken) -> None:
        statement = insert(tables.api_tokens).values(
            id=token.id,
            key_hash=token.key_hash,
            user_id=token.user,
            name=token.name,
            permissions=json_text.dump(token.permissions).decode(),
            created=token.created,
            created_by=token.created_by,
            expires=token.expires,
        )
        await self._connection.execute(statement, execution_options=_UNCOUNTED)
        self._journal.noted(Kind.API_TOKEN, token.id, Action.CREATED, after=_shown(token))

    async def record_use(self, token_id: str, now: datetime) -> None:
        """Write the time of a request, unless this or another node has done so within the last minute."""
        is_old = or_(_TOKEN.last_used.is_(None), _TOKEN.last_used <= now - LAST_USE_EVERY)
        statement = update(tables.api_tokens).where(_TOKEN.id == token_id, is_old).values(last_used=now)
        await self._connection.execute(statement, execution_options=_UNCOUNTED)

    async def remove(self, token_id: str) -> None:
        await self._remove(_TOKEN.id == token_id)

    async def remove_of_user(self, user_id: str) -> int:
        """Revoke all tokens of a user, and return their number."""
        return await self._remove(_TOKEN.user_id == user_id)

    async def purge(self, before: datetime) -> int:
        """Delete tokens that expired before a time, and return their number."""
        # Nobody is accepted with them, so no cached result changes.
        statement = delete(tables.api_tokens).where(_TOKEN.expires < before)
        return (await self._connection.execute(statement, execution_options=_UNCOUNTED)).rowcount

    async def _remove(self, which: ColumnElement[bool]) -> int:
        found = (await self._connection.execute(select(tables.api_tokens).where(which))).all()
        for token in map(_record, found):
            self._journal.noted(Kind.API_TOKEN, token.id, Action.DELETED, before=_shown(token))
            # Event streams that were opened with the token end.
            self._journal.announce(EventKind.ACCESS, token.user)
        if found:
            await self._connection.execute(delete(tables.api_tokens).where(which))
        return len(found)


def _shown(token: ApiToken) -> dict[str, Any]:
    """Return the data for the audit, without the hash."""
    return {
        "user": token.user,
        "name": token.name,
        "permissions": list(token.permissions),
        "expires": token.expires,
    }


def _record(row: Row[Any]) -> ApiToken:
    return ApiToken(
        id=row.id,
        key_hash=row.key_hash,
        user=row.user_id,
        name=row.name,
        permissions=tuple(json_text.parse(row.permissions)),
        created=row.created,
        created_by=row.created_by,
        expires=row.expires,
        last_used=row.last_used,
    )
