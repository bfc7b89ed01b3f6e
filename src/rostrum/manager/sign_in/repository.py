"""Revoked tokens, and the addresses that users have signed in from."""

from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, insert, select, text, tuple_
from sqlalchemy.exc import IntegrityError

from rostrum.manager.audiences import EventKind
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.database import tables
from rostrum.manager.database.content_versions import TOPIC_OPTION
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind

ADDRESSES_KNOWN_FOR = timedelta(days=30)
"""How long an address remains known after the last sign-in; longer than weekends and holidays."""

_MOST = 50

_KNOWN = tables.known_addresses.c
_USER = tables.users.c

_PUT = text(
    "INSERT INTO known_addresses (user_id, address, last_seen) VALUES (:user, :address, :seen)"
    " ON CONFLICT (user_id, address) DO UPDATE SET last_seen = excluded.last_seen"
).bindparams(bindparam("seen", type_=tables.Instant()))


_SEEN = select(_KNOWN.last_seen).where(_KNOWN.user_id == bindparam("user"), _KNOWN.address == bindparam("address"))
# A concurrent deletion of the user waits for this lock, and then also deletes the record.
_LOCK = (
    select(_USER.id)
    .where(_USER.id == bindparam("user"), _USER.epoch == bindparam("epoch"))
    .with_for_update(key_share=True)
)
_OLDEST = (
    select(_KNOWN.address)
    .where(_KNOWN.user_id == bindparam("user"), _KNOWN.address != bindparam("new"))
    .order_by(_KNOWN.last_seen.desc(), _KNOWN.address)
    .offset(_MOST - 1)
)
_REMOVE_OLDEST = delete(tables.known_addresses).where(_KNOWN.user_id == bindparam("user"), _KNOWN.address.in_(_OLDEST))


class KnownAddresses(Repository):
    """The known addresses in one transaction. They are not documents: no revisions, audit entries or events."""

    async def last_seen(self, user_id: str, address: str) -> datetime | None:
        """Read when a user was last recorded at an address; ``None`` if never."""
        seen: datetime | None = await self._connection.scalar(_SEEN, {"user": user_id, "address": address})
        return seen

    async def record(self, user_id: str, epoch: int, address: str, seen: datetime) -> None:
        """Record a user at an address, and keep only the newest addresses of the user.

        Nothing is recorded if the user was deleted or created again, or if the password was changed, since that epoch.
        """
        if await self._connection.scalar(_LOCK, {"user": user_id, "epoch": epoch}) is None:
            return
        await self._connection.execute(_PUT, {"user": user_id, "address": address, "seen": seen})
        await self._connection.execute(_REMOVE_OLDEST, {"user": user_id, "new": address})

    async def of_user(self, user_id: str) -> list[tuple[str, datetime]]:
        """Read the addresses of a user with the time of the last sign-in, the newest first."""
        statement = select(_KNOWN.address, _KNOWN.last_seen).where(_KNOWN.user_id == user_id)
        rows = await self._connection.execute(statement.order_by(_KNOWN.last_seen.desc(), _KNOWN.address))
        return [(row.address, row.last_seen) for row in rows]

    async def remove_of_user(self, user_id: str) -> None:
        """Remove all addresses of a user; call it after the user is deleted, while ``record`` is locked out."""
        await self._connection.execute(delete(tables.known_addresses).where(_KNOWN.user_id == user_id))

    async def purge(self, now: datetime) -> int:
        """Delete expired addresses, and return their number."""
        # Waiting could cause a deadlock, because other transactions change several rows in another order.
        old = select(_KNOWN.user_id, _KNOWN.address).where(_KNOWN.last_seen <= now - ADDRESSES_KNOWN_FOR)
        found = old.with_for_update(skip_locked=True)
        statement = delete(tables.known_addresses).where(tuple_(_KNOWN.user_id, _KNOWN.address).in_(found))
        return (await self._connection.execute(statement)).rowcount


_TOKEN = tables.revoked_tokens.c


class RevokedTokens(Repository):
    """The revoked tokens of one transaction."""

    async def has(self, token_id: str) -> bool:
        return await self._connection.scalar(select(_TOKEN.id).where(_TOKEN.id == token_id)) is not None

    async def add(self, token_id: str, expires: datetime, user: str) -> None:
        """Revoke a token of a user. The record is needed only until the token expires."""
        self._journal.announce(EventKind.ACCESS, user)
        self._journal.noted(Kind.LOGIN, user, Action.DELETED)
        # A token can be revoked twice, even at the same time.
        with suppress(IntegrityError):
            async with self._connection.begin_nested():
                statement = insert(tables.revoked_tokens).values(id=token_id, expires=expires)
                await self._connection.execute(statement, execution_options={TOPIC_OPTION: ContentTopic.LOGINS})

    async def purge(self, now: datetime) -> int:
        """Delete records of expired tokens, and return their number."""
        gone = await self._connection.execute(delete(tables.revoked_tokens).where(_TOKEN.expires < now))
        return gone.rowcount
