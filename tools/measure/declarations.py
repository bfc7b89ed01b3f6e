"""How often each field of a stored record is declared.

A list of fields is a place in the source that names more than half of the fields of a record, in one of these forms:

- the columns of a table, ``Column("name", …)`` within ``Table(…)``
- the annotated members of a class, such as the record itself or the body of a response
- a dictionary or a call that reads members of the same names, ``{"createdBy": view.created_by}`` or
  ``View(created_by=row.created_by)``, such as conversions to JSON and from rows, and the fields of a ``Listing``
- a tuple, list or set of strings

Each list of fields declares the fields that it names. Other places, such as a service that creates a record from a
request, name fewer fields. Names are compared without underscores and without regard to case, and a column may end in
``_id`` or ``_name``. The sources are the modules of the topic in the manager, the tables that they use, and the modules
of ``rostrum.contracts`` that they import.
"""

import ast
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

from tools.measure.figure import Figure, columns
from tools.measure.sources import ROOT

TOPICS = {"views": "SavedView", "directories": "DirectoryAddress", "machines": "Machine"}
"""Representative topics of the manager, with the class of the stored record."""
_COLUMN_ENDS = ("_id", "_name")


class MissingRecord(Exception):
    """A topic no longer has its module or its record, so that ``TOPICS`` must be corrected."""


def measure() -> Figure:
    """Count the declarations of the fields of all topics."""
    counts = {topic: declarations(topic, record) for topic, record in TOPICS.items()}
    values: dict[str, Any] = {}
    rows = [("record", "fields", "median", "maximum")]
    for topic, fields in counts.items():
        middle, most = median(fields.values()), max(fields.values())
        values[topic] = {"median": middle, "maximum": most, "fields": fields}
        rows.append((f"{topic} ({TOPICS[topic]})", str(len(fields)), f"{middle:g}", str(most)))
    return Figure(values, columns(rows))


def declarations(topic: str, record: str, root: Path = ROOT) -> dict[str, int]:
    """Count the lists of fields that name each field of a record."""
    product = root / "src/rostrum"
    trees = [_tree(path) for path in _modules(product / "manager", topic)]
    fields = _fields(trees, topic, record)
    lists = [
        *chain.from_iterable(field_lists(tree) for tree in trees),
        *_tables(product / "manager/database/tables.py", _used_tables(trees)),
        *chain.from_iterable(field_lists(_tree(path)) for path in _contracts(product / "contracts", trees)),
    ]
    counts = dict.fromkeys(fields, 0)
    for one in lists:
        named = [name for name in fields if _is_named(name, one)]
        if len(named) * 2 > len(fields):
            for name in named:
                counts[name] += 1
    return counts


def field_lists(tree: ast.AST) -> Iterator[frozenset[str]]:
    """Find all places of a module that may be lists of fields, and the names in each."""
    for node in ast.walk(tree):
        names = frozenset(_names(node))
        if len(names) > 1:
            yield names


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ClassDef():
            yield from (part.target.id for part in node.body if _is_member(part))  # type: ignore[attr-defined]
        case ast.Call(func=ast.Name(id="Table")):
            yield from (name for part in node.args for name in _column(part))
        case ast.Call():
            yield from (part.arg for part in node.keywords if part.arg and _reads(part.arg, part.value))
        case ast.Dict():
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and _reads(key.value, value):
                    yield key.value
        case ast.Tuple() | ast.List() | ast.Set():
            for part in node.elts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def _is_member(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and not ast.unparse(node.annotation).startswith("ClassVar")
    )


def _column(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id="Column"), args=[ast.Constant(value=str(name)), *_]):
            yield name


def _reads(name: str, value: ast.AST) -> bool:
    """Return whether an expression reads a member with this name."""
    read = [node.attr for node in ast.walk(value) if isinstance(node, ast.Attribute)]
    return _is_named(name, read)


def _is_named(name: str, names: Collection[str]) -> bool:
    written = {_plain(one) for one in names}
    return any(_plain(f"{name}{end}") in written for end in ("", *_COLUMN_ENDS))


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def _fields(trees: Iterable[ast.AST], topic: str, record: str) -> list[str]:
    for node in chain.from_iterable(map(ast.walk, trees)):
        if isinstance(node, ast.ClassDef) and node.name == record:
            return list(_names(node))
    raise MissingRecord(f"the topic {topic} has no record {record}: correct TOPICS in tools/measure/declarations.py")


def _modules(manager: Path, topic: str) -> list[Path]:
    """Return the modules of a topic, which is a folder or one module."""
    file = manager / f"{topic}.py"
    return [file] if file.is_file() else sorted((manager / topic).rglob("*.py"))


def _used_tables(trees: Iterable[ast.AST]) -> set[str]:
    return {
        node.attr
        for node in chain.from_iterable(map(ast.walk, trees))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tables"
    }


def _tables(file: Path, used: set[str]) -> Iterator[frozenset[str]]:
    for node in _tree(file).body if file.is_file() else ():
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in used:
                yield frozenset(_names(value))


def _contracts(folder: Path, trees: Iterable[ast.AST]) -> list[Path]:
    nodes = chain.from_iterable(map(ast.walk, trees))
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    prefix = "rostrum.contracts."
    names = sorted(name.removeprefix(prefix) for name in imported if name.startswith(prefix))
    files = [folder / f"{name.replace('.', '/')}.py" for name in names]
    return [file for file in files if file.is_file()]


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
