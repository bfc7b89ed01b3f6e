"""Updates: looked for every so often, downloaded whole and checked, then offered or applied."""

import asyncio
import hashlib
import logging
import re
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

import httpx

from rostrum.base.signal import Signal
from rostrum.client.errors import ServiceFailed
from rostrum.client.service import Service
from rostrum.desktop.errors import DesktopError
from rostrum.settings.sections.auto_updater import AutoUpdater, ServiceSource
from rostrum.stores.errors import StoreFailed
from rostrum.stores.poll import Poller

__all__ = ["Update", "Updates", "feed_path"]

_log = logging.getLogger(__name__)
_CHUNK = 256 * 1024
_PATIENCE = 60.0
_STATIC_FEED = "latest.json"
_NUMBERS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,5}")


@dataclass(frozen=True, slots=True)
class Update:
    """A newer version that lies ready, checked, on this machine."""

    version: str
    file: Path


Apply = Callable[[Update], Awaitable[None]]
"""Applies an update; the port to what installed this build. A build from an archive has none."""

Ask = Callable[[Update], Awaitable[bool]]
"""Asks the person at the desk whether to apply an update now."""


class Updates:
    """Asks the update service or storage of the settings.

    Attributes:
        ready: Emitted when an update was downloaded.

    """

    def __init__(
        self,
        settings: AutoUpdater,
        *,
        version: str,
        folder: Path,
        ask: Ask,
        apply: Apply | None,
        platform: str = sys.platform,
    ) -> None:
        """Take who is asked and who applies; nobody can for builds unpacked from an archive."""
        self.ready: Signal[Update] = Signal()
        self._settings = settings
        self._version = version
        self._folder = folder
        self._ask = ask
        self._apply = apply
        self._offered: set[str] = set()
        self._path = ""
        self._service: Service | None = None
        self._poller: Poller | None = None
        source = settings.update_source
        if not settings.enabled or source is None:
            return
        if apply is None:
            return
        self._path = feed_path(settings, platform, version)
        self._service = Service(source.base_url, timeout=_PATIENCE)
        self._poller = Poller("updates", self.look, self.every)

    @property
    def active(self) -> bool:
        """Say whether updates are looked for."""
        return self._service is not None

    @property
    def every(self) -> float:
        """Return the seconds from one look to the next."""
        return self._settings.update_interval_minutes * 60

    @property
    def unavailable(self) -> str | None:
        """Say why updates that are switched on are not looked for."""
        if not self._settings.enabled or self.active:
            return None
        return "updates are not available: this build was unpacked from an archive, not installed"

    def start(self) -> None:
        """Look now, and every so often."""
        if self._poller is not None:
            self._poller.start()
            self._poller.wake()

    async def stop(self) -> None:
        """Look no more."""
        if self._poller is not None:
            await self._poller.stop()
        if self._service is not None:
            await self._service.close()

    async def look(self) -> None:
        """Ask for a newer version; download, check and offer it."""
        if self._service is None:
            return
        try:
            feed = (await self._service.request("GET", self._path)).body
            if not isinstance(feed, dict) or not feed.get("url") or not _is_newer(_version_of(feed), self._version):
                return
            update = await self._downloaded(self._service, feed)
        except (ServiceFailed, httpx.HTTPError, OSError) as error:
            raise StoreFailed(f"no update: {error}") from error
        if update.version in self._offered:
            return
        self._offered.add(update.version)
        self.ready.emit(update)
        if self._apply is not None and (not self._settings.notify_user or await self._ask(update)):
            await self._apply(update)

    async def _downloaded(self, service: Service, feed: dict[str, Any]) -> Update:
        version, wanted = _version_of(feed), str(feed.get("sha256") or "").lower()
        if not wanted:
            raise DesktopError("the feed gives no sha256 of the update, so it cannot be checked")
        address = urljoin(f"{service.address}{self._path}", str(feed["url"]))
        file = self._folder / f"{hashlib.sha256(f'{version} {wanted}'.encode()).hexdigest()[:16]}.update"
        if not (file.is_file() and await asyncio.to_thread(_digest, file) == wanted):
            part = file.with_suffix(".part")
            await _download(address, part)
            if await asyncio.to_thread(_digest, part) != wanted:
                part.unlink(missing_ok=True)
                raise DesktopError("the update is not what the feed says: its sha256 differs")
            part.replace(file)
        return Update(version, file)


def feed_path(settings: AutoUpdater, platform: str, version: str) -> str:
    """Return what is asked for below the base address: of a service by platform, version and channel."""
    source = settings.update_source
    if not isinstance(source, ServiceSource):
        return f"/{_STATIC_FEED}"
    parts = [platform, version, *([source.channel] if source.channel else [])]
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def _version_of(feed: Mapping[str, Any]) -> str:
    return str(feed.get("version") or feed.get("name") or "")


def _is_newer(offered: str, running: str) -> bool:
    """Say whether a version goes beyond the running one; where they are no numbers, another one does."""
    versions = [offered, running]
    if not all(_NUMBERS.fullmatch(one) for one in versions):
        return versions[0] != running
    there, here = ([int(part) for part in one.split(".")] for one in versions)
    return there > here


async def _download(address: str, part: Path) -> None:
    """Go on where an earlier download broke off, when the other side can."""
    have = await asyncio.to_thread(_size, part)
    headers = {"Range": f"bytes={have}-"} if have else {}
    async with (
        httpx.AsyncClient(timeout=_PATIENCE, follow_redirects=True) as client,
        client.stream("GET", address, headers=headers) as response,
    ):
        if have and response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            return
        response.raise_for_status()
        mode = "ab" if response.status_code == httpx.codes.PARTIAL_CONTENT else "wb"
        with part.open(mode) as file:
            async for chunk in response.aiter_bytes(_CHUNK):
                await asyncio.to_thread(file.write, chunk)


def _size(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.stat().st_size if path.exists() else 0


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
