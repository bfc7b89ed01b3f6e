"""rostrum gateway add-user: edits the users file that a gateway checks sign-ins with."""

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from rostrum.cli.output import fail, say


def add_user(
    file: Annotated[Path, typer.Argument(help="The users file. Created if it does not exist.", show_default=False)],
    name: Annotated[str, typer.Argument(help="The user's name.", show_default=False)],
    *,
    generate: Annotated[bool, typer.Option("--generate", help="Generate a secret and print it.")] = False,
    secret_stdin: Annotated[bool, typer.Option("--secret-stdin", help="Read the secret from standard input.")] = False,
    service: Annotated[
        bool, typer.Option("--service", help="Allow this user's programs to see the programs of all users.")
    ] = False,
) -> None:
    """Add a user to the file, or change the secret of an existing user."""
    from rostrum.gateway.users_file import BadUser
    from rostrum.gateway.users_file import add_user as add

    secret = _secret(generate=generate, from_stdin=secret_stdin)
    try:
        add(file, name, secret, service=service)
    except BadUser as error:
        fail(str(error), 2)
    say(f"user {name} is in {file}")
    if generate:
        typer.echo(secret)


def _secret(*, generate: bool, from_stdin: bool) -> str:
    if generate:
        return secrets.token_urlsafe(12)
    if from_stdin:
        given = sys.stdin.readline().rstrip("\r\n")
    elif sys.stdin.isatty():
        given = typer.prompt("secret", hide_input=True, confirmation_prompt=True)
    else:
        fail("no terminal to ask for the secret: use --secret-stdin or --generate", 2)
    return given
