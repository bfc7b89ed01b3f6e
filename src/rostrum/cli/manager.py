"""rostrum manager: creates a configuration, runs the server, and migrates the database."""

import asyncio
import json
import logging
import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from rostrum.base.command_line import command, path_argument
from rostrum.base.memory import load_without_collecting
from rostrum.cli.deferred_commands import deferred
from rostrum.cli.find_config import FILE_NAME
from rostrum.cli.manager_parts import refuse_moved_database
from rostrum.cli.output import fail, say, warn
from rostrum.cli.settings_file import ConfigOption, open_settings, write_private

_log = logging.getLogger(__name__)

_FIRST = {
    "doctor": "doctor:of_manager",
    "report": "manager_report:report",
    "api": "manager_api:call_api",
    "export": "manager_transfer:export_all",
    "import": "manager_transfer:import_all",
}
_LAST = {
    "user": "manager_users:app",
    "tokens": "manager_tokens:app",
    "directory": "manager_directories:app",
    "bulk": "manager_bulk:app",
    "commands": "manager_commands:app",
    "compare": "manager_compare:app",
    "config": "manager_config:app",
    "crashes": "manager_crashes:app",
    "rollouts": "manager_rollouts:app",
    "audit": "manager_audit:app",
    "proposals": "manager_proposals:app",
    "views": "manager_views:app",
}

app = typer.Typer(cls=deferred(_FIRST, _LAST), help="The manager server.", no_args_is_help=True, add_completion=False)


@app.command()
def init(
    folder: Annotated[Path, typer.Option("--dir", help="Folder for the configuration file.", file_okay=False)] = Path(),
    admin: Annotated[str, typer.Option(help="User ID of the first administrator.")] = "admin",
    port: Annotated[int, typer.Option(help="Port of the server.", min=1, max=65535)] = 4356,
) -> None:
    """Create a configuration with new secrets and a first administrator."""
    path = folder / FILE_NAME
    if path.exists():
        fail(f"{path} already exists. Remove the file, or choose another folder with --dir.")
    password = secrets.token_urlsafe(12)
    text = starter_text(f"{admin}:{password}", port)
    folder.mkdir(parents=True, exist_ok=True)
    write_private(path, text)
    say(f"wrote {path} (readable only by you)")
    say(f"first administrator: {admin}")
    say(f"password:            {password}")
    serving = command("manager", "serve", "--config", path_argument(path))
    say(f"next: {serving}")


@app.command()
def serve(config: ConfigOption = None) -> None:
    """Run the server."""
    load_without_collecting()
    # pydantic would search all installed packages for plugins, and the manager uses none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "true")
    from rostrum.base.log import set_up_logging
    from rostrum.manager.config import describe
    from rostrum.manager.server import announcement
    from rostrum.manager.server import serve as serve_until_stopped

    settings = open_settings(config, quiet=True)
    loaded = settings.loaded
    refuse_moved_database(settings)
    set_up_logging(loaded.config.log_level, loaded.config.log_format)
    if loaded.config.log_format == "text":
        settings.found.announce()
        say("effective settings:")
        for name, value, origin in describe(loaded):
            say(f"  {name} = {value}  ({origin})")
        for note in loaded.notes:
            warn(note)
    else:
        # Log collectors parse every line as JSON.
        if loaded.file is not None:
            _log.info("using the configuration %s", loaded.file)
        in_force = {name: f"{value} ({origin})" for name, value, origin in describe(loaded)}
        _log.info("effective settings", extra={"fields": in_force})
        for note in loaded.notes:
            _log.warning("%s", note)
    serve_until_stopped(
        loaded.config,
        lambda address: typer.echo(announcement(loaded.config, address)),
        loaded.origins,
        command=settings.command_line,
    )


@app.command()
def migrate(config: ConfigOption = None) -> None:
    """Migrate the database to the current schema; `serve` does the same when it starts."""
    from rostrum.manager.topics import manager_storage

    settings = open_settings(config)
    refuse_moved_database(settings)

    async def run() -> tuple[str | None, str | None]:
        storage = manager_storage(settings.config.store)
        try:
            before = await storage.version()
            await storage.open()
            return before, await storage.version()
        finally:
            await storage.close()

    before, after = asyncio.run(run())
    unchanged = f"the database is at migration {after}"
    say(unchanged if before == after else f"migrated from {before or 'nothing'} to {after}")


def starter_text(first_user: str, port: int, store: str = "sqlite:///rostrum.db") -> str:
    """Return the configuration text of a new manager."""
    from rostrum.manager.config import starter_document

    document = starter_document(
        f"http://127.0.0.1:{port}", secrets.token_urlsafe(48), store, users=[first_user], port=port
    )
    return json.dumps(document, indent=2) + "\n"
