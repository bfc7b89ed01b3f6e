"""Updates: the feed is checked at an interval; a newer release is downloaded, verified, offered and applied."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.client.errors import ServiceFailed
from rostrum.client.service import Service
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.updates.download import download_package
from rostrum.desktop.updates.release import Feed, read_feed, read_public_key
from rostrum.installation.build import this_target, version_key
from rostrum.installation.launcher import State
from rostrum.installation.versions import Installation
from rostrum.settings.sections.auto_updater import AutoUpdater, ServiceSource
from rostrum.stores.poll import Poller

_FEED_SECONDS = 60.0
_MAX_FEED_BYTES = 1024 * 1024
_STATIC_FEED = "latest.json"
ReadState = Callable[[], State]
"""Reads which versions were current, and which ones failed."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Update:
    """A newer version whose verified package is on this machine.

    Attributes:
        version: The version.
        file: The package.
        is_confirmed: Whether the user has agreed to restart now.
    """

    version: str
    file: Path
    is_confirmed: bool = False


Apply = Callable[[Update], Awaitable[None]]
"""Switches to an update. Only installer builds support this."""

Ask = Callable[[Update], Awaitable[bool]]
"""Prompts the user whether to apply an update now."""


class Updates:
    """Checks the update service or the static storage of the settings.

    Attributes:
        ready: Emitted when an update was downloaded and verified.
        changed: Emitted when the summary may have changed.

    """

    def __init__(
        self,
        settings: AutoUpdater,
        *,
        version: str,
        folder: Path,
        ask: Ask,
        apply: Apply | None,
        unavailable: str | None = None,
        state: ReadState | None = None,
        platform: str = sys.platform,
        target: str | None = None,
    ) -> None:
        """Check for updates; ``unavailable`` states why none can be applied."""
        self.ready: Signal[Update] = Signal()
        self.changed: Signal[None] = Signal()
        self._settings = settings
        self._version = version
        self._folder = folder
        self._ask = ask
        self._apply = apply
        self._state = state or (lambda: State(version, newest=version))
        self._target = target or this_target()
        self._offered: set[str] = set()
        self._service: Service | None = None
        self._poller: Poller | None = None
        self._found = "not checked yet"
        self._unavailable = self._reason(unavailable)
        source = settings.update_source
        if not settings.enabled or source is None or self._unavailable is not None:
            return
        self._keys = [read_public_key(key) for key in settings.public_keys]
        address = source.base_url.rstrip("/") + feed_path(settings, platform, version)
        self._service = Service(address, timeout=_FEED_SECONDS)
        # A feed that fails is not requested more often than one that responds.
        self._poller = Poller("updates", self.check, self.interval, again=self.interval)
        self._poller.connectivity_changed.connect(lambda _: self.changed.emit(None))

    def _reason(self, unavailable: str | None) -> str | None:
        if not self._settings.enabled or self._settings.update_source is None:
            return None
        if self._apply is None:
            return unavailable or "Automatic updates are not available in this build."
        if not self._settings.public_keys:
            return (
                "Automatic updates are not available: autoUpdater.publicKeys in the local system.json is empty. "
                "Add the key that `rostrum updates keygen` prints."
            )
        return None

    @property
    def active(self) -> bool:
        """Return whether the feed is checked."""
        return self._service is not None

    @property
    def interval(self) -> float:
        """Return the seconds from one check to the next."""
        return self._settings.update_interval_minutes * 60

    @property
    def unavailable(self) -> str | None:
        """Return why enabled updates are not checked."""
        return self._unavailable

    @property
    def summary(self) -> str:
        """Describe the last check for ``rostrum desktop status``."""
        if self._unavailable is not None:
            return self._unavailable
        if self._poller is None:
            return "off"
        return self._poller.offline_reason or self._found

    def start(self) -> None:
        """Check now, and at the interval."""
        if self._poller is not None:
            self._poller.start()
            self._poller.wake()

    async def stop(self) -> None:
        """Stop checking."""
        if self._poller is not None:
            await self._poller.stop()
        if self._service is not None:
            await self._service.close()

    async def check(self) -> None:
        """Check for a newer release; download, verify, offer and apply it."""
        if self._service is None:
            return
        try:
            await self._check(self._service)
        finally:
            self.changed.emit(None)

    async def _check(self, service: Service) -> None:
        feed = await self._newer(service)
        if feed is None:
            return
        version, package = feed.release.version, feed.release.package_for(self._target)
        if package is None:
            self._found = f"version {version} has no package for {self._target}"
            return
        file = await download_package(feed.address_of(package), package, self._folder)
        if version in self._offered:
            return
        self._found = f"version {version} is ready to be applied"
        self._offered.add(version)
        try:
            await self._offer(Update(version, file))
        except RostrumError:
            # The next check tries again.
            self._offered.discard(version)
            raise

    async def _offer(self, update: Update) -> None:
        self.ready.emit(update)
        is_confirmed = self._settings.notify_user and await self._ask(update)
        if self._apply is not None and (is_confirmed or not self._settings.notify_user):
            await self._apply(replace(update, is_confirmed=is_confirmed))
            self._found = f"version {update.version} starts with the next start of the platform"

    async def _newer(self, service: Service) -> Feed | None:
        """Return the feed if it has a version that may be applied."""
        try:
            content = (await service.download(limit=_MAX_FEED_BYTES)).body
        except ServiceFailed as error:
            raise DesktopError(f"The update feed {service.shown} cannot be used: {error}") from error
        if not content:
            # Services respond like this when they have nothing newer.
            self._found = f"version {self._version} is up to date"
            return None
        feed = read_feed(content, service.address, self._keys)
        refusal = self._refusal(feed.release.version)
        if refusal is not None:
            self._found = refusal
            return None
        return feed

    def _refusal(self, offered: str) -> str | None:
        """Return why a signed version is not applied."""
        state = self._state()
        if version_key(offered) == version_key(self._version):
            return f"version {self._version} is up to date"
        if offered in state.failed:
            return f"version {offered} is not offered again, because it did not start: {state.failed[offered]}"
        # Old feeds have valid signatures; a replayed one must not bring back old vulnerabilities.
        newest = max(self._version, state.newest or self._version, key=version_key)
        if version_key(offered) < version_key(newest) and not self._settings.allow_downgrade:
            return f"version {offered} is not applied, because it is older than version {newest}"
        return None


def feed_path(settings: AutoUpdater, platform: str, version: str) -> str:
    """Return the path of the feed below the base address: for a service, with platform, version and channel."""
    source = settings.update_source
    if not isinstance(source, ServiceSource):
        return f"/{_STATIC_FEED}"
    parts = [platform, version, *([source.channel] if source.channel else [])]
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def applier(installation: Installation, restart: Callable[[], Awaitable[bool]], is_idle: Callable[[], bool]) -> Apply:
    """Return the function that applies updates to an installation.

    Without confirmation by the user, the platform restarts only while no app is running.
    """

    async def apply(update: Update) -> None:
        try:
            await asyncio.to_thread(installation.update, update.file, update.version)
        except OSError as error:
            raise DesktopError(
                f"Version {update.version} cannot be installed in {installation.root}: {error.strerror or error}"
            ) from error
        _log.info("version %s is current and starts with the next start", update.version)
        if update.is_confirmed or is_idle():
            await restart()

    return apply
