"""rostrum manager views: saved views of lists."""

from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, json_values, require_database, run_or_fail
from rostrum.cli.output import say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

app = typer.Typer(help="List and delete shared views of lists.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_views(*, json: JsonOption = False, config: ConfigOption = None) -> None:
    """List the views that users have shared; with --json, in the format of the API."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query
    from rostrum.manager.records import as_json

    query = Query(limit=100_000, sort=("list", "name"))
    page = run_or_fail(
        require_database(config, quiet=json), "views list", lambda parts: parts["views"].page(SYSTEM, query)
    )
    if json:
        show_json(json_values([as_json(view) for view in page.items]))
        return
    rows = [
        (view.id, view.list, view.name, view.owner, f"{view.modified:%Y-%m-%d}", view.search) for view in page.items
    ]
    show_table(("id", "list", "name", "owner", "modified", "search"), rows)


@app.command()
def delete(
    view_id: Annotated[str, typer.Argument(help="The ID of the view.", metavar="ID", show_default=False)],
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Delete a shared view."""
    from rostrum.manager.access.identity import SYSTEM

    async def action(parts: dict[str, Any]) -> None:
        await parts["views"].remove(SYSTEM, view_id)

    run_or_fail(require_database(config, quiet=json), "views delete", action, comment, ticket)
    if json:
        show_json({"id": view_id, "deleted": True})
    else:
        say(f"view {view_id} deleted")
