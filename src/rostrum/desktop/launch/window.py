"""Apps that are windows: window, workspaces, webGroup and childWindow go through the port."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rostrum.contracts.addresses import why_not_opened
from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.launch.launcher import Launch, Launched
from rostrum.desktop.ports import Bounds, WindowEvents, WindowHost, WindowRequest
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.chrome import chrome_of
from rostrum.desktop.windows.pages import page_of
from rostrum.desktop.windows.surface import surface_of
from rostrum.settings.scope import Mode, Stream
from rostrum.settings.sections.spellchecker import Spellchecker
from rostrum.settings.settings import Settings

__all__ = ["OpenedWindow", "WindowLauncher"]


class OpenedWindow:
    """An app whose window the windowing system has opened."""

    def __init__(self, host: WindowHost, instance: str) -> None:
        """Take where it is shown."""
        self._host = host
        self._instance = instance

    @property
    def process(self) -> int | None:
        """Return nothing: the process is the windowing system's own."""
        return None

    async def stop(self) -> None:
        """Close the window."""
        await self._host.close_window(self._instance)


async def _yes(_: str) -> bool:
    return True


async def _unheard(_: str, __: str, ___: TitledBy) -> None:
    return None


class WindowLauncher:
    """Asks the windowing system for a window."""

    def __init__(
        self,
        host: WindowHost,
        settings: Settings,
        mode: Mode = Mode.DEFAULT,
        *,
        stream: Stream = Stream.V10,
        spelling: Callable[[], Spellchecker] | None = None,
        may_close: Callable[[str], Awaitable[bool]] = _yes,
        retitle: Callable[[str, str, TitledBy], Awaitable[None]] = _unheard,
        opens_files: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Take the port, and what the settings say for all windows.

        ``may_close`` is asked when a person closes the window of an instance, ``retitle`` is called with titles that a
        person or the page has set, ``spelling`` returns the current settings, ``opens_files`` which apps may show local
        files.
        """
        self._host = host
        self._settings = settings
        self._mode = mode
        self._stream = stream
        self._spelling = spelling or (lambda: settings.spellchecker)
        self._may_close = may_close
        self._retitle = retitle
        self._opens_files = opens_files

    async def launch(self, launch: Launch) -> Launched:
        """Open a window; raise LaunchFailed when its page is none that may be opened."""
        kind, name = str(launch.definition["type"]), str(launch.definition["name"])
        problem = why_not_opened(launch.details.get("url"), files=self._opens_files(name))
        if problem is not None:
            raise LaunchFailed(f"{name}: details.url {problem}")
        chrome = chrome_of(launch.definition, self._settings, self._mode)

        async def retitled(title: str) -> None:
            if chrome.title_editable:
                await self._retitle(launch.instance, title, TitledBy.PERSON)

        async def document_titled(title: str) -> None:
            if title:
                await self._retitle(launch.instance, title, TitledBy.DOCUMENT)

        request = WindowRequest(
            instance=launch.instance,
            kind=kind,
            title=launch.title,
            details=launch.details,
            bounds=_bounds(launch.details),
            context=launch.context,
            chrome=chrome,
            load_page=launch.load_page,
            page=page_of(launch.definition, self._settings, self._spelling(), self._mode),
            surface=surface_of(kind, self._settings, self._mode, self._stream),
        )
        events = WindowEvents(
            closed=lambda: launch.ended(None),
            may_close=lambda: self._may_close(launch.instance),
            retitled=retitled,
            document_titled=document_titled,
        )
        await self._host.open_window(request, events)
        return OpenedWindow(self._host, launch.instance)


def _bounds(details: Mapping[str, Any]) -> Bounds | None:
    numbers = [details.get(name) for name in ("left", "top", "width", "height")]
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        return None
    left, top, width, height = (float(number) for number in numbers if number is not None)
    return Bounds(left, top, width, height)
