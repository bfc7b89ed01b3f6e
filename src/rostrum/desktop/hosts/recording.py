"""A host without windows that records all calls; for headless runs and tests."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import (
    AskHandlers,
    Center,
    Focus,
    GetCookies,
    GoBack,
    GoForward,
    Navigate,
    Reload,
    SetState,
    SetZoom,
    WindowAction,
)
from rostrum.desktop.hosts.port import (
    AppChoice,
    ChannelAccess,
    ChannelColor,
    DialogLook,
    LoginScreen,
    Opened,
    Splash,
    Theme,
    Toast,
    TrayEntry,
    WindowRequest,
)
from rostrum.desktop.hosts.reports import (
    Focused,
    LoadFinished,
    LoadStarted,
    Moved,
    Navigated,
    OwnPageClosed,
    OwnPageOpened,
    Reports,
    StateChanged,
    VisibilityChanged,
    WindowClosed,
    WindowState,
    Zoomed,
)
from rostrum.desktop.windows.chrome import Selector
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.desktop.windows.groups import GroupDrawing
from rostrum.desktop.windows.loader import Loader
from rostrum.desktop.windows.pages import Spelling
from rostrum.desktop.windows.picture import Picture
from rostrum.desktop.windows.requests import PageRequests
from rostrum.desktop.windows.tabs import TabDrawing

_SCREEN = Screen("headless", Bounds(0, 0, 1920, 1080), primary=True)
_USUAL = Bounds(100, 100, 800, 600)
_MOST_CALLS = 1000


class RecordingHost:
    """Windows that exist only as records.

    Attributes:
        calls: The last calls with their arguments, oldest first.
        windows: The open windows by instance.
        reports: Receives its reports; tests simulate user actions with it.
        states: The state of each window; ``focused`` is the one with the keyboard focus.
        hidden: The hidden windows; ``shown_with_focus`` is whether the last one was shown with focus.
        watches_pointer: Whether moves of the pointer are to be reported.
        programs: The tracked programs, with the bounds and state of their windows.
        selectors: The channel selectors of programs by instance.
        engine: The options that it was prepared with.
        requests: The rules for requests of pages.
        themes: The themes to select from; ``theme`` is the selected one.
        sticky_windows: The options of stickywindows.json.
        tray: The menu of the tray icon.
        channels: The channels to choose from; ``channel_of`` those of each window, ``access_of`` its access to them.
        hotkeys: The global hotkeys; ``taken`` are those that another program is simulated to use.
        prevented: Operations that pages prevent: the window, and close, refresh or navigate.
        answers: Simulated choices of the user, by question; the default is the safe choice.
    """

    def __init__(self, screens: tuple[Screen, ...] = (_SCREEN,), native: Collection[str] = ()) -> None:
        """Start with an empty screen; ``native`` are the types of native apps that are simulated."""
        self._native = frozenset(native)
        self.selectors: dict[str, Selector] = {}
        self.calls: list[tuple[str, Any]] = []
        self.windows: dict[str, WindowRequest] = {}
        self.reports = Reports()
        self.states: dict[str, WindowState] = {}
        self.focused: str | None = None
        self.urls: dict[str, list[str]] = {}
        self.zoom: dict[str, float] = {}
        self.channels: tuple[ChannelColor, ...] = ()
        self.channel_of: dict[str, tuple[str, ...]] = {}
        self.access_of: dict[str, tuple[ChannelAccess, ...]] = {}
        self.hotkeys: tuple[str, ...] = ()
        self.taken: tuple[str, ...] = ()
        self.titles: dict[str, str] = {}
        self.hidden: set[str] = set()
        self.shown_with_focus = True
        self.watches_pointer = False
        self.programs: dict[str, tuple[Bounds | None, WindowState | None]] = {}
        self.engine: Engine | None = None
        self.requests = PageRequests()
        self.themes: tuple[Theme, ...] = ()
        self.theme: str | None = None
        self.kept_folders: tuple[str, ...] = ()
        self.sticky_windows: Mapping[str, Any] = {}
        self.groups: dict[str, GroupDrawing] = {}
        self.tabs: dict[str, TabDrawing] = {}
        self.toasts: dict[str, Toast] = {}
        self.splash: Splash | None = None
        self.loader: Loader | None = None
        self.tray: tuple[TrayEntry, ...] | None = None
        self.prevented: set[tuple[str, str]] = set()
        self.answers: dict[str, str] = {}
        self._screens = screens
        self._bounds: dict[str, Bounds] = {}

    async def prepare(self, engine: Engine, reports: Reports) -> None:
        """Record the engine's options, and where to report."""
        self._note("engine", engine)
        self.engine = engine
        self.reports = reports

    async def set_requests(self, rules: PageRequests) -> None:
        """Remember the rules for requests of pages."""
        self._note("requests", rules)
        self.requests = rules

    async def set_themes(self, themes: tuple[Theme, ...], selected: str | None) -> None:
        """Remember the themes and the selected one."""
        self._note("themes", (themes, selected))
        self.themes, self.theme = themes, selected

    async def keep_folders(self, folders: tuple[str, ...]) -> None:
        """Remember the folders that no download goes into."""
        self._note("kept folders", folders)
        self.kept_folders = folders

    async def set_sticky_windows(self, options: Mapping[str, Any]) -> None:
        """Remember the options of windows that stick to each other."""
        self._note("sticky windows", options)
        self.sticky_windows = options

    async def bring_to_front(self) -> None:
        """Record that the windows were brought to the front."""
        self._note("front", None)

    def screens(self) -> tuple[Screen, ...]:
        """Return the simulated displays."""
        return self._screens

    async def capture_screen(self, screen: str, scale: float = 1) -> str:
        """Raise an error: nothing is drawn."""
        self._note("capture", (screen, scale))
        raise DesktopError("the platform runs without windows, so no screenshot is possible")

    async def pointer(self) -> tuple[float, float]:
        """Raise an error: there is no pointer."""
        raise DesktopError("the platform runs without windows, and there is no pointer")

    async def watch_pointer(self, interval: float) -> None:
        """Remember whether moves of the pointer are to be reported."""
        self._note("watch pointer", interval)
        self.watches_pointer = interval > 0

    async def open_window(self, request: WindowRequest) -> Opened:
        """Record a window; its page, if it is to be loaded, counts as loaded immediately."""
        instance = request.instance
        if instance in self.windows:
            raise DesktopError(f"the window {instance!r} is open already")
        self._note("open", request)
        self.windows[instance] = request
        self.titles[instance] = request.title
        self._bounds[instance] = request.bounds or _USUAL
        self.states[instance] = request.state
        self.zoom[instance] = request.zoom
        if request.hidden:
            self.hidden.add(instance)
        opened = Opened(bounds=self._bounds[instance], state=request.state)
        if request.load_page and request.details.get("url"):
            self._load(instance, str(request.details["url"]))
        return opened

    async def adopt_window(self, instance: str, process: int | None) -> Bounds:
        """Simulate the window of a native app."""
        self._note("adopt", (instance, process))
        return self._bounds.setdefault(instance, _USUAL)

    async def open_native(self, request: WindowRequest) -> bool:
        """Record a native app as a window, if a test simulates such apps."""
        if request.kind.lower() not in self._native:
            return False
        await self.open_window(request)
        return True

    async def follow_program(
        self, instance: str, process: int, bounds: Bounds | None = None, state: WindowState | None = None
    ) -> None:
        """Remember a program; it has no window."""
        self._note("follow", (instance, process, bounds, state))
        self.programs[instance] = (bounds, state)

    async def forget_program(self, instance: str) -> None:
        """Forget a program."""
        self._note("forget", instance)
        self.programs.pop(instance, None)

    async def show_selector(self, instance: str, process: int | None, selector: Selector) -> None:
        """Remember the channel selector of a program."""
        self._note("selector", (instance, process, selector))
        self.selectors[instance] = selector

    async def hide_selector(self, instance: str) -> None:
        """Forget the channel selector of a program."""
        self._note("no selector", instance)
        self.selectors.pop(instance, None)

    async def close_window(self, instance: str) -> None:
        """Forget a window."""
        self._note("close", instance)
        was_open = self.windows.pop(instance, None) is not None
        self.hidden.discard(instance)
        for known in (self._bounds, self.titles, self.states, self.urls, self.zoom, self.channel_of, self.access_of):
            known.pop(instance, None)
        if self.focused == instance:
            self.focused = None
        if was_open:
            self.reports.report(WindowClosed(instance=instance))

    async def act(self, instance: str, action: WindowAction) -> Any:
        """Record an action, and report its effect."""
        self._note("act", (instance, action))
        if instance not in self.windows:
            raise DesktopError(f"there is no window {instance!r}")
        match action:
            case SetState(state=state):
                self._set_state_of_frame(instance, state)
            case Focus():
                self._focus(instance)
            case Center():
                self._move(instance, _centred(self._bounds[instance], self._screens[0].work_area))
            case SetZoom(factor=factor):
                self.zoom[instance] = factor
                self.reports.report(Zoomed(instance=instance, factor=factor))
            case Navigate(url=url):
                self._load(instance, url)
            case Reload() | GoBack() | GoForward():
                self._load(instance, self.urls.get(instance, [""])[-1])
            case GetCookies():
                return []
            case AskHandlers(event=event):
                return (instance, event) not in self.prevented
        return None

    async def set_channels(self, channels: tuple[ChannelColor, ...]) -> None:
        """Remember the channels."""
        self._note("channels", channels)
        self.channels = channels

    async def set_channel(
        self, instance: str, channels: tuple[str, ...], access: tuple[ChannelAccess, ...] = ()
    ) -> None:
        """Remember the channels of a window, and its access to them."""
        self._note("channel", (instance, channels))
        self.channel_of[instance] = channels
        self.access_of[instance] = access

    async def set_hotkeys(self, hotkeys: tuple[str, ...]) -> tuple[str, ...]:
        """Remember the hotkeys."""
        self._note("hotkeys", hotkeys)
        self.hotkeys = tuple(one for one in hotkeys if one not in self.taken)
        return tuple(one for one in hotkeys if one in self.taken)

    async def show_window(self, instance: str, bounds: Bounds, focus: bool = True) -> None:  # noqa: FBT001, FBT002
        """Remember that a window is shown again."""
        self.shown_with_focus = focus
        self._note("show", (instance, bounds))
        if instance in self._bounds:
            was_hidden = instance in self.hidden
            self.hidden.discard(instance)
            self._move(instance, bounds)
            if was_hidden:
                self.reports.report(VisibilityChanged(instance=instance, visible=True))

    async def hide_window(self, instance: str) -> None:
        """Remember that a window is hidden."""
        self._note("hide", instance)
        if instance in self._bounds and instance not in self.hidden:
            self.hidden.add(instance)
            self.reports.report(VisibilityChanged(instance=instance, visible=False))

    async def set_title(self, instance: str, title: str) -> None:
        """Remember a title."""
        self._note("title", (instance, title))
        self.titles[instance] = title

    async def move_window(self, instance: str, bounds: Bounds) -> None:
        """Remember the bounds of a window."""
        self._note("move", (instance, bounds))
        if instance in self._bounds:
            self._move(instance, bounds)

    def bounds(self, instance: str) -> Bounds | None:
        """Return the recorded bounds of a window."""
        return self._bounds.get(instance)

    async def show_group(self, group: GroupDrawing) -> None:
        """Remember a group, and move its windows to their bounds in it."""
        self._note("group", group)
        self.groups[group.id] = group
        for instance, bounds in group.windows.items():
            if instance in self._bounds:
                self._move(instance, bounds)

    async def hide_group(self, group: str) -> None:
        """Forget a group."""
        self._note("no group", group)
        self.groups.pop(group, None)

    async def accept_torn_out(self, instance: str) -> None:
        """Do nothing: there are no pending drawings."""

    async def show_tabs(self, tabs: TabDrawing) -> None:
        """Remember a tab group, move its windows to one place, and load the pages that it requires."""
        self._note("tabs", tabs)
        before = self.tabs.get(tabs.id)
        kept = [one for one in before.instances if one in tabs.instances] if before is not None else []
        place = self._bounds.get(kept[0] if kept else str(tabs.selected))
        self.tabs[tabs.id] = tabs
        for one in tabs.instances:
            if place is not None and one in self._bounds:
                self._move(one, place)
            if one in tabs.loaded and one in self.windows and one not in self.urls:
                self._load(one, str(self.windows[one].details.get("url") or ""))

    async def hide_tabs(self, tabs: str) -> None:
        """Forget a tab group."""
        self._note("no tabs", tabs)
        self.tabs.pop(tabs, None)

    async def change_workspaces(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Record an operation of a frame; there is no page that responds."""
        self._note("workspaces", (frame, operation, arguments))
        return {}

    async def set_panel_side(self, side: str) -> None:
        """Remember the side of the page of notifications."""
        self._note("panel side", side)

    async def set_spelling(self, spelling: Spelling | None) -> None:
        """Remember how spelling is checked."""
        self._note("spelling", spelling)

    async def show_login(self, screen: LoginScreen) -> None:
        """Record the sign-in page."""
        self._note("login", screen)

    async def hide_login(self) -> None:
        """Record that the sign-in page is hidden."""
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

    async def show_tray(self, entries: tuple[TrayEntry, ...]) -> None:
        """Remember the menu of the tray icon."""
        self._note("tray", entries)
        self.tray = entries

    async def show_own(self, page: str) -> None:
        """Record that a page of the platform is shown."""
        self._note("own page", page)
        self.reports.report(OwnPageOpened(page=page))

    async def hide_own(self, page: str) -> None:
        """Record that a page of the platform was closed."""
        self._note("no own page", page)
        self.reports.report(OwnPageClosed(page=page))

    async def send_to_pages(self, event: str, data: Mapping[str, Any]) -> None:
        """Record an event for the open pages of the platform."""
        self._note("page event", (event, dict(data)))

    async def ask(self, question: str, choices: tuple[str, ...], look: DialogLook | None = None) -> str:
        """Return the choice that a test has set, or the safe choice."""
        self._note("ask", (question, choices, look))
        return self.answers.get(question, choices[0])

    async def choose_app(self, choice: AppChoice) -> int | None:
        """Return the choice that a test has set; without a screen, no choice is possible."""
        self._note("choose app", choice)
        if choice.title not in self.answers:
            raise DesktopError("This desktop has no windows in which an app can be chosen.")
        titles = [option.title for option in choice.options]
        answer = self.answers[choice.title]
        return titles.index(answer) if answer in titles else None

    async def hide_choice(self, request: str) -> None:
        """Remember that a question was withdrawn."""
        self._note("no choice", request)

    async def close(self) -> None:
        """Close every window."""
        for instance in [*self.windows]:
            await self.close_window(instance)

    def picture(self) -> Picture:
        """Draw the simulated primary screen."""
        picture = Picture(self._screens[0].work_area)
        picture.draw(self._bounds.values(), self.groups.values())
        return picture

    def _set_state_of_frame(self, instance: str, state: WindowState) -> None:
        """Change the state of all windows of a group, which share one frame. Windows are collapsed separately."""
        drawn = next((group.windows for group in self.groups.values() if instance in group.windows), {})
        for window in (instance,) if state == "collapsed" or not drawn else tuple(drawn):
            if window in self.windows:
                self._set_state(window, state)

    def _move(self, instance: str, bounds: Bounds) -> None:
        tabs = next((tabs.instances for tabs in self.tabs.values() if instance in tabs.instances), (instance,))
        for one in tabs:
            if one in self._bounds and self._bounds[one] != bounds:
                self._bounds[one] = bounds
                self.reports.report(Moved(instance=one, bounds=bounds))

    def _set_state(self, instance: str, state: WindowState) -> None:
        if self.states[instance] != state:
            self.states[instance] = state
            self.reports.report(StateChanged(instance=instance, state=state))

    def _focus(self, instance: str) -> None:
        before, self.focused = self.focused, instance
        if before == instance:
            return
        if before is not None:
            self.reports.report(Focused(instance=before, focused=False))
        self.reports.report(Focused(instance=instance, focused=True))

    def _load(self, instance: str, url: str) -> None:
        self.urls.setdefault(instance, []).append(url)
        self.reports.report(LoadStarted(instance=instance, url=url))
        self.reports.report(Navigated(instance=instance, url=url))
        self.reports.report(LoadFinished(instance=instance, url=url))

    def _note(self, what: str, about: Any) -> None:
        self.calls.append((what, about))
        del self.calls[:-_MOST_CALLS]


def _centred(bounds: Bounds, area: Bounds) -> Bounds:
    left = area.left + (area.width - bounds.width) / 2
    return replace(bounds, left=left, top=area.top + (area.height - bounds.height) / 2)
