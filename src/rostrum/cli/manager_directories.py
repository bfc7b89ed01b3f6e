"""rostrum manager directory: addresses of app directories for agents that cannot sign in."""

from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, require_database, run_or_fail
from rostrum.cli.output import say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

app = typer.Typer(help="Addresses of app directories that can be read without signing in.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def create(
    *,
    user: Annotated[str | None, typer.Option(help="Provide the apps of this user.", show_default=False)] = None,
    group: Annotated[str | None, typer.Option(help="Provide the apps of this group.", show_default=False)] = None,
    description: Annotated[str, typer.Option(help="Purpose of the address.")] = "",
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Create an address and print it. It is a secret, and cannot be printed again."""
    from pydantic import ValidationError

    from rostrum.base.errors import Invalid
    from rostrum.contracts.directories import NewDirectory
    from rostrum.contracts.validation_messages import problems_of
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.server import base_url

    async def action(parts: dict[str, Any]) -> Any:
        if (user is None) == (group is None):
            raise Invalid("name either a user (`--user`) or a group (`--group`)")
        try:
            body = NewDirectory(user=user, group=group, description=description)
        except ValidationError as error:
            raise Invalid("the address cannot be created", problems_of(error)) from None
        return await parts["directories"].create(SYSTEM, body)

    settings = require_database(config)
    address, key = run_or_fail(settings, "directory create", action, comment, ticket)
    say(f"Directory address {address.id} created. If a proxy is used, replace the host with the host of the proxy:")
    typer.echo(f"{base_url(settings.config)}/directory/{key}/v2/apps")


@app.command("list")
def list_directories(*, json: JsonOption = False, config: ConfigOption = None) -> None:
    """List addresses, without their secret parts."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    settings = require_database(config, quiet=json)
    query = Query(limit=100_000)
    page = run_or_fail(settings, "directory list", lambda parts: parts["directories"].page(SYSTEM, query))
    if json:
        show_json(
            [
                {
                    "id": address.id,
                    "user": address.user,
                    "group": address.group,
                    "description": address.description,
                    "created": address.created.isoformat(),
                    "createdBy": address.created_by,
                }
                for address in page.items
            ]
        )
        return
    rows = [
        (
            address.id,
            f"user {address.user}" if address.user is not None else f"group {address.group}",
            f"{address.created:%Y-%m-%d}",
            address.created_by,
            address.description,
        )
        for address in page.items
    ]
    show_table(("id", "apps of", "created", "by", "description"), rows)


@app.command()
def revoke(
    address_id: Annotated[str, typer.Argument(help="The ID of the address.", metavar="ID", show_default=False)],
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Revoke an address. It no longer provides apps."""
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config)
    run_or_fail(
        settings,
        "directory revoke",
        lambda parts: parts["directories"].revoke(SYSTEM, address_id),
        comment,
        ticket,
    )
    say(f"directory address {address_id} revoked")
