"""Plans and applies an import of users: which rows create or change users, and which rows are refused."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from pydantic import TypeAdapter, ValidationError

from rostrum.base.errors import Invalid
from rostrum.base.ids import collision_key
from rostrum.contracts.names import NewUserId
from rostrum.contracts.validation_messages import problems_of
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import refuse_unknown_rights
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Work
from rostrum.manager.users.csv_rows import ATTRIBUTES, CsvRow, RowProblem
from rostrum.manager.users.many import ChangeRules, plan_users, save_users
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

_LISTS = ("groups", "apps")
_COLUMNS = {attribute: column for column, attribute in ATTRIBUTES.items()}
_NEW_ID: TypeAdapter[str] = TypeAdapter(NewUserId)


class PlannedRow(Struct, frozen=True, kw_only=True):
    """A row and its effect.

    Attributes:
        before: The user that the row changes; ``None`` for a new user, and for a row with problems.
        changes: The values of a new user, or the values that change.

    """

    row: CsvRow
    before: User | None = None
    changes: Mapping[str, Any] = {}
    problems: Sequence[RowProblem] = ()

    @property
    def result(self) -> str:
        if self.problems:
            return "invalid"
        if self.before is None:
            return "new"
        return "changed" if self.changes else "unchanged"

    def as_json(self) -> dict[str, Any]:
        """Return the row as clients receive it."""
        return {
            "line": self.row.line,
            "id": self.row.id,
            "result": self.result,
            "problems": [{"column": problem.column, "message": problem.message} for problem in self.problems],
            "changes": [
                {"column": _COLUMNS[name], "before": getattr(self.before, name, None), "after": value}
                for name, value in self.changes.items()
                if value or self.before is not None
            ],
        }


async def plan_rows(work: Work, identity: Identity, rows: Sequence[CsvRow], *, adds: bool) -> list[PlannedRow]:
    """Determine the effect of each row; with ``adds``, groups and apps are added to those that the user has."""
    valid = {row.id: row for row in rows if not row.problems}
    known = await work.of(Users).named(list(valid))
    apps = await _known_apps(work, valid.values())
    wanted = {user_id: _wanted(row, known.get(user_id), adds=adds) for user_id, row in valid.items()}
    groups = await work.of(Groups).problems_of_new(
        {name for values in wanted.values() for name in values.get("groups", ())}
    )
    problems = {user_id: _unknown_names(values, known.get(user_id), apps) for user_id, values in wanted.items()}
    for user_id, values in wanted.items():
        refused = [name for name in values.get("groups", ()) if name in groups]
        problems[user_id] += (RowProblem("groups", f"{name!r} cannot be created: {groups[name]}") for name in refused)
    existing = [user_id for user_id in valid if user_id in known and not problems[user_id]]
    plans = await plan_users(work, identity, existing, {}, lambda user: wanted[user.id])
    refusals = {user_id: plan.refusal for user_id, plan in zip(existing, plans, strict=True)}
    new = [user_id for user_id in valid if user_id not in known and not problems[user_id]]
    refusals |= await refused_new(work, identity, {user_id: wanted[user_id] for user_id in new})
    planned = []
    for row in rows:
        found = row.problems or problems[row.id]
        if not found and refusals[row.id]:
            found = [RowProblem("", refusals[row.id])]
        if found:
            planned.append(PlannedRow(row=row, problems=found))
        else:
            before = known.get(row.id)
            changes = wanted[row.id] if before is None else _differences(before, wanted[row.id])
            planned.append(PlannedRow(row=row, before=before, changes=changes))
    return planned


async def refused_new(work: Work, identity: Identity, users: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return, for each user, why the caller cannot create it; an empty text if it can be created."""
    rules = ChangeRules(identity, await work.of(Groups).graph())
    taken = await work.of(Users).similar_to_any(list(users))
    refusals = {}
    for user_id, values in users.items():
        key = collision_key(user_id)
        refusals[user_id] = _refusal_of_id(user_id, taken.get(key)) or rules.refusal_of_new(values)
        if not refusals[user_id]:
            # A later row must not have an ID that people could confuse with this one.
            taken[key] = user_id
    return refusals


def _refusal_of_id(user_id: str, similar: str | None) -> str:
    try:
        _NEW_ID.validate_python(user_id)
    except ValidationError as error:
        return "; ".join(problem.message for problem in problems_of(error))
    return "" if similar is None else f"the user ID {user_id!r} is too similar to the user ID {similar!r}"


async def apply_rows(
    work: Work,
    identity: Identity,
    targets: Sequence[str],
    revisions: Mapping[str, int],
    details: Mapping[str, Mapping[str, Any]],
) -> list[str | None]:
    """Create users without a revision, and change the others, as planned. Return the outcome of each target."""
    values = {user_id: _stored(details[user_id]) for user_id in targets}
    known = await work.of(Users).named([user_id for user_id in targets if user_id not in revisions])
    new = {user_id: values[user_id] for user_id in targets if user_id not in revisions and user_id not in known}
    outcomes: dict[str, str | None] = {user_id: f"the user {user_id!r} already exists" for user_id in known}
    refusals = await refused_new(work, identity, new)
    outcomes |= {user_id: refusal or None for user_id, refusal in refusals.items()}
    existing = [user_id for user_id in targets if user_id in revisions]
    plans = await plan_users(work, identity, existing, revisions, lambda user: values[user.id])
    outcomes |= {user_id: plan.outcome for user_id, plan in zip(existing, plans, strict=True)}
    await save_users(work, plans)
    made = [_new_user(work, user_id, new[user_id]) for user_id, refusal in refusals.items() if not refusal]
    await work.of(Users).add_all(made)
    await work.of(Groups).add_missing({name for user in made for name in user.groups}, work.stamp())
    return [outcomes[user_id] for user_id in targets]


def _new_user(work: Work, user_id: str, values: Mapping[str, Any]) -> User:
    since = work.now if values.get("disabled") else None
    return User(id=user_id, disabled_since=since, epoch=work.revision, stamp=work.stamp(), **values)


def _wanted(row: CsvRow, before: User | None, *, adds: bool) -> dict[str, Any]:
    values = dict(row.values)
    if adds and before is not None:
        for name in _LISTS:
            if name in values:
                values[name] = tuple(sorted({*getattr(before, name), *values[name]}))
    return values


def _differences(before: User, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value != getattr(before, name)}


def _stored(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if name in _LISTS else value for name, value in values.items()}


async def _known_apps(work: Work, rows: Any) -> set[str]:
    names = {name for row in rows for name in row.values.get("apps", ())}
    return {app.name for app in await work.records(Kind.APP).access() if app.name in names} if names else set()


def _unknown_names(values: Mapping[str, Any], before: User | None, apps: set[str]) -> list[RowProblem]:
    problems = []
    try:
        refuse_unknown_rights("groups", values.get("groups", ()))
    except Invalid as error:
        names = values["groups"]
        for problem in error.problems:
            name = names[int(problem.path.removeprefix("groups[").removesuffix("]"))]
            problems.append(RowProblem("groups", f"{name}: {problem.message}"))
    # Apps that the user already has are accepted, even if they do not exist.
    missing = set(values.get("apps", ())) - apps - set(before.apps if before is not None else ())
    problems += (RowProblem("apps", f"there is no app {name!r}") for name in sorted(missing)[:10])
    return problems
