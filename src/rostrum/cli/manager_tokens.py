"""rostrum manager tokens: API tokens for programs."""

from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

app = typer.Typer(help="API tokens: credentials of programs.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_tokens(
    *,
    user: Annotated[str | None, typer.Option(help="Only tokens of this user.", show_default=False)] = None,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List API tokens with expiry and last use, without their secrets."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query
    from rostrum.manager.records import as_json

    settings = require_database(config, quiet=json)
    query = Query(limit=100_000, filters={} if user is None else {"user": user}, sort=("user", "name"))
    page = run_or_fail(settings, "tokens list", lambda parts: parts["api_tokens"].page(SYSTEM, query))
    if json:
        show_json(json_values([as_json(token) for token in page.items]))
        return
    rows = [
        (
            token.id,
            token.user,
            token.name,
            f"{token.expires:%Y-%m-%d}",
            "never" if token.last_used is None else f"{token.last_used:%Y-%m-%d %H:%M}",
            ", ".join(token.permissions),
        )
        for token in page.items
    ]
    show_table(("id", "user", "name", "expires", "last used", "permissions"), rows)


@app.command()
def create(
    user: Annotated[str, typer.Argument(help="The owner: a service account or a user.", metavar="USER")],
    *,
    name: Annotated[str, typer.Option(help="Name of the token in lists and in the audit log.")],
    permission: Annotated[
        list[str],
        typer.Option(
            "--permission", "-p", help="A permission, such as APPS:READ. Can be repeated.", show_default=False
        ),
    ] = [],  # noqa: B006 - typer copies it
    days: Annotated[int, typer.Option(help="Number of days after which the token expires.", min=1)] = 90,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Create an API token and print it. It is a secret, and cannot be printed again."""
    from pydantic import ValidationError

    from rostrum.contracts.api_tokens import NewApiToken
    from rostrum.contracts.validation_messages import problems_of
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.access.permissions import ADMIN_GROUP, PERMISSION_PREFIX
    from rostrum.manager.records import as_json

    known = (ADMIN_GROUP,)
    names = [
        one if one.startswith(PERMISSION_PREFIX) or one in known else PERMISSION_PREFIX + one for one in permission
    ]
    try:
        body = NewApiToken(name=name, permissions=names, expires_in_days=days)
    except ValidationError as error:
        fail("; ".join(str(problem) for problem in problems_of(error)))
    settings = require_database(config, quiet=json)

    async def action(parts: dict[str, Any]) -> Any:
        return await parts["api_tokens"].create(SYSTEM, user, body)

    token, text = run_or_fail(settings, "tokens create", action, comment, ticket)
    if json:
        show_json(json_values({**as_json(token), "token": text}))
        return
    say(f"API token {token.name} of {token.user} created. It expires on {token.expires:%Y-%m-%d}.")
    typer.echo(text)


@app.command()
def revoke(
    token_id: Annotated[str, typer.Argument(help="The ID of the token.", metavar="ID", show_default=False)],
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Revoke an API token. Requests with it are refused from now on."""
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config, quiet=json)

    async def action(parts: dict[str, Any]) -> None:
        await parts["api_tokens"].revoke(SYSTEM, token_id)

    run_or_fail(settings, "tokens revoke", action, comment, ticket)
    if json:
        show_json({"id": token_id, "revoked": True})
    else:
        say(f"API token {token_id} revoked")
