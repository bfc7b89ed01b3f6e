"""The table of the specification's rules and the tests that show them, read from the tests without running them.

A test says ``@pytest.mark.rule("R-2.8-3")`` when it shows a rule, and ``@pytest.mark.part_of_rule("R-2.15-6")``
when it shows only a part of it, mostly how its settings are read.
"""

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
SECTIONS = tuple(f"2.{number}" for number in range(6, 18))
"""The sections of which every rule must be here."""


@dataclass(slots=True)
class Shown:
    """The tests that show one rule."""

    tests: list[str] = field(default_factory=list)
    part_tests: list[str] = field(default_factory=list)


def rules() -> list[dict[str, Any]]:
    """Read the rules as the specification numbers them."""
    listed: list[dict[str, Any]] = json.loads((TESTS / "data" / "settings.json").read_text(encoding="utf-8"))["rules"]
    return listed


def shown(folder: Path = TESTS) -> dict[str, Shown]:
    """Find the tests of each rule."""
    found: dict[str, Shown] = {}
    for path in sorted(folder.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.rule" not in text and "mark.part_of_rule" not in text:
            continue
        for name, mark, rule in _marks(ast.parse(text)):
            tests = found.setdefault(rule, Shown())
            where = f"{path.relative_to(folder).as_posix()}::{name}"
            (tests.tests if mark == "rule" else tests.part_tests).append(where)
    return found


def faults(listed: list[dict[str, Any]], found: Mapping[str, Shown]) -> Iterator[str]:
    """Tell every rule that has no test or a wrong one, and every mark that means no rule."""
    for rule in sorted(set(found) - {rule["id"] for rule in listed}):
        yield f"{rule}: there is no such rule"
    for rule in listed:
        if rule["section"] in SECTIONS and not found.get(rule["id"], Shown()).tests:
            yield f"{rule['id']}: no test is marked with it"


def page() -> str:
    """Write the table; refuse when a rule has no test."""
    listed, found = rules(), shown()
    wrong = list(faults(listed, found))
    if wrong:
        raise SystemExit("\n".join(wrong))
    parts = [
        "# Rules and the tests that show them\n",
        f"All {sum(rule['section'] in SECTIONS for rule in listed)} rules of the specification's sections 2.6 to 2.17, "
        "and those of other sections that tests are marked with. A test is marked `@pytest.mark.rule(…)` when it shows "
        'a rule; `@pytest.mark.part_of_rule(…)` makes it "in part": mostly it shows how the settings of the rule are '
        "read. Rules about windows are shown by what the platform tells its windowing system, or by the picture that "
        "results ([why](../decisions/0018-window-decisions.md)).\n",
    ]
    for section in dict.fromkeys(rule["section"] for rule in listed):
        rows = [_row(rule, found) for rule in listed if rule["section"] == section and _is_listed(rule, found)]
        if rows:
            parts.append("\n".join([f"## {section}\n", "| Rule | Statement | Tests |\n|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _marks(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute):
                kind = ast.unparse(mark.func).removeprefix("pytest.mark.")
                if kind in ("rule", "part_of_rule"):
                    yield from ((node.name, kind, ast.literal_eval(argument)) for argument in mark.args)


def _is_listed(rule: Mapping[str, Any], found: Mapping[str, Shown]) -> bool:
    return rule["section"] in SECTIONS or rule["id"] in found


def _row(rule: Mapping[str, Any], found: Mapping[str, Shown]) -> str:
    tests = found.get(rule["id"], Shown())
    cell = [f"`{test}`" for test in tests.tests]
    cell += [f"in part: `{test}`" for test in tests.part_tests]
    statement = rule["statement"].replace("<", "&lt;").replace("|", "&#124;")
    return f"| {rule['id']} | {statement} | {'<br>'.join(cell)} |"
