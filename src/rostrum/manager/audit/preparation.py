"""Audit differences of large changes, computed while no transaction is open.

A transaction keeps all other writers waiting, so it must not compare large documents. What a transaction changes is
only known inside it, though. Therefore work that changes large documents runs twice: the first time it ends at the
first large document with `AuditNotPrepared` and is undone, before that document was sent to the database; then the
difference is computed, and the second time it is only looked up.
When another writer has changed the same documents in between, the difference no longer fits, and the work runs again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from rostrum.base.offload import LARGE, offload
from rostrum.manager.audit.model import MOST_CHANGES, shown_changes, sizes_of_changes, written_one_by_one
from rostrum.manager.history.journal import Change, Journal

_ATTEMPTS = 3

P = ParamSpec("P")
T = TypeVar("T")


class AuditNotPrepared(Exception):
    """The difference of a large change has to be computed, which the transaction must not wait for."""

    def __init__(self, changes: Sequence[Change]) -> None:
        super().__init__("the audit difference of a large change is not prepared")
        self.changes = changes


class _Preparation:
    """The difference that was computed for one operation, and for which changes."""

    def __init__(self) -> None:
        self._changes: list[Any] | None = None
        self._shown: list[dict[str, Any]] = []
        self._gave_up = False

    async def prepare(self, changes: Sequence[Change]) -> None:
        self._shown = await offload(_size(changes), shown_changes, changes)
        self._changes = _essence(changes)

    @property
    def is_empty(self) -> bool:
        return self._changes is None and not self._gave_up

    def give_up(self) -> None:
        self._gave_up = True

    def shown(self, changes: Sequence[Change]) -> list[dict[str, Any]]:
        if self._changes == _essence(changes):
            # New documents get a new id each time the work runs.
            return [
                {**item, "id": change.key} for item, change in zip(self._shown, changes[:MOST_CHANGES], strict=True)
            ]
        if self._gave_up:
            return sizes_of_changes(changes)
        raise AuditNotPrepared(changes)


_preparation: ContextVar[_Preparation | None] = ContextVar("preparation", default=None)


def prepares_audit(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Repeat a method that writes documents if the audit difference must be calculated first.

    Everything that the method does before and beside its one transaction must be harmless when repeated.
    """

    @wraps(method)
    async def with_preparation(*arguments: P.args, **options: P.kwargs) -> T:
        preparation = _Preparation()
        token = _preparation.set(preparation)
        try:
            for _ in range(_ATTEMPTS):
                try:
                    return await method(*arguments, **options)
                except AuditNotPrepared as missing:
                    await preparation.prepare(missing.changes)
            # Other writers change the same documents repeatedly; the history contains every revision.
            preparation.give_up()
            return await method(*arguments, **options)
        finally:
            _preparation.reset(token)

    return with_preparation


def require_prepared(journal: Journal) -> None:
    """End the first run of a method before a large document is written: writing takes long too, and would be undone."""
    preparation = _preparation.get()
    if preparation is not None and preparation.is_empty:
        raise AuditNotPrepared(journal.changes())


async def audited_changes(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return the changes for the audit entry; large ones must have been prepared."""
    if _size(changes) < LARGE:
        return shown_changes(changes)
    preparation = _preparation.get()
    if preparation is None:
        # Work that runs only once: commands, the start of the server.
        return await asyncio.to_thread(shown_changes, changes)
    return preparation.shown(changes)


async def audited_one_by_one(changes: Sequence[Change]) -> list[str]:
    """Write each change of a batch for its own entry; parts of a batch are small enough to compare here."""
    return await offload(_size(changes), written_one_by_one, changes)


def _size(changes: Sequence[Change]) -> int:
    return sum(change.size for change in changes)


def _essence(changes: Sequence[Change]) -> list[Any]:
    """Return everything that the difference depends on; texts are compared, so this takes little time."""
    shown = changes[:MOST_CHANGES]
    return [(change.kind, change.action, change.before, change.after, change.secrets) for change in shown]
