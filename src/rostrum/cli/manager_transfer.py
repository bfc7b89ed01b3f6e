"""rostrum manager export and import: all data of a server in one file."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, acting_for, require_database, require_tables
from rostrum.cli.output import fail, say, warn
from rostrum.cli.settings_file import ConfigOption, ManagerSettings

if TYPE_CHECKING:
    from rostrum.manager.kinds import Action
    from rostrum.manager.storage import Storage


def export_all(
    file: Annotated[Path, typer.Argument(help="Output file. It contains password hashes; protect it.")],
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Export all data of the server to one file: users, documents, history, audit log and reports."""
    if file.exists():
        fail(f"{file} already exists; remove it first, or choose another name")

    origin = acting_for("export", comment, ticket)

    async def run(storage: "Storage") -> int:
        from rostrum.manager.transfer.repository import export_lines

        await storage.refuse_newer_schema("export")
        rows = 0
        part = file.with_name(f"{file.name}.part")
        # Only the owner can read the file, from its creation on.
        opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(opened, "wb") as out, _progress() as tell:
                await _report_export(storage, origin)
                async for line in export_lines(storage.database, storage.place, tell):
                    out.write(line)
                    rows += 1
                out.flush()
                os.fsync(out.fileno())
            part.replace(file)
        finally:
            # An incomplete export is useless, and contains password hashes.
            part.unlink(missing_ok=True)
        return rows - 2

    rows = asyncio.run(_with_storage(require_database(config), run))
    say(f"wrote {rows:,} rows to {file} (readable only by you)")


def import_all(
    file: Annotated[Path, typer.Argument(help="A file written by export.", exists=True, dir_okay=False)],
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    config: ConfigOption = None,
) -> None:
    """Import an export into an empty database. If the import fails, nothing is changed. Users must sign in again."""
    origin = acting_for("import", comment, ticket)

    async def run(storage: "Storage") -> int:
        from rostrum.manager.kinds import Action
        from rostrum.manager.transfer.lines import lines_of
        from rostrum.manager.transfer.repository import import_lines

        await storage.open()
        await storage.refuse_newer_schema("import")
        with file.open("rb") as lines, _progress() as tell:
            rows = await import_lines(storage.database, lines_of(lines), tell)
        await _report(storage, origin, Action.IMPORTED, rows=rows)
        return rows

    rows = asyncio.run(_with_storage(require_database(config), run))
    say(f"imported {rows:,} rows")


async def _with_storage(settings: ManagerSettings, run: "Callable[[Storage], Awaitable[int]]") -> int:
    from rostrum.manager.files.file_place import file_place
    from rostrum.manager.topics import manager_storage

    config = settings.config
    storage = manager_storage(config.store, place=file_place(config.files_folder, config.files_bucket))
    try:
        await require_tables(settings, storage)
        return await run(storage)
    finally:
        await storage.close()


async def _report_export(storage: "Storage", origin: AbstractContextManager[None]) -> None:
    from rostrum.manager.errors import StorageError
    from rostrum.manager.kinds import Action

    try:
        await _report(storage, origin, Action.EXPORTED)
    except StorageError as error:
        # If the database cannot be written, the export may be the only way to save the data.
        warn(f"the export cannot be recorded in the audit log: {error}")


async def _report(storage: "Storage", origin: AbstractContextManager[None], action: "Action", **more: int) -> None:
    """Record the export or import in the audit log, because the file contains all data, including password hashes."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.kinds import Kind

    with origin:
        async with storage.note(SYSTEM.user) as work:
            work.journal.noted(Kind.SERVER, "*", action, after=more or None)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show the progress on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rows", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
