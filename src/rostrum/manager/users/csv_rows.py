"""Reads users from a CSV file. Every problem is reported with its line; the text of a cell is never executed."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from pydantic import TypeAdapter, ValidationError

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.names import DisplayName, Email, GroupName, Name, UserId
from rostrum.contracts.user_imports import MOST_ROWS
from rostrum.contracts.validation_messages import problems_of

_SEPARATORS = (",", ";", "\t")
_MOST_COLUMNS = 100
_MOST_NAMES = 1000
_MARKED = tuple(f"'{sign}" for sign in "=+-@\t\r")
"""The download of lists adds an apostrophe to texts that a spreadsheet would execute; it is removed here."""

_TRUE = frozenset({"true", "yes", "1"})
_FALSE = frozenset({"false", "no", "0"})
_NAMES = {
    "id": "id",
    "user": "id",
    "userid": "id",
    "displayname": "displayName",
    "name": "displayName",
    "email": "email",
    "groups": "groups",
    "apps": "apps",
    "disabled": "disabled",
}
ATTRIBUTES = {
    "displayName": "display_name",
    "email": "email",
    "groups": "groups",
    "apps": "apps",
    "disabled": "disabled",
}
"""The attribute of ``User`` for each column."""


class RowProblem(Struct, frozen=True):
    """A problem of a row; the column is empty if it concerns the complete row."""

    column: str
    message: str


class CsvRow(Struct, frozen=True):
    """A row of the file.

    Attributes:
        line: The line on which the row begins.
        values: The new values of the user, by attribute; attributes that the row does not change are left out.

    """

    line: int
    id: str
    values: dict[str, Any]
    problems: tuple[RowProblem, ...] = ()


class CsvUsers(Struct, frozen=True):
    """The rows of a file, the columns that are imported, and the titles of columns that are ignored."""

    rows: Sequence[CsvRow]
    columns: Sequence[str]
    ignored: Sequence[str]


def read_users(text: str, wanted: Sequence[str] | None) -> CsvUsers:
    """Read the rows. Only the wanted columns are imported; ``None`` imports all. Refuse a file that is not a table."""
    text = text.removeprefix("\ufeff")
    separator = _separator(text)
    lines = _lines(text, separator)
    _, header = next(lines, (1, []))
    columns = _columns(header)
    known = [name for name in columns if name]
    if "id" not in known:
        raise _invalid("the first row must contain the names of the columns, including `id`")
    missing = [name for name in wanted or () if name not in known]
    if missing:
        raise _invalid(f"the file has no column {' and no column '.join(f'`{name}`' for name in missing)}")
    used = [name for name in known if name != "id" and (wanted is None or name in wanted)]
    rows = _without_duplicates([_row(line, cells, columns, used) for line, cells in lines])
    ignored = [title.strip() for title, name in zip(header, columns, strict=True) if name != "id" and name not in used]
    return CsvUsers(rows, used, [title for title in ignored if title])


def _invalid(message: str) -> Invalid:
    return Invalid("the file cannot be imported", [Problem(path="csv", message=message)])


def _separator(text: str) -> str:
    """Return the separator with which the first row has the most known columns."""
    first = text[:10_000].splitlines()[0] if text.strip() else ""

    def known(separator: str) -> int:
        cells = next(csv.reader([first], delimiter=separator), [])
        return sum(_plain(cell) in _NAMES for cell in cells)

    return max(_SEPARATORS, key=known)


def _lines(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not empty with the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, line = 0, 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _invalid(f"the row that begins on line {line} cannot be read: {error}") from None
        if any(cell.strip() for cell in cells):
            rows += 1
            if rows > MOST_ROWS + 1:
                raise _invalid(f"The file has more than {MOST_ROWS:,} rows. Import it in several parts.")
            yield line, cells
        line = reader.line_num + 1


def _plain(title: str) -> str:
    return "".join(letter for letter in title.casefold() if letter.isalnum())


def _columns(header: Sequence[str]) -> list[str]:
    """Return the column of each title; empty for titles that are not imported."""
    if len(header) > _MOST_COLUMNS:
        raise _invalid(f"the file has more than {_MOST_COLUMNS} columns")
    if "password" in map(_plain, header):
        raise _invalid(
            "Passwords cannot be imported. Remove the column `password`, and create password links for the users."
        )
    columns = [_NAMES.get(_plain(title), "") for title in header]
    twice = {name for name in columns if name and columns.count(name) > 1}
    if twice:
        raise _invalid(f"the file has more than one column {' and '.join(f'`{name}`' for name in sorted(twice))}")
    return columns


def _row(line: int, cells: Sequence[str], columns: Sequence[str], used: Sequence[str]) -> CsvRow:
    problems: list[RowProblem] = []
    if len(cells) > len(columns) and any(cells[len(columns) :]):
        problems.append(RowProblem("", f"has {len(cells)} fields, but the header has {len(columns)}"))
    texts = {name: _data(cell) for name, cell in zip(columns, cells, strict=False) if name}
    values: dict[str, Any] = {}
    for column in ("id", *used):
        try:
            value = _READERS[column](texts.get(column, ""))
        except ValidationError as error:
            problems += (RowProblem(column, problem.message) for problem in problems_of(error)[:3])
        except ValueError as error:
            problems.append(RowProblem(column, str(error)))
        else:
            if column != "id" and value is not _UNCHANGED:
                values[ATTRIBUTES[column]] = value
    return CsvRow(line, texts.get("id", ""), values, tuple(problems))


def _data(cell: str) -> str:
    text = cell.strip()
    return text[1:] if text.startswith(_MARKED) else text


@cache
def _adapter(form: Any) -> TypeAdapter[Any]:
    return TypeAdapter(form)


def _checked(form: Any, text: str) -> Any:
    # The browser and the command line replace bytes that are not UTF-8 with this character.
    if "\ufffd" in text:
        raise ValueError("contains characters that are not valid UTF-8: save the file as UTF-8")
    return _adapter(form).validate_python(text)


def _id(text: str) -> str:
    if not text:
        raise ValueError("is required")
    checked: str = _checked(UserId, text)
    return checked


def _optional(form: Any) -> Callable[[str], Any]:
    return lambda text: _checked(form, text) if text else None


def _several(form: Any) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        names = _names_in(text)
        if len(names) > _MOST_NAMES:
            raise ValueError(f"has more than {_MOST_NAMES} names")
        return tuple(sorted({_checked(form, name) for name in names}))

    return read


def _names_in(text: str) -> list[str]:
    """Read names that are separated by semicolons, or the list that a download of users contains."""
    if text.startswith("["):
        try:
            names = json_text.parse(text, max_elements=_MOST_NAMES + 2)
        except Invalid:
            names = None
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return names
    return [name for each in text.split(";") if (name := each.strip())]


class _Unchanged:
    """A cell that leaves the value as it is."""


_UNCHANGED = _Unchanged()


def _yes_or_no(text: str) -> bool | _Unchanged:
    word = text.casefold()
    if not word:
        return _UNCHANGED
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError("must be true or false")


_READERS: Mapping[str, Callable[[str], Any]] = {
    "id": _id,
    "displayName": _optional(DisplayName),
    "email": _optional(Email),
    "groups": _several(GroupName),
    "apps": _several(Name),
    "disabled": _yes_or_no,
}


def _without_duplicates(rows: Sequence[CsvRow]) -> list[CsvRow]:
    first: dict[str, int] = {}
    checked = []
    for row in rows:
        line = first.setdefault(row.id, row.line) if row.id else row.line
        if line != row.line:
            problem = RowProblem("id", f"is already used on line {line}")
            checked.append(CsvRow(row.line, row.id, row.values, (*row.problems, problem)))
        else:
            checked.append(row)
    return checked
