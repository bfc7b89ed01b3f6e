"""From which addresses each user has signed in lately."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum.manager.database import tables

ADDRESSES_KNOWN_FOR = timedelta(days=30)
"""How long an address stays known after the last sign-in there: weekends and holidays must not end it."""

_MOST = 50

_KNOWN = tables.known_addresses.c
_USER = tables.users.c

_PUT = text(
    "INSERT INTO known_addresses (user_id, address, last_seen) VALUES (:user, :address, :seen)"
    " ON CONFLICT (user_id, address) DO UPDATE SET last_seen = excluded.last_seen"
).bindparams(bindparam("seen", type_=tables.Instant()))


class KnownAddresses:
    """The known addresses of one transaction: no documents, so no revision, audit entry or event comes from them."""

    def __init__(self, connection: AsyncConnection) -> None:
        """Take the connection."""
        self._connection = connection

    async def last_seen(self, user_id: str, address: str) -> datetime | None:
        """Read when a user was last recorded at an address; ``None`` when never."""
        statement = select(_KNOWN.last_seen).where(_KNOWN.user_id == user_id, _KNOWN.address == address)
        seen: datetime | None = await self._connection.scalar(statement)
        return seen

    async def record(self, user_id: str, epoch: int, address: str, seen: datetime) -> None:
        """Record a user at an address, and keep only the newest addresses of the user.

        Nothing is recorded when the user was deleted, created again or given another password since that epoch.
        """
        # The lock makes a concurrent deletion of the user wait, so that it also finds what is recorded here.
        user = select(_USER.id).where(_USER.id == user_id, _USER.epoch == epoch).with_for_update(key_share=True)
        if await self._connection.scalar(user) is None:
            return
        await self._connection.execute(_PUT, {"user": user_id, "address": address, "seen": seen})
        others = select(_KNOWN.address).where(_KNOWN.user_id == user_id, _KNOWN.address != address)
        oldest = others.order_by(_KNOWN.last_seen.desc(), _KNOWN.address).offset(_MOST - 1)
        await self._connection.execute(
            delete(tables.known_addresses).where(_KNOWN.user_id == user_id, _KNOWN.address.in_(oldest))
        )

    async def remove_of_user(self, user_id: str) -> None:
        """Remove all addresses of a user; call it after the user is deleted, while ``record`` is locked out."""
        await self._connection.execute(delete(tables.known_addresses).where(_KNOWN.user_id == user_id))

    async def purge(self, now: datetime) -> int:
        """Remove what is no longer known, and say how many."""
        # It waits for no other transaction, because those change several rows in another order.
        old = select(_KNOWN.user_id, _KNOWN.address).where(_KNOWN.last_seen <= now - ADDRESSES_KNOWN_FOR)
        found = old.with_for_update(skip_locked=True)
        statement = delete(tables.known_addresses).where(tuple_(_KNOWN.user_id, _KNOWN.address).in_(found))
        return (await self._connection.execute(statement)).rowcount
