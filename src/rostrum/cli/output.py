"""What commands print: results on stdout, messages on stderr, colours only on terminals."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rostrum.sources.check import Finding

__all__ = ["fail", "finding_line", "say", "show_json", "show_table", "warn", "working"]

_messages = Console(stderr=True, highlight=False, soft_wrap=True)
_results = Console(highlight=False, width=None if sys.stdout.isatty() else 1000)


def say(message: str) -> None:
    """Tell the person at the terminal something."""
    _messages.print(Text(message))


def warn(message: str) -> None:
    """Tell the person at the terminal something they should look at."""
    _messages.print(Text.assemble(("warning: ", "yellow"), message))


@contextmanager
def working(message: str) -> Iterator[None]:
    """Show on a terminal that something takes its time."""
    if not _messages.is_terminal:
        yield
        return
    with _messages.status(Text(message)):
        yield


def fail(message: str, code: int = 1) -> NoReturn:
    """Tell what is wrong, and end."""
    _messages.print(Text.assemble(("error: ", "bold red"), message))
    raise typer.Exit(code)


def finding_line(finding: "Finding") -> str:
    """Write a finding as compilers do, so that editors and terminals can jump to it."""
    place = f"{finding.file}:{finding.line}:{finding.column}" if finding.line else finding.file
    parts = (place, finding.severity, finding.path, finding.message)
    return ": ".join(part for part in parts if part)


def show_json(value: Any) -> None:
    """Print a result for a program."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a result for a person."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    _results.print(table)
