"""Imports of users from a CSV file. An import is a batch: it has the same rules, progress, report and resumption."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from rostrum.base.errors import Invalid
from rostrum.base.memory import without_collecting
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.contracts.user_imports import NewUserImport, UserImportRequest
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.batches.actions import IMPORT
from rostrum.manager.batches.model import Batch, Order, Part
from rostrum.manager.batches.service import BatchService, digest_of, reason_of
from rostrum.manager.errors import Conflict
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Storage
from rostrum.manager.users.csv_rows import CsvUsers, read_users
from rostrum.manager.users.imported import PlannedRow, plan_rows

_PREVIEWED = 200
_LISTED = 20
_RESULTS = ("new", "changed", "unchanged", "invalid")


class ImportPlan(Struct, frozen=True):
    """The effect of an import.

    Attributes:
        parts: The users to create and to change, by transaction.

    """

    file: CsvUsers
    rows: Sequence[PlannedRow]
    parts: Sequence[Part]

    def of(self, *results: str) -> list[PlannedRow]:
        return [row for row in self.rows if row.result in results]

    def as_json(self) -> dict[str, Any]:
        """Return the preview; every invalid row is in it."""
        results = [row.result for row in self.rows]
        return {
            "total": len(results),
            **{name: results.count(name) for name in _RESULTS},
            "transactions": len(self.parts),
            "columns": list(self.file.columns),
            "ignored": list(self.file.ignored),
            "problems": [row.as_json() for row in self.of("invalid")],
            "items": [row.as_json() for row in self.of("new", "changed")[:_PREVIEWED]],
        }


class UserImportService:
    """Creates and changes users from CSV files."""

    def __init__(self, storage: Storage, batches: BatchService) -> None:
        self._storage = storage
        self._batches = batches

    async def preview(self, identity: Identity, body: UserImportRequest) -> ImportPlan:
        """Return the effect of each row; nothing is written."""
        require(identity, Permission.USERS_WRITE)
        file = await offload(len(body.csv), read_users, body.csv, body.columns)
        with without_collecting():
            async with self._storage.read() as work:
                rows = await plan_rows(work, identity, file.rows, adds=body.lists == "add")
        writing = [row for row in rows if row.result in ("new", "changed")]
        size = self._batches.part_size()
        return ImportPlan(
            file, rows, [_part(writing[at : at + size], at // size) for at in range(0, len(writing), size)]
        )

    async def create(self, identity: Identity, body: NewUserImport) -> tuple[Batch, bool]:
        """Start an import; return the batch, and whether it is new."""
        require(identity, Permission.USERS_WRITE)
        order = Order(
            kind=Kind.USER,
            key=body.key,
            action=IMPORT,
            arguments={"columns": list(body.columns or ()), "lists": [body.lists]},
            digest=digest_of(Kind.USER, body),
            reason=reason_of(body.comment, body.ticket),
        )
        known = await self._batches.known(identity, order)
        if known is not None:
            return known, False
        plan = await self.preview(identity, body)
        if not body.skip_invalid:
            _refuse_invalid(plan.of("invalid"))
        count = sum(len(part.targets) for part in plan.parts)
        if body.count is not None and body.count != count:
            raise Conflict(
                f"The import would now create or change {count} users, and {body.count} in the preview. "
                "Check the preview and try again."
            )
        return await self._batches.begin(identity, order, plan.parts)


def _part(rows: Sequence[PlannedRow], number: int) -> Part:
    return Part(
        number=number,
        targets=[row.row.id for row in rows],
        # A user who was changed or created since the preview is not overwritten.
        revisions={row.row.id: row.before.stamp.revision for row in rows if row.before is not None},
        details={row.row.id: row.changes for row in rows},
    )


def _refuse_invalid(rows: Sequence[PlannedRow]) -> None:
    problems = [
        Problem(path=f"line {row.row.line}", message=f"{problem.column} {problem.message}".strip())
        for row in rows
        for problem in row.problems
    ]
    if problems:
        more = len(problems) - _LISTED
        listed = problems[:_LISTED]
        if more > 0:
            listed.append(Problem(path="csv", message=f"{more} more problems are in the preview"))
        raise Invalid("Rows of the file are invalid. Nothing was imported.", listed)
