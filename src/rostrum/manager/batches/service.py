"""Batches: one action for many documents, in one transaction or in several that can be resumed."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pydantic import BaseModel

from rostrum.base import json_text
from rostrum.base.clock import Clock
from rostrum.base.errors import Invalid, RostrumError
from rostrum.base.ids import new_id
from rostrum.base.memory import without_collecting
from rostrum.base.problems import Problem
from rostrum.base.tasks import end_tasks
from rostrum.contracts.batches import BatchFilter, BatchRequest, NewBatch
from rostrum.manager.access.confirmation import GIVES_RIGHTS, require_confirmed_session
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import refuse_unknown_rights
from rostrum.manager.access.policy import require
from rostrum.manager.api_tokens.topic import ApiTokens
from rostrum.manager.approval.rules import refuse_steps
from rostrum.manager.apps.repository import Apps
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.batches.actions import ACTIONS, IMPORT, REVIEW, Arguments, BulkAction
from rostrum.manager.batches.model import (
    LARGE_PART,
    MOST_TARGETS,
    PART,
    Batch,
    BatchPreview,
    Order,
    Outcome,
    Part,
    Result,
    Status,
    TargetReport,
    reports_of,
)
from rostrum.manager.batches.repository import Batches
from rostrum.manager.changes.origin import BatchContext, Reason, current_origin
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, found
from rostrum.manager.groups.model import refuse_new_groups
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import BATCH_KINDS, Kind
from rostrum.manager.reports.triage import require_assignable
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sign_in.callers import current_identity
from rostrum.manager.storage import Storage, Work

_log = logging.getLogger(__name__)

_PREVIEWED = 50

SecurityReport = tuple[SecurityEvent, str]
"""An event for the log of sign-ins, and the user that it concerns."""


class BatchService:
    """The batches of the manager. A batch in several transactions continues in the background."""

    def __init__(self, storage: Storage, clock: Clock, *, part: int = PART, session_idle: float = 0) -> None:
        """``part`` is the maximum number of documents that one transaction changes.

        Sessions count as active for ``session_idle`` seconds after their last contact.
        """
        self._storage = storage
        self._clock = clock
        self._part = part
        self._session_idle = timedelta(seconds=session_idle)
        self._running: dict[str, asyncio.Task[None]] = {}

    def view(self, batch: Batch) -> dict[str, Any]:
        """Return a batch as clients receive it."""
        return batch.as_json(self._clock.now())

    async def preview(self, identity: Identity, kind: Kind, body: BatchRequest) -> BatchPreview:
        """Return the effect of a batch; nothing is written."""
        require(identity, BATCH_KINDS[kind].write)
        action, arguments = _action(kind, body), _arguments(body)
        async with self._storage.read() as work:
            await _check_arguments(work, kind, action, arguments)
            parts = self._parts(kind, await self._targets(work, kind, body), body)
        outcomes: list[Outcome] = []
        for part in parts:
            begin = self._storage.dry_run(identity.user) if action.writes_to_preview else self._storage.read()
            # Thousands of documents that are all needed until the end: looking for garbage among them takes long.
            with without_collecting():
                async with begin as work:
                    outcomes += await action.preview(work, identity, part, arguments)
        targets = [key for part in parts for key in part.targets]
        return BatchPreview.of(targets, outcomes, transactions=len(parts), most=_PREVIEWED)

    async def create(self, identity: Identity, kind: Kind, body: NewBatch) -> tuple[Batch, bool]:
        """Start a batch; return whether it is new. A batch of one part is changed in this transaction."""
        require(identity, BATCH_KINDS[kind].write)
        action, arguments = _action(kind, body), _arguments(body)
        order = Order(
            kind=kind,
            key=body.key,
            action=body.action,
            arguments=arguments,
            digest=digest_of(kind, body),
            reason=reason_of(body.comment, body.ticket),
        )
        if body.filter is not None and body.count is None:
            message = "is required with filter"
            raise Invalid("the number of documents is missing", [Problem(path="count", message=message)])
        known = await self.known(identity, order)
        if known is not None:
            return known, False
        async with self._storage.read() as work:
            await _check_arguments(work, kind, action, arguments)
            targets = await self._targets(work, kind, body)
        return await self.begin(identity, order, self._parts(kind, targets, body))

    async def known(self, identity: Identity, order: Order) -> Batch | None:
        """Return the batch that the same request of the caller has started before."""
        async with self._storage.read() as work:
            batch = await work.of(Batches).find(identity.user, order.key)
        return None if batch is None else _same(batch, order.digest)

    async def begin(self, identity: Identity, order: Order, parts: Sequence[Part]) -> tuple[Batch, bool]:
        """Store a batch, and run it if it has one part; return whether it is new."""
        # Parts that run later could not be refused.
        self._storage.require_comment([order.kind], order.reason)
        in_one = len(parts) == 1
        if len(parts) > 1:
            refuse_steps(self._storage, order.kind)
            if order.kind in GIVES_RIGHTS:
                require_confirmed_session()
        events: Sequence[SecurityReport] = ()
        begin = self._storage.write if in_one else self._storage.note
        async with begin(identity.user) as work:
            # Checked again: a request that was repeated at the same time may have been first.
            known = await work.of(Batches).find(identity.user, order.key)
            if known is None:
                batch = _new_batch(work, order, sum(len(part.targets) for part in parts))
                await work.of(Batches).add(batch, parts)
                if in_one:
                    batch, events = await self._run_part(work, identity, batch, parts[0])
        if known is not None:
            return _same(known, order.digest), False
        _report_security(identity, events)
        return batch, True

    def part_size(self) -> int:
        """Return how many users one transaction changes."""
        return self._part

    async def page(self, identity: Identity, kind: Kind, query: Query) -> Page[Batch]:
        """List batches, newest first."""
        require(identity, BATCH_KINDS[kind].read)
        async with self._storage.read() as work:
            return await work.of(Batches).page(kind, query)

    async def get(self, identity: Identity, kind: Kind, batch_id: str) -> Batch:
        require(identity, BATCH_KINDS[kind].read)
        async with self._storage.read() as work:
            return await _batch(work, kind, batch_id)

    async def targets(self, identity: Identity, kind: Kind, batch_id: str, query: Query) -> Page[TargetReport]:
        """Return the outcomes of the targets, in their order."""
        require(identity, BATCH_KINDS[kind].read)
        result = _wanted_result(query)
        async with self._storage.read() as work:
            await _batch(work, kind, batch_id)
            parts = await work.of(Batches).parts(batch_id)
        reports = (each for part in parts for each in reports_of(part.targets, part.report))
        wanted = [each for each in reports if result is None or each.result == result]
        return Page(items=tuple(wanted[query.offset : query.offset + query.limit]), total=len(wanted))

    async def cancel(self, identity: Identity, kind: Kind, batch_id: str) -> Batch:
        """Leave the documents that were not changed yet as they are."""
        require(identity, BATCH_KINDS[kind].write)
        async with self._storage.note(identity.user) as work:
            batch = _unfinished(await _batch(work, kind, batch_id))
            return await work.of(Batches).cancel(batch, work.now)

    async def resume(self, identity: Identity, kind: Kind, batch_id: str) -> Batch:
        """Continue a batch that was interrupted, with the rights of the caller."""
        if kind in GIVES_RIGHTS:
            require_confirmed_session()
        batch = await self.reopen(identity, kind, batch_id)
        self.start(identity, batch)
        return batch

    async def reopen(self, identity: Identity, kind: Kind, batch_id: str) -> Batch:
        """Record that a batch continues; the caller runs it."""
        require(identity, BATCH_KINDS[kind].write)
        async with self._storage.note(identity.user) as work:
            batch = _unfinished(await _batch(work, kind, batch_id))
            return await work.of(Batches).resume(batch, work.now)

    def start(self, identity: Identity, batch: Batch) -> None:
        """Run the remaining parts in the background, each with the rights that the caller has at that time."""
        if batch.status is Status.RUNNING and batch.id not in self._running:
            task = asyncio.create_task(self._run(identity, batch))
            self._running[batch.id] = task
            task.add_done_callback(lambda _: self._running.pop(batch.id, None))

    async def run(self, identity: Identity, batch: Batch) -> AsyncIterator[Batch]:
        """Run the remaining parts, and yield the batch after each of them."""
        while batch.status is Status.RUNNING:
            batch = await self.advance(identity, batch.kind, batch.id)
            yield batch

    async def advance(self, identity: Identity, kind: Kind, batch_id: str) -> Batch:
        """Run the next part in one transaction."""
        with without_collecting():
            async with self._storage.write(identity.user) as work:
                # A proposal would be one step of several, and each attempt to continue would add another one.
                work.is_proposable = False
                batch = _unfinished(await _batch(work, kind, batch_id))
                part = await work.of(Batches).next_part(batch_id)
                if part is None:
                    raise Conflict(f"the batch {batch_id!r} has no more documents to change")
                # A batch can take longer than the rights last.
                token = identity.token.id if identity.token else None
                batch, events = await self._run_part(
                    work, await current_identity(work, identity.user, token), batch, part
                )
        _report_security(identity, events)
        return batch

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """End with the server; batches that are not complete can be resumed."""
        try:
            yield
        finally:
            await end_tasks(self._running.values())

    async def _run(self, identity: Identity, batch: Batch) -> None:
        try:
            async for _ in self.run(identity, batch):
                # Others write between the parts.
                await asyncio.sleep(0)
        except RostrumError as error:
            _log.warning("the batch %s was interrupted: %s", batch.id, error)
            async with self._storage.note() as work:
                now = await work.of(Batches).get(batch.kind, batch.id)
                if now is not None and now.status is Status.RUNNING:
                    await work.of(Batches).set_problem(batch.id, str(error)[:500], work.now)

    async def _targets(self, work: Work, kind: Kind, body: BatchRequest) -> list[str]:
        if (body.ids is None) == (body.filter is None):
            raise Invalid("the documents are not selected", [Problem(path="ids", message="send either ids or filter")])
        if body.ids is not None:
            return list(dict.fromkeys(body.ids))
        given = body.filter or BatchFilter()
        keys = await self._keys(work, kind, Query(text=given.q, filters=given.fields))
        if len(keys) > MOST_TARGETS:
            message = f"matches more than {MOST_TARGETS} documents: narrow it down"
            raise Invalid("too many documents", [Problem(path="filter", message=message)])
        excluded = frozenset(given.exclude)
        keys = [key for key in keys if key not in excluded]
        if body.count is not None and len(keys) != body.count:
            raise Conflict(
                f"{len(keys)} documents match the filter now, and {body.count} matched when it was selected: "
                "check the selection and try again"
            )
        return keys

    async def _keys(self, work: Work, kind: Kind, query: Query) -> list[str]:
        """Read the keys of the documents that match a list query, at most one more than is allowed."""
        if kind is Kind.SESSION:
            filters = {name: value for name, value in query.filters.items() if name != "active"}
            since = work.now - self._session_idle if _is_active_only(query) else None
            return await work.of(Sessions).keys(replace(query, filters=filters), MOST_TARGETS + 1, seen_since=since)
        keys: list[str] = await work.records(kind).keys(query, MOST_TARGETS + 1)
        return keys

    def _parts(self, kind: Kind, targets: Sequence[str], body: BatchRequest) -> list[Part]:
        size = min(self._part, LARGE_PART) if BATCH_KINDS[kind].is_large else self._part
        slices = [targets[start : start + size] for start in range(0, len(targets), size)]
        return [
            Part(number=number, targets=some, revisions=_revisions(body, some)) for number, some in enumerate(slices)
        ]

    async def _run_part(
        self, work: Work, identity: Identity, batch: Batch, part: Part
    ) -> tuple[Batch, Sequence[SecurityReport]]:
        """Change the documents of a part; return what the log of sign-ins must contain after the commit."""
        require(identity, BATCH_KINDS[batch.kind].write)
        work.batch = BatchContext(id=batch.id, comment=batch.comment, ticket=batch.ticket)
        action = ACTIONS[batch.kind][batch.action]
        # Revoked tokens are deleted, so their owners are read before.
        owners = await work.of(ApiTokens).owners(part.targets) if batch.kind is Kind.API_TOKEN else {}
        outcomes = await action.apply(work, identity, part, json_text.parse(batch.arguments))
        done = [key for key, outcome in zip(part.targets, outcomes, strict=True) if outcome is None]
        events = [(SecurityEvent.API_TOKEN_REVOKED, owners[key]) for key in done if key in owners]
        if batch.kind is Kind.USER:
            events = [(SecurityEvent.DISABLED, user_id) for user_id in _disabled_by(batch.action, part, done)]
        if batch.kind is Kind.SESSION and done:
            events = [(SecurityEvent.TOKEN_REVOKED, session.user) for session in await work.of(Sessions).get_many(done)]
        return await work.of(Batches).finish_part(batch, part, outcomes, work.now), events


def _report_security(identity: Identity, events: Iterable[SecurityReport]) -> None:
    """Report disabled users, ended sessions and revoked tokens to the log of sign-ins."""
    for event, user_id in events:
        report(event, user_id, actor=identity.user)


def _is_active_only(query: Query) -> bool:
    """Read the filter that the list of sessions has as a parameter, with the same values."""
    values = {"": False, "false": False, "0": False, "true": True, "1": True}
    value = values.get(query.filters.get("active", "").lower())
    if value is None:
        raise Invalid("invalid filter", [Problem(path="filter.fields.active", message="must be true or false")])
    return value


def _wanted_result(query: Query) -> str | None:
    unknown = [name for name in query.filters if name != "result"]
    if unknown:
        raise Invalid(
            "unknown filter", [Problem(path=name, message="not a filter here; use result") for name in unknown]
        )
    result = query.filters.get("result")
    if result is not None and result not in set(Result):
        raise Invalid("invalid result", [Problem(path="result", message=f"must be one of {', '.join(Result)}")])
    return result


def reason_of(comment: str, ticket: str) -> Reason:
    """Return the reason in the body, or the one that came with the request."""
    given = current_origin().reason
    return Reason(comment=comment or given.comment, ticket=ticket or given.ticket)


def _disabled_by(action: str, part: Part, done: Sequence[str]) -> Sequence[str]:
    """Return the users whom an action has disabled; an import has only values that change."""
    if action == IMPORT:
        details = part.details or {}
        return [user_id for user_id in done if user_id in part.revisions and details[user_id].get("disabled")]
    return done if action == "disable" else ()


def _new_batch(work: Work, order: Order, total: int) -> Batch:
    work.reason = order.reason
    return Batch(
        id=new_id(),
        request_key=order.key,
        kind=order.kind,
        action=order.action,
        arguments=json_text.dump(order.arguments).decode(),
        digest=order.digest,
        comment=order.reason.comment,
        ticket=order.reason.ticket,
        status=Status.RUNNING if total else Status.DONE,
        total=total,
        created=work.now,
        created_by=work.actor,
        updated=work.now,
    )


def _action(kind: Kind, body: BatchRequest) -> BulkAction:
    action = ACTIONS[kind].get(body.action)
    if action is None or action.needs_details:
        names = [name for name, each in ACTIONS[kind].items() if not each.needs_details]
        message = f"must be one of {', '.join(names)}"
        raise Invalid("unknown action", [Problem(path="action", message=message)])
    given = set(_arguments(body))
    if action.argument and action.argument not in given:
        path = f"arguments.{action.argument}"
        raise Invalid("missing argument", [Problem(path=path, message=f"is required for {body.action}")])
    problems = [
        Problem(path=f"arguments.{name}", message=f"is not an argument of {body.action}")
        for name in sorted(given - {action.argument} - action.options)
    ]
    if problems:
        raise Invalid("invalid arguments", problems)
    return action


def _arguments(body: BatchRequest) -> dict[str, Any]:
    given = {
        "groups": body.arguments.groups,
        "apps": body.arguments.apps,
        "assignee": body.arguments.assignee,
    }
    names: dict[str, Any] = {name: sorted(set(values)) for name, values in given.items() if values}
    return {**names, REVIEW: True} if body.arguments.review_reports else names


async def _check_arguments(work: Work, kind: Kind, action: BulkAction, arguments: Arguments) -> None:
    for assignee in arguments.get("assignee", ()):
        await require_assignable(work, assignee, BATCH_KINDS[kind].read, "arguments.assignee")
    refuse_unknown_rights("arguments.groups", arguments.get("groups", ()))
    if action in (ACTIONS[kind].get("grant"), ACTIONS[kind].get("addToGroups")):
        refuse_new_groups(await work.of(Groups).problems_of_new(arguments.get("groups", ())), "arguments.groups")
    names = arguments.get("apps", ())
    known = {app.name for app in await work.of(Apps).access(names)} if names else set()
    problems = [
        Problem(path=f"arguments.apps[{number}]", message=f"there is no app {name!r}")
        for number, name in enumerate(names)
        if name not in known
    ]
    # An app that was deleted can still be in the lists of users.
    if problems and action.argument == "apps" and action is ACTIONS[Kind.USER]["grantApps"]:
        raise Invalid("unknown apps", problems[:100])


def _revisions(body: BatchRequest, targets: Iterable[str]) -> dict[str, int]:
    return {key: body.revisions[key] for key in targets if key in body.revisions} if body.revisions else {}


def digest_of(kind: Kind, body: BaseModel) -> str:
    """Return a digest of a request without its key."""
    sent = body.model_dump(mode="json", exclude={"key"})
    if not sent.get("arguments", {}).get("review_reports", True):
        # Requests have the same digest as before this option existed: they can be repeated after an update.
        del sent["arguments"]["review_reports"]
    return hashlib.sha256(json_text.dump({"kind": kind, **sent})).hexdigest()


def _same(batch: Batch, digest: str) -> Batch:
    if batch.digest != digest:
        raise Conflict(f"the key {batch.request_key!r} belongs to another batch: choose a new key")
    return batch


async def _batch(work: Work, kind: Kind, batch_id: str) -> Batch:
    return found(await work.of(Batches).get(kind, batch_id), f"batch of {BATCH_KINDS[kind].many}", batch_id)


def _unfinished(batch: Batch) -> Batch:
    if batch.status is not Status.RUNNING:
        raise Conflict(f"the batch {batch.id!r} has ended: it is {batch.status}")
    return batch
