"""Stores the results of commands. Results that arrive at the same time share one transaction.

A command for all desktops is answered by thousands of them within seconds. If each result had its own transaction, the
database would wait for the disk thousands of times, and the polls of all clients would be delayed.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextvars import Context

from msgspec import Struct, field

from rostrum.manager.access.identity import Identity
from rostrum.manager.audit.repository import Audit
from rostrum.manager.changes.origin import ChangeContext, RequestOrigin, current_origin
from rostrum.manager.commands.model import Command
from rostrum.manager.commands.repository import Commands
from rostrum.manager.errors import Conflict, NotFound
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sessions.service import require_open
from rostrum.manager.storage import Storage, Work

_MOST_RESULTS = 200
_MOST_CHARACTERS = 1_000_000
"""The limits of one transaction, so that other writers do not wait long for it."""
_PAUSE_SECONDS = 0.01
"""Between two transactions. A transaction costs more than its results, so a few with many cost less than many."""


class _Result(Struct, frozen=True, eq=False):
    """A result, and the request that waits until it is stored."""

    identity: Identity
    session: str
    command: str
    status: str
    data: str | None
    origin: RequestOrigin = field(default_factory=current_origin)
    stored: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def value(self) -> tuple[str, str | None]:
        return self.status, self.data


class ResultQueue:
    """Results that wait for the next transaction. There are at most as many as open requests."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._waiting: list[_Result] = []
        self._writer: asyncio.Task[None] | None = None

    async def store(self, identity: Identity, session: str, command: str, status: str, data: str | None) -> None:
        """Store a result, and return when it is stored. Repetitions are ignored, and different results are refused."""
        result = _Result(identity, session, command, status, data)
        self._waiting.append(result)
        if self._writer is None:
            # The transaction belongs to several requests, so it has the context of none of them.
            self._writer = asyncio.get_running_loop().create_task(self._write_all(), context=Context())
        await result.stored

    async def _write_all(self) -> None:
        """Write until no result waits. Results that arrive meanwhile are stored by the next transaction."""
        try:
            while self._waiting:
                await self._write(self._next())
                if len(self._waiting) < _MOST_RESULTS:
                    await asyncio.sleep(_PAUSE_SECONDS)
        finally:
            self._writer = None

    def _next(self) -> list[_Result]:
        """Remove and return the results for the next transaction: oldest first, and at most one for each command."""
        taken: dict[str, _Result] = {}
        left: list[_Result] = []
        room = _MOST_CHARACTERS
        for result in self._waiting:
            if result.command in taken or len(taken) == _MOST_RESULTS or (taken and room <= 0):
                left.append(result)
            else:
                taken[result.command] = result
                room -= len(result.data or "")
        self._waiting = left
        return list(taken.values())

    async def _write(self, results: Sequence[_Result]) -> None:
        """Store results and complete their requests, each on its own; if the transaction fails, all of them fail."""
        try:
            async with self._storage.note() as work:
                refused = await _stored(work, results)
        except BaseException as error:
            _answer(results, dict.fromkeys(results, error))
            if not isinstance(error, Exception):
                raise
        else:
            _answer(results, refused)


def _answer(results: Sequence[_Result], refused: dict[_Result, BaseException]) -> None:
    for result in results:
        if result.stored.done():
            continue  # The client no longer waits.
        if result in refused:
            result.stored.set_exception(refused[result])
        else:
            result.stored.set_result(None)


async def _stored(work: Work, results: Sequence[_Result]) -> dict[_Result, BaseException]:
    """Store the results, and return the errors of those that are refused.

    Locks are taken in the same order as when a client fetches its commands: sessions, machines, commands.
    """
    refused: dict[_Result, BaseException] = {}
    sessions = await work.of(Sessions).lock([result.session for result in results])
    for result in results:
        try:
            require_open(sessions.get(result.session), result.identity, result.session)
        except (NotFound, Conflict) as error:
            refused[result] = error
    results = [result for result in results if result not in refused]
    if not results:
        return refused
    await work.of(Sessions).touch_locked([sessions[result.session] for result in results], work.now)
    commands = await work.of(Commands).lock([result.command for result in results])
    same: dict[tuple[str, str | None], list[_Result]] = defaultdict(list)
    for result in results:
        problem = _problem(commands.get(result.command), result)
        if problem is not None:
            refused[result] = problem
        else:
            same[result.value].append(result)
    entries = []
    for (status, data), equal in same.items():
        changes = await work.of(Commands).finish([result.command for result in equal], status, data, work.now)
        entries += [(_context(work, one), changes[one.command]) for one in equal if one.command in changes]
    if entries:
        await work.of(Audit).append_separate(entries)
    return refused


def _problem(command: Command | None, result: _Result) -> Exception | None:
    if command is None or command.session != result.session:
        return NotFound("command of this session", result.command)
    if command.finished is not None and (command.status, command.data) != result.value:
        return Conflict("the command already has a different result")
    return None


def _context(work: Work, result: _Result) -> ChangeContext:
    origin = result.origin
    return ChangeContext(revision=None, at=work.now, actor=result.identity.user, origin=origin, reason=origin.reason)
