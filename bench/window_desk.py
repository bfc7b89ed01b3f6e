"""What the benchmarks of windows share: a desktop with real windows on a virtual display."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rostrum.desktop.hosts.reports import DocumentTitled, LoadFinished, Report, Reports
from tests.windows.desk import DeskOfTests, running_desk
from tests.windows.display import Display, running_display
from tests.windows.pages import Answer, Pages
from tests.windows.screen import Screen

PATIENCE = 60.0
PLACE = {"left": 100, "top": 100, "width": 600, "height": 400}
PAGE: Answer = (
    200,
    {"Content-Type": "text/html"},
    b"<!doctype html><title>Page</title><body><h1>Prices</h1><script>window.loaded = true</script>",
)


@dataclass(frozen=True, slots=True)
class Place:
    """A virtual display with a window manager, what is seen on it, and a folder."""

    display: Display
    screen: Screen
    folder: Path


@contextmanager
def virtual_display() -> Iterator[Place]:
    """Start a display; programs that are started in the block draw on it."""
    # As people have it: Python keeps the bytecode it has compiled.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, running_display(Path(folder)) as display:
        os.environ |= {"DISPLAY": display.name, "ROSTRUM_WINDOWS_TEST": "1", "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        with closing(Screen(display.name)) as screen:
            yield Place(display, screen, Path(folder))


@asynccontextmanager
async def desktop(place: Place, apps: Mapping[str, Mapping[str, Any]], pages: Pages) -> AsyncIterator[DeskOfTests]:
    """Run a platform with windows, and apps whose pages come from this process."""
    async with running_desk(place.folder / "desk", place.display, place.screen, pages, apps) as desk:
        yield desk


class Heard:
    """Waits for reports about windows without asking for them again and again."""

    def __init__(self, reports: Reports) -> None:
        """Listen to loaded pages and to titles."""
        self._loaded: set[str] = set()
        self._titles: dict[str, str] = {}
        self._news = asyncio.Event()
        reports.listen(LoadFinished, self._hear)
        reports.listen(DocumentTitled, self._hear)

    def forget(self) -> None:
        """Forget all reports so far."""
        self._loaded.clear()
        self._titles.clear()

    async def loaded(self, *instances: str) -> None:
        """Wait until the pages of windows are loaded."""
        await self._until(lambda: self._loaded.issuperset(instances))

    async def loaded_pages(self, count: int) -> None:
        """Wait until the pages of so many windows are loaded."""
        await self._until(lambda: len(self._loaded) >= count)

    async def titled(self, instance: str, start: str) -> str:
        """Wait until the page of a window has a title with this start; return the rest of it."""
        await self._until(lambda: self._titles.get(instance, "").startswith(start))
        return self._titles[instance].removeprefix(start)

    async def _until(self, condition: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def _hear(self, report: Report) -> None:
        if isinstance(report, LoadFinished):
            self._loaded.add(report.instance)
        elif isinstance(report, DocumentTitled):
            self._titles[report.instance] = report.title
        self._news.set()
