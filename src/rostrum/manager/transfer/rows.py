"""Converts rows of the database to JSON and back, and checks each value against its column."""

import base64
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, Table

from rostrum.base.errors import Invalid
from rostrum.base.json_text import parse
from rostrum.manager.database import tables

_JSON_TEXTS = frozenset(
    {
        tables.apps.c.definition,
        tables.layouts.c.definition,
        tables.preferences.c.data,
        tables.config_files.c.contents,
        tables.machines.c.info,
        tables.sessions.c.commands,
        tables.commands.c.params,
        tables.commands.c.data,
        tables.crashes.c.fields,
        tables.crashes.c.dump,
        tables.history.c.body,
        tables.audit.c.entry,
        tables.batches.c.arguments,
        tables.batch_parts.c.targets,
        tables.batch_parts.c.revisions,
        tables.batch_parts.c.report,
        tables.batch_parts.c.details,
        tables.proposal_documents.c.before,
        tables.proposal_documents.c.after,
        tables.proposal_documents.c.secret,
        tables.proposal_effects.c.effect,
        tables.command_runs.c.params,
        tables.command_runs.c.target,
        tables.command_runs.c.amounts,
        tables.command_runs.c.waves,
        tables.rollouts.c.candidate,
        tables.rollouts.c.stages,
        tables.api_tokens.c.permissions,
    }
)
"""Columns whose texts are parsed as JSON later; invalid texts must be detected at the import."""


def to_json(row: Any) -> dict[str, Any]:
    return {str(name): _out(value) for name, value in row.items()}


def from_json(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Read a row, and refuse values that the table cannot store."""
    if set(row) != set(table.columns.keys()):
        raise Invalid(f"a row of the table {table.name} does not have the columns of this version")
    return {name: _in(table.columns[name], value) for name, value in row.items()}


def _out(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _in(column: Column[Any], value: Any) -> Any:
    if value is None:
        if not column.nullable:
            raise _invalid(column, "must not be null")
        return None
    try:
        return _read(column, value)
    except (TypeError, ValueError, OverflowError) as error:
        raise _invalid(column, str(error)) from None


def _read(column: Column[Any], value: Any) -> Any:
    kind = column.type
    if isinstance(kind, Boolean):
        return _of(bool, value)
    if isinstance(kind, Integer):
        bits = 63 if isinstance(kind, BigInteger) else 31
        if isinstance(value, bool) or not -(1 << bits) <= _of(int, value) < 1 << bits:
            raise ValueError("must be an integer within the range of the column")
        return value
    text: str = _of(str, value)
    if isinstance(kind, tables.Instant):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError("must have a time zone")
        return moment
    if isinstance(kind, LargeBinary):
        return base64.b64decode(text, validate=True)
    if "\0" in text:
        raise ValueError("must not contain the character NUL")
    if column in _JSON_TEXTS:
        try:
            parse(text)
        except Invalid:
            raise ValueError("must be valid JSON") from None
    return text


_TYPES = {bool: "true or false", int: "an integer", str: "text"}


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"must be {_TYPES[kind]}")
    return value


def _invalid(column: Column[Any], problem: str) -> Invalid:
    return Invalid(f"invalid value of {column.table.name}.{column.name}: {problem}")
