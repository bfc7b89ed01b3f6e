"""Reports: events of a window host for the platform, sent through an object that the host has from the start.

A report states a fact, such as a window that was moved. A question waits for the platform's answer, such as whether a
window may be closed. To add a report or a question, add a dataclass to this module.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from rostrum.base.signal import Signal
from rostrum.desktop.windows.geometry import Bounds, Screen, Side

_log = logging.getLogger(__name__)

WindowState = Literal["normal", "minimized", "maximized", "collapsed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed:
    """A window was closed, by the user, the page or the platform."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A window has another position or size.

    Attributes:
        at_rest: False while the user drags it.
    """

    instance: str
    bounds: Bounds
    at_rest: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChanged:
    """A window was minimized, maximized, collapsed or restored."""

    instance: str
    state: WindowState


@dataclass(frozen=True, slots=True, kw_only=True)
class Focused:
    """A window got or lost the keyboard focus."""

    instance: str
    focused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityChanged:
    """A window was shown or hidden."""

    instance: str
    visible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Retitled:
    """The user entered another title."""

    instance: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTitled:
    """The page has a new title."""

    instance: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IconChanged:
    """The page has an icon.

    Attributes:
        address: Where the icon comes from, or a data address.

    """

    instance: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Navigated:
    """The page has navigated to another address."""

    instance: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadStarted:
    """The page begins to load."""

    instance: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadFinished:
    """The page is loaded."""

    instance: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadFailed:
    """The page could not be loaded."""

    instance: str
    url: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zoomed:
    """The zoom factor of the page has changed."""

    instance: str
    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RendererStarted:
    """The process that runs the page has started."""

    instance: str
    process: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Crashed:
    """The process that ran the page has ended.

    Attributes:
        reason: Such as crashed, killed, or out of memory.
    """

    instance: str
    reason: str
    code: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresponsive:
    """The page does not respond."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Responsive:
    """The page responds again."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """The user has ended the drag of a window.

    Attributes:
        alt: Whether ALT was held.
        over: The window below the pointer, if any.
        tab: The index of the pointer in that window's tab strip; None if it was not over a strip.
    """

    instance: str
    bounds: Bounds
    alt: bool = False
    over: str | None = None
    tab: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TornOut:
    """The user has taken a window out of its group or tab strip.

    Attributes:
        dropped: Whether the drag has ended, so that Dropped follows; a long press takes a window out before a drag.
    """

    instance: str
    bounds: Bounds
    dropped: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRetitled:
    """The user entered a title for a group."""

    group: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BorderDoubleClicked:
    """The user double-clicked an outer border of a group."""

    group: str
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPageFailed:
    """The page of an app does not draw a web group; the host draws the group instead."""

    group: str
    app: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TabSelected:
    """The user selected a tab."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TabClosed:
    """The user closed a tab."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TabPinned:
    """The user pinned or unpinned a tab."""

    instance: str
    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TabReordered:
    """The user moved a tab within its strip."""

    instance: str
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerMoved:
    """The pointer has moved, while the platform watches it; in coordinates of the desktop.

    Attributes:
        over: The window below the pointer; None for windows of other programs and for the desktop.
    """

    left: float
    top: float
    over: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramWindowChanged:
    """The window of a tracked program has appeared, has new bounds or another state, or was closed.

    Attributes:
        bounds: Its bounds in the normal state; None if the program no longer has a window.
    """

    instance: str
    bounds: Bounds | None
    state: WindowState = "normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramDropped:
    """The user has dragged the window of a program that is not embedded in a frame yet.

    Attributes:
        bounds: Where it was dropped, with the decorations of the window manager.
        alt: Whether ALT was held.
    """

    instance: str
    bounds: Bounds
    alt: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameLocked:
    """The user locked or unlocked a window."""

    instance: str
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonClicked:
    """The user clicked a button that an app has added to its frame."""

    instance: str
    button: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelChosen:
    """The user selected the channels of a window; an empty list leaves all."""

    instance: str
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelRestricted:
    """The user changed whether a window receives the data of a channel, and whether it sends data to it."""

    instance: str
    channel: str
    read: bool
    write: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToastClicked:
    """The user clicked a toast."""

    toast: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToastActionChosen:
    """The user clicked an action of a toast."""

    toast: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToastClosed:
    """The user closed a toast."""

    toast: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayChosen:
    """The user selected an entry of the tray menu."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HotkeyPressed:
    """The user pressed a registered hotkey."""

    hotkey: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPageOpened:
    """A page of the platform is shown."""

    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPageClosed:
    """A page of the platform was closed, by the user or the platform."""

    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreensChanged:
    """A display was connected, disconnected or changed; the primary display is first."""

    screens: tuple[Screen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadProgressed:
    """A file is being downloaded.

    Attributes:
        state: started, progressing, completed, cancelled or failed.

    """

    instance: str
    download: str
    url: str
    path: str
    received: int
    total: int
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLost:
    """The window host has ended unexpectedly.

    Attributes:
        restarting: Whether it is started again; otherwise the platform continues without windows.

    """

    reason: str
    restarting: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRestored:
    """The window host is running again, with all windows."""


Report = (
    WindowClosed
    | Moved
    | StateChanged
    | Focused
    | VisibilityChanged
    | Retitled
    | DocumentTitled
    | IconChanged
    | Navigated
    | LoadStarted
    | LoadFinished
    | LoadFailed
    | Zoomed
    | RendererStarted
    | Crashed
    | Unresponsive
    | Responsive
    | Dropped
    | TornOut
    | GroupPageFailed
    | GroupRetitled
    | BorderDoubleClicked
    | TabSelected
    | TabClosed
    | TabPinned
    | TabReordered
    | PointerMoved
    | ProgramWindowChanged
    | ProgramDropped
    | FrameLocked
    | ButtonClicked
    | ChannelChosen
    | ChannelRestricted
    | ToastClicked
    | ToastActionChosen
    | ToastClosed
    | TrayChosen
    | HotkeyPressed
    | OwnPageOpened
    | OwnPageClosed
    | ScreensChanged
    | DownloadProgressed
    | HostLost
    | HostRestored
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MayClose:
    """Whether the user may close a window. Answer: bool."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MayRefresh:
    """Whether a page may be reloaded. Answer: bool."""

    instance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MayNavigate:
    """Whether a page may navigate to another address. Answer: bool."""

    instance: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRequested:
    """A page opens another window. The host keeps the new page hidden until the answer. Answer: bool.

    Before the answer is True, the platform opens a window with ``WindowRequest.adopts``, which shows the new page.
    After any other answer the host deletes it.

    Attributes:
        page: The host's id of the new page.
        features: The third argument of ``window.open``: names in lower case, and their values.
        by_user: Whether it was caused by a click or a key press of the user.
    """

    opener: str
    url: str
    page: str
    name: str = ""
    bounds: Bounds | None = None
    features: Mapping[str, str] = field(default_factory=dict)
    by_user: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenWanted:
    """A page on an origin of its app connects to the gateway. Answer: a new token, or None to refuse it."""

    instance: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequested:
    """A page requests a permission, such as the camera. Answer: bool."""

    instance: str
    origin: str
    permission: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialsEntered:
    """The sign-in page has finished. Answer: True if the platform waited for it."""

    user: str
    password: str = field(repr=False, default="")
    details: Mapping[str, Any] = field(repr=False, default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCall:
    """A page of the platform, or of an app in a window, calls the platform over the private channel of its window.

    Answer: the result; an error is the message of the exception.

    Attributes:
        instance: The window; empty for a page of the platform.
        page: The page of the platform, such as launcher; empty for the page of an app.

    """

    method: str
    instance: str = ""
    page: str = ""
    arguments: Mapping[str, Any] = field(repr=False, default_factory=dict)


Question = (
    MayClose
    | MayRefresh
    | MayNavigate
    | WindowRequested
    | TokenWanted
    | PermissionRequested
    | CredentialsEntered
    | PageCall
)

REPORTS: Mapping[str, type[Report]] = {one.__name__: one for one in Report.__args__}
"""All reports by name, which identifies them in messages between processes."""
QUESTIONS: Mapping[str, type[Question]] = {one.__name__: one for one in Question.__args__}
"""All questions by name."""

AnyReport = TypeVar("AnyReport")
AnyQuestion = TypeVar("AnyQuestion")

_DEFAULTS: Mapping[type[Any], Any] = {MayClose: True, MayRefresh: True, MayNavigate: True, PermissionRequested: False}
"""Safe default answers to questions that no service handles; they delay nothing."""


class Reports:
    """Forwards reports to the services that listen, and questions to the service that answers them."""

    def __init__(self) -> None:
        """Start without listeners."""
        self._listeners: dict[type[Any], Signal[Any]] = {}
        self._handlers: dict[type[Any], Callable[[Any], Awaitable[Any]]] = {}

    def listen(self, kind: type[AnyReport], listener: Callable[[AnyReport], None]) -> Callable[[], None]:
        """Call a function with every report of a type; call the returned function to stop."""
        return self._listeners.setdefault(kind, Signal()).connect(listener)

    def handle(self, kind: type[AnyQuestion], handler: Callable[[AnyQuestion], Awaitable[Any]]) -> None:
        """Answer every question of a type with this function, which replaces the previous one."""
        self._handlers[kind] = handler

    def report(self, report: Report) -> None:
        """Forward a report; failures of listeners are logged, because the host cannot handle them."""
        signal = self._listeners.get(type(report))
        if signal is None:
            return
        try:
            signal.emit(report)
        except ExceptionGroup:
            _log.exception("a report of the window host was not processed: %s", type(report).__name__)

    async def ask(self, question: Question) -> Any:
        """Return the answer to a question; the default answer if no service handles it."""
        handler = self._handlers.get(type(question))
        return _DEFAULTS.get(type(question)) if handler is None else await handler(question)
