"""The manager's parts for commands that work on the database, without the server running."""

import asyncio
import getpass
import socket
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, suppress
from typing import Any, TypeVar

from rostrum.cli.settings_file import ConfigOption, load

__all__ = ["acting_for", "run_with_parts"]

Answer = TypeVar("Answer")


def run_with_parts(config: ConfigOption, command: str, action: Callable[[dict[str, Any]], Awaitable[Answer]]) -> Answer:
    """Open the parts, and do one thing with them; the audit tells which command on which machine it was."""
    from rostrum.manager.app import Manager

    async def run() -> Answer:
        manager = Manager.of(load(config).config)
        try:
            await manager.storage.open()
            with acting_for(command):
                return await action(manager.resources())
        finally:
            await manager.close()

    return asyncio.run(run())


def acting_for(command: str) -> AbstractContextManager[None]:
    """Let the audit tell which command on which machine it was."""
    from rostrum import __version__
    from rostrum.manager.storage import Origin, acting

    name = f"rostrum manager {command}"
    return acting(Origin(operation=name, address=_account(), agent=f"rostrum/{__version__}"))


def _account() -> str:
    name = "?"
    with suppress(KeyError, OSError, ImportError):
        name = getpass.getuser()
    return f"{name}@{socket.gethostname()}"[:200]
