"""rostrum manager audit: lists, verifies and exports the audit log."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum.cli.manager_parts import require_database, run_with_parts
from rostrum.cli.output import counting, fail, say, show_json, show_table, working
from rostrum.cli.settings_file import ConfigOption

if TYPE_CHECKING:
    from rostrum.manager.audit.model import AuditEntry
    from rostrum.manager.audit.service import Verification


app = typer.Typer(help="List, verify and export the audit log.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def verify(
    *,
    head: Annotated[
        str | None,
        typer.Option(help="Number and hash printed by an earlier run; the entry must still exist.", metavar="N:HASH"),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="Verify an exported file instead of the database.", exists=True, dir_okay=False),
    ] = None,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Verify the audit log. Exit code 1 if an entry was modified, removed or moved, or a document does not match it."""
    from rostrum.manager.access.identity import SYSTEM

    with _wrong_usage():
        if file is not None:
            found = _verify_file(file, head)
        else:
            settings = require_database(config, quiet=json)
            with counting("verifying, entry") as step:
                found = run_with_parts(
                    settings, "audit verify", lambda parts: parts["audit"].verify(SYSTEM, head, step)
                )
    if json:
        fault = found.fault and {"number": found.fault.number, "message": found.fault.message}
        show_json({"ok": fault is None, "entries": found.entries, "head": str(found.last), "fault": fault})
    else:
        say(f"{found.entries} entries in order, the last is")
        typer.echo(str(found.last))
    if found.fault is not None:
        fail(f"entry {found.fault.number}: {found.fault.message}")


@app.command("list")
def list_entries(
    *,
    actor: Annotated[str, typer.Option(help="Only operations of this user.")] = "",
    operation: Annotated[str, typer.Option(help="Only this operation.")] = "",
    kind: Annotated[str, typer.Option(help="Only changes of this document kind, such as app.")] = "",
    key: Annotated[str, typer.Option("--id", help="Only changes of the document with this ID or name.")] = "",
    comment: Annotated[str, typer.Option(help="Only this comment; * matches any text.")] = "",
    ticket: Annotated[str, typer.Option(help="Only this ticket; * matches any text.")] = "",
    since: Annotated[
        str | None, typer.Option("--from", help="Only entries from this time on; include the time zone.")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", help="Only before this time.")] = None,
    limit: Annotated[int, typer.Option(help="Maximum number of entries, newest first.", min=1)] = 50,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List entries, newest first."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    given = {"actor": actor, "operation": operation, "kind": kind, "id": key, "comment": comment, "ticket": ticket}
    query = Query(limit=limit, filters={name: value for name, value in given.items() if value})
    settings = require_database(config, quiet=json)
    with _wrong_usage():
        page = run_with_parts(
            settings, "audit list", lambda parts: parts["audit"].page(SYSTEM, query, since=since, until=until)
        )
    if json:
        show_json([_as_json(entry) for entry in page.items])
        return
    rows = [
        (
            str(entry.number),
            f"{entry.at:%Y-%m-%d %H:%M:%S}",
            entry.actor,
            entry.operation,
            entry.kind,
            entry.key,
            entry.ticket or "",
            entry.comment or "",
        )
        for entry in page.items
    ]
    show_table(("number", "time (UTC)", "who", "operation", "kind", "id", "ticket", "comment"), rows)


@app.command()
def export(config: ConfigOption = None) -> None:
    """Print all entries in order, one JSON object per line; `verify --file` reads it."""
    from rostrum.manager.access.identity import SYSTEM

    async def write(parts: dict[str, Any]) -> None:
        async for entry in parts["audit"].export(SYSTEM):
            await asyncio.to_thread(sys.stdout.write, entry.as_line() + "\n")

    run_with_parts(require_database(config), "audit export", write)


@contextmanager
def _wrong_usage() -> Iterator[None]:
    """Report an invalid option; other errors are raised again."""
    from rostrum.base.errors import Invalid

    try:
        yield
    except Invalid as error:
        fail("; ".join(f"--{problem.path} {problem.message}" for problem in error.problems) or str(error), 2)


def _as_json(entry: "AuditEntry") -> Any:
    from rostrum.base import json_text

    return json_text.parse(entry.as_line())


def _verify_file(path: Path, head: str | None) -> "Verification":
    from rostrum.manager.audit.file import verify_lines

    try:
        with path.open(encoding="utf-8", newline="\n") as lines, working("verifying"):
            return verify_lines(lines, head)
    except (OSError, UnicodeError) as error:
        fail(f"{path} cannot be read: {error}")
