"""A separate connection to the X server, for windows of other programs; errors never end the process.

Qt has no functions for windows that it has not created. The library xcb exists wherever Qt shows windows on X11.
"""

import ctypes
import logging
import struct
import sys
from collections.abc import Callable, Sequence
from ctypes import POINTER, byref, c_uint32, c_void_p
from ctypes.util import find_library
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtGui import QGuiApplication

from rostrum.desktop.hosts.qt.xcb import Atom, Cookie, Generic, Geometry, Pointer, Property, Translated, Tree, declared
from rostrum.desktop.windows.geometry import Bounds

_log = logging.getLogger(__name__)

PRESS, FOCUS_IN, FOCUS_OUT = 4, 9, 10
CONFIGURE, DESTROY, UNMAP, MAP, PROPERTY = 22, 17, 18, 19, 28
_POINTER_DETAIL = 5
"""From this value on, details of focus events concern the pointer, not the keyboard."""
_REPLAY_POINTER = 2
_ANY_MODIFIER = 1 << 15
_FOCUS_CHANGE, _BUTTON_PRESS = 1 << 21, 1 << 2
_STRUCTURE_NOTIFY, _PROPERTY_CHANGE = 1 << 17, 1 << 22
_SUBSTRUCTURE = (1 << 19) | (1 << 20)
_EVENT_MASK = 1 << 11
_CLIENT_MESSAGE = 33
_LONGEST = 4096
"""Maximum number of four-byte units that are read from a property."""
CARDINAL = 6
_BUTTONS, _ALT = 0x1F << 8, 1 << 3
_MOST_PARENTS = 32


@dataclass(frozen=True, slots=True)
class XEvent:
    """An event of a window: moved, destroyed, shown or hidden, or a changed property."""

    kind: int
    window: int
    atom: int = 0


class X11(QObject):
    """The connection. Windows are identified by numbers."""

    def __init__(self, happened: Callable[[XEvent], None], parent: QObject | None = None) -> None:
        """Connect; raise OSError if there is no X server."""
        super().__init__(parent)
        name = find_library("xcb")
        if not sys.platform.startswith("linux") or QGuiApplication.platformName() != "xcb" or name is None:
            raise OSError("windows of other programs are supported on X11 only")
        self._happened = happened
        self._xcb = declared(ctypes.CDLL(name))
        self._libc = ctypes.CDLL(None)
        self._libc.free.argtypes = (c_void_p,)
        self._connection = self._xcb.xcb_connect(None, None)
        if self._xcb.xcb_connection_has_error(self._connection):
            self._xcb.xcb_disconnect(self._connection)
            raise OSError("the X server does not accept a further connection")
        setup = self._xcb.xcb_get_setup(self._connection)
        self.root = int(self._xcb.xcb_setup_roots_iterator(setup).data[0])
        self._atoms: dict[str, int] = {}
        self._notifier = QSocketNotifier(
            self._xcb.xcb_get_file_descriptor(self._connection), QSocketNotifier.Type.Read, self
        )
        self._notifier.activated.connect(lambda: self.read())
        # Events that arrive before a reply are read with it, without a signal of the notifier.
        self._after_reply = QTimer(self)
        self._after_reply.setSingleShot(True)
        self._after_reply.setInterval(0)
        self._after_reply.timeout.connect(lambda: self.read())

    def close(self) -> None:
        """Close the connection."""
        if self._connection:
            self._notifier.setEnabled(False)
            self._after_reply.stop()
            self._xcb.xcb_disconnect(self._connection)
            self._connection = None

    def atom(self, name: str) -> int:
        """Return the number of a name."""
        if name not in self._atoms:
            encoded = name.encode()
            cookie = self._xcb.xcb_intern_atom(self._connection, 0, len(encoded), encoded)
            reply = self._reply(self._xcb.xcb_intern_atom_reply, cookie, Atom)
            self._atoms[name] = 0 if reply is None else reply.atom
        return self._atoms[name]

    def watch(self, window: int, *, children: bool = False) -> None:
        """Report events of a window; with ``children``, only changes of its properties, such as the list of windows."""
        self._select(window, _PROPERTY_CHANGE if children else _PROPERTY_CHANGE | _STRUCTURE_NOTIFY)

    def values(self, window: int, name: str) -> list[int]:
        """Return the numbers in a property; empty if the property or window does not exist."""
        data = self._property(window, name)
        return [] if data is None or data[0] != 32 else [*struct.unpack(f"={len(data[1]) // 4}I", data[1])]

    def bounds(self, window: int) -> Bounds | None:
        """Return the bounds of a window's contents on the desktop; None if the window does not exist."""
        geometry = self._reply(
            self._xcb.xcb_get_geometry_reply, self._xcb.xcb_get_geometry(self._connection, window), Geometry
        )
        cookie = self._xcb.xcb_translate_coordinates(self._connection, window, self.root, 0, 0)
        place = self._reply(self._xcb.xcb_translate_coordinates_reply, cookie, Translated)
        if geometry is None or place is None:
            return None
        return Bounds(place.x, place.y, geometry.width, geometry.height)

    def frame_of(self, window: int) -> int:
        """Return the window manager's frame of a window; the window itself if there is none."""
        for _ in range(_MOST_PARENTS):
            cookie = self._xcb.xcb_query_tree(self._connection, window)
            tree = self._reply(self._xcb.xcb_query_tree_reply, cookie, Tree)
            if tree is None or tree.parent in (0, self.root):
                break
            window = tree.parent
        return window

    def held(self) -> tuple[bool, bool]:
        """Return whether a pointer button is held, and whether ALT is."""
        cookie = self._xcb.xcb_query_pointer(self._connection, self.root)
        pointer = self._reply(self._xcb.xcb_query_pointer_reply, cookie, Pointer)
        mask = 0 if pointer is None else pointer.mask
        return bool(mask & _BUTTONS), bool(mask & _ALT)

    def set_values(self, window: int, name: str, kind: int, values: Sequence[int]) -> None:
        """Replace the numbers in a property."""
        data = struct.pack(f"={len(values)}I", *values)
        self._xcb.xcb_change_property(self._connection, 0, window, self.atom(name), kind, 32, len(values), data)
        self.flush()

    def delete(self, window: int, name: str) -> None:
        """Remove a property."""
        self._xcb.xcb_delete_property(self._connection, window, self.atom(name))
        self.flush()

    def ask_manager(self, window: int, request: str, *values: int) -> None:
        """Send a request about a window to the window manager."""
        numbers = [*(one & 0xFFFFFFFF for one in values), 0, 0, 0, 0, 0][:5]
        message = struct.pack("=BBHII5I", _CLIENT_MESSAGE, 32, 0, window, self.atom(request), *numbers)
        self._xcb.xcb_send_event(self._connection, 0, self.root, _SUBSTRUCTURE, message)
        self.flush()

    def withdraw(self, window: int) -> None:
        """Withdraw a window from the window manager, like a program that hides its window (ICCCM 4.1.4)."""
        self._xcb.xcb_unmap_window(self._connection, window)
        message = struct.pack("=BBHIIB19x", UNMAP, 0, 0, self.root, window, 0)
        self._xcb.xcb_send_event(self._connection, 0, self.root, _SUBSTRUCTURE, message)
        self.flush()

    def set_focus(self, window: int) -> None:
        """Give a window the keyboard focus."""
        self._xcb.xcb_set_input_focus(self._connection, 1, window, 0)
        self.flush()

    def watch_presses(self, window: int) -> None:
        """Report presses on a window, which still receives them, and changes of the keyboard focus."""
        self._select(window, _STRUCTURE_NOTIFY | _PROPERTY_CHANGE | _FOCUS_CHANGE)
        self._xcb.xcb_grab_button(self._connection, 0, window, _BUTTON_PRESS, 0, 1, 0, 0, 0, _ANY_MODIFIER)
        self.flush()

    def ignore_presses(self, window: int) -> None:
        """Stop reporting presses on a window."""
        self._select(window, _STRUCTURE_NOTIFY | _PROPERTY_CHANGE)
        self._xcb.xcb_ungrab_button(self._connection, 0, window, _ANY_MODIFIER)
        self.flush()

    def ask_to_close(self, window: int) -> None:
        """Request a program to close its window; a program that does not support this is disconnected from X."""
        if self.atom("WM_DELETE_WINDOW") in self.values(window, "WM_PROTOCOLS"):
            values = (self.atom("WM_DELETE_WINDOW"), 0, 0, 0, 0)
            message = struct.pack("=BBHII5I", _CLIENT_MESSAGE, 32, 0, window, self.atom("WM_PROTOCOLS"), *values)
            self._xcb.xcb_send_event(self._connection, 0, window, 0, message)
        else:
            self._xcb.xcb_kill_client(self._connection, window)
        self.flush()

    def flush(self) -> None:
        """Send queued requests."""
        self._xcb.xcb_flush(self._connection)

    def read(self) -> None:
        """Process events."""
        while self._connection:
            pointer = self._xcb.xcb_poll_for_event(self._connection)
            if not pointer:
                return
            event = ctypes.cast(pointer, POINTER(Generic)).contents
            kind = event.response_type & 0x7F
            happened = None
            if kind in (CONFIGURE, DESTROY, UNMAP, MAP):
                # The affected window is second, after the watched one.
                happened = XEvent(kind, event.second)
            elif kind == PROPERTY:
                happened = XEvent(kind, event.window, event.second)
            elif kind == PRESS:
                # All events wait until the press is forwarded to the program.
                self._xcb.xcb_allow_events(self._connection, _REPLAY_POINTER, event.window)
                self.flush()
                happened = XEvent(kind, event.pad[0])
            elif kind in (FOCUS_IN, FOCUS_OUT) and event.detail < _POINTER_DETAIL:
                happened = XEvent(kind, event.window)
            self._libc.free(pointer)
            if happened is not None:
                self._happened(happened)

    def text(self, window: int, name: str) -> str:
        """Return the text in a property; empty if there is none."""
        data = self._property(window, name)
        return "" if data is None or data[0] != 8 else data[1].decode(errors="replace")

    def _select(self, window: int, mask: int) -> None:
        values = (c_uint32 * 1)(mask)
        self._xcb.xcb_change_window_attributes(self._connection, window, _EVENT_MASK, values)
        self.flush()

    def _property(self, window: int, name: str) -> tuple[int, bytes] | None:
        cookie = self._xcb.xcb_get_property(self._connection, 0, window, self.atom(name), 0, 0, _LONGEST)
        error = c_void_p()
        pointer = self._xcb.xcb_get_property_reply(self._connection, cookie, byref(error))
        self._after_reply.start()
        if error.value:
            self._libc.free(error)
        if not pointer:
            return None
        reply = ctypes.cast(pointer, POINTER(Property)).contents
        size = self._xcb.xcb_get_property_value_length(pointer)
        data = (reply.format, ctypes.string_at(self._xcb.xcb_get_property_value(pointer), size))
        self._libc.free(pointer)
        return data

    def _reply(self, function: Any, cookie: Cookie, kind: type[Any]) -> Any:
        error = c_void_p()
        pointer = function(self._connection, cookie, byref(error))
        self._after_reply.start()
        if error.value:
            self._libc.free(error)
        if not pointer:
            return None
        copy = kind.from_buffer_copy(ctypes.string_at(pointer, ctypes.sizeof(kind)))
        self._libc.free(pointer)
        return copy
