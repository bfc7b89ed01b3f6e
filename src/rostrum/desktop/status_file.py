"""The status of a running platform, for ``rostrum desktop status``."""

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

from rostrum.base.json_file import write_whole
from rostrum.base.json_text import dump, parse

_log = logging.getLogger(__name__)


class StatusFile:
    """One small file in the user data of the environment-region pair."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "status.json"

    def write(self, status: dict[str, Any]) -> None:
        """Replace it; a full disk must not stop the platform."""
        try:
            write_whole(self._path, dump(status))
        except OSError as error:
            _log.warning("the status cannot be written: %s", error.strerror or error)

    def read(self) -> dict[str, Any] | None:
        """Return the last written status."""
        try:
            status = parse(self._path.read_bytes())
        except (OSError, ValueError):
            return None
        return status if isinstance(status, dict) else None

    def remove(self) -> None:
        """Remove it at a clean end."""
        with suppress(OSError):
            self._path.unlink()
