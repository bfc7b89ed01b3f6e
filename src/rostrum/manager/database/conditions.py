"""Conditions for the rows of lists, each in the forms that databases evaluate quickly."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from msgspec import Struct
from sqlalchemy import Column, ColumnElement, Integer, Select, String, Table, and_, func, literal, or_, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.database.links import Links
from rostrum.manager.database.words import ASCII_LOWER, Words

FEW = 1000
"""Up to this number of matching rows, all are found and sorted. If more match, rows are read in the order of the list
until the page is full."""

_SAMPLE, _OFTEN = 1000, 50
_LAST_BEFORE_SURROGATES = "\ud7ff"
_TRUTH = {"true": True, "false": False}
_WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")


class Condition(Struct, frozen=True):
    """A condition for rows.

    Attributes:
        checked: The form for a scan, row by row.
        found: The form that begins with the matching rows of an index.
        is_common: Determines whether so many rows match that a scan is faster.
        is_counted: Whether an index alone contains the number of matching rows.
        otherwise: The opposite condition, if it can be expressed.

    """

    checked: ColumnElement[bool]
    found: ColumnElement[bool]
    is_common: Select[bool] | None = None
    is_counted: bool = True
    otherwise: ColumnElement[bool] | None = None


def within(column: ColumnElement[Any], name: str, wanted: str) -> Condition:
    """Require a time in a period such as ``2026-11-01..2026-11-15``; the first or the last day can be omitted.

    Days are in UTC, and both are included. Times are also accepted; the end of the period is then excluded. A single
    time is refused, because no document would match it.
    """
    beginning, dots, end = wanted.partition("..")
    try:
        after = _moments(beginning)[0] if beginning else None
        before = _moments(end if dots else beginning)[1] if end or not dots else None
    except (ValueError, OverflowError):
        after = before = None
    is_single_time = not dots and after == before
    if is_single_time or (after is None and before is None):
        message = "must be a day such as 2026-11-15, or a period such as 2026-11-01..2026-11-15 or 2026-11-01.."
        raise Invalid("invalid filter", [Problem(path=name, message=message)])
    bounds = [] if after is None else [column >= after]
    bounds += [] if before is None else [column < before]
    said = and_(*bounds)
    return Condition(said, said)


def _moments(text: str) -> tuple[datetime, datetime]:
    """Return the beginning and the end of a day; a time is both."""
    if len(text) == len("2026-11-15"):
        day = datetime.combine(date.fromisoformat(text), time(), UTC)
        return day, day + timedelta(days=1)
    moment = datetime.fromisoformat(text)
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment, moment


def linked(links: Links, key: ColumnElement[Any], wanted: str) -> Condition:
    """Require that a list which belongs to the row contains a name."""
    some = select(literal(1)).where(links.value == wanted).limit(FEW + 1).subquery()
    is_common: Select[bool] = select(func.count() > FEW).select_from(some)
    return Condition(links.holds(key, [wanted]), links.among(key, wanted), is_common)


def true_or_false(column: ColumnElement[Any], name: str, wanted: str) -> Condition:
    if wanted not in _TRUTH:
        raise Invalid("invalid filter", [Problem(path=name, message="must be true or false")])
    said = column.is_(_TRUTH[wanted])
    # If most rows match, an index only slows the query down; databases use none for negative conditions.
    if not is_never_null(column):
        return Condition(said, said)
    return Condition(column.is_not(not _TRUTH[wanted]), said, otherwise=column.is_(not _TRUTH[wanted]))


def matching(column: ColumnElement[Any], name: str, wanted: str, words: Words | None) -> Condition:
    """Require a number, a text, or a text that matches a pattern in which ``*`` stands for any text."""
    kind = column.type
    if isinstance(kind, Integer):
        if not _WHOLE_NUMBER.fullmatch(wanted):
            raise Invalid("invalid filter", [Problem(path=name, message="must be a whole number")])
        same = column == int(wanted)
        return Condition(same, same)
    if not isinstance(kind, String):
        raise Invalid("invalid filter", [Problem(path=name, message="can be used for sorting, but not as a filter")])
    if "*" not in wanted:
        same = column == wanted
        return Condition(same, same)
    beginning = wanted.removesuffix("*").translate(ASCII_LOWER)
    if beginning and "*" not in beginning and beginning[-1] < _LAST_BEFORE_SURROGATES:
        # Equivalent to the pattern, but databases use an index for this form.
        after = beginning[:-1] + chr(ord(beginning[-1]) + 1)
        found = and_(func.lower(column) >= beginning, func.lower(column) < after)
        return Condition(_like([column], wanted), found)
    known = words if words is not None and any(column is each for each in words.columns) else None
    return _searched([column], wanted, known)


def searched(
    columns: Sequence[ColumnElement[Any]], text: str, key: ColumnElement[Any], words: Words | None
) -> Condition:
    """Require a text in one of the columns."""
    condition = _searched(columns, f"*{text}*", words)
    if condition.found is condition.checked and isinstance(key, Column) and isinstance(key.table, Table):
        # The subquery reads only the searched columns. A search in the order of the list would read complete rows.
        within = key.in_(select(key).where(condition.checked).correlate(None))
        return Condition(condition.checked, within, select(literal(value=True)), is_counted=False)
    return condition


def _searched(columns: Sequence[ColumnElement[Any]], pattern: str, words: Words | None) -> Condition:
    checked = _like(columns, pattern)
    known = None if words is None else words.may_hold(pattern)
    if words is None or known is None:
        return Condition(checked, checked, is_counted=False)
    # No database knows how common a text is without finding all matches; a sample of rows is accurate enough.
    sample = select(*columns).select_from(words.key.table).limit(_SAMPLE).subquery()
    is_common: Select[bool] = select(func.count() >= _OFTEN).where(_like(list(sample.c), pattern))
    return Condition(checked, and_(known, checked), is_common, is_counted=False)


def is_never_null(column: ColumnElement[Any]) -> bool:
    """Return whether a column has a value in every row."""
    # A column of a subquery may come from an outer join.
    return isinstance(column, Column) and isinstance(column.table, Table) and not column.nullable


def _like(columns: Sequence[ColumnElement[Any]], pattern: str) -> ColumnElement[bool]:
    escaped = pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("*", "%")
    # The databases fold ASCII letters only; folding other letters here would miss matches.
    wanted = escaped.translate(ASCII_LOWER)
    return or_(*(_folded(column).like(wanted, escape="\\") for column in columns))


class _folded(FunctionElement[str]):  # noqa: N801 - reads as the function of SQL that it is
    """A column for case-insensitive patterns. SQLite needs no ``lower``, so that patterns take a third of the time."""

    type = String()
    inherit_cache = True


@compiles(_folded)
def _lower(element: _folded, compiler: Any, **options: Any) -> str:
    return f"lower({compiler.process(element.clauses, **options)})"


@compiles(_folded, "sqlite")
def _as_it_is(element: _folded, compiler: Any, **options: Any) -> str:
    text: str = compiler.process(element.clauses, **options)
    return text
