"""rostrum manager user link: links with which users set their password."""

import sys
from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, checked, json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption


def create_links(
    ids: Annotated[
        list[str],
        typer.Argument(help="User IDs. `-` reads them from standard input, one on each line.", show_default=False),
    ],
    *,
    url: Annotated[
        str,
        typer.Option(help="Address of the admin UI, such as https://manager.example.com/admin.", show_default=False),
    ] = "",
    comment: CommentOption = "",
    ticket: TicketOption = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show for which users links would be created.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    config: ConfigOption = None,
) -> None:
    """Create links with which users set their password, and print them.

    The links are secrets, and cannot be printed again. Each link works once, and a new link replaces the earlier one.
    Exits with 1 if a user was refused.
    """
    from rostrum.contracts.password_links import NewPasswordLinks
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config, quiet=json)
    names = [line.strip() for line in sys.stdin.read().splitlines() if line.strip()] if ids == ["-"] else ids
    if not names:
        fail("name at least one user", 2)
    body = checked(NewPasswordLinks, {"users": names})

    async def run(parts: dict[str, Any]) -> Any:
        return await parts["password_links"].create(SYSTEM, body.users, is_dry_run=dry_run)

    made = run_or_fail(settings, "user link", run, comment, ticket)
    refused = [each for each in made if each.message is not None]
    if json:
        show_json(json_values([{**each.as_json(), "link": _address(url, each.token)} for each in made]))
    else:
        if dry_run:
            say(f"Dry run. Nothing was changed. {len(made) - len(refused):,} users would get a link.")
        created = [each for each in made if each.token is not None]
        for each in created:
            typer.echo(f"{each.user}\t{_address(url, each.token)}\t{each.expires:%Y-%m-%d %H:%M} UTC")
        if refused:
            show_table(("refused", "reason"), [(each.user, each.message or "") for each in refused])
    if refused:
        raise typer.Exit(1)


def _address(url: str, token: str | None) -> str | None:
    return None if token is None else f"{url.rstrip('/') or '/admin'}/set-password#{token}"
