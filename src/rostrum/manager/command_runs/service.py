"""Command runs: created and controlled by administrators, advanced by the first process that finds a step to take."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid, RostrumError
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.base.tasks import end_tasks
from rostrum.contracts.command_runs import CommandRunRequest, NewCommandRun, RunTarget
from rostrum.manager.access.confirmation import require_confirmed_session
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.changes.origin import Reason, RequestOrigin, acting, current_origin
from rostrum.manager.command_runs.model import (
    ENDED,
    MOST_OPEN,
    Amount,
    CommandRun,
    Counts,
    Desktop,
    State,
    Status,
    Step,
    Wave,
    in_waves,
    next_step,
    wave_sizes,
)
from rostrum.manager.command_runs.repository import CommandRuns
from rostrum.manager.command_runs.selection import (
    Recipient,
    author_now,
    check_target,
    recipients,
    select_desktops,
)
from rostrum.manager.commands.model import Command
from rostrum.manager.commands.repository import Commands
from rostrum.manager.commands.service import runs_code
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Forbidden, found
from rostrum.manager.history.model import moment
from rostrum.manager.storage import Storage, Work

_log = logging.getLogger(__name__)

PART = 500
"""The number of desktops that one transaction sends the command to: others write in between."""
_PREVIEWED = 50
_LOOK_SECONDS = 1.0
_MOST_STEPS = 1000
_FARTHEST = timedelta(days=366)
_OPERATION = "commandRun"
"""The operation that the audit names for the steps of a run."""


class _NothingToDoError(Exception):
    """Ends a transaction that finds its work done by another process."""


class RunProgress(Struct, frozen=True):
    """A run and the number of its desktops in each state."""

    run: CommandRun
    counts: Counts

    def as_json(self) -> dict[str, Any]:
        return self.run.as_json(self.counts)

    def summary(self) -> dict[str, Any]:
        return self.run.summary(self.counts)


class CommandRunService:
    """The command runs of the manager."""

    def __init__(self, storage: Storage, *, idle_seconds: int, part: int = PART) -> None:
        """``part`` is the maximum number of desktops to which one transaction sends the command."""
        self._storage = storage
        self._idle = timedelta(seconds=idle_seconds)
        self._part = part
        self._woken = asyncio.Event()

    async def preview(self, identity: Identity, body: CommandRunRequest) -> dict[str, Any]:
        """Return the effect of a run that would start now; nothing is written."""
        require(identity, Permission.COMMANDS_WRITE)
        amounts = _amounts(body)
        async with self._storage.read() as work:
            await check_target(work, body.target)
            since = work.now - self._idle
            desktops = await select_desktops(work, body.target, since)
            each = await recipients(work, identity, body.command, desktops, since)
        each.sort(key=lambda one: (one.state is State.SENT, one.state is State.OFFLINE))
        states = [one.state for one in each]
        return {
            "total": len(each),
            "ready": states.count(State.SENT),
            **{name.value: states.count(name) for name in (State.OFFLINE, State.UNSUPPORTED, State.REFUSED)},
            "waves": wave_sizes(amounts, len(each)),
            "items": [one.as_json() for one in each[:_PREVIEWED]],
        }

    async def create(self, identity: Identity, body: NewCommandRun) -> tuple[RunProgress, bool]:
        """Store a run; return whether it is new. A run without a start time has started."""
        require(identity, Permission.COMMANDS_WRITE)
        _amounts(body)
        digest = hashlib.sha256(json_text.dump(body.model_dump(mode="json", exclude={"key"}))).hexdigest()
        async with self._storage.read() as work:
            known = await work.of(CommandRuns).find(identity.user, body.key)
            if known is None:
                await check_target(work, body.target)
        if known is not None:
            return await self._known(known, digest), False
        async with self._storage.write(identity.user) as work:
            # Checked again: a request that was repeated at the same time may have been first.
            known = await work.of(CommandRuns).find(identity.user, body.key)
            if known is None:
                if await work.of(CommandRuns).count_open() >= MOST_OPEN:
                    raise Conflict(f"there are {MOST_OPEN} command runs that have not ended: cancel some of them")
                run = _new_run(work, body, digest, identity.token.id if identity.token else None)
                _require_confirmed(run)
                if run.start_at is None or run.start_at <= work.now:
                    run = await self._started(work, run)
                await work.of(CommandRuns).add(run)
        if known is not None:
            return await self._known(known, digest), False
        self._woken.set()
        return await self._progress(run.id), True

    async def page(self, identity: Identity, query: Query) -> Page[RunProgress]:
        """List runs, newest first."""
        require(identity, Permission.COMMANDS_READ)
        async with self._storage.read() as work:
            page = await work.of(CommandRuns).page(query)
            counts = await work.of(CommandRuns).counts(run.id for run in page.items)
        items = tuple(RunProgress(run, counts[run.id]) for run in page.items)
        return Page(items=items, total=page.total, more=page.more)

    async def get(self, identity: Identity, run_id: str) -> RunProgress:
        require(identity, Permission.COMMANDS_READ)
        return await self._progress(run_id)

    async def desktops(self, identity: Identity, run_id: str, query: Query) -> Page[Desktop]:
        """List the desktops of a run."""
        require(identity, Permission.COMMANDS_READ)
        async with self._storage.read() as work:
            await _run(work, run_id)
            return await work.of(CommandRuns).desktops(run_id, query)

    async def pause(self, identity: Identity, run_id: str) -> RunProgress:
        """Send nothing more until the run is continued."""
        require(identity, Permission.COMMANDS_WRITE)
        async with self._storage.write(identity.user) as work:
            run = await _run(work, run_id)
            if run.status not in (Status.SCHEDULED, Status.RUNNING):
                raise Conflict(f"the command run cannot be paused: it is {run.status}")
            await work.of(CommandRuns).put(run, replace(run, status=Status.PAUSED, updated=work.now))
        return await self._progress(run_id)

    async def resume(self, identity: Identity, run_id: str) -> RunProgress:
        """Continue a run that was paused or has stopped; failures and crashes until now no longer count."""
        require(identity, Permission.COMMANDS_WRITE)
        async with self._storage.write(identity.user) as work:
            run = await _run(work, run_id)
            if run.status not in (Status.PAUSED, Status.STOPPED):
                raise Conflict(f"the command run cannot be continued: it is {run.status}")
            _require_confirmed(run)
            counts = (await work.of(CommandRuns).counts([run_id]))[run_id]
            crashed = await work.of(CommandRuns).crashed(run)
            after = replace(
                run,
                status=Status.SCHEDULED if run.started is None else Status.RUNNING,
                reason="",
                accepted_failures=run.failures(counts),
                accepted_crashes=crashed,
                crashed=crashed,
                updated=work.now,
            )
            await work.of(CommandRuns).put(run, after)
        self._woken.set()
        return await self._progress(run_id)

    async def cancel(self, identity: Identity, run_id: str) -> RunProgress:
        """End a run. Commands that desktops have not fetched yet are withdrawn."""
        require(identity, Permission.COMMANDS_WRITE)
        async with self._storage.write(identity.user) as work:
            run = await _run(work, run_id)
            if run.status in ENDED:
                raise Conflict(f"the command run has ended: it is {run.status}")
            await cancel_run(work, run)
        return await self._progress(run_id)

    async def advance(self, run_id: str) -> RunProgress:
        """Take all steps of a run that are possible at this moment, and return its progress."""
        await self._take_steps(run_id)
        return await self._progress(run_id)

    async def advance_all(self) -> None:
        """Advance every run that has not ended."""
        async with self._storage.read() as work:
            runs = await work.of(CommandRuns).unsettled()
        for run_id in runs:
            await self._take_steps(run_id)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Advance runs as long as the block lasts."""
        task = asyncio.create_task(self._look_again_and_again())
        try:
            yield
        finally:
            await end_tasks([task])

    async def _look_again_and_again(self) -> None:
        while True:
            # Also before the first time: at the start, others need the database.
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._woken.wait()
            self._woken.clear()
            try:
                await self.advance_all()
            except RostrumError as error:
                _log.warning("command runs wait: %s", error)

    async def _progress(self, run_id: str) -> RunProgress:
        async with self._storage.read() as work:
            run = await _run(work, run_id)
            return RunProgress(run, (await work.of(CommandRuns).counts([run_id]))[run_id])

    async def _known(self, run: CommandRun, digest: str) -> RunProgress:
        if run.digest != digest:
            raise Conflict(f"the key {run.request_key!r} belongs to another command run: choose a new key")
        return await self._progress(run.id)

    async def _take_steps(self, run_id: str) -> None:
        with acting(RequestOrigin(operation=_OPERATION)):
            for _ in range(_MOST_STEPS):
                if not await self._step(run_id):
                    break
                # Others write between the steps.
                await asyncio.sleep(0)

    async def _step(self, run_id: str) -> bool:
        """Take the next step of a run; return whether there was one.

        Transactions that change documents do not overlap. A step that two processes see is therefore taken by the
        first; the second sees its result.
        """
        async with self._storage.read() as work:
            run = await work.of(CommandRuns).get(run_id)
            step = Step.NOTHING if run is None else await self._next(work, run)
        if run is None or step is Step.NOTHING:
            return False
        actor = run.created_by if step is Step.SEND else SYSTEM.user
        with suppress(_NothingToDoError):
            async with self._storage.write(actor) as work:
                now = await _run(work, run_id)
                if await self._next(work, now) is not step:
                    raise _NothingToDoError
                await {Step.START: self._start, Step.SETTLE: self._settle, Step.SEND: self._send}[step](work, now)
        return True

    async def _next(self, work: Work, run: CommandRun) -> Step:
        runs = work.of(CommandRuns)
        if await runs.answered(run.id) or await runs.overdue(run.id, _overdue(run, work.now)):
            return Step.SETTLE
        counts = (await runs.counts([run.id]))[run.id]
        if run.status is Status.RUNNING:
            crashed = await runs.crashed(run)
            if crashed != run.crashed or run.stop_reason(counts, crashed):
                return Step.SETTLE
        retries = run.status is Status.RUNNING and run.retries(work.now)
        reconnected = await runs.reconnected(run.id, work.now - self._idle, 1) if retries else []
        return next_step(run, counts, work.now, has_reconnected=bool(reconnected))

    async def _start(self, work: Work, run: CommandRun) -> None:
        await work.of(CommandRuns).put(run, await self._started(work, run))

    async def _started(self, work: Work, run: CommandRun) -> CommandRun:
        """Find the desktops of a run, divide them into waves and store them; return the run as it is then."""
        target = RunTarget.model_validate(json_text.parse(run.target))
        desktops = await select_desktops(work, target, work.now - self._idle)
        sizes = wave_sizes([Amount.parse(text) for text in run.amounts], len(desktops))
        await work.of(CommandRuns).add_desktops(run.id, in_waves(run.id, desktops, sizes))
        return replace(
            run,
            status=Status.RUNNING if desktops else Status.DONE,
            reason="" if desktops else "No desktop was selected.",
            waves=[Wave(size=size) for size in sizes],
            total=len(desktops),
            started=work.now,
            finished=None if desktops else work.now,
            updated=work.now,
        )

    async def _settle(self, work: Work, run: CommandRun) -> None:
        """Count answers; finish the wave or the run if it is complete, or stop the run if a limit is exceeded."""
        runs = work.of(CommandRuns)
        silent = [
            replace(each, state=State.UNANSWERED, finished=work.now)
            for each in await runs.overdue(run.id, _overdue(run, work.now))
        ]
        answered = await runs.answered(run.id)
        await runs.put_desktops(run.id, [*answered, *silent])
        counts = (await runs.counts([run.id]))[run.id]
        after = replace(run, updated=work.now)
        if run.status is Status.RUNNING:
            after = replace(after, crashed=await runs.crashed(run))
            reason = after.stop_reason(counts, after.crashed)
            if reason:
                after = replace(after, status=Status.STOPPED, reason=reason)
            elif next_step(after, counts, work.now, has_reconnected=False) is Step.SETTLE:
                if after.current is not None and after.current.finished is None:
                    after = after.with_wave(finished=work.now)
                if next_step(after, counts, work.now, has_reconnected=False) is Step.SETTLE:
                    after = replace(after, status=Status.DONE, finished=work.now)
        await runs.put(run, after, answered=len(answered), unanswered=len(silent))

    async def _send(self, work: Work, run: CommandRun) -> None:
        """Send the command to the next desktops of the wave, or to those that have connected again."""
        runs = work.of(CommandRuns)
        try:
            author = await author_now(work, run.created_by, run.token_id, run.created)
        except Forbidden as error:
            work.actor = SYSTEM.user
            await runs.put(run, replace(run, status=Status.STOPPED, reason=str(error), updated=work.now))
            return
        after = replace(run, updated=work.now)
        if run.current is None or (run.next_wave_at is not None and run.next_wave_at <= work.now):
            after = replace(after, wave=run.wave + 1).with_wave(started=work.now)
        since = work.now - self._idle
        desktops = await runs.pending(run.id, after.wave, self._part)
        if not desktops and run.retries(work.now):
            desktops = await runs.reconnected(run.id, since, self._part)
        commands, stored = [], []
        for each in await recipients(work, author, run.command, desktops, since):
            command = _command(work, run, each)
            if command is not None:
                commands.append(command)
            stored.append(_sent(each, command, work.now))
        # First in the audit entry: the commands are a consequence.
        await runs.put(run, after, sent=len(commands))
        await work.of(Commands).add(*commands)
        await runs.put_desktops(run.id, stored)


async def cancel_run(work: Work, run: CommandRun, reason: str = "") -> None:
    """End a run, and withdraw the commands that desktops have not fetched yet."""
    for command in await work.of(CommandRuns).withdraw(run.id, work.now):
        await work.of(Commands).remove(command)
    after = replace(run, status=Status.CANCELLED, reason=reason or run.reason, finished=work.now, updated=work.now)
    await work.of(CommandRuns).put(run, after)


def _command(work: Work, run: CommandRun, recipient: Recipient) -> Command | None:
    if recipient.session is None or recipient.state is not State.SENT:
        return None
    return Command(
        id=new_id(),
        session=recipient.session.id,
        user=recipient.session.user,
        command=run.command,
        params=run.params,
        status="pending",
        created=work.now,
        created_by=run.created_by,
    )


def _sent(recipient: Recipient, command: Command | None, now: datetime) -> Desktop:
    if command is None:
        return recipient.without_command(now)
    return replace(
        recipient.desktop, state=State.SENT, session=command.session, command=command.id, message=None, sent=now
    )


def _overdue(run: CommandRun, now: datetime) -> datetime:
    return now - timedelta(seconds=run.answer_timeout)


async def _run(work: Work, run_id: str) -> CommandRun:
    return found(await work.of(CommandRuns).get(run_id), "command run", run_id)


def _require_confirmed(run: CommandRun) -> None:
    """Refuse a session whose user has not confirmed the own identity, if the run has code or outlives the session."""
    if runs_code(run.command) or run.start_at is not None or run.expires is not None:
        require_confirmed_session()


def _amounts(body: CommandRunRequest) -> list[Amount]:
    amounts = [Amount.parse(text) for text in body.waves]
    problems = [
        Problem(path=f"waves[{number}]", message="must be more than 0")
        for number, amount in enumerate(amounts)
        if not amount.number
    ]
    for number in range(1, len(amounts)):
        one, other = amounts[number - 1], amounts[number]
        if one.is_percentage == other.is_percentage and other.number <= one.number:
            message = f"must be more than {body.waves[number - 1]}: a wave includes the waves before it"
            problems.append(Problem(path=f"waves[{number}]", message=message))
    if problems:
        raise Invalid("invalid waves", problems)
    return amounts


def _new_run(work: Work, body: NewCommandRun, digest: str, token_id: str | None) -> CommandRun:
    given = current_origin().reason
    work.reason = reason = Reason(comment=body.comment or given.comment, ticket=body.ticket or given.ticket)
    return CommandRun(
        id=new_id(),
        request_key=body.key,
        digest=digest,
        command=body.command,
        params=json_text.dump(body.params).decode(),
        target=json_text.dump(body.target.model_dump(mode="json")).decode(),
        amounts=body.waves,
        pause=body.pause,
        answer_timeout=body.answer_timeout,
        max_failures=body.max_failures,
        max_crashes=body.max_crashes,
        start_at=_future(work, "startAt", body.start_at),
        expires=_future(work, "expires", body.expires),
        comment=reason.comment,
        ticket=reason.ticket,
        created=work.now,
        created_by=work.actor,
        token_id=token_id,
        updated=work.now,
    )


def _future(work: Work, path: str, text: str | None) -> datetime | None:
    """Read a time, no further in the future than a year."""
    if text is None:
        return None
    try:
        at = moment(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Invalid("invalid time", [Problem(path=path, message=str(error))]) from None
    if at > work.now + _FARTHEST:
        raise Invalid("invalid time", [Problem(path=path, message="must be within a year")])
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
