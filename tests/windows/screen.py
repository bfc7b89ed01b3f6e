"""The screen as a person sees and uses it: windows, pixels, pointer and keys, through the X protocol only."""

import asyncio
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from Xlib import XK, X, display, error
from Xlib.ext import xtest
from Xlib.protocol import event, rq

T = TypeVar("T")
WAIT = 30.0
IN_VAIN = 0.5
"""Seconds until something that does not happen is a failure. Loaded machines are slow."""
_HELD_MS = 40
_POLL = 0.02
_LONGEST_POLL = 0.2
_REST = 3
"""How many times longer than a look the pause after it is, so that slow looks leave time for what they wait for."""
_PRESSES = 3
_LOOKS = 250
_ICONIC = 3
_SENT = 0x80
"""Marks events that come from a program, instead of the server."""
_LEFT = 1


class Rectangle(NamedTuple):
    """A place on the screen."""

    x: int
    y: int
    width: int
    height: int

    @property
    def center(self) -> tuple[int, int]:
        """The point in its middle."""
        return self.x + self.width // 2, self.y + self.height // 2

    @property
    def right(self) -> int:
        """The first column beyond it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.y + self.height

    def moved(self, dx: int, dy: int) -> "Rectangle":
        """The same size elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Window:
    """A window as the window manager lists it, at one moment.

    Attributes:
        bounds: Where its contents are.
        states: The names of its states without their prefix: MAXIMIZED_VERT, MAXIMIZED_HORZ, ABOVE, HIDDEN, …
        is_minimized: Whether it is an icon.
        is_viewable: Whether it is drawn: not while the window manager is about to show it for the first time (it has
            not yet moved it to its place then), nor in the middle of minimising and restoring it.

    """

    id: int
    title: str
    pid: int | None
    bounds: Rectangle
    states: frozenset[str]
    is_minimized: bool
    is_viewable: bool = True

    @property
    def is_maximized(self) -> bool:
        """Whether it fills the work area."""
        return {"MAXIMIZED_VERT", "MAXIMIZED_HORZ"} <= self.states

    @property
    def is_in_place(self) -> bool:
        """Whether a person can find it: on the screen or as an icon."""
        return self.is_viewable or self.is_minimized


class Image(NamedTuple):
    """A picture of a part of the screen, three bytes for each pixel."""

    width: int
    height: int
    data: bytes

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """The colour of a point."""
        red, green, blue = self.data[(at := 3 * (y * self.width + x)) : at + 3]
        return red, green, blue

    def count(self, color: tuple[int, int, int]) -> int:
        """How many points have a colour."""
        return sum(self.data[at : at + 3] == bytes(color) for at in range(0, len(self.data), 3))

    def png(self) -> bytes:
        """The picture as a file."""
        row = 3 * self.width
        lines = b"".join(b"\0" + self.data[at : at + row] for at in range(0, len(self.data), row))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in parts
        )


class _SetMonitor(rq.Request):
    """RRSetMonitor; the library's own form cannot be sent."""

    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(43), rq.RequestLength(), rq.Window("window"),
        rq.Card32("name"), rq.Bool("primary"), rq.Bool("automatic"), rq.LengthOf("outputs", 2),
        rq.Int16("x"), rq.Int16("y"), rq.Card16("width"), rq.Card16("height"),
        rq.Card32("width_mm"), rq.Card32("height_mm"), rq.List("outputs", rq.Card32Obj),
    )  # fmt: skip


class _DeleteMonitor(rq.Request):
    """RRDeleteMonitor; the library's own form is refused."""

    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(44), rq.RequestLength(), rq.Window("window"), rq.Card32("name"))


def _pause_since(begun: float) -> float:
    """Return how long to wait after a look that began at a time."""
    return min(max(_POLL, _REST * (time.monotonic() - begun)), _LONGEST_POLL)


def _note_places(events: list[Any], seen: dict[int, list[Rectangle]]) -> None:
    places: dict[int, Rectangle] = {}
    visible: set[int] = set()
    for one in events:
        number = one.window.id if getattr(one, "window", None) else 0
        if one.type in (X.CreateNotify, X.ConfigureNotify):
            places[number] = Rectangle(one.x, one.y, one.width, one.height)
        elif one.type == X.MapNotify:
            visible.add(number)
        elif one.type in (X.UnmapNotify, X.DestroyNotify):
            visible.discard(number)
        if number in visible and number in places and seen.get(number, [None])[-1] != places[number]:
            seen.setdefault(number, []).append(places[number])


class Screen:
    """One X display. All positions are pixels of the whole screen.

    Attributes:
        patience: How many seconds things may take.
        expected_in_vain: Things that a test waits for only shortly, because they must not come.

    """

    def __init__(self, name: str) -> None:
        self._display = display.Display(name)
        self._root = self._display.screen().root
        self.patience = WAIT
        self.expected_in_vain: tuple[str, ...] = ()
        self._atoms: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._randr: int = self._display.display.get_extension_major("RANDR")
        # A window may vanish between two requests; the answers are looked at, and nothing is printed.
        self._display.set_error_handler(lambda *_: None)

    def close(self) -> None:
        """Disconnect."""
        self._display.close()

    # Windows

    def windows(self) -> list[Window]:
        """Return all managed windows that are visible or minimized, the lowest first."""
        found = (self._window(number) for number in self._values(self._root, "_NET_CLIENT_LIST_STACKING"))
        return [window for window in found if window is not None and window.is_in_place]

    def titles(self) -> list[str]:
        """Return the titles of all managed windows, the lowest first."""
        return [window.title for window in self.windows()]

    def find(self, title: str) -> Window | None:
        """Return the topmost window with this title."""
        for number in reversed(self._values(self._root, "_NET_CLIENT_LIST_STACKING")):
            # Titles alone are read faster than windows.
            if self._title(self._display.create_resource_object("window", number)) == title:
                window = self._window(number)
                if window is not None and window.title == title and window.is_in_place:
                    return window
        return None

    def window(self, title: str, within: float | None = None) -> Window:
        """Wait for a window with this title."""
        return self.wait_for(f"a window {title!r}", lambda: self.find(title), within)

    def now(self, window: Window) -> Window:
        """Return the same window as it is now; it must be open."""
        found = self.if_open(window)
        assert found is not None, f"{window} is gone"
        return found

    def if_open(self, window: Window) -> Window | None:
        """Return the same window as it is now, or None when it is gone."""
        listed = self._values(self._root, "_NET_CLIENT_LIST_STACKING")
        return self._window(window.id) if window.id in listed else None

    def has_focus(self, window: Window) -> bool:
        """Return whether a window is open and active."""
        active = self.active()
        return active is not None and active == self.if_open(window)

    def shows(self, place: tuple[int, int], color: tuple[int, int, int]) -> bool:
        """Return whether a pixel has a colour."""
        return self.pixel(*place) == color

    def menus(self) -> list[Rectangle]:
        """Return visible menus and lists of choices: windows that no window manager manages, except tooltips.

        A tooltip appears when the pointer rests, which on a busy machine may be before a click is processed.
        """
        tooltip = self._atom("_NET_WM_WINDOW_TYPE_TOOLTIP")
        found: list[Rectangle] = []
        for child in self._root.query_tree().children:
            with suppress(error.XError):
                attributes = child.get_attributes()
                if attributes.override_redirect and attributes.map_state == X.IsViewable:
                    place = child.get_geometry()
                    # The window manager has small windows of its own outside the screen.
                    on_screen = place.x >= 0 and place.y >= 0 and place.width > 1 and place.height > 1
                    if on_screen and tooltip not in self._values(child, "_NET_WM_WINDOW_TYPE"):
                        found.append(Rectangle(place.x, place.y, place.width, place.height))
        return found

    def active(self) -> Window | None:
        """Return the window that has the keyboard."""
        return next((found for n in self._values(self._root, "_NET_ACTIVE_WINDOW") if (found := self._window(n))), None)

    def window_manager(self) -> str | None:
        """Return the name of the window manager, or None while there is none."""
        for number in self._values(self._root, "_NET_SUPPORTING_WM_CHECK"):
            return self._text(self._display.create_resource_object("window", number), "_NET_WM_NAME")
        return None

    def outer(self, window: Window) -> int:
        """Return the number of the window that the window manager has put around a window."""
        found = self._display.create_resource_object("window", window.id)
        with suppress(error.XError):
            while (parent := found.query_tree().parent) and parent != self._root:
                found = parent
        return int(found.id)

    def values(self, window: Window, name: str) -> list[int]:
        """Return the numbers of a property of a window, such as _NET_FRAME_EXTENTS or _MOTIF_WM_HINTS."""
        return self._values(self._display.create_resource_object("window", window.id), name)

    def depth(self, window: Window) -> int:
        """Return how many bits a pixel of a window has: 32 with an alpha channel."""
        return int(self._display.create_resource_object("window", window.id).get_geometry().depth)

    def accepts_focus(self, window: Window) -> bool:
        """Return whether a window wants the keyboard (WM_HINTS)."""
        hints = self.values(window, "WM_HINTS")
        return not hints or not hints[0] & 1 or bool(hints[1])

    def minimize(self, window: Window) -> None:
        """Minimise a window as a taskbar does."""
        self._send(window, "WM_CHANGE_STATE", [_ICONIC])

    def activate(self, window: Window) -> None:
        """Show a window and give it the keyboard, as a taskbar does."""
        self._send(window, "_NET_ACTIVE_WINDOW", [2, X.CurrentTime])

    def set_maximized(self, window: Window, *, on: bool) -> None:
        """Maximise a window, or restore it, as a window manager's key does."""
        states = [self._atom(f"_NET_WM_STATE_MAXIMIZED_{way}") for way in ("VERT", "HORZ")]
        self._send(window, "_NET_WM_STATE", [int(on), *states, 2])

    def ask_to_close(self, window: Window) -> None:
        """Ask a window to close, as a taskbar does."""
        self._send(window, "_NET_CLOSE_WINDOW", [X.CurrentTime, 2])

    def place(self, window: Window, bounds: Rectangle) -> None:
        """Move and resize a window from outside."""
        every = 0b1111 << 8 | 2 << 12
        self._send(window, "_NET_MOVERESIZE_WINDOW", [every, *bounds])

    def report_states_again(self, window: Window) -> None:
        """Let the server report the states of a window as they are, as it does when one of them changes."""
        found = self._display.create_resource_object("window", window.id)
        found.change_property(self._atom("_NET_WM_STATE"), self._atom("ATOM"), 32, [], X.PropModeAppend)
        self._display.sync()

    def wait_for_program(self, window: Window) -> None:
        """Wait until the program of a window has handled all that the server has reported to it."""
        watching = display.Display(self._display.get_display_name())
        try:
            watching.screen().root.change_attributes(event_mask=X.StructureNotifyMask | X.SubstructureNotifyMask)
            # A program may answer the first question together with the reports, before it handles them.
            for number in (1, 2):
                self._ping(watching, window, number)
        finally:
            watching.close()

    def _ping(self, watching: Any, window: Window, number: int) -> None:
        protocols, ping = self._atom("WM_PROTOCOLS"), self._atom("_NET_WM_PING")
        found = watching.create_resource_object("window", window.id)
        data = (32, [ping, number, window.id, 0, 0])
        found.send_event(event.ClientMessage(window=found, client_type=protocols, data=data))
        watching.flush()

        def answered() -> bool:
            events = [watching.next_event() for _ in range(watching.pending_events())]
            messages = [one for one in events if one.type & ~_SENT == X.ClientMessage and one.client_type == protocols]
            return any([*one.data[1][:2]] == [ping, number] for one in messages)

        self.wait_for("an answer of the program", answered)

    @contextmanager
    def watched(self) -> Iterator[dict[int, list[Rectangle]]]:
        """Note where each window is at every moment at which it is visible; complete after the block."""
        seen: dict[int, list[Rectangle]] = {}
        watching = display.Display(self._display.get_display_name())
        watching.screen().root.change_attributes(event_mask=X.SubstructureNotifyMask)
        watching.sync()
        try:
            yield seen
            watching.sync()
            _note_places([watching.next_event() for _ in range(watching.pending_events())], seen)
        finally:
            watching.close()

    # Pixels

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Return the colour of a point of the screen."""
        return self.image(Rectangle(x, y, 1, 1)).pixel(0, 0)

    def image(self, part: Rectangle | None = None) -> Image:
        """Return a picture of a part of the screen, or of all of it."""
        whole = self._root.get_geometry()
        x, y, width, height = part or (0, 0, whole.width, whole.height)
        raw = self._root.get_image(x, y, width, height, X.ZPixmap, 0xFFFFFFFF).data
        data = bytearray(3 * width * height)
        data[0::3], data[1::3], data[2::3] = raw[2::4], raw[1::4], raw[0::4]
        return Image(width, height, bytes(data))

    # Pointer and keys

    def pointer(self) -> tuple[int, int]:
        """Return where the pointer is."""
        found = self._root.query_pointer()
        return found.root_x, found.root_y

    def move(self, x: int, y: int) -> None:
        """Move the pointer at once."""
        self._fake(X.MotionNotify, x=x, y=y)

    def press(self, button: int = _LEFT) -> None:
        """Press a button of the pointer."""
        self._fake(X.ButtonPress, button)

    def release(self, button: int = _LEFT) -> None:
        """Release a button of the pointer."""
        self._fake(X.ButtonRelease, button)

    def click(self, x: int, y: int, button: int = _LEFT, *, times: int = 1) -> None:
        """Click at a point as a person does: not faster than a window manager passes the press on."""
        self.move(x, y)
        for _ in range(times):
            # The server itself waits: two clicks are never too far apart for a double click.
            self._fake(X.ButtonPress, button, time=_HELD_MS)
            self._fake(X.ButtonRelease, button, time=_HELD_MS)

    def drag(
        self,
        start: tuple[int, int],
        end: tuple[int, int],
        *,
        steps: int = 12,
        between: Callable[[], object] | None = None,
        drop: bool = True,
    ) -> None:
        """Press at one point, move in steps to another and release; ``between`` is called after each step."""
        self.move(*start)
        self.press()
        for step in range(1, steps + 1):
            self.move(*(a + (b - a) * step // steps for a, b in zip(start, end, strict=True)))
            if between is not None:
                between()
        if drop:
            self.release()

    async def drag_until(self, start: tuple[int, int], end: tuple[int, int], follows: Callable[[], bool]) -> None:
        """Drag and keep the button pressed until a window follows.

        A window manager that is busy can miss a press or the last movement. People press and move again.
        """
        for _ in range(_PRESSES):
            await asyncio.to_thread(self.drag, start, end, drop=False)
            for _ in range(_LOOKS):
                if follows():
                    return
                await asyncio.sleep(_POLL)
                self.move(end[0] - 1, end[1])
                self.move(*end)
            self.release()
        raise AssertionError(self._not_seen("a window that follows the pointer", _PRESSES * _LOOKS * _POLL))

    @contextmanager
    def held(self, *names: str) -> Iterator[None]:
        """Hold keys down, such as Alt_L, for as long as the block runs."""
        codes = [self._code(name) for name in names]
        for code in codes:
            self._fake(X.KeyPress, code)
        try:
            yield
        finally:
            for code in reversed(codes):
                self._fake(X.KeyRelease, code)

    def key(self, *names: str) -> None:
        """Press keys together, by their X names: ``key("Control_L", "plus")``."""
        with self.held(*names):
            pass

    def type(self, text: str) -> None:
        """Type letters, digits and blanks."""
        for letter in text:
            name = {" ": "space", "\n": "Return", ".": "period", "-": "minus", "/": "slash"}.get(letter, letter)
            self.key(*(("Shift_L",) if letter.isupper() else ()), name.lower() if letter.isupper() else name)

    # Monitors

    def set_monitors(self, *monitors: tuple[str, Rectangle]) -> None:
        """Divide the screen into monitors, the first one the primary; without any, it is one monitor again."""
        kept = set()
        for one in self._root.xrandr_get_monitors(is_active=False).monitors:
            place = Rectangle(one.x, one.y, one.width_in_pixels, one.height_in_pixels)
            found = (self._display.get_atom_name(one.name), place)
            if found in monitors:
                kept.add(found)
            elif not one.automatic:
                _DeleteMonitor(display=self._display.display, opcode=self._randr, window=self._root, name=one.name)
        for number, monitor in enumerate(monitors):
            # The server refuses a name that exists.
            if monitor not in kept:
                self._set_monitor(*monitor, is_primary=number == 0)
        self._display.sync()

    def monitors(self) -> dict[str, Rectangle]:
        """Return the monitors by name."""
        return {
            self._display.get_atom_name(one.name): Rectangle(one.x, one.y, one.width_in_pixels, one.height_in_pixels)
            for one in self._root.xrandr_get_monitors().monitors
        }

    # Waiting

    def patience_for(self, what: str) -> float:
        """Return how many seconds something may take."""
        return IN_VAIN if what in self.expected_in_vain else self.patience

    def wait_for(self, what: str, condition: Callable[[], T | None], within: float | None = None) -> T:
        """Look again and again until a condition holds; return its value."""
        within = self.patience_for(what) if within is None else within
        deadline = time.monotonic() + within
        while (begun := time.monotonic()) < deadline:
            if found := condition():
                return found
            time.sleep(_pause_since(begun))
        raise AssertionError(self._not_seen(what, within))

    async def until(self, what: str, condition: Callable[[], T | None], within: float | None = None) -> T:
        """The same while the event loop runs on."""
        within = self.patience_for(what) if within is None else within
        deadline = time.monotonic() + within
        while (begun := time.monotonic()) < deadline:
            if found := condition():
                return found
            await asyncio.sleep(_pause_since(begun))
        raise AssertionError(self._not_seen(what, within))

    async def menu_at(self, x: int, y: int) -> Rectangle:
        """Click at a point, and wait for the menu that opens."""
        self.click(x, y)
        return (await self.until("a menu", self.menus))[0]

    def save(self, folder: Path, name: str) -> Path:
        """Write a picture of the screen and the list of its windows; return the picture."""
        folder.mkdir(parents=True, exist_ok=True)
        picture = folder / f"{name}.png"
        picture.write_bytes(self.image().png())
        lines = [*map(str, self.windows()), *(f"menu {menu}" for menu in self.menus()), f"active {self.active()}"]
        lines.append(f"pointer {self.pointer()}")
        picture.with_suffix(".txt").write_text("\n".join(lines), encoding="utf-8")
        return picture

    def _not_seen(self, what: str, within: float) -> str:
        return f"not seen within {within:g} s: {what}. Windows: {[*map(str, self.windows())]}"

    def _set_monitor(self, name: str, bounds: Rectangle, *, is_primary: bool) -> None:
        _SetMonitor(
            display=self._display.display,
            opcode=self._randr,
            window=self._root,
            name=self._atom(name),
            primary=is_primary,
            automatic=False,
            # The server's own monitor disappears when another one has its output.
            outputs=self._root.xrandr_get_screen_resources_current().outputs if is_primary else [],
            x=bounds.x,
            y=bounds.y,
            width=bounds.width,
            height=bounds.height,
            width_mm=bounds.width // 4,
            height_mm=bounds.height // 4,
        )

    def _window(self, number: int) -> Window | None:
        window = self._display.create_resource_object("window", number)
        with suppress(error.XError):
            # Read before its place: a window that is shown in between is at its place when that is read.
            is_viewable = window.get_attributes().map_state == X.IsViewable
            state = self._values(window, "WM_STATE")
            size = window.get_geometry()
            corner = self._root.translate_coords(window, 0, 0)
            names = {self._name(atom) for atom in self._values(window, "_NET_WM_STATE")}
            return Window(
                id=number,
                title=self._title(window),
                pid=next(iter(self._values(window, "_NET_WM_PID")), None),
                bounds=Rectangle(corner.x, corner.y, size.width, size.height),
                states=frozenset(name.removeprefix("_NET_WM_STATE_") for name in names),
                is_minimized=state[:1] == [_ICONIC],
                is_viewable=is_viewable,
            )
        return None

    def _title(self, window: Any) -> str:
        return self._text(window, "_NET_WM_NAME") or self._text(window, "WM_NAME") or ""

    def _values(self, window: Any, name: str) -> list[int]:
        with suppress(error.XError):
            found = window.get_full_property(self._atom(name), X.AnyPropertyType)
            if found is not None and not isinstance(found.value, (bytes, str)):
                return [int(value) for value in found.value]
        return []

    def _text(self, window: Any, name: str) -> str | None:
        with suppress(error.XError):
            found = window.get_full_property(self._atom(name), X.AnyPropertyType)
            if found is not None:
                return found.value.decode(errors="replace") if isinstance(found.value, bytes) else str(found.value)
        return None

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self._display.get_atom(name)
        return self._atoms[name]

    def _name(self, atom: int) -> str:
        if atom not in self._names:
            self._names[atom] = self._display.get_atom_name(atom)
        return self._names[atom]

    def _code(self, name: str) -> int:
        code: int = self._display.keysym_to_keycode(XK.string_to_keysym(name))
        assert code, f"there is no key {name}"
        return code

    def _fake(self, kind: int, detail: int = 0, **place: int) -> None:
        xtest.fake_input(self._display, kind, detail, **place)
        self._display.sync()

    def _send(self, window: Window, kind: str, values: list[int]) -> None:
        message = event.ClientMessage(
            window=self._display.create_resource_object("window", window.id),
            client_type=self._atom(kind),
            data=(32, [*values, 0, 0, 0, 0, 0][:5]),
        )
        self._root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._display.sync()
