"""rostrum manager user import: creates and changes users from a CSV file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum.cli.manager_bulk import Documents, finish_batch, new_key, show_report
from rostrum.cli.manager_parts import CommentOption, TicketOption, checked, json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

if TYPE_CHECKING:
    from rostrum.manager.batches.user_imports import ImportPlan


def import_users(
    file: Annotated[Path, typer.Argument(help="CSV file, or `-` for standard input.", metavar="FILE")],
    *,
    column: Annotated[
        list[str] | None,
        typer.Option(
            help="Import only this column: displayName, email, groups, apps or disabled. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    add_lists: Annotated[
        bool, typer.Option("--add-lists", help="Add groups and apps to those of the users, instead of replacing them.")
    ] = False,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Skip invalid rows, and import the others.")
    ] = False,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    key: Annotated[
        str,
        typer.Option(
            help="A text of your choice. Repeating the command with the same key changes nothing.", show_default=False
        ),
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the effect only. Nothing is changed.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    config: ConfigOption = None,
) -> None:
    """Create and change users from a CSV file with a header row. The column `id` is required.

    Users who are not in the file are not changed. New users have no password. Exits with 1 if a row is invalid or
    refused.
    """
    from rostrum.contracts.user_imports import NewUserImport
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config, quiet=json)
    members = {
        "csv": _text(file),
        "columns": column or None,
        "lists": "add" if add_lists else "replace",
        "skipInvalid": skip_invalid,
        "key": key or new_key(),
        "comment": comment,
        "ticket": ticket,
    }
    body = checked(NewUserImport, members)

    async def run(parts: dict[str, Any]) -> Any:
        service = parts["user_imports"]
        if dry_run:
            return await service.preview(SYSTEM, body), None
        batch, _ = await service.create(SYSTEM, body)
        return None, await finish_batch(parts["batches"], batch)

    plan, batch = run_or_fail(settings, "user import", run)
    if plan is None:
        show_report(Documents.USERS, batch, json=json)
    else:
        _show_plan(plan, json=json)


def _text(file: Path) -> str:
    from rostrum.contracts.user_imports import LONGEST

    try:
        if str(file) == "-":
            data = sys.stdin.buffer.read(LONGEST + 1)
        else:
            with file.open("rb") as opened:
                data = opened.read(LONGEST + 1)
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
    if len(data) > LONGEST:
        fail(f"{file} is larger than {LONGEST:,} bytes")
    # A row with another encoding is reported with its line.
    return data.decode(errors="replace")


def _show_plan(plan: "ImportPlan", *, json: bool) -> None:
    view = json_values(plan.as_json())
    if json:
        show_json(view)
    else:
        say(
            f"Dry run. Nothing was changed. Users: {view['new']:,} new, {view['changed']:,} would change, "
            f"{view['unchanged']:,} unchanged, {view['invalid']:,} invalid rows."
        )
        if view["ignored"]:
            say(f"Columns that are not imported: {', '.join(view['ignored'])}.")
        rows = [
            (f"{row['line']}", row["id"], f"{problem['column']} {problem['message']}".strip())
            for row in view["problems"]
            for problem in row["problems"]
        ]
        if rows:
            show_table(("line", "invalid", "reason"), rows)
        show_table(
            ("line", "user", "effect"),
            [(f"{row['line']}", row["id"], f"{row['result']}: {_changes(row)}") for row in view["items"]],
        )
    if view["invalid"]:
        raise typer.Exit(1)


def _changes(row: dict[str, Any]) -> str:
    return ", ".join(f"{change['column']} {_shown(change['after'])}" for change in row["changes"]) or "no values"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(value) or "(none)"
    return "(none)" if value is None else f"{value}"
