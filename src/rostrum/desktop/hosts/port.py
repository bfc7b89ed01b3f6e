"""The port to a windowing system: commands go out as methods of ``WindowHost``, and ``Reports`` come in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rostrum.desktop.hosts.actions import WindowAction
from rostrum.desktop.hosts.reports import Reports, WindowState
from rostrum.desktop.windows.chrome import Chrome, Selector
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds, Screen
from rostrum.desktop.windows.groups import GroupDrawing
from rostrum.desktop.windows.loader import Loader
from rostrum.desktop.windows.page_access import PageScript, PageSecurity
from rostrum.desktop.windows.pages import Page, Spelling
from rostrum.desktop.windows.requests import PageRequests
from rostrum.desktop.windows.snapping import SnapRules
from rostrum.desktop.windows.surface import Surface
from rostrum.desktop.windows.tabs import TabDrawing

__all__ = [
    "AppChoice",
    "AppOption",
    "Bounds",
    "ChannelAccess",
    "ChannelColor",
    "DialogLook",
    "LoginScreen",
    "Opened",
    "PageAccess",
    "Screen",
    "Splash",
    "Theme",
    "Toast",
    "ToastAction",
    "TrayEntry",
    "WindowHost",
    "WindowRequest",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAccess:
    """What the page of a window may know of the platform, and on which origins.

    Attributes:
        origins: The origins of the app's definition. Pages of other origins get no globals and no token.
        gateway: The address of the gateway.
        info: What pages read from the global object of the platform: names, ids, environment, start context.
        trusted: Whether the app comes from a trusted store.
        scripts: What runs on these origins before the scripts of the page.
        security: What the page may do, on any origin.
        close_timeout: Seconds that the page gets to answer before its window closes; None when it is not asked.
        refresh_timeout: The same before it is loaded again.

    """

    origins: tuple[str, ...]
    gateway: str
    info: Mapping[str, Any] = field(default_factory=dict, repr=False)
    trusted: bool = False
    scripts: tuple[PageScript, ...] = field(default=(), repr=False)
    security: PageSecurity = field(default_factory=PageSecurity)
    close_timeout: float | None = 60
    refresh_timeout: float | None = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRequest:
    """A window that an app, or the platform itself, wants. It is shown only when it is at its place.

    Attributes:
        instance: The running app it belongs to, which is also the id of the window.
        kind: The type of the app: window, workspaces, webGroup, childWindow; or alert, or popup.
        app: The name of the app; empty for windows of the platform.
        name: The name of the window.
        details: The details of its definition.
        bounds: The final position and size; None leaves them to the host.
        state: The state in which it is shown.
        hidden: Whether it stays hidden until ``show_window``.
        chrome: What it shows around its page.
        page: What its page gets from the platform.
        access: What its page may know of the platform; None gives it nothing.
        surface: How it is drawn.
        load_page: Whether the page is loaded at once; else when a drawing of its tabs says so.
        opener: The instance whose page has opened it, if any.
        parent: The instance that it is closed with, if any.
        zoom: How large the page is shown.
        adopts: The page, already loading, that the window shows (``WindowRequested.page``); a host that does not have
            it any more loads the address of the details.
        snapping: How it snaps when a person drags it; None for windows that do not snap.
        snapping_with_alt: The same while ALT is held.
        memory_limit: How many megabytes the process of its page may use; None sets no limit.

    """

    instance: str
    kind: str
    title: str
    details: Mapping[str, Any] = field(repr=False)
    app: str = ""
    name: str = ""
    bounds: Bounds | None = None
    state: WindowState = "normal"
    hidden: bool = False
    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    chrome: Chrome = field(default_factory=Chrome)
    page: Page | None = None
    access: PageAccess | None = None
    surface: Surface = field(default_factory=Surface)
    load_page: bool = True
    opener: str | None = None
    parent: str | None = None
    zoom: float = 1
    adopts: str = ""
    snapping: SnapRules | None = None
    snapping_with_alt: SnapRules | None = None
    memory_limit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Where and how a window was opened."""

    bounds: Bounds
    state: WindowState = "normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelColor:
    """A channel that people can choose, and the colour that windows in it show."""

    name: str
    color: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelAccess:
    """Whether a window receives the data of a channel, and whether it sends data to the channel."""

    channel: str
    read: bool = True
    write: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginScreen:
    """The page on which a person signs in, and its window."""

    url: str
    width: float | None
    height: float | None
    mode: str | None


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
class ToastAction:
    """A button of a toast."""

    id: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Toast:
    """A notification as it pops up.

    Attributes:
        app: The title of the app that raised it.
        snooze: Whether people may postpone it.

    """

    id: str
    title: str
    body: str
    severity: str
    stack: str | None
    corner: str
    app: str = ""
    icon: str = field(default="", repr=False)
    actions: tuple[ToastAction, ...] = ()
    snooze: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayEntry:
    """A line of the tray icon's menu, with the lines below it."""

    id: str
    title: str
    entries: tuple["TrayEntry", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A colour theme that people can select.

    Attributes:
        title: The name shown to people.
        properties: What else the configuration says of it.

    """

    name: str
    title: str
    properties: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogLook:
    """The window a question is asked in."""

    width: float
    height: float
    transparent: bool | None
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppOption:
    """An app, or a running instance of an app, that a person can choose.

    Attributes:
        section: The heading that it is listed under.
        title: The name of the app.
        detail: What distinguishes it from other options of the same title.

    """

    section: str
    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppChoice:
    """The question which app handles an intent.

    Attributes:
        request: Identifies the question.
        source: The instance that has raised the intent. The question is asked on the display of its window.
        title: What is asked for.
        note: Where the question comes from.
        options: At least one; options of the same section follow each other.

    """

    request: str
    source: str
    title: str
    note: str
    options: tuple[AppOption, ...]


class WindowHost(Protocol):
    """A windowing system. It draws what it is asked to; the platform decides and remembers."""

    async def prepare(self, engine: Engine, reports: Reports) -> None:
        """Start with the settings of local files, and report through ``reports`` from now on; called once, first."""
        ...

    async def set_requests(self, rules: PageRequests) -> None:
        """Let every page load, and see of answers, what these rules say from now on."""
        ...

    async def set_themes(self, themes: tuple[Theme, ...], selected: str | None) -> None:
        """Offer these themes, and draw every window in the selected one from now on."""
        ...

    async def set_sticky_windows(self, options: Mapping[str, Any]) -> None:
        """Use these options of stickywindows.json for windows that stick to each other."""
        ...

    async def bring_to_front(self) -> None:
        """Show every window of the platform above those of others."""
        ...

    def screens(self) -> tuple[Screen, ...]:
        """Return the displays, the primary one first."""
        ...

    async def capture_screen(self, screen: str, scale: float = 1) -> str:
        """Return a picture of a display as Base64 of a PNG file, larger or smaller by a factor."""
        ...

    async def pointer(self) -> tuple[float, float]:
        """Return where the pointer is, from the left and from the top of the desktop."""
        ...

    async def watch_pointer(self, interval: float) -> None:
        """Look where the pointer is every ``interval`` seconds, and report its moves (``PointerMoved``); 0 ends it."""
        ...

    async def open_window(self, request: WindowRequest) -> Opened:
        """Open a window; return where it is."""
        ...

    async def adopt_window(self, instance: str, process: int | None) -> Bounds:
        """Embed the window of a native app, so that it can be grouped; return its rectangle."""
        ...

    async def open_native(self, request: WindowRequest) -> bool:
        """Start a ClickOnce or Citrix app, with what is shown around its window; False where this system cannot."""
        ...

    async def follow_program(
        self, instance: str, process: int, bounds: Bounds | None = None, state: WindowState | None = None
    ) -> None:
        """Follow the window of a program, and report its place and state (``ProgramWindowChanged``).

        ``bounds`` and ``state`` are what the window gets, now or when it appears; None leaves them to the program.
        """
        ...

    async def forget_program(self, instance: str) -> None:
        """Follow the window of a program no more: the program has ended."""
        ...

    async def show_selector(self, instance: str, process: int | None, selector: Selector) -> None:
        """Show the channel selector of a program at its window, in place of what was shown for it before."""
        ...

    async def hide_selector(self, instance: str) -> None:
        """Show it no more: the program has ended."""
        ...

    async def close_window(self, instance: str) -> None:
        """Close a window without asking."""
        ...

    async def act(self, instance: str, action: WindowAction) -> Any:
        """Do something with an open window; return the result that the action describes."""
        ...

    async def set_channels(self, channels: tuple[ChannelColor, ...]) -> None:
        """Offer these channels in the channel selectors of all windows."""
        ...

    async def set_channel(
        self, instance: str, channels: tuple[str, ...], access: tuple[ChannelAccess, ...] = ()
    ) -> None:
        """Show the channels that a window is in, and what it may do with them; none is shown without a colour."""
        ...

    async def set_hotkeys(self, hotkeys: tuple[str, ...]) -> tuple[str, ...]:
        """Listen to exactly these global hotkeys; return those that another program has taken."""
        ...

    async def show_window(self, instance: str, bounds: Bounds, focus: bool = True) -> None:  # noqa: FBT001, FBT002
        """Show a window that was hidden, at a place; without ``focus`` the keyboard stays where it is."""
        ...

    async def hide_window(self, instance: str) -> None:
        """Hide a window; it stays open."""
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

    async def show_group(self, group: GroupDrawing) -> None:
        """Draw a group around its windows, in place of what was drawn for it before."""
        ...

    async def hide_group(self, group: str) -> None:
        """Draw nothing around a group's windows any more."""
        ...

    async def accept_torn_out(self, instance: str) -> None:
        """Draw a window in groups again: everything drawn from now on knows of its TornOut, whether it left or stays.

        A drawing that was on its way when a person dropped the window would take it back into its group.
        """
        ...

    async def show_tabs(self, tabs: TabDrawing) -> None:
        """Draw a tab group, in place of what was drawn for it before, and load the pages that it wants."""
        ...

    async def hide_tabs(self, tabs: str) -> None:
        """Draw a tab group no more."""
        ...

    async def change_workspaces(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Let the page of a workspaces frame do something; return its answer."""
        ...

    async def set_panel_side(self, side: str) -> None:
        """Show the page of notifications at the left or the right of the screen from now on."""
        ...

    async def set_spelling(self, spelling: Spelling | None) -> None:
        """Check spelling differently in every page from now on; None checks no more."""
        ...

    async def show_login(self, screen: LoginScreen) -> None:
        """Show the sign-in page; CredentialsEntered reports what is entered there."""
        ...

    async def hide_login(self) -> None:
        """Remove it from the screen."""
        ...

    async def show_splash(self, splash: Splash) -> None:
        """Show the splash; return when it is on the screen."""
        ...

    async def hide_splash(self) -> None:
        """Remove the splash."""
        ...

    async def show_loader(self, loader: Loader) -> None:
        """Show that a layout is being restored."""
        ...

    async def hide_loader(self) -> None:
        """Remove the loader."""
        ...

    async def show_toast(self, toast: Toast) -> None:
        """Show a toast."""
        ...

    async def hide_toast(self, toast: str) -> None:
        """Remove a toast."""
        ...

    async def show_tray(self, entries: tuple[TrayEntry, ...]) -> None:
        """Show the tray icon with this menu; TrayChosen reports the entry that a person chooses."""
        ...

    async def show_own(self, page: str) -> None:
        """Show one of the platform's own pages (``windows/own_pages.py``), or bring it to the front."""
        ...

    async def hide_own(self, page: str) -> None:
        """Close one of the platform's own pages; nothing happens when it is not shown."""
        ...

    async def send_to_pages(self, event: str, data: Mapping[str, Any]) -> None:
        """Send an event to every open page of the platform; ``window.rostrum.on`` of the page receives it."""
        ...

    async def ask(self, question: str, choices: tuple[str, ...], look: DialogLook | None = None) -> str:
        """Ask the person at the desk; the first choice is the safe one."""
        ...

    async def choose_app(self, choice: AppChoice) -> int | None:
        """Let the person at the desk choose an app; return the number of the option, or None for none of them."""
        ...

    async def hide_choice(self, request: str) -> None:
        """Withdraw a question of ``choose_app``; nothing happens when it is answered already."""
        ...

    async def close(self) -> None:
        """Remove everything from the screen."""
        ...
