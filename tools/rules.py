"""The table of the specification's statements and the tests that show them, read from the tests without running them.

The catalogue ``tests/data/settings.json`` numbers rules (R), endpoints (E), errors (X), limits (L) and transitions (T).
A test says ``@pytest.mark.rule("R-2.8-3", "T-D-5")`` when it shows statements; all tests marked with one id show it
completely together. ``tests/data/rules.toml`` lists the statements that need windows or the browser platform; a test
that shows a part of such a statement says ``@pytest.mark.part_of_rule("R-2.15-6")``.

For each setting of the sections about behaviour and windows, a test says ``@pytest.mark.setting("splash.width")`` when
it changes the setting and observes what is different: pixels, places, events, or what a window host is asked for.
"""

import ast
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
FACTS = "tests/data/rules.toml"
KINDS = {"rules": "R", "endpoints": "E", "errors": "X", "limits": "L", "transitions": "T"}
"""Parts of the catalogue, in the order of the table, and how the ids in them begin."""
NEEDS = ("windows", "browser platform")
"""What a statement may wait for."""
MARKS = {"pytest.mark.rule": "rule", "pytest.mark.part_of_rule": "part_of_rule", "pytest.mark.setting": "setting"}
SETTING_SECTIONS = ("2.15", "2.16", "2.17")
"""The sections whose settings must each have a test that changes it."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the table says beyond the catalogue, by id."""

    needs: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)
    statements: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered statement of the specification."""

    id: str
    section: str
    statement: str


@dataclass(slots=True)
class Shown:
    """The tests that show one statement, completely or in part."""

    tests: list[str] = field(default_factory=list)
    part_tests: list[str] = field(default_factory=list)


class UnreadableMark(Exception):
    """A mark in a place or form that this module does not read, so that it would not count."""


def facts(text: str | None = None) -> Facts:
    """Read the facts that the table adds to the catalogue."""
    return Facts(**tomllib.loads(text if text is not None else (ROOT / FACTS).read_text(encoding="utf-8")))


def catalogue(known: Facts) -> list[Entry]:
    """Read every numbered statement, section by section."""
    document = json.loads((TESTS / "data" / "settings.json").read_text(encoding="utf-8"))
    found = [
        Entry(one["id"], one["section"], known.statements.get(one["id"], one.get("statement", "")))
        for kind in KINDS
        for one in document[kind]
    ]
    # Sorting is stable: within a section the kinds keep their order.
    return sorted(found, key=lambda one: [int(part) for part in one.section.split(".")])


def shown(folder: Path = TESTS) -> dict[str, Shown]:
    """Find the tests of each statement."""
    found: dict[str, Shown] = {}
    for test, mark, statement in _marked(folder, ("rule", "part_of_rule")):
        tests = found.setdefault(statement, Shown())
        (tests.tests if mark == "rule" else tests.part_tests).append(test)
    return found


def settings() -> dict[str, str]:
    """Return the section of each setting that must have a test; parts of list items belong to their list."""
    document = json.loads((TESTS / "data" / "settings.json").read_text(encoding="utf-8"))
    every = {one["path"]: one["section"] for one in document["settings"] if "[]" not in one["path"]}
    groups = {key.rpartition(".")[0] for key in every}
    groups |= {group.rpartition(".")[0] for group in groups}
    return {key: section for key, section in every.items() if section in SETTING_SECTIONS and key not in groups}


def changed_settings(folder: Path = TESTS) -> dict[str, list[str]]:
    """Find the tests that change each setting."""
    found: dict[str, list[str]] = {}
    for test, _, setting in _marked(folder, ("setting",)):
        found.setdefault(setting, []).append(test)
    return found


def setting_faults(known: Iterable[str], changed: Iterable[str]) -> Iterator[str]:
    """Report every setting that no test changes, and every mark that names no setting."""
    for one in sorted({*known} - {*changed}):
        yield f"{one}: no test that changes it is marked with @pytest.mark.setting"
    for one in sorted({*changed} - {*known}):
        yield f"{one}: a test is marked with it, but sections {', '.join(SETTING_SECTIONS)} have no such setting"


def faults(entries: Iterable[Entry], found: Mapping[str, Shown], known: Facts) -> Iterator[str]:
    """Report every statement without a test, every mark or fact that names no statement, and every contradiction."""
    by_id = {one.id: one for one in entries}
    for one in sorted(found.keys() - by_id):
        yield f"{one}: {_first(found[one])} is marked with it, but the catalogue has no such id"
    for part in ("needs", "statements"):
        for one in sorted(getattr(known, part).keys() - by_id):
            yield f"{one}: {FACTS} lists it under [{part}], but the catalogue has no such id"
    for section in sorted({one.section for one in by_id.values()} - known.sections.keys()):
        yield f"{section}: {FACTS} has no title for this section"
    for one, entry in by_id.items():
        yield from _faults_of(entry, found.get(one, Shown()), known.needs.get(one))


def page() -> str:
    """Write the table; refuse when something is wrong with it."""
    known = facts()
    entries = catalogue(known)
    try:
        found = shown()
    except UnreadableMark as error:
        raise SystemExit(str(error)) from None
    sections, changed = settings(), changed_settings()
    wrong = [*faults(entries, found, known), *setting_faults(sections, changed)]
    if wrong:
        raise SystemExit("\n".join(wrong))
    parts = [_introduction(entries, known)]
    for section in dict.fromkeys(one.section for one in entries):
        rows = [_row(one, found.get(one.id, Shown()), known) for one in entries if one.section == section]
        title = f"## {section} {known.sections[section]}\n"
        parts.append("\n".join([title, "| Id | Statement | Shown by |\n|---|---|---|", *rows]) + "\n")
        lines = [
            f"| `{key}` | {'<br>'.join(map(_link, changed[key]))} |" for key in sections if sections[key] == section
        ]
        if lines:
            parts.append(
                "\n".join([f"## Settings of section {section}\n", "| Setting | Changed by |\n|---|---|", *lines]) + "\n"
            )
    return "\n".join(parts)


def _faults_of(entry: Entry, tests: Shown, needed: str | None) -> Iterator[str]:
    if not entry.statement:
        yield f"{entry.id}: {FACTS} has no statement for it"
    if needed is None and not tests.tests:
        yield (
            f"{entry.id}: no test is marked with it, and {FACTS} does not list it under [needs]. Mark the tests that "
            "show it with @pytest.mark.rule"
        )
    if needed is not None and needed not in NEEDS:
        yield f"{entry.id}: {FACTS} says that it needs {needed!r}; that must be one of {', '.join(NEEDS)}"
    if needed is None and tests.part_tests:
        yield (
            f"{entry.id}: {tests.part_tests[0]} is marked with part_of_rule, which is for statements listed under "
            f"[needs] in {FACTS}. Mark it with rule: the tests marked so show the statement together"
        )
    if needed is not None and tests.tests:
        yield (
            f"{entry.id}: {FACTS} says that it needs {needed}, but {tests.tests[0]} shows it. Remove the entry when "
            "the test shows all of it; otherwise mark the test with part_of_rule"
        )


def _marked(folder: Path, marks: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Return each test with a mark of some kinds, the mark, and what it names."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(f"mark.{mark}" in text for mark in marks):
            continue
        where = path.relative_to(folder).as_posix()
        for name, mark, what in _marks(text, where):
            if mark in marks:
                yield f"{where}::{name}", mark, what


def _first(tests: Shown) -> str:
    return [*tests.tests, *tests.part_tests][0]


@cache
def _marks(text: str, where: str) -> tuple[tuple[str, str, str], ...]:
    tree = ast.parse(text)
    found: list[tuple[str, str, str]] = []
    read: set[ast.expr] = set()
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and _is_mark(mark.func):
                    read.add(mark.func)
                    found += ((node.name, MARKS[ast.unparse(mark.func)], one) for one in _ids(mark, where))
    for node in nodes:
        if isinstance(node, ast.Attribute) and node not in read and _is_mark(node):
            raise UnreadableMark(f"{where}:{node.lineno}: {ast.unparse(node)} counts only as a decorator of a test")
    return tuple(found)


def _is_mark(node: ast.expr) -> bool:
    # Unparsing is slow, so it is left for what may be a mark.
    return isinstance(node, ast.Attribute) and node.attr in MARKS.values() and ast.unparse(node) in MARKS


def _ids(mark: ast.Call, where: str) -> Iterator[str]:
    for argument in mark.args:
        if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
            raise UnreadableMark(f"{where}:{mark.lineno}: write each id as a string")
        yield argument.value


_NEEDS_TEXT = {
    "windows": "- *Needs windows*: the statement is about something on the screen, or about the pointer or keyboard in "
    "a window. Tests show what the platform instructs its windowing system to do "
    "([why](../decisions/0018-window-decisions.md)), not yet what a window does. These are {}.\n",
    "browser platform": "- *Needs the browser platform*: the statement is about a platform that runs in a browser. "
    "These are {}.\n",
}


def _introduction(entries: list[Entry], known: Facts) -> str:
    counts = [f"{sum(one.id.startswith(f'{letter}-') for one in entries)} {kind}" for kind, letter in KINDS.items()]
    open_needs = [need for need in NEEDS if need in known.needs.values()]
    waiting = [f"{sum(need == one for one in known.needs.values())} need {_named(need)}" for need in open_needs]
    in_part = f"; {' and '.join(waiting)}, and tests show these in part" if waiting else ""
    return (
        "# Statements of the specification and the tests that show them\n\n"
        f"The specification has {', '.join(counts[:-1])} and {counts[-1]}: {len(entries)} numbered statements, here by "
        f"section. Tests show {len(entries) - len(known.needs)} of them completely{in_part}.\n\n"
        "- **R** is a rule, **E** an endpoint, **X** an error, **L** a limit, **T** a transition between states.\n"
        "- *Open* begins what the specification does not decide; the sentence after it says what Rostrum does.\n"
        "- Each link leads to the file of a test. The test function has the same name, with underscores.\n"
        f"{''.join(_NEEDS_TEXT[need].format(_waiting(entries, known, need)) for need in open_needs)}"
        "- *Settings of section* names for each setting the tests that change it and observe a difference.\n"
        "- Several tests of one statement show it together; *in part* means that they do not show all of it yet.\n\n"
        "To mark a test, see [the recipe](../../CONTRIBUTING.md). `tools/rules.py` makes this page, and fails when a "
        f"statement has neither a test nor an entry in `{FACTS}`.\n"
    )


def _row(entry: Entry, tests: Shown, known: Facts) -> str:
    need = known.needs.get(entry.id)
    cell = [f"**Needs {_named(need)}.**{' In part:' if tests.part_tests else ''}"] if need else []
    cell += [_link(test) for test in (*tests.tests, *tests.part_tests)]
    statement = entry.statement.replace("<", "&lt;").replace("|", "&#124;")
    return f"| {entry.id} | {statement} | {'<br>'.join(cell)} |"


def _waiting(entries: list[Entry], known: Facts, need: str) -> str:
    return ", ".join(one.id for one in entries if known.needs.get(one.id) == need)


def _named(need: str) -> str:
    return "windows" if need == "windows" else f"the {need}"


def _link(test: str) -> str:
    path, _, name = test.partition("::")
    sentence = name.removeprefix("test_").replace("_", " ")
    return f"[{sentence[0].upper()}{sentence[1:]}](../../tests/{path})"
