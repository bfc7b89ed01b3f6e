"""What commands print: results on stdout, messages on stderr, colours only on terminals."""

import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["fail", "say", "show_json", "show_table", "warn"]

_messages = Console(stderr=True, highlight=False, soft_wrap=True)
_results = Console(highlight=False, width=None if sys.stdout.isatty() else 1000)


def say(message: str) -> None:
    """Tell the person at the terminal something."""
    _messages.print(Text(message))


def warn(message: str) -> None:
    """Tell the person at the terminal something they should look at."""
    _messages.print(Text.assemble(("warning: ", "yellow"), message))


def fail(message: str, code: int = 1) -> NoReturn:
    """Tell what is wrong, and end."""
    _messages.print(Text.assemble(("error: ", "bold red"), message))
    raise typer.Exit(code)


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
