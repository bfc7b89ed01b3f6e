"""What the platform asks of a windowing system; the headless one only writes down what it was asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = ["Bounds", "Screen", "Splash", "Toast", "WindowHost", "WindowRequest"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle on the desktop, in pixels."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Screen:
    """One display and the part of it that windows may cover."""

    id: str
    work_area: Bounds
    primary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRequest:
    """A window that an app wants.

    Attributes:
        instance: The running app it belongs to.
        kind: The type of the app: window, workspaces, webGroup, childWindow.
        details: The details of its definition, with what the settings say for all windows below them.

    """

    instance: str
    kind: str
    title: str
    details: Mapping[str, Any] = field(repr=False)
    bounds: Bounds | None = None
    context: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Splash:
    """The picture shown while the platform starts or stops."""

    width: float
    height: float
    url: str | None
    build: str | None
    version: str | None
    always_on_top: bool | None
    in_taskbar: bool
    transparent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Toast:
    """A notification as it pops up."""

    id: str
    title: str
    body: str
    severity: str
    stack: str | None
    corner: str


class WindowHost(Protocol):
    """A windowing system."""

    def screens(self) -> tuple[Screen, ...]:
        """Return the displays, the primary one first."""
        ...

    async def open_window(self, request: WindowRequest, closed: Callable[[], None]) -> None:
        """Open a window; ``closed`` is called when it is gone, whoever closed it."""
        ...

    async def close_window(self, instance: str) -> None:
        """Close a window."""
        ...

    async def set_title(self, instance: str, title: str) -> None:
        """Show another title."""
        ...

    async def move_window(self, instance: str, bounds: Bounds) -> None:
        """Put a window somewhere."""
        ...

    def bounds(self, instance: str) -> Bounds | None:
        """Return where a window is."""
        ...

    async def show_splash(self, splash: Splash) -> None:
        """Show the splash; return when it is on the screen."""
        ...

    async def hide_splash(self) -> None:
        """Take the splash away."""
        ...

    async def show_toast(self, toast: Toast) -> None:
        """Show a toast."""
        ...

    async def hide_toast(self, toast: str) -> None:
        """Take a toast away."""
        ...

    async def ask(self, question: str, choices: tuple[str, ...]) -> str:
        """Ask the person at the desk; the first choice is the safe one."""
        ...

    async def close(self) -> None:
        """Take everything off the screen."""
        ...
