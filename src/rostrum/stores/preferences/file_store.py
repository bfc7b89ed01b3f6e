"""The file store: one file per app in the prefs folder of the environment-region pair."""

import asyncio
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile
from rostrum.base.signal import Signal
from rostrum.stores.errors import StoreFailed
from rostrum.stores.outbox import set_aside
from rostrum.stores.preferences.base import Listeners, check_room, checked
from rostrum.stores.preferences.store import Data

_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")


class PreferenceFolder:
    """Preferences in files, replaced atomically; a damaged file is renamed and reported."""

    def __init__(self, folder: Path, *, private: bool = False) -> None:
        """Use the folder, which is created with the first file.

        Only the owner can read files of a ``private`` folder.
        """
        self.folder = folder
        self._private = private
        self.problems: list[str] = []

    def read(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for path in sorted(self.folder.glob("*.prefs.json")):
            try:
                record = JsonFile(path, private=self._private).read()
                found[str(record["app"])] = dict(record["data"])
            except (DamagedFile, NewerFile, LookupError, TypeError, ValueError) as error:
                aside = set_aside(path, str(error))
                self.problems.append(f"{path.name} cannot be used and is kept as {aside.name}: {error}")
            except OSError as error:
                self.problems.append(f"{path} cannot be read: {error.strerror or error}")
        return found

    def write(self, app: str, data: Data) -> None:
        """Replace the file of an app, or remove it if there is no data."""
        path = self._path(app)
        if data:
            JsonFile(path, private=self._private).write({"app": app, "data": data})
        else:
            path.unlink(missing_ok=True)

    def _path(self, app: str) -> Path:
        mark = hashlib.sha256(app.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return self.folder / f"{_NOT_IN_A_NAME.sub('_', app)[:60]}.{mark}.prefs.json"


class FilePreferenceStore:
    """Stores preferences on this machine."""

    def __init__(self, folder: Path) -> None:
        self.name = f"file {folder}"
        self.connectivity_changed: Signal[None] = Signal()
        self.offline_reason: str | None = None
        self._folder = PreferenceFolder(folder)
        self._data: dict[str, dict[str, Any]] = {}
        self._listeners = Listeners()

    @property
    def problems(self) -> tuple[str, ...]:
        """Return the files that could not be used."""
        return tuple(self._folder.problems)

    async def open(self) -> None:
        try:
            self._data = await asyncio.to_thread(self._folder.read)
        except OSError as error:
            raise StoreFailed(f"{self._folder.folder} cannot be read: {error.strerror or error}") from error

    async def close(self) -> None: ...

    @property
    def apps(self) -> tuple[str, ...]:
        return tuple(app for app, data in self._data.items() if data)

    async def get(self, app: str) -> Data:
        return dict(self._data.get(app, {}))

    async def set(self, app: str, data: Data) -> None:
        """Replace the preferences of an app."""
        await self._put({app: checked(data)})

    async def update(self, app: str, data: Data) -> None:
        """Change the given names and keep the others."""
        await self._put({app: checked({**self._data.get(app, {}), **checked(data)})})

    async def clear(self, app: str | None = None) -> None:
        """Remove the preferences of an app, or of all apps."""
        await self._put({name: {} for name in ([app] if app is not None else [*self._data])})

    def subscribe(self, app: str, listener: Callable[[Data], None]) -> Callable[[], None]:
        return self._listeners.add(app, listener)

    async def _put(self, new: dict[str, dict[str, Any]]) -> None:
        before = dict(self._data)
        for app, data in new.items():
            check_room(before, app, data)
        try:
            for app, data in new.items():
                await asyncio.to_thread(self._folder.write, app, data)
                self._data[app] = data
        except OSError as error:
            raise StoreFailed(f"{self._folder.folder} cannot be written: {error.strerror or error}") from error
        self._listeners.report(before, self._data)
