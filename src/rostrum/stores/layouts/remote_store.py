"""A replica of the layouts of a service or the manager."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.signal import Signal
from rostrum.client.changes import ChangeFeed
from rostrum.client.errors import Refused, ServiceFailed
from rostrum.client.layout_calls import LayoutCalls
from rostrum.contracts.layouts.layout import check_layout
from rostrum.stores.layouts.file_store import LayoutFolder, refuse_unknown, refuse_wrong, renamed_layout
from rostrum.stores.layouts.store import Layout, LayoutKey, stored
from rostrum.stores.outbox import Edit, digest
from rostrum.stores.replica import Replica

_SAVE, _RENAME, _REMOVE, _DEFAULT = "save", "rename", "remove", "default"


class RemoteLayoutStore(Replica):
    """The layouts of a service, with local edits that were not sent yet."""

    noun = "layout"

    def __init__(
        self,
        name: str,
        calls: LayoutCalls,
        folder: Path,
        *,
        interval: float,
        feed: ChangeFeed | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Use the folder for the copy; ``interval`` is in seconds."""
        super().__init__(name, folder, interval=interval, feed=feed)
        self.changed: Signal[None] = Signal()
        self._calls = calls
        self._copy = LayoutFolder(folder, private=True)
        self._clock = clock or SystemClock()
        self._theirs: dict[LayoutKey, Layout] = {}
        self._their_default: LayoutKey | None = None
        self._knows_defaults = True
        self._etag: str | None = None
        self._reported: tuple[Mapping[LayoutKey, Layout], LayoutKey | None] = ({}, None)

    def layouts(self) -> Mapping[LayoutKey, Layout]:
        """Return the layouts of the service with the pending edits applied."""
        return self._with_edits()[0]

    def default(self) -> LayoutKey | None:
        """Return the layout that is restored at start-up."""
        return self._with_edits()[1]

    async def save(self, layout: Layout) -> None:
        """Store an edit, and send it if possible."""
        refuse_wrong(layout)
        await self._edit(LayoutKey.of(layout), _SAVE, stored(layout))

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Store a renaming, and send it if possible."""
        renamed_layout(self.layouts(), key, new_name)
        await self._edit(key, _RENAME, new_name)

    async def remove(self, key: LayoutKey) -> None:
        """Store a removal, and send it if possible."""
        if key in self.layouts():
            await self._edit(key, _REMOVE)

    async def set_default(self, key: LayoutKey | None) -> None:
        """Store the choice, and send it if possible."""
        refuse_unknown(self.layouts(), key)
        await self._edit(key or LayoutKey("", ""), _DEFAULT, None if key is None else True)

    def _read_copy(self) -> bool:
        self._theirs = self._copy.read()
        self._their_default = self._copy.read_default()
        self.problems += self._copy.problems
        self._reported = self._with_edits()
        return bool(self._theirs)

    def _write_copy(self) -> None:
        known = self._copy.read()
        for key, layout in self._theirs.items():
            if known.get(key) != layout:
                self._copy.write(layout)
        for key in known.keys() - self._theirs.keys():
            self._copy.delete(key)
        self._copy.write_default(self._their_default)

    async def _exchange(self) -> None:
        await self._fetch()
        # The second round sends the copies that the resolution of conflicts has added.
        for _ in range(2):
            if self.waiting:
                await self._send_all()
                await self._fetch()

    def _report_changes(self) -> None:
        before, self._reported = self._reported, self._with_edits()
        if before != self._reported:
            self.changed.emit(None)

    async def _edit(self, key: LayoutKey, action: str, body: Any = None) -> None:
        base = digest(self.layouts().get(key))
        await asyncio.to_thread(self._outbox.add, _text(key), action, body, base)
        self._reported = self._with_edits()
        self.changed.emit(None)
        await self._poller.ask()

    async def _fetch(self) -> None:
        reply = await self._calls.all(self._etag)
        if not reply.unchanged:
            self._theirs = _layouts_of(reply.body)
            self._etag = reply.etag
        try:
            chosen = await self._calls.default()
        except ServiceFailed as error:
            # The layouts were fetched. If the service does not support defaults, the choice is stored locally.
            self._knows_defaults = not isinstance(error, Refused)
            return
        self._knows_defaults = True
        self._their_default = None if chosen is None else LayoutKey(chosen[1] or "Global", chosen[0])

    async def _send_all(self) -> None:
        for edit in self._outbox:
            self._outbox.under_way = edit
            if self._conflicts(edit, _key(edit.key)):
                self._keep_both(edit, _key(edit.key))
            else:
                await self._deliver(edit)

    async def _send(self, edit: Edit) -> None:
        key = _key(edit.key)
        if edit.action == _SAVE:
            await self._calls.save(edit.body)
            self._theirs[key] = edit.body
        elif edit.action == _RENAME:
            await self._calls.rename(self._theirs[key], edit.body)
            self._theirs[LayoutKey(key.type, edit.body)] = {**self._theirs.pop(key), "name": edit.body}
        elif edit.action == _REMOVE:
            await self._calls.remove(key.name, key.type)
            self._theirs.pop(key, None)
        else:
            if self._knows_defaults:
                await self._calls.set_default(key.name if edit.body else None, key.type if edit.body else None)
            self._their_default = key if edit.body else None

    def _describe(self, edit: Edit) -> str:
        key = _key(edit.key)
        return f"the {edit.action} of {key.type} layout {key.name!r}"

    def _conflicts(self, edit: Edit, key: LayoutKey) -> bool:
        """Return whether another client changed a layout that was edited here."""
        if edit.action == _DEFAULT:
            return False
        theirs = digest(self._theirs.get(key))
        return theirs not in (edit.base, digest(edit.body) if edit.action == _SAVE else None) or (
            edit.action == _RENAME and theirs is None
        )

    def _keep_both(self, edit: Edit, key: LayoutKey) -> None:
        if edit.action != _SAVE:
            self._outbox.done(edit)
            self._warn(f"{key.type} layout {key.name!r} was also changed elsewhere; the {edit.action} is discarded")
            return
        name = f"{key.name} (edited here, {self._clock.now():%Y-%m-%d %H.%M.%S})"
        # This order keeps the edit on disk at all times.
        self._outbox.add(_text(LayoutKey(key.type, name)), _SAVE, {**edit.body, "name": name})
        self._outbox.done(edit)
        self._warn(f"{key.type} layout {key.name!r} was changed elsewhere too; the edit made here is kept as {name!r}")

    def _with_edits(self) -> tuple[dict[LayoutKey, Layout], LayoutKey | None]:
        layouts, default = dict(self._theirs), self._their_default
        for edit in self._outbox:
            key = _key(edit.key)
            if edit.action == _SAVE:
                layouts[key] = edit.body
            elif edit.action == _RENAME and key in layouts:
                layouts[LayoutKey(key.type, edit.body)] = {**layouts.pop(key), "name": edit.body}
            elif edit.action == _REMOVE:
                layouts.pop(key, None)
            elif edit.action == _DEFAULT:
                default = key if edit.body else None
        return layouts, default if default in layouts else None


def _layouts_of(body: Any) -> dict[LayoutKey, Layout]:
    listed = body.get("layouts") if isinstance(body, dict) else body
    if not isinstance(listed, list):
        raise Refused("the answer must be an object with layouts", 200)
    return {LayoutKey.of(layout): stored(layout) for layout in listed if not check_layout(layout)}


def _text(key: LayoutKey) -> str:
    return f"{key.type}\n{key.name}"


def _key(text: str) -> LayoutKey:
    kind, _, name = text.partition("\n")
    return LayoutKey(kind, name)
