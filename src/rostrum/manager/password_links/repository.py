"""Links for passwords. They are not documents: no revisions, but audit entries."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select

from rostrum.manager.database import tables
from rostrum.manager.database.many_rows import one_of
from rostrum.manager.database.transaction import Repository
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.password_links.model import PasswordLink

_LINK = tables.password_links.c


class PasswordLinks(Repository):
    """The links of one transaction."""

    async def find(self, key_hash: str) -> PasswordLink | None:
        statement = select(tables.password_links).where(_LINK.key_hash == key_hash)
        row = (await self._connection.execute(statement)).one_or_none()
        if row is None:
            return None
        return PasswordLink(
            user=row.user_id,
            key_hash=row.key_hash,
            epoch=row.epoch,
            created=row.created,
            created_by=row.created_by,
            expires=row.expires,
        )

    async def put_all(self, links: Sequence[PasswordLink]) -> None:
        """Store links; earlier links of the same users are no longer valid."""
        if not links:
            return
        users = [link.user for link in links]
        await self._connection.execute(
            delete(tables.password_links).where(one_of(self._connection, _LINK.user_id, users))
        )
        rows = [
            {
                "user_id": link.user,
                "key_hash": link.key_hash,
                "epoch": link.epoch,
                "created": link.created,
                "created_by": link.created_by,
                "expires": link.expires,
            }
            for link in links
        ]
        await self._connection.execute(insert(tables.password_links), rows)
        for link in links:
            self._journal.noted(Kind.PASSWORD_LINK, link.user, Action.CREATED, after=link.shown())

    async def use_up(self, link: PasswordLink) -> bool:
        """Delete a link that is used; return whether it was still there."""
        which = (_LINK.user_id == link.user, _LINK.key_hash == link.key_hash)
        self._journal.noted(Kind.PASSWORD_LINK, link.user, Action.DELETED, before=link.shown())
        return (await self._connection.execute(delete(tables.password_links).where(*which))).rowcount == 1

    async def remove_of_user(self, user_id: str) -> None:
        await self._connection.execute(delete(tables.password_links).where(_LINK.user_id == user_id))

    async def purge(self, now: datetime) -> int:
        """Delete expired links, and return their number."""
        return (await self._connection.execute(delete(tables.password_links).where(_LINK.expires < now))).rowcount
