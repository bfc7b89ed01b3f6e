"""Applying an update: the new version is added beside the others, made current, and started."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.updates.checker import Apply, Update
from rostrum.installation.versions import Installation

__all__ = ["applier"]

_log = logging.getLogger(__name__)


def applier(installation: Installation, restart: Callable[[], Awaitable[bool]], is_idle: Callable[[], bool]) -> Apply:
    """Return the function that applies updates to an installation.

    Without a confirmation by the user, the platform restarts only while no app runs.
    """

    async def apply(update: Update) -> None:
        try:
            await asyncio.to_thread(installation.update, update.file, update.version)
        except OSError as error:
            raise DesktopError(
                f"Version {update.version} cannot be installed in {installation.root}: {error.strerror or error}"
            ) from error
        _log.info("version %s is current and starts with the next start", update.version)
        if update.is_confirmed or is_idle():
            await restart()

    return apply
