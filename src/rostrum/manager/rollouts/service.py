"""Roll-outs: started and controlled by administrators, advanced by the first process that finds a step to take."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid, RostrumError
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.base.tasks import end_tasks
from rostrum.contracts.rollouts import NewRollout, RolloutPlan, RolloutStage, Status
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.policy import require
from rostrum.manager.approval.rules import is_protected, refuse_stages, requires_approval
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.changes.origin import Reason, RequestOrigin, acting, current_origin
from rostrum.manager.configs.checks import ConfigChecks
from rostrum.manager.content_versions import ContentTopic
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, DuringRollout, Expected, Forbidden, NotFound, found, same_revision
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.rollouts.content import (
    NewContent,
    StagedDocument,
    checked_content,
    get_document,
    name_of,
    require_permitted,
    save_content,
)
from rostrum.manager.rollouts.model import EVENTS, MOST_OPEN, TOPICS, Cohort, Observation, Rollout, Stage, Step
from rostrum.manager.rollouts.receivers import EVERYONE, protected_stages, receivers
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.sign_in.callers import current_identity
from rostrum.manager.storage import Storage, Work

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 5.0
_MOST_TOLD = 2000
"""Above this number, notifying all users is cheaper than notifying each of them."""
_MOST_STEPS = 100
_NOT_APPROVED = (
    "users whose changes require the approval of a second administrator would receive another version. Finish the "
    "roll-out instead: this becomes a proposal"
)
_NOT_WITHDRAWN = (
    "users whose changes require the approval of a second administrator receive the new version, but the "
    "saved one was not approved for them. Finish the roll-out, and then change the document: this becomes a proposal."
)
_OPERATION = "rollout"
"""The operation that the audit names for the steps of a roll-out."""


class _NothingToDoError(Exception):
    """Ends a transaction that finds its work done by another process."""


class RolloutProgress(Struct, frozen=True):
    """A roll-out and the effect of its new version."""

    rollout: Rollout
    seen: Observation | None

    def as_json(self) -> dict[str, Any]:
        return self.rollout.as_json(self.seen)


class RolloutService:
    """The roll-outs of the manager."""

    def __init__(self, storage: Storage, checks: ConfigChecks | None = None, *, idle_seconds: int) -> None:
        self._storage = storage
        self._checks = checks or ConfigChecks()
        self._idle = timedelta(seconds=idle_seconds)
        self._woken = asyncio.Event()
        # The users of each roll-out that has not ended, until users, groups or documents change.
        self._receivers: dict[str, tuple[Any, Mapping[str, int]]] = {}

    async def preview(self, identity: Identity, kind: Kind, body: RolloutPlan) -> dict[str, Any]:
        """Return the number of users that each stage would reach now; nothing is written."""
        require(identity, DOCUMENT_KINDS[kind].write)
        async with self._storage.read() as work:
            document = await _document(work, kind, body.key)
            stages = await _stages(work, body.stages)
            reached = await receivers(work, document, Cohort(id=new_id(), stages=stages))
        each = [sum(1 for stage in reached.values() if stage == number) for number in range(1, len(stages) + 1)]
        numbered = [
            {"number": number, "users": sum(each[:number]), "new": each[number - 1]}
            for number in range(1, len(stages) + 1)
        ]
        return {"users": len(reached), "stages": numbered}

    async def create(
        self, identity: Identity, kind: Kind, body: NewRollout, expected: Expected = None
    ) -> RolloutProgress:
        """Start the first stage; ``expected`` are the revisions on which the new content may be based."""
        facts = DOCUMENT_KINDS[kind]
        require(identity, facts.write)
        given = current_origin().reason
        reason = Reason(comment=body.comment or given.comment, ticket=body.ticket or given.ticket)
        self._storage.require_comment([kind], reason)
        rollout_id = new_id()
        async with self._storage.read() as work:
            document = await _document(work, kind, body.key)
            stages = await _stages(work, body.stages)
            reached = await receivers(work, document, Cohort(id=rollout_id, stages=stages[:1]))
        # Validation can take long, and must not block other writers.
        content = await checked_content(document, body.content, self._checks)
        async with self._storage.write(identity.user) as work:
            now = await _document(work, kind, body.key)
            # The content was validated for the document as it was read.
            known = frozenset({document.stamp.revision})
            same_revision(known if expected is None else expected, now.stamp.revision, facts.noun, body.key)
            if now.rollout is not None:
                raise DuringRollout(facts.noun, body.key, now.rollout)
            if json_text.parse(now.content) == json_text.parse(content.text):
                raise Invalid("no change", [Problem(path="content", message="must differ from the saved version")])
            if await work.of(Rollouts).count_open() >= MOST_OPEN:
                raise Conflict(f"there are {MOST_OPEN} roll-outs that have not ended: finish or withdraw some of them")
            await require_permitted(work, identity, now, content)
            await refuse_stages(work, now, content.put_into(now))
            work.reason = reason
            rollout = _new_rollout(work, now, body, content, rollout_id=rollout_id, stages=stages)
            if identity.token is not None:
                rollout = replace(rollout, token_id=identity.token.id)
            await work.of(Rollouts).add(rollout)
            _announce(work, rollout, [user for user, stage in reached.items() if stage])
        self._woken.set()
        return await self._progress(rollout_id)

    async def page(self, identity: Identity, kind: Kind, query: Query) -> Page[Rollout]:
        """List roll-outs of one kind, newest first."""
        require(identity, DOCUMENT_KINDS[kind].read)
        async with self._storage.read() as work:
            return await work.of(Rollouts).page(kind, query)

    async def get(self, identity: Identity, kind: Kind, rollout_id: str) -> RolloutProgress:
        require(identity, DOCUMENT_KINDS[kind].read)
        return await self._progress(rollout_id, kind)

    async def halt(self, identity: Identity, kind: Kind, rollout_id: str) -> RolloutProgress:
        """Start no further stage; the users of earlier stages keep the new version."""
        require(identity, DOCUMENT_KINDS[kind].write)
        async with self._storage.write(identity.user) as work:
            rollout = await _rollout(work, rollout_id, kind)
            if rollout.status is not Status.RUNNING:
                raise Conflict(f"the roll-out cannot be halted: it is {rollout.status}")
            reason = f"halted by {identity.user}"
            await work.of(Rollouts).put(
                rollout, replace(rollout, status=Status.HALTED, reason=reason, updated=work.now)
            )
        return await self._progress(rollout_id)

    async def resume(self, identity: Identity, kind: Kind, rollout_id: str) -> RolloutProgress:
        """Continue a halted roll-out; earlier crashes and failures no longer count."""
        require(identity, DOCUMENT_KINDS[kind].write)
        async with self._storage.write(identity.user) as work:
            rollout = await _rollout(work, rollout_id, kind)
            if rollout.status is not Status.HALTED:
                raise Conflict(f"the roll-out cannot be resumed: it is {rollout.status}")
            after = replace(rollout, status=Status.RUNNING, reason="", since=work.now, updated=work.now)
            await work.of(Rollouts).put(rollout, after)
        self._woken.set()
        return await self._progress(rollout_id)

    async def advance(self, identity: Identity, kind: Kind, rollout_id: str) -> RolloutProgress:
        """Start the next stage now."""
        require(identity, DOCUMENT_KINDS[kind].write)
        before = await self._observed(rollout_id, kind)
        if not before.rollout.is_open:
            raise Conflict(f"the roll-out has ended: it is {before.rollout.status}")
        if before.rollout.stage == len(before.rollout.stages):
            raise Conflict("the last stage has started already: finish the roll-out instead")
        await self._take(Step.ADVANCE, before, identity)
        return await self._progress(rollout_id)

    async def finish(self, identity: Identity, kind: Kind, rollout_id: str) -> RolloutProgress:
        """Save the new version of the document, for all users."""
        require(identity, DOCUMENT_KINDS[kind].write)
        before = await self._observed(rollout_id, kind)
        if not before.rollout.is_open:
            raise Conflict(f"the roll-out has ended: it is {before.rollout.status}")
        await self._take(Step.FINISH, before, identity)
        return await self._progress(rollout_id)

    async def withdraw(self, identity: Identity, kind: Kind, rollout_id: str) -> RolloutProgress:
        """Discard the new version: all users receive the saved one again."""
        require(identity, DOCUMENT_KINDS[kind].write)
        before = await self._observed(rollout_id, kind)
        async with self._storage.write(identity.user) as work:
            rollout = await _rollout(work, rollout_id, kind)
            if not rollout.is_open:
                raise Conflict(f"the roll-out has ended: it is {rollout.status}")
            await _refuse_unapproved(work, rollout)
            reason = f"withdrawn by {identity.user}"
            await work.of(Rollouts).put(rollout, rollout.ended(Status.WITHDRAWN, work.now, reason))
            _announce(work, rollout, [user for user, stage in before.users.items() if stage])
        return await self._progress(rollout_id)

    async def advance_all(self) -> None:
        """Take the steps that are possible at this moment."""
        async with self._storage.read() as work:
            waiting = await work.of(Rollouts).unsettled()
        self._receivers = {key: kept for key, kept in self._receivers.items() if key in waiting}
        with acting(RequestOrigin(operation=_OPERATION)):
            for rollout_id in waiting:
                for _ in range(_MOST_STEPS):
                    if not await self._step(rollout_id):
                        break
                    # Others write between the steps.
                    await asyncio.sleep(0)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Advance roll-outs as long as the block lasts."""
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
                _log.warning("roll-outs wait: %s", error)

    async def _progress(self, rollout_id: str, kind: Kind | None = None) -> RolloutProgress:
        seen = await self._observed(rollout_id, kind)
        return RolloutProgress(seen.rollout, seen.observation)

    async def _observed(self, rollout_id: str, kind: Kind | None = None) -> "_Seen":
        """Read a roll-out, its users, and the effect of its new version."""
        # Read first: the users that are read later are as new as these versions, or newer.
        marks = await self._storage.revisions.current()
        async with self._storage.read() as work:
            rollout = await _rollout(work, rollout_id, kind)
            document = await get_document(work, rollout.kind, rollout.key) if rollout.is_open else None
            if document is None:
                return _Seen(rollout, None, {}, work.now)
            mark = None if marks is None else (rollout.stage, marks.of((ContentTopic.PEOPLE, TOPICS[rollout.kind])))
            kept = self._receivers.get(rollout.id)
            if kept is None or mark is None or kept[0] != mark:
                kept = self._receivers[rollout.id] = (mark, await receivers(work, document, rollout.cohort))
            return _Seen(rollout, await self._observation(work, rollout, kept[1]), kept[1], work.now)

    async def _observation(self, work: Work, rollout: Rollout, users: Mapping[str, int]) -> Observation:
        reached = {user for user, stage in users.items() if stage}
        crashed = await work.of(Rollouts).crashed(rollout.since) & reached
        applied = []
        for user, started, revision in await work.of(Rollouts).desktops(rollout.kind, work.now - self._idle):
            stage = rollout.stages[users.get(user, 0) - 1]
            # Desktops that have started later have loaded the new version at their start.
            if user in reached and stage.started is not None and started <= stage.started:
                applied.append(revision >= stage.revision)
        is_late = work.now >= rollout.since + timedelta(seconds=rollout.apply_timeout)
        return Observation(
            users=len(reached),
            desktops=len(applied),
            applied=sum(applied),
            failed=len(applied) - sum(applied) if is_late else 0,
            crashed=len(crashed),
        )

    async def _step(self, rollout_id: str) -> bool:
        """Take the next step of a roll-out; return whether there was one."""
        seen = await self._observed(rollout_id)
        step = seen.rollout.next_step(seen.observation, seen.at)
        if step is Step.NOTHING:
            return False
        with suppress(_NothingToDoError):
            await self._take(step, seen, None)
        return True

    @prepares_audit
    async def _take(self, step: Step, seen: "_Seen", identity: Identity | None) -> None:
        """Take a step, with the rights of an administrator or with those that the author has now.

        Transactions with a revision do not overlap. A step that two processes see is therefore taken by the first;
        the second finds that the roll-out has changed.
        """
        before = seen.rollout
        by_author = identity is None and step in (Step.ADVANCE, Step.FINISH)
        actor = before.created_by if by_author else SYSTEM.user if identity is None else identity.user
        new_users = await self._new_users(seen) if step is Step.ADVANCE else []
        async with self._storage.write(actor) as work:
            rollout = await _rollout(work, before.id)
            given = current_origin().reason
            # The document is saved for the reason of the roll-out, unless the request has its own.
            work.reason = given if given.comment else Reason(comment=rollout.comment, ticket=rollout.ticket)
            if rollout != before:
                if identity is None:
                    raise _NothingToDoError
                raise Conflict("the roll-out has changed in the meantime: read it again")
            if step in (Step.HALT, Step.ABANDON):
                await work.of(Rollouts).put(rollout, _stopped(rollout, step, seen.observation, work))
                return
            content = NewContent(rollout.candidate)
            try:
                if identity is None:
                    author, token = rollout.created_by, rollout.token_id
                    identity = await current_identity(work, author, token, rollout.created)
                    require(identity, DOCUMENT_KINDS[rollout.kind].write)
                document = await _document(work, rollout.kind, rollout.key)
                await require_permitted(work, identity, document, content)
                await _require_approved(work, step, rollout, document, by_author=by_author)
            except Forbidden as error:
                if not by_author:
                    raise
                work.actor = SYSTEM.user
                after = replace(rollout, status=Status.HALTED, reason=str(error), updated=work.now)
                await work.of(Rollouts).put(rollout, after)
                return
            if step is Step.ADVANCE:
                await work.of(Rollouts).put(rollout, rollout.begun(rollout.stage + 1, work.now, work.revision))
                _announce(work, rollout, new_users)
            else:
                await work.of(Rollouts).put(rollout, rollout.ended(Status.FINISHED, work.now))
                work.journal.released(rollout.kind, rollout.key)
                await save_content(work, identity, replace(document, rollout=None), content)

    async def _new_users(self, seen: "_Seen") -> Sequence[str]:
        """Return the users whom the next stage adds."""
        rollout = seen.rollout
        async with self._storage.read() as work:
            document = await get_document(work, rollout.kind, rollout.key)
            if document is None:
                return ()
            cohort = Cohort(id=rollout.id, stages=rollout.stages[: rollout.stage + 1])
            reached = await receivers(work, document, cohort)
        return [user for user, stage in reached.items() if stage == rollout.stage + 1]


class _Seen(Struct, frozen=True):
    """A roll-out, its observation, and its users with their stages."""

    rollout: Rollout
    observation: Observation | None
    users: Mapping[str, int]
    at: datetime


async def _require_approved(
    work: Work, step: Step, rollout: Rollout, document: StagedDocument, *, by_author: bool
) -> None:
    """Refuse a step by which members of protected groups would receive another version.

    If an administrator finishes the roll-out, the document is saved, which becomes a proposal.
    """
    # What an administrator has started on the server requires no approval.
    work.is_approved = by_author and rollout.created_by == SYSTEM.user
    if work.is_approved or not await is_protected(work, document, NewContent(rollout.candidate).put_into(document)):
        return
    if rollout.approval is not None:
        stages = rollout.stages[: rollout.stage + 1] if step is Step.ADVANCE else rollout.cohort.stages
        reached = await protected_stages(work, document, Cohort(id=rollout.id, stages=stages))
        work.is_approved = (rollout.stage + 1 if step is Step.ADVANCE else EVERYONE) not in reached
    if by_author and not work.is_approved:
        raise Forbidden(_NOT_APPROVED)
    if step is Step.ADVANCE and not work.is_approved and current_origin().can_propose:
        raise Conflict(_NOT_APPROVED)


async def _refuse_unapproved(work: Work, rollout: Rollout) -> None:
    """Refuse to give members of protected groups the saved version, if the new one was approved for them."""
    document = await get_document(work, rollout.kind, rollout.key)
    if document is None or rollout.approval is None:
        return
    is_protected = await requires_approval(work, document, NewContent(rollout.candidate).put_into(document))
    if is_protected and await protected_stages(work, document, rollout.cohort) - {EVERYONE}:
        raise Conflict(_NOT_WITHDRAWN)


def _stopped(rollout: Rollout, step: Step, seen: Observation | None, work: Work) -> Rollout:
    if step is Step.ABANDON or seen is None:
        return rollout.ended(Status.WITHDRAWN, work.now, "the document was deleted")
    return replace(rollout, status=Status.HALTED, reason=rollout.halt_reason(seen) or "", updated=work.now)


def _announce(work: Work, rollout: Rollout, users: Sequence[str]) -> None:
    """Notify the desktops of users that receive another version now."""
    for user in users if len(users) <= _MOST_TOLD else [""]:
        work.journal.announce(EVENTS[rollout.kind], user)


async def _rollout(work: Work, rollout_id: str, kind: Kind | None = None) -> Rollout:
    return found(await work.of(Rollouts).get(rollout_id, kind), "roll-out", rollout_id)


async def _document(work: Work, kind: Kind, key: str) -> StagedDocument:
    document = await get_document(work, kind, key)
    if document is None:
        raise NotFound(DOCUMENT_KINDS[kind].noun, key)
    return document


async def _stages(work: Work, wanted: Sequence[RolloutStage]) -> list[Stage]:
    """Refuse stages without users, percentages that do not grow, and unknown groups."""
    known = set(await work.of(Groups).priorities({name for stage in wanted for name in stage.groups}))
    problems, reached = [], 0
    for number, stage in enumerate(wanted):
        path = f"stages[{number}]"
        if not stage.percent and not stage.groups:
            problems.append(Problem(path=path, message="must have a percentage or groups"))
        if stage.percent and stage.percent <= reached:
            message = f"must be more than {reached}: a stage includes the stages before it"
            problems.append(Problem(path=f"{path}.percent", message=message))
        reached = max(reached, stage.percent)
        problems += [
            Problem(path=f"{path}.groups", message=f"there is no group {name!r}")
            for name in stage.groups
            if name not in known
        ]
    if problems:
        raise Invalid("the stages have problems", problems)
    return [Stage(percent=each.percent, groups=tuple(each.groups), duration=each.duration) for each in wanted]


def _new_rollout(
    work: Work,
    document: StagedDocument,
    body: NewRollout,
    content: NewContent,
    *,
    rollout_id: str,
    stages: Sequence[Stage],
) -> Rollout:
    bare = Rollout(
        id=rollout_id,
        kind=document.kind,
        key=document.key,
        name=name_of(document),
        candidate=content.text,
        stages=stages,
        since=work.now,
        max_failures=body.max_failures,
        max_crashes=body.max_crashes,
        apply_timeout=body.apply_timeout,
        comment=work.reason.comment if work.reason else "",
        ticket=work.reason.ticket if work.reason else "",
        created=work.now,
        created_by=work.actor,
        updated=work.now,
    )
    return bare.begun(1, work.now, work.revision)
