"""An X server without a monitor (Xvfb) and a window manager (openbox) for the tests of windows."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.windows.screen import Screen

SIZE = (1600, 900)
PATIENCE = 60
PROGRAMS = ("Xvfb", "openbox", "trayer", "xterm")
# Nothing of the window manager's own reacts to the pointer or to keys, except that a click focuses and raises a window,
# and that title bars move and close windows: those of programs, and groups with the buttons of the system.
_OPENBOX = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <desktops><number>1</number></desktops>
  <resize><drawContents>yes</drawContents></resize>
  <keyboard/>
  <mouse>
    <dragThreshold>1</dragThreshold>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Titlebar"><mousebind button="Left" action="Drag"><action name="Move"/></mousebind></context>
    <context name="Close">
      <mousebind button="Left" action="Click"><action name="Close"/></mousebind>
    </context>
  </mouse>
</openbox_config>
"""


def wanted() -> None:
    """Tests of windows run wherever `make test` could install their programs; elsewhere they say what is missing."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"the tests of windows need {', '.join(missing)}: make test says how to install them")


@dataclass(frozen=True)
class Display:
    """A running X server.

    Attributes:
        name: Its address, as the variable DISPLAY has it.
        folder: A folder for files of its programs.
        has_graphics_card: Whether window processes simulate a graphics card, which takes three times as long. Without
            one, no window is transparent.

    """

    name: str
    folder: Path
    has_graphics_card: bool = False

    def environment(self) -> dict[str, str]:
        """Return the variables by which a program finds this display, and no other."""
        kept = {name: value for name, value in os.environ.items() if name not in ("WAYLAND_DISPLAY", "XAUTHORITY")}
        drawing = {} if self.has_graphics_card else {"QT_QUICK_BACKEND": "software"}
        # There is no message bus of tests, and the search for one takes long.
        return {**kept, **drawing, "DISPLAY": self.name, "DBUS_SESSION_BUS_ADDRESS": "disabled:"}

    @contextmanager
    def program(self, *command: str) -> Iterator["subprocess.Popen[bytes]"]:
        """Run a program on this display until the end of the block."""
        with (self.folder / f"{Path(command[0]).name}.log").open("ab") as log:
            process = subprocess.Popen(command, env=self.environment(), stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


@contextmanager
def running_display(folder: Path) -> Iterator[Display]:
    """Start a server and its window manager; both are gone at the end."""
    read, write = os.pipe()
    width, height = SIZE
    with (folder / "Xvfb.log").open("wb") as log:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdout=log, stderr=log,
        )  # fmt: skip
    os.close(write)
    try:
        # The server writes its number when it accepts connections.
        with os.fdopen(read) as number:
            line = number.readline().strip()
        assert line, (folder / "Xvfb.log").read_text(errors="replace")
        display = Display(f":{line}", folder)
        with managed(display):
            yield display
    finally:
        server.terminate()
        server.wait(PATIENCE)


@contextmanager
def managed(display: Display) -> Iterator[None]:
    """Run the window manager, and wait until it manages the screen."""
    settings = display.folder / "openbox.xml"
    settings.write_text(_OPENBOX, encoding="utf-8")
    with display.program("openbox", "--sm-disable", "--config-file", str(settings)):
        screen = Screen(display.name)
        try:
            screen.wait_for("a window manager", lambda: screen.window_manager() == "Openbox")
        finally:
            screen.close()
        yield
