"""RecordingHost: no windows, but a memory of what was asked for; for headless runs and tests."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from rostrum.desktop.ports import (
    Bounds,
    DialogLook,
    LoginScreen,
    Screen,
    Splash,
    Theme,
    Toast,
    TrayEntry,
    WindowEvents,
    WindowRequest,
)
from rostrum.desktop.windows.chrome import Selector
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.groups import GroupDrawing
from rostrum.desktop.windows.loader import Loader
from rostrum.desktop.windows.pages import Spelling
from rostrum.desktop.windows.picture import Picture
from rostrum.desktop.windows.requests import PageRequests
from rostrum.desktop.windows.tabs import TabDrawing

__all__ = ["RecordingHost"]

_SCREEN = Screen("headless", Bounds(0, 0, 1920, 1080), primary=True)
_USUAL = Bounds(100, 100, 800, 600)
_MOST_CALLS = 1000


class RecordingHost:
    """Windows that exist only as records.

    Attributes:
        calls: The last calls, oldest first: what was asked, with what.
        windows: The open windows by instance.
        events: What the platform wants to hear of each of them.
        hidden: Those of them that are not shown.
        selectors: The channel selectors of programs by instance.
        engine: What it was prepared with.
        requests: The rules for what pages load.
        themes: The themes to select from; ``theme`` is the selected one.
        sticky_windows: The options of stickywindows.json.
        tray: The menu of the tray icon, and who hears of a choice.
        answers: What the person at the desk would choose, question by question; else the safe choice.

    """

    def __init__(self, screens: tuple[Screen, ...] = (_SCREEN,), native: Collection[str] = ()) -> None:
        """Start with an empty screen; ``native`` are the types of native apps that this system pretends to have."""
        self._native = frozenset(native)
        self.selectors: dict[str, Selector] = {}
        self.calls: list[tuple[str, Any]] = []
        self.windows: dict[str, WindowRequest] = {}
        self.events: dict[str, WindowEvents] = {}
        self.titles: dict[str, str] = {}
        self.hidden: set[str] = set()
        self.engine: Engine | None = None
        self.requests = PageRequests()
        self.themes: tuple[Theme, ...] = ()
        self.theme: str | None = None
        self.sticky_windows: Mapping[str, Any] = {}
        self.groups: dict[str, GroupDrawing] = {}
        self.tabs: dict[str, TabDrawing] = {}
        self.toasts: dict[str, Toast] = {}
        self.splash: Splash | None = None
        self.loader: Loader | None = None
        self.tray: tuple[tuple[TrayEntry, ...], Callable[[str], Awaitable[None]]] | None = None
        self.answers: dict[str, str] = {}
        self._screens = screens
        self._bounds: dict[str, Bounds] = {}

    async def prepare(self, engine: Engine) -> None:
        """Remember what the engine would be started with."""
        self._note("engine", engine)
        self.engine = engine

    async def set_requests(self, rules: PageRequests) -> None:
        """Remember the rules for what pages load."""
        self._note("requests", rules)
        self.requests = rules

    async def set_themes(self, themes: tuple[Theme, ...], selected: str | None) -> None:
        """Remember the themes and the selected one."""
        self._note("themes", (themes, selected))
        self.themes, self.theme = themes, selected

    async def set_sticky_windows(self, options: Mapping[str, Any]) -> None:
        """Remember the options of windows that stick to each other."""
        self._note("sticky windows", options)
        self.sticky_windows = options

    async def bring_to_front(self) -> None:
        """Remember that the platform was wanted in front."""
        self._note("front", None)

    def screens(self) -> tuple[Screen, ...]:
        """Return the pretended displays."""
        return self._screens

    async def open_window(self, request: WindowRequest, events: WindowEvents) -> None:
        """Remember a window."""
        self._note("open", request)
        self.windows[request.instance] = request
        self.titles[request.instance] = request.title
        self._bounds[request.instance] = request.bounds or _USUAL
        self.events[request.instance] = events

    async def adopt_window(self, instance: str, process: int | None) -> Bounds:
        """Pretend that a native app has a window."""
        self._note("adopt", (instance, process))
        return self._bounds.setdefault(instance, _USUAL)

    async def open_native(self, request: WindowRequest, events: WindowEvents) -> bool:
        """Remember a native app as a window, where a test says that there are such apps."""
        if request.kind.lower() not in self._native:
            return False
        await self.open_window(request, events)
        return True

    async def show_selector(self, instance: str, process: int | None, selector: Selector) -> None:
        """Remember the channel selector of a program."""
        self._note("selector", (instance, process, selector))
        self.selectors[instance] = selector

    async def hide_selector(self, instance: str) -> None:
        """Forget it."""
        self._note("no selector", instance)
        self.selectors.pop(instance, None)

    async def close_window(self, instance: str) -> None:
        """Forget a window."""
        self._note("close", instance)
        self.windows.pop(instance, None)
        self.hidden.discard(instance)
        self._bounds.pop(instance, None)
        self.titles.pop(instance, None)
        events = self.events.pop(instance, None)
        if events is not None:
            events.closed()

    async def show_window(self, instance: str, bounds: Bounds) -> None:
        """Remember that a window is shown again."""
        self._note("show", (instance, bounds))
        self.hidden.discard(instance)
        if instance in self._bounds:
            self._bounds[instance] = bounds

    async def hide_window(self, instance: str) -> None:
        """Remember that a window is hidden."""
        self._note("hide", instance)
        if instance in self._bounds:
            self.hidden.add(instance)

    async def set_title(self, instance: str, title: str) -> None:
        """Remember a title."""
        self._note("title", (instance, title))
        self.titles[instance] = title

    async def move_window(self, instance: str, bounds: Bounds) -> None:
        """Remember a place."""
        self._note("move", (instance, bounds))
        if instance in self._bounds:
            self._bounds[instance] = bounds

    def bounds(self, instance: str) -> Bounds | None:
        """Return where a window would be."""
        return self._bounds.get(instance)

    async def show_group(self, group: GroupDrawing) -> None:
        """Remember a group."""
        self._note("group", group)
        self.groups[group.id] = group

    async def hide_group(self, group: str) -> None:
        """Forget a group."""
        self._note("no group", group)
        self.groups.pop(group, None)

    async def show_tabs(self, tabs: TabDrawing) -> None:
        """Remember a tab group."""
        self._note("tabs", tabs)
        self.tabs[tabs.id] = tabs

    async def hide_tabs(self, tabs: str) -> None:
        """Forget a tab group."""
        self._note("no tabs", tabs)
        self.tabs.pop(tabs, None)

    async def change_workspaces(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Remember what a frame was asked; there is no page to answer."""
        self._note("workspaces", (frame, operation, arguments))
        return {}

    async def set_spelling(self, spelling: Spelling | None) -> None:
        """Remember how spelling is checked."""
        self._note("spelling", spelling)

    async def show_login(self, screen: LoginScreen) -> None:
        """Remember the page on which somebody would log in."""
        self._note("login", screen)

    async def hide_login(self) -> None:
        """Remember that it is gone."""
        self._note("no login", None)

    async def show_splash(self, splash: Splash) -> None:
        """Remember the splash."""
        self._note("splash", splash)
        self.splash = splash

    async def hide_splash(self) -> None:
        """Forget the splash."""
        self._note("no splash", None)
        self.splash = None

    async def show_loader(self, loader: Loader) -> None:
        """Remember the loader."""
        self._note("loader", loader)
        self.loader = loader

    async def hide_loader(self) -> None:
        """Forget the loader."""
        self._note("no loader", None)
        self.loader = None

    async def show_toast(self, toast: Toast) -> None:
        """Remember a toast."""
        self._note("toast", toast)
        self.toasts[toast.id] = toast

    async def hide_toast(self, toast: str) -> None:
        """Forget a toast."""
        self._note("no toast", toast)
        self.toasts.pop(toast, None)

    async def show_tray(self, entries: tuple[TrayEntry, ...], chosen: Callable[[str], Awaitable[None]]) -> None:
        """Remember the menu of the tray icon."""
        self._note("tray", entries)
        self.tray = (entries, chosen)

    async def show_own(self, page: str) -> None:
        """Remember that a page of the platform was wanted."""
        self._note("own page", page)

    async def ask(self, question: str, choices: tuple[str, ...], look: DialogLook | None = None) -> str:
        """Choose what a test has set, or the safe choice."""
        self._note("ask", (question, choices, look))
        return self.answers.get(question, choices[0])

    async def close(self) -> None:
        """Close every window."""
        for instance in [*self.windows]:
            await self.close_window(instance)

    def picture(self) -> Picture:
        """Draw what would be on the primary screen."""
        picture = Picture(self._screens[0].work_area)
        picture.draw(self._bounds.values(), self.groups.values())
        return picture

    def _note(self, what: str, about: Any) -> None:
        self.calls.append((what, about))
        del self.calls[:-_MOST_CALLS]
