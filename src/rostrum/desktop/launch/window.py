"""Apps with windows: window, workspaces, webGroup and childWindow, opened through the port."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rostrum.contracts.addresses import why_not_opened
from rostrum.desktop.errors import DesktopError, LaunchFailed
from rostrum.desktop.hosts.port import Opened, PageAccess, WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import Reports, WindowClosed, WindowState
from rostrum.desktop.launch.launcher import Launch, Launched
from rostrum.desktop.windows.chrome import chrome_of
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.pages import Page, page_of
from rostrum.desktop.windows.placement import first_place
from rostrum.desktop.windows.snapping import snap_rules
from rostrum.desktop.windows.surface import surface_of
from rostrum.settings.scope import Mode, Stream
from rostrum.settings.sections.user_interface import Spellchecker
from rostrum.settings.settings import Settings


class OpenedWindow:
    """An app whose window the windowing system has opened."""

    def __init__(self, host: WindowHost, instance: str) -> None:
        self._host = host
        self._instance = instance

    @property
    def process(self) -> int | None:
        """Return None: the process belongs to the windowing system."""
        return None

    async def stop(self) -> None:
        """Close the window."""
        await self._host.close_window(self._instance)


class OpenWindows:
    """The instances with open windows; an instance ends when its window is closed."""

    def __init__(self, host: WindowHost, reports: Reports) -> None:
        """Listen to the windowing system."""
        self._host = host
        self._ended: dict[str, Callable[[int | None], None]] = {}
        reports.listen(WindowClosed, self._closed)

    @contextmanager
    def opening(self, launch: Launch) -> Iterator[OpenedWindow]:
        """Track a window before it is opened, because it may be closed immediately; not if opening fails."""
        self._ended[launch.instance] = launch.ended
        try:
            yield OpenedWindow(self._host, launch.instance)
        except BaseException:
            self._ended.pop(launch.instance, None)
            raise

    def _closed(self, closed: WindowClosed) -> None:
        ended = self._ended.pop(closed.instance, None)
        if ended is not None:
            ended(None)


class WindowLauncher:
    """Opens a window through the port."""

    def __init__(
        self,
        host: WindowHost,
        reports: Reports,
        settings: Settings,
        mode: Mode = Mode.DEFAULT,
        *,
        stream: Stream = Stream.V10,
        spelling: Callable[[], Spellchecker] | None = None,
        opens_files: Callable[[str], bool] = lambda _: False,
        open_window: Callable[[WindowRequest], Awaitable[Opened]] | None = None,
        access: Callable[[Launch, Page], Awaitable[PageAccess]] | None = None,
    ) -> None:
        """Use the port, and the settings for all windows.

        ``spelling`` returns the current settings, ``opens_files`` which apps may show local files. ``open_window``
        opens windows in place of the port, so that they are registered. ``access`` returns the access of a page to the
        platform; without it, pages have no access.
        """
        self._host = host
        self._open_window = open_window
        self._windows = OpenWindows(host, reports)
        self._settings = settings
        self._mode = mode
        self._stream = stream
        self._spelling = spelling or (lambda: settings.spellchecker)
        self._opens_files = opens_files
        self._access = access

    async def launch(self, launch: Launch) -> Launched:
        """Open a window; raise LaunchFailed if its page may not be opened."""
        kind, name = str(launch.definition["type"]), str(launch.definition["name"])
        problem = why_not_opened(launch.details.get("url"), files=self._opens_files(name))
        if problem is not None:
            raise LaunchFailed(f"{name}: details.url {problem}")
        try:
            bounds = launch.placement.bounds or first_place(launch.details, self._host.screens()[0])
        except DesktopError as error:
            raise LaunchFailed(f"{name}: {error}") from error
        chrome = chrome_of(launch.definition, self._settings, self._mode)
        page = page_of(launch.definition, self._settings, self._spelling(), self._mode)
        request = WindowRequest(
            instance=launch.instance,
            kind=kind,
            app=name,
            name=str(launch.details.get("name") or launch.details.get("windowName") or name),
            title=launch.title,
            details=launch.details,
            bounds=bounds or _bounds(launch.details),
            state=launch.placement.state or window_state(launch.details),
            hidden=launch.placement.hidden or launch.details.get("hidden") is True,
            zoom=launch.placement.zoom,
            opener=launch.opener,
            parent=launch.opener if _is_child(launch.details) else None,
            context=launch.context,
            chrome=chrome,
            load_page=launch.load_page,
            page=page,
            access=None if self._access is None else await self._access(launch, page),
            adopts=launch.adopts,
            surface=surface_of(kind, self._settings, self._mode, self._stream),
            memory_limit=self._settings.windows.memory_limit,
            snapping=snap_rules(kind, launch.details, self._settings.window_management),
            snapping_with_alt=snap_rules(kind, launch.details, self._settings.window_management, alt=True),
        )
        with self._windows.opening(launch) as opened:
            await (self._open_window or self._host.open_window)(request)
        return opened


def window_state(details: Mapping[str, Any]) -> WindowState:
    """Return the state in which the definition of a window requires it to be shown."""
    if details.get("isCollapsed") is True:
        return "collapsed"
    written = str(details.get("windowState") or "").lower()
    return "minimized" if written == "minimized" else "maximized" if written == "maximized" else "normal"


def _is_child(details: Mapping[str, Any]) -> bool:
    # Older definitions use isPopup.
    return True in (details.get("isChild"), details.get("isPopup"))


def _bounds(details: Mapping[str, Any]) -> Bounds | None:
    numbers = [details.get(name) for name in ("left", "top", "width", "height")]
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        return None
    left, top, width, height = (float(number) for number in numbers if number is not None)
    return Bounds(left, top, width, height)
