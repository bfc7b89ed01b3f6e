"""RemoteLayoutStore: layouts kept by a service or the manager, usable and editable while it is away."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.signal import Signal
from rostrum.client.changes import ChangeFeed
from rostrum.client.errors import NotPermitted, Refused, ServiceFailed
from rostrum.client.layout_calls import LayoutCalls
from rostrum.contracts.layouts.check import check_layout
from rostrum.stores.errors import StoreFailed
from rostrum.stores.layouts.file_store import LayoutFolder, refuse_unknown, refuse_wrong, renamed_layout
from rostrum.stores.layouts.store import Layout, LayoutKey, stored
from rostrum.stores.outbox import Edit, Outbox, digest
from rostrum.stores.poll import Poller

_log = logging.getLogger(__name__)

_SAVE, _RENAME, _REMOVE, _DEFAULT = "save", "rename", "remove", "default"


class RemoteLayoutStore:
    """A copy of the other side's layouts on disk, and an outbox for edits that have not reached it."""

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
        """Take the folder for the copy; ``interval`` is in seconds."""
        self.name = name
        self.changed: Signal[None] = Signal()
        self.problems: list[str] = []
        self._calls = calls
        self._copy = LayoutFolder(folder, private=True)
        self._outbox = Outbox(folder / "outbox.json")
        self._clock = clock or SystemClock()
        self._theirs: dict[LayoutKey, Layout] = {}
        self._their_default: LayoutKey | None = None
        self._knows_defaults = True
        self._etag: str | None = None
        self._sending = asyncio.Lock()
        self._poller = Poller(f"layout store {name}", self.refresh, interval, feed=feed)

    async def open(self) -> None:
        """Ask for the layouts; while the other side is away, the copy must do."""
        self._poller.listen()
        self._theirs = await asyncio.to_thread(self._copy.read)
        self._their_default = await asyncio.to_thread(self._copy.read_default)
        self.problems += self._copy.problems
        if await self._poller.open() is not None and self._theirs:
            _log.warning("layout store %s: the layouts of the last time are used", self.name)

    async def close(self) -> None:
        """Stop asking; what could not be sent waits on disk for the next start."""
        await self._poller.stop()

    @property
    def offline_reason(self) -> str | None:
        """Return why the other side cannot be asked; None while it answers."""
        return self._poller.offline_reason

    @property
    def connectivity_changed(self) -> Signal[None]:
        """Return the signal that the other side became offline, or online again."""
        return self._poller.connectivity_changed

    @property
    def waiting(self) -> int:
        """Count the edits that have not reached the other side."""
        return len(self._outbox)

    def layouts(self) -> Mapping[LayoutKey, Layout]:
        """Return their layouts with the waiting edits over them."""
        return self._with_edits()[0]

    def default(self) -> LayoutKey | None:
        """Return the layout restored at start-up."""
        return self._with_edits()[1]

    async def save(self, layout: Layout) -> None:
        """Keep an edit, and send it if possible."""
        refuse_wrong(layout)
        await self._edit(LayoutKey.of(layout), _SAVE, stored(layout))

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Keep a renaming, and send it if possible."""
        renamed_layout(self.layouts(), key, new_name)
        await self._edit(key, _RENAME, new_name)

    async def remove(self, key: LayoutKey) -> None:
        """Keep a removal, and send it if possible."""
        if key in self.layouts():
            await self._edit(key, _REMOVE)

    async def set_default(self, key: LayoutKey | None) -> None:
        """Keep the choice, and send it if possible."""
        refuse_unknown(self.layouts(), key)
        await self._edit(key or LayoutKey("", ""), _DEFAULT, None if key is None else True)

    async def refresh(self) -> None:
        """Send what waits, and fetch what is newer."""
        async with self._sending:
            await asyncio.to_thread(self._outbox.flush)
            try:
                before = (self.layouts(), self.default())
                await self._fetch()
                # A second round sends what keeping both sides of a conflict has added.
                for _ in range(2):
                    if len(self._outbox):
                        await self._send()
                        await self._fetch()
            except ServiceFailed as error:
                raise StoreFailed(str(error)) from error
            await asyncio.to_thread(self._keep_copy)
        if before != (self.layouts(), self.default()):
            self.changed.emit(None)

    async def _edit(self, key: LayoutKey, action: str, body: Any = None) -> None:
        base = digest(self.layouts().get(key))
        await asyncio.to_thread(self._outbox.add, _text(key), action, body, base)
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
            # The layouts are there. A service without defaults leaves the choice to this machine.
            self._knows_defaults = not isinstance(error, Refused)
            return
        self._knows_defaults = True
        self._their_default = None if chosen is None else LayoutKey(chosen[1] or "Global", chosen[0])

    async def _send(self) -> None:
        for edit in self._outbox:
            key = _key(edit.key)
            self._outbox.under_way = edit
            if self._conflicts(edit, key):
                self._keep_both(edit, key)
                continue
            try:
                await self._send_one(edit, key)
            except (Refused, NotPermitted) as error:
                # Another try changes nothing, and the edits behind it must not wait for ever.
                kept = await asyncio.to_thread(self._outbox.refused, edit)
                self._say(f"the {edit.action} of {key.type} layout {key.name!r} was refused: {error}; it is in {kept}")
            else:
                await asyncio.to_thread(self._outbox.done, edit)

    async def _send_one(self, edit: Edit, key: LayoutKey) -> None:
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

    def _conflicts(self, edit: Edit, key: LayoutKey) -> bool:
        """Say whether somebody changed on the other side what was edited here."""
        if edit.action == _DEFAULT:
            return False
        theirs = digest(self._theirs.get(key))
        return theirs not in (edit.base, digest(edit.body) if edit.action == _SAVE else None) or (
            edit.action == _RENAME and theirs is None
        )

    def _keep_both(self, edit: Edit, key: LayoutKey) -> None:
        if edit.action != _SAVE:
            self._outbox.done(edit)
            self._say(f"{key.type} layout {key.name!r} was changed elsewhere meanwhile; the {edit.action} is dropped")
            return
        name = f"{key.name} (edited here, {self._clock.now():%Y-%m-%d %H.%M.%S})"
        # In this order the edit is on disk at every moment.
        self._outbox.add(_text(LayoutKey(key.type, name)), _SAVE, {**edit.body, "name": name})
        self._outbox.done(edit)
        self._say(f"{key.type} layout {key.name!r} was changed elsewhere too; the edit made here is kept as {name!r}")

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

    def _keep_copy(self) -> None:
        try:
            known = self._copy.read()
            for key, layout in self._theirs.items():
                if known.get(key) != layout:
                    self._copy.write(layout)
            for key in known.keys() - self._theirs.keys():
                self._copy.delete(key)
            self._copy.write_default(self._their_default)
        except OSError as error:
            _log.warning("the copy of %s cannot be written: %s", self.name, error.strerror or error)

    def _say(self, message: str) -> None:
        _log.warning("layout store %s: %s", self.name, message)
        self.problems.append(message)


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
