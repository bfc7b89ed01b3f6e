"""Compares the lines of each package with its budget in budgets.toml, for `make check`.

python -m tools.measure.budgets            check the budgets, and the reasons in the history
python -m tools.measure.budgets --write    set each budget to the current number of lines, rounded up

A commit that raises a budget has a line such as ``Budget: new kind of documents`` in its message. The history is not
checked where it is not available: in an export, and before the first commit of a shallow clone.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.measure.sources import ROOT, Size, git, package_sizes

FILE = "budgets.toml"
STEPS = {"src/": 100, "": 500}
"""Budgets are multiples of these numbers, so that small changes do not need a new one. The first prefix that fits."""
_REASON = re.compile(r"^Budget: *\S", re.MULTILINE)
_ENTRY = re.compile(r'^"[^"]*" = \d+\n', re.MULTILINE)
Budgets = Mapping[str, int]


class BudgetError(Exception):
    """The file with the budgets is missing or invalid."""


@dataclass(frozen=True, slots=True)
class Version:
    """The budgets before and after a commit; a commit that adds the file has nothing before it."""

    commit: str
    message: str
    before: Budgets
    after: Budgets

    @property
    def title(self) -> str:
        """Return the hash and the subject."""
        subject, *_ = self.message.splitlines() or [""]
        return f'{self.commit[:10]} ("{subject}")'


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Print the problems; without problems, nothing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="set each budget to the number of lines, rounded up")
    sizes = package_sizes(root)
    if parser.parse_args(arguments).write:
        write_budgets(sizes, root)
    try:
        budgets = read_budgets(root)
    except BudgetError as error:
        print(error, file=sys.stderr)
        return 1
    for note in notes(budgets, root):
        print(note)
    found = [*problems(sizes, budgets), *unexplained(budgets, root)]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


def read_budgets(root: Path = ROOT) -> Budgets:
    """Read the budget of each package."""
    try:
        document = tomllib.loads((root / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BudgetError(f"{FILE} cannot be read: {error}") from None
    if set(document) != {"lines"} or not isinstance(document["lines"], dict):
        raise BudgetError(f"{FILE} must have exactly one table, [lines]")
    for package, budget in document["lines"].items():
        if type(budget) is not int:
            raise BudgetError(f"{FILE}: the budget of {package} is not a number of lines")
    return dict(document["lines"])


def write_budgets(sizes: Mapping[str, Size], root: Path = ROOT) -> None:
    """Replace the budgets with the current numbers of lines, and keep the comments."""
    file = root / FILE
    entries = "".join(f'"{package}" = {rounded_up(package, size.lines)}\n' for package, size in sizes.items())
    file.write_text(_ENTRY.sub("", file.read_text(encoding="utf-8")) + entries, encoding="utf-8")


def rounded_up(package: str, lines: int) -> int:
    """Return the budget for a number of lines."""
    step = next(step for prefix, step in STEPS.items() if package.startswith(prefix))
    return -(-lines // step) * step


def problems(sizes: Mapping[str, Size], budgets: Budgets) -> Iterator[str]:
    """Find packages above their budget, packages without a budget, and budgets without a package."""
    for package in sorted({*sizes} | {*budgets}):
        if package not in sizes:
            yield f"{FILE}: {package} has a budget, but no source files. Remove the budget."
        elif package not in budgets:
            yield f"{FILE}: {package} has no budget. Add one: it has {sizes[package].lines} lines."
        elif sizes[package].lines > budgets[package]:
            yield (
                f"{package}: {sizes[package].lines} lines, but its budget is {budgets[package]}. Delete or move code, "
                f'or raise the budget in {FILE}, in a commit whose message has the line "Budget: <reason>".'
            )


def notes(budgets: Budgets, root: Path = ROOT) -> Iterator[str]:
    """Report what cannot be checked, and the reasons that the next commit must have."""
    if git(root, "rev-parse", "HEAD") is None:
        yield f"{FILE}: no history is available here, so reasons for higher budgets are not checked."
        return
    if git(root, "rev-parse", "--is-shallow-repository") == "true\n":
        yield f"{FILE}: the history is not complete here, so reasons are only checked in the commits that it has."
    committed = _parsed(git(root, "show", f"HEAD:{FILE}") or "")
    for package, before, after in _raised(committed, budgets):
        yield (
            f"{FILE}: {package} is raised from {before} to {after}. The message of the commit must have the line "
            '"Budget: <reason>".'
        )


def unexplained(budgets: Budgets, root: Path = ROOT) -> Iterator[str]:
    """Find budgets that a commit has raised without a reason, and that have not been lowered since then."""
    lowest: Budgets = budgets
    for version in _versions(root):
        if not _REASON.search(version.message):
            for package, before, after in _raised(version.before, version.after):
                if lowest.get(package, 0) > before:
                    yield (
                        f"{FILE}: the commit {version.title} raises {package} from {before} to {after}, but its "
                        'message has no line "Budget: <reason>". Amend the message. If the commit is published, lower '
                        "the budget in one commit, and raise it in the next one with a reason."
                    )
        lowest = {package: min(lowest.get(package, 0), budget) for package, budget in version.after.items()}


def _raised(before: Budgets, after: Budgets) -> Iterator[tuple[str, int, int]]:
    """A new package is not a raised budget, so that packages can be divided."""
    for package, budget in sorted(after.items()):
        if package in before and budget > before[package]:
            yield package, before[package], budget


def _versions(root: Path) -> Iterator[Version]:
    """Return each commit that changes the file, the newest first."""
    log = git(root, "log", "--format=%H%x00%P%x00%B%x1e", "--topo-order", "--", FILE) or ""
    for entry in log.split("\x1e")[:-1]:
        commit, parents, message = entry.strip().split("\0")
        earlier = [_parsed(git(root, "show", f"{parent}:{FILE}") or "") for parent in parents.split()]
        # A merge raises a budget only if it is higher than in all of its parents.
        before = {package: max(one.get(package, 0) for one in earlier) for one in earlier for package in one}
        yield Version(commit, message, before, _parsed(git(root, "show", f"{commit}:{FILE}") or ""))


def _parsed(text: str) -> Budgets:
    try:
        lines = tomllib.loads(text).get("lines", {})
    except ValueError:
        return {}
    entries = lines.items() if isinstance(lines, dict) else ()
    return {package: budget for package, budget in entries if isinstance(budget, int)}


if __name__ == "__main__":
    sys.exit(main())
