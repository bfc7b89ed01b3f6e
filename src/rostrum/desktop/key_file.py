"""KeyFile: with what the commands of the same person join the gateway of a running platform."""

import logging
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from rostrum.base.json_file import write_whole
from rostrum.desktop.errors import NotReachable

__all__ = ["Key", "KeyFile"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """Where the gateway listens, and a sign-in that is good until the platform ends."""

    address: str
    user: str
    secret: str = field(repr=False)


class KeyFile:
    """One small file beside the status, for its owner alone."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "key.json"

    def write(self, key: Key) -> None:
        """Replace it; a full disk must not stop the platform."""
        try:
            # The file beside it that is renamed at the end is made for its owner alone.
            write_whole(self._path, msgspec.json.encode(key))
        except OSError as error:
            _log.warning("commands will not find this platform: %s", error.strerror or error)

    def read(self) -> Key:
        """Return what the running platform has written; raise NotReachable with the reason why there is nothing."""
        try:
            with self._path.open("rb") as file:
                owner = os.fstat(file.fileno()).st_uid
                text = file.read()
        except FileNotFoundError:
            raise NotReachable("the platform is still starting, or is about to end; try again") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise NotReachable(f"the platform of another user runs here: {self._path}: {reason}") from None
        if not _is_believed(owner):
            raise NotReachable(f"{self._path} is another user's, so it is not believed")
        try:
            return msgspec.json.decode(text, type=Key)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise NotReachable(f"{self._path} is damaged; restart the platform") from None

    def remove(self) -> None:
        """Remove it at a clean end; what a killed platform leaves behind opens nothing any more."""
        with suppress(OSError):
            self._path.unlink()


def _is_believed(owner: int) -> bool:
    """Return whether a file of this user is what we would have written: a planted file could show false apps."""
    if not hasattr(os, "geteuid"):
        return True
    asking: int = os.geteuid()
    return asking in (0, owner)
