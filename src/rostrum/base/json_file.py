"""JSON files written by Rostrum: replaced atomically, with a version number and migrations from older versions."""

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rostrum.base.errors import Invalid, RostrumError
from rostrum.base.json_text import dump, parse
from rostrum.base.private_files import NotPrivate, os_user, read_private

Migration = Callable[[Any], Any]


class DamagedFile(RostrumError):
    """A file does not contain what Rostrum wrote.

    Attributes:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be used: {reason}")
        self.path = path
        self.reason = reason


class NewerFile(RostrumError):
    """A file was written by a newer version of Rostrum in a format that this version cannot read."""

    def __init__(self, path: Path, version: int, known: int) -> None:
        super().__init__(f"{path} has version {version}; this version of Rostrum reads versions up to {known}")
        self.path = path
        self.version = version


class JsonFile:
    """One JSON file with a version number."""

    def __init__(
        self,
        path: Path,
        version: int = 1,
        migrations: Mapping[int, Migration] | None = None,
        *,
        private: bool = False,
        most: int | None = None,
    ) -> None:
        """Set the current version, and for each older version the migration to the next one.

        Only the owner can read a ``private`` file; if another user could have written it, or if it has more than
        ``most`` bytes, it is treated as damaged.
        """
        self.path = path
        self._private = private
        self._most = most
        self._version = version
        self._migrations = dict(migrations or {})
        missing = sorted(set(range(1, version)) - set(self._migrations))
        if missing:
            raise ValueError(f"no migration exists for version {', '.join(map(str, missing))}")

    def read(self) -> Any:
        """Return the data in the current format; raise FileNotFoundError if the file does not exist."""
        version, data = self._unwrap(self._content())
        if version > self._version:
            raise NewerFile(self.path, version, self._version)
        for step in range(version, self._version):
            try:
                data = self._migrations[step](data)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise DamagedFile(self.path, f"version {step} cannot be brought to {step + 1}: {error!r}") from error
        return data

    def write(self, data: Any) -> None:
        """Replace the entire file."""
        owner = {"osUser": os_user()} if self._private else {}
        write_whole(self.path, dump({"version": self._version, **owner, "data": data}), private=self._private)

    def _content(self) -> bytes:
        try:
            return read_private(self.path, most=self._most) if self._private else self.path.read_bytes()
        except NotPrivate as error:
            raise DamagedFile(self.path, error.strerror or str(error)) from None

    def _unwrap(self, content: bytes) -> tuple[int, Any]:
        try:
            wrapper = parse(content)
        except Invalid as error:
            raise DamagedFile(self.path, str(error)) from error
        if not isinstance(wrapper, dict) or "data" not in wrapper:
            raise DamagedFile(self.path, "it must be an object with version and data")
        if self._private and wrapper.get("osUser", os_user()) != os_user():
            raise DamagedFile(self.path, "it was written for another user of the operating system; remove it")
        version = wrapper.get("version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise DamagedFile(self.path, "its version must be a number from 1")
        return version, wrapper["data"]


def write_whole(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a temporary file, flush it to the disk and rename it, so that readers never see partial content.

    Only the owner can read the file; if it is ``private``, the same applies to a folder that is created for it.
    """
    if private and not path.parent.exists():
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    # The rename survives a crash only after the folder was flushed. Windows neither needs nor allows this.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
