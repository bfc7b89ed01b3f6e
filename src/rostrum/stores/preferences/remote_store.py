"""A replica of the preferences of a service or the manager."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from rostrum.base.json_file import JsonFile
from rostrum.base.retry import Sleep, attempt, waits
from rostrum.client.changes import ChangeFeed
from rostrum.client.errors import ServiceFailed, Unreachable
from rostrum.client.preference_calls import PreferenceSource
from rostrum.stores.errors import StoreFailed
from rostrum.stores.outbox import Edit
from rostrum.stores.preferences.base import Listeners, check_room, checked
from rostrum.stores.preferences.file_store import PreferenceFolder
from rostrum.stores.preferences.store import Data
from rostrum.stores.replica import Replica

_log = logging.getLogger(__name__)
_SET = "set"
_ABSENT = object()
_PATIENCE = 10.0
"""Seconds for which an app waits for current preferences before it gets those of the copy."""


class RemotePreferenceStore(Replica):
    """The preferences of a service, with local edits that were not sent yet."""

    noun = "preference"

    def __init__(
        self,
        name: str,
        calls: PreferenceSource,
        folder: Path,
        *,
        interval: float,
        backoff_factor: float = 1000,
        retries: int = 3,
        feed: ChangeFeed | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Use the folder for the copy; with a change feed, the service is not polled."""
        # Newer data is fetched only while there are listeners.
        super().__init__(
            name,
            folder,
            interval=interval,
            feed=feed,
            needed=lambda: bool(self._listeners) and self._poller.polling_required(),
        )
        self._calls = calls
        self._copy = PreferenceFolder(folder, private=True)
        self._backoff = (backoff_factor, retries)
        self._sleep = sleep
        self._theirs: dict[str, dict[str, Any]] = {}
        self._shown: Mapping[str, Data] = {}
        self._listeners = Listeners()

    @property
    def apps(self) -> tuple[str, ...]:
        """Return the apps that have preferences in the copy or in local edits."""
        return tuple(app for app, data in self._all().items() if data)

    async def get(self, app: str) -> Data:
        """Return the preferences of an app, including local edits."""
        await self._look_up(app)
        return dict(self._all().get(app, {}))

    async def set(self, app: str, data: Data) -> None:
        """Store an edit, and send it if possible."""
        data = checked(data)
        await self._look_up(app)
        check_room(self._all(), app, data)
        await self._edit(app, data)

    async def update(self, app: str, data: Data) -> None:
        """Store an edit of single names, and send it if possible."""
        data = checked(data)
        await self._look_up(app)
        merged = checked({**self._all().get(app, {}), **data})
        check_room(self._all(), app, merged)
        await self._edit(app, merged)

    async def clear(self, app: str | None = None) -> None:
        """Store the removal of the preferences of an app, or of all apps, and send it if possible."""
        for name in [app] if app is not None else [*self._all()]:
            await self._edit(name, {})

    def subscribe(self, app: str, listener: Callable[[Data], None]) -> Callable[[], None]:
        """Listen to changes made here or by other clients."""
        return self._listeners.add(app, listener)

    def _read_copy(self) -> bool:
        self._theirs = self._copy.read()
        self.problems += self._copy.problems
        self._shown = self._all()
        return bool(self._theirs)

    def _write_copy(self) -> None:
        known = self._copy.read()
        for app in known.keys() | self._theirs.keys():
            if known.get(app) != self._theirs.get(app):
                self._copy.write(app, self._theirs.get(app, {}))

    async def _exchange(self) -> None:
        waiting = [edit.key for edit in self._outbox]
        await self._tried(lambda: self._fetch({*self._listeners.apps, *waiting}))
        for edit in self._outbox:
            await self._deliver(edit)

    async def _tried(self, action: Callable[[], Any]) -> None:
        await attempt(action, waits(*self._backoff), lambda error: isinstance(error, Unreachable), self._sleep)

    async def _look_up(self, app: str) -> None:
        """Request the current preferences of an app, if the service returns one app per request.

        While it is offline, use the copy.
        """
        if not self._calls.asks_by_app or self.offline_reason is not None:
            return
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._poller.fetch(lambda: self._fetch_one(app))
        except TimeoutError:
            self._poller.wake()
        except StoreFailed as error:
            _log.warning("preference store %s: %s", self.name, error)
            self._poller.failed()
        self._report_changes()

    async def _fetch_one(self, app: str) -> None:
        async with self._exchanging:
            before = self._theirs.get(app, {})
            try:
                await self._tried(lambda: self._fetch((app,)))
            except ServiceFailed as error:
                raise StoreFailed(str(error)) from error
            if self._theirs.get(app, {}) != before:
                await asyncio.to_thread(self._save_copy)

    async def _edit(self, app: str, data: dict[str, Any]) -> None:
        await asyncio.to_thread(self._outbox.add, app, _SET, data, self._all().get(app, {}))
        self._report_changes()
        await self._poller.ask()

    def _report_changes(self) -> None:
        # Edits and responses arrive in any order, so compare with the last reported data.
        before, self._shown = self._shown, self._all()
        self._listeners.report(before, self._shown)

    async def _fetch(self, apps: Collection[str]) -> None:
        fetched = await self._calls.fetch(apps)
        self._theirs = fetched.records if fetched.complete else {**self._theirs, **fetched.records}

    async def _send(self, edit: Edit) -> None:
        merged, lost = _merged(edit.base, edit.body, self._theirs.get(edit.key, {}))
        if merged:
            await self._tried(lambda: self._calls.save(edit.key, merged))
        else:
            await self._tried(lambda: self._calls.clear(edit.key))
        self._theirs[edit.key] = merged
        if lost:
            kept = await asyncio.to_thread(self._keep_lost, edit.key, lost)
            names = ", ".join(sorted(lost))
            self._warn(
                f"{names} of {edit.key} changed elsewhere too; that value stays, the one set here is kept in {kept}"
            )

    def _describe(self, edit: Edit) -> str:
        return f"the change of the preferences of {edit.key}"

    def _keep_lost(self, app: str, lost: Mapping[str, Any]) -> str:
        number = 1
        while (path := self._copy.folder / f"conflict-{number}.json").exists():
            number += 1
        try:
            JsonFile(path).write({"app": app, "data": dict(lost)})
        except OSError as error:
            raise StoreFailed(f"{path} cannot be written: {error.strerror or error}") from error
        return path.name

    def _all(self) -> dict[str, dict[str, Any]]:
        return {**self._theirs, **{edit.key: edit.body for edit in self._outbox}}


def _merged(base: Any, ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Merge the changes of both sides by name.

    Names that both changed keep the remote value; the local ones are returned.
    """
    was = base if isinstance(base, dict) else {}
    merged: dict[str, Any] = {}
    lost: dict[str, Any] = {}
    for name in dict.fromkeys((*theirs, *ours)):
        before, here, there = (side.get(name, _ABSENT) for side in (was, ours, theirs))
        value = there
        if there in (before, here):
            value = here
        elif here != before and here is not _ABSENT:
            lost[name] = here
        if value is not _ABSENT:
            merged[name] = value
    return merged, lost
