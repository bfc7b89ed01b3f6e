"""The file with which commands of the same user connect to the gateway of a running platform."""

import logging
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from rostrum.base.json_file import write_whole
from rostrum.desktop.errors import NotReachable

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """The address of the gateway, and credentials that are valid until the platform ends."""

    address: str
    user: str
    secret: str = field(repr=False)


class KeyFile:
    """A small file beside the status, readable by its owner only."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "key.json"

    def write(self, key: Key) -> None:
        """Replace it; a full disk must not stop the platform."""
        try:
            # The temporary file is readable by its owner only.
            write_whole(self._path, msgspec.json.encode(key))
        except OSError as error:
            _log.warning("commands will not find this platform: %s", error.strerror or error)

    def read(self) -> Key:
        """Return the key of the running platform; raise NotReachable with the reason if there is none."""
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
            raise NotReachable(f"{self._path} belongs to another user and is not trusted")
        try:
            return msgspec.json.decode(text, type=Key)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise NotReachable(f"{self._path} is damaged; restart the platform") from None

    def remove(self) -> None:
        """Remove it at a clean end; the key of a killed platform is no longer valid."""
        with suppress(OSError):
            self._path.unlink()


def _is_believed(owner: int) -> bool:
    """Return whether this platform could have written the file: a planted file could show false apps."""
    if not hasattr(os, "geteuid"):
        return True
    asking: int = os.geteuid()
    return asking in (0, owner)
