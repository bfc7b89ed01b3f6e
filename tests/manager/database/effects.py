"""The effect of a migration: the tables and rows before and after it, on each kind of database.

Statements are not examined, because there are too many ways to write the same change.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from tests.manager.database.filled import RECORDS, is_index_of_words, refusal_of_old_rows

ALL = "*"
"""Stands for the whole database."""
_HARMLESS = ("CASCADE", "SET NULL")
# Values of these types can be too large for an index of PostgreSQL.
_LARGE = ("TEXT", "BLOB", "JSON", "JSONB", "BYTEA")
# The condition of an index of some rows that cannot fail for any row.
_SAFE_CONDITION = re.compile(r'"?\w+"? IS (NOT )?NULL', re.IGNORECASE)
_Write = tuple[str, str | None]


class Column(NamedTuple):
    """What is known about a column; its type includes the collation and the rights."""

    type: str
    is_nullable: bool
    default: str | None
    is_computed: bool


class Index(NamedTuple):
    """An index; ``can_refuse`` is true if there can be rows that cannot be added to it."""

    definition: str
    can_refuse: bool


class Reference(NamedTuple):
    """A foreign key."""

    target: str
    on_delete: str
    columns: tuple[str, ...]
    definition: str


@dataclass(slots=True)
class Table:
    """The definition of a table, and its rows.

    Attributes:
        rules: Constraints, triggers and options, as the database describes them.
    """

    columns: dict[str, Column] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    rules: Counter[str] = field(default_factory=Counter)
    indexes: dict[str, Index] = field(default_factory=dict)
    references: Counter[Reference] = field(default_factory=Counter)
    rows: list[dict[str, str]] = field(default_factory=list)

    def by_key(self, keys: Iterable[str]) -> dict[tuple[str, ...], dict[str, str]]:
        return {tuple(row[key] for key in keys): row for row in self.rows}


@dataclass(slots=True)
class State:
    """All tables, and the definitions of other objects, such as views and functions."""

    tables: dict[str, Table]
    others: dict[str, str]

    def references(self, table: str) -> Counter[Reference]:
        return self.tables[table].references if table in self.tables else Counter()

    def names(self) -> set[str]:
        """Return the names of everything: tables, columns as ``table.column``, and other objects."""
        columns = {f"{name}.{column}" for name, table in self.tables.items() for column in table.columns}
        return {ALL} | set(self.tables) | columns | set(self.others)


class Change(NamedTuple):
    """Something that older versions can notice.

    Attributes:
        name: What is changed: a table, a column as ``table.column``, another object, or ``ALL``.
        is_removal: Whether a table or a column does not exist under its name any more.
    """

    name: str
    text: str
    is_removal: bool = False


class Effects(NamedTuple):
    """What a migration adds, and what older versions can notice."""

    added: list[str]
    changes: list[Change]


def effects_of(connection: Connection, before: State, written: Iterable[_Write] = ()) -> Effects:
    """Compare the database with an earlier state.

    Statements that wrote to columns have changed them, even if no row was found.
    """
    after = state_of(connection)
    effects = Effects([], [])
    _compare_others(before, after, effects)
    for name, old in before.tables.items():
        new = after.tables.get(name)
        if new is None:
            effects.changes.append(Change(name, f"removes the table {name}", is_removal=True))
        elif name not in RECORDS:
            found = _compare(name, old, new)
            effects.added.extend(found.added)
            effects.changes.extend(found.changes)
            types = {column: old_definition.type for column, old_definition in old.columns.items()}
            if found.added and not found.changes and (refusal := refusal_of_old_rows(connection, name, types)):
                effects.changes.append(Change(name, f"refuses what older versions write to {name}: {refusal}"))
    effects.changes.extend(_restricting_references(before, after))
    effects.changes.extend(_writes(before, written, {change.name for change in effects.changes}))
    return effects


def _compare_others(before: State, after: State, effects: Effects) -> None:
    effects.added.extend(f"the table {name}" for name in after.tables if name not in before.tables)
    for name in after.others.keys() - before.others.keys():
        effects.added.append(f"the {name}")
        if name.startswith("event trigger"):
            effects.changes.append(Change(ALL, f"restricts everything with the {name}"))
    for name, definition in before.others.items():
        if after.others.get(name) != definition:
            effects.changes.append(Change(name, f"changes or removes the {name}"))


def _compare(name: str, old: Table, new: Table) -> Effects:
    changes = [*_changed_columns(name, old, new)]
    added = [f"the column {name}.{column}" for column in new.columns if column not in old.columns]
    restricting = [*(new.rules - old.rules).elements()]
    removed = [*(old.rules - new.rules).elements()]
    removed += [reference.definition for reference in (old.references - new.references).elements()]
    for index, described in new.indexes.items():
        if index not in old.indexes and not described.can_refuse:
            added.append(f"the index {index}")
        elif described != old.indexes.get(index):
            restricting.append(described.definition)
    removed += [f"the index {index}" for index in old.indexes.keys() - new.indexes.keys()]
    if old.keys != new.keys:
        restricting.append("another primary key")
    changes += [Change(name, f"restricts {name}: {rule}") for rule in restricting]
    changes += [Change(name, f"removes from {name}: {rule}") for rule in removed]
    changes += _changed_rows(name, old, new)
    return Effects(added, changes)


def _changed_columns(name: str, old: Table, new: Table) -> Iterator[Change]:
    for column, definition in new.columns.items():
        place, was = f"{name}.{column}", old.columns.get(column)
        if was is None and definition.is_computed:
            yield Change(name, f"computes {place} when older versions write, which can fail")
        elif was is None and not definition.is_nullable and definition.default is None:
            yield Change(name, f"requires {place}, which older versions do not write")
        elif was not in (None, definition):
            yield Change(place, f"changes the definition of {place}")
    for column in old.columns.keys() - new.columns.keys():
        yield Change(f"{name}.{column}", f"removes the column {name}.{column}", is_removal=True)


def _changed_rows(name: str, old: Table, new: Table) -> Iterator[Change]:
    common = [column for column in old.columns if column in new.columns]
    keys = [key for key in old.keys or common if key in common]
    before, after = old.by_key(keys), new.by_key(keys)
    if before.keys() != after.keys() or len(old.rows) != len(new.rows):
        yield Change(name, f"adds or removes rows of {name}, or changes their keys")
        return
    for column in common:
        if any(row[column] != after[key][column] for key, row in before.items()):
            yield Change(f"{name}.{column}", f"changes stored values of {name}.{column}")


def _restricting_references(before: State, after: State) -> Iterator[Change]:
    """Find new foreign keys that restrict older versions, which remove rows without knowing what refers to them."""
    removed, checked = set(before.tables), set()
    while found := {
        (name, reference)
        for name, table in after.tables.items()
        for reference in table.references - before.references(name)
        if reference.target in removed and (name, reference) not in checked
    }:
        checked |= found
        for name, reference in sorted(found):
            table = after.tables[name]
            is_set = all(table.columns[column].is_nullable for column in reference.columns)
            if name in before.tables:
                yield Change(name, f"restricts {name}: {reference.definition}")
            elif reference.on_delete not in _HARMLESS or (reference.on_delete == "SET NULL" and not is_set):
                reason = f"{name} refers to them without ON DELETE CASCADE or SET NULL"
                yield Change(reference.target, f"prevents that rows of {reference.target} are removed: {reason}")
            removed.add(name)


def _writes(before: State, written: Iterable[_Write], known: set[str]) -> Iterator[Change]:
    """Find writes to columns and tables from before, unless their result is known to be a change."""
    for table, column in sorted(written, key=str):
        name = table if column is None else f"{table}.{column}"
        is_old = table in before.tables and (column is None or column in before.tables[table].columns)
        if is_old and table not in RECORDS and name not in known:
            yield Change(name, f"changes stored values of {name}")


def state_of(connection: Connection) -> State:
    """Read the definitions of all tables, and their rows."""
    return _file(connection) if connection.dialect.name == "sqlite" else _server(connection)


@contextmanager
def written_columns(connection: Connection) -> Iterator[set[_Write]]:
    """Collect what statements write to, with ``None`` for rows; SQLite reports this when it prepares a statement."""
    found: set[_Write] = set()
    dropped: str | None = None

    def note(action: int, table: str | None, column: str | None, _database: str | None, trigger: str | None) -> int:
        nonlocal dropped
        if action in (sqlite3.SQLITE_DROP_TABLE, sqlite3.SQLITE_DROP_VTABLE):
            dropped = table
        elif action == sqlite3.SQLITE_DELETE and table == dropped:
            dropped = None
        elif trigger is None and table is not None and action == sqlite3.SQLITE_UPDATE:
            found.add((table, column))
        elif trigger is None and table is not None and action in (sqlite3.SQLITE_DELETE, sqlite3.SQLITE_INSERT):
            found.add((table, None))
        return sqlite3.SQLITE_OK

    if connection.dialect.name != "sqlite":
        yield found
        return
    opened: Any = connection.connection.dbapi_connection
    opened.set_authorizer(note)
    try:
        yield found
    finally:
        opened.set_authorizer(None)


# SQLite

_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_FILE_COLUMNS = """
SELECT m.name, c.name, upper(c.type), c."notnull", c.dflt_value, c.pk, c.hidden
FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c WHERE m.type = 'table' ORDER BY m.name, c.cid
"""
_FILE_INDEXES = """
SELECT m.name, l.name, l.origin, l."unique", l.partial, x.cid, x.name, x.coll, x."desc"
FROM sqlite_master AS m, pragma_index_list(m.name) AS l, pragma_index_xinfo(l.name) AS x
WHERE m.type = 'table' AND x."key" ORDER BY m.name, l.name, x.seqno
"""
_FILE_REFERENCES = """
SELECT m.name, f.id, f."table", f.on_delete, f."from", f."to", f.on_update, f.match
FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' ORDER BY m.name, f.id, f.seq
"""
_WORD = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|\w+|[^\s\w]", re.DOTALL)
_OPTIONS = ("STRICT", "WITHOUT", "CONFLICT", "AUTOINCREMENT", "DEFERRABLE")


def _file(connection: Connection) -> State:
    execute: Callable[[str], Iterable[Any]] = connection.exec_driver_sql
    objects = [(kind, name, table, sql) for kind, name, table, sql in execute(_OBJECTS) if sql is not None]
    tables = {
        name: Table(rules=_rules(_words(sql)))
        for kind, name, _table, sql in objects
        if kind == "table" and not name.startswith("sqlite_")
    }
    others: dict[str, str] = {}
    for kind, name, table, sql in objects:
        if kind == "trigger" and table in tables:
            tables[table].rules[sql] += 1
        elif kind in ("trigger", "view"):
            others[f"{kind} {name}"] = sql
    for name, column, kind, is_required, default, key, hidden in execute(_FILE_COLUMNS):
        if name in tables:
            tables[name].columns[column] = Column(kind, not is_required, default, is_computed=hidden in (2, 3))
            tables[name].keys += [column] if key else []
    texts = {name: sql for kind, name, _table, sql in objects if kind == "index"}
    _add_indexes(tables, texts, [tuple(row) for row in execute(_FILE_INDEXES) if row[0] in tables])
    _add_references(tables, [tuple(row) for row in execute(_FILE_REFERENCES) if row[0] in tables])
    for name, state in tables.items():
        if not is_index_of_words(name):
            rows = connection.exec_driver_sql(f'SELECT * FROM "{name}"').mappings()
            state.rows = [{column: repr(value) for column, value in row.items()} for row in rows]
    return State(tables, others)


def _add_indexes(tables: dict[str, Table], texts: dict[str, str], rows: list[tuple[Any, ...]]) -> None:
    parts: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for row in rows:
        parts.setdefault(row[:5], []).append(row[5:])
    for (name, index, origin, is_unique, is_partial), columns in parts.items():
        order = ", ".join(" ".join(map(str, column[1:])) for column in columns)
        if origin != "c":
            tables[name].rules[f"{'PRIMARY KEY' if origin == 'pk' else 'UNIQUE'} ({order})"] += 1
            continue
        definition = " ".join(_words(texts[index]))
        is_safe = not is_partial or _SAFE_CONDITION.fullmatch(definition.rpartition(" WHERE ")[2])
        is_special = not is_safe or any(column[0] < 0 for column in columns)
        is_large = any(_is_large(tables[name].columns.get(column[1])) for column in columns)
        if not is_partial and not is_special:
            definition = f"{'UNIQUE ' if is_unique else ''}INDEX ({order})"
        tables[name].indexes[index] = Index(definition, bool(is_unique or is_special or is_large))


def _add_references(tables: dict[str, Table], rows: list[tuple[Any, ...]]) -> None:
    references: dict[tuple[Any, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        references.setdefault(row[:2], []).append(tuple(map(str, row[2:])))
    for (name, _number), found in references.items():
        target, on_delete = found[0][:2]
        definition = f"FOREIGN KEY {'; '.join(' '.join(part) for part in found)}"
        tables[name].references[Reference(target, on_delete, tuple(part[2] for part in found), definition)] += 1


def _words(sql: str) -> list[str]:
    """Divide a definition into words, without comments and without quotation marks around names."""
    found = (word for word in _WORD.findall(sql) if not word.startswith(("--", "/*")))
    # A name with quotation marks is marked, because it is no keyword.
    return [f'"{word[1:-1]}' if word[0] in '"`[' else word for word in found]


def _rules(words: list[str]) -> Counter[str]:
    """Return what SQLite has only in the text of a definition: conditions, collations and options."""
    found: Counter[str] = Counter()
    column, depth = "", 0
    for place, word in enumerate(words):
        if depth == 1 and words[place - 1] in ("(", ","):
            column = word.removeprefix('"')
        depth += (word == "(") - (word == ")")
        match word.upper():
            case "CHECK":
                found[f"CHECK {_parenthesis(words[place + 1 :])}"] += 1
            case "COLLATE":
                found[f"COLLATE {column} {_parenthesis(words[place + 1 : place + 2])}"] += 1
            case option if option in _OPTIONS:
                found[option] += 1
    if words[1].upper() == "VIRTUAL":
        found[" ".join(words)] += 1
    return found


def _parenthesis(words: list[str]) -> str:
    depth = 0
    for place, word in enumerate(words, 1):
        depth += (word == "(") - (word == ")")
        if not depth:
            return " ".join(words[:place]).replace('"', "")
    return " ".join(words)


def _is_large(column: Column | None) -> bool:
    return column is not None and column.type.upper().startswith(_LARGE)


# PostgreSQL

_RELATIONS = """
SELECT relname, relkind::text, concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity,
    relacl::text, reloptions::text, pg_get_userbyid(relowner),
    CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid) END)
FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
"""
_COLUMNS = """
SELECT c.relname, a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attcollation <> t.typcollation THEN a.attcollation::regcollation::text END, a.attacl::text),
    NOT a.attnotnull, CASE WHEN a.attidentity <> '' THEN 'identity' ELSE pg_get_expr(d.adbin, d.adrelid) END,
    a.attgenerated <> ''
FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_type AS t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'f') AND a.attnum > 0
    AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum
"""
# Since PostgreSQL 18, there are constraints for required columns, too.
_CONSTRAINTS = """
SELECT c.relname, o.contype::text, f.relname, o.confdeltype::text,
    pg_get_constraintdef(o.oid) || CASE WHEN o.convalidated THEN '' ELSE ' NOT VALID' END,
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = o.conrelid AND attnum = ANY (o.conkey))
FROM pg_constraint AS o JOIN pg_class AS c ON c.oid = o.conrelid LEFT JOIN pg_class AS f ON f.oid = o.confrelid
WHERE c.relnamespace = current_schema()::regnamespace AND o.contype NOT IN ('n', 't')
"""
_INDEXES = """
SELECT c.relname, n.relname, pg_get_indexdef(i.indexrelid),
    i.indisunique OR i.indisexclusion OR i.indexprs IS NOT NULL, pg_get_expr(i.indpred, i.indrelid), m.amname = 'btree',
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = ANY (i.indkey))
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_class AS n ON n.oid = i.indexrelid
JOIN pg_am AS m ON m.oid = n.relam
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT FROM pg_constraint AS o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u', 'x'))
"""
_RULES = """
SELECT c.relname, r.definition FROM pg_class AS c JOIN (
    SELECT tgrelid, pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT ev_class, pg_get_ruledef(oid) || ' ' || ev_enabled::text FROM pg_rewrite
        WHERE rulename <> '_RETURN'
    UNION ALL SELECT polrelid, concat_ws(' ', 'POLICY', polname, polcmd, polpermissive, polroles::text,
        pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy
    UNION ALL SELECT inhparent, 'INHERITED BY ' || inhrelid::regclass::text FROM pg_inherits
    UNION ALL SELECT inhrelid, 'INHERITS ' || inhparent::regclass::text FROM pg_inherits
) AS r (relation, definition) ON r.relation = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
"""
_FUNCTIONS = """
SELECT 'function ' || oid::regprocedure::text, pg_get_functiondef(oid) FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace AND prokind IN ('f', 'p')
UNION ALL SELECT 'event trigger ' || evtname, concat_ws(' ', evtevent, evtfoid::regproc::text, evtenabled)
FROM pg_event_trigger
"""
_ACTIONS = {"c": "CASCADE", "n": "SET NULL"}


def _server(connection: Connection) -> State:
    def execute(statement: str) -> Iterable[Any]:
        return connection.execute(text(statement))

    tables: dict[str, Table] = {}
    others: dict[str, str] = {}
    for name, kind, definition in execute(_RELATIONS):
        if kind in ("r", "p", "f"):
            tables[name] = Table(rules=Counter([definition]))
        else:
            others[f"relation {name}"] = definition
    for name, column, *definition in execute(_COLUMNS):
        tables[name].columns[column] = Column(*definition)
    for name, kind, target, on_delete, definition, columns in execute(_CONSTRAINTS):
        if kind == "f":
            reference = Reference(target, _ACTIONS.get(on_delete, ""), tuple(columns), definition)
            tables[name].references[reference] += 1
        else:
            tables[name].rules[definition] += 1
            tables[name].keys += columns if kind == "p" else []
    for name, index, definition, is_special, condition, is_ordered, columns in execute(_INDEXES):
        is_large = is_ordered and any(_is_large(tables[name].columns.get(column)) for column in columns)
        is_safe = condition is None or _SAFE_CONDITION.fullmatch(condition.strip("()"))
        tables[name].indexes[index] = Index(definition, bool(is_special or is_large or not is_safe))
    for name, definition in execute(_RULES):
        tables[name].rules[definition] += 1
    others |= {str(name): str(definition) for name, definition in execute(_FUNCTIONS)}
    rows = " UNION ALL ".join(f"SELECT '{name}', row_to_json(t)::text FROM \"{name}\" AS t" for name in tables)
    for name, row in connection.exec_driver_sql(rows):
        tables[name].rows.append({column: repr(value) for column, value in json.loads(row).items()})
    return State(tables, others)
