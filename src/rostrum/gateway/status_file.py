"""The file with which programs of the same user find a running gateway; only this user can read it."""

import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from rostrum.base.json_file import write_whole

_PATTERN = "gateway-*.json"


@dataclass(frozen=True, slots=True)
class Found:
    """A gateway that is running, or was running when the file was written."""

    address: str
    pid: int
    token: str
    path: Path


class StatusFile:
    """The file of one gateway, with the token for its status."""

    def __init__(self, folder: Path) -> None:
        """Create a token; nothing is written yet."""
        self.token = secrets.token_urlsafe(24)
        self._folder = folder
        self._path: Path | None = None

    def write(self, address: str, port: int) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"gateway-{port}.json"
        content = {"address": address, "pid": os.getpid(), "token": self.token}
        # The temporary file is readable by its owner only.
        write_whole(path, msgspec.json.encode(content))
        self._path = path

    def remove(self) -> None:
        """Remove the file, unless another gateway has replaced it."""
        if self._path is not None and _read(self._path, self.token) is not None:
            self._path.unlink(missing_ok=True)


def find_running(folder: Path, port: int | None = None) -> list[Found]:
    """Find the gateways of this user, or the one on a port; leftover files of killed gateways are removed."""
    names = folder.glob(_PATTERN) if port is None else [folder / f"gateway-{port}.json"]
    written = [found for path in sorted(names) if (found := _read(path)) is not None]
    for found in written:
        if not _runs(found.pid):
            found.path.unlink(missing_ok=True)
    return [found for found in written if _runs(found.pid)]


def _runs(pid: int) -> bool:
    if sys.platform == "win32":
        # On Windows, the same call would end the process.
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return pid > 0
    return pid > 0


def _read(path: Path, token: str | None = None) -> Found | None:
    try:
        content = msgspec.json.decode(path.read_bytes(), type=dict[str, str | int])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    found = Found(str(content.get("address")), int(content.get("pid") or 0), str(content.get("token")), path)
    return found if token in (None, found.token) else None
