"""The file store: one file per layout in a folder of the environment-region pair."""

import asyncio
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile
from rostrum.base.signal import Signal
from rostrum.contracts.layouts.layout import check_layout
from rostrum.stores.errors import StoreFailed
from rostrum.stores.layouts.store import Layout, LayoutKey, no_such_layout, stored
from rostrum.stores.outbox import set_aside

_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")
_DEFAULT = "default.json"


class LayoutFolder:
    """Layouts in files, replaced atomically; a damaged file is renamed and reported."""

    def __init__(self, folder: Path, *, private: bool = False) -> None:
        """Use the folder, which is created with the first layout.

        Only the owner can read files of a ``private`` folder.
        """
        self.folder = folder
        self._private = private
        self.problems: list[str] = []

    def read(self) -> dict[LayoutKey, Layout]:
        found: dict[LayoutKey, Layout] = {}
        for path in sorted(self.folder.glob("*.layout.json")):
            layout = self._read(path)
            if layout is not None:
                found[LayoutKey.of(layout)] = layout
        return found

    def write(self, layout: Layout) -> None:
        """Create or replace a layout's file."""
        self._file(self._path(LayoutKey.of(layout))).write(layout)

    def delete(self, key: LayoutKey) -> None:
        self._path(key).unlink(missing_ok=True)

    def read_default(self) -> LayoutKey | None:
        try:
            chosen = self._file(self.folder / _DEFAULT).read()
            return None if chosen is None else LayoutKey(str(chosen["type"]), str(chosen["name"]))
        except FileNotFoundError:
            return None
        except (DamagedFile, NewerFile, OSError, LookupError, TypeError) as error:
            self._aside(self.folder / _DEFAULT, str(error))
            return None

    def write_default(self, key: LayoutKey | None) -> None:
        self._file(self.folder / _DEFAULT).write(None if key is None else {"type": key.type, "name": key.name})

    def _read(self, path: Path) -> Layout | None:
        try:
            layout: Any = self._file(path).read()
        except (DamagedFile, NewerFile) as error:
            self._aside(path, str(error))
            return None
        except OSError as error:
            self.problems.append(f"{path} cannot be read: {error.strerror or error}")
            return None
        wrong = check_layout(layout)
        if wrong:
            self._aside(path, str(wrong[0]))
            return None
        return stored(layout)

    def _file(self, path: Path) -> JsonFile:
        return JsonFile(path, private=self._private)

    def _aside(self, path: Path, reason: str) -> None:
        aside = set_aside(path, reason)
        self.problems.append(f"{path.name} cannot be used and is kept as {aside.name}: {reason}")

    def _path(self, key: LayoutKey) -> Path:
        # Names may contain any characters and differ only in case; the digest distinguishes them, the rest is for
        # readability.
        readable = _NOT_IN_A_NAME.sub("_", f"{key.type}-{key.name}")[:60]
        mark = hashlib.sha256(f"{key.type}\0{key.name}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return self.folder / f"{readable}.{mark}.layout.json"


class FileLayoutStore:
    """Stores layouts on this machine."""

    def __init__(self, folder: Path) -> None:
        self.name = f"file {folder}"
        self.changed: Signal[None] = Signal()
        self.connectivity_changed: Signal[None] = Signal()
        self.offline_reason: str | None = None
        self._folder = LayoutFolder(folder)
        self._layouts: dict[LayoutKey, Layout] = {}
        self._default: LayoutKey | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """Return the files that could not be used."""
        return tuple(self._folder.problems)

    async def open(self) -> None:
        try:
            self._layouts = await asyncio.to_thread(self._folder.read)
            self._default = await asyncio.to_thread(self._folder.read_default)
        except OSError as error:
            raise StoreFailed(f"{self._folder.folder} cannot be read: {error.strerror or error}") from error

    async def close(self) -> None: ...

    async def refresh(self) -> None:
        await self.open()
        self.changed.emit(None)

    def layouts(self) -> Mapping[LayoutKey, Layout]:
        return dict(self._layouts)

    async def save(self, layout: Layout) -> None:
        refuse_wrong(layout)
        layout = stored(layout)
        await self._write(self._folder.write, layout)
        self._layouts[LayoutKey.of(layout)] = layout
        self.changed.emit(None)

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Write the file under its new name, then remove the old file."""
        renamed = renamed_layout(self._layouts, key, new_name)
        await self.save(renamed)
        if self._default == key:
            await self.set_default(LayoutKey.of(renamed))
        await self.remove(key)

    async def remove(self, key: LayoutKey) -> None:
        await self._write(self._folder.delete, key)
        if self._default == key:
            await self.set_default(None)
        if self._layouts.pop(key, None) is not None:
            self.changed.emit(None)

    def default(self) -> LayoutKey | None:
        """Return the layout that is restored at start-up."""
        return self._default

    async def set_default(self, key: LayoutKey | None) -> None:
        refuse_unknown(self._layouts, key)
        await self._write(self._folder.write_default, key)
        self._default = key

    async def _write(self, how: Any, what: object) -> None:
        try:
            await asyncio.to_thread(how, what)
        except OSError as error:
            raise StoreFailed(f"{self._folder.folder} cannot be written: {error.strerror or error}") from error


def refuse_wrong(layout: Layout) -> None:
    """Raise StoreFailed for an invalid layout."""
    wrong = check_layout(layout)
    if wrong:
        raise StoreFailed(f"the layout cannot be saved: {wrong[0]}")


def refuse_unknown(layouts: Mapping[LayoutKey, Layout], key: LayoutKey | None) -> None:
    """Raise StoreFailed for an unknown key."""
    if key is not None and key not in layouts:
        raise StoreFailed(no_such_layout(key, layouts))


def renamed_layout(layouts: Mapping[LayoutKey, Layout], key: LayoutKey, new_name: str) -> Layout:
    """Return a layout under its new name; raise StoreFailed if the layout does not exist or the name is taken."""
    refuse_unknown(layouts, key)
    if LayoutKey(key.type, new_name) in layouts:
        raise StoreFailed(f"there is already a {key.type} layout {new_name!r}")
    renamed = {**layouts[key], "name": new_name}
    refuse_wrong(renamed)
    return renamed
