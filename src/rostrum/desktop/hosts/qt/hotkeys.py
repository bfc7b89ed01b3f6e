"""Global hotkeys, which work while another program has the keyboard focus; X11 only, on a separate connection.

The separate connection avoids a filter in Qt's event loop that would see all events of all windows.
"""

import ctypes
import logging
import sys
from collections.abc import Callable
from ctypes import POINTER, Structure, Union, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p
from ctypes.util import find_library
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtGui import QGuiApplication

_log = logging.getLogger(__name__)

_MODIFIERS = {"shift": 1, "ctrl": 4, "alt": 8, "super": 64}
_LOCKS = (0, 2, 16, 18)
"""Caps Lock and Num Lock must not matter: each hotkey is grabbed with all their combinations."""
_KEY_PRESS = 2
_GRAB_ASYNC = 1
_NAMES = {
    "`": "grave", "-": "minus", "=": "equal", "[": "bracketleft", "]": "bracketright", "\\": "backslash",
    ";": "semicolon", "'": "apostrophe", ",": "comma", ".": "period", "/": "slash", "plus": "plus",
    "esc": "Escape", "escape": "Escape", "enter": "Return", "return": "Return", "space": "space", "tab": "Tab",
    "backspace": "BackSpace", "delete": "Delete", "del": "Delete", "insert": "Insert", "ins": "Insert",
    "home": "Home", "end": "End", "pageup": "Prior", "pagedown": "Next", "up": "Up", "down": "Down",
    "left": "Left", "right": "Right", "printscreen": "Print", "print": "Print", "pause": "Pause",
}  # fmt: skip


class _KeyEvent(Structure):
    _fields_ = (
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("window", c_ulong),
        ("root", c_ulong),
        ("subwindow", c_ulong),
        ("time", c_ulong),
        ("x", c_int),
        ("y", c_int),
        ("x_root", c_int),
        ("y_root", c_int),
        ("state", c_uint),
        ("keycode", c_uint),
        ("same_screen", c_int),
    )


class _Event(Union):
    _fields_ = (("type", c_int), ("key", _KeyEvent), ("pad", c_long * 24))


def keysym_name(key: str) -> str:
    """Return the X name of a key."""
    if key.startswith("num") and key[-1:].isdigit():
        return f"KP_{key[-1]}"
    if len(key) > 1 and key[0] == "f" and key[1:].isdigit():
        return key.upper()
    return _NAMES.get(key, key)


class Hotkeys(QObject):
    """The registered hotkeys."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        super().__init__()
        self._pressed = pressed
        self._grabbed: dict[tuple[int, int], str] = {}
        self._refused = False
        self._x11: Any = None
        self._display: Any = None
        self._notifier: QSocketNotifier | None = None
        # The library stores only a raw pointer to it.
        self._on_error = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)(self._note_error)

    def set(self, hotkeys: tuple[str, ...]) -> tuple[str, ...]:
        """Register exactly these hotkeys; return those that another program uses or this system does not support."""
        if not hotkeys and self._display is None:
            return ()
        if not self._connected():
            return hotkeys
        codes = {keys: self._code(keys) for keys in hotkeys}
        for old in [old for old in self._grabbed if old not in codes.values()]:
            self._release(old)
            del self._grabbed[old]
        failed = []
        for keys, place in codes.items():
            if place is None or (place not in self._grabbed and not self._grab(place)):
                failed.append(keys)
            else:
                self._grabbed[place] = keys
        return tuple(failed)

    def close(self) -> None:
        """Unregister all hotkeys."""
        if self._display is not None:
            self._notifier = None
            self._x11.XCloseDisplay(self._display)
            self._display = None
            self._grabbed.clear()

    def _connected(self) -> bool:
        if self._display is not None:
            return True
        name = find_library("X11")
        if not sys.platform.startswith("linux") or QGuiApplication.platformName() != "xcb" or name is None:
            _log.warning("global hotkeys are supported on X11 only")
            return False
        x11 = ctypes.CDLL(name)
        x11.XOpenDisplay.restype = c_void_p
        x11.XOpenDisplay.argtypes = (c_char_p,)
        x11.XDefaultRootWindow.restype = c_ulong
        x11.XDefaultRootWindow.argtypes = (c_void_p,)
        x11.XStringToKeysym.restype = c_ulong
        x11.XStringToKeysym.argtypes = (c_char_p,)
        x11.XKeysymToKeycode.restype = ctypes.c_ubyte
        x11.XKeysymToKeycode.argtypes = (c_void_p, c_ulong)
        x11.XGrabKey.argtypes = (c_void_p, c_int, c_uint, c_ulong, c_int, c_int, c_int)
        x11.XUngrabKey.argtypes = (c_void_p, c_int, c_uint, c_ulong)
        x11.XNextEvent.argtypes = (c_void_p, POINTER(_Event))
        x11.XSetErrorHandler.restype = c_void_p
        x11.XSetErrorHandler.argtypes = (c_void_p,)
        for function in (x11.XPending, x11.XConnectionNumber, x11.XCloseDisplay):
            function.argtypes = (c_void_p,)
        x11.XSync.argtypes = (c_void_p, c_int)
        display = x11.XOpenDisplay(None)
        if not display:
            return False
        self._x11, self._display = x11, display
        self._notifier = QSocketNotifier(x11.XConnectionNumber(display), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        return True

    def _code(self, keys: str) -> tuple[int, int] | None:
        *modifiers, key = keys.split("+") if not keys.endswith("++") else [*keys[:-2].split("+"), "plus"]
        symbol = self._x11.XStringToKeysym(keysym_name(key).encode())
        code = self._x11.XKeysymToKeycode(self._display, symbol) if symbol else 0
        if not code or any(one not in _MODIFIERS for one in modifiers):
            return None
        return int(code), sum({_MODIFIERS[one] for one in modifiers})

    def _grab(self, place: tuple[int, int]) -> bool:
        root = self._x11.XDefaultRootWindow(self._display)
        before = self._x11.XSetErrorHandler(self._on_error)
        self._refused = False
        for lock in _LOCKS:
            self._x11.XGrabKey(self._display, place[0], place[1] | lock, root, 1, _GRAB_ASYNC, _GRAB_ASYNC)
        # The response to all requests: another program may use the key.
        self._x11.XSync(self._display, 0)
        self._x11.XSetErrorHandler(before)
        if self._refused:
            self._release(place)
        return not self._refused

    def _release(self, place: tuple[int, int]) -> None:
        root = self._x11.XDefaultRootWindow(self._display)
        for lock in _LOCKS:
            self._x11.XUngrabKey(self._display, place[0], place[1] | lock, root)
        self._x11.XSync(self._display, 0)

    def _read(self) -> None:
        event = _Event()
        while self._display is not None and self._x11.XPending(self._display):
            self._x11.XNextEvent(self._display, byref(event))
            if event.type == _KEY_PRESS:
                state = event.key.state & sum(_MODIFIERS.values())
                keys = self._grabbed.get((event.key.keycode, state))
                if keys is not None:
                    self._pressed(keys)

    def _note_error(self, _display: object, _event: object) -> int:
        self._refused = True
        return 0
