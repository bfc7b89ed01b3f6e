"""Tokens that were ended before their time."""

from contextlib import suppress
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.content_versions import Topic
from rostrum.manager.database import tables
from rostrum.manager.database.content_versions import TOPIC_OPTION
from rostrum.manager.events.model import EventKind
from rostrum.manager.history.journal import Journal
from rostrum.manager.kinds import Action, Kind

_TOKEN = tables.revoked_tokens.c


class RevokedTokens:
    """The revoked tokens of one transaction."""

    def __init__(self, connection: AsyncConnection, journal: Journal) -> None:
        """Take the connection, and the journal of the transaction."""
        self._connection = connection
        self._journal = journal

    async def has(self, token_id: str) -> bool:
        """Say whether a token was ended."""
        return await self._connection.scalar(select(_TOKEN.id).where(_TOKEN.id == token_id)) is not None

    async def add(self, token_id: str, expires: datetime, user: str) -> None:
        """End a token of a user's; it needs remembering only until it would have expired."""
        self._journal.announce(EventKind.ACCESS, user)
        self._journal.noted(Kind.LOGIN, user, Action.DELETED)
        # A token may be ended twice, even at the same moment.
        with suppress(IntegrityError):
            async with self._connection.begin_nested():
                statement = insert(tables.revoked_tokens).values(id=token_id, expires=expires)
                await self._connection.execute(statement, execution_options={TOPIC_OPTION: Topic.LOGINS})

    async def purge(self, now: datetime) -> int:
        """Forget the tokens that have expired anyway, and say how many."""
        gone = await self._connection.execute(delete(tables.revoked_tokens).where(_TOKEN.expires < now))
        return gone.rowcount
