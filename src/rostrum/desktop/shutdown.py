"""The requested end of the platform, and whether it restarts."""

import asyncio
import logging

_log = logging.getLogger(__name__)


class Shutdown:
    """The requested end of the platform.

    Attributes:
        requested: Set as soon as the end is requested.
        restart: Whether the platform starts again afterwards.
        failure: Why the platform stops by itself; None if the end was requested.
    """

    def __init__(self) -> None:
        self.requested = asyncio.Event()
        self.restart = False
        self.failure: str | None = None

    def request(self, *, restart: bool = False) -> None:
        """Request the end, without calling handlers or prompting the user; the caller of the platform then stops it."""
        self.restart = restart
        self.requested.set()

    def fail(self, reason: str) -> None:
        """Request the end because the platform must not continue."""
        _log.error("%s", reason)
        self.failure = reason
        self.request()
