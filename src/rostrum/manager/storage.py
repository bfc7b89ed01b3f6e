"""Storage: opens the database and provides units of work."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from msgspec import structs
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from rostrum import __version__
from rostrum.base import json_text
from rostrum.base.clock import Clock, SystemClock
from rostrum.base.ids import new_id
from rostrum.manager.access.confirmation import GIVES_RIGHTS, gives_rights, is_durable, require_confirmed
from rostrum.manager.api_tokens.repository import ApiTokens
from rostrum.manager.apps.repository import Apps
from rostrum.manager.audit.integrity_repository import Evidence
from rostrum.manager.audit.origin import Approval, BatchContext, ChangeContext, Reason, current_origin
from rostrum.manager.audit.preparation import audited_changes, audited_one_by_one, require_prepared
from rostrum.manager.audit.repository import Audit
from rostrum.manager.auth.repository import KnownAddresses, RevokedTokens
from rostrum.manager.batches.repository import Batches
from rostrum.manager.changes.model import NO_RULES, ChangeRules
from rostrum.manager.changes.repository import Reach
from rostrum.manager.command_runs.repository import CommandRuns
from rostrum.manager.commands.repository import Commands
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.content_versions import Revisions
from rostrum.manager.crash_groups.repository import CrashGroups
from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.dashboard.repository import DashboardFigures
from rostrum.manager.database import tables
from rostrum.manager.database.diagnostics import Diagnostics
from rostrum.manager.database.documents import Documents
from rostrum.manager.database.engine import Database, Task, try_lock
from rostrum.manager.database.schema import HEAD, Schema, current_version, ensure_current, read_schema
from rostrum.manager.demo.repository import ActivityTimes
from rostrum.manager.directories.repository import DirectoryAddresses
from rostrum.manager.document import Document, Stamp
from rostrum.manager.errors import Conflict, Forbidden, StorageError, Unavailable
from rostrum.manager.events.model import Announcement
from rostrum.manager.events.notify_listener import NotifyListener, find_out_whether_it_notifies, listening
from rostrum.manager.events.repository import Announcements
from rostrum.manager.feedback.repository import Feedbacks
from rostrum.manager.files.file_place import FilePlace
from rostrum.manager.files.model import StoredFile
from rostrum.manager.files.repository import Files, add_piece, numbered, remove_pieces
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.journal import Change, Journal
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.machines.repository import Machines
from rostrum.manager.password_links.repository import PasswordLinks
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.proposals.model import (
    MOST_BYTES,
    MOST_DOCUMENTS,
    MOST_PENDING,
    ApprovalRequired,
    Effect,
    Proposal,
    Proposed,
    ProposedChange,
    StoredEffect,
)
from rostrum.manager.proposals.repository import Proposals
from rostrum.manager.quotas.repository import Usage
from rostrum.manager.receipts.repository import Receipts
from rostrum.manager.reports.note_repository import Notes
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.transfer.repository import Progress, Transfer, export_lines, import_lines
from rostrum.manager.users.model import Person, User
from rostrum.manager.users.repository import Users
from rostrum.manager.views.repository import SavedViews

_PULSE_SECONDS = 1.5
_TOO_MANY_STEPS = (
    "The changes require the approval of a second administrator. Select fewer documents, so that they are changed in "
    "one step."
)
_NO_CREDENTIALS = (
    "changes of this user require the approval of a second administrator, and an API token cannot wait for it: "
    "create the token on the server with `rostrum manager tokens create`"
)
_NO_IMPORT = (
    "An import changes what all users receive, which requires the approval of a second administrator, and it cannot "
    "become a proposal. Import the file on the server, with the command rostrum manager import."
)
_NOT_AS_OWNER = (
    "the layout is shared with other users, and changes of what they receive require approval: only an administrator "
    "can propose to change it"
)
_NOT_IN_STAGES = (
    "Changes of this document require the approval of a second administrator, so they cannot be rolled out in stages. "
    "Save the change instead: it becomes a proposal."
)

_NEXT_REVISION = (
    update(tables.revision)
    .where(tables.revision.c.id == 1)
    .values(value=tables.revision.c.value + 1)
    .returning(tables.revision.c.value)
)


_Repository = TypeVar("_Repository")


class _Journaled(cached_property[_Repository]):
    """A repository that is created when it is first used: a transaction uses a few of them."""

    def __init__(self, create: Callable[[AsyncConnection, Journal], _Repository]) -> None:
        super().__init__(lambda work: create(work._connection, work.journal))  # noqa: SLF001 - part of the class
        self.create = create


class _Plain(cached_property[_Repository]):
    """A repository whose changes are not recorded in the journal, created when it is first used."""

    def __init__(self, create: Callable[[AsyncConnection], _Repository]) -> None:
        super().__init__(lambda work: create(work._connection))  # noqa: SLF001 - part of the class


class Work:
    """One transaction, with the repositories of all topics."""

    users = _Journaled(Users)
    groups = _Journaled(Groups)
    apps = _Journaled(Apps)
    layouts = _Journaled(Layouts)
    preferences = _Journaled(Preferences)
    configs = _Journaled(ConfigFiles)
    machines = _Journaled(Machines)
    sessions = _Journaled(Sessions)
    commands = _Journaled(Commands)
    command_runs = _Journaled(CommandRuns)
    rollouts = _Journaled(Rollouts)
    notes = _Journaled(Notes)
    activity_times = _Plain(ActivityTimes)
    history = _Plain(History)
    announcements = _Plain(Announcements)
    receipts = _Plain(Receipts)
    audit = _Journaled(Audit)
    revoked_tokens = _Journaled(RevokedTokens)
    api_tokens = _Journaled(ApiTokens)
    password_links = _Journaled(PasswordLinks)
    known_addresses = _Plain(KnownAddresses)
    directory_addresses = _Journaled(DirectoryAddresses)
    batches = _Journaled(Batches)
    proposals = _Journaled(Proposals)
    dashboard = _Plain(DashboardFigures)
    views = _Journaled(SavedViews)
    reach = _Journaled(Reach)
    usage = _Plain(Usage)
    transfer = _Plain(Transfer)
    evidence = _Plain(Evidence)

    def __init__(
        self,
        connection: AsyncConnection,
        now: datetime,
        journal: Journal,
        *,
        place: FilePlace | None = None,
        actor: str = "",
        rules: ChangeRules = NO_RULES,
        describe: "Describe | None" = None,
    ) -> None:
        self._connection = connection
        self._place = place
        self._rules = rules
        self._describe = describe
        self.now = now
        self.revision = 0
        self.actor = actor
        self.journal = journal
        self.batch: BatchContext | None = None
        self.reason: Reason | None = None
        """The reason for the changes, if it is not the one that came with the request."""
        self.approval: Approval | None = None
        """The approval that the changes have; without one, some changes become a proposal."""
        self.is_approved = False
        """Whether an earlier approval covers the changes: its proposal has shown the new version of a roll-out."""
        self.is_proposable = True
        """Whether changes that require approval become a proposal; otherwise they are refused."""
        self._history_limits: dict[str, int] = {}

    @cached_property
    def files(self) -> Files:
        return Files(self._connection, self._place)

    @cached_property
    def crashes(self) -> Crashes:
        return Crashes(self._connection, self.journal, self.files)

    @cached_property
    def crash_groups(self) -> CrashGroups:
        return CrashGroups(self._connection, self.journal, self.notes)

    @cached_property
    def feedback(self) -> Feedbacks:
        return Feedbacks(self._connection, self.journal, self.files, self.notes)

    @cached_property
    def diagnostics(self) -> Diagnostics:
        return Diagnostics(self._connection, self.files)

    def documents(self, kind: Kind) -> Documents[Any]:
        """Return the repository of a kind of document."""
        repository: Documents[Any] = getattr(self, _NAMES[kind])
        return repository

    async def take_revision(self) -> None:
        """Allocate the next revision: from now on, no other work with a revision runs in parallel."""
        self.revision = (await self._connection.execute(_NEXT_REVISION)).scalar_one()

    async def is_only_one(self, task: Task) -> bool:
        """Return whether no other node runs the same task, and lock the task until this work ends."""
        return await try_lock(self._connection, task)

    @asynccontextmanager
    async def attempt(self) -> AsyncIterator[None]:
        """Undo the changes of the block if it fails; earlier changes of this work remain."""
        mark = self.journal.mark()
        try:
            async with self._connection.begin_nested():
                yield
        except BaseException:
            self.journal.return_to(mark)
            raise

    def limit_history(self, user_id: str, most: int) -> None:
        """Before the commit, delete the oldest revisions of a user's documents beyond this number of bytes."""
        self._history_limits[user_id] = most

    def stamp(self, before: Stamp | None = None) -> Stamp:
        """Create the stamp of a document that this transaction writes; an approved change was made by its author."""
        author = self.approval.author if self.approval else self.actor
        return Stamp(
            revision=self.revision,
            created=before.created if before else self.now,
            created_by=before.created_by if before else author,
            modified=self.now,
            modified_by=author,
        )

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
        if origin.unconfirmed is not None and await self._is_privileged(changes):
            require_confirmed()
        if context.origin.is_administration:
            self._rules.require_comment(self.journal.direct_kinds(changes), context.reason)
        if self._rules.approval_kinds and self.approval is None and not self.is_approved:
            await self._check_approval(changes, context.reason)
        one_by_one = self.batch is not None and len(changes) > 0
        each = await audited_one_by_one(changes) if one_by_one else []
        shown = [] if one_by_one else await audited_changes(changes)
        if self.revision:
            await self.history.save(context, changes)
            for user_id, most in self._history_limits.items():
                await self.history.make_room(user_id, most)
        elif any(change.keeps_revisions for change in changes):
            raise RuntimeError("documents are changed by work that has a revision")
        if one_by_one:
            await self.audit.append_each(context, changes, each)
        else:
            await self.audit.append(context, changes, shown)

    async def _is_privileged(self, changes: Sequence[Change]) -> bool:
        """Return whether the changes require that the caller has confirmed the own identity."""
        if self.approval is not None or any(map(is_durable, changes)):
            return True
        edited = [change for change in changes if change.kind in GIVES_RIGHTS]
        states = [
            (self.journal.before(change.kind, change.key), change.document if change.after is not None else None)
            for change in edited
        ]
        return bool(states) and gives_rights(states, await self.groups.graph())

    async def refuse_unapproved(self, before: Document, after: Document) -> None:
        """Refuse to give users a changed document that is not saved and therefore cannot become a proposal."""
        if await self.requires_approval(before, after):
            raise Conflict(_NOT_IN_STAGES)

    async def requires_approval(self, before: Document, after: Document) -> bool:
        """Return whether a change by this caller requires the approval of a second administrator."""
        return current_origin().can_propose and await self.is_protected(before, after)

    async def refuse_credentials_of_members(self, user: User) -> None:
        """Refuse to give an administrator credentials with which they could act as a member of a protected group."""
        if self._rules.approval_groups and await self.requires_approval(user, structs.replace(user, password_hash="")):
            raise Conflict(_NO_CREDENTIALS)

    async def is_protected(self, before: Document, after: Document) -> bool:
        """Return whether a change requires approval if an administrator makes it."""
        return bool(await self.reach.requiring_approval(self._rules, [(before, after)]))

    async def protected_people(self) -> list[Person]:
        """Return the users for whom changes require approval: the members of the groups, or all."""
        people, groups = await self.users.people(), self._rules.approval_groups
        circle = await self.reach.circle(groups) if groups else None
        return [person for person in people if circle is None or circle.includes(person)]

    async def _check_approval(self, changes: Sequence[Change], reason: Reason) -> None:
        """Apply the rules for approval. All writes pass this method before they are committed."""
        origin = current_origin()
        direct = self.journal.direct_changes(changes)
        pairs = [*((before, change.document) for change, before in direct), *self.journal.consequences()]
        if origin.can_propose:
            if any(change.kind is Kind.SERVER and change.action is Action.IMPORTED for change in changes):
                raise Conflict(_NO_IMPORT)
            if await self.reach.requiring_approval(self._rules, pairs):
                await self._propose(direct, reason)
        elif origin.request and await self.reach.shared_beyond_owner(self._rules, pairs):
            # Users change their own data, which others can receive as well.
            raise Forbidden(_NOT_AS_OWNER)

    async def _propose(self, direct: Sequence[tuple[Change, Document | None]], reason: Reason) -> None:
        """End the transaction: its changes become one proposal, and have their consequences when it is approved."""
        if not self.is_proposable:
            raise Conflict(_TOO_MANY_STEPS)
        proposed = [
            ProposedChange(
                kind=change.kind,
                key=change.key,
                action=change.action,
                base=None if before is None else before.stamp.revision,
                before=change.before,
                after=change.after,
                secret=_secret(change),
            )
            for change, before in direct
        ]
        raise ApprovalRequired(proposed, reason, await self.effect())

    async def effect(self) -> Effect | None:
        """Return what the changes of this transaction do to users; ``None`` if nobody can calculate it."""
        return None if self._describe is None else await self._describe(self, self._rules)

    @property
    def verifies_effects(self) -> bool:
        """Whether an approval is only valid for the effect that its proposal shows."""
        return bool(self._rules.approval_groups) and self._describe is not None


_NAMES: Mapping[Kind, str] = {
    part.create.kind: name
    for name, part in vars(Work).items()
    if isinstance(part, _Journaled) and isinstance(part.create, type) and issubclass(part.create, Documents)
}
"""The name of the repository of each kind of document."""


def _secret(change: Change) -> str | None:
    """Return the members that the text of a document does not contain."""
    if not change.secrets or change.document is None:
        return None
    return json_text.dump({"passwordHash": getattr(change.document, "password_hash", None)}).decode()


Describe = Callable[[Work, ChangeRules], Awaitable[Effect]]
"""Calculates what the changes of a transaction do to users."""


class _Undone(Exception):
    """Rolls back a transaction."""


class Storage:
    """The manager's data."""

    def __init__(
        self,
        address: str,
        clock: Clock | None = None,
        *,
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

    def require_comment(self, kinds: Iterable[Kind], reason: Reason) -> None:
        """Refuse a change by an administrator without a required comment, before work that cannot refuse it begins."""
        if current_origin().is_administration:
            self._rules.require_comment(kinds, reason)

    def refuse_unapproved(self, kind: Kind) -> None:
        """Refuse changes of a kind that requires approval: in several transactions they cannot become one proposal."""
        rules = self._rules
        if current_origin().can_propose and kind in rules.approval_kinds and not rules.approval_groups:
            raise Conflict(_TOO_MANY_STEPS)

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

    def export(self, progress: Progress) -> AsyncIterator[bytes]:
        """Yield all data as lines of text, read at one moment."""
        return export_lines(self._database, self._place, progress)

    async def import_all(self, lines: Iterable[bytes], progress: Progress) -> int:
        """Import an export into this database, which must be empty; all or nothing."""
        return await import_lines(self._database, lines, progress)

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
            yield Work(connection, self._now(), Journal(writes=False), place=self._place, rules=self._rules)

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
                announced = await work.announcements.save(work.revision, audiences, notify=self._database.can_notify)
                await work.finalize()
        except ApprovalRequired as needed:
            raise Proposed(await self._propose(actor, needed)) from None
        for hear in self._listeners:
            hear(work.revision, announced)

    async def _propose(self, actor: str, needed: ApprovalRequired) -> Proposal:
        """Store changes that require approval as a proposal."""
        changes = needed.changes
        if len(changes) > MOST_DOCUMENTS or sum(one.size for one in changes) > MOST_BYTES:
            raise Conflict(
                f"The change requires the approval of a second administrator. A proposal can contain {MOST_DOCUMENTS} "
                "documents and 16 MiB: make the change in several steps."
            )
        effect = None
        if needed.effect is not None:
            effect = StoredEffect(needed.effect.digest, await needed.effect.text())
        async with self.note(actor) as work:
            if await work.proposals.pending() >= MOST_PENDING:
                raise Conflict(f"{MOST_PENDING} proposals wait for approval. Approve or reject some of them first.")
            proposal = Proposal(
                id=new_id(),
                operation=current_origin().operation,
                changed=len(changes),
                created=work.now,
                created_by=actor,
                comment=needed.reason.comment,
                ticket=needed.reason.ticket,
            )
            work.reason = needed.reason
            await work.proposals.add(proposal, changes, effect)
        return proposal

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
                place=self._place,
                actor=actor,
                rules=self._rules,
                describe=self._describe,
            )
            yield work
        await work.files.finish()
