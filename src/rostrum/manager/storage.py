"""Storage: opens the database and provides units of work."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum import __version__
from rostrum.base.clock import Clock, SystemClock
from rostrum.manager.audiences import Announcement
from rostrum.manager.audit.preparation import audited_changes, audited_one_by_one, require_prepared
from rostrum.manager.audit.repository import Audit
from rostrum.manager.changes.model import NO_RULES, ChangeRules, Effect
from rostrum.manager.changes.origin import BatchContext, ChangeContext, Reason, current_origin
from rostrum.manager.content_versions import Revisions
from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.engine import Database, Task, try_lock
from rostrum.manager.database.schema import HEAD, Schema, current_version, ensure_current, read_schema
from rostrum.manager.database.transaction import OnRemoved, Repository, Transaction
from rostrum.manager.errors import Conflict, StorageError, Unavailable
from rostrum.manager.events.notify_listener import NotifyListener, find_out_whether_it_notifies, listening
from rostrum.manager.events.repository import Announcements
from rostrum.manager.files.file_place import FilePlace
from rostrum.manager.files.model import StoredFile
from rostrum.manager.files.repository import Files, add_piece, numbered, remove_pieces
from rostrum.manager.history.journal import Change, Journal
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import Kind

_PULSE_SECONDS = 1.5

_NEXT_REVISION = (
    update(tables.revision)
    .where(tables.revision.c.id == 1)
    .values(value=tables.revision.c.value + 1)
    .returning(tables.revision.c.value)
)


class Work(Transaction):
    """One transaction, which stores revisions and audit entries of its changes."""

    def __init__(
        self,
        connection: AsyncConnection,
        now: datetime,
        journal: Journal,
        parts: "StorageParts",
        *,
        place: FilePlace | None = None,
        actor: str = "",
        rules: ChangeRules = NO_RULES,
        describe: "Describe | None" = None,
    ) -> None:
        super().__init__(connection, now, journal, parts.on_removed, place=place, actor=actor)
        self._parts = parts
        self._describe = describe
        self.rules = rules
        self.batch: BatchContext | None = None
        self.reason: Reason | None = None
        """The reason for the changes, if it is not the one that came with the request."""
        self.is_approved = False
        """Whether an earlier approval covers the changes: its proposal has shown the new version of a roll-out."""
        self.is_proposable = True
        """Whether changes that require approval become a proposal; otherwise they are refused."""
        self._history_limits: dict[str, int] = {}

    def records(self, kind: Kind) -> Any:
        """Return the repository of a kind of record."""
        return self.of(self._parts.repositories[kind])

    def documents(self, kind: Kind) -> Documents[Any]:
        """Return the repository of a kind of document."""
        repository: Documents[Any] = self.records(kind)
        return repository

    async def disabled(self, users: Sequence[str]) -> None:
        """End what users who were disabled have begun; what needs their rights stops by itself."""
        for end in self._parts.on_disabled:
            await end(self, users)

    async def revoke_credentials(self, user: str) -> int:
        """Revoke the credentials that a thief of the user's session could have created, and return their number."""
        return sum([await revoke(self, user) for revoke in self._parts.revoke_credentials])

    async def stop_planned(self, user: str, reason: str) -> int:
        """Stop the work that waits under a user's account, and return the number of its parts."""
        return sum([await stop(self, user, reason) for stop in self._parts.stop_planned])

    async def take_revision(self) -> None:
        """Allocate the next revision: from now on, no other work with a revision runs in parallel."""
        self.revision = (await self.connection.execute(_NEXT_REVISION)).scalar_one()

    async def is_only_one(self, task: Task) -> bool:
        """Return whether no other node runs the same task, and lock the task until this work ends."""
        return await try_lock(self.connection, task)

    @asynccontextmanager
    async def attempt(self) -> AsyncIterator[None]:
        """Undo the changes of the block if it fails; earlier changes of this work remain."""
        mark = self.journal.mark()
        try:
            async with self.connection.begin_nested():
                yield
        except BaseException:
            self.journal.return_to(mark)
            raise

    def limit_history(self, user_id: str, most: int) -> None:
        """Before the commit, delete the oldest revisions of a user's documents beyond this number of bytes."""
        self._history_limits[user_id] = most

    async def finalize(self) -> None:
        """Store revisions of the changes and add one audit entry; in a batch, one for each document."""
        origin = current_origin()
        context = ChangeContext(
            revision=self.revision or None,
            at=self.now,
            actor=self.actor,
            origin=origin,
            batch=self.batch,
            # Parts of a batch have the reason of the batch, also if another user continues it.
            reason=self.batch.reason if self.batch else self.reason or origin.reason,
            approval=self.approval,
        )
        changes = self.journal.changes()
        for check in self._parts.before_commit:
            await check(self, changes, context.reason)
        one_by_one = self.batch is not None and len(changes) > 0
        each = await audited_one_by_one(changes) if one_by_one else []
        shown = [] if one_by_one else await audited_changes(changes)
        if self.revision:
            await self.of(History).save(context, changes)
            for user_id, most in self._history_limits.items():
                await self.of(History).make_room(user_id, most)
        elif any(change.keeps_revisions for change in changes):
            raise RuntimeError("documents are changed by work that has a revision")
        if one_by_one:
            await self.of(Audit).append_each(context, changes, each)
        else:
            await self.of(Audit).append(context, changes, shown)

    async def effect(self) -> Effect | None:
        """Return what the changes of this transaction do to users; ``None`` if nobody can calculate it."""
        return None if self._describe is None else await self._describe(self, self.rules)

    @property
    def verifies_effects(self) -> bool:
        """Whether an approval is only valid for the effect that its proposal shows."""
        return bool(self.rules.approval_groups) and self._describe is not None


Describe = Callable[[Work, ChangeRules], Awaitable[Effect]]
"""Calculates what the changes of a transaction do to users."""

BeforeCommit = Callable[[Work, Sequence[Change], Reason], Awaitable[None]]
"""Refuses changes, or ends their transaction with ``Postponed``. All writes pass these checks before the commit."""


StopPlanned = Callable[[Work, str, str], Awaitable[int]]


class StorageParts(Struct, frozen=True, kw_only=True):
    """What the topics declare for transactions.

    Attributes:
        repositories: The repository of each kind of record that batches can change.
        on_removed: What is deleted with an object of each kind.
        before_commit: Checks of changes, in their order.
        on_disabled: What ends when users are disabled.
        revoke_credentials: Revokes the credentials of a user that outlive sessions, and returns their number.
        stop_planned: Stops the planned work of a user, with a reason, and returns the number of its parts.

    """

    repositories: Mapping[Kind, type[Repository]]
    on_removed: Mapping[Kind, Sequence[OnRemoved]]
    before_commit: Sequence[BeforeCommit]
    on_disabled: Sequence[Callable[[Work, Sequence[str]], Awaitable[object]]]
    revoke_credentials: Sequence[Callable[[Work, str], Awaitable[int]]]
    stop_planned: Sequence[StopPlanned]


class Postponed(Exception):
    """Ends a transaction, which is rolled back, so that its changes are stored in another way."""

    async def store(self, storage: "Storage", actor: str) -> Exception:
        """Store the changes in another way, and return the error that informs the caller."""
        raise NotImplementedError


class _Undone(Exception):
    """Rolls back a transaction."""


class Storage:
    """The manager's data."""

    def __init__(
        self,
        address: str,
        clock: Clock | None = None,
        *,
        parts: StorageParts,
        notify: bool = True,
        place: FilePlace | None = None,
        read_only: bool = False,
        rules: ChangeRules = NO_RULES,
        describe: Describe | None = None,
    ) -> None:
        """Prepare to open the database at an address such as ``sqlite:///rostrum.db``.

        With ``notify``, PostgreSQL notifies other nodes of each change, if the connection supports it. With a place,
        files that come with reports are kept there. With ``read_only``, a database file is not changed in any way. The
        rules apply to changes by administrators; ``describe`` calculates the effect that proposals show.
        """
        self._parts = parts
        self._rules = rules
        self._describe = describe
        self._place = place
        self._pulse: asyncio.Task[None] | None = None
        self._database = Database(address, notify=notify, read_only=read_only)
        self._clock = clock or SystemClock()
        self._listeners: list[Callable[[int, tuple[Announcement, ...]], None]] = []

    def on_commit(self, hear: Callable[[int, tuple[Announcement, ...]], None]) -> None:
        """Call a function with the revision and the announcements of each committed work of this process."""
        self._listeners.append(hear)

    @property
    def rules(self) -> ChangeRules:
        return self._rules

    def require_comment(self, kinds: Iterable[Kind], reason: Reason) -> None:
        """Refuse a change by an administrator without a required comment, before work that cannot refuse it begins."""
        if current_origin().is_administration:
            self._rules.require_comment(kinds, reason)

    @property
    def database(self) -> Database:
        return self._database

    @property
    def place(self) -> FilePlace | None:
        return self._place

    @property
    def revisions(self) -> Revisions:
        return self._database.revisions

    async def open(self) -> None:
        """Migrate the tables to the newest version; tables of a newer version that this one supports are left alone."""
        await ensure_current(self._database)
        await find_out_whether_it_notifies(self._database)

    @property
    def kind(self) -> str:
        return "sqlite" if self._database.is_sqlite else "postgresql"

    @property
    def newest_version(self) -> str:
        """Return the migration that ``open`` migrates the database to."""
        return HEAD

    async def version(self) -> str | None:
        """Return the current migration of the database; ``None`` if it is empty."""
        return await current_version(self._database)

    async def schema(self) -> Schema:
        """Return the state of the tables, which a newer version of Rostrum may have made."""
        return await read_schema(self._database)

    async def refuse_newer_schema(self, task: str) -> None:
        """Refuse a task that reads or writes all data, because this version does not know the newer tables."""
        schema = await self.schema()
        if schema.is_newer:
            raise Conflict(
                f"the {task} would omit data: the database is at migration {schema.migration}, and Rostrum "
                f"{__version__} knows migration {HEAD} and older; {schema.advice} for this task"
            )

    def listening(
        self, hear: Callable[[int], None], lose: Callable[[], None]
    ) -> AbstractAsyncContextManager[NotifyListener | None]:
        """Listen for revisions that other nodes announce; yields ``None`` if changes must be polled."""
        return listening(self._database, hear, lose)

    async def close(self) -> None:
        await self._database.close()

    def _now(self) -> datetime:
        # The database stores milliseconds, so responses must not contain more digits than later reads.
        now = self._clock.now()
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    async def ping(self) -> None:
        """Check with a short timeout that the database responds."""
        if self._pulse is None or self._pulse.done():
            self._pulse = asyncio.get_running_loop().create_task(self._database.ping())
            self._pulse.add_done_callback(lambda pulse: pulse.cancelled() or pulse.exception())
        try:
            async with asyncio.timeout(_PULSE_SECONDS):
                # Calls during a query wait for its result.
                await asyncio.shield(self._pulse)
        except TimeoutError:
            raise Unavailable("the database does not respond in time") from None

    @asynccontextmanager
    async def storing(self, file: StoredFile, pieces: AsyncIterator[bytes]) -> AsyncIterator[StoredFile]:
        """Store the content of a file before the transaction that registers it, and delete it when that fails.

        A large file takes long, so each piece has a short transaction of its own: other writers get their turn.
        """
        try:
            yield replace(file, size=await self._store(file.id, pieces))
        except BaseException:
            await asyncio.shield(self._discard(file.id))
            raise

    async def _store(self, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        if self._place is not None:
            return await self._place.save(file_id, pieces)
        size = 0
        async for number, data in numbered(pieces):
            async with self._database.write() as connection:
                await add_piece(connection, file_id, number, data)
            size += len(data)
        return size

    async def _discard(self, file_id: str) -> None:
        # The daily purge deletes files that cannot be deleted now.
        with suppress(StorageError):
            if self._place is not None:
                await self._place.remove([file_id])
                return
            async with self._database.write() as connection:
                await remove_pieces(connection, file_id)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Work]:
        async with self._database.read() as connection:
            yield Work(
                connection, self._now(), Journal(writes=False), self._parts, place=self._place, rules=self._rules
            )

    @asynccontextmanager
    async def write(self, actor: str) -> AsyncIterator[Work]:
        """Begin work that changes documents. It gets the next revision, and no other writer runs at the same time.

        If it succeeds, it adds an audit entry in the same transaction; in a batch, one for each document. If a change
        requires approval, nothing is changed: a proposal is stored, and `Proposed` is raised.
        """
        try:
            async with self._begun(actor) as work:
                # Taking the counter's row lock first makes every later check-then-write of this work safe.
                await work.take_revision()
                yield work
                audiences = work.journal.audiences()
                announced = await work.of(Announcements).save(
                    work.revision, audiences, notify=self._database.can_notify
                )
                await work.finalize()
        except Postponed as postponed:
            raise await postponed.store(self, actor) from None
        for hear in self._listeners:
            hear(work.revision, announced)

    @asynccontextmanager
    async def dry_run(self, actor: str) -> AsyncIterator[Work]:
        """Begin work as if it changed documents; all changes are rolled back at the end."""
        with suppress(_Undone):
            async with self._begun(actor) as work:
                await work.take_revision()
                yield work
                raise _Undone

    @asynccontextmanager
    async def note(self, actor: str = "") -> AsyncIterator[Work]:
        """Begin work that changes no document and gets no revision.

        A heartbeat adds no audit entry; all other changes that the repositories report add one.
        """
        async with self._begun(actor) as work:
            yield work
            if work.journal.audiences():
                raise RuntimeError("shared documents can only be changed in a transaction with a revision")
            if work.journal:
                await work.finalize()

    @asynccontextmanager
    async def _begun(self, actor: str) -> AsyncIterator[Work]:
        async with self._database.write() as connection:
            journal = Journal(writes=True, before_large=require_prepared)
            work = Work(
                connection,
                self._now(),
                journal,
                self._parts,
                place=self._place,
                actor=actor,
                rules=self._rules,
                describe=self._describe,
            )
            yield work
        await work.of(Files).finish()
