"""The manager's components for commands that use the database without a running server."""

import asyncio
import getpass
import socket
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from rostrum.cli.output import fail
from rostrum.cli.settings_file import ManagerSettings, open_settings

if TYPE_CHECKING:
    from rostrum.manager.storage import Storage


Answer = TypeVar("Answer")

CommentOption = Annotated[str, typer.Option(help="The reason for the change, for the audit log.")]
TicketOption = Annotated[str, typer.Option(help="The number of a ticket, for the audit log.")]


def require_database(config: Path | None, *, quiet: bool = False) -> ManagerSettings:
    """Read the settings of a manager whose database exists; only `serve`, `migrate` and `up` may create one."""
    settings = open_settings(config, quiet=quiet)
    missing = settings.loaded.missing_database()
    if missing is not None and settings.loaded.has_moved_database:
        fail(missing)
    if missing is not None:
        _refuse(settings, missing)
    return settings


def refuse_moved_database(settings: ManagerSettings) -> None:
    """End the command if a database exists in the location of earlier versions, instead of creating an empty one."""
    if settings.loaded.has_moved_database:
        fail(settings.loaded.missing_database() or "")


async def require_tables(settings: ManagerSettings, storage: "Storage") -> None:
    """End the command if the database is empty."""
    from rostrum.manager.config.store_address import hide_store_password

    if await storage.version() is None:
        name = settings.loaded.database_file or hide_store_password(settings.config.store)
        _refuse(settings, f"The database {name} has no tables.")


def run_with_parts(
    settings: ManagerSettings,
    command: str,
    action: Callable[[dict[str, Any]], Awaitable[Answer]],
    comment: str = "",
    ticket: str = "",
) -> Answer:
    """Open the components, and run a function with them; the audit log records command, machine and reason."""
    from rostrum.manager.manager import Manager

    async def run() -> Answer:
        manager = Manager.of(settings.config)
        try:
            await require_tables(settings, manager.storage)
            await manager.storage.open()
            with acting_for(command, comment, ticket):
                return await action(manager.resources())
        finally:
            await manager.close()

    return asyncio.run(run())


def run_or_fail(
    settings: ManagerSettings,
    command: str,
    action: Callable[[dict[str, Any]], Awaitable[Answer]],
    comment: str = "",
    ticket: str = "",
) -> Answer:
    """Run an action. If the request is invalid, print all problems and end the command."""
    from rostrum.base.errors import Invalid

    try:
        return run_with_parts(settings, command, action, comment, ticket)
    except Invalid as error:
        # A request with one invalid value can have the same message for the request and for the value.
        fail("; ".join([str(error), *(str(problem) for problem in error.problems if problem.message != str(error))]))


def checked(kind: Any, members: dict[str, Any]) -> Any:
    """Return a valid request, or end the command with its problems."""
    from pydantic import ValidationError

    from rostrum.contracts.validation_messages import problems_of

    try:
        return kind.model_validate(members)
    except ValidationError as error:
        fail("; ".join(str(problem) for problem in problems_of(error)))


def json_values(view: Any) -> Any:
    """Return a view with JSON values only, as the API sends it."""
    from rostrum.base import json_text

    return json_text.parse(json_text.dump(view))


def acting_for(command: str, comment: str = "", ticket: str = "") -> AbstractContextManager[None]:
    """Record the command, the machine and the reason in the audit log."""
    from rostrum import __version__
    from rostrum.manager.changes.origin import RequestOrigin, acting
    from rostrum.manager.changes.reasons import checked_reason

    origin = RequestOrigin(
        operation=f"rostrum manager {command}",
        address=_account(),
        agent=f"rostrum/{__version__}",
        reason=checked_reason(comment, ticket),
        is_administration=True,
    )
    return acting(origin)


def _refuse(settings: ManagerSettings, problem: str) -> NoReturn:
    create = settings.command_line("manager", "migrate")
    fail(f"{problem} Check the setting `store`, or create the database with `{create}`.")


def _account() -> str:
    name = "?"
    with suppress(KeyError, OSError, ImportError):
        name = getpass.getuser()
    return f"{name}@{socket.gethostname()}"[:200]
