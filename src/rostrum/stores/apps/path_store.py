"""The path store: definitions in the JSON files of a folder, watched."""

import asyncio
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from watchfiles import awatch

from rostrum.base import json5_text, json_text
from rostrum.base.errors import Invalid
from rostrum.base.json5_text import MAX_BYTES
from rostrum.base.problems import Problem
from rostrum.settings.sections.stores import AppDefinitionOverrides
from rostrum.stores.apps.read import read_apps
from rostrum.stores.apps.store import Apps, Content
from rostrum.stores.errors import StoreFailed

_log = logging.getLogger(__name__)
_MOST_FILES = 50_000
_LOOK_AGAIN = 5.0
"""Seconds between checks for a missing folder, and for a watched folder that was replaced."""

_File = tuple[tuple[int, int, int], list[Any], tuple[Problem, ...]]
"""The state of a file (to detect changes), its definitions and its problems."""


class PathAppStore(Content):
    """A folder of files with one definition or an array of definitions each; comments are allowed."""

    def __init__(
        self,
        folder: Path,
        *,
        required: bool = True,
        trusted: bool = False,
        overrides: AppDefinitionOverrides | None = None,
        watched: bool = True,
        look_again: float = _LOOK_AGAIN,
    ) -> None:
        """Use a local folder; ``watched`` stores detect changes."""
        super().__init__(f"path {folder}", required=required, trusted=trusted)
        self.folder = folder
        self._overrides = overrides
        self._watched = watched
        self._look_again = look_again
        self._read: dict[str, _File] = {}
        self._failing = False
        self._stopping = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Read all files, then watch the folder."""
        try:
            await self.refresh()
        finally:
            # If the folder does not exist at the start, its apps appear when it is created.
            if self._watched:
                self._watching = asyncio.create_task(self._watch(), name=f"watch {self.folder}")

    async def close(self) -> None:
        self._stopping.set()
        if self._watching is not None:
            await self._watching

    async def _watch(self) -> None:
        while not self._stopping.is_set():
            try:
                await self._watch_folder()
            except OSError as error:
                _log.info("%s cannot be watched: %s", self.name, error.strerror or error)
            try:
                async with asyncio.timeout(self._look_again):
                    await self._stopping.wait()
            except TimeoutError:
                await self._reload()

    async def _watch_folder(self) -> None:
        """Watch the folder until it is removed or replaced."""
        watched, quiet = _identity(self.folder), False
        # The operating system reports changes, and several changes are handled together; polling would cost a core.
        async for changes in awatch(
            self.folder,
            stop_event=self._stopping,
            rust_timeout=int(self._look_again * 1000),
            yield_on_timeout=True,
            recursive=True,
            ignore_permission_denied=True,
        ):
            # Changes between reading and watching are not reported, so the files are read again.
            if changes or not quiet:
                await self._reload()
            quiet = quiet or not changes
            if _identity(self.folder) != watched:
                return

    async def refresh(self) -> None:
        """Read the files that changed."""
        self.put(await asyncio.to_thread(self._load))

    async def _reload(self) -> None:
        try:
            await self.refresh()
        except StoreFailed as error:
            # A folder that is being replaced exists again in a moment; until then, keep its apps.
            if not self._failing:
                _log.warning("%s: %s; its apps are kept", self.name, error)
            self._failing = True
        else:
            self._failing = False

    def _load(self) -> Apps:
        try:
            if not self.folder.is_dir():
                raise StoreFailed(f"there is no folder {self.folder}")
            names = sorted(_definitions(self.folder))[:_MOST_FILES]
        except OSError as error:
            raise StoreFailed(f"{self.folder} cannot be read: {error.strerror or error}") from error
        kept = self._read
        self._read = {name: self._file(name, kept.get(name)) for name in names}
        wrong = [problem for _, _, problems in self._read.values() for problem in problems]
        apps = read_apps(self._entries(), self._overrides)
        return Apps(definitions=apps.definitions, problems=(*wrong, *apps.problems))

    def _entries(self) -> Iterator[tuple[str, Any]]:
        for name, (_, entries, _) in self._read.items():
            for index, entry in enumerate(entries):
                yield name if len(entries) == 1 else f"{name}[{index}]", entry

    def _file(self, name: str, before: _File | None) -> _File:
        """Read one file, unless it is unchanged."""
        path = f"{self.folder}{os.sep}{name}"
        try:
            facts = os.stat(path)  # noqa: PTH116 - thousands of times, and a text is at hand
            version = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
            if before is not None and before[0] == version:
                return before
            if not stat.S_ISREG(facts.st_mode):
                return version, [], (Problem(path=name, message="is not a regular file"),)
            if facts.st_size > MAX_BYTES:
                return version, [], (Problem(path=name, message=f"has more than {MAX_BYTES:,} bytes"),)
            # Without a buffer, which would take as long to create as the file takes to read.
            with open(path, "rb", buffering=0) as file:  # noqa: PTH123
                value = _value(file.read())
        except OSError as error:
            return (0, 0, 0), [], (Problem(path=name, message=f"cannot be read: {error.strerror or error}"),)
        except Invalid as error:
            return version, [], (Problem(path=name, message=str(error)),)
        return version, value if isinstance(value, list) else [value], ()


def _value(text: bytes) -> Any:
    try:
        # Most files are plain JSON, which this parser reads many times faster.
        return json_text.parse(text)
    except Invalid:
        return json5_text.parse(text).value


def _identity(folder: Path) -> tuple[int, int]:
    facts = folder.stat()
    return facts.st_dev, facts.st_ino


def _definitions(folder: Path) -> Iterator[str]:
    """Yield the names of the files that may contain definitions, relative to the folder."""
    start = len(str(folder)) + 1
    for place, folders, names in os.walk(folder):
        prefix = place[start:] + os.sep if len(place) >= start else ""
        # A folder with such a name is reported, because a file may have been intended.
        yield from (prefix + name for name in (*names, *folders) if name.endswith(".json") and not name.startswith("."))
