"""Shutdown: who asked the platform to end, and whether it starts again."""

import asyncio
import logging

__all__ = ["Shutdown"]

_log = logging.getLogger(__name__)


class Shutdown:
    """The requested end of the platform.

    Attributes:
        requested: Set as soon as the platform is asked to stop.
        restart: Whether the platform starts again afterwards.
        failure: Why the platform stops by itself; None when somebody asked for the end.

    """

    def __init__(self) -> None:
        """Begin without a request."""
        self.requested = asyncio.Event()
        self.restart = False
        self.failure: str | None = None

    def request(self, *, restart: bool = False) -> None:
        """Ask for the end, without asking apps or people; the code that runs the platform then stops it."""
        self.restart = restart
        self.requested.set()

    def fail(self, reason: str) -> None:
        """Ask for the end because the platform must not continue."""
        _log.error("%s", reason)
        self.failure = reason
        self.request()
