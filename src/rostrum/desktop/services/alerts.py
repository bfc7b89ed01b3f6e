"""Alerts: short messages of the platform that disappear after a while."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from rostrum.base.retry import Sleep
from rostrum.base.shown_text import shown_text
from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.notifications import UNKNOWN_APP
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.own_pages import ALERT
from rostrum.settings.sections.user_interface import Alerts as AlertSettings

_MARGIN = 20
_MOST_OF_CALLER = 3
"""Alerts of one app that are shown at a time: each is a window in front of all others."""


class Alerts:
    """Shows one window per alert, in the upper right corner of the primary screen."""

    def __init__(
        self,
        settings: AlertSettings,
        host: WindowHost,
        *,
        new_id: Callable[[], str],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._host = host
        self._new_id = new_id
        self._sleep = sleep
        self._texts: dict[str, str] = {}
        self._callers: dict[str, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def show(self, text: str, caller: str = "") -> str | None:
        """Show an alert for a while; return None if alerts are disabled.

        Only a few alerts of a ``caller`` are shown at a time. The platform itself has no limit.
        """
        if not self._settings.enabled:
            return None
        if caller and sum(one == caller for one in self._callers.values()) >= _MOST_OF_CALLER:
            raise DesktopError(f"an app can show {_MOST_OF_CALLER} alerts at a time")
        identity = self._new_id()
        self._callers[identity] = caller
        area = self._host.screens()[0].work_area
        left = area.left + area.width - self._settings.width - _MARGIN
        request = WindowRequest(
            instance=identity,
            kind=ALERT,
            title=text,
            details={
                "url": _address(self._settings.url, text),
                "mode": "frameless",
                "transparent": self._settings.transparent,
                "roundedCorners": self._settings.rounded_corners,
                "text": text,
                # It must not interrupt the user.
                "focus": False,
                "onTop": True,
                "showInTaskbar": False,
            },
            bounds=Bounds(left, area.top + _MARGIN, self._settings.width, self._settings.height),
        )
        self._texts[identity] = text
        try:
            await self._host.open_window(request)
        except BaseException:
            self._forget(identity)
            raise
        task = asyncio.create_task(self._expire(identity), name=f"alert {identity}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return identity

    def contents(self, alert: str) -> dict[str, Any]:
        """Return the contents for the page of an alert."""
        if alert not in self._texts:
            raise DesktopError("the alert is no longer shown")
        return {"text": self._texts[alert], "rounded": self._settings.rounded_corners}

    async def close(self) -> None:
        """Cancel pending removals."""
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _expire(self, identity: str) -> None:
        try:
            await self._sleep(self._settings.ttl / 1000)
        finally:
            self._forget(identity)
        await self._host.close_window(identity)

    def _forget(self, identity: str) -> None:
        self._texts.pop(identity, None)
        self._callers.pop(identity, None)


def _address(url: str | None, text: str) -> str | None:
    """Return the address of a custom alerts app, with the text of the alert."""
    return None if url is None else f"{url}{'&' if '?' in url else '?'}text={quote(text)}"


class AlertMethods:
    """Alerts on the gateway."""

    def __init__(self, alerts: Alerts) -> None:
        self._alerts = alerts

    @method("Rostrum.Alerts.Show")
    async def show(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Show an alert of the calling app, which names the app: alerts without a name are those of the platform."""
        written = shown_text(text(arguments, "text"))
        name = caller.application or UNKNOWN_APP
        return {"id": await self._alerts.show(f"{name}: {written}", name)}
