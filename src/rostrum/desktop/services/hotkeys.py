"""Global hotkeys of apps."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass

from rostrum.base.shown_text import shown_text
from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import HotkeyPressed, Reports

_MODIFIERS = {
    "ctrl": "ctrl",
    "control": "ctrl",
    "commandorcontrol": "ctrl",
    "cmdorctrl": "ctrl",
    "alt": "alt",
    "option": "alt",
    "shift": "shift",
    "super": "super",
    "meta": "super",
    "win": "super",
    "cmd": "super",
    "command": "super",
}
_ORDER = ("ctrl", "alt", "shift", "super")
_KEY = re.compile(r"[a-z0-9]|f([1-9]|1[0-9]|2[0-4])|[`\-=\[\]\\;',./]|[a-z]{2,12}|num(pad)?[0-9]")
_FUNCTION_KEY = re.compile(r"f[0-9]+")
_EDITING = "ctrl+a ctrl+c ctrl+v ctrl+x ctrl+y ctrl+z ctrl+shift+v ctrl+shift+z ctrl+insert ctrl+backspace ctrl+delete"
_WINDOWS = "ctrl+tab ctrl+shift+tab alt+tab alt+shift+tab alt+f4 alt+space super+d super+r super+tab"
_SYSTEM = "ctrl+esc ctrl+escape ctrl+shift+esc ctrl+shift+escape alt+esc alt+escape super+l ctrl+alt+l ctrl+alt+t"
_ENDING = "ctrl+alt+delete ctrl+alt+del ctrl+alt+backspace"
_RESERVED = frozenset(f"{_EDITING} {_WINDOWS} {_SYSTEM} {_ENDING}".split())
"""Hotkeys that users need in every app and for the system."""
_MOST_FOR_ONE = 50
_LONGEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Hotkey:
    """A registered hotkey.

    Attributes:
        keys: In the canonical form: modifiers in a fixed order, and one key, such as ctrl+shift+k.
        owner: The peer that has registered it.
        written: As the app has written it.
        app: The app that the user sees.
        asking: The app that has asked for it: an app can define others, whose hotkeys count as its own.
    """

    keys: str
    owner: str
    written: str
    app: str | None = None
    description: str = ""
    asking: str = ""


class Hotkeys:
    """The hotkeys of all apps; each belongs to one of them.

    Attributes:
        pressed: Emitted with a hotkey that the user pressed.
        changed: Emitted when the hotkeys have changed.
    """

    def __init__(self, host: WindowHost, reports: Reports) -> None:
        self.pressed: Signal[Hotkey] = Signal()
        self.changed: Signal[None] = Signal()
        self._host = host
        self._registered: dict[str, Hotkey] = {}
        self._changing = asyncio.Lock()
        self._unwanted: set[tuple[str, str]] = set()
        reports.listen(HotkeyPressed, self._pressed)

    @property
    def all(self) -> Mapping[str, Hotkey]:
        """Return the registered hotkeys by their keys."""
        return dict(self._registered)

    async def register(
        self, owner: str, written: str, *, app: str | None = None, description: str = "", asking: str = ""
    ) -> Hotkey:
        """Register a hotkey for a peer; reject hotkeys of other apps or programs."""
        asking = asking or app or owner
        hotkey = Hotkey(
            keys=canonical_hotkey(written),
            owner=owner,
            written=written,
            app=app,
            description=shown_text(description),
            asking=asking,
        )
        _check(hotkey.keys)
        if (asking, hotkey.keys) in self._unwanted:
            raise DesktopError(f"the user has removed the hotkey {hotkey.keys} of this app")
        async with self._changing:
            known = self._registered.get(hotkey.keys)
            if known is not None:
                who = "the app itself" if known.owner == owner else known.app or "another program of the user"
                raise DesktopError(f"the hotkey {hotkey.keys} is already registered by {who}")
            if sum(one.asking == asking for one in self._registered.values()) >= _MOST_FOR_ONE:
                raise DesktopError(f"an app can register {_MOST_FOR_ONE} hotkeys; unregister one first")
            self._registered[hotkey.keys] = hotkey
            try:
                taken = await self._host.set_hotkeys(tuple(self._registered))
            except BaseException:
                del self._registered[hotkey.keys]
                raise
            if hotkey.keys in taken:
                del self._registered[hotkey.keys]
                raise DesktopError(
                    f"the hotkey {hotkey.keys} is not available: another program uses it, or there is no such key"
                )
        self.changed.emit(None)
        return hotkey

    async def unregister(self, owner: str, written: str) -> None:
        """Unregister a hotkey; reject those of other peers."""
        keys = canonical_hotkey(written)
        known = self._registered.get(keys)
        if known is None or known.owner != owner:
            raise DesktopError(f"the app has not registered the hotkey {keys}")
        await self._remove([keys])

    async def take_away(self, keys: str) -> None:
        """Remove a hotkey for the user; its app cannot register it again until the platform is started again."""
        known = self._registered.get(keys)
        if known is not None:
            self._unwanted.add((known.asking, keys))
            await self._remove([keys])

    async def unregister_all(self, owner: str) -> None:
        """Unregister all hotkeys of a peer, which may have left."""
        await self._remove([one.keys for one in self._registered.values() if one.owner == owner])

    async def _remove(self, keys: list[str]) -> None:
        if not keys:
            return
        async with self._changing:
            for one in keys:
                self._registered.pop(one, None)
            await self._host.set_hotkeys(tuple(self._registered))
        self.changed.emit(None)

    def _pressed(self, report: HotkeyPressed) -> None:
        found = self._registered.get(report.hotkey)
        if found is not None:
            self.pressed.emit(found)


def _check(keys: str) -> None:
    """Refuse keys that users type, so that an app cannot read them, and keys that users need elsewhere."""
    *modifiers, key = keys.split("+")
    if not {"ctrl", "alt", "super"} & {*modifiers} and not _FUNCTION_KEY.fullmatch(key):
        raise DesktopError(f"the hotkey {keys} must have ctrl, alt or super, because users type its keys in other apps")
    if keys in _RESERVED:
        raise DesktopError(f"the hotkey {keys} is reserved, because users need it in all apps or for the system")


def canonical_hotkey(written: str) -> str:
    """Return a hotkey in the canonical form; raise DesktopError if it is invalid."""
    parts = re.sub(r"\s", "", written[:_LONGEST]).lower().split("+")
    *modifiers, key = parts
    names = {_MODIFIERS.get(one) for one in modifiers}
    if None in names or len(names) != len(modifiers) or not _KEY.fullmatch(key) or key in _MODIFIERS:
        raise DesktopError(f"{written[:_LONGEST]!r} is not a hotkey; write modifiers and one key, such as ctrl+shift+k")
    return "+".join([*(one for one in _ORDER if one in names), key])
