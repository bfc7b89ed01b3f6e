"""RecordingHost: no windows, but a memory of what was asked for; for headless runs and tests."""

from collections.abc import Callable
from typing import Any

from rostrum.desktop.ports import Bounds, Screen, Splash, Toast, WindowRequest

__all__ = ["RecordingHost"]

_SCREEN = Screen("headless", Bounds(0, 0, 1920, 1080), primary=True)
_USUAL = Bounds(100, 100, 800, 600)
_MOST_CALLS = 1000


class RecordingHost:
    """Windows that exist only as records.

    Attributes:
        calls: The last calls, oldest first: what was asked, with what.
        windows: The open windows by instance.
        answers: What the person at the desk would choose, question by question; else the safe choice.

    """

    def __init__(self, screens: tuple[Screen, ...] = (_SCREEN,)) -> None:
        """Start with an empty screen."""
        self.calls: list[tuple[str, Any]] = []
        self.windows: dict[str, WindowRequest] = {}
        self.titles: dict[str, str] = {}
        self.toasts: dict[str, Toast] = {}
        self.splash: Splash | None = None
        self.answers: dict[str, str] = {}
        self._screens = screens
        self._bounds: dict[str, Bounds] = {}
        self._closed: dict[str, Callable[[], None]] = {}

    def screens(self) -> tuple[Screen, ...]:
        """Return the pretended displays."""
        return self._screens

    async def open_window(self, request: WindowRequest, closed: Callable[[], None]) -> None:
        """Remember a window."""
        self._note("open", request)
        self.windows[request.instance] = request
        self.titles[request.instance] = request.title
        self._bounds[request.instance] = request.bounds or _USUAL
        self._closed[request.instance] = closed

    async def close_window(self, instance: str) -> None:
        """Forget a window."""
        self._note("close", instance)
        self.windows.pop(instance, None)
        self._bounds.pop(instance, None)
        self.titles.pop(instance, None)
        closed = self._closed.pop(instance, None)
        if closed is not None:
            closed()

    async def set_title(self, instance: str, title: str) -> None:
        """Remember a title."""
        self._note("title", (instance, title))
        self.titles[instance] = title

    async def move_window(self, instance: str, bounds: Bounds) -> None:
        """Remember a place."""
        self._note("move", (instance, bounds))
        if instance in self.windows:
            self._bounds[instance] = bounds

    def bounds(self, instance: str) -> Bounds | None:
        """Return where a window would be."""
        return self._bounds.get(instance)

    async def show_splash(self, splash: Splash) -> None:
        """Remember the splash."""
        self._note("splash", splash)
        self.splash = splash

    async def hide_splash(self) -> None:
        """Forget the splash."""
        self._note("no splash", None)
        self.splash = None

    async def show_toast(self, toast: Toast) -> None:
        """Remember a toast."""
        self._note("toast", toast)
        self.toasts[toast.id] = toast

    async def hide_toast(self, toast: str) -> None:
        """Forget a toast."""
        self._note("no toast", toast)
        self.toasts.pop(toast, None)

    async def ask(self, question: str, choices: tuple[str, ...]) -> str:
        """Choose what a test has set, or the safe choice."""
        self._note("ask", question)
        return self.answers.get(question, choices[0])

    async def close(self) -> None:
        """Close every window."""
        for instance in [*self.windows]:
            await self.close_window(instance)

    def _note(self, what: str, about: Any) -> None:
        self.calls.append((what, about))
        del self.calls[:-_MOST_CALLS]
