"""The splash screen, shown while the platform starts and stops."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rostrum.base.errors import RostrumError
from rostrum.desktop.hosts.port import Splash, WindowHost
from rostrum.sources.load import Early

_log = logging.getLogger(__name__)


class SplashScreen:
    """Shows the splash of the local settings, and delays nothing longer than they allow."""

    def __init__(self, early: Early, host: WindowHost) -> None:
        self._settings = early.settings.splash
        self._host = host
        self._splash = _splash(early)
        self._showing: asyncio.Task[None] | None = None
        self._is_wanted = False

    async def show_at_start(self) -> bool:
        """Show it, and wait until it is visible if configured. Return whether there is one."""
        if self._settings.disabled:
            return False
        self._is_wanted = True
        self._showing = asyncio.create_task(self._show(), name="splash")
        if self._settings.block_startup:
            await self._showing
        return True

    async def show_at_end(self) -> None:
        """Show it while the platform stops, if configured."""
        if self._settings.show_on_shutdown and not self._settings.disabled:
            await self._show()

    @asynccontextmanager
    async def covered(self) -> AsyncIterator[None]:
        """Hide it while something else needs the middle of the screen, such as the sign-in page."""
        if not self._is_wanted:
            yield
            return
        await self._remove()
        try:
            yield
        finally:
            self._showing = asyncio.create_task(self._show(), name="splash")

    async def hide(self) -> None:
        """Remove it from the screen."""
        self._is_wanted = False
        await self._remove()

    async def _remove(self) -> None:
        if self._showing is not None:
            self._showing.cancel()
            await asyncio.gather(self._showing, return_exceptions=True)
        try:
            await self._host.hide_splash()
        except RostrumError as error:
            _log.warning("the splash cannot be removed: %s", error)

    async def _show(self) -> None:
        seconds = self._settings.timeout / 1000
        try:
            async with asyncio.timeout(seconds):
                await self._host.show_splash(self._splash)
        except TimeoutError:
            _log.info("the splash is not visible after %g s; the platform continues", seconds)
        except RostrumError as error:
            # Neither the start nor the end must fail because of the splash.
            _log.warning("the splash cannot be shown: %s", error)


def _splash(early: Early) -> Splash:
    settings = early.settings.splash
    return Splash(
        width=settings.width,
        height=settings.height,
        url=settings.url,
        build=None if early.settings.build is None else str(early.settings.build),
        version=early.settings.ui_version,
        always_on_top=settings.always_on_top,
        in_taskbar=settings.show_in_taskbar,
        transparent=settings.transparent,
    )
