"""WindowDesk: the services around windows in one place, for the platform and for its methods on the gateway."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import DocumentTitled, MayClose, Reports, Retitled, TrayChosen, WindowClosed
from rostrum.desktop.instances import Ended, Instance, Instances
from rostrum.desktop.services.dialogs import Dialogs
from rostrum.desktop.services.flydowns import AskApp, Flydowns
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.tray import Leave, Tray
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.chrome import chrome_of
from rostrum.desktop.windows.pages import spelling_of
from rostrum.desktop.windows.popups import Popup, place_popup
from rostrum.desktop.windows.requests import PageRequests
from rostrum.settings.scope import AppType, Mode
from rostrum.settings.sections.spellchecker import Spellchecker
from rostrum.settings.settings import Settings

__all__ = ["WindowDesk"]

_log = logging.getLogger(__name__)
_MOST_POPUPS = 16


class WindowDesk:
    """Groups, tabs, workspaces, tray, dialogs, popups and flydowns of a running platform."""

    def __init__(
        self,
        settings: Settings,
        mode: Mode,
        host: WindowHost,
        instances: Instances,
        apps: Callable[[], Mapping[str, Mapping[str, Any]]],
        *,
        reports: Reports,
        leave: Leave,
        ask: AskApp,
        clock: Clock,
        is_offline: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take the running desktop; ``leave`` ends the platform, or restarts it; ``ask`` asks an app."""
        self._settings = settings
        self._mode = mode
        self._host = host
        self._instances = instances
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._popups: dict[str, str] = {}
        self._selectors: set[str] = set()
        self.guards = Guards()
        self.dialogs = Dialogs(settings.dialogs, host)
        self.workspaces = Workspaces(settings.window_management, host, instances)
        self.tray = Tray(settings.tray, host, apps, start=instances.start, leave=leave, is_offline=is_offline)
        self.groups = WindowGroups(
            settings.window_management,
            mode,
            host,
            instances,
            system_buttons=lambda: any(_wants_system_buttons(one) for one in apps().values()),
            new_id=new_id,
            clock=clock,
        )
        self.tabs = TabGroups(settings.window_management, host, instances, self.groups, new_id=new_id)
        self.flydowns = Flydowns(
            settings.window_management.flydown_windows, mode, host, instances, ask=ask, clock=clock
        )
        reports.listen(Retitled, lambda report: self._begin(self._retitled(report)))
        reports.listen(DocumentTitled, lambda report: self._begin(self._document_titled(report)))
        reports.listen(WindowClosed, lambda report: self._popup_gone(report.instance))
        reports.listen(TrayChosen, lambda report: self._begin(self.tray.choose(report.entry)))
        reports.handle(MayClose, lambda question: self.may_close(question.instance))
        instances.started.connect(self._started)
        instances.ended.connect(self._ended)

    async def may_close(self, instance: str) -> bool:
        """Say whether a window may be closed; the person at the desk decides when its app holds that up."""
        hold, running = self.guards.closing(instance), self._instances.get(instance)
        return hold is None or running is None or await self.dialogs.close_anyway(running.title, hold.reason)

    async def may_shut_down(self) -> bool:
        """Say whether the platform may end; the person at the desk decides when apps hold that up."""
        running = {one.id: one.title for one in self._instances.all}
        holders = [(running[hold.instance], hold.reason) for hold in self.guards.shutdown if hold.instance in running]
        return await self.dialogs.leave_anyway(holders)

    async def retitle(self, instance: str, title: str, by: TitledBy) -> None:
        """Show another title, unless the one that the window has goes first."""
        if not self._instances.retitle(instance, title, by):
            return
        if self._host.bounds(instance) is not None:
            await self._host.set_title(instance, title)
            await self.tabs.redraw(instance)

    async def open_popup(self, owner: str, popup: Popup, url: str) -> str:
        """Open a popup of a running app; it goes with its owner."""
        if self._instances.get(owner) is None:
            raise DesktopError(f"there is no instance {owner!r}")
        if sum(one == owner for one in self._popups.values()) >= _MOST_POPUPS:
            raise DesktopError(f"{owner!r} has {_MOST_POPUPS} popups open, which is all it may have")
        bounds = place_popup(popup, self._host.screens(), self._mode)
        identity = new_id()
        self._popups[identity] = owner
        details = {"url": url, "owner": owner, "onTop": True}
        request = WindowRequest(instance=identity, kind="popup", title="", details=details, bounds=bounds)
        await self._host.open_window(request)
        return identity

    async def close_popup(self, popup: str) -> None:
        """Close a popup."""
        if popup in self._popups:
            await self._host.close_window(popup)

    def refresh_tray(self) -> None:
        """Show the tray's menu again, for other apps."""
        self._begin(self.tray.show())

    def stop_unknown(self, is_known: Callable[[str], bool]) -> None:
        """Stop the running instances of apps that are not known any more."""
        for instance in self._instances.all:
            if not is_known(instance.app):
                self._begin(self._instances.stop(instance.id))

    def set_spelling(self, settings: Spellchecker) -> None:
        """Check spelling in open pages as the settings say now."""
        self._begin(self._host.set_spelling(spelling_of(settings)))

    def set_requests(self, rules: PageRequests) -> None:
        """Let pages load what the settings say now."""
        self._begin(self._host.set_requests(rules))

    async def close(self) -> None:
        """Wait for what is under way; nothing is begun after it."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _retitled(self, report: Retitled) -> None:
        instance = self._instances.get(report.instance)
        if instance is not None and chrome_of(instance.definition, self._settings, self._mode).title_editable:
            await self.retitle(report.instance, report.title, TitledBy.PERSON)

    async def _document_titled(self, report: DocumentTitled) -> None:
        if report.title:
            await self.retitle(report.instance, report.title, TitledBy.DOCUMENT)

    def _popup_gone(self, popup: str) -> None:
        self._popups.pop(popup, None)

    def _started(self, instance: Instance) -> None:
        if instance.type.lower() != AppType.EXE:
            # The windows of other apps come with all that is shown around them.
            return
        chrome = chrome_of(instance.definition, self._settings, self._mode)
        if chrome.selector is not None:
            self._selectors.add(instance.id)
            self._begin(self._host.show_selector(instance.id, instance.process, chrome.selector))

    def _ended(self, ended: Ended) -> None:
        instance = ended.instance.id
        if instance in self._selectors:
            self._selectors.discard(instance)
            self._begin(self._host.hide_selector(instance))
        self.guards.forget(instance)
        self.flydowns.forget(instance)
        self._begin(self._ungroup(instance))
        for popup in [popup for popup, owner in self._popups.items() if owner == instance]:
            self._begin(self.close_popup(popup))

    async def _ungroup(self, instance: str) -> None:
        # A tab first: the next one takes its place in the group.
        await self.tabs.leave(instance)
        await self.groups.forget(instance)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("the windowing system refused: %s", error)


def _wants_system_buttons(definition: Mapping[str, Any]) -> bool:
    details = definition.get("details") or {}
    return definition.get("type") == AppType.WEB_GROUP and details.get("useOSSystemButtons") is True
