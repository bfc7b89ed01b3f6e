"""Output of commands: results on stdout, messages on stderr, colours only on terminals."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rostrum.sources.check import FileProblem


def say(message: str) -> None:
    """Print a message on stderr."""
    _print_message(message)


def warn(message: str) -> None:
    """Print a warning on stderr."""
    _print_message(message, typer.style("warning: ", fg="yellow"))


@contextmanager
def working(message: str) -> Iterator[None]:
    """Show a progress indicator on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(message)):
        yield


@contextmanager
def counting(message: str) -> Iterator[Callable[[int], None]]:
    """Show progress on a terminal. Yields a function that takes the number of further completed steps."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.text import Text

    done = 0
    with Console(stderr=True).status(Text(message)) as status:

        def step(count: int) -> None:
            nonlocal done
            done += count
            status.update(Text(f"{message} {done:,}"))

        yield step


def fail(message: str, code: int = 1) -> NoReturn:
    """Print an error, and exit."""
    _print_message(message, typer.style("error: ", fg="red", bold=True))
    raise typer.Exit(code)


def finding_line(finding: "FileProblem") -> str:
    """Format a finding like a compiler message, so that editors and terminals can open its location."""
    place = f"{finding.file}:{finding.line}:{finding.column}" if finding.line else finding.file
    parts = (place, finding.severity, finding.path.replace("\n", "\N{REPLACEMENT CHARACTER}"), finding.message)
    return printable(": ".join(part for part in parts if part))


def show_json(value: Any) -> None:
    """Print a result as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a result as a table."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    if sys.stdout.isatty():
        Console(highlight=False).print(table)
        return
    console = Console(highlight=False, width=1000)
    with console.capture() as drawn:
        console.print(table)
    # Columns have the width of their widest cell, which may be a long reason.
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in drawn.get().splitlines()))


def _print_message(message: str, before: str = "") -> None:
    typer.echo(before + printable(message), err=True, color=False if os.environ.get("NO_COLOR") else None)


def printable(text: str) -> str:
    """Replace the control characters of a text."""
    # Names and values from other people's files may contain control sequences.
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)
