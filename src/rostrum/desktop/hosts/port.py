"""The port to a windowing system: the platform calls methods of ``WindowHost`` and receives ``Reports``."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAccess:
    """Access of a window's page to the platform, and the origins where it applies.

    Attributes:
        origins: The origins of the app's definition. Pages of other origins get no globals and no token.
        gateway: The address of the gateway.
        info: Data of the platform's global object: names, ids, environment, start context.
        trusted: Whether the app comes from a trusted store.
        scripts: Scripts that run on these origins before the scripts of the page.
        security: Permissions of the page, on any origin.
        close_timeout: Time limit in seconds for the page's handlers before its window closes; None if they are not
            called.
        refresh_timeout: The same before it is reloaded.
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
    """A request to open a window of an app or of the platform. The window is shown only at its final position.

    Attributes:
        instance: The instance that it belongs to, which is also the id of the window.
        kind: The type of the app, such as window or workspaces; or alert, placeholder or popup.
        app: The name of the app; empty for windows of the platform.
        name: The name of the window.
        details: The details of its definition.
        bounds: The final position and size; None leaves them to the host.
        state: The state in which it is shown.
        hidden: Whether it stays hidden until ``show_window``.
        chrome: Its caption bar and border.
        page: The scripts and styles for its page.
        access: Access of its page to the platform; None for no access.
        surface: How it is drawn.
        load_page: Whether the page is loaded immediately; otherwise when a drawing of its tabs requires it.
        failure: A message that is shown instead of the page, with a button that loads it; empty to load the page.
        opener: The instance whose page has opened it, if any.
        parent: The instance that it is closed with, if any.
        zoom: Zoom factor of the page.
        adopts: The page, already loading, that the window shows (``WindowRequested.page``); a host that no longer has
            it loads the address of the details.
        snapping: Snapping while a user drags it; None for windows that do not snap.
        snapping_with_alt: The same while ALT is held.
        memory_limit: Memory limit of its page's process in megabytes; None for no limit.
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
    failure: str = ""
    opener: str | None = None
    parent: str | None = None
    zoom: float = 1
    adopts: str = ""
    snapping: SnapRules | None = None
    snapping_with_alt: SnapRules | None = None
    memory_limit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The bounds and state of an opened window."""

    bounds: Bounds
    state: WindowState = "normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelColor:
    """A channel that users can select, and its colour."""

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
    """The sign-in page, and its window."""

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
    """A notification on the screen.

    Attributes:
        app: The title of the app that raised it.
        snooze: Whether users may postpone it.
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
    """An entry of the tray icon's menu, with its sub-entries."""

    id: str
    title: str
    entries: tuple["TrayEntry", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A colour theme that users can select.

    Attributes:
        title: The display name.
        properties: Further members of its configuration.
    """

    name: str
    title: str
    properties: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogLook:
    """The window of a question."""

    width: float
    height: float
    transparent: bool | None
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppOption:
    """An app, or a running instance of an app, that the user can choose.

    Attributes:
        section: The heading that it is listed under.
        title: The name of the app.
        detail: Text that distinguishes it from other options with the same title.
    """

    section: str
    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppChoice:
    """The choice of the app that handles an intent.

    Attributes:
        request: Identifies the choice.
        source: The instance that has raised the intent. The dialog opens on the display of its window.
        title: The title of the dialog.
        note: The origin of the request.
        options: At least one; options of the same section are consecutive.
    """

    request: str
    source: str
    title: str
    note: str
    options: tuple[AppOption, ...]


class WindowHost(Protocol):
    """A windowing system. It draws; the platform makes decisions and holds the state."""

    async def prepare(self, engine: Engine, reports: Reports) -> None:
        """Start with the settings of local files, and send reports to ``reports``; called once, first."""
        ...

    async def set_requests(self, rules: PageRequests) -> None:
        """Set the rules for requests and responses of all pages."""
        ...

    async def set_themes(self, themes: tuple[Theme, ...], selected: str | None) -> None:
        """Set the available themes, and draw all windows in the selected one."""
        ...

    async def keep_folders(self, folders: tuple[str, ...]) -> None:
        """Let no download go into these folders, whatever the definition of an app says."""
        ...

    async def set_sticky_windows(self, options: Mapping[str, Any]) -> None:
        """Use these options of stickywindows.json for windows that stick to each other."""
        ...

    async def bring_to_front(self) -> None:
        """Bring all windows of the platform to the front."""
        ...

    def screens(self) -> tuple[Screen, ...]:
        """Return the displays, the primary one first."""
        ...

    async def capture_screen(self, screen: str, scale: float = 1) -> str:
        """Return a screenshot of a display as Base64 of a PNG file, scaled by a factor."""
        ...

    async def pointer(self) -> tuple[float, float]:
        """Return the position of the pointer on the desktop."""
        ...

    async def watch_pointer(self, interval: float) -> None:
        """Report the position of the pointer (``PointerMoved``), checked every ``interval`` seconds; 0 stops this."""
        ...

    async def open_window(self, request: WindowRequest) -> Opened:
        """Open a window; return its bounds."""
        ...

    async def adopt_window(self, instance: str, process: int | None) -> Bounds:
        """Embed the window of a native app, so that it can be grouped; return its rectangle."""
        ...

    async def open_native(self, request: WindowRequest) -> bool:
        """Start a ClickOnce or Citrix app, with the decorations of its window; False if this system cannot."""
        ...

    async def follow_program(
        self, instance: str, process: int, bounds: Bounds | None = None, state: WindowState | None = None
    ) -> None:
        """Track the window of a program, and report its bounds and state (``ProgramWindowChanged``).

        ``bounds`` and ``state`` are applied now or when the window appears; None leaves them to the program.
        """
        ...

    async def forget_program(self, instance: str) -> None:
        """Stop tracking the window of a program that has ended."""
        ...

    async def show_selector(self, instance: str, process: int | None, selector: Selector) -> None:
        """Show the channel selector of a program at its window, replacing an earlier one."""
        ...

    async def hide_selector(self, instance: str) -> None:
        """Hide the channel selector of a program that has ended."""
        ...

    async def close_window(self, instance: str) -> None:
        """Close a window without calling handlers."""
        ...

    async def act(self, instance: str, action: WindowAction) -> Any:
        """Perform an action on an open window; return the result that the action describes."""
        ...

    async def set_channels(self, channels: tuple[ChannelColor, ...]) -> None:
        """Set the channels in the channel selectors of all windows."""
        ...

    async def set_channel(
        self, instance: str, channels: tuple[str, ...], access: tuple[ChannelAccess, ...] = ()
    ) -> None:
        """Show the channels that a window has joined, and its access to them; those without a colour are not shown."""
        ...

    async def set_hotkeys(self, hotkeys: tuple[str, ...]) -> tuple[str, ...]:
        """Register exactly these global hotkeys; return those that are not available."""
        ...

    async def show_window(self, instance: str, bounds: Bounds, focus: bool = True) -> None:  # noqa: FBT001, FBT002
        """Show a hidden window at a position; without ``focus``, the keyboard focus does not change."""
        ...

    async def hide_window(self, instance: str) -> None:
        """Hide a window; it stays open."""
        ...

    async def set_title(self, instance: str, title: str) -> None:
        """Show another title."""
        ...

    async def move_window(self, instance: str, bounds: Bounds) -> None:
        """Set the bounds of a window."""
        ...

    def bounds(self, instance: str) -> Bounds | None:
        """Return the bounds of a window."""
        ...

    async def show_group(self, group: GroupDrawing) -> None:
        """Draw a group around its windows, replacing its earlier drawing."""
        ...

    async def hide_group(self, group: str) -> None:
        """Remove the drawing of a group."""
        ...

    async def accept_torn_out(self, instance: str) -> None:
        """Confirm a TornOut report: later drawings take it into account, whether the window left its group or stays.

        Without this, a drawing sent before the user dropped the window would return it to its group.
        """
        ...

    async def show_tabs(self, tabs: TabDrawing) -> None:
        """Draw a tab group, replacing its earlier drawing, and load the pages that it requires."""
        ...

    async def hide_tabs(self, tabs: str) -> None:
        """Remove the drawing of a tab group."""
        ...

    async def change_workspaces(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Perform an operation in the page of a workspaces frame; return its result."""
        ...

    async def set_panel_side(self, side: str) -> None:
        """Set the side of the screen where the notification panel opens."""
        ...

    async def set_spelling(self, spelling: Spelling | None) -> None:
        """Set the spell checking of all pages; None disables it."""
        ...

    async def show_login(self, screen: LoginScreen) -> None:
        """Show the sign-in page; CredentialsEntered reports the input."""
        ...

    async def hide_login(self) -> None:
        """Hide the sign-in page."""
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
        """Show the tray icon with this menu; TrayChosen reports the selected entry."""
        ...

    async def show_own(self, page: str) -> None:
        """Show one of the platform's own pages (``windows/own_pages.py``), or bring it to the front."""
        ...

    async def hide_own(self, page: str) -> None:
        """Close one of the platform's own pages, if it is shown."""
        ...

    async def send_to_pages(self, event: str, data: Mapping[str, Any]) -> None:
        """Send an event to every open page of the platform; ``window.rostrum.on`` of the page receives it."""
        ...

    async def ask(self, question: str, choices: tuple[str, ...], look: DialogLook | None = None) -> str:
        """Show a question to the user; the first choice is the safe one."""
        ...

    async def choose_app(self, choice: AppChoice) -> int | None:
        """Let the user choose an app; return the index of the option, or None for no choice."""
        ...

    async def hide_choice(self, request: str) -> None:
        """Close a dialog of ``choose_app``, if it is still open."""
        ...

    async def close(self) -> None:
        """Remove everything from the screen."""
        ...
