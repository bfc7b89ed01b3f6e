"""Popups: small pages that a running app opens beside its window."""

from collections.abc import Mapping
from typing import Any

from rostrum.base.ids import new_id
from rostrum.desktop.arguments import bounds, choice, number, text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import Focused, Reports, WindowClosed
from rostrum.desktop.services.instances import Ended, Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.popups import Popup, place_popup
from rostrum.settings.scope import Mode

_MOST = 16


class Popups:
    """The open popups; each is closed with its owner."""

    def __init__(
        self,
        mode: Mode,
        host: WindowHost,
        instances: Instances,
        control: WindowControl,
        *,
        reports: Reports,
        background: BackgroundTasks,
    ) -> None:
        self._control = control
        self._until_focus_is_lost: set[str] = set()
        self._mode = mode
        self._host = host
        self._instances = instances
        self._background = background
        self._owners: dict[str, str] = {}
        reports.listen(WindowClosed, lambda report: self._closed(report.instance))
        reports.listen(Focused, self._focus_changed)
        instances.ended.connect(self._owner_ended)

    async def open(self, owner: str, popup: Popup, url: str) -> str:
        """Open a popup of a running app; return its id."""
        if self._instances.get(owner) is None:
            raise DesktopError(f"there is no instance {owner!r}")
        if sum(one == owner for one in self._owners.values()) >= _MOST:
            raise DesktopError(f"{owner!r} has {_MOST} popups open, which is the limit")
        place = place_popup(popup, self._host.screens(), self._mode)
        identity = new_id()
        self._owners[identity] = owner
        details = {"url": url, "owner": owner, "onTop": True}
        request = WindowRequest(instance=identity, kind="popup", title="", details=details, bounds=place)
        await self._host.open_window(request)
        return identity

    async def show(self, window: str, bounds: Bounds, *, focus: bool) -> None:
        """Show an open window as a popup; if it gets the focus, it is hidden when it loses the focus."""
        self._until_focus_is_lost.discard(window)
        await self._control.move(window, left=bounds.left, top=bounds.top, width=bounds.width, height=bounds.height)
        await self._control.show(window, focus=focus)
        if focus:
            await self._control.focus(window)
            self._until_focus_is_lost.add(window)

    async def close(self, popup: str) -> None:
        """Close a popup."""
        if popup in self._owners:
            await self._host.close_window(popup)

    def _closed(self, popup: str) -> None:
        self._owners.pop(popup, None)
        self._until_focus_is_lost.discard(popup)

    def _focus_changed(self, report: Focused) -> None:
        if not report.focused and report.instance in self._until_focus_is_lost:
            self._until_focus_is_lost.discard(report.instance)
            self._background.begin(self._host.hide_window(report.instance))

    def _owner_ended(self, ended: Ended) -> None:
        for popup in [popup for popup, owner in self._owners.items() if owner == ended.instance.id]:
            self._background.begin(self.close(popup))


class PopupMethods:
    """Popups on the gateway."""

    def __init__(self, popups: Popups) -> None:
        self._popups = popups

    @method("Rostrum.Popups.Open")
    async def open(self, arguments: Mapping[str, Any]) -> Any:
        """Open a popup at an anchor."""
        url = text(arguments, "url")
        if not url.startswith(("https://", "http://")):
            raise DesktopError("url must be the address of a page")
        anchor = arguments.get("anchor")
        if not isinstance(anchor, Mapping):
            raise DesktopError("anchor must be an object of left, top, width and height")
        popup = Popup(
            kind=choice(arguments, "kind", ("external", "custom")),
            anchor=bounds(anchor),
            width=max(1, number(arguments, "width")),
            height=max(1, number(arguments, "height")),
        )
        return {"popup": await self._popups.open(text(arguments, "instance"), popup, url)}

    @method("Rostrum.Popups.Close")
    async def close(self, arguments: Mapping[str, Any]) -> Any:
        """Close a popup."""
        await self._popups.close(text(arguments, "popup"))
        return {}
