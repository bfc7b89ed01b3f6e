"""rostrum manager user: the users of a manager, without the server running."""

import secrets
import sys
from typing import Annotated, Any

import typer

from rostrum.cli import manager_user_imports, manager_user_links
from rostrum.cli.manager_parts import CommentOption, TicketOption, checked, json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption, ManagerSettings

app = typer.Typer(help="Add, list and change users.", no_args_is_help=True)
app.command("import")(manager_user_imports.import_users)
app.command("link")(manager_user_links.create_links)

UserArgument = Annotated[str, typer.Argument(help="The user ID.", metavar="ID", show_default=False)]
GroupOption = Annotated[list[str], typer.Option("--group", "-g", help="Add the user to this group. Can be repeated.")]
StdinOption = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]
GenerateOption = Annotated[bool, typer.Option("--generate", help="Generate a password and print it.")]
ServiceOption = Annotated[
    bool, typer.Option("--service", help="Create a service account: it has no password and uses API tokens.")
]
AdminOption = Annotated[bool, typer.Option("--admin", help="Add the user to the admin group.")]
TokensOption = Annotated[
    bool, typer.Option("--tokens/--keep-tokens", help="Whether the user's API tokens are revoked too.")
]
WorkOption = Annotated[
    bool,
    typer.Option(
        "--planned-work/--keep-planned-work",
        help="Whether the user's command runs, unfetched commands, bulk changes and roll-outs are stopped too.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def add(
    user_id: UserArgument,
    *,
    name: Annotated[
        str | None, typer.Option("--display-name", help="The name that is shown next to the ID.", show_default=False)
    ] = None,
    email: Annotated[str | None, typer.Option(help="The user's e-mail address.", show_default=False)] = None,
    group: GroupOption = [],  # noqa: B006 - typer copies it
    admin: AdminOption = False,
    service: ServiceOption = False,
    password_stdin: StdinOption = False,
    generate: GenerateOption = False,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Create a user."""
    from rostrum.contracts.users import NewUser
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.access.permissions import ADMIN_GROUP

    groups = [*group, ADMIN_GROUP] if admin else group
    settings = require_database(config)
    if service and (password_stdin or generate):
        fail("A service account has no password. Create a token for it with `rostrum manager tokens create`.", 2)
    password = None if service else _password(password_stdin=password_stdin, generate=generate)
    members: dict[str, Any] = {"id": user_id, "displayName": name, "email": email, "groups": groups}
    members |= {"password": password, "service": service}
    body = checked(NewUser, members)
    run_or_fail(settings, "user add", lambda parts: parts["users"].create(SYSTEM, body), comment, ticket)
    say(f"user {user_id} created")
    if generate:
        typer.echo(password)


@app.command("list")
def list_users(
    *,
    q: Annotated[str, typer.Option("--query", "-q", help="Text to search for.")] = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List users."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    settings = require_database(config, quiet=json)
    query = Query(limit=100_000, text=q)

    async def read(parts: dict[str, Any]) -> tuple[Any, Any]:
        page = await parts["users"].page(SYSTEM, query)
        return page, await parts["users"].last_seen(SYSTEM, page.items)

    page, seen = run_or_fail(settings, "user list", read)
    if json:
        names = ("id", "displayName", "email", "groups", "disabled", "disabledSince", "service")
        views = [{**user.as_json(), "lastSeen": seen.get(user.id)} for user in page.items]
        show_json(json_values([{name: view[name] for name in (*names, "lastSeen")} for view in views]))
        return
    rows = [
        (
            user.id,
            user.display_name or "",
            user.email or "",
            ", ".join(user.groups),
            ", ".join(
                word for word, holds in (("service account", user.service), ("disabled", user.disabled)) if holds
            ),
            f"{seen[user.id]:%Y-%m-%d %H:%M}" if user.id in seen else "never",
        )
        for user in page.items
    ]
    show_table(("id", "name", "email", "groups", "", "last seen"), rows)


@app.command()
def passwd(
    user_id: UserArgument,
    *,
    password_stdin: StdinOption = False,
    generate: GenerateOption = False,
    tokens: TokensOption = True,
    planned_work: WorkOption = True,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Set a user's password. All sessions of the user end."""
    settings = require_database(config)
    password = _password(password_stdin=password_stdin, generate=generate)
    members = {"password": password, "revokeApiTokens": tokens, "stopPlannedWork": planned_work}
    _change(settings, "user passwd", user_id, members, (comment, ticket))
    say(f"password of {user_id} set; open sessions have ended")
    if generate:
        typer.echo(password)


@app.command()
def disable(
    user_id: UserArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Disable a user. All sessions of the user end."""
    _change(require_database(config), "user disable", user_id, {"disabled": True}, (comment, ticket))
    say(f"user {user_id} disabled; open sessions have ended")


@app.command()
def enable(
    user_id: UserArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Enable a disabled user."""
    _change(require_database(config), "user enable", user_id, {"disabled": False}, (comment, ticket))
    say(f"user {user_id} enabled")


@app.command("sign-out")
def sign_out(
    user_id: UserArgument,
    *,
    tokens: TokensOption = True,
    planned_work: WorkOption = True,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """End all sessions of a user, in browsers and on desktops. The password stays valid."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.users.endings import Endings

    settings = require_database(config, quiet=json)
    ended = run_or_fail(
        settings,
        "user sign-out",
        lambda parts: parts["users"].sign_out(SYSTEM, user_id, Endings(tokens, planned_work)),
        comment,
        ticket,
    )
    if json:
        show_json(ended.as_json())
        return
    say(
        f"user {user_id} signed out; desktops: {ended.desktops:,}, revoked API tokens: {ended.api_tokens:,}, "
        f"stopped planned work: {ended.planned_work:,}"
    )


@app.command()
def groups(
    user_id: UserArgument,
    *,
    add: Annotated[list[str], typer.Option("--add", help="Add the user to this group.")] = [],  # noqa: B006
    remove: Annotated[list[str], typer.Option("--remove", help="Remove the user from this group.")] = [],  # noqa: B006
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Show or change a user's groups."""
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config, quiet=json)
    user = run_or_fail(settings, "user groups", lambda parts: parts["users"].get(SYSTEM, user_id))
    if add or remove:
        wanted = sorted({*user.groups, *add} - set(remove))
        user = _change(settings, "user groups", user_id, {"groups": wanted}, (comment, ticket))
    if json:
        show_json(list(user.groups))
    else:
        for name in user.groups:
            typer.echo(name)


def _change(
    settings: ManagerSettings, command: str, user_id: str, members: dict[str, Any], reason: tuple[str, str]
) -> Any:
    from rostrum.contracts.users import UserChange
    from rostrum.manager.access.identity import SYSTEM

    body = checked(UserChange, members)
    return run_or_fail(settings, command, lambda parts: parts["users"].change(SYSTEM, user_id, body), *reason)


def _password(*, password_stdin: bool, generate: bool) -> str:
    if generate:
        return secrets.token_urlsafe(12)
    if password_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        fail("no terminal to ask for the password: use --password-stdin or --generate", 2)
    password: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return password
