"""Receives notifications of PostgreSQL about changes by other nodes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from rostrum.manager.database.engine import Database
from rostrum.manager.errors import Unavailable
from rostrum.manager.events.repository import CHANNEL

_log = logging.getLogger(__name__)

_ECHO = "?"
_ECHO_SECONDS = 2.0
_ALIVE_SECONDS = 2.0


class NotifyListener:
    """An open connection on which the database reports changes."""

    def __init__(self, connection: Any, hear: Callable[[int], None], lose: Callable[[], None]) -> None:
        self._connection = connection
        self._hear = hear
        self._lose = lose
        self._echo = asyncio.Event()
        self.is_lost = False

    async def open(self) -> bool:
        """Begin to listen; return whether notifications arrive, which a connection pooler may prevent."""
        self._connection.add_termination_listener(self._on_end)
        await self._connection.add_listener(CHANNEL, self._on_word)
        await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, _ECHO)
        try:
            async with asyncio.timeout(_ECHO_SECONDS):
                await self._echo.wait()
        except TimeoutError:
            return False
        return True

    async def check(self) -> None:
        """Check that the connection still works."""
        if not self.is_lost:
            await self._connection.execute("SELECT 1", timeout=_ALIVE_SECONDS)
        if self.is_lost:
            raise Unavailable("the database has closed the connection")

    def _on_word(self, _connection: Any, _pid: int, _channel: str, word: str) -> None:
        if word == _ECHO:
            self._echo.set()
        elif word.isdecimal():
            self._hear(int(word))

    def _on_end(self, _connection: Any) -> None:
        self.is_lost = True
        self._lose()


@asynccontextmanager
async def listening(
    database: Database, hear: Callable[[int], None], lose: Callable[[], None]
) -> AsyncIterator[NotifyListener | None]:
    """Listen for changes until the block ends; yield ``None`` if the database has no notifications."""
    if not database.can_notify:
        yield None
        return
    # Imported here, so that managers with SQLite do not load the library.
    import asyncpg

    async with database.alone() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        ear = NotifyListener(driver, hear, lose)
        try:
            if await ear.open():
                yield ear
            else:
                _log.warning(
                    "no notifications of changes arrive, possibly because of a connection pooler: this node polls"
                )
                yield None
        except (asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
            raise Unavailable("the database does not respond") from error


async def find_out_whether_it_notifies(database: Database) -> None:
    """Test notifications once: other databases with PostgreSQL's protocol may not support them."""
    if not database.can_notify:
        return
    try:
        async with database.write() as connection:
            await connection.execute(text(f"SELECT pg_notify('{CHANNEL}', '{_ECHO}')"))
    except DBAPIError as error:
        _log.warning("the database does not support notifications of changes, so nodes poll: %s", error.orig)
        database.can_notify = False
