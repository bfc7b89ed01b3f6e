"""A small program with one window, without any toolkit: python x_program.py TITLE X,Y,WIDTH,HEIGHT COLOR [menu]

It prints what happens to its window, one JSON object in each line, and ends when it is closed.
"""

import json
import os
import sys
from typing import Any

from Xlib import X, Xutil, display


def main(title: str, place: str, color: str, kind: str = "window") -> None:
    connection = display.Display()
    root = connection.screen()
    x, y, width, height = map(int, place.split(","))
    window = root.root.create_window(
        x, y, width, height, 0, root.root_depth,
        background_pixel=int(color, 16), override_redirect=kind == "menu",
        event_mask=X.ButtonPressMask | X.ButtonReleaseMask | X.PointerMotionMask | X.KeyPressMask,
    )  # fmt: skip
    window.set_wm_name(title)
    window.set_wm_protocols([connection.get_atom("WM_DELETE_WINDOW")])
    window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.PSize, min_width=1, min_height=1)
    cardinal = connection.get_atom("CARDINAL")
    window.change_property(connection.get_atom("_NET_WM_PID"), cardinal, 32, [os.getpid()])
    # Without decorations, so that places are exact.
    hints = connection.get_atom("_MOTIF_WM_HINTS")
    window.change_property(hints, hints, 32, [2, 0, 0, 0, 0])
    window.map()
    connection.flush()
    while True:
        happened = connection.next_event()
        if happened.type == X.ClientMessage:
            return
        _print(connection, happened)


def _print(connection: Any, happened: Any) -> None:
    names = {X.ButtonPress: "press", X.ButtonRelease: "release", X.MotionNotify: "motion", X.KeyPress: "key"}
    name = names.get(happened.type)
    if name == "key":
        symbol = connection.keycode_to_keysym(happened.detail, 1 if happened.state & X.ShiftMask else 0)
        _say({"event": name, "key": connection.lookup_string(symbol)})
    elif name is not None:
        _say({"event": name, "x": happened.root_x, "y": happened.root_y})


def _say(what: dict[str, Any]) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
