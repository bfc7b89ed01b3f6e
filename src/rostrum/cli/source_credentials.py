"""Credentials for commands that fetch configuration: from a file, or entered in a terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rostrum.cli.output import fail, say, warn

if TYPE_CHECKING:
    from rostrum.desktop.login import Login
    from rostrum.sources.access import SourceAccess
    from rostrum.sources.load import Early


CredentialsOption = Annotated[
    Path | None,
    typer.Option(
        "--credentials",
        help="A file with user:password for a manager that is a source, instead of a prompt.",
        show_default=False,
    ),
]


def source_access(early: "Early", credentials: Path | None) -> "SourceAccess":
    """Sign in if the manager is one of the sources; end with the reason if that fails."""
    import asyncio

    from rostrum.sources.access import SourceAccess

    return asyncio.run(_signed_in(early, credentials)) if early.is_configured_by_manager else SourceAccess()


async def ask_for_source(origin: str) -> "Login | None":
    """Prompt for the credentials of one origin; return None without a terminal, or if the user enters none."""
    from rostrum.cli.prompt import ask_in_terminal
    from rostrum.desktop.login import Login

    if not sys.stdin.isatty():
        return None
    say(
        f"The configuration source {origin} requires a user name and password. They are sent to {origin} only. "
        "Leave the user name empty to continue without this source."
    )
    user = await ask_in_terminal(f"user for {origin}", default="", show_default=False)
    if not user:
        return None
    password = await ask_in_terminal(f"password for {origin}", hide_input=True)
    return Login(user, password)


async def _signed_in(early: "Early", credentials: Path | None) -> "SourceAccess":
    from rostrum.base.addresses import url_origin
    from rostrum.client.credentials import Basic
    from rostrum.client.errors import NotPermitted, ServiceFailed
    from rostrum.client.manager_client import ManagerClient
    from rostrum.client.service import Service
    from rostrum.desktop.login import from_file
    from rostrum.sources.access import SourceAccess

    origin = early.manager.origin or ""
    login = await (ask_for_source(origin) if credentials is None else from_file(credentials)(""))
    if login is None:
        say(f"Not signed in to {origin}. Provide a user name and password with --credentials.")
        return SourceAccess()
    if login.origin is not None and url_origin(login.origin) != origin:
        fail(f"the credentials are for {login.origin}, but {origin} is another origin")
    basic = Basic(login.user, login.password, origin)
    try:
        async with Service(early.manager.url or "", basic) as service:
            user = (await ManagerClient(service).me()).id
    except NotPermitted:
        fail(f"{origin} does not accept the user name and password.")
    except ServiceFailed as error:
        warn(f"{origin}: {error}")
        return SourceAccess()
    return SourceAccess(origin, user, basic.auth)
